"""Start-up checks: what was asked of the database is read back from it.

An option at the wrong level of DATABASES is silently without effect, and the promise that an
acknowledged action is never lost rests on these.
"""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.utils.translation import gettext as _

# pragma -> the value it must read back
EXPECTED_PRAGMAS: dict[str, str | int] = {
    "journal_mode": "wal",
    "synchronous": 2,  # FULL: a commit survives a power cut
    "foreign_keys": 1,
    "busy_timeout": 5000,  # milliseconds
}


@register(Tags.database)
def sqlite_keeps_its_promises(
    databases: Sequence[str] | None = None, **_kwargs: Any
) -> list[CheckMessage]:
    """Each SQLite connection works as durably as the settings say."""
    problems: list[CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        if connection.vendor != "sqlite":
            continue
        with connection.cursor() as cursor:
            for pragma, expected in EXPECTED_PRAGMAS.items():
                found = cursor.execute(f"PRAGMA {pragma}").fetchone()[0]
                if found != expected:
                    problems.append(_setting_error(alias, pragma, expected, found))
    return problems


@register(Tags.database)
def postgresql_keeps_its_promises(
    databases: Sequence[str] | None = None, **_kwargs: Any
) -> list[CheckMessage]:
    """PostgreSQL writes a commit down before it acknowledges it, and can hold every name."""
    problems: list[CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        if connection.vendor != "postgresql":
            continue
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            if (found := cursor.fetchone()[0]) == "off":
                problems.append(_setting_error(alias, "synchronous_commit", "on", found))
            cursor.execute("SHOW server_encoding")
            if (found := cursor.fetchone()[0]) != "UTF8":
                problems.append(_setting_error(alias, "server_encoding", "UTF8", found))
    return problems


def _setting_error(alias: str, setting: str, expected: str | int, found: object) -> Error:
    return Error(
        _("Database %(alias)s: %(pragma)s is %(found)s, not %(expected)s.")
        % {"alias": alias, "pragma": setting, "found": found, "expected": expected},
        id="config.E001",
    )
