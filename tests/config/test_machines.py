"""What machines ask: alive, ready, figures; and whose address a request is said to come from."""

import http.client
import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.fixtures import Settings

from config import asgi, health
from config.metrics import Metrics
from config.proxies import seen_through
from tests.encounters.streaming import PLAYER, Browser, Show, ask, serving, until

TOKEN = "a-token-for-the-figures-of-the-tests"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@contextmanager
def served(settings: Settings, folder: Path, token: str = TOKEN) -> Iterator[int]:
    """The doors before pages of no interest; gives the port."""

    def pages(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response(environ["PATH_INFO"].strip("/").rpartition("/")[2] + " So", [])
        return [environ["REMOTE_ADDR"].encode()]

    settings.DATA_DIR, settings.METRICS_TOKEN = folder, token
    show = Show()
    with show.executor, serving(asgi.Doors(pages, show.streams)) as port:
        yield port
        show.hub.close()


@pytest.fixture(autouse=True)
def no_server_believes_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ours are run; the one of these tests would by itself."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "")


@pytest.fixture
def port(settings: Settings, tmp_path: Path) -> Iterator[int]:
    with served(settings, tmp_path) as port:
        yield port


def text_at(port: int, path: str, **headers: str) -> str:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    line.request("GET", path, headers=headers)
    with line.getresponse() as answer:
        text = answer.read().decode()
    line.close()
    return text


# Alive and ready


def test_a_process_says_that_it_lives_without_asking_the_database(port: int) -> None:
    answer = ask(port, "/healthz")  # pytest-django lets nobody ask it here
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert ask(port, "/healthz", "HEAD").status == 200
    assert ask(port, "/healthz", "POST").status == 405


@pytest.mark.django_db(transaction=True)
def test_it_is_ready_when_the_database_has_all_migrations(port: int) -> None:
    assert ask(port, "/readyz").status == 200


@pytest.mark.django_db(transaction=True)
def test_it_is_not_ready_while_a_migration_is_missing(port: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_migrations SET name = 'x' || name WHERE app = 'encounters'")
    try:
        assert ask(port, "/readyz").status == 503
    finally:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE django_migrations SET name = substr(name, 2) WHERE app = 'encounters'"
            )


@pytest.mark.django_db(transaction=True)
def test_it_is_not_ready_while_the_database_is_away_and_says_nothing_of_it(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> Any:
        raise OperationalError("connection to 10.0.0.7 refused")

    monkeypatch.setattr(health, "FRESH", 0)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(MigrationRecorder, "applied_migrations", away)
        assert ask(port, "/readyz").status == 503
        assert text_at(port, "/readyz") == "not ready\n"
    assert ask(port, "/readyz").status == 200


@pytest.mark.django_db(transaction=True)
def test_a_database_that_does_not_answer_keeps_nobody_waiting(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    silence = threading.Event()

    def silent(*_: object) -> dict[tuple[str, str], object]:
        asked.append(silence.wait(20))
        return {}

    monkeypatch.setattr(health, "FRESH", 0)
    monkeypatch.setattr(health, "PATIENCE", 0.05)
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", silent)
    assert [ask(port, "/readyz").status for _ in range(3)] == [503] * 3
    silence.set()
    until(lambda: asked)
    ask(port, "/readyz")
    until(lambda: len(asked) > 1)
    assert len(asked) == 2  # who asked meanwhile waited with the first


# Figures


@pytest.mark.parametrize(
    ("token", "sent"), [(TOKEN, ""), (TOKEN, "Bearer wrong"), (TOKEN, TOKEN), ("", "Bearer ")]
)
def test_without_the_token_there_are_no_figures(
    settings: Settings, tmp_path: Path, token: str, sent: str
) -> None:
    with served(settings, tmp_path, token) as port:
        assert ask(port, "/metrics", Authorization=sent).status == 404
        assert ask(port, "/metrics").status == 404
        assert ask(port, "/metrics/", **HEADERS).status != 200


def samples(text: str) -> dict[str, float]:
    """Each line's value by its name and labels, without the process."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            found[re.sub(r',?process="\d+"', "", name).replace("{}", "")] = float(value)
    return found


def test_requests_and_the_seconds_of_actions_are_counted(port: int) -> None:
    for path, method in (("/200", "GET"), ("/200", "GET"), ("/404", "GET"), ("/302", "PROPFIND")):
        ask(port, path, method)
    ask(port, "/e/11111111-2222-4333-8444-555555555555/200/", "POST")
    with Browser(port, PLAYER) as lia:
        assert lia.next() is not None
        found = samples(text_at(port, "/metrics", **HEADERS))
    assert found['quivive_requests_total{method="GET",status="200"}'] == 2
    assert found['quivive_requests_total{method="GET",status="404"}'] == 1
    assert found['quivive_requests_total{method="other",status="302"}'] == 1
    assert found["quivive_action_seconds_count"] == 1
    assert found['quivive_action_seconds_bucket{le="+Inf"}'] == 1
    assert found["quivive_action_seconds_sum"] > 0
    assert found["quivive_threads"] >= 1
    assert found["process_resident_memory_bytes"] > 10_000_000
    assert "quivive_live_watchers" in found


def test_a_buckets_count_holds_those_of_the_smaller_ones(tmp_path: Path) -> None:
    metrics = Metrics(dict, tmp_path)
    for seconds in (0.001, 0.02, 0.3, 9.0):
        metrics.answered("POST", "/e/x/damage/", 200, seconds)
    metrics.answered("GET", "/e/x/", 200, 9.0)
    found = samples(metrics.text())
    limits = ("0.005", "0.025", "0.5", "5.0", "+Inf")
    buckets = [found[f'quivive_action_seconds_bucket{{le="{limit}"}}'] for limit in limits]
    assert buckets == [1, 2, 3, 3, 4]
    assert found["quivive_action_seconds_count"] == 4


def test_every_figure_stands_under_the_one_line_that_names_its_kind(tmp_path: Path) -> None:
    metrics = Metrics(lambda: {"watchers": 3, "sent": 7}, tmp_path)
    metrics.answered("GET", "/", 200, 0.1)
    other = Metrics(lambda: {"watchers": 2, "sent": 1}, tmp_path)
    other._file = tmp_path / "1.json"
    other.leave()
    named: list[str] = []
    for line in metrics.text().splitlines():
        if line.startswith("# TYPE "):
            named.append(line.split()[2])
        else:
            assert line.startswith(named[-1])
    assert len(named) == len(set(named))
    assert "quivive_live_sent_total" in named


def test_one_process_tells_of_the_others_but_not_of_those_long_gone(tmp_path: Path) -> None:
    here, there = Metrics(lambda: {"watchers": 3}, tmp_path), Metrics(dict, tmp_path)
    for number, watchers in (("1", 5), ("2", 7), ("3", 9)):
        there._live = lambda watchers=watchers: {"watchers": watchers}  # type: ignore[misc]
        there._file = tmp_path / f"{number}.json"
        there.leave()
    os.utime(tmp_path / "2.json", (0, 0))
    (tmp_path / "4.json").write_text(json.dumps("half a")[:-1])
    there.forget()  # the third
    text = here.text()
    told = re.findall(r'quivive_live_watchers\{process="(\d+)"\} (\d+)', text)
    assert sorted(told) == sorted([(str(os.getpid()), "3"), ("1", "5")])
    assert not (tmp_path / "2.json").exists()


# Addresses


def scope(*forwarded: str) -> dict[str, Any]:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return {"client": ("10.0.0.1", 4711), "headers": [(b"host", b"x"), *headers]}


@pytest.mark.parametrize(
    ("hops", "forwarded", "client"),
    [
        (0, ["203.0.113.9"], "10.0.0.1"),
        (1, ["203.0.113.9"], "203.0.113.9"),
        (1, ["127.0.0.1, 203.0.113.9"], "203.0.113.9"),  # the first was invented
        (2, ["127.0.0.1, 203.0.113.9, 198.51.100.7"], "203.0.113.9"),
        (2, ["203.0.113.9", "198.51.100.7"], "203.0.113.9"),  # two headers are one list
        (1, ["2001:db8::9"], "2001:db8::9"),
        (2, ["203.0.113.9"], "10.0.0.1"),  # it came past a proxy
        (1, [], "10.0.0.1"),
        (1, ["unknown"], "10.0.0.1"),
        (1, ["203.0.113.9, "], "10.0.0.1"),
    ],
)
def test_the_client_is_who_the_outermost_trusted_proxy_saw(
    hops: int, forwarded: list[str], client: str
) -> None:
    assert seen_through(scope(*forwarded), hops)["client"][0] == client


def test_pages_see_the_clients_address(settings: Settings, port: int) -> None:
    said = {"X-Forwarded-For": "127.0.0.1, 203.0.113.9"}
    assert text_at(port, "/200", **said) == "127.0.0.1"
    settings.PROXY_HOPS = 1
    assert text_at(port, "/200", **said) == "203.0.113.9"
