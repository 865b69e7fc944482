"""How soon a change is on every open page, against a server that does nothing but send it.

    python benchmarks/watchers.py [--watchers 200] [--changes 40] [--gzip]

Two servers on loopback hold the same number of streams: the project's own, and a bare asyncio
one with the finished bytes at hand. They are told of a change in turn; the time is taken from
just before until the last watcher has the whole event. The board is a constant of 5.2 kB, so
that neither the rules nor the templates are measured. Bounded: it ends by itself.
"""

import argparse
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

BOARD = "".join(
    f'<li class="slot" id="slot-{n}"><b>Goblin {n}</b> <span>healthy</span> <i>prone</i>'
    f'<meter min="0" max="20" value="{n}"></meter> <em>{n * 7919 % 104729:06d} in the order</em>'
    "<small>healthy</small></li>\n"
    for n in range(1, 31)
)
REQUEST = "GET /j/T0KEN/live HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: {}\r\n\r\n"
HANG = 30  # seconds for one change, after which the run is given up


# The two servers


def serve_ours(_gzip: bool) -> None:
    """The project's hub and streams under uvicorn, over a table that is a constant."""
    import uvicorn

    from encounters.live.hub import Hub
    from encounters.live.rooms import Seat
    from encounters.live.streams import Streams

    rev = 0

    def render(_campaign_id: int, _language: str) -> tuple[int, str]:
        return rev, BOARD

    def change() -> None:
        nonlocal rev
        rev += 1
        hub.announce(1, "", rev)

    executor = ThreadPoolExecutor(1)
    hub = Hub(render, executor, heartbeat=3600)
    streams = Streams(
        hub, executor, lambda *_: Seat(1, 1, 1, "en"), lambda *_: 0, max_streams=100_000
    )
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    listen_to_orders(listener, change)
    config = uvicorn.Config(
        streams,
        ws="none",
        lifespan="off",
        log_level="critical",
        server_header=False,
        proxy_headers=False,
    )
    uvicorn.Server(config).run(sockets=[listener])


def serve_bare(gzip: bool) -> None:
    """A write of finished bytes to each connection, and nothing else."""
    from encounters.live.frames import Event

    event = Event.of("board", BOARD, 1)
    body = event.packed if gzip else event.plain
    chunk = b"%x\r\n%b\r\n" % (len(body), body)
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    watchers: set[asyncio.Transport] = set()

    class Stream(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport = transport

        def data_received(self, _data: bytes) -> None:
            self.transport.write(head + chunk)
            watchers.add(self.transport)

    def change() -> None:
        for watcher in watchers:
            watcher.write(chunk)

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        server = await loop.create_server(Stream, sock=listener)
        listen_to_orders(listener, lambda: loop.call_soon_threadsafe(change))
        await server.serve_forever()

    try:
        import uvloop
    except ImportError:
        asyncio.run(serve())
    else:
        uvloop.run(serve())


def listen_to_orders(listener: socket.socket, change: Callable[[], None]) -> None:
    """Say where the server is; make a change for each line read, and end with the last."""

    def listen() -> None:
        for _line in sys.stdin:
            change()
        os._exit(0)

    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=listen, daemon=True).start()


# The watchers


class Watcher(asyncio.Protocol):
    """Counts the events of one stream, each of which is one chunk."""

    def __init__(self, got_event: Callable[[], None], accepted: str) -> None:
        self._got_event = got_event
        self._accepted = accepted
        self._waiting = b""
        self._head = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.write(REQUEST.format(self._accepted).encode())

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        if self._head:
            _, found, rest = self._waiting.partition(b"\r\n\r\n")
            if not found:
                return
            self._head, self._waiting = False, rest
        while (end := self._waiting.find(b"\r\n")) > 0:
            whole = end + 2 + int(self._waiting[:end], 16) + 2
            if len(self._waiting) < whole:
                return
            if whole > 120:  # not the opening line, which has no board
                self._got_event()
            self._waiting = self._waiting[whole:]


class Side:
    """One of the servers and all who watch it."""

    def __init__(self, name: str, gzip: bool) -> None:
        command = [sys.executable, __file__, "--serve", name, *(["--gzip"] if gzip else [])]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.port = int(self.process.stdout.readline())
        self.accepted = "gzip" if gzip else "identity"
        self.times: list[float] = []  # milliseconds
        self.received = 0
        self.awaited = 0
        self.complete = asyncio.Event()

    def got_event(self) -> None:
        self.received += 1
        if self.received == self.awaited:
            self.complete.set()

    async def connect(self, watchers: int) -> None:
        loop = asyncio.get_running_loop()
        self.empty = self.memory()
        self.awaited = watchers
        for _ in range(watchers):
            await loop.create_connection(
                lambda: Watcher(self.got_event, self.accepted), "127.0.0.1", self.port
            )
        await self.all_have_it()
        self.full = self.memory()

    async def change(self, watchers: int) -> None:
        self.complete.clear()
        self.awaited = self.received + watchers
        begun = time.perf_counter()
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        await self.all_have_it()
        self.times.append((time.perf_counter() - begun) * 1000)

    async def all_have_it(self) -> None:
        async with asyncio.timeout(HANG):
            await self.complete.wait()

    def memory(self) -> int:
        """Resident kilobytes of the server, where the system tells."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0
        line = next(line for line in status.read_text().splitlines() if "VmRSS" in line)
        return int(line.split()[1])

    def end(self) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.process.stdout.close()


async def measure(watchers: int, changes: int, gzip: bool) -> None:
    sides = {name: Side(name, gzip) for name in SERVERS}
    try:
        for side in sides.values():
            await side.connect(watchers)
        for _ in range(changes):
            for side in sides.values():
                await side.change(watchers)
                await asyncio.sleep(0.02)  # let both fall silent
    finally:
        for side in sides.values():
            side.end()
    report(sides, watchers)


def report(sides: dict[str, Side], watchers: int) -> None:
    figures = {}
    for name, side in sides.items():
        cuts = statistics.quantiles(side.times, n=20)
        figures[name] = (statistics.median(side.times), cuts[18])
        each = (side.full - side.empty) / watchers
        print(
            f"{name:5} {watchers} watchers, last byte: p50 {figures[name][0]:6.1f} ms,"
            f" p95 {figures[name][1]:6.1f} ms; {each:.1f} kB for each watcher"
        )
    half, most = (ours / bare for ours, bare in zip(*figures.values(), strict=True))
    print(f"ratio to the bare server: p50 {half:.2f}, p95 {most:.2f}")


SERVERS = {"ours": serve_ours, "bare": serve_bare}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--changes", type=int, default=40)
    parser.add_argument("--gzip", action="store_true", help="as browsers ask for it")
    parser.add_argument("--serve", choices=SERVERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        import django

        django.setup()
        SERVERS[options.serve](options.gzip)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(QUI_VIVE_DATA=folder, DJANGO_SETTINGS_MODULE="config.settings")
        asyncio.run(measure(options.watchers, options.changes, options.gzip))


if __name__ == "__main__":
    main()
