"""PostgreSQL itself carries news between processes, where there is no Redis: NOTIFY."""

from collections.abc import AsyncGenerator
from typing import Any

from django.db import connection
from psycopg import AsyncConnection, sql

SILENCE = 10.0  # seconds after which the server is asked for a sign of life


class NotifyLine:
    """A channel of the database: one connection that listens and one that speaks."""

    def __init__(self, channel: str) -> None:
        self._channel = channel
        self._connection: AsyncConnection[Any] | None = None  # to publish with

    async def connect(self) -> None:
        if self._connection is None:
            self._connection = await _connect()
            # A hint need not survive a power cut: do not wait for the disk.
            await self._connection.execute("SET synchronous_commit = off")

    async def publish(self, payload: str) -> None:
        assert self._connection is not None
        await self._connection.execute("SELECT pg_notify(%s, %s)", [self._channel, payload])

    async def listen(self) -> AsyncGenerator[str | None, None]:
        async with await _connect() as listening:
            await listening.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
            yield None
            while True:
                async for notice in listening.notifies(timeout=SILENCE):
                    yield notice.payload
                await listening.execute("SELECT 1")

    async def close(self) -> None:
        speaking, self._connection = self._connection, None
        if speaking is not None:
            await speaking.close()


async def _connect() -> AsyncConnection[Any]:
    """A connection like Django's, but without what is Django's own."""
    params = connection.get_connection_params()
    for name in ("cursor_factory", "context", "prepare_threshold"):
        params.pop(name, None)
    return await AsyncConnection.connect(**params, autocommit=True)
