"""A few threads for what must not run in the event loop."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from typing import Any, ParamSpec, TypeVar

from config.lines import is_near

P = ParamSpec("P")
T = TypeVar("T")


MOST_WAITING = 60  # of one other computer: each is a page and its body in memory


class Crowded(Exception):
    """Too many of one wait already."""


class Threads:
    """Who waits for one is served in turn: of several addresses each in turn, and of each its
    first. Whatever one device asks for, others wait for one answer to it, not for all of them.

    Of several that are idle it is the one that was at work last: it, and its database connection,
    have all at hand.

    All but `in_each` belongs to one event loop.
    """

    def __init__(self, number: int) -> None:
        self._all = [ThreadPoolExecutor(1, f"pages-{n}") for n in range(number)]
        self._idle = list(self._all)
        self._waiting: dict[str, deque[asyncio.Future[ThreadPoolExecutor]]] = {}

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a call in a thread, which works on even if nobody waits for it any more."""
        return await self.run_for("", work, *args, **kwargs)

    async def run_for(
        self, whose: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The same for somebody at an address; raises Crowded."""
        loop = asyncio.get_running_loop()
        thread = self._idle.pop() if self._idle else await self._turn(loop, whose)
        call = thread.submit(partial(work, *args, **kwargs))
        call.add_done_callback(lambda _: _soon(loop, self._free, thread))
        return await asyncio.wrap_future(call)

    def in_each(self, work: Callable[[], object], seconds: float) -> None:
        """Do this in all of them, and wait at most so long."""
        wait([thread.submit(work) for thread in self._all], timeout=seconds)

    async def _turn(self, loop: asyncio.AbstractEventLoop, whose: str) -> ThreadPoolExecutor:
        turn: asyncio.Future[ThreadPoolExecutor] = loop.create_future()
        turns = self._waiting.setdefault(whose, deque())
        if len(turns) >= MOST_WAITING and not is_near(whose):
            raise Crowded
        turns.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came too late
                self._free(turn.result())
            raise

    def _free(self, thread: ThreadPoolExecutor) -> None:
        while self._waiting:
            whose = next(iter(self._waiting))
            turns = self._waiting.pop(whose)
            turn = turns.popleft()
            if turns:
                self._waiting[whose] = turns  # behind the others
            if not turn.done():
                turn.set_result(thread)
                return
        self._idle.append(thread)


def _soon(loop: asyncio.AbstractEventLoop, work: Callable[..., object], *args: Any) -> None:
    with suppress(RuntimeError):  # the loop has just closed
        loop.call_soon_threadsafe(work, *args)
