"""Django's ordinary sync views behind the event loop: a WSGI bridge to threads fixed in number.

With SQLite there is one, which is also the fair queue that its writers need; each thread keeps
its database connection.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import copy_context
from functools import partial
from io import BytesIO
from time import perf_counter
from typing import Any, cast

from a2wsgi.wsgi import build_environ
from django.db import close_old_connections, connections

from config.lines import is_near
from config.threads import Crowded, Threads
from encounters.live.frames import Message
from encounters.live.reading import Refused
from encounters.live.rooms import Receive, Send

Scope = dict[str, Any]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Answered = Callable[[str, str, int, float], None]
"""Told of each answer: method and path, the status, and after how many seconds."""

LARGEST_BODY = 1024 * 1024  # bytes
LARGE_BODY = 64 * 1024  # bytes: more than any form has
MOST_LARGE = 8  # bodies larger than that which other computers send at the same time
SLOWEST_BODY = 10.0  # seconds for a whole body to arrive
ENDING = 2.0  # seconds that what is still at work is given when the server stops


class Bridge:
    """Sync views on fixed threads, which only ever see requests that have arrived whole.

    A sender who dawdles therefore holds no thread, one who leaves half-way changes nothing, and
    a receiver who dawdles leaves the answer in memory. From the loop to a thread and back is one
    hop each way: on a busy loop each more would cost a page a millisecond.
    """

    def __init__(self, pages: Any, threads: int, answered: Answered) -> None:
        self._pages = pages
        self._answered = answered
        self._threads = Threads(threads)
        self._large = 0  # bodies of other computers that are larger than a form

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await self._whole_body(scope, receive)
        if body is None:
            return
        headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
        headers.append((b"content-length", str(len(body)).encode()))
        whole = cast("Any", {**scope, "headers": headers})
        environ = build_environ(whole, cast("Any", BytesIO(body)))
        began = perf_counter()
        page = partial(copy_context().run, self._page, environ)
        try:
            start, content = await self._threads.run_for(_address(scope), page)
        except Crowded:
            raise Refused(503) from None
        self._answered(scope["method"], scope["path"], start["status"], perf_counter() - began)
        await send(start)
        await send({"type": "http.response.body", "body": content, "more_body": False})

    def _page(self, environ: Any) -> tuple[Message, bytes]:
        """The start and the body of the answer, all of it."""
        started: list[Message] = []

        def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> None:
            plain = [(n.lower().encode("latin1"), v.encode("latin1")) for n, v in headers]
            number = int(status.partition(" ")[0])
            started.append({"type": "http.response.start", "status": number, "headers": plain})

        parts = self._pages(environ, start_response)
        try:
            content = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        return started[-1], content

    async def _whole_body(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body, counted as it comes, whatever its length was said to be; None if it broke
        off.
        """
        said = dict(scope["headers"]).get(b"content-length", b"0")
        if not said.isdigit() or len(said) > 12 or int(said) > LARGEST_BODY:
            raise Refused(413)
        body = bytearray()
        with ExitStack() as places:
            try:
                async with asyncio.timeout(SLOWEST_BODY):
                    while True:
                        message = await receive()
                        if message["type"] == "http.disconnect":
                            return None
                        had = len(body)
                        body += message.get("body", b"")
                        if len(body) > LARGEST_BODY:
                            raise Refused(413)
                        if had <= LARGE_BODY < len(body):
                            places.enter_context(self._place(scope))
                        if not message.get("more_body", False):
                            return bytes(body)
            except TimeoutError as error:
                raise Refused(408) from error

    @contextmanager
    def _place(self, scope: Scope) -> Iterator[None]:
        """One of the large bodies that may be on their way: a device could else send a hundred."""
        if is_near(_address(scope)):
            yield
            return
        if self._large >= MOST_LARGE:
            raise Refused(503)
        self._large += 1
        try:
            yield
        finally:
            self._large -= 1

    async def run(self, work: Callable[[], None]) -> None:
        """Do the work in one of the threads, between two requests."""
        await self._threads.run(_with_sound_connection, work)

    def close(self) -> None:
        """Close the threads' database connections, each in its own thread."""
        self._threads.in_each(connections.close_all, ENDING)


def _address(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _with_sound_connection(work: Callable[[], None]) -> None:
    close_old_connections()
    work()
