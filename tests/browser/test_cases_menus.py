"""Fingers on a tablet and a phone: menus open inside the screen, targets are large enough."""

from typing import Any

import pytest
from playwright.sync_api import expect

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


# Where it can be pressed: what is ticked can be pressed on its words, too
PLACES = """(controls) => controls.map((control) => {
    const words = control.matches("[type=checkbox], [type=radio]") && control.closest("label");
    control.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    return [control.outerHTML, (words || control).getBoundingClientRect().toJSON()];
})"""


def opened_menu(board: GmBoard, menu: str) -> list[tuple[str, dict[str, float]]]:
    """Open a menu of the selected row; all that can be pressed in it, scrolled into sight."""
    part = board.page.locator(f"#{menu}")
    part.locator("summary").first.tap()
    controls = part.locator(":is(button:not(.hush), summary, select, input):visible")
    expect(controls.nth(2)).to_be_visible()
    found: list[tuple[str, dict[str, float]]] = controls.evaluate_all(PLACES)
    return found


# RW-S39: on a touch screen the menus of a row open inside the screen, and what they hold is large
# enough for a finger; a condition is put on and a move is made without dragging, each one undo away
@SMALL
def test_menus_of_a_row_open_inside_the_screen_with_room_for_fingers_whose_taps_are_one_undo_away(
    people: People, size: dict[str, int]
) -> None:
    board = opened(people, running_fight(goblin=15, ogre=1), size)
    page = board.page
    board.row(BRAN).locator(".name").tap()
    for menu in MENUS:
        for control, box in opened_menu(board, menu):
            assert box["left"] >= 0, (menu, control, box)
            assert box["right"] <= size["width"], (menu, control, box)
            assert box["top"] >= 0, (menu, control, box)
            assert box["bottom"] <= size["height"], (menu, control, box)
            assert min(box["width"], box["height"]) >= 44, (menu, control, box)
        assert overflow(page) == 0, menu
        page.locator(f"#{menu} summary").first.tap()

    rows = page.locator("#order .row")
    places = rows.evaluate_all("(rows) => rows.map((row) => row.id)")
    board.step(page.locator("#strip [name=move][value=down]").tap)
    assert rows.evaluate_all("(rows) => rows.map((row) => row.id)") != places
    board.step(page.locator("#undo button").tap)
    assert rows.evaluate_all("(rows) => rows.map((row) => row.id)") == places
    page.locator("#conditions > summary").tap()
    board.step(page.locator("#effects button[name=effect][value=poisoned]").tap)
    expect(board.row(BRAN).locator(".effect")).to_have_text("poisoned")
    board.step(page.locator("#undo button").tap)
    expect(board.row(BRAN).locator(".effect")).to_have_count(0)
