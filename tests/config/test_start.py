"""The command `start`, as it is typed: a process of its own on a fresh data directory."""

import http.client
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from tests.processes import HANG, clean_environment, run_python

WAY_IN = re.compile(r"http://127\.0\.0\.1:(\d+)(/entry/[\w-]+/)")


@dataclass(frozen=True)
class Table:
    """The first start on fresh data, with another program at the port that was asked for."""

    environment: dict[str, str]
    wanted: int  # the port
    said: str  # until it was ready
    port: int
    entry: str  # the path of the link that it said


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """It runs until all have looked at it."""
    data = tmp_path_factory.mktemp("start") / "data"
    environment = clean_environment(QUI_VIVE_DATA=str(data), CI="1")
    with socket.create_server(("127.0.0.1", 0)) as other:
        wanted = int(other.getsockname()[1])
        with started(environment, "--port", str(wanted)) as said:
            found = WAY_IN.search(said)
            assert found, said
            yield Table(environment, wanted, said, int(found[1]), found[2])


@contextmanager
def started(environment: dict[str, str], *options: str) -> Iterator[str]:
    """Run the command; give what it said until it was ready."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "start", *options],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if "Ctrl+C" in line:
                break
        yield said
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG)
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


def status(port: int, path: str, host: str = "127.0.0.1") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG)
    connection.request("GET", path, headers={"Host": f"{host}:{port}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_a_first_start_opens_a_table(table: Table) -> None:
    data, port = Path(table.environment["QUI_VIVE_DATA"]), table.port
    assert status(port, table.entry) == 200
    assert status(port, "/") == 302
    assert status(port, "/j/nothing") == 404
    assert status(port, "/", host="evil.example") == 400
    again = run_python(table.environment, "manage.py", "start")
    assert again.returncode == 0
    other = WAY_IN.search(again.stdout)
    assert other
    assert int(other[1]) == port
    assert other[2] != table.entry
    assert status(port, other[2]) == 200
    for path in data.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    assert not (data / "backups").exists()


def test_a_taken_port_is_said_and_the_next_one_used(table: Table) -> None:
    assert table.port > table.wanted
    assert table.said.startswith(f"Port {table.wanted} is taken")
    assert status(table.port, table.entry) == 200


def test_a_plain_start_stays_on_this_computer(table: Table) -> None:
    assert "--lan" in table.said
    listening = Path("/proc/net/tcp")
    if listening.exists():
        assert f"0100007F:{table.port:04X}" in listening.read_text()
        assert f"00000000:{table.port:04X}" not in listening.read_text()


def test_another_entry_link_is_printed_on_demand(table: Table) -> None:
    printed = run_python(table.environment, "manage.py", "entry_link")
    found = WAY_IN.fullmatch(printed.stdout.strip())
    assert found
    assert int(found[1]) == table.port
    assert status(table.port, found[2]) == 200
