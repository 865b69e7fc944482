"""A few threads for what must not run in the event loop."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """Who waits for one is served in turn. Of several that are idle it is the one that was at work
    last: it, and its database connection, have all at hand.

    All but `in_each` belongs to one event loop.
    """

    def __init__(self, number: int) -> None:
        self._all = [ThreadPoolExecutor(1, f"pages-{n}") for n in range(number)]
        self._idle = list(self._all)
        self._waiting: deque[asyncio.Future[ThreadPoolExecutor]] = deque()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a call in a thread, which works on even if nobody waits for it any more."""
        loop = asyncio.get_running_loop()
        thread = self._idle.pop() if self._idle else await self._turn(loop)
        call = thread.submit(partial(work, *args, **kwargs))
        call.add_done_callback(lambda _: _soon(loop, self._free, thread))
        return await asyncio.wrap_future(call)

    def in_each(self, work: Callable[[], object], seconds: float) -> None:
        """Do this in all of them, and wait at most so long."""
        wait([thread.submit(work) for thread in self._all], timeout=seconds)

    async def _turn(self, loop: asyncio.AbstractEventLoop) -> ThreadPoolExecutor:
        turn: asyncio.Future[ThreadPoolExecutor] = loop.create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came too late
                self._free(turn.result())
            raise

    def _free(self, thread: ThreadPoolExecutor) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(thread)
                return
        self._idle.append(thread)


def _soon(loop: asyncio.AbstractEventLoop, work: Callable[..., object], *args: Any) -> None:
    with suppress(RuntimeError):  # the loop has just closed
        loop.call_soon_threadsafe(work, *args)
