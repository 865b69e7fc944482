"""One process and its doors: static files, live streams, what machines ask, and Django's pages."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, cast
from wsgiref.headers import Headers

from django.core.wsgi import get_wsgi_application
from servestatic import ServeStaticASGI  # type: ignore[import-untyped]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_pages = get_wsgi_application()  # sets Django up: what follows needs that

from django.conf import settings  # noqa: E402
from django.contrib.staticfiles.storage import (  # noqa: E402
    ManifestStaticFilesStorage,
    staticfiles_storage,
)
from django.db import connection  # noqa: E402

from config import copies, metrics  # noqa: E402
from config.bridge import ENDING, App, Bridge, Scope  # noqa: E402
from config.database import several_processes  # noqa: E402
from config.headers import GM_HEADERS, transport_security  # noqa: E402
from config.installation import AlreadyRunning, RunningLock  # noqa: E402
from config.lines import LINGERING, MOST_FIELDS  # noqa: E402
from config.machines import Machines  # noqa: E402
from config.proxies import seen_through  # noqa: E402
from config.serving import settle  # noqa: E402
from encounters import link_uses, live  # noqa: E402
from encounters.live.reading import Refused  # noqa: E402
from encounters.live.rooms import Receive, Send  # noqa: E402
from encounters.live.streams import refuse  # noqa: E402

LARGEST_UNREAD = 16 * 1024 * 1024  # bytes of a body that is refused
FLUSHED_EVERY = 60.0  # seconds between two times that the use of links is written down
COPIES_LOOKED_AT = 3600.0  # seconds between two looks whether a copy is due

logger = logging.getLogger(__name__)


class Doors:
    """The project's ASGI application."""

    def __init__(self, pages: Any, streams: live.Streams) -> None:
        self._metrics = metrics.Metrics(live.figures, settings.DATA_DIR / "figures")
        threads = 1 if connection.vendor == "sqlite" else 4
        self._bridge = Bridge(pages, threads, self._metrics.answered)
        self._streams = streams
        self._machines = Machines(self._metrics, settings.METRICS_TOKEN)
        self._static = _static_files(self._bridge)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live_and_end(receive, send)
            return
        try:
            checked = seen_through(_checked(scope), settings.PROXY_HOPS)
            await self._door(scope["path"])(checked, receive, send)
        except Refused as refused:
            headers = GM_HEADERS | {"Connection": "close"}
            await refuse(refused.status, headers, send, _read_the_rest(receive))

    def _door(self, path: str) -> App:
        if path.startswith(str(settings.STATIC_URL)):
            return self._static
        if self._machines.takes(path):
            return self._machines
        return self._streams if self._streams.takes(path) else self._bridge

    async def _live_and_end(self, receive: Receive, send: Send) -> None:
        await receive()
        with ExitStack() as held:
            try:
                held.enter_context(_alone())
            except AlreadyRunning:
                message = several_processes()
                await send({"type": "lifespan.startup.failed", "message": message})
                return
            await self._live(receive, send)
        await send({"type": "lifespan.shutdown.complete"})

    async def _live(self, receive: Receive, send: Send) -> None:
        _before_the_server_stops(self._streams.end)
        self._streams.begin()
        chores = [_every(FLUSHED_EVERY, partial(self._bridge.run, link_uses.flush))]
        copy = partial(asyncio.to_thread, copies.make_when_due)
        chores.append(_every(COPIES_LOOKED_AT, copy, at_once=False))
        if settings.METRICS_TOKEN:
            leave = partial(asyncio.to_thread, self._metrics.leave)
            chores.append(_every(metrics.LEFT_EVERY, leave))
        tasks = [asyncio.create_task(chore) for chore in chores]
        settle()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in tasks:
            task.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING):
                await self._bridge.run(link_uses.flush)
        self._metrics.forget()
        await self._streams.finish()
        await asyncio.to_thread(self._bridge.close)
        await asyncio.to_thread(live.disconnect)


def _alone() -> AbstractContextManager[object]:
    """The lock of the only process that may use a SQLite file, unless this one has it already."""
    by_developers = settings.DEBUG  # the process that starts this one again and again has it
    has_it = by_developers or RunningLock.is_held_here(settings.DATA_DIR)
    if connection.vendor != "sqlite" or has_it:
        return nullcontext()
    return RunningLock(settings.DATA_DIR)


async def _every(
    seconds: float, work: Callable[[], Awaitable[None]], *, at_once: bool = True
) -> None:
    """Do it again and again, whatever happens."""
    if not at_once:
        await asyncio.sleep(seconds)
    while True:
        try:
            await work()
        except Exception:
            logger.exception("What is done now and then failed this time")
        await asyncio.sleep(seconds)


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
    if len(scope["headers"]) > MOST_FIELDS:
        raise Refused(431)
    if not scope["query_string"].isascii():
        raise Refused(400)
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    return scope if len(headers) == len(scope["headers"]) else {**scope, "headers": headers}


async def _read_the_rest(receive: Receive) -> None:
    """Let a sender finish, within bounds: to close on what is unread would take the answer back."""
    left = LARGEST_UNREAD
    with suppress(TimeoutError):
        while left > 0:
            async with asyncio.timeout(LINGERING):
                message = await receive()
            if not message.get("more_body", False):
                return
            left -= len(message["body"])


def _static_files(otherwise: App) -> App:
    """Collected files with hashed names, precompressed; for developers the sources as they are.

    They are the same for all, and so no matter of the host that is named.
    """
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
    for name, value in (GM_HEADERS | transport_security()).items():
        if name != "Cache-Control":
            headers[name] = value


application = Doors(_pages, live.application)
