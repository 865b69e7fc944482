"""How Redis is reached: over TLS only where it is verified, and never for longer than a moment."""

import ssl

import pytest
from django.core.exceptions import ImproperlyConfigured
from redis.asyncio import SSLConnection

from encounters.live.bus import CONNECT_WITHIN
from encounters.live.redis_bus import RedisLine


def test_the_certificate_and_the_name_of_a_redis_over_tls_are_verified() -> None:
    client = RedisLine("rediss://:secret@redis.example:6379/0", "channel")._new_client()
    connection = client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    assert isinstance(connection, SSLConnection)
    context = connection.ssl_context.get()
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname


@pytest.mark.parametrize(
    "careless",
    [
        "ssl_cert_reqs=none",
        "ssl_cert_reqs=NONE",
        "ssl_cert_reqs=optional",
        "ssl_cert_reqs=0",
        "db=0&ssl_check_hostname=False",
        "ssl_check_hostname=no",
        "ssl_check_hostname=F",
        "ssl_cert_reqs=none&ssl_cert_reqs=required",
    ],
)
def test_an_address_that_would_leave_the_check_out_is_refused(careless: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="certificate"):
        RedisLine(f"rediss://redis.example:6379/0?{careless}", "channel")


@pytest.mark.parametrize(
    "options", ["", "?ssl_cert_reqs=required", "?ssl_ca_certs=/etc/ca.pem&ssl_check_hostname=true"]
)
def test_an_address_that_leaves_the_check_on_is_taken(options: str) -> None:
    RedisLine(f"rediss://redis.example:6379/0{options}", "channel")


def test_whoever_waits_for_redis_does_not_wait_long_and_not_twice() -> None:
    client = RedisLine("redis://redis.example:6379/0", "channel")._new_client()
    connection = client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    assert connection.socket_connect_timeout == connection.socket_timeout == CONNECT_WITHIN
    assert connection.retry.get_retries() == 0
