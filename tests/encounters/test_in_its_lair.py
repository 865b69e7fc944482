"""A creature of the 2024 rules in its lair: its counts, its XP, and where that is told."""

from typing import Any

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from tests.encounters.playing import (
    fight_in,
    press_plainly,
    pressed,
    redo,
    take,
    text_of,
    undo,
)
from tests.factories import CampaignFactory, CreatureFactory, EncounterFactory, HeroFactory

pytestmark = pytest.mark.django_db

ARIA, DRAGON, LAIR = 1, 2, 3


@pytest.fixture
def encounter(gm_client: Client) -> Encounter:
    """Aria against a dragon of which the book knows more in its lair."""
    facts = {
        "attacks": [],
        "legendary_actions": 3,
        "legendary_actions_in_lair": 4,
        "legendary_resistance": 3,
        "legendary_resistance_in_lair": 4,
        "xp_in_lair": 20_000,
    }
    CreatureFactory.create(
        source="srd-5.2", edition="2024", english="Red Dragon", xp=18_000, facts=facts
    )
    CreatureFactory.create(source="srd-5.2", edition="2024", english="Ogre")
    campaign = CampaignFactory.create(edition="2024")
    HeroFactory.create(campaign=campaign, name="Aria", level=20)
    made: Encounter = EncounterFactory.create(campaign=campaign)
    pressed(gm_client, made, "join", text="Aria, 1 red dragon")
    return made


def counts(encounter: Encounter) -> list[int]:
    return [use.max for use in fight_in(encounter).combatant(DRAGON).uses]


def edited(client: Client, encounter: Encounter, number: int, **sent: Any) -> None:
    """All the facts of a page, as a browser sends them: what is not ticked is not there."""
    who = fight_in(encounter).combatant(number)
    facts = {
        "name": who.name,
        "side": who.side,
        "hp": who.hp,
        "max_hp": who.max_hp,
        "initiative_roll": "auto",
    }
    press_plainly(client, encounter, "edit", target=number, **facts, **sent)


def xp_told(client: Client, encounter: Encounter) -> str:
    """By the meter of the preparation."""
    said = text_of(client.get(f"/e/{encounter.uuid}/"))
    return said.partition("1 creature ")[2].partition(" XP")[0].replace("\N{NO-BREAK SPACE}", ",")


def test_a_tick_on_its_page_gives_a_dragon_what_its_lair_gives(
    encounter: Encounter, gm_client: Client
) -> None:
    assert (counts(encounter), xp_told(gm_client, encounter)) == ([3, 3], "18,000")
    edited(gm_client, encounter, DRAGON, in_lair="on")
    assert (counts(encounter), xp_told(gm_client, encounter)) == ([4, 4], "20,000")
    assert 'name="in_lair"' in gm_client.get(f"/e/{encounter.uuid}/combatant/2/").content.decode()
    undo(encounter)
    assert (counts(encounter), xp_told(gm_client, encounter)) == ([3, 3], "18,000")
    redo(encounter)
    edited(gm_client, encounter, DRAGON)
    assert (counts(encounter), xp_told(gm_client, encounter)) == ([3, 3], "18,000")


def test_a_lair_of_its_own_in_the_fight_does_the_same_as_long_as_it_is_there(
    encounter: Encounter, gm_client: Client
) -> None:
    pressed(gm_client, encounter, "add-lair")
    assert (counts(encounter), xp_told(gm_client, encounter)) == ([4, 4], "20,000")
    pressed(gm_client, encounter, "leave", target=LAIR)
    assert (counts(encounter), xp_told(gm_client, encounter)) == ([3, 3], "18,000")


@pytest.mark.parametrize(("in_lair", "xp"), [(False, 18_000), (True, 20_000)])
def test_who_was_overcome_in_its_lair_is_worth_more_at_the_end(
    in_lair: bool, xp: int, encounter: Encounter, gm_client: Client
) -> None:
    take(encounter, rules.Edit(DRAGON, {"in_lair": in_lair}))
    take(encounter, rules.OpenFight())
    take(encounter, rules.StartFight(dict.fromkeys((ARIA, DRAGON), 10), accept_empty=True))
    take(encounter, rules.Damage(DRAGON, 999))
    take(encounter, rules.EndFight())
    experience = gm_client.get(f"/e/{encounter.uuid}/summary/").context["summary"].experience
    assert (experience.points, experience.foes[0].points) == (xp, xp)


def test_nobody_else_is_asked_whether_it_is_at_home(
    encounter: Encounter, gm_client: Client
) -> None:
    pressed(gm_client, encounter, "join", text="1 ogre")
    assert "in_lair" not in gm_client.get(f"/e/{encounter.uuid}/combatant/3/").content.decode()
    edited(gm_client, encounter, 3, in_lair="on")
    assert not fight_in(encounter).combatant(3).in_lair
