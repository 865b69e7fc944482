"""PostgreSQL itself carries news between processes, where there is no Redis: NOTIFY.

Its connections have threads of their own and are not watched by the event loop: the socket of one
that its server ends is closed while the loop may still watch it, and by then its number may be
that of another thread's socket. uvloop ends the whole process over that.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from django.db import connection
from psycopg import Connection, sql

P = ParamSpec("P")
T = TypeVar("T")

SILENCE = 10.0  # seconds after which the server is asked for a sign of life
A_WHILE = 0.5  # seconds of listening, after which it may be over


class NotifyLine:
    """A channel of the database: one connection that listens and one that speaks."""

    def __init__(self, channel: str) -> None:
        self._channel = channel
        self._connection: Connection[Any] | None = None  # to publish with
        self._speaker = ThreadPoolExecutor(1, "speaks")
        self._listener = ThreadPoolExecutor(1, "listens")

    async def connect(self) -> None:
        if self._connection is None:
            await _in(self._speaker, self._open)

    async def publish(self, payload: str) -> None:
        assert self._connection is not None
        notify = "SELECT pg_notify(%s, %s)"
        await _in(self._speaker, self._connection.execute, notify, [self._channel, payload])

    async def listen(self) -> AsyncGenerator[str | None, None]:
        listening = await _in(self._listener, _connect)
        try:
            listen = sql.SQL("LISTEN {}").format(sql.Identifier(self._channel))
            await _in(self._listener, listening.execute, listen)
            yield None
            silent = 0.0
            while True:
                payloads = await _in(self._listener, _heard, listening)
                for payload in payloads:
                    yield payload
                silent = 0.0 if payloads else silent + A_WHILE
                if silent >= SILENCE:
                    await _in(self._listener, listening.execute, "SELECT 1")
                    silent = 0.0
        finally:
            self._listener.submit(listening.close)

    async def close(self) -> None:
        speaking, self._connection = self._connection, None
        if speaking is not None:
            await _in(self._speaker, speaking.close)

    def _open(self) -> None:
        opened = _connect()
        # A hint need not survive a power cut: do not wait for the disk.
        opened.execute("SET synchronous_commit = off")
        self._connection = opened


async def _in(
    thread: ThreadPoolExecutor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    call = partial(work, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(thread, call)


def _heard(listening: Connection[Any]) -> list[str]:
    """What comes first, with all that comes together with it; nothing after a while of silence."""
    return [notice.payload for notice in listening.notifies(timeout=A_WHILE, stop_after=1)]


def _connect() -> Connection[Any]:
    """A connection like Django's, but without what is Django's own."""
    params = connection.get_connection_params()
    for name in ("cursor_factory", "context", "prepare_threshold"):
        params.pop(name, None)
    return Connection.connect(**params, autocommit=True)
