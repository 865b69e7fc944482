"""One browser with many tabs, at the server that the quick start starts: plain HTTP/1.1."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.acting import GmBoard, comes
from tests.browser.conftest import People
from tests.browser.intercepting import wait_until
from tests.browser.lines import COUNT_STREAMS
from tests.browser.tables import player_path, running_fight
from tests.sizes import cases

pytestmark = pytest.mark.browser

HUNG = 10_000.0  # milliseconds after which a page is given up


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
# RELIABILITY V7
@pytest.mark.parametrize("side_by_side", cases(True, full=[False]))  # else tabs of one window
def test_eight_pages_of_one_browser_all_load_share_four_streams_and_the_last_one_acts(
    people: People, side_by_side: bool
) -> None:
    fight = running_fight()
    first = people.gm()
    context = first.context
    context.add_init_script(COUNT_STREAMS)
    context.clock.install()
    tabs = [first, *(context.new_page() for _ in range(7))]
    players, last = tabs[:7], GmBoard(tabs[7])
    for tab in tabs:
        tab.goto(
            player_path(fight.campaign) if tab in players else f"/e/{fight.uuid}/", timeout=HUNG
        )
        comes(tab.locator("#connection[data-state=live]"))
        go_away(tab, hidden=not side_by_side)

    def streams() -> list[int]:
        return sorted(tab.evaluate("openStreams()") for tab in tabs)

    def all_show(who: str) -> None:
        for tab in tabs:
            go_away(tab, hidden=False)
        context.clock.fast_forward(6_000)  # pages without a stream ask
        for tab in tabs:
            title = ".now .title" if tab in players else "#now"
            expect(tab.locator(title)).to_have_text(who)

    def lines_taken() -> int:
        held = "navigator.locks.query().then((locks) => locks.held.length)"
        return int(last.page.evaluate(held))

    assert streams() == [0, 0, 0, 0, 1, 1, 1, 1]
    go_away(last.page, hidden=False)
    last.is_ready()
    last.press("n")
    all_show("Bran")
    for tab in tabs[:2]:
        tab.close()
        tabs.remove(tab)
    wait_until(last.page, lambda: lines_taken() == 2)  # the browser frees them when it comes to it
    context.clock.fast_forward(12_000)  # pages that wait for a line try again
    wait_until(last.page, lambda: streams() == [0, 0, 1, 1, 1, 1])
    last.press("u")
    all_show("Aria")


# RW-S27: each page uses one stream at most, however often it is left and looked at again
def test_a_page_has_one_stream_at_most(people: People) -> None:
    phone = people.player(script=COUNT_STREAMS)
    phone.clock.install()
    phone.goto(player_path(running_fight().campaign))
    dot = phone.locator("#connection")
    expect(dot).to_have_attribute("data-state", "live")
    for away in (30_000, 61_000, 300_000):
        go_away(phone, hidden=True)
        phone.clock.fast_forward(away)
        assert phone.evaluate("openStreams()") == (1 if away < 60_000 else 0)
        go_away(phone, hidden=False)
        wait_until(phone, lambda: phone.evaluate("openStreams()") == 1)
        expect(dot).to_have_attribute("data-state", "live")
