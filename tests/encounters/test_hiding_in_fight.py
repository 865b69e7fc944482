"""Hiding while a fight goes on: rolled from the panel, told on the row, never seen by players."""

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from encounters.screens import gm_board
from encounters.screens.player import player_board
from tests.encounters.opening import Told, opened, page_of
from tests.encounters.playing import fight_in, fresh, press, pressed, take, text_of
from tests.factories import CreatureFactory, blow, creature, hero

pytestmark = pytest.mark.django_db

ARIA, STALKER, GOBLIN = 1, 2, 3


@pytest.fixture
def fight(dice: Told) -> Encounter:
    """Aria's turn, then a stalker's who was not noticed, and a goblin's."""
    CreatureFactory.create(facts={"attacks": [blow()]})
    goblin = creature("Goblin", creature="srd-5.1/goblin", passive_perception=9, stealth_bonus=6)
    encounter = opened(hero("Aria", stealth_bonus=5, ac=15), creature("Stalker"), goblin)
    take(encounter, rules.Hide({STALKER: 13}))
    slots = {slot.number: 30 - slot.number for slot in fight_in(encounter).slots}
    take(encounter, rules.StartFight(totals=slots))
    return encounter


def marks(encounter: Encounter, number: int) -> list[tuple[str, str]]:
    rows = gm_board(fresh(encounter), fight_in(encounter)).rows
    return [(m.name, m.left) for row in rows if row.number == number for m in row.effects]


def test_the_row_says_who_has_not_noticed_whom(fight: Encounter) -> None:
    assert marks(fight, STALKER) == [("unnoticed", "by Aria")]


def test_hide_on_a_turn_rolls_stealth_and_is_a_state_against_each_enemy(
    gm_client: Client, fight: Encounter, dice: Told
) -> None:
    dice.values = [12]
    answer = press(gm_client, fight, "take-action", target=ARIA, action="hide")
    assert "Aria: Stealth 17 (d20 12), unnoticed by Stalker and Goblin" in text_of(answer)
    assert marks(fight, ARIA) == [("unnoticed", "by Stalker and Goblin")]
    pressed(gm_client, fight, "remove-effect", target=ARIA, effect=f"unnoticed:{GOBLIN}")
    assert marks(fight, ARIA) == [("unnoticed", "by Stalker")]
    assert "Goblin noticed Aria" in page_of(gm_client, fight)
    pressed(gm_client, fight, "undo")
    pressed(gm_client, fight, "remove-effect", target=ARIA, effect="unnoticed")
    assert marks(fight, ARIA) == []


def test_a_stealth_result_may_be_typed_and_is_needed_where_no_bonus_is_known(
    gm_client: Client, fight: Encounter
) -> None:
    sent = {"target": ARIA, "action": "hide"}
    pressed(gm_client, fight, "take-action", **sent, check=5)
    assert marks(fight, ARIA) == []
    pressed(gm_client, fight, "undo")
    take(fight, rules.Edit(ARIA, {"stealth_bonus": None, "dexterity": None}))
    answer = press(gm_client, fight, "take-action", **sent)
    assert answer.status_code == 422
    assert "The Stealth bonus of Aria is not known: type the result." in text_of(answer)
    assert not fight_in(fight).combatant(ARIA).action_spent


def test_to_search_rolls_perception_where_somebody_is_hidden_and_else_no_die(
    gm_client: Client, fight: Encounter, dice: Told
) -> None:
    dice.values = [12]
    answer = press(gm_client, fight, "take-action", target=ARIA, action="search")
    assert "Aria: Perception 14 (d20 12), finds Stalker" in text_of(answer)
    assert marks(fight, STALKER) == []
    # No die is left.
    pressed(gm_client, fight, "take-action", target=ARIA, action="search", cost="none")


def test_the_unnoticed_attack_with_two_dice_and_are_revealed(
    gm_client: Client, fight: Encounter, dice: Told
) -> None:
    take(fight, rules.TakeAction(GOBLIN, "hide", "none", check=20))
    dice.values = [3, 2]
    pressed(gm_client, fight, "attack", target=GOBLIN, strike="srd-5.1/goblin:0", victim=ARIA)
    assert marks(fight, GOBLIN) == []
    log = text_of(gm_client.get(f"/e/{fight.uuid}/log/"))
    assert "(d20 3, 2)" in log
    assert "Goblin: no longer unnoticed" in log


def test_players_get_the_same_whether_a_hero_is_noticed_or_not(fight: Encounter) -> None:
    def seen() -> object:
        return player_board(fresh(fight).campaign, fight_in(fight))

    take(fight, rules.SetHidden((STALKER, GOBLIN), False))
    before = seen()
    take(fight, rules.TakeAction(ARIA, "hide", "none", check=20))
    assert marks(fight, ARIA)
    assert seen() == before
