"""A hand that drags places of the order by their handles."""

import time

from playwright.sync_api import Locator, Page, expect

from tests.browser.acting import GmBoard
from tests.processes import HANG


def can_drag(page: Page) -> None:
    """Approach the order and wait for the library that drags."""
    page.locator("#order .row").first.hover()
    until = time.monotonic() + HANG
    while not page.evaluate("!!window.Sortable?.get(document.getElementById('order'))"):
        assert time.monotonic() < until, "the library that drags does not come"


def order(board: GmBoard) -> list[int]:
    rows = board.page.locator("#order .row").all()
    return [int(row.get_attribute("data-number") or 0) for row in rows]


def grip(board: GmBoard, number: int) -> Locator:
    return board.row(number).locator(".grip")


def lift(board: GmBoard, number: int) -> None:
    """Take a place by its handle, and let it hang over itself."""
    rows_are_at_rest(board)
    box = grip(board, number).bounding_box()
    assert box
    board.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    board.page.mouse.down()
    board.page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2 + 6, steps=3)
    expect(board.page.locator(".afloat")).to_be_visible()


def carry(board: GmBoard, number: int, part: float) -> None:
    """Hold it over a row: over its upper edge at 0, its lower at 1."""
    box = board.row(number).bounding_box()
    assert box
    x, y = box["x"] + 30, box["y"] + box["height"] * part
    for right in (0, 1):  # rows that glide out of the way are not asked again until it moves
        board.page.mouse.move(x + right, y, steps=6)
        the_library_has_looked(board)
        rows_are_at_rest(board)


def the_library_has_looked(board: GmBoard) -> None:
    """Wait until it has seen where the pointer is: it looks 20 times a second, not at each move."""
    board.page.evaluate("new Promise((done) => setTimeout(done, 50))")


def rows_are_at_rest(board: GmBoard) -> None:
    """Wait until none glides any more."""
    board.page.evaluate(
        """Promise.allSettled(
            document.getElementById("order").getAnimations({ subtree: true }).map((a) => a.finished)
        )"""
    )


def drag(board: GmBoard, number: int, over: int, part: float = 0.5) -> None:
    lift(board, number)
    carry(board, over, part)
    board.step(board.page.mouse.up)
