"""Who watches one thing, and how its news reaches each of them.

A watcher is written to as soon as there is news, from where the news comes, as long as its
connection takes it at once. Only one that dawdles costs a task of its own, for as long as it
does; meanwhile it has one slot, which holds the newest event that it has not been sent.
"""

import asyncio
import logging
import time
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from .figures import Figures
from .frames import Event, Message, body

BATCH = 50  # watchers told in one turn of the loop, so that a request never waits for them all
FAREWELL = 1.0  # seconds that a stream has to take its end

Send = Callable[[Message], Coroutine[Any, Any, None]]
Receive = Callable[[], Awaitable[Any]]

logger = logging.getLogger(__name__)

_END = body(b"", more=False)


class Seat(NamedTuple):
    """What a player's link opens, and as which of its addresses."""

    link: int  # primary key
    generation: int
    campaign: int  # primary key
    language: str


class Watcher:
    """One open stream."""

    __slots__ = (
        "_ended", "_figures", "_life", "_line", "_send", "_slot", "_writing", "gzip", "rev", "seat",
    )  # fmt: skip

    def __init__(
        self,
        send: Send,
        figures: Figures,
        gzip: bool = False,
        rev: int | None = None,
        line: asyncio.Transport | None = None,
    ) -> None:
        self._send = send
        self._line = line  # that `send` writes to, if it is known
        self._figures = figures
        self.gzip = gzip
        self.rev = rev  # of the newest event that it has or was offered; None: it has none
        self.seat: Seat | None = None  # None for the GM
        self._slot: Event | None = None
        self._writing: asyncio.Task[None] | None = None  # while its connection is full
        self._life: asyncio.Timeout | None = None
        self._ended = False

    def offer(self, event: Event) -> None:
        """Send the event as soon as the connection takes it, unless there is a newer one by then.

        One that it has is left out.
        """
        if event.rev != self.rev and not self._ended:
            self.rev = event.rev
            self._put(event)

    def beat(self, event: Event) -> None:
        """Send an event without an id, unless there is something better to be sent."""
        if not self._ended and (self._slot is None or self._slot.rev is None):
            self._put(event)

    def end(self, last: Event | None = None) -> None:
        """Let the stream end, after this event if there is one."""
        if self._ended:
            return
        self._ended, self._slot = True, None
        if last is not None:
            self._put(last)
        if self._life is not None:
            with suppress(RuntimeError):  # its time was over just now
                self._life.reschedule(0)

    async def stay(self, receive: Receive, seconds: float) -> bool:
        """Wait until the stream is over: until its reader leaves, its time is up, or `end`.

        Whether it was the time.
        """
        try:
            with suppress(TimeoutError):
                # Not wait_for: up to Python 3.11 it can swallow a cancellation.
                async with asyncio.timeout(seconds) as self._life:
                    if self._ended:
                        self._life.reschedule(0)
                    while (await receive())["type"] != "http.disconnect":
                        pass  # a body nobody asked for
                    self._ended = True
                    return False
            old, self._ended = not self._ended, True
            await self._leave()
            return old
        finally:
            if self._writing is not None:
                self._writing.cancel()

    async def _leave(self) -> None:
        """Let what is on its way out get there, and say that this was all."""
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                if self._writing is not None:
                    await self._writing
                await self._send(_END)

    def _put(self, event: Event) -> None:
        if self._writing is not None:
            self._slot = event
        elif not self._written(event):
            self._begin(event)

    def _written(self, event: Event) -> bool:
        """Whether it went straight to the connection, which stands and takes it at once."""
        line = self._line
        try:
            if line is None or line.is_closing() or line.get_write_buffer_size():
                return False
            line.write(event.chunks[self.gzip])
        except Exception:
            self._failed()
        else:
            self._count(event)
        return True

    def _begin(self, event: Event) -> None:
        """Send it by way of the server, which may have to wait for the connection."""
        sending = self._send(event.messages[self.gzip])
        try:
            waits_for = sending.send(None)
        except StopIteration:
            self._count(event)
        except Exception:
            self._failed()
        else:
            writing = self._go_on(sending, waits_for, event)
            self._writing = asyncio.get_running_loop().create_task(writing)

    async def _go_on(
        self, sending: Coroutine[Any, Any, None], waits_for: Any, event: Event
    ) -> None:
        try:
            await _rest(sending, waits_for)
            self._count(event)
            while self._slot is not None:
                event, self._slot = self._slot, None
                await self._send(event.messages[self.gzip])
                self._count(event)
        except Exception:
            self._failed()
        finally:
            self._writing = None

    def _count(self, event: Event) -> None:
        self._figures.sent += 1
        self._figures.sent_bytes += len(event.packed if self.gzip else event.plain)

    def _failed(self) -> None:
        """One connection that breaks must not keep the others from their news."""
        logger.debug("A stream could not be written to", exc_info=True)
        self.end()


@types.coroutine
def _rest(begun: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """What is left of a coroutine that has begun and waits."""
    try:
        while True:
            try:
                yield waits_for
            except BaseException as error:  # for the coroutine that waits
                waits_for = begun.throw(error)
            else:
                waits_for = begun.send(None)
    except StopIteration:
        return
    finally:
        begun.close()


async def in_batches(watchers: Iterable[Watcher], tell: Callable[[Watcher], None]) -> None:
    """Tell all of them, and let others have their turn between."""
    for number, watcher in enumerate(list(watchers), 1):
        tell(watcher)
        if number % BATCH == 0:
            await asyncio.sleep(0)


class Room:
    """Those who watch one thing, and the newest event about it."""

    def __init__(self, figures: Figures) -> None:
        self.watchers: set[Watcher] = set()
        self.event: Event | None = None
        self.stale = False  # it cannot be read just now
        self._figures = figures
        self._tasks: set[asyncio.Task[None]] = set()

    def join(self, watcher: Watcher) -> None:
        """Let the watcher have the newest event now, and each one that follows."""
        self.watchers.add(watcher)
        if self.event is not None:
            watcher.offer(self.event)

    def publish(self, event: Event, asked: float | None = None) -> "asyncio.Task[None] | None":
        """Send the event to all if it is news; then the task that does is returned.

        `asked` is when somebody announced it, by the monotonic clock.
        """
        if self.event is not None and not self.is_news(event, self.event):
            return None
        self.event = event
        return self.start(self._tell_all(asked))

    def is_news(self, event: Event, known: Event) -> bool:
        """Numbers come from several places and may overtake each other: an older one is none."""
        return (event.rev or 0) > (known.rev or 0)

    async def _tell_all(self, asked: float | None) -> None:
        self._figures.offered += len(self.watchers)
        await in_batches(self.watchers, self._offer_newest)
        if asked is not None:
            self._figures.lagged(time.monotonic() - asked)

    def _offer_newest(self, watcher: Watcher) -> None:
        if self.event is not None:
            watcher.offer(self.event)

    def start(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Do the work beside the loop's other work."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
