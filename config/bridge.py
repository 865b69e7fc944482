"""Django's ordinary sync views behind the event loop: a WSGI bridge to threads fixed in number.

With SQLite there is one, which is also the fair queue that its writers need; each thread keeps
its database connection.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import wait
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from time import perf_counter
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.db import close_old_connections, connections

from encounters.live.reading import Refused
from encounters.live.rooms import Receive, Send

Scope = dict[str, Any]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Answered = Callable[[str, str, int, float], None]
"""Told of each answer: method and path, the status, and after how many seconds."""

LARGEST_BODY = 1024 * 1024  # bytes
SLOWEST_BODY = 30.0  # seconds for a whole body to arrive
ENDING = 2.0  # seconds that what is still at work is given when the server stops


class Bridge:
    """Sync views on fixed threads, which only ever see requests that have arrived whole.

    A sender who dawdles therefore holds no thread, one who leaves half-way changes nothing, and
    a receiver who dawdles leaves the answer in memory.
    """

    def __init__(self, pages: Any, threads: int, answered: Answered) -> None:
        self._threads = threads
        self._answered = answered
        self._wsgi = WSGIMiddleware(pages, workers=threads, send_queue_size=0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _whole_body(scope, receive)
        if body is None:
            return
        headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
        headers.append((b"content-length", str(len(body)).encode()))
        began = perf_counter()

        async def arrived() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                seconds = perf_counter() - began
                self._answered(scope["method"], scope["path"], message["status"], seconds)
            await send(message)

        bridged = cast("Any", {**scope, "headers": headers})
        await self._wsgi(bridged, cast("Any", arrived), cast("Any", answer))

    async def run(self, work: Callable[[], None]) -> None:
        """Do the work in one of the threads, between two requests."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._wsgi.executor, _with_sound_connection, work)

    def close(self) -> None:
        """Close the threads' database connections, each in its own thread."""
        gate = Barrier(self._threads)
        closing = [self._wsgi.executor.submit(_disconnect, gate) for _ in range(self._threads)]
        wait(closing, timeout=ENDING)


def _with_sound_connection(work: Callable[[], None]) -> None:
    close_old_connections()
    work()


def _disconnect(gate: Barrier) -> None:
    with suppress(BrokenBarrierError):  # a thread that is busy keeps the others only so long
        gate.wait(timeout=ENDING)
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
