"""Copies that are made without being asked for, the list of all, and the way back to one.

For SQLite: at each start, and after 24 hours of use. With PostgreSQL a timer asks for them.
"""

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import Error, connection
from django.utils.translation import gettext as _

from config.backup import BY_ITSELF, TABLE, BackupFailed, Damaged, back_up_now
from config.terminal import command

EVERY = 24 * 3600  # seconds of use
SAFE_SQLITE = (3, 51, 3)  # before it, two that write at once may damage a file: the WAL-reset bug
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
NO_ROOM = 1_000_000  # bytes: with less, what SQLite cannot write it calls an I/O error


@dataclass(frozen=True, slots=True)
class Copy:
    """One file among the copies."""

    path: Path
    when: datetime  # in this computer's time zone
    size: int  # bytes

    def is_good(self) -> bool:
        """Whether it is whole; of one of PostgreSQL only its head is looked at."""
        with self.path.open("rb") as file:
            if self.path.suffix == ".dump":
                return file.read(5) == b"PGDMP"
        address = f"{self.path.absolute().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True)) as copy:
                copy.execute(f"SELECT 1 FROM {TABLE} LIMIT 1")
                return bool(copy.execute("PRAGMA integrity_check").fetchone()[0] == "ok")
        except sqlite3.Error:
            return False


def folder() -> Path:
    """Where copies go that are told no other place."""
    return Path(settings.DATA_DIR) / "backups"


def newest_first(among: str = "*") -> list[Copy]:
    """The copies in that folder whose name begins so."""
    found = [
        path
        for ending in ("sqlite3", "dump", "damaged")
        for path in folder().glob(f"{among}.{ending}")
    ]
    copies = [
        Copy(path, datetime.fromtimestamp(about.st_mtime).astimezone(), about.st_size)
        for path in found
        if not path.name.startswith(".") and (about := path.stat())
    ]
    return sorted(copies, key=lambda copy: copy.when, reverse=True)


def make_at_start() -> str:
    """Copy a SQLite database that is there; return why there is none, or "".

    Raises Damaged where the database itself is.
    """
    if connection.vendor != "sqlite" or not connection.introspection.table_names():
        return ""
    try:
        back_up_now(by_itself=True)
    except Damaged:
        raise
    except BackupFailed as problem:
        return _("No copy was made: %(reason)s") % {"reason": problem}
    return ""


def make_when_due() -> None:
    """Copy a SQLite database whose last copy of this kind is a day old; raises BackupFailed."""
    if connection.vendor != "sqlite":
        return
    last = newest_first(f"{BY_ITSELF}-*")[:1]
    if not last or time.time() - last[0].when.timestamp() >= EVERY:
        back_up_now(by_itself=True)


def trouble(problem: Exception) -> str:
    """Why the database cannot be used, and what to do."""
    return "\n".join(
        [_("The database cannot be used: %(reason)s") % {"reason": problem}, *_do(problem)]
    )


def _do(problem: Exception) -> Iterator[str]:
    cause = problem.__cause__ if isinstance(problem, Error) else problem
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    full = code == sqlite3.SQLITE_IOERR and shutil.disk_usage(settings.DATA_DIR).free < NO_ROOM
    if full or code == sqlite3.SQLITE_FULL:
        yield _("The disk is full. Make room, then start again.")
    elif code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        yield _("It must be possible to write in %(path)s.") % {"path": settings.DATA_DIR}
    elif code in DAMAGED or isinstance(problem, Damaged):
        yield _way_back()
        if sqlite3.sqlite_version_info < SAFE_SQLITE:
            yield _(
                "SQLite %(version)s has a fault that can damage a file, mended in %(mended)s:"
                " update it where you can."
            ) % {"version": sqlite3.sqlite_version, "mended": "3.51.3"}


def _way_back() -> str:
    good = next((copy for copy in newest_first() if copy.is_good()), None)
    if good is None:
        return _("There is no good copy in %(path)s.") % {"path": folder()}
    return _("The newest good copy is of %(when)s. Back to it: %(command)s") % {
        "when": f"{good.when:%Y-%m-%d %H:%M}",
        "command": command(f"restore {good.path}"),
    }
