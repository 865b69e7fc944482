"""Fingers on a tablet and a phone: menus open inside the screen, targets are large enough."""

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from encounters.models import Encounter
from tests.browser.acting import GmBoard
from tests.browser.barriers import overflow
from tests.browser.conftest import People
from tests.browser.tables import BRAN, running_fight
from tests.sizes import cases

pytestmark = pytest.mark.browser

PHONE, TABLET = {"width": 360, "height": 780}, {"width": 768, "height": 1024}
SMALL = pytest.mark.parametrize("size", cases(PHONE, full=[TABLET]), ids=lambda size: size["width"])
MENUS = ("conditions", "place")


def opened(people: People, fight: Encounter, size: dict[str, int]) -> GmBoard:
    options: dict[str, Any] = {"viewport": size, "has_touch": True, "is_mobile": True}
    board = GmBoard(people.gm(**options))
    board.open(fight)
    return board


def edges(part: Locator) -> dict[str, float]:
    """Where it can be pressed: what is ticked can be pressed on its words, too."""
    found: dict[str, float] = part.evaluate(
        """(part) => {
            const words = part.matches("[type=checkbox], [type=radio]") && part.closest("label");
            return (words || part).getBoundingClientRect().toJSON();
        }"""
    )
    return found


def opened_menu(board: GmBoard, menu: str) -> list[Locator]:
    """Open a menu of the selected row, and find all that can be pressed in it."""
    part = board.page.locator(f"#{menu}")
    part.locator("summary").first.tap()
    found = part.locator(":is(button:not(.hush), summary, select, input):visible").all()
    assert len(found) > 2
    return found


# RW-S39: on a touch screen the menus of a row open inside the screen, and what they hold is large
# enough for a finger
@SMALL
def test_menus_of_a_row_open_inside_the_screen_with_room_for_fingers(
    people: People, size: dict[str, int]
) -> None:
    board = opened(people, running_fight(goblin=15, ogre=1), size)
    board.row(BRAN).locator(".name").tap()
    for menu in MENUS:
        for control in opened_menu(board, menu):
            control.scroll_into_view_if_needed()
            box = edges(control)
            assert box["left"] >= 0, (menu, box)
            assert box["right"] <= size["width"], (menu, box)
            assert box["top"] >= 0, (menu, box)
            assert box["bottom"] <= size["height"], (menu, box)
            least = min(box["width"], box["height"])
            assert least >= 44, (menu, control.evaluate("(part) => part.outerHTML"), box)
        assert overflow(board.page) == 0, menu
        board.page.locator(f"#{menu} summary").first.tap()


# RW-S39: a condition is put on and a move is made without dragging; each is one undo away
@SMALL
def test_a_condition_and_a_move_by_taps_are_each_one_undo_away(
    people: People, size: dict[str, int]
) -> None:
    board = opened(people, running_fight(goblin=15, ogre=1), size)
    page = board.page
    rows = page.locator("#order .row")
    places = rows.evaluate_all("(rows) => rows.map((row) => row.id)")
    board.row(BRAN).locator(".name").tap()
    board.step(page.locator("#strip [name=move][value=down]").tap)
    assert rows.evaluate_all("(rows) => rows.map((row) => row.id)") != places
    board.step(page.locator("#undo button").tap)
    assert rows.evaluate_all("(rows) => rows.map((row) => row.id)") == places
    page.locator("#conditions > summary").tap()
    board.step(page.locator("#effects button[name=effect][value=poisoned]").tap)
    expect(board.row(BRAN).locator(".effect")).to_have_text("poisoned")
    board.step(page.locator("#undo button").tap)
    expect(board.row(BRAN).locator(".effect")).to_have_count(0)
