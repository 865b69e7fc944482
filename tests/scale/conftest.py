"""A PostgreSQL and a Redis of the tests' own, started when the first test asks for them.

Who stops or kills one starts it again before the test ends.
"""

from collections.abc import Iterator

import pytest

from config.components import POSTGRESQL, REDIS
from tests.processes import need
from tests.scale.servers import PostgreSQL, RedisServer


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """`.url` is an empty database's, `.new_database()` another's."""
    with PostgreSQL(need(POSTGRESQL)) as server:
        yield server


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """`.url` is its address."""
    with RedisServer(need(REDIS)) as server:
        yield server
