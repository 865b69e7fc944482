"""What a page fetches only as it is about to be used is there once it is."""

import pytest
from playwright.sync_api import expect

from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.tables import running_fight

pytestmark = pytest.mark.browser


def test_a_fight_that_has_not_begun_again_looks_like_one(people: People) -> None:
    board = GmBoard(people.gm())
    board.open(running_fight())
    sheet = board.page.locator("link[data-part-of=opening]").first
    expect(sheet).to_have_js_property("disabled", True)
    board.click("#undo button")
    expect(board.page.locator(".opening")).to_have_css("display", "grid")
