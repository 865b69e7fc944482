"""Copies of the database, taken while it may be in use. Copying the file itself would tear it."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

KEPT = 10  # copies; older ones are removed


class BackupFailed(Exception):
    """No good copy could be made; the message says why."""


def back_up(database: Path, folder: Path) -> Path:
    """Copy the database into the folder, check the copy, and return its path.

    The copy has its name only once it is whole and on the disk. Raises BackupFailed.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    draft, copy = folder / "draft", folder / f"quivive-{moment}.sqlite3"
    draft.unlink(missing_ok=True)
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL, 0o600))
        _copy(database, draft)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.rename(copy)
    except (OSError, sqlite3.Error) as problem:
        raise BackupFailed(str(problem)) from problem
    finally:
        draft.unlink(missing_ok=True)
    for old in sorted(folder.glob("quivive-*.sqlite3"))[:-KEPT]:
        old.unlink()
    return copy


def _copy(database: Path, target: Path) -> None:
    source = f"{database.absolute().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(source, uri=True)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.backup(copy)
        found = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise BackupFailed(str(found))
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, complete by itself
