"""Selecting rows: one, several, a range, a group; by mouse, by keys and by finger."""

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

import rules
from encounters.models import Encounter
from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.tables import ARIA, BRAN, CLEO, DAIN, OGRE, running_fight, step

pytestmark = pytest.mark.browser

GOBLINS = (5, 6, 7)


@pytest.fixture
def gm(people: People) -> GmBoard:
    """A fight in its first round: Aria, Bran, the hidden ogre, Cleo, Dain."""
    return opened(people, running_fight())


@pytest.fixture
def group(people: People) -> GmBoard:
    """Aria, Bran, three goblins who share a place, Cleo, Dain."""
    return opened(people, running_fight(goblin=3))


def opened(people: People, fight: Encounter, **options: Any) -> GmBoard:
    board = GmBoard(people.gm(**options))
    board.open(fight)
    return board


def click(board: GmBoard, number: int, *keys: Any) -> None:
    board.row(number).click(position={"x": 80, "y": 4}, modifiers=list(keys))


def has_selected(board: GmBoard, *numbers: int) -> None:
    """These rows, in the order of the page: to the eye, and in what is sent."""
    text = ",".join(map(str, numbers))
    for field in ("#selected", "#strip-form [name=target]", "#strip-form [name=selected]"):
        expect(board.page.locator(field)).to_have_value(text)
    shown = board.page.locator("#order .row.selected")
    expect(shown).to_have_count(len(numbers))
    assert numbers_of(board, "#order .row.selected") == list(numbers)


def numbers_of(board: GmBoard, selector: str) -> Sequence[int]:
    rows = board.page.locator(selector).all()
    return [int(row.get_attribute("data-number") or 0) for row in rows]


@pytest.mark.parametrize("key", ["Control", "Meta"])
def test_a_click_with_control_or_command_adds_a_row_and_takes_it_away(
    gm: GmBoard, key: str
) -> None:
    click(gm, CLEO)
    click(gm, BRAN, key)
    click(gm, DAIN, key)
    has_selected(gm, BRAN, CLEO, DAIN)
    click(gm, CLEO, key)
    has_selected(gm, BRAN, DAIN)
    click(gm, ARIA)
    has_selected(gm, ARIA)


def test_one_row_stays_selected(gm: GmBoard) -> None:
    click(gm, CLEO)
    click(gm, CLEO, "Control")
    has_selected(gm, CLEO)


def test_a_click_with_shift_takes_all_rows_between(gm: GmBoard) -> None:
    click(gm, CLEO)
    click(gm, BRAN, "Shift")
    has_selected(gm, BRAN, OGRE, CLEO)
    click(gm, DAIN, "Shift")  # from the same row in the other direction
    has_selected(gm, CLEO, DAIN)


def test_one_control_takes_all_of_a_group(group: GmBoard) -> None:
    control = group.page.locator("#order [data-all]")
    expect(control).to_have_count(1)
    control.click()
    has_selected(group, *GOBLINS)
    click(group, CLEO)
    control.click(modifiers=["Control"])
    has_selected(group, *GOBLINS, CLEO)


def test_the_strip_stays_where_it_is_while_rows_are_added(gm: GmBoard) -> None:
    click(gm, OGRE)
    gm.page.locator("#amount").fill("2d6")
    gm.page.locator("#amount").focus()
    gm.page.keyboard.press("Escape")
    for number in (ARIA, DAIN):
        click(gm, number, "Control")
    expect(gm.row(OGRE).locator("xpath=following-sibling::*[1]")).to_have_id("strip")
    expect(gm.page.locator("#amount")).to_have_value("2d6")
    click(gm, OGRE, "Control")
    expect(gm.row(DAIN).locator("xpath=following-sibling::*[1]")).to_have_id("strip")


def test_the_strip_says_how_many_and_hides_what_is_for_one(gm: GmBoard) -> None:
    count, edit = gm.page.locator("#count"), gm.page.locator("#edit")
    click(gm, OGRE)
    expect(count).to_be_hidden()
    expect(edit).to_be_visible()
    click(gm, CLEO, "Control")
    expect(count).to_have_text("2 selected")
    expect(count).to_be_visible()
    expect(edit).to_be_hidden()
    expect(gm.page.locator("#hide")).to_be_visible()  # Cleo is shown,
    expect(gm.page.locator("#show")).to_be_visible()  # the ogre hidden


def test_space_adds_rows_and_escape_leaves_one(gm: GmBoard) -> None:
    gm.page.keyboard.press("j")
    has_selected(gm, ARIA)
    for key in (" ", "j", "j", " "):
        gm.page.keyboard.press(key)
    has_selected(gm, ARIA, OGRE)
    expect(gm.page.locator(".row.cursor")).to_have_id(f"c{OGRE}")
    gm.page.keyboard.press(" ")
    has_selected(gm, ARIA)
    for key in ("j", " "):
        gm.page.keyboard.press(key)
    has_selected(gm, ARIA, CLEO)
    gm.page.keyboard.press("Escape")
    has_selected(gm, CLEO)
    expect(gm.page.locator(".row.cursor")).to_have_count(0)
    gm.page.keyboard.press("k")  # and rows are chosen one by one again
    has_selected(gm, OGRE)


def test_space_on_a_button_presses_it_and_selects_nobody(gm: GmBoard) -> None:
    gm.page.locator("#next button").focus()
    gm.press(" ")
    gm.has_turn_of("Bran")
    expect(gm.page.locator("#selected")).to_have_value("")


def test_taps_add_rows_while_several_is_on(people: People) -> None:
    size = {"width": 768, "height": 1024}
    board = opened(people, running_fight(), viewport=size, has_touch=True, is_mobile=True)
    several = board.page.locator("#several")
    board.row(OGRE).locator(".name").tap()
    has_selected(board, OGRE)
    expect(several).to_have_attribute("aria-pressed", "false")
    several.tap()
    expect(several).to_have_attribute("aria-pressed", "true")
    board.row(BRAN).locator(".name").tap()
    board.row(CLEO).locator(".name").tap()
    has_selected(board, BRAN, OGRE, CLEO)
    board.row(OGRE).locator(".name").tap()
    has_selected(board, BRAN, CLEO)
    several.tap()
    has_selected(board, CLEO)


def test_who_has_a_mouse_sees_no_switch_for_taps(gm: GmBoard) -> None:
    click(gm, OGRE)
    expect(gm.page.locator("#several")).to_be_hidden()


def test_several_stay_selected_when_another_window_moves_them(gm: GmBoard) -> None:
    click(gm, OGRE)
    click(gm, DAIN, "Control")
    gm.page.locator("#amount").fill("12")
    before = gm.version
    step(Encounter.objects.get(), "reorder", rules.Reorder(DAIN, ARIA))
    gm.is_at(before + 1)
    has_selected(gm, DAIN, OGRE)
    expect(gm.page.locator("#amount")).to_have_value("12")


# RW-S41: what was typed for one who is gone hurts nobody else
def test_what_was_typed_for_one_who_is_gone_hurts_nobody_else(gm: GmBoard) -> None:
    click(gm, OGRE)
    gm.page.locator("#amount").fill("12")
    before = gm.version
    step(Encounter.objects.get(), "leave", rules.Leave((OGRE,)))
    gm.is_at(before + 1)
    expect(gm.page.locator("#notice")).to_contain_text("Ogre")
    click(gm, CLEO)
    expect(gm.page.locator("#amount")).to_have_value("")


def test_of_several_those_who_are_left_stay_selected(gm: GmBoard) -> None:
    click(gm, OGRE)
    click(gm, CLEO, "Control")
    gm.page.locator("#amount").fill("12")
    before = gm.version
    step(Encounter.objects.get(), "leave", rules.Leave((OGRE,)))
    gm.is_at(before + 1)
    has_selected(gm, CLEO)
    expect(gm.page.locator("#amount")).to_have_value("12")
    expect(gm.page.locator("#notice")).to_be_empty()


def test_damage_to_several_is_one_step(group: GmBoard) -> None:
    group.page.locator("#order [data-all]").click()
    group.press("t", "3", "Enter")
    for number in GOBLINS:
        group.has_hp(number, "4/7")
    has_selected(group, *GOBLINS)
    group.press("u")
    for number in GOBLINS:
        group.has_hp(number, "7/7")


def test_h_shows_several_at_once(group: GmBoard) -> None:
    hidden = group.page.locator("#order [href='#i-hidden']")
    expect(hidden).to_have_count(3)
    group.page.locator("#order [data-all]").click()
    group.press("h")
    expect(hidden).to_have_count(0)
    has_selected(group, *GOBLINS)


def test_delete_removes_several_at_once(group: GmBoard) -> None:
    group.page.locator("#order [data-all]").click()
    group.press("Delete")
    assert numbers_of(group, "#order .row") == [ARIA, BRAN, CLEO, DAIN]


def test_alt_j_moves_a_whole_group(group: GmBoard) -> None:
    group.page.locator("#order [data-all]").click()
    group.press("Alt+j")
    assert numbers_of(group, "#order .row") == [ARIA, BRAN, CLEO, *GOBLINS, DAIN]
    has_selected(group, *GOBLINS)


def test_an_address_selects_several(group: GmBoard) -> None:
    group.page.goto(f"/e/{Encounter.objects.get().uuid}/?selected=5,6,7")
    group.is_ready()
    has_selected(group, *GOBLINS)
    expect(group.page.locator("#count")).to_have_text("3 selected")


def test_an_address_that_names_nobody_selects_who_is_there(group: GmBoard) -> None:
    for selected in ("", "99", "5,99", "x,6"):
        group.page.goto(f"/e/{Encounter.objects.get().uuid}/?selected={selected}")
        group.is_ready()
        expect(group.page.locator("#order .row"), selected).to_have_count(7)
        click(group, CLEO)
        has_selected(group, CLEO)
