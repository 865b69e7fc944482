"""A server and watchers on loopback, for tests of what goes over the wire."""

import asyncio
import codecs
import http.client
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from django.db import OperationalError
from django.http import HttpRequest

from config.lines import Protocol
from encounters.live.hub import Hub
from encounters.live.looking import Found, Watched
from encounters.live.reading import Refused
from encounters.live.rooms import Seat
from encounters.live.streams import Streams
from tests.processes import HANG

PATIENCE = 20.0  # seconds until a test that hangs is given up
ENCOUNTER = "11111111-2222-4333-8444-555555555555"
PLAYER = "/j/T0KEN/live?lang=en"
GM = f"/e/{ENCOUNTER}/live"


@dataclass(frozen=True)
class Got:
    """An event as a browser would see it."""

    event: str
    data: str
    id: str


class _Server(uvicorn.Server):
    """One that ends when it should: uvicorn itself looks every tenth of a second."""

    async def main_loop(self) -> None:
        await self.on_tick(0)
        while not self.should_exit:
            await asyncio.sleep(0.005)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        vars(uvicorn.server)["asyncio"] = _Hasty()
        try:
            await super().shutdown(sockets)
        finally:  # the true one, whoever else has just ended
            vars(uvicorn.server)["asyncio"] = asyncio


class _Hasty:
    """`asyncio`, but for those who sleep until they look again."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, _seconds: float) -> None:
        await asyncio.sleep(0.005)


@contextmanager
def serving(app: Any) -> Iterator[int]:
    """Serve the application from a thread; gives the port."""
    config = uvicorn.Config(
        app, http=Protocol, ws="none", log_config=None, timeout_graceful_shutdown=1
    )
    server = _Server(config)
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            until(lambda: server.started)
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


def until(condition: Callable[[], object]) -> None:
    """Wait for what has to come about sooner or later."""
    given_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < given_up, "it did not come about"
        time.sleep(0.005)


def ask(port: int, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    """An answer that is no stream."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(method, path, headers=headers)
    with connection.getresponse() as answer:
        if answer.headers["Content-Type"] != "text/event-stream":  # which would have no end
            answer.read()
    connection.close()
    return answer


class Browser:
    """One open stream and what it has received."""

    def __init__(self, port: int, path: str, **headers: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._connection.connect()
        self.socket = self._connection.sock
        self._connection.putrequest("GET", path, skip_accept_encoding=True)
        for name, value in headers.items():
            self._connection.putheader(name.replace("_", "-"), value)
        self._connection.endheaders()
        self.answer = self._connection.getresponse()
        self._gunzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._decode = codecs.getincrementaldecoder("utf-8")().decode  # a letter may come in parts
        self._text = ""
        self.retry = 0  # milliseconds
        self.cut_off = False  # the stream ended without its proper end

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.answer.close()
        self._connection.close()

    def next(self) -> Got | None:
        """The next event, or None at the end of the stream."""
        while True:
            block, complete, rest = self._text.partition("\n\n")
            if not complete:
                if not self._read():
                    return None
                continue
            self._text = rest
            fields = [line.partition(": ")[::2] for line in block.split("\n")]
            named = dict(fields)
            if "event" in named:
                data = "\n".join(value for name, value in fields if name == "data")
                return Got(named["event"], data, named.get("id", ""))
            self.retry = int(named["retry"])

    def news(self, *besides: str) -> str:
        """The name of the next event that is no heartbeat and none of these, with its data."""
        given_up = time.monotonic() + HANG  # heartbeats come for ever
        while (got := self.next()) is not None and time.monotonic() < given_up:
            if got.event not in ("hb", *besides):
                return f"{got.event}: {got.data}"
        raise AssertionError("the stream ended" if got is None else "there is no news")

    def _read(self) -> bool:
        try:
            read = self.answer.read1(65_536)
        except http.client.IncompleteRead:
            self.cut_off = True
            return False
        packed = self.answer.headers["Content-Encoding"] == "gzip"
        self._text += self._decode(self._gunzip.decompress(read) if packed else read)
        return bool(read)


@dataclass
class Table:
    """A campaign (number 1, link 7, T0KEN) and its encounter, standing in for the database."""

    rev: int = 1
    board: str = "<p>Lia</p>"
    version: int = 1
    gm_is_in: bool = True
    readings: list[str] = field(default_factory=list)  # the language of each board that was read
    faults: int = 0  # readings that will fail from now on
    is_away: bool = False  # nothing can be read
    generation: int | None = 1  # of the link; None: it is closed
    looks: list[Watched] = field(default_factory=list)

    def render(self, campaign_id: int, language: str) -> tuple[int, str]:
        self.readings.append(language)
        if self.faults:
            self.faults -= 1
            raise ConnectionError("the database is away")
        self._answer()
        return self.rev, f"{self.board}<p>{campaign_id} {language}</p>"

    def seat(self, request: HttpRequest, token: str) -> Seat:
        self._answer()
        if token != "T0KEN" or self.generation is None:
            raise Refused(404)
        return Seat(7, self.generation, 1, request.GET.get("lang", "en"))

    def version_for_gm(self, _request: HttpRequest, _uuid: str) -> int:
        self._answer()
        if not self.gm_is_in:
            raise Refused(403)
        return self.version

    def look(self, watched: Watched) -> Found:
        self.looks.append(watched)
        self._answer()
        return Found(
            dict.fromkeys(watched.campaigns, self.rev),
            dict.fromkeys(watched.encounters, self.version),
            {link: self.generation for link in watched.links if self.generation is not None},
        )

    def _answer(self) -> None:
        if self.is_away:
            raise OperationalError("the database is away")


class Show:
    """A table, its hub and its streams."""

    def __init__(
        self,
        table: Table | None = None,
        *,
        heartbeat: float = 60,
        retry: float = 0.01,
        look_every: float = 60,
        **limits: Any,
    ) -> None:
        self.table = table or Table()
        self.executor = ThreadPoolExecutor(1)
        self.hub = Hub(
            self.table.render,
            self.executor,
            self.table.look,
            heartbeat=heartbeat,
            retry=retry,
            look_every=look_every,
        )
        self.streams = Streams(
            self.hub, self.executor, self.table.seat, self.table.version_for_gm, **limits
        )

    def change(self, board: str) -> None:
        """A step that the players can see, from a thread that is not the server's."""
        self.table.board, self.table.rev = board, self.table.rev + 1
        self.step()

    def step(self) -> None:
        """A step that only the GM can see."""
        self.table.version += 1
        self.hub.announce(1, ENCOUNTER, self.table.version)


@contextmanager
def showing(**options: Any) -> Iterator[tuple[Show, int]]:
    """A show and the port of its server."""
    show = Show(**options)
    with show.executor, serving(show.streams) as port:
        yield show, port
        show.hub.close()


async def in_process(show: Show, path: str, address: str, sent: list[Any]) -> None:
    """One stream without a server: its client never leaves."""

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [],
        "client": (address, 50_000),
    }
    await show.streams(scope, receive, send)
