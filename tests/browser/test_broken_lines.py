"""Lines that break while the fight goes on: pages that were open are right again by themselves."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from random import Random

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import rules
from config.components import CHROMIUM
from encounters import live
from encounters.live import streams
from encounters.models import Encounter
from tests.browser.conftest import People, lay_out_a_few_creatures
from tests.browser.lines import BACK, count_streams, has_stayed, mark
from tests.browser.tables import campaign_with_heroes, player_path, running_fight, step
from tests.conftest import launched
from tests.encounters.streaming import until
from tests.sizes import FULL, cases

pytestmark = pytest.mark.browser

ROUNDS = 20 if FULL else 2
Breaking = Callable[[Page], AbstractContextManager[None]]
HEROES = ("Aria", "Bran", "Cleo", "Dain")


class Hasty(Random):
    """Browsers are told to open their streams again after 0.1 s instead of 2 to 5."""

    def randint(self, a: int, b: int) -> int:
        return 100


@pytest.fixture(autouse=True)
def no_time_to_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    if not FULL:
        monkeypatch.setattr(streams, "random", Hasty())


# What breaks them, until the end


@contextmanager
def offline(page: Page, seconds: float = 30 if FULL else 0.5) -> Iterator[None]:
    """What is open breaks, and nothing can be opened."""
    page.context.set_offline(True)
    live.end_streams()
    yield
    time.sleep(seconds)
    page.context.set_offline(False)


@contextmanager
def refused(page: Page, seconds: float = 10 if FULL else 0.5) -> Iterator[None]:
    """The server has no room for streams, but answers else."""
    with pytest.MonkeyPatch.context() as meanwhile:
        meanwhile.setattr(live.application, "_max_streams", 0)
        with page.expect_response(lambda answer: "/board" in answer.url):
            live.end_streams()
        yield
        time.sleep(seconds)


@contextmanager
def frozen(page: Page, seconds: float = 60) -> Iterator[None]:
    """The whole browser stands still, as on a phone that is put away."""
    browser = page.context.browser
    assert browser is not None
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    processes = [int(process["id"]) for process in told["processInfo"]]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
        time.sleep(seconds)
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


# What is seen


def heroes_turns(fight: Encounter) -> Iterator[str]:
    """Take the turn on, from hero to hero, and tell whose it is."""
    while True:
        for number, name in enumerate(HEROES, start=1):
            step(fight, "give-turn", rules.GiveTurn(number))
            yield name


def is_right(page: Page, who: str) -> None:
    expect(page.locator("#board .now .title")).to_have_text(who, timeout=BACK)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=BACK)


# RELIABILITY V5
def test_a_phone_is_right_again_after_whatever_broke_its_line(people: People) -> None:
    people.expected += ["net::ERR_", "status of 503"]
    fight = running_fight(campaign_with_heroes())
    page = people.player()
    count_streams(page)
    page.goto(player_path(fight.campaign))
    is_right_through(page, cases(offline, refused, full=[frozen]), fight)


# RELIABILITY V5: most browsers keep a page that is left, and show it again as it was
@pytest.mark.usefixtures("transactional_db")
def test_a_phone_is_right_when_its_player_comes_back_to_the_page(
    browser: Browser, base_url: str
) -> None:
    lay_out_a_few_creatures()
    fight = running_fight(campaign_with_heroes())

    @contextmanager
    def left(page: Page) -> Iterator[None]:
        page.goto("/j/another")
        until(lambda: not live.watchers(fight.campaign_id))
        yield
        page.evaluate("history.back()")

    forgetful = ["--disable-back-forward-cache"]  # which Playwright's browsers are otherwise
    chromium = browser.browser_type
    with launched(chromium, CHROMIUM, ignore_default_args=forgetful) as keeping:
        page = keeping.new_page(base_url=base_url)
        count_streams(page)
        page.route(player_path(fight.campaign), let_it_be_kept)
        page.goto(player_path(fight.campaign))
        is_right_through(page, [left], fight)


def let_it_be_kept(route: Route) -> None:
    """Chromium alone does not keep what is not to be stored."""
    answer = route.fetch()
    headers = {name: text for name, text in answer.headers.items() if name != "cache-control"}
    route.fulfill(response=answer, headers=headers)


def is_right_through(page: Page, breakings: list[Breaking], fight: Encounter) -> None:
    """It follows the turns though its line is broken again and again; and on one stream."""
    turns = heroes_turns(fight)
    is_right(page, next(turns))
    mark(page)
    for broken in breakings * ROUNDS:
        with broken(page):
            who = next(turns)
        is_right(page, who)
        until(lambda: live.watchers(fight.campaign_id) == 1)
        is_right(page, next(turns))
        has_stayed(page)
