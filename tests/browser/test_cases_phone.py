"""Phones that slept, that get old news late, and that are read aloud."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

import rules
from encounters.models import Campaign, Encounter
from tests.browser.acting import GmBoard, Phone, comes
from tests.browser.conftest import People
from tests.browser.tables import (
    ARIA,
    DAIN,
    OGRE,
    campaign_with_heroes,
    player_path,
    running_fight,
    step,
)

pytestmark = pytest.mark.browser

SPOKEN = """
    window.told = [];
    document.addEventListener("DOMContentLoaded", () => {
        const note = (changes) => {
            for (const { target } of changes) {
                const part = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
                const region = part?.closest("[aria-live], [role=status], [role=alert]");
                if (region) told.push([region.ariaLive ?? region.role, region.textContent.trim()]);
            }
        };
        const all = { subtree: true, childList: true, characterData: true };
        new MutationObserver(note).observe(document.documentElement, all);
    });
"""


def five_in_sight(campaign: Campaign) -> Encounter:
    """Aria, Bran, the ogre, Cleo, Dain; Aria has the turn."""
    fight = running_fight(campaign)
    step(fight, "set-hidden", rules.SetHidden((OGRE,), False))
    return fight


class Newer(Phone):
    """A phone of which every push is counted."""

    @property
    def pushed(self) -> list[str]:
        self.page.title()  # one more message, behind those that told of a push
        return [data for data in self._pushed if data]


def next_turn(fight: Encounter) -> None:
    step(fight, "next-turn", rules.NextTurn())


# RW-S23: revealed later, the hidden one stands in its place by one frame; nothing is replayed
def test_one_revealed_later_stands_in_its_place_by_one_push(people: People) -> None:
    campaign = campaign_with_heroes(reveal_on_turn=False)
    fight = running_fight(campaign)
    phone = Newer(people.player(), player_path(campaign), "en")
    next_turn(fight)
    phone.shows(1, "Bran", ["Cleo", "Dain", "Aria"])
    next_turn(fight)  # the ogre's
    next_turn(fight)
    phone.shows(1, "Cleo", ["Dain", "Aria", "Bran"])
    phone.forget_what_was_pushed()
    step(fight, "set-hidden", rules.SetHidden((OGRE,), False))
    phone.shows(1, "Cleo", ["Dain", "Aria", "Bran", "Ogre"])
    [pushed] = phone.pushed
    assert "Ogre" in pushed


# RW-S25: after ten presses within a moment the players' page is what the server has
def test_after_ten_presses_within_a_moment_the_phone_shows_the_last(people: People) -> None:
    campaign = campaign_with_heroes()
    fight = five_in_sight(campaign)
    board = GmBoard(people.gm())
    board.open(fight)
    phone = Newer(people.player(), player_path(campaign), "en")
    before = board.version
    for _ in range(10):
        board.page.keyboard.press("n")
    board.is_at(before + 10)
    phone.shows(3, "Aria", ["Bran", "Ogre", "Cleo", "Dain"])
    given = phone.page.context.request.get(f"{phone.path}/board?lang=en").text()
    same = "(html) => document.getElementById('board').outerHTML.trim() === html.trim()"
    assert phone.page.evaluate(same, normal(phone.page, given))
    next_turn(fight)
    phone.shows(3, "Bran", ["Ogre", "Cleo", "Dain", "Aria"])


def normal(page: Page, html: str) -> str:
    """The fragment as a browser writes it."""
    read = """(html) => {
        const template = document.createElement("template");
        template.innerHTML = html;
        return template.content.firstElementChild.outerHTML;
    }"""
    written: str = page.evaluate(read, html)
    return written


# RW-S25: a page that polls over a slow line drops an answer older than the one it shows
def test_an_answer_that_comes_late_does_not_bring_back_an_old_turn(people: People) -> None:
    people.expected.append("status of 503")
    campaign = campaign_with_heroes()
    fight = five_in_sight(campaign)
    page = people.player()
    asked: list[tuple[Route, str]] = []
    page.clock.install()
    page.route("**/live?*", lambda route: route.fulfill(status=503))
    page.route("**/board?*", lambda route: asked.append((route, route.fetch().text())))
    page.goto(player_path(campaign))
    title = page.locator("#board .now .title")
    expect(title).to_have_text("Aria")
    wait_for(page, lambda: len(asked) == 1)
    for _ in range(3):
        next_turn(fight)
    wait_for(page, lambda: len(asked) == 2)
    (old, aria), (new, cleo) = asked
    page.unroute("**/board?*")
    new.fulfill(body=cleo, content_type="text/html")
    expect(title).to_have_text("Cleo")
    with page.expect_event("requestfinished"):
        old.fulfill(body=aria, content_type="text/html")
    page.clock.run_for(100)
    assert title.inner_text().strip() == "Cleo"


def wait_for(page: Page, condition: Callable[[], bool]) -> None:
    """Let the page's time pass until it has asked."""
    for _ in range(600):
        if condition():
            return
        page.clock.run_for(100)
    raise AssertionError("the page does not ask")


# Phones that slept


def sleep(page: Page, seconds: int) -> None:
    """Lock the phone: the page is covered, then frozen together with its line."""
    page.evaluate(COVER, True)
    page.clock.fast_forward(seconds * 1000)


def wake(page: Page) -> None:
    page.evaluate(COVER, False)


COVER = """(hidden) => {
    const told = { hidden, visibilityState: hidden ? "hidden" : "visible" };
    for (const [name, value] of Object.entries(told))
        Object.defineProperty(document, name, { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


# RW-S26: after five minutes it catches up by one snapshot, without the twelve turns between
def test_a_phone_that_slept_catches_up_by_one_board(people: People) -> None:
    campaign = campaign_with_heroes(reveal_on_turn=False)
    fight = five_in_sight(campaign)
    page = people.player()
    page.clock.install()
    phone = Newer(page, player_path(campaign), "en")
    phone.shows(1, "Aria", ["Bran", "Ogre", "Cleo", "Dain"])
    sleep(page, 300)
    phone.forget_what_was_pushed()
    for _ in range(12):
        next_turn(fight)
    step(fight, "leave", rules.Leave((DAIN,)))
    step(fight, "set-hidden", rules.SetHidden((OGRE,), True))
    wake(page)
    phone.shows(3, "Cleo", ["Aria", "Bran"])
    comes(page.locator("#connection[data-state=live]"))
    assert len(phone.pushed) == 1
    phone.knows_nothing_of("Ogre", "Dain")


# RW-S26: a phone that wakes without a line says at once that what it shows is old
def test_a_phone_that_wakes_without_a_line_says_so_at_once(people: People) -> None:
    people.expected.append("net::ERR_INTERNET_DISCONNECTED")
    campaign = campaign_with_heroes()
    five_in_sight(campaign)
    page = people.player()
    page.clock.install()
    Phone(page, player_path(campaign), "en")
    page.context.set_offline(True)
    sleep(page, 300)
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    wake(page)
    assert page.locator("#connection").get_attribute("data-state") != "live"


# RW-S26: back from the browser's own cache of pages, it is up to date again
def test_a_page_brought_back_by_the_browser_is_up_to_date(people: People) -> None:
    campaign = campaign_with_heroes()
    fight = five_in_sight(campaign)
    phone = Phone(people.player(), player_path(campaign), "en")
    phone.page.goto("/about/")
    next_turn(fight)
    phone.page.go_back()
    phone.shows(1, "Bran", ["Ogre", "Cleo", "Dain", "Aria"])
    next_turn(fight)
    phone.shows(1, "Ogre", ["Cleo", "Dain", "Aria", "Bran"])


# Read aloud, and without colours


# RW-S42: one polite announcement with round and name when the turn passes, and no more
def test_the_turn_is_read_out_once_and_politely(people: People) -> None:
    campaign = campaign_with_heroes()
    fight = five_in_sight(campaign)
    next_turn(fight)
    page = people.player()
    page.add_init_script(SPOKEN)
    phone = Phone(page, player_path(campaign), "en")
    page.evaluate("told.splice(0)")
    next_turn(fight)
    phone.shows(1, "Ogre", ["Cleo", "Dain", "Aria", "Bran"])
    step(fight, "damage", rules.Damage(OGRE, 40))
    expect(page.locator(".now .health")).to_have_text("bloodied")
    link = page.locator("#connection").text_content() or ""
    [(manner, words)] = [one for one in page.evaluate("told") if one[1] != link.strip()]
    assert manner == "polite"
    assert "Ogre" in words
    assert "Aria" not in words
    assert "Round 1" in words


# RW-S42: whose turn it is, who is next and how everybody fares are words, not colours
def test_the_players_page_says_in_words_what_its_colours_say(people: People) -> None:
    campaign = campaign_with_heroes()
    fight = five_in_sight(campaign)
    step(fight, "damage", rules.Damage(ARIA, 1))
    step(fight, "damage", rules.Damage(OGRE, 40))
    step(fight, "damage", rules.Damage(DAIN, 27))
    page = people.player()
    page.goto(player_path(campaign))
    expect(page.locator(".now")).to_contain_text("Now")
    expect(page.locator(".now .health")).to_have_text("hurt")
    expect(page.locator(".slot .when")).to_have_text(["next"])
    fares = {"Bran": "healthy", "Ogre": "bloodied", "Cleo": "healthy", "Dain": "dying"}
    for who, word in fares.items():
        slot = page.locator(".slot").filter(has=page.locator(".title").get_by_text(who))
        expect(slot.locator(".health")).to_be_visible()
        expect(slot.locator(".health")).to_have_text(word)
        expect(slot.locator("svg.side")).to_have_attribute("aria-label", re.compile("heroes|foes"))
