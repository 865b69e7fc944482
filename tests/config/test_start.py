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
from pathlib import Path

import pytest
from django.conf import settings

from tests.processes import HANG, clean_environment, run_python

WAY_IN = re.compile(r"http://127\.0\.0\.1:(\d+)(/entry/[\w-]+/)")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return clean_environment(QUI_VIVE_DATA=str(tmp_path / "data"), CI="1")


@pytest.fixture
def port() -> int:
    """A port that is free just now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def started(environment: dict[str, str], *options: str) -> Iterator[tuple[list[str], int, str]]:
    """Run the command; give the lines it said until it was ready, its port and entry path."""
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
        said: list[str] = []
        for line in process.stdout:
            said.append(line)
            if "Ctrl+C" in line:
                break
        found = WAY_IN.search("".join(said))
        assert found, ("".join(said), process.poll())
        yield said, int(found[1]), found[2]
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


def test_a_first_start_opens_a_table(environment: dict[str, str], port: int) -> None:
    data = Path(environment["QUI_VIVE_DATA"])
    with started(environment, "--port", str(port)) as (_said, found, entry):
        assert found == port
        assert status(port, entry) == 200
        assert status(port, "/") == 302
        assert status(port, "/j/nothing") == 404
        assert status(port, "/", host="evil.example") == 400
        again = run_python(environment, "manage.py", "start")
        assert again.returncode == 0
        other = WAY_IN.search(again.stdout)
        assert other
        assert int(other[1]) == port
        assert other[2] != entry
        assert status(port, other[2]) == 200
    for path in data.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    assert not (data / "backups").exists()


def test_a_taken_port_is_said_and_the_next_one_used(environment: dict[str, str], port: int) -> None:
    with (
        socket.create_server(("127.0.0.1", port)),
        started(environment, "--port", str(port)) as (said, found, entry),
    ):
        assert found > port
        assert f"Port {port} is taken" in said[0]
        assert status(found, entry) == 200


def test_a_plain_start_stays_on_this_computer(environment: dict[str, str], port: int) -> None:
    with started(environment, "--port", str(port)) as (said, _found, _entry):
        assert "--lan" in "".join(said)
        listening = Path("/proc/net/tcp")
        if listening.exists():
            assert f"0100007F:{port:04X}" in listening.read_text()
            assert f"00000000:{port:04X}" not in listening.read_text()


def test_another_entry_link_is_printed_on_demand(environment: dict[str, str], port: int) -> None:
    with started(environment, "--port", str(port)):
        printed = run_python(environment, "manage.py", "entry_link")
        found = WAY_IN.fullmatch(printed.stdout.strip())
        assert found
        assert int(found[1]) == port
        assert status(port, found[2]) == 200
