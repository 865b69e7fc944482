"""Redis carries news between processes: one subscription and one other connection for each."""

from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from .bus import CONNECT_WITHIN

SILENCE = 10.0  # seconds after which the server is asked for a sign of life
CAREFUL = {"ssl_cert_reqs": ("required",), "ssl_check_hostname": ("true", "yes", "1")}


class RedisLine:
    """A channel of the Redis at this address, over TLS that is verified if it is `rediss://`.

    Raises ImproperlyConfigured where the address asks not to verify it.
    """

    def __init__(self, url: str, channel: str) -> None:
        options = parse_qsl(urlsplit(url).query)
        if any(value.lower() not in CAREFUL.get(name, (value.lower(),)) for name, value in options):
            raise ImproperlyConfigured(
                _("REDIS_URL must not switch off the check of the server’s certificate.")
            )
        self._url = url
        self._channel = channel
        self._client: Redis | None = None  # to publish with

    async def connect(self) -> None:
        if self._client is None:
            # Whoever publishes gives it its time; a limit of its own would be a task for each send.
            self._client = self._new_client(socket_timeout=None)
            await self._client.ping()

    async def publish(self, payload: str) -> None:
        assert self._client is not None
        await self._client.publish(self._channel, payload)

    async def listen(self) -> AsyncGenerator[str | None, None]:
        client = self._new_client()
        try:
            async with client.pubsub() as subscription:
                await subscription.subscribe(self._channel)
                asked = False
                while True:
                    message = await subscription.get_message(timeout=SILENCE)
                    if message is None:
                        if asked:
                            raise ConnectionError("no answer")
                        asked = True
                        await subscription.ping()
                        continue
                    asked = False
                    if message["type"] == "subscribe":
                        yield None
                    elif message["type"] == "message":
                        yield message["data"].decode()
        finally:
            await client.aclose()

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def _new_client(self, **others: Any) -> Redis:
        options: dict[str, Any] = {
            # Its own way would be to try for seconds; here the next message does as well.
            "retry": Retry(NoBackoff(), 0),
            "socket_connect_timeout": CONNECT_WITHIN,
            "socket_timeout": CONNECT_WITHIN,
            "socket_keepalive": True,
            "protocol": 2,
            **others,
        }
        return Redis.from_url(self._url, **options)
