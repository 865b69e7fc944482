"""`live.js` in Chromium, on pages that are nothing but what it works on."""

import random
import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from encounters.live import streams
from tests.encounters.stage import staged
from tests.encounters.streaming import until

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page whose scripts must not fail."""
    context = browser.new_context(viewport={"width": 390, "height": 300})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


# Players


def test_each_change_reaches_the_players_screen_and_its_title(page: Page) -> None:
    with staged() as (stage, url):
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
        for text in ["Bran", "Aria", "Cleo", "Dain"] * 3:
            stage.change(text)
            expect(page.locator("#who")).to_have_text(text)
            expect(page).to_have_title(f"{text}: table")
        page.close()


def test_a_change_leaves_what_the_player_was_reading_where_it_was(page: Page) -> None:
    with staged() as (stage, url):
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
        page.locator("#more").click()
        page.locator("#more").focus()
        stage.change("Bran")
        expect(page.locator("#who")).to_have_text("Bran")
        expect(page.locator("#prone")).to_have_attribute("open", "")
        expect(page.locator("#more")).to_be_focused()
        page.close()


def test_a_stream_that_grows_old_is_opened_again_without_a_word(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "OPENED_AGAIN", (100, 200))
    with staged(max_age=0.5) as (stage, url):
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
        page.evaluate(
            """() => {
                const dot = document.getElementById("connection");
                const note = () => { dot.dataset.said = `${dot.dataset.said} ${dot.textContent}`; };
                new MutationObserver(note).observe(dot, { childList: true });
            }"""
        )
        until(lambda: len(stage.show.hub) == 0)
        stage.change("Bran")
        expect(page.locator("#who")).to_have_text("Bran", timeout=20_000)
        assert page.locator("#connection").get_attribute("data-said") is None
        page.close()


def test_a_player_who_is_refused_a_stream_polls_and_comes_back_to_it(page: Page) -> None:
    with staged(max_streams=0) as (stage, url):
        page.goto(f"{url}/j/T0KEN")
        stage.change("Bran")
        expect(page.locator("#who")).to_have_text("Bran", timeout=20_000)
        expect(page.locator("#connection")).to_have_text("Live")
        assert len(stage.show.hub) == 0
        stage.show.streams._max_streams = 1
        until(lambda: len(stage.show.hub) == 1)
        stage.change("Aria")
        expect(page.locator("#who")).to_have_text("Aria")
        page.close()


def test_a_player_who_asks_in_vain_is_told_since_when(page: Page) -> None:
    with staged(max_streams=0) as (_stage, url):
        page.clock.install()
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
        page.route("**/board**", lambda _: None)  # there is no answer, nor an end of it
        page.clock.run_for(40_000)
        expect(page.locator("#connection")).to_have_attribute("data-state", "since")
        page.close()


def test_a_player_whose_link_has_ended_is_told_so(page: Page) -> None:
    with staged(max_streams=0) as (stage, url):
        stage.pages.link_is_good = False
        page.clock.install()
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("This link is no longer good")
        expect(page.locator("#board")).to_have_count(0)
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.clock.run_for(60_000)
        expect(page.locator("#connection")).to_have_text("This link is no longer good")
        assert requests == []
        page.close()


def test_a_link_that_is_closed_takes_the_board_away_and_the_page_never_asks_again(
    page: Page,
) -> None:
    with staged() as (stage, url):
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
        page.clock.install()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        stage.pages.link_is_good, stage.show.table.generation = False, None
        stage.show.hub.close_link(7)
        expect(page.locator("#connection")).to_have_text("This link is no longer good")
        expect(page.locator("#board")).to_have_count(0)
        page.clock.run_for(120_000)
        for name in ("online", "pageshow"):
            page.evaluate("(name) => window.dispatchEvent(new Event(name))", name)
        set_hidden(page, hidden=False)
        page.clock.run_for(120_000)
        expect(page.locator("#connection")).to_have_text("This link is no longer good")
        assert requests == []
        page.close()


def test_a_player_is_told_since_when_the_server_cannot_see_the_table(page: Page) -> None:
    with staged(look_every=0.05) as (stage, url):
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
        stage.show.table.is_away = True
        expect(page.locator("#connection")).to_have_text(re.compile(r"Old since \d+:\d\d"))
        expect(page.locator("#who")).to_have_text("Lia")
        stage.show.table.is_away = False
        expect(page.locator("#connection")).to_have_text("Live")
        page.close()


def test_other_scripts_hear_of_each_board_once_its_title_is_there(page: Page) -> None:
    with staged() as (stage, url):
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
        page.evaluate(
            """() => document.addEventListener("board-shown", () => {
                document.documentElement.dataset.heard = document.title;
            })"""
        )
        stage.change("Bran")
        expect(page.locator("html")).to_have_attribute("data-heard", "Bran: table")
        page.close()


# RW-S27: a hidden tab gives its stream up
def test_a_hidden_page_lets_its_stream_go_after_a_minute_and_takes_it_up_again(page: Page) -> None:
    with staged() as (stage, url):
        page.clock.install()
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
        set_hidden(page, hidden=True)
        page.clock.fast_forward(61_000)
        until(lambda: len(stage.show.hub) == 0)
        stage.change("Bran")
        set_hidden(page, hidden=False)
        expect(page.locator("#who")).to_have_text("Bran")
        page.close()


def test_a_page_that_was_opened_behind_others_has_its_stream_once_it_is_looked_at(
    page: Page,
) -> None:
    page.add_init_script(
        'Object.defineProperty(document, "hidden", { value: true, configurable: true });'
    )
    with staged() as (stage, url):
        page.goto(f"{url}/j/T0KEN")
        stage.change("Bran")
        set_hidden(page, hidden=False)
        expect(page.locator("#who")).to_have_text("Bran")
        expect(page.locator("#connection")).to_have_text("Live")
        assert len(stage.show.hub) == 1
        page.close()


def set_hidden(page: Page, *, hidden: bool) -> None:
    page.evaluate(
        """(hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


# RW-S26: a missing heartbeat counts as a lost line
def test_a_line_that_has_fallen_silent_is_opened_again(page: Page) -> None:
    with staged() as (stage, url):
        page.clock.install()
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.clock.fast_forward(30_000)
        assert requests == []
        page.clock.fast_forward(15_000)
        stage.change("Bran")
        expect(page.locator("#who")).to_have_text("Bran")
        assert [url for url in requests if "/live?" in url] == [f"{url}/j/T0KEN/live?lang=en"]
        page.close()


# RW-S26: what is old is marked as old, with its age
def test_a_page_without_a_server_says_when_it_was_last_right(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "randint", lambda *_: 50)  # milliseconds until the next attempt
    page.clock.install()
    with staged() as (_stage, url):
        page.goto(f"{url}/j/T0KEN")
        expect(page.locator("#connection")).to_have_text("Live")
    said, seconds = seconds_pass(page, until_not="Live")
    assert (said, 3 <= seconds <= 4) == ("Reconnecting", True)
    said, _ = seconds_pass(page, until_not="Reconnecting")
    assert re.match(r"Last update \d+:\d\d", said)
    page.close()


def seconds_pass(page: Page, until_not: str) -> tuple[str, int]:
    """Let time pass, with an attempt a second, until the page says something else, and how many."""
    dot, passed = page.locator("#connection"), []

    def has_changed() -> bool:
        with page.expect_event("requestfailed"):
            pass  # the browser has tried again
        page.clock.run_for(1_000)
        passed.append(1)
        return dot.text_content() != until_not

    until(has_changed)
    return dot.text_content() or "", len(passed)


# The GM


# RW-S41: a refresh keeps what is half-typed
def test_another_tab_of_the_gm_fetches_its_board_and_keeps_what_is_half_typed(page: Page) -> None:
    with staged() as (stage, url):
        page.goto(f"{url}/gm")
        expect(page.locator("#connection")).to_have_text("Live")
        page.locator("#damage").type("2d6")
        stage.show.step()
        expect(page.locator("#version")).to_have_text("version 2")
        expect(page.locator("#damage")).to_have_value("2d6")
        expect(page.locator("#damage")).to_be_focused()
        expect(page).to_have_title("GM 2")
        assert stage.pages.refreshes == [{"view": ["all"], "selected": ["3"]}]
        page.close()


def test_the_tab_that_acts_does_not_fetch_what_its_answer_brings(page: Page) -> None:
    with staged() as (stage, url):
        # The stream tells of the step while its own answer is still on the way.
        stage.pages.while_posting = lambda: time.sleep(0.3)
        page.goto(f"{url}/gm")
        expect(page.locator("#connection")).to_have_text("Live")
        page.get_by_role("button").click()
        expect(page.locator("#version")).to_have_text("version 2")
        stage.show.step()
        expect(page.locator("#version")).to_have_text("version 3")
        assert len(stage.pages.refreshes) == 1
        page.close()
