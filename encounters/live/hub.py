"""Who watches what in this process, and how news reaches them.

A board is rendered once for all who watch it in one language. Nothing is kept of what nobody
watches. What was not heard of is found by looking: the database is the truth.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Protocol

from .boards import Board, Shown, board_event, rendered
from .figures import Figures
from .frames import GONE, HEARTBEAT, STALE, Event
from .looking import LOOK_EVERY, Found, Look, Lookout, Watched
from .rooms import Room, Watcher, in_batches

HEARTBEAT_EVERY = 15.0  # seconds
RETRY_AFTER = 2.0  # seconds until what could not be read is read again

PLAYERS_FIRST = 0.05  # seconds at most that a step waits until its players have been told

Render = Callable[[int, str], tuple[int, str]]
"""From a campaign's id and a language to its `public_rev` and the fragment of its board."""


class News(NamedTuple):
    """What was announced, and when, by the monotonic clock."""

    campaign: int  # primary key
    encounter: str  # UUID
    version: int
    shown: Shown | None
    asked: float


class Elsewhere(Protocol):
    """The other processes, as the hub sees them."""

    def start(self) -> None: ...
    async def stop(self) -> None: ...
    def changed(self, campaign: int, encounter: str, version: int) -> None: ...
    def closed(self, link: int) -> None: ...
    def watchers(self, campaign: int) -> int: ...
    def watchers_of_link(self, link: int) -> int: ...
    def is_up(self) -> bool: ...


class Hub:
    """All that is watched in this process. Its methods belong to the loop that serves the
    streams, but for `announce`, `close_link`, the counts and `close`, which any thread may call.
    """

    def __init__(
        self,
        render: Render,
        executor: Executor,
        look: Look,
        *,
        heartbeat: float = HEARTBEAT_EVERY,
        retry: float = RETRY_AFTER,
        look_every: float = LOOK_EVERY,
    ) -> None:
        self.elsewhere: Elsewhere | None = None  # None: this process is the only one
        self.counted = Figures()
        self._render = render
        self._executor = executor
        self._heartbeat = heartbeat
        self._retry = retry
        self.lookout = Lookout(
            look, executor, self._compare, self._beat_once, every=look_every, retry=retry
        )
        self._loop: asyncio.AbstractEventLoop | None = None  # None before there was any watcher
        self._tasks: set[asyncio.Task[None]] = set()
        self._keeping: list[asyncio.Task[None]] = []  # while somebody watches
        self._boards: dict[int, dict[str, Board]] = {}  # by campaign, then language
        self._versions: dict[str, Room] = {}  # by encounter
        self._links: dict[int, set[Watcher]] = {}
        self._number = 0  # of all watchers
        self._checking = 0  # links that are being looked at

    def __len__(self) -> int:
        return self._number

    # From any thread

    def announce(
        self, campaign_id: int, encounter_uuid: str, version: int, shown: Shown | None = None
    ) -> None:
        """Tell the open pages of a change. Call it after commit, and not from the streams' own
        loop, which would wait for itself; it never raises.

        What is `shown` is rendered here and now for those who watch, and they are told before the
        caller goes on: what it does next would else take turns with that. Without it, their boards
        are read.
        """
        news = News(campaign_id, encounter_uuid, version, shown, time.monotonic())
        boards = dict(self._boards.get(campaign_id, {}))
        events = rendered(shown, boards) if shown else {}
        told = threading.Event()
        self._in_loop(self._announced, news, events, told)
        if events and self._loop is not None and self._loop.is_running():
            told.wait(PLAYERS_FIRST)

    def close_link(self, link_id: int) -> None:
        """End the streams of a link's old addresses; call it after it was revoked or rotated."""
        self._in_loop(self._link_closed, link_id)

    def watchers(self, campaign_id: int) -> int:
        """How many streams show this campaign's player page now, in all processes."""
        boards = list(self._boards.get(campaign_id, {}).values())
        here = sum(len(board.watchers) for board in boards)
        return here + (self.elsewhere.watchers(campaign_id) if self.elsewhere else 0)

    def watchers_of_link(self, link_id: int) -> int:
        """How many streams were opened with this link, in all processes."""
        here = len(self._links.get(link_id, ()))
        return here + (self.elsewhere.watchers_of_link(link_id) if self.elsewhere else 0)

    def figures(self) -> dict[str, float]:
        """What this process has done, and who watches in it now; `bus_up` where there is a bus."""
        links = list(self._links.values())
        now: dict[str, float] = {
            "watchers": sum(len(watchers) for watchers in links),
            "gm_streams": sum(len(room.watchers) for room in list(self._versions.values())),
            "database_away": int(self.lookout.away),
        }
        if self.elsewhere is not None:
            now["bus_up"] = int(self.elsewhere.is_up())
        return self.counted.as_dict() | now

    def close(self) -> None:
        """End every stream, as before the server stops."""
        self._in_loop(self._end_all)

    # Coming and going

    def begin(self) -> None:
        """Let this loop be the one in which all of it happens, and hear of other processes."""
        if self._keeping:
            return
        self._loop = asyncio.get_running_loop()
        if self.elsewhere is not None:
            self.elsewhere.start()

    async def finish(self) -> None:
        """Let go of other processes, as when the server stops."""
        if self.elsewhere is not None:
            await self.elsewhere.stop()

    def enter_board(self, watcher: Watcher) -> None:
        """Let a player watch what the link shows."""
        assert watcher.seat is not None
        link, _, campaign_id, language = watcher.seat
        boards = self._boards.setdefault(campaign_id, {})
        board = boards.get(language)
        if board is None:
            read = partial(self._read, campaign_id, language)
            board = boards[language] = Board(read, self._retry, self.counted)
        self._links.setdefault(link, set()).add(watcher)
        self._enter(board, watcher)
        if board.event is None:
            board.refresh()

    def leave_board(self, watcher: Watcher) -> None:
        assert watcher.seat is not None
        link, _, campaign_id, language = watcher.seat
        boards = self._boards[campaign_id]
        if self._left(boards[language].watchers, watcher):
            del boards[language]
        if not boards:
            del self._boards[campaign_id]
        if self._left(self._links[link], watcher):
            del self._links[link]
        self._one_less()

    def enter_version(self, encounter_uuid: str, watcher: Watcher) -> Room:
        """Let a GM watch the version of an encounter; what is read of it goes into the room."""
        room = self._versions.setdefault(encounter_uuid, Room(self.counted))
        self._enter(room, watcher)
        return room

    def leave_version(self, encounter_uuid: str, watcher: Watcher) -> None:
        if self._left(self._versions[encounter_uuid].watchers, watcher):
            del self._versions[encounter_uuid]
        self._one_less()

    def _enter(self, room: Room, watcher: Watcher) -> None:
        if not self._keeping:
            self.begin()
            work = (self._beat(), self.lookout.keep(self._watched))
            self._keeping = [asyncio.create_task(task) for task in work]
        self._number += 1
        room.join(watcher)

    @staticmethod
    def _left(watchers: set[Watcher], watcher: Watcher) -> bool:
        """Whether nobody is there any more."""
        watchers.discard(watcher)
        return not watchers

    def _one_less(self) -> None:
        self._number -= 1
        if not self._number:
            for task in self._keeping:
                task.cancel()
            self._keeping = []
            self.lookout.away = False

    def _rooms(self) -> Iterator[Room]:
        boards = (languages.values() for languages in self._boards.values())
        return chain(chain.from_iterable(boards), self._versions.values())

    # News

    def hint(self, campaign_id: int, encounter_uuid: str) -> None:
        """Look at what has changed, as another process says."""
        self._refresh(campaign_id, time.monotonic())
        if encounter_uuid in self._versions:
            self._start(self.lookout.at(Watched(encounters=(encounter_uuid,))))

    def check_link(self, link_id: int) -> None:
        """Look whether a link that is watched here is still good; no board overtakes that."""
        if link_id in self._links:
            self._checking += 1
            self._start(self._check(link_id))

    async def _check(self, link_id: int) -> None:
        try:
            await self.lookout.at(Watched(links=(link_id,)))
        finally:
            self._checking -= 1

    def look_again(self) -> None:
        """Look at all that is watched here: news may have been missed."""
        if self._keeping:
            self._start(self.lookout.at(self._watched()))

    def counts(self) -> dict[int, tuple[int, int]]:
        """By link, its campaign and how many streams it has here."""
        return {
            link: (watcher.seat.campaign, len(watchers))
            for link, watchers in self._links.items()
            for watcher in [next(iter(watchers))]
            if watcher.seat is not None
        }

    def _announced(self, news: News, events: dict[str, Event], told: threading.Event) -> None:
        if self.elsewhere is not None:  # first: others have yet to read what is rendered here
            self.elsewhere.changed(news.campaign, news.encounter, news.version)
        telling = []
        for language, board in self._boards.get(news.campaign, {}).items():
            if language in events and not self._checking:
                telling.append(board.show(events[language], news.asked))
            elif news.shown is None or not board.is_at(news.shown.rev):
                board.refresh(news.asked)
        if news.encounter in self._versions:
            self._versions[news.encounter].publish(_version(news.version))
        asyncio.gather(*filter(None, telling), return_exceptions=True).add_done_callback(
            lambda _: told.set()
        )

    def _refresh(self, campaign_id: int, asked: float) -> None:
        for board in self._boards.get(campaign_id, {}).values():
            board.refresh(asked)

    def _link_closed(self, link_id: int) -> None:
        self.check_link(link_id)
        if self.elsewhere is not None:
            self.elsewhere.closed(link_id)

    def _end_all(self) -> None:
        for room in self._rooms():
            for watcher in list(room.watchers):
                watcher.end()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat)
            await self._beat_once()

    async def _beat_once(self) -> None:
        fine: list[Watcher] = []
        stale: list[Watcher] = []
        for room in self._rooms():
            (stale if self.lookout.away or room.stale else fine).extend(room.watchers)
        await in_batches(fine, lambda watcher: watcher.beat(HEARTBEAT))
        await in_batches(stale, lambda watcher: watcher.beat(STALE))

    # Reading

    async def _read(self, campaign_id: int, language: str) -> Event:
        return await asyncio.get_running_loop().run_in_executor(
            self._executor, self._read_event, campaign_id, language
        )

    def _read_event(self, campaign_id: int, language: str) -> Event:
        return board_event(*self._render(campaign_id, language))

    def _watched(self) -> Watched:
        return Watched(tuple(self._boards), tuple(self._versions), tuple(self._links))

    def _compare(self, watched: Watched, found: Found) -> None:
        """Make good what was not heard of."""
        for campaign, rev in found.revs.items():
            for board in self._boards.get(campaign, {}).values():
                if board.event is not None and board.event.rev != rev:
                    board.refresh()
        for encounter, version in found.versions.items():
            if encounter in self._versions:
                self._versions[encounter].publish(_version(version))
        for link in watched.links:
            open_one = found.generations.get(link)
            for watcher in list(self._links.get(link, ())):
                if open_one is None or (watcher.seat and watcher.seat.generation < open_one):
                    watcher.end(GONE)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _in_loop(self, work: Callable[..., None], *args: object) -> None:
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has just closed: nobody is left to tell
                loop.call_soon_threadsafe(work, *args)


def _version(number: int) -> Event:
    return Event.of("version", str(number), number)
