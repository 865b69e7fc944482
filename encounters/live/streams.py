"""The live streams as a plain ASGI application: one task and no thread for each open page.

No middleware of Django's reaches it, so the checks of host, link, session and number, and the
headers, are made here.
"""

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from contextlib import suppress
from io import BytesIO
from typing import Any

from a2wsgi.wsgi import build_environ
from django.core.handlers.wsgi import WSGIRequest
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest

from config.headers import GM_HEADERS, PLAYER_HEADERS, transport_security
from config.lines import is_near, line_of

from .frames import GZIP_HEADER, Event, Message, body, packed
from .hub import Hub
from .reading import Away, Refused
from .rooms import Receive, Seat, Send, Watcher

Scope = dict[str, Any]

PLAYER_PATH = re.compile(r"/[jJ]/([0-9A-Za-z]{1,64})/live")
GM_PATH = re.compile(r"/e/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/live")

MAX_STREAMS = 2_500  # of players, in this process
MAX_STREAMS_OF_ADDRESS = 40  # of one address other than this computer's
MAX_AGE = 600.0  # seconds, give or take a fifth: a phone that fell silent is let go
OPENED_AGAIN = 500, 2_500  # milliseconds after the end of a stream, between these
LONGEST_ASKING = 5.0  # seconds until a stream about which the database is silent is refused
LONGEST_WAITING = 8.0  # seconds; a page gives an attempt up after ten
SEATED_AT_ONCE = 4  # so that the boards of those who are there need not wait for a whole crowd


class Streams:
    """Answers `/j/<token>/live` and `/e/<uuid>/live`, and nothing else.

    `seat` and `version` are asked in the executor; both may raise Refused.
    """

    def __init__(
        self,
        hub: Hub,
        executor: Executor,
        seat: Callable[[HttpRequest, str], Seat],
        version: Callable[[HttpRequest, str], int],
        *,
        max_streams: int = MAX_STREAMS,
        max_of_address: int = MAX_STREAMS_OF_ADDRESS,
        max_age: float = MAX_AGE,
    ) -> None:
        self._hub = hub
        self._executor = executor
        self._seat = seat
        self._version = version
        self._max_streams = max_streams
        self._max_of_address = max_of_address
        self._max_age = max_age
        self._turns = asyncio.Semaphore(SEATED_AT_ONCE)
        self._addresses: Counter[str] = Counter()
        self._taken = 0  # by players, who may still be waiting for their seat

    def begin(self) -> None:
        """Hear of other processes from now on, in this loop."""
        self._turns = asyncio.Semaphore(SEATED_AT_ONCE)
        self._executor.submit(int)  # its thread is there from the first to the last watcher
        self._hub.begin()

    def end(self) -> None:
        """End every stream; any thread may call this."""
        self._hub.close()

    async def finish(self) -> None:
        """Tell other processes that nobody watches here any more."""
        await self._hub.finish()

    @staticmethod
    def takes(path: str) -> bool:
        """Whether the path is that of a stream."""
        return bool(PLAYER_PATH.fullmatch(path) or GM_PATH.fullmatch(path))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        player = PLAYER_PATH.fullmatch(scope["path"])
        gm = GM_PATH.fullmatch(scope["path"])
        try:
            if scope["method"] != "GET":
                raise Refused(405)
            if player:
                await self._to_player(player[1], scope, receive, send)
            elif gm:
                await self._to_gm(gm[1], scope, receive, send)
        except Refused as refused:
            self._hub.counted.refused += bool(player) and refused.status == 503
            await refuse(refused.status, PLAYER_HEADERS if player else GM_HEADERS, send)

    async def _to_player(self, token: str, scope: Scope, receive: Receive, send: Send) -> None:
        address = scope["client"][0] if scope.get("client") else ""
        self._take_place(address)
        try:
            seat, gzip, rev = await self._seated(scope, token)
            scope["headers"].clear()  # thousands of streams need not each keep theirs
            watcher = Watcher(send, self._hub.counted, gzip, rev, line_of(scope))
            watcher.seat = seat
            await send(_start(200, _stream_headers(PLAYER_HEADERS, watcher.gzip)))
            await send(_opening(watcher.gzip))
            self._hub.counted.opened += 1
            self._hub.enter_board(watcher)
            try:
                grew_old = await watcher.stay(receive, self._age())
                self._hub.counted.aged += grew_old
            finally:
                self._hub.leave_board(watcher)
        finally:
            self._leave_place(address)

    async def _seated(self, scope: Scope, token: str) -> tuple[Seat, bool, int | None]:
        """Where the link leads, and the browser's wishes; a crowd waits in line for it."""

        def seat() -> tuple[Seat, bool, int | None]:
            request = _request(scope)  # here, since as long as it waits this would be kept
            return self._seat(request, token), *_wishes(request)

        came = time.monotonic()
        async with self._turns:
            if time.monotonic() - came > LONGEST_WAITING:
                raise Away  # and so has the page
            return await self._ask(seat)  # type: ignore[no-any-return]

    async def _to_gm(self, uuid: str, scope: Scope, receive: Receive, send: Send) -> None:
        request = _request(scope)

        async def checked(message: Message) -> None:
            """Send it, unless the GM has left, or the encounter is gone, in the meantime."""
            await asyncio.sleep(0)  # from here on in a task of its own, which may run out of time
            try:
                await self._ask(self._version, request, uuid)
            except Away:
                pass  # which is no reason to go, and there is nothing to be seen
            except Refused:
                watcher.end()
                return
            await send(message)

        await self._ask(self._version, request, uuid)
        gzip, _ = _wishes(request)
        watcher = Watcher(checked, self._hub.counted, gzip)
        await send(_start(200, _stream_headers(GM_HEADERS, gzip)))
        await send(_opening(gzip))
        room = self._hub.enter_version(uuid, watcher)
        try:
            with suppress(Refused):  # which is found out again before anything is sent
                version = await self._ask(self._version, request, uuid)
                room.publish(Event.of("version", str(version), version))
            grew_old = await watcher.stay(receive, self._age())
            self._hub.counted.aged += grew_old
        finally:
            self._hub.leave_version(uuid, watcher)

    def _age(self) -> float:
        return self._max_age * random.uniform(0.8, 1.2)

    async def _ask(self, function: Callable[..., Any], *args: object) -> Any:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(LONGEST_ASKING):
                return await loop.run_in_executor(self._executor, function, *args)
        except (TimeoutError, DatabaseError, InterfaceError) as error:
            raise Away from error

    def _take_place(self, address: str) -> None:
        """Take one of the streams that this process, and this address, may have."""
        of_address = 0 if is_near(address) else self._addresses[address]
        if self._taken >= self._max_streams or of_address >= self._max_of_address:
            raise Refused(503)
        self._taken += 1
        self._addresses[address] += 1

    def _leave_place(self, address: str) -> None:
        self._taken -= 1
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]


async def refuse(
    status: int, headers: dict[str, str], send: Send, meanwhile: Awaitable[None] | None = None
) -> None:
    """Answer with a status, these headers and no words, and end when `meanwhile` has ended."""
    more = {"Content-Length": "0", **({"Allow": "GET"} if status == 405 else {})}
    await send(_start(status, headers | more))
    if meanwhile is not None:
        await meanwhile
    await send(body(b"", more=False))


def _request(scope: Scope) -> HttpRequest:
    """The request as Django's views would see it behind the bridge."""
    return WSGIRequest(build_environ(scope, BytesIO()))  # type: ignore[arg-type]


def _wishes(request: HttpRequest) -> tuple[bool, int | None]:
    """Whether the browser takes gzip, and the id of the event that it says it has."""
    text = request.headers.get("Last-Event-ID", "")
    return _accepts_gzip(request), int(text) if text.isdecimal() and len(text) <= 10 else None


def _accepts_gzip(request: HttpRequest) -> bool:
    for part in request.headers.get("Accept-Encoding", "").lower().split(","):
        name, _, parameter = part.partition(";")
        if name.strip() == "gzip":
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", parameter)
    return False


def _opening(gzip: bool) -> Message:
    """What a stream begins with: how long its browser waits before it opens it again.

    Each waits for a time of its own, so that those who were cut off together do not come
    back together.
    """
    retry = f"retry: {random.randint(*OPENED_AGAIN)}\n\n".encode()
    return body(GZIP_HEADER + packed(retry) if gzip else retry)


def _stream_headers(headers: dict[str, str], gzip: bool) -> dict[str, str]:
    own = {
        "Content-Type": "text/event-stream",
        "Cache-Control": "private, no-store, no-transform",
        "Vary": "Accept-Encoding",
        "X-Accel-Buffering": "no",
    }
    return headers | own | ({"Content-Encoding": "gzip"} if gzip else {})


def _start(status: int, headers: dict[str, str]) -> Message:
    bound = headers | transport_security()
    encoded = [(name.lower().encode(), value.encode()) for name, value in bound.items()]
    return {"type": "http.response.start", "status": status, "headers": encoded}
