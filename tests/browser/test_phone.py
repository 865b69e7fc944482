"""The players' page on all sorts of phones, and what it does when the line breaks."""

from random import Random

import pytest
from playwright.sync_api import expect

import rules
from encounters import live
from encounters.live import streams
from encounters.models import Encounter
from tests.browser.acting import Phone
from tests.browser.conftest import People
from tests.browser.tables import (
    CLEO,
    OGRE,
    campaign_with_heroes,
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


# RW-S26: a phone catches up after its line was dropped; without one it says so
@pytest.mark.usefixtures("hasty")
def test_a_phone_says_that_it_has_no_line_and_catches_up_once_it_has(people: People) -> None:
    people.expected.append("net::ERR_INTERNET_DISCONNECTED")
    campaign = campaign_with_heroes()
    fight = running_fight(campaign)
    page = people.player()
    page.clock.install()
    phone = Phone(page, player_path(campaign), "en")
    phone.shows(1, "Aria", ["Bran", "Cleo", "Dain"])
    with page.expect_request(lambda request: "/live" in request.url):
        live.end_streams()
        step(fight, "next-turn", rules.NextTurn())
    phone.shows(1, "Bran", ["Cleo", "Dain", "Aria"])
    state = page.locator("#connection")
    expect(state).to_have_attribute("data-state", "live")
    page.context.set_offline(True)
    live.end_streams()
    for _ in range(4):
        with page.expect_event("requestfailed"):
            pass  # the browser tries again by itself, in vain
        page.clock.run_for(3_000)
    expect(state).not_to_have_attribute("data-state", "live")
    expect(state).to_be_visible()
    step(fight, "give-turn", rules.GiveTurn(CLEO))
    page.context.set_offline(False)
    phone.shows(1, "Cleo", ["Dain", "Aria", "Bran"])
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
