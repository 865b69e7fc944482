"""Who watches what in this process, and how news reaches them.

A board is rendered once for all who watch it in one language; each watcher has one slot, which
holds the newest event that it has not taken yet. Nothing is kept of what nobody watches.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from functools import partial

from .frames import HEARTBEAT, Event

BATCH = 50  # watchers told in one turn of the loop, so that a request never waits for them all
HEARTBEAT_EVERY = 15.0  # seconds
RETRY_AFTER = 2.0  # seconds until a board that could not be read is read again

Render = Callable[[int, str], tuple[int, str]]
"""From a campaign's id and a language to its `public_rev` and the fragment of its board."""

logger = logging.getLogger(__name__)


class Watcher:
    """One open stream: a slot for the newest event that it has not taken yet."""

    __slots__ = ("_ended", "_event", "_wake", "rev")

    def __init__(self, rev: int | None = None) -> None:
        self.rev = rev  # of the newest event that it has or was offered; None: it has none
        self._event: Event | None = None
        self._wake: asyncio.Future[None] | None = None
        self._ended = False

    def offer(self, event: Event) -> None:
        """Put the event in the slot, in place of an older one; one that it has is left out."""
        if event.rev != self.rev:
            self.rev = event.rev
            self._event = event
            self._rouse()

    def beat(self) -> None:
        """Offer a heartbeat, unless there is something better in the slot."""
        if self._event is None:
            self._event = HEARTBEAT
            self._rouse()

    def end(self) -> None:
        """From now on `next` answers None."""
        self._ended = True
        self._rouse()

    async def next(self) -> Event | None:
        """The event in the slot, as soon as there is one; None once the stream has to end."""
        while self._event is None and not self._ended:
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        event, self._event = self._event, None
        return None if self._ended else event

    def _rouse(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)


async def _in_batches(watchers: Iterable[Watcher], tell: Callable[[Watcher], None]) -> None:
    for number, watcher in enumerate(list(watchers), 1):
        tell(watcher)
        if number % BATCH == 0:
            await asyncio.sleep(0)


class Room:
    """Those who watch one thing, and the newest event about it."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self.event: Event | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def join(self, watcher: Watcher) -> None:
        """Let the watcher have the newest event now, and each one that follows."""
        self.watchers.add(watcher)
        if self.event is not None:
            watcher.offer(self.event)

    def publish(self, event: Event) -> None:
        """Send the event to all, unless they have it or a newer one."""
        if self.event is None or (event.rev or 0) > (self.event.rev or 0):
            self.event = event
            self._start(_in_batches(self.watchers, self._offer_newest))

    def _offer_newest(self, watcher: Watcher) -> None:
        if self.event is not None:
            watcher.offer(self.event)

    def _start(self, work: "Awaitable[None]") -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Board(Room):
    """Those who watch the board of one campaign in one language."""

    def __init__(self, render: Callable[[], Awaitable[tuple[int, str]]], retry: float) -> None:
        super().__init__()
        self._render = render
        self._retry = retry
        self._stale = False
        self._reading = False

    def refresh(self) -> None:
        """Read the board again; those who ask while it is read share the next reading."""
        self._stale = True
        if not self._reading:
            self._reading = True
            self._start(self._read())

    async def _read(self) -> None:
        try:
            while self._stale and self.watchers:
                self._stale = False
                await self._read_once()
        finally:
            self._reading = False

    async def _read_once(self) -> None:
        try:
            rev, html = await self._render()
        except Exception:
            logger.exception("The players' board could not be read; it is tried again")
            self._stale = True
            await asyncio.sleep(self._retry)
        else:
            self.publish(Event.of("board", html, rev))


class Hub:
    """All that is watched in this process. Its methods belong to the loop that serves the
    streams, but for `announce`, `watchers` and `close`, which any thread may call.
    """

    def __init__(
        self,
        render: Render,
        executor: Executor,
        *,
        heartbeat: float = HEARTBEAT_EVERY,
        retry: float = RETRY_AFTER,
    ) -> None:
        self._render = render
        self._executor = executor
        self._heartbeat = heartbeat
        self._retry = retry
        self._loop: asyncio.AbstractEventLoop | None = None  # None while nobody watches
        self._all: set[Watcher] = set()
        self._beating: asyncio.Task[None] | None = None
        self._boards: dict[int, dict[str, Board]] = {}  # by campaign, then language
        self._versions: dict[str, Room] = {}  # by encounter

    def __len__(self) -> int:
        return len(self._all)

    def announce(self, campaign_id: int, encounter_uuid: str, version: int) -> None:
        """Tell the open pages of a change. Call it after commit; it returns at once."""
        self._in_loop(self._announced, campaign_id, encounter_uuid, version)

    def watchers(self, campaign_id: int) -> int:
        """How many streams show this campaign's player page now."""
        boards = list(self._boards.get(campaign_id, {}).values())
        return sum(len(board.watchers) for board in boards)

    def close(self) -> None:
        """End every stream, as before the server stops."""
        self._in_loop(self._end_all)

    @contextmanager
    def watch_board(self, campaign_id: int, language: str, seen: int | None) -> Iterator[Watcher]:
        """Watch what players see of a campaign; `seen` is the `public_rev` the page shows."""
        boards = self._boards.setdefault(campaign_id, {})
        board = boards.get(language)
        if board is None:
            read = partial(self._read, campaign_id, language)
            board = boards[language] = Board(read, self._retry)
        watcher = Watcher(seen)
        self._enter(board, watcher)
        try:
            if board.event is None:
                board.refresh()
            yield watcher
        finally:
            if self._leave(board, watcher):
                del boards[language]
            if not boards:
                del self._boards[campaign_id]

    @contextmanager
    def watch_version(self, encounter_uuid: str) -> Iterator[tuple[Watcher, Room]]:
        """Watch the version of an encounter; what the caller reads of it goes into the room."""
        room = self._versions.setdefault(encounter_uuid, Room())
        watcher = Watcher()
        self._enter(room, watcher)
        try:
            yield watcher, room
        finally:
            if self._leave(room, watcher):
                del self._versions[encounter_uuid]

    def _enter(self, room: Room, watcher: Watcher) -> None:
        self._loop = asyncio.get_running_loop()
        self._all.add(watcher)
        if self._beating is None:
            self._beating = self._loop.create_task(self._beat())
        room.join(watcher)

    def _leave(self, room: Room, watcher: Watcher) -> bool:
        """Whether the room is empty now."""
        room.watchers.discard(watcher)
        self._all.discard(watcher)
        if not self._all and self._beating is not None:
            self._beating.cancel()
            self._beating = None
            self._loop = None
        return not room.watchers

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat)
            await _in_batches(self._all, Watcher.beat)

    async def _read(self, campaign_id: int, language: str) -> tuple[int, str]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self._render, campaign_id, language)

    def _announced(self, campaign_id: int, encounter_uuid: str, version: int) -> None:
        for board in self._boards.get(campaign_id, {}).values():
            board.refresh()
        room = self._versions.get(encounter_uuid)
        if room is not None:
            room.publish(Event.of("version", str(version), version))

    def _end_all(self) -> None:
        for watcher in self._all:
            watcher.end()

    def _in_loop(self, work: Callable[..., None], *args: object) -> None:
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has just closed: nobody is left to tell
                loop.call_soon_threadsafe(work, *args)
