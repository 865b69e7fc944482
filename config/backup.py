"""Copies of the database, taken while it may be in use, and putting one of them in its place.

What stands here is for a SQLite file; `config.postgresql` does the same with PostgreSQL's tools.
Copying the file itself would tear it. A copy has its name only once it is whole, checked and on
the disk, and only its owner can read it.
"""

import getpass
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from config import postgresql

KEPT = 10  # copies made by hand; older ones are removed
BY_HAND, BY_ITSELF = "quivive", "auto"  # how their names begin: neither pushes the other out
NEWEST, DAYS, MONTHS = 5, 7, 12  # kept of the others: the newest, and the last of each
TABLE = "encounters_campaign"  # that every database of ours has
WAYS_IN = ("django_session", "encounters_entrylink")  # a copy lets nobody in: these stay empty
BESIDE = ("-wal", "-shm")  # what SQLite may keep beside its file


class BackupFailed(Exception):
    """No good copy could be made; the message says why."""


class Damaged(BackupFailed):
    """What was to be copied is not whole."""


class RestoreFailed(Exception):
    """The database is as it was; the message says why."""


def back_up_now(target: Path | None = None, *, by_itself: bool = False) -> Path:
    """Copy the installation's database to the target, or among the last copies in the data.

    Raises BackupFailed, also where the target is there already.
    """
    kind = BY_ITSELF if by_itself else BY_HAND
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        if target is None:
            return back_up(database, settings.DATA_DIR / "backups", kind)
        with _draft(target) as draft:
            _copy(database, draft)
        return target
    kept = target or _next_name(settings.DATA_DIR / "backups", "dump", kind)
    with _draft(kept) as draft:
        postgresql.dump(draft, without=WAYS_IN)
    if target is None:
        _forget_old(kept.parent, "dump", kind)
    return kept


def back_up(database: Path, folder: Path, kind: str = BY_HAND) -> Path:
    """Copy a SQLite file into the folder, check the copy, and return its path.

    Raises BackupFailed.
    """
    copy = _next_name(folder, "sqlite3", kind)
    with _draft(copy) as draft:
        _copy(database, draft)
    _forget_old(folder, "sqlite3", kind)
    return copy


def restore(source: Path) -> Path | None:
    """Put the copy in the database's place; return where the present one was kept, if there was.

    No server may be running. Raises RestoreFailed.
    """
    try:
        if connection.vendor == "sqlite":
            return _restore_file(source, Path(connection.settings_dict["NAME"]))
        _refuse_newer(postgresql.migrations_in(source, TABLE))
        kept = back_up_now() if connection.introspection.table_names() else None
        postgresql.restore(source)
    except sqlite3.OperationalError as problem:
        busy = problem.sqlite_errorcode == sqlite3.SQLITE_BUSY
        raise RestoreFailed(postgresql.in_use() if busy else str(problem)) from problem
    except (BackupFailed, postgresql.Failed, OSError, sqlite3.Error) as problem:
        raise RestoreFailed(str(problem)) from problem
    return kept


def _restore_file(source: Path, database: Path) -> Path | None:
    connections.close_all()
    new = database.with_name(f"{database.name}.new")
    try:
        _make_private(new)
        _copy(_checked(source), new)
        kept = _keep(database) if database.exists() else None
        new.replace(database)
        _sync(database.parent)
    finally:
        new.unlink(missing_ok=True)
    return kept


def _checked(source: Path) -> Path:
    """The same path, if that is a whole database of ours that this version can read."""
    if not source.is_file():
        raise RestoreFailed(_("There is no such file: %(path)s") % {"path": source})
    with source.open("rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            raise RestoreFailed(_("This is not a copy of a database: %(path)s") % {"path": source})
    address = f"{source.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as copy:
        query = "SELECT count(*) FROM sqlite_master WHERE name = ?"
        if not copy.execute(query, [TABLE]).fetchone()[0]:
            raise RestoreFailed(
                _("This is a database of another program: %(path)s") % {"path": source}
            )
        applied = set(copy.execute("SELECT app, name FROM django_migrations"))
    _refuse_newer(applied)
    return source


def _refuse_newer(applied: set[tuple[str, str]]) -> None:
    if newer := applied - set(MigrationLoader(None).disk_migrations):
        names = ", ".join(sorted(name for _app, name in newer))
        raise RestoreFailed(_("A newer Qui-Vive made this copy: %(names)s") % {"names": names})


def _keep(database: Path) -> Path:
    """Copy the present database, and leave it as one file that nobody else has open."""
    folder = settings.DATA_DIR / "backups"
    try:
        copy = back_up(database, folder)
        with closing(sqlite3.connect(database, timeout=1)) as present:
            present.execute("PRAGMA journal_mode=DELETE")
    except BackupFailed:  # it is damaged: kept as it is
        copy = _next_name(folder, "damaged")
        for ending in ("", *BESIDE):
            part = database.with_name(database.name + ending)
            if part.exists():
                shutil.copy(part, copy.with_name(copy.name + ending))
    for ending in BESIDE:  # to SQLite they would belong to whatever has the name
        database.with_name(database.name + ending).unlink(missing_ok=True)
    return copy


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """An empty file that gets the target's name once what fills it has succeeded.

    Raises BackupFailed.
    """
    draft = target.with_name(f".{target.name}.draft")
    if target.exists():
        raise BackupFailed(_("There is a file already: %(path)s") % {"path": target})
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_private(draft)
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.rename(target)
        _sync(target.parent)
    except PermissionError as problem:
        whose = {"user": getpass.getuser(), "path": target.parent}
        sentence = _("%(path)s must exist and be writable for the user %(user)s.")
        raise BackupFailed(sentence % whose) from problem
    except (OSError, sqlite3.Error, postgresql.Failed) as problem:
        code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
        damaged = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        raise (Damaged if damaged else BackupFailed)(str(problem)) from problem
    finally:
        draft.unlink(missing_ok=True)


def _make_private(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _sync(folder: Path) -> None:
    """Names are on the disk, too; where a folder cannot be opened the system sees to it."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _next_name(folder: Path, ending: str, kind: str = BY_HAND) -> Path:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as problem:
        raise BackupFailed(str(problem)) from problem
    return folder / f"{kind}-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.{ending}"


def _forget_old(folder: Path, ending: str, kind: str) -> None:
    copies = sorted(folder.glob(f"{kind}-*.{ending}"))
    kept = copies[-KEPT:] if kind == BY_HAND else _spread(copies)
    for old in set(copies).difference(kept):
        old.unlink(missing_ok=True)


def _spread(copies: list[Path]) -> list[Path]:
    """The newest, the last of each of the last days, and the last of each month; oldest first."""
    start = len(BY_ITSELF) + 1  # of the date in the name
    days = {path.name[start : start + 8]: path for path in copies}
    months = {path.name[start : start + 6]: path for path in copies}
    return [*copies[-NEWEST:], *[*days.values()][-DAYS:], *[*months.values()][-MONTHS:]]


def _copy(database: Path, target: Path) -> None:
    """Copy a SQLite file as it is at one moment into an empty one, and check what was copied."""
    source = f"{database.absolute().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(source, uri=True)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.backup(copy)
        found = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise Damaged(str(found))
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, complete by itself
        _close_ways_in(copy)


def _close_ways_in(copy: sqlite3.Connection) -> None:
    """Nobody is signed in by a copy; what was there is overwritten, not only forgotten."""
    copy.execute("PRAGMA secure_delete=ON")
    there = {name for (name,) in copy.execute("SELECT name FROM sqlite_master")}
    for table in there.intersection(WAYS_IN):
        copy.execute(f"DELETE FROM {table}")
    copy.commit()
