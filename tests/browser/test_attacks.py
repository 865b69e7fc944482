"""Attacks in the turn panel: one tap rolls, and takes the hit points of whom it hits."""

import pytest
from playwright.sync_api import expect

import rules
from tests.browser.acting import Dice, GmBoard
from tests.browser.conftest import People
from tests.browser.tables import ARIA, OGRE, running_fight, step

pytestmark = pytest.mark.browser


@pytest.fixture
def ogres_turn(people: People) -> GmBoard:
    """The GM's board with the ogre's turn on it: a greatclub +6, 2d8+4; Aria has AC 15."""
    fight = running_fight()
    step(fight, "give-turn", rules.GiveTurn(OGRE))
    board = GmBoard(people.gm())
    board.open(fight)
    return board


def club(board: GmBoard) -> None:
    board.step(board.page.locator(".strike", has_text="Greatclub").click)


def test_a_tap_on_an_attack_takes_the_hit_points_of_whom_it_hits(
    ogres_turn: GmBoard, dice: Dice
) -> None:
    ogres_turn.page.locator("#attack-at").select_option(str(ARIA))
    dice.will_fall(12, 3, 5)
    club(ogres_turn)
    expect(ogres_turn.row(ARIA).locator(".hp")).to_contain_text("12/24")
    expect(ogres_turn.page.locator("#fallen")).to_contain_text("hits: 12 bludgeoning")
    expect(ogres_turn.page.locator("#attack-at")).to_have_value(str(ARIA))
    dice.will_fall(20, 1, 1, 1, 1)
    club(ogres_turn)
    expect(ogres_turn.row(ARIA).locator(".hp")).to_contain_text("4/24")
    ogres_turn.press("u")
    expect(ogres_turn.row(ARIA).locator(".hp")).to_contain_text("12/24")


def test_a_roll_at_nobody_is_applied_by_another_tap_and_once(
    ogres_turn: GmBoard, dice: Dice
) -> None:
    dice.will_fall(12, 3, 5)
    club(ogres_turn)
    expect(ogres_turn.row(ARIA).locator(".hp")).to_contain_text("24/24")
    ogres_turn.page.locator("#apply-to").select_option(str(ARIA))
    ogres_turn.click("#apply button")
    expect(ogres_turn.row(ARIA).locator(".hp")).to_contain_text("12/24")
    expect(ogres_turn.page.locator("#apply")).to_have_count(0)
