"""How soon a turn is on every open page, against a server that does nothing but send it.

    python benchmarks/live.py [--watchers 100 500 1000 5000] [--changes 40] [--combatants 30]
        [--two]

Two servers on loopback hold the same number of streams, watched from this process: the project's
own with a running fight, whose GM presses *Next turn*, and a bare asyncio one that answers a
request by sending the same bytes to all. They are asked in turn. The time is taken from the
request until each watcher has its whole event, the action included; every watcher's final state
is checked. The watchers' loop is of the servers' own kind: Python's would need longer for an event
than they do. Then memory and threads for idle watchers. With `--two` the project is two processes
on a PostgreSQL and a Redis of their own. Bounded: it ends by itself.
"""

import argparse
import asyncio
import os
import resource
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.live_servers import run
from benchmarks.live_watchers import Side

WARM = 5  # changes before those that count
PAUSE = 0.05  # seconds of silence between two changes


async def measure(counts: list[int], changes: int, combatants: int, two: bool) -> None:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="qui-vive-"))
        data, event = Path(folder) / "data", Path(folder) / "event"
        settings = {"QUI_VIVE_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
        if two:
            settings |= _shared_servers(stack)
        ours = Side("several" if two else "ours", str(combatants), settings)
        sides = [ours]
        try:
            await ours.enter()
            empty = await _alone(ours, changes)
            await ours.watch(1)
            event.write_bytes(ours.watchers[0].last)
            bare = Side("bare", str(event))
            sides.append(bare)
            await bare.enter()
            await bare.watch(1)
            print("watchers       p50 ms  p95 ms  last p95  CPU µs/delivery  bytes  final states")
            for count in counts:
                await _compare(ours, bare, count, changes, empty)
            if not two:
                _idle(ours)
        finally:
            for side in sides:
                side.end()


def _shared_servers(stack: ExitStack) -> dict[str, str]:
    from config.components import POSTGRESQL, REDIS
    from tests.scale.servers import PostgreSQL, RedisServer

    rows = stack.enter_context(PostgreSQL(POSTGRESQL.find()))
    return {
        "DATABASE_URL": rows.url,
        "REDIS_URL": stack.enter_context(RedisServer(REDIS.find())).url,
    }


async def _alone(ours: Side, changes: int) -> float:
    """The action without watchers: its processor time in seconds, printed with the rest."""
    for _ in range(WARM):
        await ours.change()
    ours.idle = ours.status("VmRSS"), ours.status("Threads")
    used, begun = ours.cpu(), len(ours.actions)
    for _ in range(max(changes, 100)):
        await ours.change()
    each = (ours.cpu() - used) / max(changes, 100)
    middle = statistics.median(ours.actions[begun:])
    print(f"the action alone: {middle:.1f} ms, {each * 1_000:.1f} ms of processor")
    return each


async def _compare(ours: Side, bare: Side, count: int, changes: int, empty: float) -> None:
    for side in (ours, bare):
        await side.watch(count)
        await side.enter()  # again: a connection that was idle meanwhile is closed
        for _ in range(WARM):
            await side.change()
        del side.times[:]
        side.last: list[float] = []
        side.used, side.bytes, side.events = 0.0, 0, 0
    for _ in range(changes):
        for side in (ours, bare):
            await asyncio.sleep(PAUSE)
            begun, before = side.cpu(), len(side.times)
            await side.change()
            side.last.append(max(side.times[before:]))
            await asyncio.sleep(0.01)
            side.used += side.cpu() - begun
    figures = [_report(side, count, changes) for side in (ours, bare)]
    p95, last, cpu = (a / b for a, b in zip(*figures, strict=True))
    without = max(figures[0][2] - empty / count * 1e6, 0) / figures[1][2]
    print(
        f"      ratio to the bare server: p95 {p95:.2f}, last byte {last:.2f}, "
        f"CPU {cpu:.2f} ({without:.2f} without the action)"
    )


def _report(side: Side, count: int, changes: int) -> tuple[float, float, float]:
    cuts = statistics.quantiles(side.times, n=20)
    last = statistics.quantiles(side.last, n=20)[18]
    cpu = side.used / (count * changes) * 1e6
    states = "right" if side.is_right() else "WRONG"
    print(
        f"{count:6} {side.name:7} {cuts[9]:8.1f} {cuts[18]:7.1f} {last:9.1f} {cpu:16.1f} "
        f"{side.bytes / max(side.events, 1):6.0f}  {states}"
    )
    return cuts[18], last, cpu


def _idle(ours: Side) -> None:
    memory, threads = ours.idle
    more = (ours.status("VmRSS") - memory) / len(ours.watchers)
    print(
        f"{len(ours.watchers)} watchers: {more:.1f} kB of memory each; "
        f"threads {threads} without, {ours.status('Threads')} with them"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--watchers", type=int, nargs="+", default=[100, 500, 1000, 5000])
    parser.add_argument("--changes", type=int, default=40)
    parser.add_argument("--combatants", type=int, default=30)
    parser.add_argument("--two", action="store_true", help="two processes with Redis")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.environ.pop("QUI_VIVE_DATA", None)
    run(measure(options.watchers, options.changes, options.combatants, options.two))


if __name__ == "__main__":
    main()
