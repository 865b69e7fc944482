"""The live streams as a plain ASGI application: one task and no thread for each open page.

No middleware of Django's reaches it, so the checks of host, link, session and number, and the
headers, are made here.
"""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from contextlib import suppress
from io import BytesIO
from ipaddress import ip_address
from typing import Any

from a2wsgi.wsgi import build_environ
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest

from config.headers import GM_HEADERS, PLAYER_HEADERS

from .frames import GZIP_HEADER, Event, packed
from .hub import Hub, Watcher
from .reading import Refused

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

PLAYER_PATH = re.compile(r"/[jJ]/([0-9A-Za-z]{1,64})/live")
GM_PATH = re.compile(r"/e/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/live")

MAX_STREAMS = 2_500  # of players, in this process
MAX_STREAMS_OF_ADDRESS = 40  # of one address other than this computer's
MAX_AGE = 600.0  # seconds, give or take a fifth: a phone that fell silent is let go
RECHECK_EVERY = 60.0  # seconds between two looks at the GM's session
FAREWELL = 1.0  # seconds that a stream has to take its end


class Streams:
    """Answers `/j/<token>/live` and `/e/<uuid>/live`, and nothing else.

    `seat` and `version` are asked in the executor; both may raise Refused.
    """

    def __init__(
        self,
        hub: Hub,
        executor: Executor,
        seat: Callable[[HttpRequest, str], tuple[int, str]],
        version: Callable[[HttpRequest, str], int],
        *,
        max_streams: int = MAX_STREAMS,
        max_of_address: int = MAX_STREAMS_OF_ADDRESS,
        max_age: float = MAX_AGE,
        recheck_every: float = RECHECK_EVERY,
    ) -> None:
        self._hub = hub
        self._executor = executor
        self._seat = seat
        self._version = version
        self._max_streams = max_streams
        self._max_of_address = max_of_address
        self._max_age = max_age
        self._recheck_every = recheck_every
        self._addresses: Counter[str] = Counter()

    def end(self) -> None:
        """End every stream; any thread may call this."""
        self._hub.close()

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
            await refuse(refused.status, PLAYER_HEADERS if player else GM_HEADERS, send)

    async def _to_player(self, token: str, scope: Scope, receive: Receive, send: Send) -> None:
        address = scope["client"][0] if scope.get("client") else ""
        self._take_place(address)
        try:
            request = _request(scope)
            campaign_id, language = await self._ask(self._seat, request, token)
            seen, gzip = _last_seen(request), _accepts_gzip(request)
            del request  # thousands of streams need not each keep theirs
            with self._hub.watch_board(campaign_id, language, seen) as watcher:
                await self._stream(PLAYER_HEADERS, gzip, watcher, receive, send)
        finally:
            self._leave_place(address)

    async def _to_gm(self, uuid: str, scope: Scope, receive: Receive, send: Send) -> None:
        request = _request(scope)
        with self._hub.watch_version(uuid) as (watcher, room):
            version = await self._ask(self._version, request, uuid)
            room.publish(Event.of("version", str(version), version))
            recheck = asyncio.create_task(self._recheck(request, uuid, watcher))
            try:
                await self._stream(GM_HEADERS, _accepts_gzip(request), watcher, receive, send)
            finally:
                recheck.cancel()

    async def _recheck(self, request: HttpRequest, uuid: str, watcher: Watcher) -> None:
        """End the stream of a GM who has left, or whose encounter is gone."""
        with suppress(Refused):
            while True:
                await asyncio.sleep(self._recheck_every)
                await self._ask(self._version, request, uuid)
        watcher.end()

    async def _stream(
        self,
        headers: dict[str, str],
        gzip: bool,
        watcher: Watcher,
        receive: Receive,
        send: Send,
    ) -> None:
        leaving = asyncio.create_task(_end_when_gone(receive, watcher))
        try:
            with suppress(TimeoutError):
                # Not wait_for: up to Python 3.11 it can swallow a cancellation.
                async with asyncio.timeout(self._max_age * random.uniform(0.8, 1.2)):
                    await send(_start(200, _stream_headers(headers, gzip)))
                    await send(_body(_opening(gzip)))
                    while (event := await watcher.next()) is not None:
                        await send(_body(event.packed if gzip else event.plain))
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await send(_body(b"", more=False))
        finally:
            leaving.cancel()

    async def _ask(self, function: Callable[..., Any], *args: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._executor, function, *args)

    def _take_place(self, address: str) -> None:
        """Take one of the streams that this process, and this address, may have."""
        near = not address or ip_address(address).is_loopback
        of_address = 0 if near else self._addresses[address]
        if self._addresses.total() >= self._max_streams or of_address >= self._max_of_address:
            raise Refused(503)
        self._addresses[address] += 1

    def _leave_place(self, address: str) -> None:
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]


async def _end_when_gone(receive: Receive, watcher: Watcher) -> None:
    try:
        while (await receive())["type"] != "http.disconnect":
            pass  # a body nobody asked for
    finally:
        watcher.end()


async def refuse(status: int, headers: dict[str, str], send: Send) -> None:
    """Answer with a status, these headers and no words."""
    more = {"Content-Length": "0", **({"Allow": "GET"} if status == 405 else {})}
    await send(_start(status, headers | more))
    await send(_body(b"", more=False))


def _request(scope: Scope) -> HttpRequest:
    """The request as Django's views would see it behind the bridge."""
    return WSGIRequest(build_environ(scope, BytesIO()))  # type: ignore[arg-type]


def _last_seen(request: HttpRequest) -> int | None:
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isdecimal() and len(text) <= 10 else None


def _accepts_gzip(request: HttpRequest) -> bool:
    for part in request.headers.get("Accept-Encoding", "").lower().split(","):
        name, _, parameter = part.partition(";")
        if name.strip() == "gzip":
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", parameter)
    return False


def _opening(gzip: bool) -> bytes:
    """What a stream begins with: how long its browser waits before it opens it again.

    Each waits for a time of its own, so that those who were cut off together do not come
    back together.
    """
    retry = f"retry: {random.randint(2_000, 5_000)}\n\n".encode()  # milliseconds
    return GZIP_HEADER + packed(retry) if gzip else retry


def _stream_headers(headers: dict[str, str], gzip: bool) -> dict[str, str]:
    own = {
        "Content-Type": "text/event-stream",
        "Cache-Control": "private, no-store, no-transform",
        "Vary": "Accept-Encoding",
        "X-Accel-Buffering": "no",
    }
    return headers | own | ({"Content-Encoding": "gzip"} if gzip else {})


def _start(status: int, headers: dict[str, str]) -> dict[str, Any]:
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http.response.start", "status": status, "headers": encoded}


def _body(body: bytes, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.response.body", "body": body, "more_body": more}
