"""The GM's own dice: one key, what is to be rolled, and a result that the table can read."""

import pytest
from playwright.sync_api import expect

from encounters.models import Encounter
from tests.browser.acting import Dice, GmBoard
from tests.browser.conftest import People
from tests.browser.tables import OGRE, running_fight

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


def test_d_rolls_what_is_typed_and_shows_every_die(gm: GmBoard, dice: Dice) -> None:
    dice.will_fall(6, 2, 5, 4)
    gm.press("d", *"4d6kh3+1", "Enter")
    shows(gm, "16", "6 5 4", "2")
    expect(gm.page.locator("#log li").first).to_contain_text("Rolled 4d6kh3+1: 16")


def test_keys_are_keys_again_at_once_after_a_roll(gm: GmBoard) -> None:
    before = gm.version
    for key in ("d", *"d20", "Enter", "n"):  # without waiting for the answer
        gm.page.keyboard.press(key)
    gm.is_at(before + 2)
    gm.has_turn_of("Bran")


def test_d_and_enter_roll_the_same_again_and_letters_write_over_it(gm: GmBoard, dice: Dice) -> None:
    dice.will_fall(3, 4, 5)
    gm.press("d", *"d8", "Enter")
    shows(gm, "3", "3")
    gm.press("d", "Enter")
    shows(gm, "4", "4")
    gm.press("d", *"d6", "Enter")
    shows(gm, "5", "5")
    expect(gm.page.locator("#dice-text")).to_have_value("d6")


def test_undo_takes_a_roll_from_the_table_and_redo_brings_it_back(gm: GmBoard, dice: Dice) -> None:
    dice.will_fall(3)
    gm.press("d", *"d8", "Enter")
    shows(gm, "3", "3")
    gm.press("u")
    expect(gm.page.locator("#fallen b")).to_have_count(0)
    gm.press("Shift+U")
    shows(gm, "3", "3")


def test_a_roll_is_seen_in_the_gms_other_window(gm: GmBoard, people: People, dice: Dice) -> None:
    other = GmBoard(people.gm())
    other.open(Encounter.objects.get())
    dice.will_fall(7)
    gm.press("d", *"d20", "Enter")
    shows(other, "7", "7")


def test_refused_dice_can_be_put_right_at_once(gm: GmBoard, dice: Dice) -> None:
    dice.will_fall(7)
    for key in ("d", *"d20x", "Enter"):
        gm.page.keyboard.press(key)
    expect(gm.page.locator("#dice-refusal")).to_contain_text("neither a number nor dice")
    expect(gm.page.locator("#dice-text")).to_have_value("d20x")
    expect(gm.page.locator("#dice-text")).to_be_focused()
    gm.press("Backspace", "Enter")
    shows(gm, "7", "7")
    expect(gm.page.locator("#dice-refusal")).to_be_empty()


def test_escape_leaves_the_field_and_rolls_nothing(gm: GmBoard) -> None:
    before = gm.version
    for key in ("d", "7", "Escape"):
        gm.page.keyboard.press(key)
    expect(gm.page.locator("#dice-text")).not_to_be_focused()
    gm.press("n")
    assert gm.version == before + 1


def test_d_unfolds_the_turn_to_reach_the_dice(gm: GmBoard) -> None:
    gm.page.locator("#turn > summary").click()
    expect(gm.page.locator("#dice-text")).to_be_hidden()
    gm.page.keyboard.press("d")
    expect(gm.page.locator("#dice-text")).to_be_focused()


def test_another_key_can_be_chosen_for_dice(gm: GmBoard) -> None:
    gm.page.locator("#keys-button").click()
    gm.page.locator("#key-dice").click()
    gm.page.keyboard.press("x")
    gm.page.keyboard.press("Escape")
    expect(gm.page.locator("#dice kbd")).to_have_text("x")
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


@pytest.mark.parametrize(
    ("typed", "left"), [("2d6+3", "38/59"), ("-8", "42/59"), ("+5", "55/59"), ("4d6kh3", "38/59")]
)
def test_the_field_for_hit_points_takes_dice_and_signs(
    gm: GmBoard, dice: Dice, typed: str, left: str
) -> None:
    dice.will_fall(*[5, 4, 3, 2][: int(typed[0]) if typed[0].isdigit() else 0])
    gm.select(OGRE)
    gm.press("t", "9", "Enter")
    gm.press("t", *typed, "Enter")
    gm.has_hp(OGRE, left)
