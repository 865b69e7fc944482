"""What `serve` refuses, with a sentence that says what to do; it asks nobody."""

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.fixtures import Settings
from uvicorn.supervisors import Multiprocess

from config import serving
from config.network import LOOPBACK_HOSTS
from encounters.management.commands import serve

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="these are SQLite's limits"
    ),
]


@pytest.fixture(autouse=True)
def no_server(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is served, here or, on the same data, by another test."""

    def served(*_: object) -> Any:
        raise AssertionError("it serves")

    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(serving, "serve", served)
    monkeypatch.setattr(serving, "serve_several", served)
    monkeypatch.setattr(serve, "load_book", lambda: 0)


def test_several_processes_need_another_database() -> None:
    with pytest.raises(CommandError, match="DATABASE_URL"):
        call_command("serve", processes=2)


def test_no_process_at_all_serves_nobody() -> None:
    with pytest.raises(CommandError, match="--processes"):
        call_command("serve", processes=0)


def test_https_of_its_own_is_not_what_a_service_manager_gets(settings: Settings) -> None:
    settings.TLS = True
    with pytest.raises(CommandError, match=r"start --tls"):
        call_command("serve")


def test_a_database_of_another_version_is_told_how_to_be_brought_up_to_date() -> None:
    recorder = MigrationRecorder(connection)
    (last,) = MigrationLoader(connection).graph.leaf_nodes("encounters")
    recorder.record_unapplied(*last)
    try:
        with pytest.raises(CommandError, match=r"manage\.py backup\n.*manage\.py migrate"):
            call_command("serve")
    finally:
        recorder.record_applied(*last)


def test_a_database_that_is_away_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> bool:
        raise OperationalError("connection refused")

    monkeypatch.setattr(serve, "is_up_to_date", away)
    with pytest.raises(CommandError, match="cannot be used: connection refused"):
        call_command("serve")


def test_a_taken_port_is_said_and_no_other_is_used() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=str(port)):
            call_command("serve", port=port)


def test_scripts_that_cannot_be_gathered_are_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> bool:
        raise PermissionError("read-only file system")

    monkeypatch.setattr(serve, "gather_static_files", fail)
    with pytest.raises(CommandError, match="read-only file system"):
        call_command("serve")


def test_a_process_that_died_leaves_a_line_and_no_figures(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = settings.DATA_DIR / "figures"
    folder.mkdir()
    for number in (7, 8):
        (folder / f"{number}.json").touch()

    def replace(self: Any) -> None:
        self.processes = [SimpleNamespace(pid=9), self.processes[1]]

    monkeypatch.setattr(Multiprocess, "keep_subprocess_alive", replace)
    supervisor = serving._Processes.__new__(serving._Processes)
    ours: Any = [SimpleNamespace(pid=7, exitcode=-9), SimpleNamespace(pid=8)]
    supervisor.processes = ours
    supervisor.keep_subprocess_alive()
    assert [path.name for path in folder.iterdir()] == ["8.json"]
    assert [record.getMessage() for record in caplog.records] == [
        "Process 7 ended (exit code -9); process 9 takes its place"
    ]


@pytest.mark.parametrize(
    ("host", "reached"),
    [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("127.0.0.1", "127.0.0.1")],
)
def test_links_lead_to_where_it_listens(host: str, reached: str) -> None:
    if ":" in host and not socket.has_dualstack_ipv6():
        pytest.skip("this computer has no IPv6")
    with serving.listen(host, 0) as listener:
        address = urlsplit(serving.url_of(listener))
        assert address.netloc.rpartition(":")[0] == reached in LOOPBACK_HOSTS
        socket.create_connection((address.hostname, address.port)).close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_it_listens_where_it_is_told_to(host: str) -> None:
    if host == "::1" and not socket.has_dualstack_ipv6():
        pytest.skip("this computer has no IPv6")
    with serving.listen(host, 0) as listener:
        socket.create_connection(listener.getsockname()[:2]).close()
