"""The threads of pages: who waits is served in turn, and no thread is lost or taken for idle."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from config.threads import MOST_WAITING, Crowded, Threads

PATIENCE = 5  # seconds


def together(number: int, play: Callable[[Threads], Coroutine[Any, Any, None]]) -> None:
    """Play this with so many threads."""

    async def run() -> None:
        threads = Threads(number)
        async with asyncio.timeout(PATIENCE):
            await play(threads)

    asyncio.run(run())


def name() -> str:
    return threading.current_thread().name


def test_of_several_that_are_idle_the_one_that_was_at_work_last_is_next() -> None:
    async def play(threads: Threads) -> None:
        gate = threading.Barrier(4)

        def at_once() -> str:
            gate.wait()
            return name()

        assert len(set(await asyncio.gather(*[threads.run(at_once) for _ in range(4)]))) == 4
        assert len({await threads.run(name) for _ in range(8)}) == 1

    together(4, play)


def test_whoever_comes_while_others_wait_stands_behind_them() -> None:
    async def play(threads: Threads) -> None:
        served: list[int] = []
        tasks: list[asyncio.Task[None]] = []

        def come(number: int) -> None:
            tasks.append(asyncio.create_task(threads.run(served.append, number)))

        async def first() -> None:
            await threads.run(served.append, 0)
            for number in (4, 5):  # the thread has just become free for somebody else
                come(number)

        tasks.append(asyncio.create_task(first()))
        await asyncio.sleep(0)
        for number in (1, 2, 3):
            come(number)
        while len(served) < 6:
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        assert served == [0, 1, 2, 3, 4, 5]

    together(1, play)


def test_whoever_asks_for_much_keeps_others_waiting_for_one_answer_alone() -> None:
    async def play(threads: Threads) -> None:
        served: list[str] = []
        gate = threading.Event()
        tasks: list[asyncio.Task[Any]] = [asyncio.create_task(threads.run(gate.wait, PATIENCE))]
        await asyncio.sleep(0)
        for whose in (*["10.0.0.66"] * 50, "127.0.0.1", "10.0.0.7", "127.0.0.1"):
            tasks.append(asyncio.create_task(threads.run_for(whose, served.append, whose)))
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(*tasks)
        assert served[:5] == ["10.0.0.66", "127.0.0.1", "10.0.0.7", "10.0.0.66", "127.0.0.1"]
        assert len(served) == 53

    together(1, play)


def test_one_device_cannot_have_everything_waiting_for_it() -> None:
    async def play(threads: Threads) -> None:
        gate = threading.Event()
        asked = [threads.run_for("10.0.0.66", gate.wait, PATIENCE) for _ in range(150)]
        asked += [threads.run_for("127.0.0.1", gate.wait, PATIENCE) for _ in range(150)]
        tasks = [asyncio.create_task(one) for one in asked]
        await asyncio.sleep(0)
        gate.set()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in ended].count(Crowded) == 150 - MOST_WAITING - 1

    together(1, play)


def test_a_thread_nobody_waits_for_is_not_idle_until_it_has_done_its_work() -> None:
    async def play(threads: Threads) -> None:
        until = threading.Event()
        try:
            given_up = asyncio.create_task(threads.run(until.wait, PATIENCE))
            await asyncio.sleep(0)
            given_up.cancel()
            await asyncio.gather(given_up, return_exceptions=True)
            assert not until.is_set()
            await threads.run(name)  # in the other one
        finally:
            until.set()

    together(2, play)


def test_whoever_gives_up_at_the_very_moment_of_his_turn_costs_nobody_a_thread() -> None:
    async def play(threads: Threads) -> None:
        honest = threads._free

        def free(thread: ThreadPoolExecutor) -> None:
            honest(thread)
            late.cancel()

        threads._free = free  # type: ignore[method-assign]
        until = threading.Event()
        at_work = asyncio.create_task(threads.run(until.wait, PATIENCE))
        await asyncio.sleep(0)
        late, other = (asyncio.create_task(threads.run(name)) for _ in range(2))
        await asyncio.sleep(0)
        until.set()
        await asyncio.gather(at_work, late, return_exceptions=True)
        assert late.cancelled()
        assert await other

    together(1, play)
