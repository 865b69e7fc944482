"""Refusals: the reason beside the form, and what was typed still in it."""

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

import rules
from encounters.forms import VERBS
from encounters.models import Encounter
from tests.encounters.playing import (
    fight_in,
    form,
    fresh,
    press,
    press_plainly,
    pressed,
    take,
    text_of,
)
from tests.factories import CreatureFactory, EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db


def refused(answer: Any) -> str:
    assert answer.status_code == 422
    return text_of(answer)


def typed_in(answer: Any, field: str, verb: str = "") -> str:
    """What stands in a field of the page, or of the form of this verb."""
    page = answer.content.decode()
    if verb:
        page = re.search(rf'<form[^>]*/{verb}/".*?</form>', page, re.DOTALL)[0]  # type: ignore[index]
    [tag] = re.findall(rf'<(?:input|textarea)[^>]*\bname="{field}"[^>]*>', page)
    return unescape(re.search(r'value="([^"]*)"', tag)[1])  # type: ignore[index]


REFUSED: dict[str, tuple[str, dict[str, str], str]] = {
    "letters for hit points": ("damage", {"target": "3", "amount": "lots"}, "neither a number"),
    "far too much damage": ("damage", {"target": "3", "amount": "99999999"}, "0 to 99,999"),
    "a million dice": ("damage", {"target": "3", "amount": "1000000d6"}, "At most 1,000 dice"),
    "letters for a total": ("set-total", {"target": "3", "total": "high"}, "whole number"),
    "half a total": ("set-total", {"target": "3", "total": "14.5"}, "whole number"),
    "half a total with a comma": ("set-total", {"target": "3", "total": "14,5"}, "whole number"),
    "a total out of this world": ("set-total", {"target": "3", "total": "1000"}, "−99 to 999"),
    "nobody by name": ("join", {"text": " , "}, "a quantity and a creature"),
    "none of them": ("join", {"text": "0 goblins"}, "A quantity goes from 1"),
    "more than a fight holds": ("join", {"text": "400 goblins"}, "At most 200 combatants"),
    "nobody": ("join", {"text": " , "}, "Type a name"),
    "two hundred more": ("join", {"text": "200 goblins"}, "At most 200 combatants"),
    "a hero's long name": ("join", {"text": "A" * 500}, "at most 80 characters"),
    "more text than a field takes": ("join", {"text": "A" * 2_001}, "at most 2000 characters"),
    "somebody who is not there": ("damage", {"target": "9", "amount": "3"}, "has left the fight"),
    "no side of ours": ("join", {"text": "Cleo", "side": "us"}, "Select a valid choice"),
    "a place above the first": ("give-turn", {"target": "77"}, "has left the fight"),
    "no tie": ("break-tie", {"first": "3"}, "already gone"),
    "no roll-off": ("roll-off", {"total": "3"}, "already gone"),
    "what is over": ("reopen-fight", {}, "already running"),
    "what has begun": ("open-fight", {}, "already running"),
    "nothing to redo": ("redo", {}, "nothing to redo"),
    "no earlier turn": ("previous-turn", {}, "no earlier turn"),
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_is_refused_with_its_reason(
    why: str, gm_client: Client, running: Encounter
) -> None:
    CreatureFactory.create()
    verb, typed, reason = REFUSED[why]
    before = fight_in(running)
    assert reason in refused(press(gm_client, running, verb, **typed))
    plain = press_plainly(gm_client, running, verb, at="strip", selected="3", **typed)
    assert reason in refused(plain)
    assert fight_in(running) == before


def test_the_amount_that_was_refused_stays_typed(gm_client: Client, running: Encounter) -> None:
    sent = {"target": 3, "selected": 3, "at": "strip", "amount": '2d"6'}
    answer = press_plainly(gm_client, running, "damage", **sent)
    assert typed_in(answer, "amount") == '2d"6'
    sent = {"at": "add", "text": "-3 zzz & co"}
    assert typed_in(press_plainly(gm_client, running, "join", **sent), "text", "join") == (
        "-3 zzz & co"
    )


def test_an_edit_that_is_refused_keeps_every_field_as_typed(
    gm_client: Client, running: Encounter
) -> None:
    typed = {"name": "G" * 500, "hp": "60", "max_hp": "59", "ac": "hard", "notes": "<b>sly</b>"}
    sent = {"at": "edit", "target": 3, "side": "foes", **typed}
    answer = press_plainly(gm_client, running, "edit", **sent)
    said = refused(answer)
    assert "at most 80 characters" in said
    assert "whole number" in said
    for field in ("name", "hp", "max_hp", "ac"):
        assert typed_in(answer, field) == typed[field]
    assert "<b>sly</b>" in said
    assert fight_in(running).combatant(3).name == "Ogre"


# RW-S29: an old form is stopped and shows the present hit points
def test_an_edit_from_before_a_blow_keeps_what_was_typed_and_shows_the_wounds(
    gm_client: Client, running: Encounter
) -> None:
    seen = fresh(running).version
    take(running, rules.Damage(3, 7))
    sent = {"at": "edit", "target": 3, "name": "Grak", "side": "foes", "hp": "59", "max_hp": "70",
            "initiative_roll": "auto"}  # fmt: skip
    answer = press_plainly(gm_client, running, "edit", seen=seen, **sent)
    assert answer.status_code == 409
    assert "7 damage to Ogre" in text_of(answer)
    assert [typed_in(answer, field) for field in ("name", "max_hp", "hp")] == ["Grak", "70", "52"]
    assert fight_in(running).combatant(3).name == "Ogre"


def test_hit_points_above_the_maximum_are_refused_and_stay_typed(
    gm_client: Client, running: Encounter
) -> None:
    sent = {"at": "edit", "target": 3, "name": "Ogre", "side": "foes", "hp": "60", "max_hp": "59",
            "initiative_roll": "auto"}  # fmt: skip
    answer = press_plainly(gm_client, running, "edit", **sent)
    assert "from 0 to the maximum" in refused(answer)
    assert typed_in(answer, "hp") == "60"


def test_totals_that_were_refused_stay_typed(gm_client: Client) -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria"), hero("Bran")))
    take(encounter, rules.OpenFight())
    sent = {"at": "initiative", "total_1": "17", "total_2": "14.5"}
    answer = press_plainly(gm_client, encounter, "roll-initiative", **sent)
    assert "14.5" in refused(answer)
    assert [typed_in(answer, name) for name in ("total_1", "total_2")] == ["17", "14.5"]
    assert all(slot.total is None for slot in fight_in(encounter).slots)


def test_a_fight_without_anybody_cannot_begin(gm_client: Client) -> None:
    encounter = EncounterFactory.create()
    for verb in ("start-fight", "open-fight"):
        assert "Add somebody first" in refused(press(gm_client, encounter, verb))
    assert fight_in(encounter).state == "preparing"


def test_a_hero_whose_total_nobody_told_is_asked_for_and_may_act_last(gm_client: Client) -> None:
    prepared = fight_of(hero("Aria"), hero("Bran", initiative_bonus=None))
    encounter = EncounterFactory.create(fight=prepared)
    pressed(gm_client, encounter, "start-fight")
    assert fight_in(encounter).state == "rolling"
    answer = press(gm_client, encounter, "start-fight")
    assert "No initiative yet: Bran" in refused(answer)
    assert 'name="accept_empty"' in answer.content.decode()
    pressed(gm_client, encounter, "start-fight", accept_empty="1")
    fight = fight_in(encounter)
    assert (fight.state, fight.slots[-1].number) == ("running", 2)


def test_the_two_hundred_and_first_combatant_is_refused(gm_client: Client) -> None:
    CreatureFactory.create()
    encounter = EncounterFactory.create(fight=fight_of(*[creature() for _ in range(199)]))
    assert press(gm_client, encounter, "join", text="goblin").status_code == 200
    assert "At most 200" in refused(press(gm_client, encounter, "join", text="goblin"))
    assert len(fight_in(encounter).combatants) == 200


# What belongs to somebody else


def test_an_encounter_that_is_not_there_is_404(gm_client: Client, running: Encounter) -> None:
    gone = EncounterFactory.create(deleted=running.created)
    for uuid in (uuid4(), gone.uuid):
        assert gm_client.get(f"/e/{uuid}/").status_code == 404
        assert gm_client.get(f"/e/{uuid}/combatant/1/").status_code == 404
        for verb in VERBS:
            answer = gm_client.post(f"/e/{uuid}/{verb.verb}/", form(running))
            assert answer.status_code == 404, verb.verb


def test_a_combatant_of_another_encounter_is_out_of_reach(
    gm_client: Client, running: Encounter
) -> None:
    other = EncounterFactory.create(
        campaign=running.campaign, fight=fight_of(*[creature() for _ in range(4)])
    )
    before = fight_in(other)
    assert gm_client.get(f"/e/{running.uuid}/combatant/4/").status_code == 404
    for verb in ("damage", "leave", "set-hidden", "set-out", "give-turn"):
        refused(press(gm_client, running, verb, target=4, amount="3"))
    assert fight_in(other) == before


@pytest.mark.parametrize("target", ["", "0", "-1", "x", "²", "9" * 5_000, "3 OR 1=1"])
def test_a_target_that_is_no_number_of_anybody_is_refused(
    target: str, gm_client: Client, running: Encounter
) -> None:
    before = fight_in(running)
    for verb in ("damage", "edit", "leave", "set-total"):
        for at in ("strip", "edit", "set-total"):
            sent = {"target": target, "amount": "lots", "at": at, "total": "x"}
            answer = press_plainly(gm_client, running, verb, **sent)
            assert answer.status_code in (404, 422), (verb, at)
    assert fight_in(running) == before


@pytest.mark.parametrize("selected", ["", "x", "-1", "²", "9" * 5_000, "77"])
def test_a_selection_that_means_nobody_is_nobody(
    selected: str, gm_client: Client, running: Encounter
) -> None:
    answer = gm_client.get(f"/e/{running.uuid}/", {"selected": selected})
    assert answer.status_code == 200
    assert 'data-selected=""' in answer.content.decode()


def test_what_a_form_may_not_set_is_left_alone(gm_client: Client, running: Encounter) -> None:
    planted: dict[str, Any] = {
        "is_hero": 1,
        "letter": 9,
        "hidden": 1,
        "slot": 1,
        "number": 7,
        "version": 99,
    }
    planted |= {"effects": "poisoned", "awaited": 1, "surprised": 1, "rider": 1, "owner": 1}
    sent = {"target": 3, "name": "Ogre", "side": "foes", "initiative_roll": "auto", "max_hp": 59,
            "hp": 9, **planted}  # fmt: skip
    pressed(gm_client, running, "edit", **sent)
    ogre = fight_in(running).combatant(3)
    assert (ogre.hp, ogre.is_hero, ogre.letter, ogre.hidden, ogre.slot) == (9, False, 1, False, 3)
    assert (ogre.effects, ogre.awaited, ogre.surprised, ogre.rider, ogre.owner) == (
        (), False, False, None, None,
    )  # fmt: skip
    assert fresh(running).version == 2


@pytest.mark.parametrize(
    ("state", "verb", "sent", "slot"),
    [
        ("opened", "roll-initiative", {"total_1": "162"}, 1),
        ("opened", "start-fight", {"total_1": "41", "total_2": "9", "total_3": "12"}, 1),
        ("begun", "set-total", {"target": "1", "total": "168"}, 1),
    ],
)
def test_a_total_above_40_is_asked_about_before_it_is_taken(
    state: str, verb: str, sent: dict[str, str], slot: int, gm_client: Client
) -> None:
    encounter = EncounterFactory.create(
        fight=fight_of(hero("Aria"), hero("Bran"), creature("Ogre"))
    )
    take(encounter, rules.OpenFight())
    if state == "begun":
        take(encounter, rules.StartFight(totals={1: 8, 2: 9, 3: 12}))
    total = next(iter(value for name, value in sent.items() if name.startswith("total")))
    answer = press(gm_client, encounter, verb, **sent)
    assert f"Aria: {total} is higher than any usual total." in refused(answer)
    assert fight_in(encounter).slot(slot).total != int(total)
    assert 'name="accept_high"' in answer.content.decode()
    press(gm_client, encounter, verb, **sent, accept_high="1")
    assert fight_in(encounter).slot(slot).total == int(total)
    press(gm_client, encounter, verb, **sent)  # nobody is asked twice
    assert fight_in(encounter).slot(slot).total == int(total)
