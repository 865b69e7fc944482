"""What one installation keeps outside the source tree: its data directory, key and running lock.

Standard library only, since the settings read it. The key's handling follows one rule: whichever
of several first starts links its file into place wins, and the others use that one.
"""

import errno
import json
import os
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, ClassVar

KEY_LENGTH = 50  # characters; the shortest key accepted
_NOTE = "instance.json"
_LOCK = "instance.lock"
_POSIX = os.name == "posix"  # Windows keeps a user's own folders private by itself


class Unsafe(Exception):
    """A file or folder that others could read or change; the message says which."""


class AlreadyRunning(Exception):
    """Another server runs on this data directory."""


def data_directory() -> Path:
    """Where database, key and backups live: `QUI_VIVE_DATA`, or the user's own data folder."""
    chosen = os.environ.get("QUI_VIVE_DATA")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "qui-vive"


def make_data_directory(data: Path) -> None:
    """Make the directory for its owner alone; raise Unsafe when others may write in it.

    Raises OSError when it cannot be made or written in.
    """
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _POSIX and data.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Unsafe(str(data))
    if not os.access(data, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(data))


def secret_key(data: Path) -> str:
    """The installation's key, made at the first call; raise Unsafe when it is exposed or short."""
    path = data / "secret_key"
    if not path.exists():
        make_data_directory(data)
        _make_key(path)
    key = path.read_text(encoding="ascii").strip()
    if len(key) < KEY_LENGTH or (_POSIX and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)):
        raise Unsafe(str(path))
    return key


def _make_key(path: Path) -> None:
    """Write a key beside its place and link it there: complete, or not there at all."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another start was first: its key is as good
            os.link(draft, path)
    finally:
        draft.unlink()


class RunningLock:
    """Held by the one server of a data directory for its lifetime; the system frees it at death.

    SQLite and the live pages are right with one process only. A note beside the lock holds the
    running server's address, so that a second start can open it.
    """

    _held: ClassVar[set[Path]] = set()  # those of this process

    def __init__(self, data: Path) -> None:
        self._path = data / _LOCK
        self._note = data / _NOTE
        self._file: IO[bytes] | None = None

    @classmethod
    def is_held_here(cls, data: Path) -> bool:
        """Whether this process holds the one of this directory."""
        return data / _LOCK in cls._held

    def __enter__(self) -> "RunningLock":
        """Take the lock, or raise AlreadyRunning."""
        file = self._path.open("ab")
        try:
            _lock(file)
        except OSError:
            file.close()
            raise AlreadyRunning from None
        self._file = file
        self._held.add(self._path)
        self._note.unlink(missing_ok=True)
        return self

    def __exit__(self, *_error: object) -> None:
        self._note.unlink(missing_ok=True)
        if self._file:
            self._file.close()
            self._held.discard(self._path)


def announce(data: Path, url: str) -> None:
    """Tell later starts and commands where this server is reached on this computer."""
    (data / _NOTE).write_text(json.dumps({"url": url}), encoding="utf-8")


def running_url(data: Path) -> str:
    """Where the running server is reached on this computer; empty when it has not said so yet."""
    try:
        return str(json.loads((data / _NOTE).read_text(encoding="utf-8"))["url"])
    except (OSError, ValueError, KeyError):
        return ""


def _lock(file: IO[bytes]) -> None:
    """Lock the open file for this process, or raise OSError at once."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
