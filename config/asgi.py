"""One process, three doors: static files, live streams, and Django's pages on fixed threads.

The pages are ordinary sync views behind a WSGI bridge. With SQLite they have one thread, which
is also the fair queue that its writers need; each thread keeps its database connection.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from types import FrameType
from typing import Any, cast
from wsgiref.headers import Headers

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application
from servestatic import ServeStaticASGI  # type: ignore[import-untyped]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_pages = get_wsgi_application()  # sets Django up: what follows needs that

from django.conf import settings  # noqa: E402
from django.contrib.staticfiles.storage import (  # noqa: E402
    ManifestStaticFilesStorage,
    staticfiles_storage,
)
from django.db import connection, connections  # noqa: E402

from config.headers import GM_HEADERS  # noqa: E402
from encounters import live  # noqa: E402
from encounters.live.reading import Refused  # noqa: E402
from encounters.live.streams import refuse  # noqa: E402

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 1024 * 1024  # bytes
SLOWEST_BODY = 30.0  # seconds for a whole body to arrive
MOST_HEADERS = 100


class Bridge:
    """Sync views on fixed threads, which only ever see requests that have arrived whole.

    A sender who dawdles therefore holds no thread, one who leaves half-way changes nothing, and
    a receiver who dawdles leaves the answer in memory.
    """

    def __init__(self, pages: Any, threads: int) -> None:
        self._threads = threads
        self._wsgi = WSGIMiddleware(pages, workers=threads, send_queue_size=0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _whole_body(scope, receive)
        if body is None:
            return
        headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
        headers.append((b"content-length", str(len(body)).encode()))

        async def arrived() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        bridged = cast("Any", {**scope, "headers": headers})
        await self._wsgi(bridged, cast("Any", arrived), cast("Any", send))

    def close(self) -> None:
        """Close the threads' database connections, each in its own thread."""
        gate = Barrier(self._threads)
        wait([self._wsgi.executor.submit(_disconnect, gate) for _ in range(self._threads)])


def _disconnect(gate: Barrier) -> None:
    with suppress(BrokenBarrierError):  # a thread that is busy keeps the others only so long
        gate.wait(timeout=2)
    connections.close_all()


async def _whole_body(scope: Scope, receive: Receive) -> bytes | None:
    """The body, counted as it comes, whatever its length was said to be; None if it broke off."""
    said = dict(scope["headers"]).get(b"content-length", b"0")
    if not said.isdigit() or len(said) > 12 or int(said) > LARGEST_BODY:
        raise Refused(413)
    body = bytearray()
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                body += message.get("body", b"")
                if len(body) > LARGEST_BODY:
                    raise Refused(413)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError as error:
        raise Refused(408) from error


class Doors:
    """The project's ASGI application."""

    def __init__(self, pages: Any, streams: live.Streams) -> None:
        self._bridge = Bridge(pages, 1 if connection.vendor == "sqlite" else 4)
        self._streams = streams
        self._static = _static_files(self._bridge)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live_and_end(receive, send)
        else:
            try:
                await self._door(scope["path"])(_checked(scope), receive, send)
            except Refused as refused:
                await refuse(refused.status, GM_HEADERS | {"Connection": "close"}, send)

    def _door(self, path: str) -> App:
        if path.startswith(str(settings.STATIC_URL)):
            return self._static
        return self._streams if self._streams.takes(path) else self._bridge

    async def _live_and_end(self, receive: Receive, send: Send) -> None:
        await receive()
        _before_the_server_stops(self._streams.end)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await asyncio.to_thread(self._bridge.close)
        await asyncio.to_thread(live.disconnect)
        await send({"type": "lifespan.shutdown.complete"})


def _before_the_server_stops(act: Callable[[], None]) -> None:
    """Act on the signals that stop the server, then let it handle them.

    It waits for open answers before it says that it is stopping, and streams have no end of
    their own. The server puts back the handlers that were there before its own.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        handle = signal.getsignal(number)
        if callable(handle):
            signal.signal(number, partial(_act_first, act, handle))


def _act_first(
    act: Callable[[], None],
    handle: Callable[[int, FrameType | None], Any],
    number: int,
    frame: FrameType | None,
) -> None:
    act()
    handle(number, frame)


def _checked(scope: Scope) -> Scope:
    """The scope without what WSGI cannot tell apart or hold.

    There a header name's dash and underscore are the same, so that one could pass for the other.
    """
    if len(scope["headers"]) > MOST_HEADERS:
        raise Refused(431)
    if not scope["query_string"].isascii():
        raise Refused(400)
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    return scope if len(headers) == len(scope["headers"]) else {**scope, "headers": headers}


def _static_files(otherwise: App) -> App:
    """Collected files with hashed names, precompressed; for developers the sources as they are."""
    collected = isinstance(staticfiles_storage, ManifestStaticFilesStorage)
    files = ServeStaticASGI(
        otherwise,
        autorefresh=not collected,
        max_age=60 if collected else 0,
        allow_all_origins=False,
        add_headers_function=_add_headers,
    )
    if Path(settings.STATIC_ROOT).is_dir():
        files.add_files(settings.STATIC_ROOT, settings.STATIC_URL)
    return cast("App", files)


def _add_headers(headers: Headers, path: str, url: str) -> None:
    for name, value in GM_HEADERS.items():
        if name != "Cache-Control":
            headers[name] = value


application = Doors(_pages, live.application)
