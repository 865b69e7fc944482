"""What drags is fetched when the order is approached, and the first drag works all the same."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.dragging import grip, order
from tests.browser.intercepting import wait_until
from tests.browser.tables import ARIA, BRAN, CLEO, DAIN, OGRE, running_fight

pytestmark = pytest.mark.browser

SCRIPTS = "**/drag.*.js"


class Mouse:
    """Presses, moves and lets go; how a finger does it is said below."""

    def __init__(self, page: Page) -> None:
        self._mouse = page.mouse

    def press(self, x: float, y: float) -> None:
        self._mouse.move(x, y)
        self._mouse.down()

    def move(self, x: float, y: float) -> None:
        self._mouse.move(x, y)

    def lift(self) -> None:
        self._mouse.up()


class Finger:
    def __init__(self, page: Page) -> None:
        self._hand = page.context.new_cdp_session(page)

    def press(self, x: float, y: float) -> None:
        self._touch("touchStart", x=x, y=y)

    def move(self, x: float, y: float) -> None:
        self._touch("touchMove", x=x, y=y)

    def lift(self) -> None:
        self._touch("touchEnd")

    def _touch(self, kind: str, **point: float) -> None:
        points = [point] if point else []
        self._hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def slow_board(people: People, **options: Any) -> tuple[GmBoard, list[Route]]:
    """A board that nobody has approached, and the scripts that drag, kept back."""
    held: list[Route] = []
    board = GmBoard(people.gm(**options))
    board.page.route(SCRIPTS, lambda route: held.append(route))
    board.open(running_fight())
    return board, held


@pytest.mark.parametrize("tool", [Mouse, Finger])
def test_a_press_on_a_handle_lasts_until_its_scripts_have_come(
    people: People, tool: type[Mouse] | type[Finger]
) -> None:
    board, held = slow_board(people, has_touch=tool is Finger)
    hand = tool(board.page)
    box = grip(board, DAIN).bounding_box()
    target = board.row(BRAN).bounding_box()
    assert box
    assert target
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hand.press(x, y)
    wait_until(board.page, lambda: bool(held))
    assert len(held) == 1
    held[0].continue_()
    wait_until(board.page, lambda: board.page.evaluate("!!window.Sortable"))
    for part in range(1, 11):
        hand.move(x, y + (target["y"] + target["height"] / 2 - y) * part / 10)
        board.page.evaluate("new Promise((done) => setTimeout(done, 50))")  # it looks 20 × a second
    expect(board.page.locator(".afloat")).to_be_visible()
    board.step(hand.lift)
    assert order(board) == [ARIA, DAIN, BRAN, OGRE, CLEO]


def test_scripts_come_when_it_is_approached_and_a_press_that_is_over_by_then_drags_nobody(
    people: People,
) -> None:
    board, held = slow_board(people)
    board.page.mouse.move(640, 20)
    board.press("n")
    assert held == []
    board.row(DAIN).locator(".grip").click()
    wait_until(board.page, lambda: bool(held))
    held[0].continue_()
    wait_until(board.page, lambda: board.page.evaluate("!!window.Sortable"))
    board.page.mouse.move(300, 300, steps=4)
    expect(board.page.locator(".afloat")).to_have_count(0)
    assert order(board) == [ARIA, BRAN, OGRE, CLEO, DAIN]
