"""The GM's own dice: one key, what is to be rolled, and a result that the table can read."""

import pytest
from playwright.sync_api import expect

import rules
from encounters.models import Encounter
from tests.browser.acting import Dice, GmBoard
from tests.browser.conftest import People
from tests.browser.tables import OGRE, running_fight, step

pytestmark = pytest.mark.browser


@pytest.fixture
def gm(people: People) -> GmBoard:
    board = GmBoard(people.gm())
    board.open(running_fight())
    board.has_turn_of("Aria")
    return board


def shows(gm: GmBoard, total: str, kept: str, dropped: str = "") -> None:
    fallen = gm.page.locator("#fallen")
    expect(fallen.locator("b")).to_have_text(total)
    expect(fallen.locator(".each span")).to_have_text(kept.split())
    expect(fallen.locator("del")).to_have_text(dropped.split())


def test_d_rolls_what_is_typed_shows_every_die_and_enter_alone_rolls_it_again(
    gm: GmBoard, dice: Dice
) -> None:
    dice.will_fall(6, 2, 5, 4, 3, 3, 3, 1, 5)
    gm.press("d", *"4d6kh3+1", "Enter")
    shows(gm, "16", "6 5 4", "2")
    expect(gm.page.locator("#log li").first).to_contain_text("Rolled 4d6kh3+1: 16")
    gm.press("d", "Enter")
    shows(gm, "10", "3 3 3", "1")
    gm.press("d", *"d6", "Enter")  # letters write over it
    shows(gm, "5", "5")
    expect(gm.page.locator("#dice-text")).to_have_value("d6")


def test_undo_takes_a_roll_of_another_window_from_the_table_and_redo_brings_it_back(
    gm: GmBoard,
) -> None:
    step(Encounter.objects.get(), "roll-dice", rules.RollDice("d20", (7,), 7))
    shows(gm, "7", "7")
    gm.press("u")
    expect(gm.page.locator("#fallen b")).to_have_count(0)
    gm.press("Shift+U")
    shows(gm, "7", "7")


def test_refused_dice_are_put_right_at_once_and_keys_are_keys_again_after_them(
    gm: GmBoard, dice: Dice
) -> None:
    dice.will_fall(7)
    field = gm.page.locator("#dice-text")
    for key in ("d", *"d20x", "Enter"):
        gm.page.keyboard.press(key)
    expect(gm.page.locator("#dice-refusal")).to_contain_text("neither a number nor dice")
    expect(field).to_have_value("d20x")
    expect(field).to_be_focused()
    gm.press("Backspace", "Enter")
    shows(gm, "7", "7")
    expect(gm.page.locator("#dice-refusal")).to_be_empty()
    before = gm.version
    for key in ("d", *"d20", "Enter", "n"):  # without waiting for the answer
        gm.page.keyboard.press(key)
    gm.is_at(before + 2)
    gm.has_turn_of("Bran")
    for key in ("d", "7", "Escape"):  # and nothing is rolled
        gm.page.keyboard.press(key)
    expect(field).not_to_be_focused()
    gm.press("n")
    gm.has_turn_of("Ogre")
    assert gm.version == before + 3


def test_another_key_can_be_chosen_for_dice_and_unfolds_the_turn_to_reach_them(
    gm: GmBoard,
) -> None:
    gm.page.locator("#keys-button").click()
    gm.page.locator("#key-dice").click()
    gm.page.keyboard.press("x")
    gm.page.keyboard.press("Escape")
    expect(gm.page.locator("#dice kbd")).to_have_text("x")
    gm.page.locator("#turn > summary").click()
    expect(gm.page.locator("#dice-text")).to_be_hidden()
    gm.page.keyboard.press("x")
    expect(gm.page.locator("#dice-text")).to_be_focused()


def test_without_scripts_dice_are_rolled_and_refused_all_the_same(
    people: People, dice: Dice
) -> None:
    page = people.gm(java_script_enabled=False)
    page.goto(f"/e/{running_fight().uuid}/")
    page.fill("#dice-text", "d20x")
    page.click("#dice .button")
    expect(page.locator("#dice-refusal")).to_contain_text("neither a number nor dice")
    expect(page.locator("#dice-text")).to_have_value("d20x")
    dice.will_fall(7)
    page.fill("#dice-text", "d20")
    page.click("#dice .button")
    expect(page.locator("#fallen b")).to_have_text("7")


def test_the_field_for_hit_points_takes_dice_and_signs(gm: GmBoard, dice: Dice) -> None:
    dice.will_fall(5, 4, 5, 4, 3, 2)
    gm.select(OGRE)
    for typed, left in (("2d6+3", 47), ("-8", 39), ("+5", 44), ("4d6kh3", 32)):
        gm.press("t", *typed, "Enter")
        gm.has_hp(OGRE, f"{left}/59")
