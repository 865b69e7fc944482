"""Nothing is wider than its window, whatever the names, and whatever is open."""

import pytest
from playwright.sync_api import Page, expect

import rules
from tests.browser.acting import GmBoard
from tests.browser.barriers import overflow, unfold
from tests.browser.conftest import People
from tests.browser.tables import (
    BRAN,
    CLEO,
    OGRE,
    TOTALS,
    campaign_with_long_names,
    player_path,
    prepared_fight,
    running_fight,
    step,
)
from tests.sizes import cases

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 780}
NARROW = cases(360, 768, full=[390])  # pixels


# RW-S39: nothing scrolls sideways
@pytest.mark.parametrize("language", cases("fr", full=["en"]))  # its words are the longer ones
def test_no_part_of_a_fight_scrolls_sideways(people: People, language: str) -> None:
    fight = prepared_fight(campaign_with_long_names())
    board = GmBoard(people.gm(language, viewport=PHONE, is_mobile=True, has_touch=True))
    board.open(fight)
    told = board.page.locator(".difficulty .unknown").first
    expect(told).to_contain_text("Llanfair")  # without spaces; it is broken
    assert told.evaluate("(told) => told.scrollWidth <= told.clientWidth")
    fits_with_selected(board)
    step(fight, "open-fight", rules.OpenFight())
    step(fight, "hide", rules.Hide({OGRE: 14}))
    board.open(fight)
    fits_with_selected(board)
    step(fight, "start-fight", rules.StartFight(totals=TOTALS, accept_empty=True))
    expect(board.page.locator("#turn")).to_be_visible()
    for over_the_order in "#turn", "#log":
        expect(board.page.locator(over_the_order)).to_have_js_property("open", False)
    board.open(fight)
    fits_with_selected(board)
    step(fight, "end-fight", rules.EndFight())
    board.open(fight)
    fits_with_selected(board)


def fits_with_selected(board: GmBoard) -> None:
    """With no row, one row, and two; and with all that is folded open."""
    fits(board.page)
    board.row(CLEO).locator(".name").click()
    board.has_selected(CLEO)
    fits(board.page)
    board.row(BRAN).locator(".name").click(modifiers=["Control"])
    expect(board.page.locator("#selected")).to_have_value(f"{BRAN},{CLEO}")
    fits(board.page)
    unfold(board.page)
    fits(board.page)


def test_no_other_page_scrolls_sideways(people: People) -> None:
    campaign = campaign_with_long_names()
    fight = running_fight(campaign)
    page = people.gm(viewport=PHONE, is_mobile=True, has_touch=True)
    own = f"/c/{campaign.uuid}/"
    for address in ("/", "/about/", own, f"/e/{fight.uuid}/combatant/2/", player_path(campaign)):
        page.goto(address)
        fits(page)


def fits(page: Page) -> None:
    for width in NARROW:
        page.set_viewport_size({"width": width, "height": 780})
        assert overflow(page) == 0, (page.url, width)
