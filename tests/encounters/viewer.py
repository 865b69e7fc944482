"""Somebody who watches a campaign live, in the thread of the test: what is sent, as it is sent.

Without heartbeats: their time tells of nothing but time.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from typing import Any

from encounters import player_views
from encounters.live.frames import Message
from encounters.live.hub import Hub
from encounters.live.looking import Found
from encounters.live.rooms import Seat, Watcher
from encounters.models import Campaign, Encounter, PlayerLink
from encounters.publishing import at_hand

TURNS = 10  # of the loop, in which all is done that waits for nobody


class BetweenTurns(Executor):
    """Does what it is asked for when it is told to: what runs in a loop has no transaction."""

    def __init__(self) -> None:
        self._asked: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, call: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        self._asked.append((future, partial(call, *args, **kwargs)))
        return future

    def work(self) -> bool:
        """Do it all; whether there was anything."""
        asked, self._asked = self._asked, []
        for future, call in asked:
            future.set_result(call())
        return bool(asked)


class Viewer:
    """One open stream for each language: where the steps are taken or, `afar`, elsewhere."""

    def __init__(self, link: PlayerLink, *, afar: bool) -> None:
        self._afar = afar
        self.frames: list[bytes] = []  # all that was sent
        self._loop = asyncio.new_event_loop()
        self._reader = BetweenTurns()
        never = {"heartbeat": 10.0**6, "look_every": 10.0**6}  # seconds
        self._hub = Hub(_read, self._reader, lambda _: Found({}, {}, {}), **never)
        self._watchers = [self._watcher(link, language) for language in ("en", "fr")]
        self._loop.run_until_complete(self._enter())
        self._settle()

    def _watcher(self, link: PlayerLink, language: str) -> Watcher:
        watcher = Watcher(self._take, self._hub.counted)
        watcher.seat = Seat(link.pk, link.generation, link.campaign_id, language)
        return watcher

    async def _take(self, message: Message) -> None:
        self.frames.append(message["body"])

    async def _enter(self) -> None:
        for watcher in self._watchers:
            self._hub.enter_board(watcher)

    def told(self, encounter: Encounter) -> list[bytes]:
        """What is sent once this encounter's step is announced, as it is after its commit."""
        before = len(self.frames)
        shown = None if self._afar else at_hand(encounter.campaign)
        about = encounter.campaign_id, str(encounter.uuid), encounter.version
        self._hub.announce(*about, shown)
        self._settle()
        return self.frames[before:]

    def _settle(self) -> None:
        """Let all that is due be done."""
        self._loop.run_until_complete(_turns())
        while self._reader.work():
            self._loop.run_until_complete(_turns())

    async def _leave(self) -> None:
        for watcher in self._watchers:
            self._hub.leave_board(watcher)

    def close(self) -> None:
        self._loop.run_until_complete(self._leave())
        self._settle()
        self._loop.close()


@contextmanager
def watching(link: PlayerLink, *, afar: bool = False) -> Iterator[Viewer]:
    """Watch the campaign of this link from now on."""
    viewer = Viewer(link, afar=afar)
    try:
        yield viewer
    finally:
        viewer.close()


def _read(campaign: int, language: str) -> tuple[int, str]:
    """As a process reads it in which the step was not taken."""
    return player_views.render_screen(Campaign.objects.get(pk=campaign), language)


async def _turns() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)
