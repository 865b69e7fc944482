"""The three doors of the one process, through a real server on loopback."""

import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.http import HttpResponse
from django.middleware.security import SecurityMiddleware
from django.test import RequestFactory

from config import asgi, bridge, lines
from encounters import link_uses
from tests.encounters.streaming import PATIENCE, PLAYER, Browser, Show, ask, serving, until

ECHO = "/echo"


class Pages:
    """A WSGI application that gives back what it is sent, and remembers who asked what."""

    def __init__(self) -> None:
        self.environs: list[dict[str, Any]] = []
        self.threads: set[str] = set()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.environs.append(environ)
        self.threads.add(threading.current_thread().name)
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"] or 0))
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


@contextmanager
def doors() -> Iterator[tuple[Pages, Show, int]]:
    """The application over such pages and a table; the port of its server."""
    pages, show = Pages(), Show()
    app = asgi.Doors(pages, show.streams)
    with show.executor, serving(app) as port:
        yield pages, show, port
        show.hub.close()


def raw(port: int, request: bytes, *, leave: bool = False) -> bytes:
    """What comes back for these very bytes, the server closing or the client leaving."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
        client.sendall(request)
        if leave:
            return b""
        got = b""
        try:
            while chunk := client.recv(65_536):
                got += chunk
        except ConnectionResetError:  # it closed with some of ours unread
            pass
        return got


def post(body: bytes, *headers: str) -> bytes:
    lines = [f"POST {ECHO} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def chunked(*chunks: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in (*chunks, b""))


# Pages


def test_a_page_gets_the_whole_body_with_or_without_a_length() -> None:
    with doors() as (pages, _show, port):
        assert raw(port, post(b"seven", "Content-Length: 5")).endswith(b"\r\n\r\nseven")
        long = b"x" * bridge.LARGEST_BODY
        said = f"Content-Length: {len(long)}"
        assert raw(port, post(long, said)).endswith(b"\r\n\r\n" + long)
        sent = chunked(b"da", b"mage")
        assert raw(port, post(sent, "Transfer-Encoding: chunked")).endswith(b"\r\n\r\ndamage")
        assert pages.environs[-1]["CONTENT_LENGTH"] == "6"


@pytest.mark.parametrize(
    ("body", "header"),
    [
        (b"", f"Content-Length: {bridge.LARGEST_BODY + 1}"),
        (b"", "Content-Length: " + "9" * 18),
        (chunked(b"x" * bridge.LARGEST_BODY, b"x"), "Transfer-Encoding: chunked"),
    ],
)
def test_a_body_over_a_mebibyte_is_refused_before_any_page_sees_it(
    body: bytes, header: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "LINGERING", 0.05)
    with doors() as (pages, _show, port):
        assert raw(port, post(body, header)).startswith(b"HTTP/1.1 413 ")
        assert pages.environs == []


def test_who_sends_too_much_gets_to_read_that_it_is() -> None:
    body = b"x" * 2 * bridge.LARGEST_BODY
    with doors() as (_pages, _show, port), closing(HTTPConnection("127.0.0.1", port)) as sender:
        sender.request("POST", ECHO, body)  # all of it, and only then does it look
        assert sender.getresponse().status == 413


def test_a_body_that_breaks_off_changes_nothing() -> None:
    with doors() as (pages, _show, port):
        raw(port, post(b"damage=1", "Content-Length: 9"), leave=True)
        raw(port, post(b"9\r\ndamage", "Transfer-Encoding: chunked"), leave=True)
        assert raw(port, post(b"", "Content-Length: 0")).startswith(b"HTTP/1.1 200 ")
        assert len(pages.environs) == 1


def test_a_slow_sender_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    with doors() as (_pages, _show, port):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as slow:
            slow.sendall(post(b"half", "Content-Length: 8"))
            assert raw(port, post(b"", "Content-Length: 0")).startswith(b"HTTP/1.1 200 ")
            slow.sendall(b"half")
            assert slow.recv(65_536).startswith(b"HTTP/1.1 200 ")
        monkeypatch.setattr(bridge, "SLOWEST_BODY", 0.05)
        monkeypatch.setattr(asgi, "LINGERING", 0.05)
        assert raw(port, post(b"half", "Content-Length: 8")).startswith(b"HTTP/1.1 408 ")


# RW-S30: with SQLite writers queue in one thread
def test_with_sqlite_one_thread_answers_every_page() -> None:
    with doors() as (pages, _show, port):
        askers = [threading.Thread(target=ask, args=[port, ECHO]) for _ in range(20)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
        assert len(pages.environs) == 20
        assert len(pages.threads) == 1


def test_a_header_cannot_pass_for_another_by_an_underscore() -> None:
    with doors() as (pages, _show, port):
        headers = {"X_Forwarded_Proto": "https", "Content_Length": "7", "X-Real": "yes"}
        assert ask(port, ECHO, **headers).status == 200
        assert "HTTP_X_FORWARDED_PROTO" not in pages.environs[0]
        assert pages.environs[0]["HTTP_X_REAL"] == "yes"


def test_a_request_that_wsgi_cannot_hold_is_refused() -> None:
    with doors() as (pages, _show, port):
        request = b"GET /?\xe9 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        assert raw(port, request).startswith(b"HTTP/1.1 400 ")
        many = [f"X-{number}: x" for number in range(lines.MOST_FIELDS)]
        assert raw(port, post(b"", *many)).startswith(b"HTTP/1.1 431 ")
        assert pages.environs == []


def test_the_threads_let_go_of_the_database_when_the_server_stops() -> None:
    opened: list[str] = []
    closed: list[str] = []

    def page(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
        opened.append(threading.current_thread().name)
        closing = lambda: closed.append(threading.current_thread().name)  # noqa: E731
        connections["default"].close = closing  # type: ignore[method-assign]
        start_response("200 OK", [])
        return []

    show = Show()
    with show.executor, serving(asgi.Doors(page, show.streams)) as port:
        ask(port, "/")
        assert closed == []
    assert closed == opened


def test_the_use_of_links_is_written_down_again_and_again_whatever_happened_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[int] = []

    def write() -> None:
        written.append(1)
        raise OSError("the disk is away")

    monkeypatch.setattr(link_uses, "flush", write)
    monkeypatch.setattr(asgi, "FLUSHED_EVERY", 0.01)
    with doors():
        until(lambda: len(written) > 2)
        monkeypatch.setattr(link_uses, "flush", lambda: None)


def test_the_use_of_links_is_written_down_at_the_end_where_the_writers_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[str] = []
    monkeypatch.setattr(link_uses, "flush", lambda: written.append(threading.current_thread().name))
    with doors() as (pages, _show, port):
        ask(port, ECHO)
        until(lambda: len(written) == 1)
    assert len(written) == 2
    assert set(written) == pages.threads


STOPPABLE = """
import django
django.setup()
import socket, uvicorn
from config import asgi, bridge, lines
from tests.encounters.streaming import Show
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
app = asgi.Doors(lambda *_: [], Show().streams)
uvicorn.run(app, fd=listener.fileno(), ws="none", log_config=None)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of this kind are Unix's")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_open_streams_do_not_keep_the_server_from_stopping(number: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPABLE],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": "."},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            with Browser(int(process.stdout.readline()), PLAYER) as lia:
                assert lia.next() is not None
                process.send_signal(number)
                assert lia.next() is None
                assert not lia.cut_off
            _out, complaints = process.communicate(timeout=PATIENCE)
            assert "Exception in ASGI" not in complaints
        finally:
            process.kill()


# The other doors


def test_a_stream_has_its_own_door_and_its_neighbours_are_pages() -> None:
    with doors() as (pages, _show, port):
        with Browser(port, PLAYER) as lia:
            assert lia.next() is not None
        assert pages.environs == []
        for path in ("/j/T0KEN/", "/j/T0KEN/live/", "/j/T0KEN/board", "/e/1/live", "/live"):
            assert ask(port, path).status == 200
        assert len(pages.environs) == 5


def test_static_files_are_sent_compressed_for_ever_and_with_the_headers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "STATIC_ROOT", tmp_path)
    (tmp_path / "board.0123456789ab.css").write_text("main { color: red }")
    (tmp_path / "board.0123456789ab.css.gz").write_bytes(b"packed")
    (tmp_path / "board.css").write_text("main { color: red }")
    with doors() as (pages, _show, port):
        hashed = ask(port, "/static/board.0123456789ab.css", **{"Accept-Encoding": "gzip"})
        assert hashed.headers["Content-Encoding"] == "gzip"
        assert "immutable" in hashed.headers["Cache-Control"]
        assert hashed.headers["X-Content-Type-Options"] == "nosniff"
        assert hashed.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "Access-Control-Allow-Origin" not in hashed.headers
        assert "immutable" not in ask(port, "/static/board.css").headers["Cache-Control"]
        assert pages.environs == []
        ask(port, "/static/missing.css")
        ask(port, "/static/../board.css")
        assert len(pages.environs) == 2


def test_where_browsers_are_bound_to_https_static_files_say_so_as_pages_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "STATIC_ROOT", tmp_path)
    (tmp_path / "board.css").write_text("main { color: red }")
    header = "Strict-Transport-Security"
    with doors() as (_pages, _show, port):
        assert header not in ask(port, "/static/board.css").headers
        monkeypatch.setattr(settings, "SECURE_HSTS_SECONDS", 3600)
        monkeypatch.setattr(settings, "SECURE_HSTS_INCLUDE_SUBDOMAINS", True)
        monkeypatch.setattr(settings, "SECURE_HSTS_PRELOAD", True)
    with doors() as (_pages, _show, port):
        said = ask(port, "/static/board.css").headers[header]
    page = SecurityMiddleware(lambda _request: HttpResponse())(
        RequestFactory().get("/", secure=True)
    )
    assert isinstance(page, HttpResponse)
    assert said == page.headers[header]


def test_where_browsers_are_bound_to_https_whatever_answers_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "SECURE_HSTS_SECONDS", 3600)
    monkeypatch.setattr(asgi, "LINGERING", 0.05)
    header = b"\r\nstrict-transport-security: max-age=3600\r\n"
    get = "GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with doors() as (_pages, _show, port):
        too_large = post(b"", f"Content-Length: {bridge.LARGEST_BODY + 1}")
        too_many = post(b"", *["X: y"] * lines.MOST_FIELDS)
        no_stream = get.format("/j/WR0NG/live").encode()
        for asked in (get.format("/healthz").encode(), no_stream, too_large, too_many, b"?\r\n"):
            assert header in raw(port, asked).lower(), asked[:40]
        with Browser(port, PLAYER) as lia:
            assert lia.answer.headers["Strict-Transport-Security"] == "max-age=3600"


def test_other_computers_send_few_large_bodies_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "MOST_LARGE", 2)
    monkeypatch.setattr(asgi, "LINGERING", 0.05)
    large = post(b"x" * 100_000, "Content-Length: 200000")
    with ExitStack() as held, doors() as (pages, _show, port):

        def sender(address: str) -> socket.socket:
            line = socket.create_connection(("127.0.0.1", port), PATIENCE, (address, 0))
            held.enter_context(line).sendall(large)
            return line

        senders = [sender("127.0.0.2") for _ in range(3)]
        refused, *_ = select.select(senders, [], [], PATIENCE)[0]
        assert refused.recv(99).startswith(b"HTTP/1.1 503 ")
        senders.remove(refused)
        for line in (sender("127.0.0.1"), *senders):
            line.sendall(b"x" * 100_000)
            assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")
        assert len(pages.environs) == 3


def test_a_refusal_at_the_door_carries_the_headers_of_a_page() -> None:
    with doors() as (_pages, _show, port):
        answer = ask(port, ECHO, "POST", **{"Content-Length": str(bridge.LARGEST_BODY + 1)})
        assert answer.status == 413
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
