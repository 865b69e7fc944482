"""The servers that these tests run: they keep or lose what they should, and leave nothing."""

from collections.abc import Callable

import psycopg
import pytest
from redis import Redis

from tests.scale.servers import PostgreSQL, RedisServer


@pytest.mark.parametrize("end", [PostgreSQL.stop, PostgreSQL.kill])
def test_postgresql_keeps_its_rows_over_an_end_of_either_kind(
    postgresql: PostgreSQL, end: Callable[[PostgreSQL], None]
) -> None:
    url = postgresql.new_database()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE hero (name text)")
        connection.execute("INSERT INTO hero VALUES ('Lia')")
    end(postgresql)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url, connect_timeout=2)
    postgresql.start()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT name FROM hero").fetchall() == [("Lia",)]


def test_redis_forgets_when_it_is_killed(redis_server: RedisServer) -> None:
    with Redis.from_url(redis_server.url) as client:
        client.set("hero", "Lia")
    redis_server.kill()
    redis_server.start()
    with Redis.from_url(redis_server.url) as client:
        assert client.get("hero") is None
