"""Where rows are kept: a SQLite file that needs nothing, or the PostgreSQL that DATABASE_URL names.

Each of the server's threads, which are few and fixed, keeps its connection. PostgreSQL's are
looked at before they are used again, so that a server that came back is found by itself.
"""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from config.terminal import gettext as _

# A transaction that will write says so at once, and waits instead of failing.
_SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 5,
    "init_command": (
        "PRAGMA journal_mode=WAL;"
        "PRAGMA synchronous=FULL;"
        "PRAGMA foreign_keys=ON;"
        "PRAGMA busy_timeout=5000"
    ),
}
# A server that is away is given up in less than the five seconds that a person would wait: two
# for a connection that fell silent, two for another.
_POSTGRESQL_OPTIONS = {
    "connect_timeout": 2,  # seconds
    "tcp_user_timeout": 2_000,  # milliseconds
    "keepalives_idle": 30,  # seconds
    "keepalives_interval": 5,
    "keepalives_count": 3,
    # A connection parses and plans what it is asked again and again once.
    "server_side_binding": True,
    "prepare_threshold": 2,
}
_SESSION = {
    "statement_timeout": "5s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
}


def database(data: Path) -> dict[str, Any]:
    """Django's settings of the one database, from the environment.

    Raises ImproperlyConfigured, with a sentence.
    """
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        return _sqlite(str(data / "quivive.sqlite3"), data)
    scheme = url.partition(":")[0]
    if scheme == "sqlite":
        return _sqlite(_parsed(url)["NAME"], data)
    if scheme in ("postgres", "postgresql"):
        return _postgresql(_parsed(url))
    raise _unreadable()


def refuse_several_processes(settings: dict[str, Any]) -> None:
    """SQLite and the live pages beside it are right with one process only.

    Raises ImproperlyConfigured where the environment asks web servers for more.
    """
    wanted = os.environ.get("WEB_CONCURRENCY", "1")
    if "sqlite" in settings["ENGINE"] and wanted not in ("", "0", "1"):
        raise ImproperlyConfigured(
            several_processes() + " " + _("Or remove WEB_CONCURRENCY from the environment.")
        )


def several_processes() -> str:
    """Why a second process is refused, and what to do."""
    return _(
        "Several processes need PostgreSQL: set DATABASE_URL. With SQLite one process serves all."
    )


def require(module: str, variable: str) -> None:
    """Raise ImproperlyConfigured where a variable asks for what is not installed."""
    if find_spec(module) is None:
        raise ImproperlyConfigured(
            _("%(variable)s needs more packages: %(command)s")
            % {
                "variable": variable,
                "command": "python -m pip install -r requirements/scale.txt",
            }
        )


def _sqlite(name: str, data: Path) -> dict[str, Any]:
    if name == ":memory:":
        raise _unreadable()
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "CONN_MAX_AGE": None,
        "OPTIONS": _SQLITE_OPTIONS,
        # A file, since WAL and several connections are what is to be tested.
        "TEST": {"NAME": data / "test.sqlite3"},
    }


def _postgresql(parsed: dict[str, Any]) -> dict[str, Any]:
    require("psycopg", "DATABASE_URL")
    asked: dict[str, Any] = parsed.get("OPTIONS", {})
    session = " ".join(f"-c {name}={value}" for name, value in _SESSION.items())
    options = f"{session} {asked.pop('options', '')}".rstrip()  # the later of two holds
    return parsed | {
        "ENGINE": "config.postgresql_backend",
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": _POSTGRESQL_OPTIONS | asked | {"options": options},
    }


def _parsed(url: str) -> dict[str, Any]:
    try:
        parsed: dict[str, Any] = dict(dj_database_url.parse(url))
    except ValueError:
        raise _unreadable() from None
    if not parsed["NAME"]:
        raise _unreadable()
    return parsed


def _unreadable() -> ImproperlyConfigured:
    """Its own words are left out: they may hold a password."""
    return ImproperlyConfigured(
        _("DATABASE_URL must look like this: %(example)s")
        % {"example": "postgresql://name:password@host:5432/database"}
    )
