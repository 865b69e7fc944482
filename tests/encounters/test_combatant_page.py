"""The page with all the facts of one combatant."""

import re
from typing import Any

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from tests.encounters.playing import fight_in, press_plainly, take, text_of
from tests.factories import EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db


@pytest.fixture
def stable(db: None) -> Encounter:
    """Aria, a horse and a pony of the heroes, an ogre, and a lair; nobody has rolled yet."""
    fighters = (
        hero("Aria"), creature("Horse", side="heroes"), creature("Pony", side="heroes"),
        creature("Ogre"), creature("Lair", is_lair=True, max_hp=None, initiative_bonus=None),
    )  # fmt: skip
    encounter: Encounter = EncounterFactory.create(fight=fight_of(*fighters))
    take(encounter, rules.OpenFight())
    return encounter


def options(answer: Any, name: str) -> list[str]:
    select = re.search(rf'<select id="id_{name}".*?</select>', answer.content.decode(), re.DOTALL)
    return re.findall(r">([^<]+)</option>", select[0]) if select else []


def test_a_mount_is_ridden_by_somebody_of_its_side_or_nobody(
    gm_client: Client, stable: Encounter
) -> None:
    page = gm_client.get(f"/e/{stable.uuid}/combatant/2/")
    assert options(page, "rider") == ["nobody", "Aria", "Pony"]
    sent = {"target": 2, "selected": 2, "at": "mount"}
    answer = press_plainly(gm_client, stable, "mount", **sent, rider=1)
    assert answer["Location"] == f"/e/{stable.uuid}/?selected=2"
    assert fight_in(stable).combatant(2).rider == 1
    page = gm_client.get(f"/e/{stable.uuid}/combatant/2/")
    assert '<option value="1" selected>Aria' in page.content.decode()
    press_plainly(gm_client, stable, "mount", **sent, rider="")
    assert fight_in(stable).combatant(2).rider is None


def test_heroes_and_lairs_are_nobodys_mounts(gm_client: Client, stable: Encounter) -> None:
    for number in (1, 5):
        page = gm_client.get(f"/e/{stable.uuid}/combatant/{number}/")
        assert options(page, "rider") == []


def test_a_rider_who_cannot_ride_it_is_refused_beside_the_field_and_stays_chosen(
    gm_client: Client, stable: Encounter
) -> None:
    press_plainly(gm_client, stable, "mount", target=3, rider=1)
    answer = press_plainly(gm_client, stable, "mount", target=2, rider=3, at="mount")
    assert answer.status_code == 422
    place = re.search(r'<form[^>]*action="[^"]*/mount/".*?</form>', answer.content.decode(), re.S)
    assert place
    assert "This one cannot be the rider." in place[0]
    assert '<option value="3" selected>' in place[0]
    assert answer.content.decode().count("This one cannot be the rider.") == 1


def test_a_lair_is_some_creatures(gm_client: Client, stable: Encounter) -> None:
    page = gm_client.get(f"/e/{stable.uuid}/combatant/5/")
    assert options(page, "owner") == ["nobody", "Horse", "Pony", "Ogre"]
    assert options(gm_client.get(f"/e/{stable.uuid}/combatant/4/"), "owner") == []
    press_plainly(gm_client, stable, "set-owner", target=5, owner=4, at="set-owner")
    assert fight_in(stable).combatant(5).owner == 4
    answer = press_plainly(gm_client, stable, "set-owner", target=5, owner=99, at="set-owner")
    assert answer.status_code == 422
    assert "This combatant has left the fight." in text_of(answer)


def test_a_fact_that_cannot_be_is_refused_beside_its_field_alone(
    gm_client: Client, stable: Encounter
) -> None:
    sent = {"target": 4, "name": "Ogre", "side": "foes", "initiative_roll": "auto", "at": "edit"}
    answer = press_plainly(gm_client, stable, "edit", **sent, ac="hard", label="Hooded figure")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert page.count("Enter a whole number.") == 1
    assert 'aria-invalid="true"' in page
    assert 'value="Hooded figure"' in page
    answer = press_plainly(gm_client, stable, "edit", **sent, hp="9", max_hp="7")
    assert "Hit points go from 0 to the maximum." in text_of(answer)


def test_a_combatant_goes_over_to_the_allies_on_its_page(
    gm_client: Client, stable: Encounter
) -> None:
    sent = {"target": 4, "name": "Ogre", "side": "allies", "initiative_roll": "auto"}
    assert press_plainly(gm_client, stable, "edit", **sent, at="edit").status_code == 302
    assert fight_in(stable).combatant(4).side == "allies"


def test_distances_stand_on_the_page_as_the_language_measures(
    gm_client: Client, stable: Encounter
) -> None:
    take(stable, rules.Edit(4, {"speed": 40}))
    gm_client.cookies["qv_language"] = "fr"
    page = gm_client.get(f"/e/{stable.uuid}/combatant/4/").content.decode()
    assert re.search(r'name="speed" value="12"', page)
