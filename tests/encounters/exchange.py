"""Processes that hear of each other, in one: servers of their own over one table."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from encounters.live.bus import Bus
from tests.encounters.streaming import Show, Table, serving, until

Ears = tuple[asyncio.AbstractEventLoop, "asyncio.Queue[str | None]"]


class Exchange:
    """Carries what is published to all who listen, unless it is told not to."""

    def __init__(self) -> None:
        self.payloads: list[str] = []
        self.refused = 0  # times that somebody came while it was away
        self.loses_all = False  # what is published arrives nowhere, and nobody notices
        self._down = False
        self._ears: list[Ears] = []

    def cut(self) -> None:
        """Be away from now on."""
        self._down = True
        self._tell(None)

    def mend(self) -> None:
        self._down = False

    def publish(self, payload: str) -> None:
        self.check()
        self.payloads.append(payload)
        if not self.loses_all:
            self._tell(payload)

    def check(self) -> None:
        if self._down:
            self.refused += 1
            raise ConnectionError("the exchange is away")

    def listen(self, ears: Ears) -> None:
        self._ears.append(ears)

    def leave(self, ears: Ears) -> None:
        self._ears.remove(ears)

    def _tell(self, payload: str | None) -> None:
        for loop, queue in list(self._ears):
            loop.call_soon_threadsafe(queue.put_nowait, payload)


class ExchangeLine:
    """One process's way to it."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    async def connect(self) -> None:
        self._exchange.check()

    async def publish(self, payload: str) -> None:
        self._exchange.publish(payload)

    async def listen(self) -> AsyncGenerator[str | None, None]:
        self._exchange.check()
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        ears = (asyncio.get_running_loop(), queue)
        self._exchange.listen(ears)
        try:
            yield None
            while (payload := await queue.get()) is not None:
                yield payload
            raise ConnectionError("the exchange is away")
        finally:
            self._exchange.leave(ears)

    async def close(self) -> None:
        pass


class Process:
    """A show that begins and ends as the server does."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self.port = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await self.show.streams(scope, receive, send)
            return
        await receive()
        self.show.streams.begin()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.show.streams.finish()
        await send({"type": "lifespan.shutdown.complete"})


@contextmanager
def joined(
    exchange: Exchange, number: int = 2, *, look_every: float = 60, **options: Any
) -> Iterator[list[Process]]:
    """So many processes over one table, each of which hears the others."""
    table = Table()
    with ExitStack() as stack:
        processes = []
        for _ in range(number):
            show = Show(table, look_every=look_every, **options)
            show.hub.elsewhere = Bus(ExchangeLine(exchange), show.hub)
            process = Process(stack_shows(stack, show))
            process.port = stack.enter_context(serving(process))
            stack.callback(show.hub.close)
            processes.append(process)
        until(lambda: all(process.show.hub.figures()["bus_up"] for process in processes))
        yield processes


def stack_shows(stack: ExitStack, show: Show) -> Show:
    """The show, whose thread ends with the stack."""
    stack.enter_context(show.executor)
    return show
