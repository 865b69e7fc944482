"""One browser with many tabs, at a server started as the quick start says: plain HTTP/1.1."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.intercepting import wait_until
from tests.browser.lines import COUNT_STREAMS
from tests.browser.tables import player_path, running_fight
from tests.config.test_start import started
from tests.encounters.streaming import until
from tests.processes import clean_environment
from tests.sizes import cases

pytestmark = pytest.mark.browser

PLAYERS = 7
HUNG = 10_000.0  # milliseconds after which a page is given up


@pytest.fixture
def laptop(browser: Browser, tmp_path: Path) -> Iterator[tuple[BrowserContext, str]]:
    """The GM's own browser beside a server just started, and its way in."""
    environment = clean_environment(QUI_VIVE_DATA=str(tmp_path / "data"), CI="1")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with started(environment, "--port", str(port)) as (_said, found, entry):
        context = browser.new_context(base_url=f"http://127.0.0.1:{found}", locale="en")
        yield context, entry
        context.close()


def quick_fight(page: Page, entry: str) -> tuple[GmBoard, str]:
    """A fight in its first round, and the address of its players' page."""
    page.goto(entry)
    page.locator("main form button[type=submit]").click()
    page.locator("form[action='/quick-fight/'] button").click()
    board = GmBoard(page)
    board.is_ready()
    page.locator("#add-text").fill("goblin, ogre")
    board.press("Enter")
    board.click("#start button")
    page.locator("#share summary").click()
    return board, page.locator("#share .address a").get_attribute("href") or ""


def go_away(page: Page, *, hidden: bool) -> None:
    """Tell a page that another tab covers it, as browsers with a window do; or no longer."""
    page.evaluate(
        """(hidden) => {
            const told = { hidden, visibilityState: hidden ? "hidden" : "visible" };
            for (const [name, value] of Object.entries(told))
                Object.defineProperty(document, name, { value, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


# RW-S27: the board and seven players' pages of one browser all load, and the board still answers
@pytest.mark.parametrize("side_by_side", cases(True, full=[False]))  # else tabs of one window
def test_eight_pages_of_one_browser_all_load_and_the_board_still_answers(
    laptop: tuple[BrowserContext, str], side_by_side: bool
) -> None:
    context, entry = laptop
    board, address = quick_fight(context.new_page(), entry)
    first = board.page.locator("#now").inner_text()
    then = {"Goblin": "Ogre", "Ogre": "Goblin"}[first]  # the dice decide
    go_away(board.page, hidden=not side_by_side)
    tabs = [context.new_page() for _ in range(PLAYERS)]
    for tab in tabs:
        tab.goto(address, timeout=HUNG)
        expect(tab.locator("#board.running .now .title")).to_have_text(first)
        go_away(tab, hidden=not side_by_side)
    go_away(board.page, hidden=False)
    board.press("n")
    for tab in tabs:
        go_away(tab, hidden=False)
        expect(tab.locator("#board.running .now .title")).to_have_text(then)


# RW-S27: each page uses one stream at most, however often it is left and looked at again
def test_a_page_has_one_stream_at_most(laptop: tuple[BrowserContext, str]) -> None:
    context, entry = laptop
    context.add_init_script(COUNT_STREAMS)
    board, address = quick_fight(context.new_page(), entry)
    phone = context.new_page()
    phone.clock.install()
    phone.goto(address)
    dot = phone.locator("#connection")
    expect(dot).to_have_attribute("data-state", "live")
    for away in (30_000, 61_000, 300_000):
        go_away(phone, hidden=True)
        phone.clock.fast_forward(away)
        assert phone.evaluate("openStreams()") == (1 if away < 60_000 else 0)
        go_away(phone, hidden=False)
        until(lambda: phone.evaluate("openStreams()") == 1)
        expect(dot).to_have_attribute("data-state", "live")
    until(lambda: board.page.evaluate("openStreams()") == 1)


# RELIABILITY V7
def test_eight_pages_of_one_browser_share_four_streams_and_the_last_one_acts(
    people: People,
) -> None:
    fight = running_fight()
    first = people.gm()
    context = first.context
    context.add_init_script(COUNT_STREAMS)
    context.clock.install()
    tabs = [first, *(context.new_page() for _ in range(7))]
    players, last = tabs[:5], GmBoard(tabs[7])
    for tab in tabs:
        tab.goto(player_path(fight.campaign) if tab in players else f"/e/{fight.uuid}/")
        expect(tab.locator("#connection")).to_have_attribute("data-state", "live")

    def streams() -> int:
        return sum(tab.evaluate("openStreams()") for tab in tabs)

    def all_show(who: str) -> None:
        context.clock.fast_forward(6_000)  # pages without a stream ask
        for tab in tabs:
            title = ".now .title" if tab in players else "#now"
            expect(tab.locator(title)).to_have_text(who)

    assert streams() == 4
    last.is_ready()
    last.press("n")
    all_show("Bran")
    for tab in tabs[:2]:
        tab.close()
        tabs.remove(tab)
    context.clock.fast_forward(12_000)  # pages that wait for a line try again
    wait_until(last.page, lambda: streams() == 4)
    last.press("u")
    all_show("Aria")
