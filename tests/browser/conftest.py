"""A table with its people, each in a browser profile of their own."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from bestiary.book import load_book
from bestiary.models import Book, Creature
from encounters import chance
from encounters.access import new_entry_path
from tests.browser.acting import Dice
from tests.browser.windows import Window, Windows

REFUSED = re.compile(r"Failed to load resource: .* status of (409|422|404)")


@pytest.fixture
def dice() -> Iterator[Dice]:
    """The dice of the server, which runs in this process."""
    ours = Dice()
    before = chance.use(ours)
    yield ours
    chance.use(before)


@pytest.fixture(scope="session")
def kept_windows(browser: Browser, base_url: str) -> Windows:
    """The windows that tests use one after the other."""
    return Windows(browser, base_url)


class People:
    """Opens pages for the GM and for players; nothing may go wrong in any of them."""

    def __init__(
        self, windows: Windows, base_url: str, cookies: dict[str, str] | None = None
    ) -> None:
        self._windows = windows
        self._base_url = base_url
        self._lent: list[Window] = []
        self._heard: list[tuple[Page | BrowserContext, str, Callable[..., None]]] = []
        self.complaints: list[str] = []
        self.expected: list[str] = []  # parts of complaints that a test is about
        self._cookies = cookies  # the GM's; None: they are let in by this process

    def stranger(self, language: str = "en", **options: Any) -> Page:
        """Somebody at this computer whom nobody has let in.

        With a `script` their pages run it before their own.
        """
        size = {"width": 1280, "height": 800}
        window = self._windows.lend(**{"viewport": size, "locale": language, **options})
        self._lent.append(window)
        self._watch(window.page)
        self._hear(window.page.context, "page", self._watch)
        return window.page

    def leave(self, *, failed: bool) -> None:
        """Give all windows back; what they tell after that is nobody's."""
        for where, what, act in self._heard:
            where.remove_listener(what, act)
        for window in self._lent:
            self._windows.take_back(window, spoilt=failed)

    def gm(self, language: str = "en", **options: Any) -> Page:
        """The GM's window, let in; it has opened nothing yet."""
        page = self.stranger(language, **options)
        self._let_in(page.context)
        return page

    def player(self, language: str = "en", width: int = 390, **options: Any) -> Page:
        """A player's phone; it has opened nothing yet."""
        size = {"width": width, "height": 844}
        return self.stranger(language, viewport=size, has_touch=True, is_mobile=True, **options)

    def _let_in(self, context: BrowserContext) -> None:
        if self._cookies is None:
            client = Client(SERVER_NAME="127.0.0.1")
            client.post(new_entry_path())
            name = settings.SESSION_COOKIE_NAME
            self._cookies = {name: client.cookies[name].value}
        for name, value in self._cookies.items():
            context.add_cookies([{"name": name, "value": value, "url": self._base_url}])

    def _watch(self, page: Page) -> None:
        self._hear(page, "console", self._listen)
        self._hear(page, "pageerror", lambda error: self.complaints.append(str(error)))
        self._hear(page, "dialog", lambda one: self.complaints.append(f"dialog: {one.message}"))
        self._hear(page, "request", lambda request: self._look_where(request.url))

    def _hear(self, where: Page | BrowserContext, what: str, act: Callable[..., None]) -> None:
        """Listen until the people leave."""
        where.on(what, act)  # type: ignore[call-overload]
        self._heard.append((where, what, act))

    def _listen(self, message: ConsoleMessage) -> None:
        # The console reports refusals as if they were faults; tests look at what they say.
        if message.type not in ("error", "warning") or REFUSED.match(message.text):
            return
        if not any(part in message.text for part in self.expected):
            self.complaints.append(message.text)

    def _look_where(self, url: str) -> None:
        if not url.startswith((self._base_url, "data:")):
            self.complaints.append(f"a request to {url}")


@pytest.fixture
def people(
    kept_windows: Windows, base_url: str, transactional_db: None, request: pytest.FixtureRequest
) -> Iterator[People]:
    """People who find a thin book on the table and no campaign yet."""
    lay_out_a_few_creatures()
    everybody, failures = People(kept_windows, base_url), request.session.testsfailed
    yield everybody
    everybody.leave(failed=request.session.testsfailed > failures or bool(everybody.complaints))
    assert everybody.complaints == []


A_FEW = ("goblin", "ogre")
_few: list[Creature] = []  # read once; the database is emptied after each test


def lay_out_a_few_creatures() -> None:
    """The creatures most tests need: reading the whole book takes longer than they do."""
    if _few:
        Creature.objects.bulk_create(_few)
        return
    load_book()
    Book.objects.all().delete()
    Creature.objects.exclude(key__in=A_FEW, source="srd-5.1").delete()
    _few.extend(Creature.objects.all())


@pytest.fixture
def whole_book(people: People) -> None:
    """All the creatures, for tests in which a name is looked up among them."""
    load_book()
