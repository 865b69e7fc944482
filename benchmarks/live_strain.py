"""What watchers who misbehave cost: thousands who come and go, and phones that stop reading.

    python benchmarks/live_strain.py [--visits 6000] [--stalled 50] [--changes 400]

The project's own server on loopback with a running fight. First streams are opened and dropped, a
hundred at a time: the memory must not grow once the first thousand are gone. Then of a hundred
watchers half stop reading while the GM presses *Next turn*, and read again at the end: all must
have the final state. What as many turns cost while everybody reads is no part of that. Bounded: it
ends by itself.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.live_watchers import Side

AT_ONCE = 100
SETTLE = 1.0  # seconds in which the server notices who has left


async def churn(side: Side, visits: int) -> None:
    before = 0
    for done in range(AT_ONCE, visits + 1, AT_ONCE):
        await side.watch(AT_ONCE)
        side.leave()
        if done == 1_000:
            await asyncio.sleep(SETTLE)
            before = side.status("VmRSS")
    await asyncio.sleep(SETTLE)
    grown = side.status("VmRSS") - before
    print(f"{visits} visits: {grown / 1024:+.1f} MB after the first 1,000; "
          f"{side.sockets()} sockets left, {side.status('Threads')} threads")  # fmt: skip


async def stall(side: Side, stalled: int, changes: int) -> None:
    await side.watch(AT_ONCE)
    for _ in range(changes):
        await side.change()
    before = side.status("VmRSS")
    side.stop_reading(stalled)
    for _ in range(changes):
        await side.change()
    more = side.status("VmRSS") - before
    await side.read_again()
    states = len(side.final_states())
    print(f"{stalled} of {AT_ONCE} stalled for {changes} changes: {more / 1024:+.1f} MB; "
          f"final states: {'one' if states == 1 else states}")  # fmt: skip


async def run(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="qui-vive-") as folder:
        settings = {"QUI_VIVE_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        side = Side("ours", "30", settings)
        try:
            await side.enter()
            await churn(side, options.visits)
            await stall(side, options.stalled, options.changes)
        finally:
            side.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--visits", type=int, default=6_000)
    parser.add_argument("--stalled", type=int, default=50)
    parser.add_argument("--changes", type=int, default=400)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
