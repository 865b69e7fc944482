"""The load of `live.py`: pages that watch, each of which keeps the last event whole."""

import asyncio
import json
import os
import re
import subprocess
import sys
import zlib
from array import array
from pathlib import Path
from time import perf_counter
from urllib.request import urlopen
from uuid import uuid4

from benchmarks.live_servers import request
from benchmarks.presses import parts_of

HANG = 60  # seconds for one change, after which the run is given up
OPENING = 120  # bytes; a longer chunk than this is a board


class Watcher(asyncio.Protocol):
    """One stream: each chunk of a board's length is an event."""

    def __init__(self, side: "Side") -> None:
        self.side = side
        self.last = b""
        self._waiting = b""
        self._head = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(
            f"GET {self.side.stream} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            "Accept-Encoding: gzip\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        waiting = self._waiting + data if self._waiting else data
        if self._head:
            _, found, rest = waiting.partition(b"\r\n\r\n")
            if not found:
                self._waiting = waiting
                return
            self._head, waiting = False, rest
        while (end := waiting.find(b"\r\n")) > 0:
            size = int(waiting[:end], 16)
            whole = end + 2 + size + 2
            if len(waiting) < whole:
                break
            if size > OPENING:
                self.last = waiting[end + 2 : whole - 2]
                self.side.got_event(size)
            waiting = waiting[whole:]
        self._waiting = waiting


class Actor(asyncio.Protocol):
    """The GM's connection: one request after another on it."""

    def __init__(self) -> None:
        self.answered = asyncio.Event()
        self._got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def act(self, message: bytes) -> None:
        self.answered.clear()
        self._got = b""
        self.transport.write(message)

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, found, body = self._got.partition(b"\r\n\r\n")
        if not found:
            return
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            raise SystemExit(f"refused: {head[:80]!r}")
        said = re.search(rb"(?i)content-length: *(\d+)", head)
        if len(body) >= int(said[1]) if said else body.endswith(b"0\r\n\r\n"):
            self.body = body
            self.answered.set()


class Side:
    """One of the servers, and all who watch it."""

    def __init__(self, name: str, argument: str, environment: dict[str, str] | None = None) -> None:
        command = [sys.executable, str(Path(__file__).with_name("live_servers.py")), name, argument]
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})},
        )  # fmt: skip
        told = json.loads(self.process.stdout.readline())
        self.port, self.stream, self.path = told["port"], told["stream"], told["act"]
        self.version, self._told = told.get("version", 0), told
        self.parts = ""  # that the GM's page has
        self.watchers: list[Watcher] = []
        self.times = array("d")  # milliseconds from the request to each watcher's last byte
        self.actions = array("d")  # milliseconds from the request to its own answer
        self.bytes = 0
        self.events = 0
        self.began = 0.0
        self.left = 0
        self.complete = asyncio.Event()

    def got_event(self, size: int) -> None:
        self.bytes += size
        self.events += 1
        if self.began:
            self.times.append((perf_counter() - self.began) * 1_000)
        self.left -= 1
        if not self.left:
            self.complete.set()

    async def watch(self, number: int) -> None:
        """Open streams until there are `number` of them, each with its board."""
        loop = asyncio.get_running_loop()
        self.began = 0.0
        while (missing := number - len(self.watchers)) > 0:
            some = min(missing, 100)
            self._await(some)
            for _ in range(some):
                _, watcher = await loop.create_connection(
                    lambda: Watcher(self), "127.0.0.1", self.port
                )
                self.watchers.append(watcher)
            await self._all_have_it()

    async def enter(self) -> None:
        """Open the GM's connection."""
        _, self.actor = await asyncio.get_running_loop().create_connection(
            Actor, "127.0.0.1", self.port
        )

    async def change(self) -> None:
        """One action, until its answer and the last watcher's event are there."""
        message = b"POST /act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n"
        if "csrf" in self._told:
            key, cookies, csrf = str(uuid4()), self._told["cookies"], self._told["csrf"]
            message = request(self.path, self.version, key, cookies, csrf, self.parts)
        self._await(len(self.watchers))
        self.began = perf_counter()
        self.actor.act(message)
        async with asyncio.timeout(HANG):
            await self.actor.answered.wait()
        self.actions.append((perf_counter() - self.began) * 1_000)
        if self.watchers:
            await self._all_have_it()
        if "csrf" in self._told:
            self.parts = parts_of(self.actor.body)
        self.version += 1

    def leave(self) -> None:
        """All who watch go, without a word."""
        for watcher in self.watchers:
            watcher.transport.abort()
        self.watchers = []

    def stop_reading(self, number: int) -> None:
        self.stalled = self.watchers[:number]
        self.watchers = self.watchers[number:]
        for watcher in self.stalled:
            watcher.transport.pause_reading()

    async def read_again(self) -> None:
        """Until each of those who had stopped has the event that the others have."""
        for watcher in self.stalled:
            watcher.transport.resume_reading()
        self.watchers += self.stalled
        async with asyncio.timeout(HANG):
            while len({watcher.last for watcher in self.watchers}) > 1:
                await asyncio.sleep(0.05)

    def final_states(self) -> set[bytes]:
        """What the watchers have at the end, decompressed."""
        return {zlib.decompressobj(-zlib.MAX_WBITS).decompress(w.last) for w in self.watchers}

    def is_right(self) -> bool:
        """Whether all watchers have one board, and that which the server answers when asked."""
        states = self.final_states()
        if "csrf" not in self._told:
            return len(states) == 1
        with urlopen(
            f"http://127.0.0.1:{self.port}{self.stream.replace('/live', '/board')}"
        ) as page:
            asked = page.read()
        lines = [line.partition(b": ")[2] for line in b"".join(states).split(b"\n")[2:]]
        return len(states) == 1 and b"\n".join(lines).strip() == asked.strip()

    def cpu(self) -> float:
        """Seconds of processor that the server has used, with its other processes if any."""
        return sum(_cpu(pid) for pid in _family(self.process.pid))

    def status(self, name: str) -> int:
        """A number of the server's status: VmRSS in kB, Threads."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
        raise KeyError(name)

    def sockets(self) -> int:
        """Open sockets of the server."""
        found = Path(f"/proc/{self.process.pid}/fd").iterdir()
        return sum(str(one.readlink()).startswith("socket:") for one in found if one.is_symlink())

    def end(self) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.process.stdout.close()

    def _await(self, events: int) -> None:
        self.left = events
        self.complete.clear()

    async def _all_have_it(self) -> None:
        async with asyncio.timeout(HANG):
            await self.complete.wait()


def _cpu(pid: int) -> float:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((one / "schedstat").read_text().split()[0]) for one in threads) / 1e9


def _family(pid: int) -> list[int]:
    """A process and those that it has started, and so on."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in _family(int(child)))]
