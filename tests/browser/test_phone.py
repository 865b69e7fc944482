"""The players' page on all sorts of phones, and what it does when the line breaks."""

from random import Random

import pytest
from playwright.sync_api import expect

import rules
from encounters import live
from encounters.live import streams
from encounters.models import Encounter
from tests.browser.acting import Phone
from tests.browser.barriers import overflow
from tests.browser.conftest import People
from tests.browser.jumping import jumps, watch_jumps
from tests.browser.tables import (
    CLEO,
    OGRE,
    campaign_with_heroes,
    campaign_with_long_names,
    player_path,
    running_fight,
    step,
)

pytestmark = pytest.mark.browser


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


def test_nothing_jumps_on_the_phone_when_the_turn_changes(people: People) -> None:
    campaign = campaign_with_heroes()
    fight = running_fight(campaign)
    page = people.player()
    watch_jumps(page)
    phone = Phone(page, player_path(campaign), "en")
    jumps(page)
    step(fight, "next-turn", rules.NextTurn())
    phone.shows(1, "Bran", ["Cleo", "Dain", "Aria"])
    step(fight, "give-turn", rules.GiveTurn(CLEO))
    phone.shows(1, "Cleo", ["Dain", "Aria", "Bran"])
    assert jumps(page) == []
