"""A fight on a database of its own, and servers of the whole project over it, as deployed."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

from django.conf import settings

from tests.encounters.streaming import Browser, until
from tests.processes import HANG, clean_environment

TOKEN = "a-token-for-the-figures-of-the-tests"
FRAGMENT = re.compile(r'data-version="(\d+)"')

# Runs in a process of its own, over the database that its environment names.
PREPARE = """
import json, os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
from encounters.access import new_entry_path
from encounters.publishing import publish_campaign
from tests.factories import (
    CampaignFactory, EncounterFactory, PlayerLinkFactory, creature, hero, running,
)
campaign = CampaignFactory.create(name="The Reach")
fight = running(hero("Lia"), hero("Bran"), creature("Goblin"))
encounter = EncounterFactory.create(campaign=campaign, fight=fight)
campaign.shown = encounter
campaign.save()
publish_campaign(campaign)
links = [PlayerLinkFactory.create(campaign=campaign) for _ in range(8)]
client = Client(SERVER_NAME="127.0.0.1")
client.post(new_entry_path())
client.get(f"/e/{encounter.uuid}/")
cookies = {name: morsel.value for name, morsel in client.cookies.items()}
csrf = next(value for name, value in cookies.items() if "csrf" in name)
print(json.dumps({
    "campaign": campaign.pk, "encounter": str(encounter.uuid), "csrf": csrf,
    "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
    "tokens": [link.token for link in links], "version": encounter.version,
}))
"""
DJANGO = """
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
from encounters.models import *
"""


class Table:
    """A running fight, its GM and its players' links, for servers that come and go."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.environment = clean_environment(
            QUI_VIVE_DATA=str(folder / "data"),
            QUI_VIVE_SECRET_KEY="for-tests-only-" * 4,
            QUI_VIVE_METRICS_TOKEN=TOKEN,
            CI="1",
            **environment,
        )
        told = json.loads(self.run(PREPARE))
        self.encounter: str = told["encounter"]
        self.version: int = told["version"]
        self._gm = {
            "Cookie": told["cookie"],
            "X-CSRFToken": told["csrf"],
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self._tokens: list[str] = told["tokens"]

    def link(self) -> str:
        """The address of a players' link that nobody has had yet."""
        return f"/j/{self._tokens.pop()}"

    def run(self, script: str) -> str:
        """What a Python script says that runs on this table's database."""
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=settings.BASE_DIR,
            env={**self.environment, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            timeout=HANG,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def meddle(self, script: str) -> str:
        """The same with the models at hand: a change that no server hears of."""
        return self.run(DJANGO + script)

    @contextmanager
    def served(self) -> Iterator["Server"]:
        """A server on it."""
        with self.started() as process:
            yield Server(process)

    @contextmanager
    def started(self) -> Iterator["subprocess.Popen[str]"]:
        """A server that may not answer yet."""
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(_free_port())],
            cwd=settings.BASE_DIR,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            yield process
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.communicate(timeout=HANG)
        finally:
            process.kill()
            process.communicate()

    def board(self, server: "Server") -> str:
        """The GM's board."""
        return server.ask("GET", f"/e/{self.encounter}/", self._gm)[1]

    def press(self, server: "Server", key: str | None = None) -> int:
        """Press *Next turn*, and return the status of the answer."""
        form = {"key": key or str(uuid4()), "seen": self.version}
        path = f"/e/{self.encounter}/next-turn/"
        status, html = server.ask("POST", path, self._gm, urlencode(form))
        found = FRAGMENT.search(html)
        if status == 200 and found:
            self.version = int(found[1])
        return status

    def shown(self, server: "Server") -> str:
        """The players' board as a page would have it now."""
        return server.ask("GET", f"/j/{self._tokens[0]}/board?lang=en", {})[1]


class Server:
    """A running server."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.said: list[str] = []
        assert process.stdout is not None
        for line in process.stdout:
            self.said.append(line)
            if "Serving" in line:
                break
        found = re.search(r"port (\d+)", "".join(self.said))
        assert found, "".join(self.said)
        self.port = int(found[1])

    def ask(
        self, method: str, path: str, headers: dict[str, str], body: str = ""
    ) -> tuple[int, str]:
        """The status and the text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        try:
            connection.request(method, path, body.encode(), headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def figure(self, name: str) -> float:
        """One of its figures."""
        _, text = self.ask("GET", "/metrics", {"Authorization": f"Bearer {TOKEN}"})
        mine = re.compile(rf'{name}\{{process="{self.process.pid}"\}} (\S+)')
        found = mine.search(text)
        assert found, text
        return float(found[1])

    def is_linked(self) -> bool:
        """Whether it hears other processes."""
        return self.figure("quivive_live_bus_up") == 1

    def watch(self, link: str) -> Browser:
        return Browser(self.port, f"{link}/live?lang=en")


@contextmanager
def two_servers(table: Table) -> Iterator[tuple[Server, Server]]:
    """Two on one table, which hear each other."""
    with table.started() as first, table.started() as second:
        one, two = Server(first), Server(second)
        until(lambda: one.is_linked() and two.is_linked())
        yield one, two


def news(browser: Browser, *besides: str) -> str:
    """The name of the next event that is no heartbeat and none of these, with its data."""
    given_up = time.monotonic() + HANG
    while time.monotonic() < given_up:
        got = browser.next()
        assert got is not None, "the stream ended"
        if got.event not in ("hb", *besides):
            return f"{got.event}: {got.data}"
    raise AssertionError("there is no news")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
