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
from tests.sizes import cases

pytestmark = pytest.mark.browser

GOBLINS = (5, 6, 7)


@pytest.fixture
def gm(people: People) -> GmBoard:
    """A fight in its first round: Aria, Bran, the hidden ogre, Cleo, Dain."""
    return opened(people, running_fight())


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


def test_clicks_add_rows_with_control_or_command_and_all_between_with_shift(gm: GmBoard) -> None:
    click(gm, CLEO)
    click(gm, BRAN, "Control")
    click(gm, DAIN, "Meta")
    has_selected(gm, BRAN, CLEO, DAIN)
    click(gm, CLEO, "Meta")
    has_selected(gm, BRAN, DAIN)
    click(gm, DAIN, "Control")
    has_selected(gm, BRAN)
    click(gm, BRAN, "Control")  # one row stays selected
    has_selected(gm, BRAN)
    click(gm, CLEO)
    has_selected(gm, CLEO)
    click(gm, BRAN, "Shift")
    has_selected(gm, BRAN, OGRE, CLEO)
    click(gm, DAIN, "Shift")  # from the same row in the other direction
    has_selected(gm, CLEO, DAIN)


def test_the_strip_stays_where_it_is_and_says_how_many_are_selected(gm: GmBoard) -> None:
    count, edit = gm.page.locator("#count"), gm.page.locator("#edit")
    click(gm, OGRE)
    expect(count).to_be_hidden()
    expect(edit).to_be_visible()
    expect(gm.page.locator("#several")).to_be_hidden()  # a switch for taps
    gm.page.locator("#amount").fill("2d6")
    gm.page.locator("#amount").focus()
    gm.page.keyboard.press("Escape")
    click(gm, CLEO, "Control")
    expect(count).to_have_text("2 selected")
    expect(count).to_be_visible()
    expect(edit).to_be_hidden()
    expect(gm.page.locator("#hide")).to_be_visible()  # Cleo is shown,
    expect(gm.page.locator("#show")).to_be_visible()  # the ogre hidden
    click(gm, ARIA, "Control")
    expect(gm.row(OGRE).locator("xpath=following-sibling::*[1]")).to_have_id("strip")
    expect(gm.page.locator("#amount")).to_have_value("2d6")
    click(gm, OGRE, "Control")
    expect(gm.row(CLEO).locator("xpath=following-sibling::*[1]")).to_have_id("strip")


def test_space_adds_rows_and_escape_leaves_one_but_a_button_is_pressed(gm: GmBoard) -> None:
    gm.page.locator("#next button").focus()
    gm.press(" ")
    gm.has_turn_of("Bran")
    expect(gm.page.locator("#selected")).to_have_value("")
    gm.page.locator("#next button").blur()
    gm.press("u")
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


# RW-S41: what was typed for one who is gone hurts nobody else
def test_those_who_are_left_stay_selected_and_what_was_typed_goes_with_the_last(
    gm: GmBoard,
) -> None:
    fight = Encounter.objects.get()
    click(gm, OGRE)
    click(gm, DAIN, "Control")
    gm.page.locator("#amount").fill("12")
    before = gm.version
    step(fight, "reorder", rules.Reorder(DAIN, ARIA))
    gm.is_at(before + 1)
    has_selected(gm, DAIN, OGRE)
    expect(gm.page.locator("#amount")).to_have_value("12")
    step(fight, "leave", rules.Leave((DAIN,)))
    gm.is_at(before + 2)
    has_selected(gm, OGRE)
    expect(gm.page.locator("#amount")).to_have_value("12")
    expect(gm.page.locator("#notice")).to_be_empty()
    step(fight, "leave", rules.Leave((OGRE,)))
    gm.is_at(before + 3)
    expect(gm.page.locator("#notice")).to_contain_text("Ogre")
    click(gm, CLEO)
    expect(gm.page.locator("#amount")).to_have_value("")


def test_all_of_a_group_are_taken_by_one_control_hurt_shown_moved_and_removed(
    people: People,
) -> None:
    """Aria, Bran, three goblins who share a place, Cleo, Dain."""
    group = opened(people, running_fight(goblin=3))
    control, hidden = (
        group.page.locator(f"#order {a}") for a in ("[data-all]", "[href='#i-hidden']")
    )
    expect(control).to_have_count(1)
    click(group, CLEO)
    control.click(modifiers=["Control"])
    has_selected(group, *GOBLINS, CLEO)
    control.click()
    has_selected(group, *GOBLINS)
    group.press("t", "3", "Enter")
    for number in GOBLINS:
        group.has_hp(number, "4/7")
    has_selected(group, *GOBLINS)
    group.press("u")  # all of it was one step
    for number in GOBLINS:
        group.has_hp(number, "7/7")
    expect(hidden).to_have_count(3)
    group.press("h")
    expect(hidden).to_have_count(0)
    has_selected(group, *GOBLINS)
    group.press("Alt+j")
    assert numbers_of(group, "#order .row") == [ARIA, BRAN, CLEO, *GOBLINS, DAIN]
    has_selected(group, *GOBLINS)
    group.press("Delete")
    assert numbers_of(group, "#order .row") == [ARIA, BRAN, CLEO, DAIN]


def test_an_address_selects_those_whom_it_names(people: People) -> None:
    fight = running_fight(goblin=3)
    board = GmBoard(people.gm())
    nobody = cases("99", "x,6", full=["", "5,99"])
    for selected in (*nobody, "5,6,7"):
        board.page.goto(f"/e/{fight.uuid}/?selected={selected}")
        board.is_ready()
        expect(board.page.locator("#order .row"), selected).to_have_count(7)
        if selected in nobody:
            click(board, CLEO)
            has_selected(board, CLEO)
    has_selected(board, *GOBLINS)
    expect(board.page.locator("#count")).to_have_text("3 selected")
