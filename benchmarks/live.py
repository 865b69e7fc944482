"""How soon a turn is on every open page, against a server that does nothing but send it.

    python benchmarks/live.py [--watchers 100 500 1000 5000] [--changes 40] [--combatants 30]

Two servers on loopback hold the same number of streams, watched from this process: the project's
own with a running fight, whose GM presses *Next turn*, and a bare asyncio one that answers a
request by sending the same bytes to all. They are asked in turn. The time is taken from the
request until each watcher has its whole event, the action included; every watcher's final state
is checked. Then memory and threads for idle watchers. Bounded: it ends by itself.
"""

import argparse
import asyncio
import os
import resource
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.live_watchers import Side

WARM = 5  # changes before those that count
PAUSE = 0.05  # seconds of silence between two changes


async def measure(counts: list[int], changes: int, combatants: int) -> None:
    with tempfile.TemporaryDirectory(prefix="qui-vive-") as folder:
        data, event = Path(folder) / "data", Path(folder) / "event"
        settings = {"QUI_VIVE_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
        ours = Side("ours", str(combatants), settings)
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
            _idle(ours, bare)
        finally:
            for side in sides:
                side.end()


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
    states = "one" if len(side.final_states()) == 1 else "DIFFERENT"
    print(
        f"{count:6} {side.name:5} {cuts[9]:8.1f} {cuts[18]:7.1f} {last:9.1f} {cpu:16.1f} "
        f"{side.bytes / max(side.events, 1):6.0f}  {states}"
    )
    return cuts[18], last, cpu


def _idle(ours: Side, bare: Side) -> None:
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
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.environ.pop("QUI_VIVE_DATA", None)
    asyncio.run(measure(options.watchers, options.changes, options.combatants))


if __name__ == "__main__":
    main()
