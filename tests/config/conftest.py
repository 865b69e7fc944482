"""A SQLite file of an installation that no server runs on."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """A database with all tables and nothing in them."""
    path = tmp_path_factory.mktemp("empty") / "quivive.sqlite3"
    with pytest.MonkeyPatch.context() as meanwhile, django_db_blocker.unblock():
        connection.close()
        meanwhile.setitem(connection.settings_dict, "NAME", path)
        call_command("migrate", verbosity=0)
        connection.close()
    return path


@pytest.fixture
def database(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> Path:
    """An installation's database with one tale, "Before"; no server runs on it."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    path: Path = settings.DATA_DIR / empty.name
    shutil.copy(empty, path)
    monkeypatch.setitem(connection.settings_dict, "NAME", path)
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE tale (number INTEGER PRIMARY KEY, text TEXT)")
        made.execute("INSERT INTO tale (text) VALUES ('Before')")
        made.commit()
    return path
