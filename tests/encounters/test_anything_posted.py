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
    press,
    rolled_back,
    take,
)
from tests.factories import CreatureFactory, EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db
BY_VERB = {form.verb: form for form in VERBS}


ODD = st.sampled_from(
    ["0", "1", "2", "3", "4", "9", "-1", "14.5", "99999999", "1000000d6", "2d6", "²", "٣", "1_0",
     "up", "down", "heroes", "foes", "auto", "surprised", "goblin", "3 zzz", "6 gob", "Aria, Cleo",
     "", " ", "None", "true", "\0", "'; DROP TABLE x; --", "x" * 2_001, "9" * 5_000, "1e400"]
)  # fmt: skip
FIELDS = (
    "target", "amount", "text", "side", "picked", "rolled_hp", "hidden", "out", "name", "label",
    "hp", "max_hp", "temp_hp", "ac", "speed", "notes", "surprise", "passive_perception", "total",
    "total_1", "total_2", "total_3", "stealth_1", "stealth_3", "first", "move", "available",
    "accept_empty", "selected", "at", "seen", "key",
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

    @examples(40)
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


def test_every_verb_can_succeed(gm_client: Client) -> None:
    """So that the test above is not about refusals alone."""
    made = tables()
    about = {"target": "3", "amount": "2", "text": "goblin", "side": "foes", "name": "Ogre"}
    story: list[tuple[str, str, dict[str, str]]] = [
        ("empty", "join", {"text": "Cleo, Dain"}),
        ("prepared", "edit", {**about, "hp": "5", "max_hp": "9"}),
        ("prepared", "open-fight", {}),
        ("opened", "hide-side", {"side": "foes"}),
        ("opened", "override-surprise", {"target": "1", "surprise": "surprised"}),
        ("opened", "set-passive", {"target": "2", "passive_perception": "9"}),
        ("opened", "hide", {"stealth_3": "12"}),
        ("opened", "stop-hiding", {"side": "foes"}),
        ("opened", "roll-initiative", {}),
        *(("opened", "set-total", {"target": str(n), "total": "9"}) for n in (1, 2, 3)),
        ("opened", "break-tie", {"first": "2"}),
        ("opened", "roll-off", {"total": "9"}),
        ("opened", "start-fight", {}),
        ("begun", "next-turn", {}),
        ("begun", "previous-turn", {}),
        ("begun", "give-turn", {"target": "2"}),
        ("begun", "set-total", {"target": "3", "total": "11"}),
        ("begun", "reorder", {"target": "3", "move": "down"}),
        ("begun", "damage", about),
        ("begun", "heal", about),
        ("begun", "give-temporary", about),
        ("begun", "set-hidden", {"target": "3"}),
        ("begun", "set-out", {"target": "3", "out": "1"}),
        ("begun", "set-reaction", {"target": "1"}),
        ("begun", "undo", {}),
        ("begun", "redo", {}),
        ("begun", "leave", {"target": "3"}),
        ("begun", "end-fight", {}),
        ("over", "reopen-fight", {}),
    ]
    assert {verb for _, verb, _ in story} == set(BY_VERB)
    for state, verb, typed in story:
        version = fresh(made[state]).version
        assert press(gm_client, made[state], verb, **typed).status_code == 200, verb
        assert fresh(made[state]).version == version + 1, verb
