"""Attacks in the turn panel: one tap rolls, and takes the hit points of whom it hits."""

import pytest
from playwright.sync_api import expect

import rules
from tests.browser.acting import Dice, GmBoard
from tests.browser.conftest import People
from tests.browser.tables import ARIA, BRAN, OGRE, running_fight, step

pytestmark = pytest.mark.browser


def club(board: GmBoard) -> None:
    board.step(board.page.locator(".strike", has_text="Greatclub").click)


def test_a_tap_on_an_attack_takes_the_hit_points_of_whom_it_hits_and_at_nobody_another_tap_once(
    people: People, dice: Dice
) -> None:
    """An ogre's greatclub: +6, 2d8+4; Aria and Bran have AC 15."""
    fight = running_fight()
    step(fight, "give-turn", rules.GiveTurn(OGRE))
    board = GmBoard(people.gm())
    board.open(fight)
    at = board.page.locator("#attack-at")
    at.select_option(str(ARIA))
    dice.will_fall(12, 3, 5)
    club(board)
    expect(board.row(ARIA).locator(".hp")).to_contain_text("12/24")
    expect(board.page.locator("#fallen")).to_contain_text("hits: 12 bludgeoning")
    expect(at).to_have_value(str(ARIA))
    dice.will_fall(20, 1, 1, 1, 1)
    club(board)
    expect(board.row(ARIA).locator(".hp")).to_contain_text("4/24")
    board.press("u")
    expect(board.row(ARIA).locator(".hp")).to_contain_text("12/24")

    at.select_option("")
    dice.will_fall(12, 3, 5)
    club(board)
    expect(board.row(BRAN).locator(".hp")).to_contain_text("20/20")
    board.page.locator("#apply-to").select_option(str(BRAN))
    board.click("#apply button")
    expect(board.row(BRAN).locator(".hp")).to_contain_text("8/20")
    expect(board.row(ARIA).locator(".hp")).to_contain_text("12/24")
    expect(board.page.locator("#apply")).to_have_count(0)
