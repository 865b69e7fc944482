"""An installation as an operator runs it: `manage.py serve` on data of its own, and its GMs."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode
from uuid import uuid4

import psycopg
from django.conf import settings

from tests.encounters.streaming import Browser
from tests.processes import HANG, clean_environment, run_python

OGRE, OGRES_HP = 3, 99_999
VERSION = re.compile(r'data-version="(\d+)"')
TOKEN = "a-token-for-the-figures-of-the-tests"
DJANGO = """
import django
django.setup()
from encounters.models import *
"""


@dataclass
class Installation:
    """One with a fight, on a SQLite file or on PostgreSQL."""

    environment: dict[str, str]
    facts: dict[str, Any]
    port: int = 0
    _process: "subprocess.Popen[str] | None" = field(default=None, repr=False)

    @classmethod
    def prepared(
        cls, data: Path, program: str = "tests.scale.preparing", **environment: str
    ) -> "Installation":
        """A new one in this folder, and on the database that the environment names."""
        full = clean_environment(QUI_VIVE_DATA=str(data), **environment)
        made = run_python(full, "-m", program)
        assert made.returncode == 0, made.stderr
        return cls(full, json.loads(made.stdout))

    def moved(self, data: Path, **environment: str) -> "Installation":
        """The same on a copy of its folder."""
        shutil.copytree(self.environment["QUI_VIVE_DATA"], data)
        own = {"QUI_VIVE_DATA": str(data), **environment}
        return Installation(self.environment | own, deepcopy(self.facts))

    def beside(self) -> "Installation":
        """Another server of the same table."""
        return Installation(self.environment, self.facts)

    @property
    def data(self) -> Path:
        return Path(self.environment["QUI_VIVE_DATA"])

    @property
    def board(self) -> str:
        """The path of the fight's page."""
        return f"/e/{self.facts['encounter']}/"

    @property
    def stream(self) -> str:
        return f"/j/{self.facts['token']}/live"

    def link(self) -> str:
        """The address of a players' link that nobody has had yet."""
        return f"/j/{self.facts['more_tokens'].pop()}"

    def meddle(self, script: str) -> str:
        """What a script says that has the models at hand, and whose changes no server hears of."""
        environment = self.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        done = run_python(environment, "-c", DJANGO + script)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def manage(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """What `manage.py` says to the arguments."""
        return run_python(self.environment, "manage.py", *arguments)

    # Serving

    @contextmanager
    def serving(self, *options: str) -> Iterator["Installation"]:
        """Served until the end, however it was ended meanwhile."""
        with self.started(*options):
            self.wait()
            yield self

    @contextmanager
    def started(self, *options: str) -> Iterator["Installation"]:
        """The same, but not ready yet."""
        self.begin(*options)
        try:
            yield self
        finally:
            if self._process is not None:
                self.kill()

    def serve(self, *options: str) -> None:
        """Start the server, on the port that it had before, and return once it is ready."""
        self.begin(*options)
        self.wait()

    def begin(self, *options: str) -> None:
        """Start the server, which is not ready yet."""
        self.port = self.port or free_port()
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port), *options]
        self._process = subprocess.Popen(
            command,
            cwd=settings.BASE_DIR,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # so that `kill` finds its children, too
        )

    def wait(self) -> None:
        """Return once it is ready."""
        assert self._process is not None
        until = time.monotonic() + HANG
        while not self.is_ready():
            assert self._process.poll() is None, self._process.communicate()[0]
            assert time.monotonic() < until, "it does not serve"
            time.sleep(0.02)

    def is_ready(self) -> bool:
        try:
            return self.ask("/readyz")[0] == 200
        except OSError:
            return False

    def stop(self, number: int = signal.SIGTERM) -> str:
        """End it as a service manager does; what it has said."""
        assert self._process is not None
        self._process.send_signal(number)
        said, _ = self._process.communicate(timeout=HANG)
        assert self._process.returncode == 0, said
        self._process = None
        return said

    def kill(self) -> None:
        """End it, and the processes it started, in the middle of whatever they do."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        print(self._process.communicate()[0])
        self._process = None

    def ask(self, path: str, **headers: str) -> tuple[int, str]:
        """Status and text of what a stranger gets."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        with closing(connection):
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def gm(self) -> "Gm":
        return Gm(self.port, self.board, self.facts["cookies"])

    def press(self) -> int:
        """Press *Next turn*, whichever server it was pressed at before; the answer's status."""
        with self.gm() as gm:
            status, html = gm.post("next-turn", key=uuid4().hex, seen=self.facts["version"])
        if status == 200 and (found := VERSION.search(html)):
            self.facts["version"] = int(found[1])
        return status

    def watch(self, link: str) -> Browser:
        """A player's stream."""
        return Browser(self.port, f"{link}/live?lang=en")

    def shown(self) -> str:
        """The players' board as a page would have it now."""
        return self.ask(f"/j/{self.facts['token']}/board?lang=en")[1]

    def figure(self, name: str) -> float:
        """One of its figures, which TOKEN opens."""
        assert self._process is not None
        _, text = self.ask("/metrics", Authorization=f"Bearer {TOKEN}")
        found = re.search(rf'{name}\{{process="{self._process.pid}"\}} (\S+)', text)
        assert found, text
        return float(found[1])

    def is_linked(self) -> bool:
        """Whether it hears other processes."""
        return self.figure("quivive_live_bus_up") == 1

    # What the database holds

    def steps(self) -> list[tuple[str, int]]:
        """Key and version of each step of the fight, in order."""
        rows = self.rows("SELECT key, version FROM encounters_step ORDER BY version")
        return [(str(key).replace("-", ""), version) for key, version in rows]

    def ogres_hp(self) -> int:
        [(hp,)] = self.rows(f"SELECT hp FROM encounters_combatant WHERE number = {OGRE}")
        return int(hp)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        if url := self.environment.get("DATABASE_URL"):
            with psycopg.connect(url) as connection:
                return connection.execute(query.encode()).fetchall()
        with closing(sqlite3.connect(self.data / "quivive.sqlite3")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            return database.execute(query).fetchall()

    def assert_no_step_is_lost_or_doubled(self, acknowledged: list[str]) -> None:
        """Every acknowledged key has one step, versions have no gap, and the rows add up."""
        keys = [key for key, _ in self.steps()]
        assert len(set(keys)) == len(keys)
        assert set(acknowledged) <= set(keys)
        assert [version for _, version in self.steps()] == list(range(1, len(keys) + 1))
        dealt = "SELECT count(*) FROM encounters_step WHERE command = 'damage'"
        assert self.ogres_hp() == OGRES_HP - self.rows(dealt)[0][0]


class Gm:
    """A GM's browser: one connection, kept open."""

    def __init__(self, port: int, board: str, cookies: dict[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG)
        self._board = board
        token = next(value for name, value in cookies.items() if "csrf" in name)
        self._headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "X-CSRFToken": token,
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def hit(self, key: str = "") -> tuple[int, str]:
        """Take one hit point from the Ogre; the status, and the key in hexadecimal."""
        key = key or uuid4().hex
        return self.post("damage", key=key, target=OGRE, amount=1)[0], key

    def post(self, verb: str, **typed: Any) -> tuple[int, str]:
        """Status and text. OSError or HTTPException where the line breaks."""
        return self.send("POST", f"{self._board}{verb}/", urlencode(typed))

    def look(self) -> tuple[int, str]:
        return self.send("GET", self._board)

    def send(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        try:
            self._connection.request(method, path, body, self._headers)
            answer = self._connection.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
