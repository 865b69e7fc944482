"""The players' page on all sorts of phones, and what it does when the line breaks."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters import live
from encounters.live import streams
from encounters.models import Campaign, Encounter, Hero
from tests.browser.acting import GmBoard, Phone
from tests.browser.conftest import People
from tests.browser.tables import (
    CLEO,
    OGRE,
    TOTALS,
    campaign_with_heroes,
    ended_fight,
    opened_fight,
    player_path,
    prepared_fight,
    running_fight,
    step,
)

pytestmark = pytest.mark.browser

# Every shift counts, also those right after a key or click, but not that a log grows line by line
# nor what changes inside a row that becomes bold, nor the words on Next turn.
WATCH_SHIFTS = """
    window.shifts = [];
    const jumped = (node) => {
        const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
        return element && !element.closest(".log li") && !element.matches(".row *, .preview *");
    };
    const note = (entries) => {
        for (const { sources } of entries)
            for (const { node } of sources)
                if (jumped(node)) shifts.push((node.outerHTML ?? node.data).slice(0, 80));
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    window.takeShifts = async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        note(observer.takeRecords());
        return shifts.splice(0);
    };
"""


class Hasty(Random):
    """Browsers are told to open their streams again after 0.1 s instead of 2 to 5."""

    def randint(self, a: int, b: int) -> int:
        return 100


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "random", Hasty())


# RW-S26: a phone catches up after its line was dropped
@pytest.mark.usefixtures("hasty")
def test_a_phone_catches_up_after_its_stream_was_dropped(people: People) -> None:
    campaign = campaign_with_heroes()
    fight = running_fight(campaign)
    phone = Phone(people.player(), player_path(campaign), "en")
    phone.shows(1, "Aria", ["Bran", "Cleo", "Dain"])
    with phone.page.expect_request(lambda request: "/live" in request.url):
        live.end_streams()
        step(fight, "next-turn", rules.NextTurn())
    phone.shows(1, "Bran", ["Cleo", "Dain", "Aria"])
    expect(phone.page.locator("#connection")).to_have_attribute("data-state", "live")
    step(fight, "give-turn", rules.GiveTurn(CLEO))
    phone.shows(1, "Cleo", ["Dain", "Aria", "Bran"])


# RW-S26: without a line it says so, and back with one it catches up
@pytest.mark.usefixtures("hasty")
def test_a_phone_without_a_line_says_so_however_often_it_tries(people: People) -> None:
    people.expected.append("net::ERR_INTERNET_DISCONNECTED")
    campaign = campaign_with_heroes()
    fight = running_fight(campaign)
    page = people.player()
    page.clock.install()
    phone = Phone(page, player_path(campaign), "en")
    state = page.locator("#connection")
    page.context.set_offline(True)
    live.end_streams()
    for _ in range(4):
        with page.expect_event("requestfailed"):
            pass  # the browser tries again by itself, in vain
        page.clock.run_for(3_000)
    expect(state).not_to_have_attribute("data-state", "live")
    expect(state).to_be_visible()
    step(fight, "next-turn", rules.NextTurn())
    page.context.set_offline(False)
    phone.shows(1, "Bran", ["Cleo", "Dain", "Aria"])
    expect(state).to_have_attribute("data-state", "live")


# RW-S23: on the phone nothing tells of the hidden one's turn
def test_a_hidden_creatures_turn_changes_nothing_on_the_phone(people: People) -> None:
    campaign = campaign_with_heroes(reveal_on_turn=False)
    fight = running_fight(campaign)
    phone = Phone(people.player(), player_path(campaign), "en")
    step(fight, "next-turn", rules.NextTurn())
    phone.shows(1, "Bran", ["Cleo", "Dain", "Aria"])
    given = phone.page.content()
    step(fight, "next-turn", rules.NextTurn())  # the ogre's
    step(fight, "damage", rules.Damage(OGRE, 30))
    step(fight, "damage", rules.Damage(OGRE, 30))
    assert Encounter.objects.get().current == OGRE
    phone.knows_nothing_of("ogre")
    assert phone.page.content() == given
    step(fight, "next-turn", rules.NextTurn())
    phone.shows(1, "Cleo", ["Dain", "Aria", "Bran"])
    phone.knows_nothing_of("ogre")


def test_a_phone_speaks_the_language_of_its_browser_or_the_one_asked_for(people: People) -> None:
    campaign = campaign_with_heroes()
    fight = running_fight(campaign)
    step(fight, "set-hidden", rules.SetHidden((OGRE,), False))
    path = player_path(campaign)
    page = people.player("fr")
    page.goto(path)
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.locator("header a[hreflang=en]").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    step(fight, "next-turn", rules.NextTurn())
    expect(page.locator(".now .title")).to_have_text("Bran")
    expect(page.locator("header a[hreflang=fr]")).to_be_visible()
    expect(page.locator("svg.side[aria-label=heroes]").first).to_be_attached()
    page.goto(f"{path}?lang=fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    step(fight, "next-turn", rules.NextTurn())
    expect(page.locator(".now .title")).to_have_text("Ogre")
    expect(page.locator("svg.side[aria-label=heroes]")).to_have_count(0)
    expect(page.locator("svg.side[aria-label=héros]").first).to_be_attached()


LONG = "Bartholomew-Maximilian of the Seven Interminable Names and Quite Some Titles More"


def campaign_with_long_names() -> Campaign:
    campaign = campaign_with_heroes()
    campaign.name = LONG[:80]
    campaign.save()
    Hero.objects.filter(name="Bran").update(name=LONG[:80])
    Hero.objects.filter(name="Cleo").update(name="Llanfair" * 10)
    return campaign


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_players_page_never_scrolls_sideways_on_a_phone_320_wide(
    people: People, language: str
) -> None:
    campaign = campaign_with_long_names()
    page = people.player(language, width=320)
    page.goto(player_path(campaign))
    assert overflow(page) == 0
    fight = running_fight(campaign, goblin=6, ogre=1)
    for number in range(5, 12):
        step(fight, "set-hidden", rules.SetHidden((number,), False))
    step(fight, "damage", rules.Damage(5, 7))
    page.reload()
    expect(page.locator(".now .title")).to_have_text("Aria")
    assert overflow(page) == 0
    for _ in range(4):
        step(fight, "next-turn", rules.NextTurn())
    page.reload()
    expect(page.locator("#board.running")).to_be_visible()
    assert overflow(page) == 0
    step(fight, "end-fight", rules.EndFight())
    page.reload()
    expect(page.locator("#board.over")).to_be_visible()
    assert overflow(page) == 0


BEGINNINGS = [prepared_fight, opened_fight, running_fight, ended_fight]


@pytest.mark.parametrize("begin", BEGINNINGS)
def test_the_board_never_scrolls_sideways_on_a_phone(
    people: People, begin: Callable[[Campaign], Encounter]
) -> None:
    fight = begin(campaign_with_long_names())
    if begin is opened_fight:
        step(fight, "hide", rules.Hide({OGRE: 14}))
    page = people.gm(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    for selected in ("", f"?selected={CLEO}"):
        page.goto(f"/e/{fight.uuid}/{selected}")
        expect(page.locator("#board")).to_be_visible()
        assert overflow(page) == 0


@pytest.mark.parametrize("address", ["/", "/c/{campaign}/", "/e/{fight}/combatant/2/", "/about/"])
def test_the_other_pages_never_scroll_sideways_on_a_phone(people: People, address: str) -> None:
    campaign = campaign_with_long_names()
    fight = running_fight(campaign)
    page = people.gm(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page.goto(address.format(campaign=campaign.uuid, fight=fight.uuid))
    assert overflow(page) == 0


def overflow(page: Page) -> int:
    """How many pixels the page is wider than its window; 0 when nothing scrolls sideways."""
    size = page.viewport_size
    assert size
    found: int = page.evaluate("document.documentElement.scrollWidth")
    return max(0, found - size["width"])


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_jumps_on_the_board_when_the_turn_changes(people: People, width: int) -> None:
    fight = running_fight()
    page = people.gm(viewport={"width": width, "height": 800})
    page.add_init_script(WATCH_SHIFTS)
    board = GmBoard(page)
    board.open(fight)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    page.evaluate("takeShifts()")
    for _ in range(len(TOTALS) + 1):
        board.press("n")
    assert page.evaluate("takeShifts()") == []


def test_nothing_jumps_on_the_phone_when_the_turn_changes(people: People) -> None:
    campaign = campaign_with_heroes()
    fight = running_fight(campaign)
    page = people.player()
    page.add_init_script(WATCH_SHIFTS)
    phone = Phone(page, player_path(campaign), "en")
    page.evaluate("takeShifts()")
    step(fight, "next-turn", rules.NextTurn())
    phone.shows(1, "Bran", ["Cleo", "Dain", "Aria"])
    step(fight, "give-turn", rules.GiveTurn(CLEO))
    phone.shows(1, "Cleo", ["Dain", "Aria", "Bran"])
    assert page.evaluate("takeShifts()") == []


@pytest.mark.parametrize("before", [".row", "#add", ".turn"])
def test_the_measure_of_jumps_sees_one(people: People, before: str) -> None:
    page = people.gm()
    page.add_init_script(WATCH_SHIFTS)
    page.goto(f"/e/{running_fight().uuid}/")
    page.evaluate("takeShifts()")
    page.locator(before).first.evaluate("(part) => part.before('a line that pushes')")
    assert page.evaluate("takeShifts()") != []
