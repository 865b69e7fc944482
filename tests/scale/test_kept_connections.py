"""A connection to PostgreSQL that is kept: asked whether it stands where looking is not enough."""

import time
from collections.abc import Iterator
from unittest import mock

import pytest
from django.db.backends.postgresql import base as django_base
from django.db.utils import ConnectionHandler
from pytest_django.plugin import DjangoDbBlocker

from config.database import database
from config.postgresql_backend import base
from tests.processes import HANG
from tests.scale.servers import PostgreSQL


@pytest.fixture
def kept(
    postgresql: PostgreSQL,
    django_db_blocker: DjangoDbBlocker,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[base.DatabaseWrapper]:
    """As a thread of the server has it, and it has just said that it stands."""
    monkeypatch.setenv("DATABASE_URL", postgresql.url)
    handler = ConnectionHandler({"default": database(tmp_path_factory.getbasetemp())})
    connection = handler["default"]
    assert isinstance(connection, base.DatabaseWrapper)
    with django_db_blocker.unblock():
        connection.connect()
        assert connection.is_usable()
        yield connection
        connection.close()


@pytest.fixture
def asked(kept: base.DatabaseWrapper) -> Iterator[mock.Mock]:
    """What counts how often the connection is asked from now on."""
    with mock.patch.object(django_base.DatabaseWrapper, "is_usable", autospec=True) as asked:
        yield asked


def test_one_that_was_in_use_just_now_is_not_asked(
    kept: base.DatabaseWrapper, asked: mock.Mock
) -> None:
    assert all(kept.is_usable() for _ in range(9))
    asked.assert_not_called()


def test_one_that_was_silent_for_long_is_asked(
    kept: base.DatabaseWrapper, asked: mock.Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its server may have vanished with its network."""
    monkeypatch.setattr(base, "TRUSTED", 0)
    assert kept.is_usable()
    asked.assert_called_once()


def test_one_that_has_failed_is_asked(kept: base.DatabaseWrapper, asked: mock.Mock) -> None:
    kept.errors_occurred = True
    assert kept.is_usable()
    asked.assert_called_once()


def test_one_that_its_server_has_ended_is_found_out(
    kept: base.DatabaseWrapper, postgresql: PostgreSQL
) -> None:
    pid = kept.connection.info.backend_pid
    with kept.copy().cursor() as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])
        other.connection.close()
    until = time.monotonic() + HANG
    while kept.is_usable():
        assert time.monotonic() < until
