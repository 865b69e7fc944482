"""People at a table, as tests need them: the GM's hands, a player's phone, and dice that obey."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Locator, Page, expect

from encounters.models import Encounter

GM_BOARD = re.compile(r"/e/[0-9a-f-]{36}/")


def said(language: str, message: str, **values: object) -> str:
    """A sentence of the product in this language."""
    with translation.override(language):
        return gettext(message) % values if values else gettext(message)


class Dice(Random):
    """Dice that fall as told; when nothing is told any more, by a fixed seed."""

    def __init__(self) -> None:
        super().__init__(7)
        self._told: list[int] = []

    def will_fall(self, *values: int) -> None:
        assert not self._told, "dice that were foretold have not been rolled"
        self._told = list(values)

    def randint(self, a: int, b: int) -> int:
        value = self._told.pop(0) if self._told else super().randint(a, b)
        assert a <= value <= b
        return value


def comes(what: Locator) -> None:
    """Wait until this is on the page, be it seen or not.

    Where most waiting is done, it is done in this way or for a list of texts: when Playwright
    expects something of one element, it describes the whole of it, or the page, each time that it
    looks in vain, which takes longer than a step.
    """
    expect(what).to_have_count(1)


class Hands:
    """Uses a page as a person does, and counts.

    A click or tap is one click; every character, Enter, Tab or Escape is one key, and so is a key
    pressed together with alt or shift. Pasted text counts as if it had been typed.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.keys = ""  # each key's character or first letter, in order

    def click(self, what: str | Locator) -> None:
        self.clicks += 1
        (self.page.locator(what) if isinstance(what, str) else what).click()

    def press(self, *keys: str) -> None:
        """Press keys; as in "t", "8", "Enter"."""
        for key in keys:
            self.keys += key[-1] if len(key.split("+")[-1]) == 1 else key[0]
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.keys += text
        self.page.keyboard.type(text)

    def start_again(self) -> None:
        self.clicks, self.keys = 0, ""


class GmBoard:
    """The GM's window with a fight in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board = page.locator("#board")

    def open(self, fight: Encounter) -> None:
        self.page.goto(f"/e/{fight.uuid}/")
        self.is_ready()

    def is_ready(self) -> None:
        """Wait until the scripts have run, so that keys do what they should."""
        comes(self.page.locator("#keys-button:not([hidden])"))

    @property
    def version(self) -> int:
        return int(self.board.get_attribute("data-version") or 0)

    def step(self, act: Callable[[], object]) -> None:
        """Do something that changes the fight once, and wait until the board shows it."""
        before = self.version
        act()
        self.is_at(before + 1)

    def is_at(self, version: int) -> None:
        comes(self.page.locator(f"#board[data-version='{version}']"))

    def press(self, *keys: str) -> None:
        """Press keys that end in one step: `press("t", "5", "Enter")`."""

        def act() -> None:
            for key in keys:
                self.page.keyboard.press(key)

        self.step(act)

    def click(self, selector: str) -> None:
        """Click on something that takes one step."""
        self.step(self.page.locator(selector).click)

    def row(self, number: int) -> Locator:
        return self.page.locator(f"#c{number}")

    def select(self, number: int) -> None:
        """Click on a row, in its corner, where no link is."""
        self.row(number).click(position={"x": 3, "y": 3})
        self.has_selected(number)

    def has_selected(self, number: int) -> None:
        comes(self.page.locator(f"#selected[value='{number}']"))

    def has_turn_of(self, who: str) -> None:
        expect(self.page.locator("#now")).to_have_text([who])

    def has_hp(self, number: int, text: str) -> None:
        expect(self.row(number).locator(".hp")).to_have_text([text])


class Phone:
    """A player's page, and every byte that was pushed to it."""

    def __init__(self, page: Page, path: str, language: str, view: str = "") -> None:
        self.page = page
        self.path = path
        self.language = language
        self._pushed: list[str] = []
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.eventSourceMessageReceived", self._note)
        page.goto(f"{path}?view={view}" if view else path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        comes(page.locator("#connection[data-state=live]"))

    def waits(self) -> None:
        comes(self.page.locator("#board.waiting .waiting:visible"))
        expect(self.page.locator("#board .title")).to_have_count(0)

    def is_over(self) -> None:
        comes(self.page.locator("#board.over .waiting:visible"))
        expect(self.page.locator("#board .title")).to_have_count(0)

    def shows(self, round: int, now: str, then: list[str]) -> None:
        """The round, whose turn it is, and who follows in which order; `then[0]` is next."""
        board = self.page.locator("#board.running")
        expect(board.locator(".now .title")).to_have_text([now])
        expect(board.locator(".order .title")).to_have_text(then)
        expect(board.locator(".slot.next .title")).to_have_text(then[0])
        expect(board.locator(".round")).to_have_text(
            [said(self.language, "Round %(round)s", round=round)]
        )
        expect(self.page).to_have_title(re.compile(f"^{re.escape(now)} · "))

    def knows_nothing_of(self, *names: str) -> None:
        """Neither the page, nor anything ever pushed to it, nor what it would be given now."""
        given = self.page.context.request.get(f"{self.path}/board?lang={self.language}")
        for name in names:
            letters = re.compile(re.escape(name), re.IGNORECASE)
            assert not letters.search(self.page.content())
            assert not letters.search(given.text())
            assert not any(letters.search(pushed) for pushed in self._pushed)

    def forget_what_was_pushed(self) -> None:
        self._pushed.clear()

    def slot(self, title: str) -> Locator:
        """The slot with this title, be it acting or to come."""
        slots = self.page.locator("#board .now, #board .slot")
        return slots.filter(has=self.page.locator(".title").get_by_text(title, exact=True))

    def _note(self, message: dict[str, Any]) -> None:
        self._pushed.append(str(message["data"]))
