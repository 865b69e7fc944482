"""Private PostgreSQL and Redis servers on free loopback ports, for tests that stop and kill them.

Their files are in a folder of their own, which goes with them. What is already installed and
running on this computer is neither asked nor touched.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from tests.processes import HANG


class Server(ABC):
    """One server: `start`, `stop` as an administrator would, `kill` as a power cut would."""

    url: str
    _polite = signal.SIGTERM

    def __init__(self, program: str) -> None:
        self._program = program
        self._folder = Path(tempfile.mkdtemp(prefix="qui-vive-server-"))
        self._process: subprocess.Popen[bytes] | None = None
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = int(probe.getsockname()[1])

    def start(self) -> None:
        """Start, on what was stored before, and return once it answers."""
        assert self._process is None, "it is running"
        self._process = self._spawned()
        until = time.monotonic() + HANG
        while not self._answers():
            assert time.monotonic() < until, (self._folder / "log").read_text(errors="replace")
            time.sleep(0.02)
            if self._process.poll() is not None:  # what was killed may stand in its way at first
                self._process = self._spawned()

    def stop(self) -> None:
        """Stop as it is meant to be stopped: what it has acknowledged is stored."""
        self._end(self._polite)

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self._end(signal.SIGKILL)

    @contextmanager
    def away(self, *, killed: bool = False) -> Iterator[None]:
        """Stopped, or killed, until the end."""
        (self.kill if killed else self.stop)()
        try:
            yield
        finally:
            self.start()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """End it for good, with all it stored."""
        if self._process is not None:
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _spawned(self) -> "subprocess.Popen[bytes]":
        with (self._folder / "log").open("ab") as log:
            whom = self._as_whom()
            return subprocess.Popen(self._command(), stdout=log, stderr=log, **whom)

    def _end(self, number: int) -> None:
        assert self._process is not None, "it is not running"
        self._process.send_signal(number)
        self._process.wait(HANG)
        self._process = None

    @abstractmethod
    def _command(self) -> list[str]:
        """What starts it."""

    @abstractmethod
    def _answers(self) -> bool:
        """Whether it can be asked already."""

    def _as_whom(self) -> dict[str, Any]:
        return {}


class PostgreSQL(Server):
    """A PostgreSQL whose one role needs no password; `program` is its `initdb`."""

    _polite = signal.SIGINT  # ends the connections there are, then itself: the "fast" shutdown

    def __init__(self, program: str) -> None:
        super().__init__(program)
        self.bin = Path(program).resolve().parent
        self.url = f"postgresql://quivive@127.0.0.1:{self.port}/postgres"
        self._rows = self._folder / "rows"
        self._rows.mkdir(mode=0o700)
        if user := self._as_whom().get("user"):
            for path in (self._folder, self._rows):
                shutil.chown(path, user)
        made = subprocess.run(
            [
                *(program, f"--pgdata={self._rows}", "--username=quivive", "--auth=trust"),
                *("--encoding=UTF8", "--no-locale", "--no-sync"),
            ],
            capture_output=True,
            text=True,
            timeout=HANG,
            **self._as_whom(),
        )
        assert made.returncode == 0, made.stderr

    def new_database(self, copied: str = "") -> str:
        """The address of an empty database, or of a copy of one to which nobody is connected."""
        name = f"table_{uuid4().hex[:12]}"
        template = f" TEMPLATE {copied.rpartition('/')[2]}" if copied else ""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}{template}".encode())
            # Else PostgreSQL 15 takes what it copied of sequences for safe, and a kill loses it.
            connection.execute("CHECKPOINT")
        return self.url.rpartition("/")[0] + f"/{name}"

    def _command(self) -> list[str]:
        options = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "off",  # no power cut is tried, and the tests are many
            "max_connections": "60",
        }
        settings = [f"--{name}={value}" for name, value in options.items()]
        program = str(self.bin / "postgres")
        return [program, "-D", str(self._rows), "-p", str(self.port), *settings]

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _as_whom(self) -> dict[str, Any]:
        """PostgreSQL refuses to run as root."""
        if os.name == "nt" or os.geteuid() != 0:
            return {}
        import pwd

        names = {entry.pw_name for entry in pwd.getpwall()}
        user = "postgres" if "postgres" in names else "nobody"
        return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


class RedisServer(Server):
    """A Redis that keeps nothing."""

    def __init__(self, program: str) -> None:
        super().__init__(program)
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def _command(self) -> list[str]:
        return [
            *(self._program, "--bind", "127.0.0.1", "--port", str(self.port)),
            *("--save", "", "--appendonly", "no", "--dir", str(self._folder)),
        ]

    def _answers(self) -> bool:
        try:
            with Redis.from_url(self.url, socket_connect_timeout=2) as client:
                return bool(client.ping())
        except RedisError:
            return False
