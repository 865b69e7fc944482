"""A fight before three screens in two languages, while its server dies and comes back."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.acting import GmBoard, Phone, said
from tests.browser.conftest import People
from tests.browser.lines import BACK, count_streams, has_stayed, mark
from tests.browser.tables import ARIA, BRAN, CLEO, DAIN
from tests.browser.windows import Windows
from tests.encounters.streaming import until
from tests.scale.installations import Installation
from tests.sizes import FULL

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(os.name == "nt", reason="signals of this kind are Unix's"),
]

GOBLIN, GOBLIN_2, OGRE = 5, 6, 7
TOTALS = {ARIA: 21, BRAN: 17, GOBLIN: 15, CLEO: 9, OGRE: 7, DAIN: 5}
NAMES = {"goblins": {"en": "Goblin ×2", "fr": "Gobelin ×2"}}  # all others are the same in both
DEATHS, AWAY = (20, 10.0) if FULL else (2, 1.0)  # how often, and for how many seconds
CALLED = ["Your turn · ", "You are next · ", "In 2 turns · "]
MARKED = ["", "", " you, in 2 turns"]


class Screen(Phone):
    """A player's screen; `hero` is who its player says they are."""

    hero = ""

    def is_played_by(self, hero: str) -> None:
        self.page.locator("#you").click()
        self.page.get_by_role("radio", name=hero, exact=True).check()
        self.page.keyboard.press("Escape")
        self.hero = hero

    def has(self, *order: str) -> None:
        """This order from who acts on; the player is told how many turns it takes to theirs."""
        order = tuple(NAMES.get(name, {}).get(self.language, name) for name in order)
        turns = order.index(self.hero) if self.hero else len(CALLED)
        called = CALLED[turns] if turns < len(CALLED) else ""
        mark = [*MARKED, " you"][min(turns, 3)] if self.hero else ""
        titles = [name + mark if name == self.hero else name for name in order]
        board = self.page.locator("#board.running")
        expect(board.locator(".now .title")).to_have_text(titles[0], timeout=BACK)
        expect(board.locator(".order .title")).to_have_text(titles[1:])
        expect(self.page).to_have_title(re.compile(f"^{re.escape(called + order[0])} · "))


class Evening:
    """The GM, and who watches."""

    def __init__(self, served: Installation, people: People) -> None:
        self.served = served
        self.people = people
        self.gm = GmBoard(people.gm())
        count_streams(self.gm.page)
        self.gm.page.goto(served.board)
        self.gm.is_ready()
        self.far = self.screen("fr", served.facts["far"])
        self.aria = self.screen("en", served.facts["token"])
        self.tv = self.screen("en", served.facts["token"], view="tv")
        self.screens = [self.far, self.aria, self.tv]
        for page in (self.gm.page, *(screen.page for screen in self.screens)):
            mark(page)

    def screen(self, language: str, token: str, view: str = "") -> Screen:
        page = self.people.stranger(language) if view else self.people.player(language)
        count_streams(page)
        return Screen(page, f"/j/{token}", language, view)

    def all_know_nothing_of(self, *names: str) -> None:
        for screen in self.screens:
            screen.knows_nothing_of(*names)

    def all_have(self, *order: str) -> None:
        for screen in self.screens:
            screen.has(*order)

    def the_ogre_is(self, word: str, effect: str) -> None:
        for screen in self.screens:
            slot = screen.slot("Ogre")
            expect(slot.locator(".health")).to_have_text(said(screen.language, word))
            expect(slot.locator(".fx")).to_have_text(said(screen.language, effect))

    # Each chapter leaves the table where the next one takes it up.

    def open(self) -> None:
        gm, page = self.gm, self.gm.page
        gm.click("#open button")
        page.locator("#stealth summary").click()
        for foe in (GOBLIN, GOBLIN_2, OGRE):
            page.locator(f"#stealth_{foe}").fill("13")
        gm.press("Enter")
        expect(page.locator(".is-surprised")).to_have_count(2)
        for number, total in TOTALS.items():
            page.locator(f"#total_{number}").fill(str(total))
        for screen in self.screens:
            screen.waits()
        self.all_know_nothing_of("goblin", "gobelin", "ogre")
        gm.click("#start button")
        for screen in self.screens:
            screen.has("Aria", "Bran", "Cleo", "Dain")
            for name, surprised in {"Aria": 0, "Bran": 1, "Cleo": 1, "Dain": 0}.items():
                expect(screen.slot(name).locator(".surprised")).to_have_count(surprised)
        self.aria.is_played_by("Aria")
        self.all_know_nothing_of("goblin", "gobelin", "ogre")

    def reveal_the_ogre_and_hide_it_again(self) -> None:
        gm = self.gm
        gm.press("n")
        self.all_have("Bran", "Cleo", "Dain", "Aria")
        gm.select(OGRE)
        gm.press("h")
        self.all_have("Bran", "Cleo", "Ogre", "Dain", "Aria")
        gm.press("t", "3", "0", "Enter")
        gm.page.locator("#conditions > summary").click()
        gm.click("#effects [name=effect][value=prone]")
        self.the_ogre_is("bloodied", "prone")
        self.all_know_nothing_of("goblin", "gobelin")
        gm.press("h")
        self.all_have("Bran", "Cleo", "Dain", "Aria")
        for screen in self.screens:
            screen.forget_what_was_pushed()
        gm.press("t", "9", "Enter")
        self.all_know_nothing_of("goblin", "gobelin", "ogre")

    def the_server_dies(self, *order: str) -> None:
        """The GM presses on meanwhile, and that is kept for later; the screens keep the order."""
        unsaved = self.gm.page.locator("#unsaved")
        expect(unsaved).to_be_hidden()
        self.served.kill()
        self.gm.page.keyboard.press("n")
        expect(unsaved).to_be_visible()
        expect(unsaved).to_contain_text("Not saved")
        time.sleep(AWAY)
        self.all_have(*order)
        self.served.serve()

    def all_are_back(self) -> None:
        """On the pages they had open, with a stream each; nobody counts twice."""
        expect(self.gm.page.locator("#unsaved")).to_be_hidden()
        for page in (self.gm.page, *(screen.page for screen in self.screens)):
            state = page.locator("#connection")
            expect(state).to_have_attribute("data-state", "live", timeout=BACK)
            has_stayed(page)
        with self.served.gm() as other:
            until(lambda: f"{len(self.screens)} watching" in other.look()[1])

    def lose_the_server_before_the_goblins_come(self) -> None:
        self.the_server_dies("Bran", "Cleo", "Dain", "Aria")
        self.all_have("goblins", "Cleo", "Dain", "Aria", "Bran")
        self.all_are_back()
        self.all_know_nothing_of("ogre")
        for _ in range(DEATHS - 2):
            self.the_server_dies("goblins", "Cleo", "Dain", "Aria", "Bran")
            self.all_have("Cleo", "Dain", "Aria", "Bran", "goblins")
            self.gm.press("u")
            self.all_have("goblins", "Cleo", "Dain", "Aria", "Bran")
            self.all_are_back()

    def revoke_the_link_of_one(self) -> None:
        page = self.gm.page.context.new_page()
        page.goto(f"/c/{self.served.facts['campaign']}/")
        link = page.locator("#links .link").filter(has_text="Cleo, far away")
        link.locator("summary").click()
        link.get_by_role("button", name="Revoke").click()
        expect(link).to_have_count(0)
        page.close()
        self.screens.remove(self.far)
        self.is_gone()

    def is_gone(self) -> None:
        page = self.far.page
        expect(page.locator("#connection")).to_have_attribute("data-state", "gone")
        expect(page.locator("#board")).to_have_count(0)
        assert page.evaluate("openStreams()") == 0

    def lose_the_server_again_and_end(self) -> None:
        self.the_server_dies("goblins", "Cleo", "Dain", "Aria", "Bran")
        self.all_have("Cleo", "Dain", "Aria", "Bran", "goblins")
        self.all_are_back()
        self.gm.press("n")
        self.all_have("Ogre", "Dain", "Aria", "Bran", "goblins", "Cleo")
        self.the_ogre_is("bloodied", "prone")
        self.gm.click("#end button")
        for screen in self.screens:
            screen.is_over()
        self.is_gone()


@pytest.fixture
def evening(browser: Browser, tmp_path: Path) -> Iterator[Evening]:
    table = Installation.prepared(tmp_path / "data", "tests.browser.evening_prepared")
    with table.serving(), ExitStack() as stack:
        url = f"http://127.0.0.1:{table.port}"
        people = People(Windows(browser, url), url, table.facts["cookies"])
        stack.callback(people.leave, failed=True)  # closed: its server goes away, too
        people.expected = ["net::ERR_", "Failed to fetch"]
        yield Evening(table, people)
        assert people.complaints == []


# RELIABILITY V5
def test_three_screens_are_right_at_every_step_though_the_server_is_killed(
    evening: Evening,
) -> None:
    evening.open()
    evening.reveal_the_ogre_and_hide_it_again()
    evening.lose_the_server_before_the_goblins_come()
    evening.revoke_the_link_of_one()
    evening.lose_the_server_again_and_end()
    table, steps = evening.served, evening.gm.version
    assert [version for _, version in table.steps()] == list(range(1, steps + 1))
    assert len({key for key, _ in table.steps()}) == steps
