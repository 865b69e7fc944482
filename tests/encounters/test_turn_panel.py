"""The panel of the turn that is on, as the GM reads and presses it."""

import re

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from tests.encounters.playing import fight_in, press, text_of, undo
from tests.factories import EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db


def begun(*combatants: rules.Combatant) -> Encounter:
    """Those of a fight that has begun, the first of them first."""
    firsts = {c.name: n for n, c in reversed(list(enumerate(combatants, 1))) if not c.is_lair}
    totals = {n: 20 - n for n in firsts.values()}
    return EncounterFactory.create(fight=rules.StartFight(totals).run(fight_of(*combatants)).fight)


def panel(client: Client, encounter: Encounter) -> str:
    """The words of the turn panel."""
    answer = client.get(f"/e/{encounter.uuid}/")
    found = re.search(rb'<details class="turn.*?<details class="log"', answer.content, re.S)
    assert found
    answer.content = found[0]
    return text_of(answer)


def test_a_giant_eagle_flies_24_metres_and_walks_3(gm_client: Client) -> None:
    eagle = creature("Giant Eagle", speed=10, speeds={"fly": 80})
    encounter = begun(eagle, hero("Lia"))
    gm_client.cookies["qv_language"] = "fr"
    assert "Déplacement 0 / 24 m" in panel(gm_client, encounter)
    press(gm_client, encounter, "choose-speed", target=1, way="walk")
    assert "Déplacement 0 / 3 m" in panel(gm_client, encounter)
    undo(encounter)
    assert fight_in(encounter).combatant(1).way == "fly"


def test_of_a_group_those_who_fly_do(gm_client: Client) -> None:
    bat = creature("Bat", creature="bat", speed=5, speeds={"fly": 5})
    encounter = begun(bat, bat, hero("Lia"))
    press(gm_client, encounter, "choose-speed", target="1,2", way="fly")
    assert [fight_in(encounter).combatant(n).way for n in (1, 2)] == ["fly", "fly"]
    assert "Fly 0 /5 ft" in panel(gm_client, encounter)
