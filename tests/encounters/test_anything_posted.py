"""Whatever is posted to whatever verb, nothing breaks, and a refusal changes nothing."""

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

import rules
from encounters.forms import VERBS, StepForm
from encounters.models import Encounter
from tests.encounters.drawn import words
from tests.encounters.playing import (
    HTMX,
    examples,
    fight_in,
    form,
    fresh,
    rolled_back,
    take,
)
from tests.factories import CreatureFactory, EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

ODD = st.sampled_from(
    ["0", "1", "2", "3", "4", "9", "-1", "14.5", "99999999", "1000000d6", "2d6", "²", "٣", "1_0",
     "1,2,3", "3,x", "3,3", ",", ",".join(["3"] * 200), "dash", "ready", "bonus", "object-spent",
     "poisoned", "exhaustion", "prone", "4,5", "1e9", "-", "2024", "roll_off", "advantage", "third",
     "perception_roll", "up", "down", "heroes", "foes", "auto", "surprised", "goblin", "3 zzz",
     "6 gob", "Aria, Cleo", "", " ", "None", "true", "\0", "'; DROP TABLE x; --", "x" * 2_001,
     "9" * 5_000, "1e400", "concentration|10|con|concentration||", "made", "roll", "applied",
     "recharge:5"]
)  # fmt: skip
FIELDS = (
    "target", "amount", "text", "side", "picked", "rolled_hp", "hidden", "out", "name", "label",
    "hp", "max_hp", "temp_hp", "ac", "speed", "notes", "surprise", "passive_perception", "total",
    "total_1", "total_2", "total_3", "stealth_1", "stealth_3", "first", "move", "available",
    "accept_empty", "selected", "at", "seen", "key", "arrives", "owner", "rider", "before", "one",
    "other", "allied", "what", "roll", "action", "cost", "tick", "distance", "by", "effect",
    "level", "edition", "tie_rule", "version", "initiative_roll", "due", "result", "use", "left",
    "kind", "max",
)  # fmt: skip


def tables() -> dict[str, Encounter]:
    """A fight in each of its states, and one without anybody."""
    CreatureFactory.create()
    party = (hero("Aria"), hero("Bran", passive_perception=None), creature("Ogre", hidden=True))
    prepared = fight_of(*party)
    states = ("prepared", "opened", "begun", "over")
    made: dict[str, Encounter] = {s: EncounterFactory.create(fight=prepared) for s in states}
    take(made["opened"], rules.OpenFight())
    for name in ("begun", "over"):
        take(made[name], rules.StartFight(totals={1: 9, 2: 9, 3: 4}))
    take(made["over"], rules.EndFight())
    return {"empty": EncounterFactory.create(), **made}


@pytest.mark.parametrize("state", ["empty", "prepared", "opened", "begun", "over"])
def test_whatever_is_posted_nothing_breaks_and_a_refusal_changes_nothing(
    state: str, gm_client: Client
) -> None:
    encounter = tables()[state]

    @examples(20)
    @given(
        verb=st.sampled_from(VERBS),
        typed=st.dictionaries(st.sampled_from(FIELDS), ODD | words(), max_size=8),
        target=st.sampled_from(["1", "2", "3", ""]),
        scripts=st.booleans(),
        french=st.booleans(),
    )
    def anything(
        verb: type[StepForm], typed: dict[str, str], target: str, scripts: bool, french: bool
    ) -> None:
        with rolled_back():
            before, version = fight_in(encounter), fresh(encounter).version
            gm_client.cookies["qv_language"] = "fr" if french else "en"
            sent = {**form(encounter, target=target, at="edit"), **typed}
            address = f"/e/{encounter.uuid}/{verb.verb}/"
            with transaction.atomic():
                answer = gm_client.post(address, sent, headers=HTMX if scripts else {})
            assert answer.status_code in (200, 302, 404, 409, 422)
            if answer.status_code in (404, 409, 422):
                assert fight_in(encounter) == before
            assert fresh(encounter).version <= version + 1
            assert gm_client.get(f"/e/{encounter.uuid}/").status_code == 200

    anything()
