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
    assert "This combatant cannot be a rider." in place[0]
    assert '<option value="3" selected>' in place[0]
    assert answer.content.decode().count("This combatant cannot be a rider.") == 1


def test_a_lair_is_some_creatures(gm_client: Client, stable: Encounter) -> None:
    page = gm_client.get(f"/e/{stable.uuid}/combatant/5/")
    usual = "the only legendary creature present"
    assert options(page, "owner") == [usual, "nobody", "Horse", "Pony", "Ogre"]
    assert options(gm_client.get(f"/e/{stable.uuid}/combatant/4/"), "owner") == []
    press_plainly(gm_client, stable, "set-owner", target=5, owner=4, at="set-owner")
    assert fight_in(stable).combatant(5).owner == 4
    press_plainly(gm_client, stable, "set-owner", target=5, owner=0, at="set-owner")
    page = gm_client.get(f"/e/{stable.uuid}/combatant/5/")
    assert '<option value="0" selected>nobody' in page.content.decode()
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


def test_every_speed_is_set_on_its_page_and_kept_by_a_form_that_does_not_ask(
    gm_client: Client, stable: Encounter
) -> None:
    gm_client.cookies["qv_language"] = "fr"
    ways = {"speed": "12", "speed_fly": "4,5", "speed_swim": "", "speed_climb": "", "hovers": "on"}
    press_plainly(gm_client, stable, "edit", **SENT, **ways, speed_burrow="")
    press_plainly(gm_client, stable, "edit", **SENT, speed="12")
    ogre = fight_in(stable).combatant(4)
    assert (ogre.speed, ogre.speeds, ogre.hovers) == (40, {"fly": 15}, True)
    page = gm_client.get(f"/e/{stable.uuid}/combatant/4/").content.decode()
    assert re.search(r'name="speed_fly" value="4,5"', page)


# Defences and saves

SENT = {"target": 4, "name": "Ogre", "side": "foes", "initiative_roll": "auto", "at": "edit"}
PLAIN = {f"defence_{code}": "" for code in rules.DAMAGE_TYPES}
HIDE = rules.Defence("resistance", "piercing", "nonmagical")


def test_defences_and_saves_are_set_and_what_depends_on_something_is_kept(
    gm_client: Client, stable: Encounter
) -> None:
    was = (rules.Defence("immunity", "cold"), HIDE, rules.Defence("immunity", "prone"))
    take(stable, rules.Edit(4, {"defences": was, "saves": {"dex": -1}}))
    page = gm_client.get(f"/e/{stable.uuid}/combatant/4/")
    assert "resistance: piercing (nonmagical attacks)" in text_of(page)
    sent = {**PLAIN, "defence_cold": "immunity", "defence_fire": "both", "save_con": "5",
            "conditional": "resistance:piercing:nonmagical", "immune": ["prone", "stunned"],
            "death_saves": "on"}  # fmt: skip
    assert press_plainly(gm_client, stable, "edit", **SENT, **sent).status_code == 302
    ogre = fight_in(stable).combatant(4)
    assert set(ogre.defences) == {
        *was, rules.Defence("resistance", "fire"), rules.Defence("vulnerability", "fire"),
        rules.Defence("immunity", "stunned"),
    }  # fmt: skip
    assert (dict(ogre.saves), ogre.death_saves) == ({"con": 5}, True)
    press_plainly(gm_client, stable, "edit", **SENT, **PLAIN)
    ogre = fight_in(stable).combatant(4)
    assert (ogre.defences, dict(ogre.saves), ogre.death_saves) == ((), {}, False)


def test_what_is_absorbed_is_chosen_and_kept(gm_client: Client, stable: Encounter) -> None:
    absorbs = (rules.Defence("absorption", "fire"), rules.Defence("immunity", "fire"))
    take(stable, rules.Edit(4, {"defences": absorbs}))
    page = gm_client.get(f"/e/{stable.uuid}/combatant/4/").content.decode()
    assert '<option value="absorption" selected>' in page
    press_plainly(gm_client, stable, "edit", **SENT, **{**PLAIN, "defence_fire": "absorption"})
    assert fight_in(stable).combatant(4).defences == absorbs[:1]


def test_a_form_that_does_not_ask_for_defences_leaves_them(
    gm_client: Client, stable: Encounter
) -> None:
    take(stable, rules.Edit(4, {"defences": (HIDE,), "saves": {"dex": -1}}))
    press_plainly(gm_client, stable, "edit", **SENT)
    ogre = fight_in(stable).combatant(4)
    assert (ogre.defences, dict(ogre.saves)) == ((HIDE,), {"dex": -1})


def test_a_bonus_that_is_none_is_refused_beside_its_field_and_all_ticks_stay(
    gm_client: Client, stable: Encounter
) -> None:
    sent = {**PLAIN, "defence_fire": "resistance", "immune": ["prone", "stunned"]}
    answer = press_plainly(gm_client, stable, "edit", **SENT, **sent, save_con="tough")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert page.count("Enter a whole number.") == 1
    assert 'value="tough"' in page
    assert page.count("checked") == 2
    assert '<option value="resistance" selected>' in page


# RW-S18: a villain that falls like a hero
def test_only_creatures_are_asked_whether_they_roll_death_saves(
    gm_client: Client, stable: Encounter
) -> None:
    for number, asked in ((1, False), (4, True)):
        page = gm_client.get(f"/e/{stable.uuid}/combatant/{number}/").content.decode()
        assert ('name="death_saves"' in page) == asked
    press_plainly(gm_client, stable, "edit", **SENT, hp="7", max_hp="7", death_saves="on")
    press_plainly(gm_client, stable, "damage", target=4, amount="7")
    assert fight_in(stable).combatant(4).dying
