"""A PostgreSQL and a Redis of the tests' own, started when the first test asks for them.

Who stops or kills one starts it again before the test ends.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from config.components import POSTGRESQL, REDIS
from tests.processes import need
from tests.scale.installations import Installation
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


@pytest.fixture(scope="session")
def _prepared(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation.prepared(tmp_path_factory.mktemp("prepared") / "data")


@pytest.fixture
def installation(_prepared: Installation, tmp_path: Path) -> Installation:
    """One on SQLite with a fight, which nobody serves yet."""
    return _prepared.moved(tmp_path / "data")


@pytest.fixture(scope="session")
def prepared_on_postgresql(
    postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory
) -> Installation:
    """One on PostgreSQL with a fight, to be copied."""
    data = tmp_path_factory.mktemp("prepared") / "data"
    return Installation.prepared(data, DATABASE_URL=postgresql.new_database())


@pytest.fixture
def postgresql_installation(
    postgresql: PostgreSQL, prepared_on_postgresql: Installation, tmp_path: Path
) -> Installation:
    """The same on PostgreSQL."""
    database = postgresql.new_database(prepared_on_postgresql.environment["DATABASE_URL"])
    return prepared_on_postgresql.moved(tmp_path / "data", DATABASE_URL=database)
