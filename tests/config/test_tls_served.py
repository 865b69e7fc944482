"""HTTPS as browsers meet it: a server that shows a certificate, and the command `start --tls`."""

import asyncio
import hashlib
import http.client
import re
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.conf import settings
from django.core.management.base import CommandError

from config import tls
from config.lines import Protocol
from encounters.management.commands import start
from tests.encounters.streaming import PATIENCE, until
from tests.networks import CAFE, HOME, be_on
from tests.processes import HANG, clean_environment, run_python


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return be_on(monkeypatch, HOME)


@contextmanager
def served(shown: tls.Shown) -> Iterator[tuple[int, asyncio.AbstractEventLoop]]:
    """The port of a server that shows the certificate, and its event loop."""
    loops = []

    async def scheme(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            loops.append(asyncio.get_running_loop())
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": scope["scheme"].encode()})

    config = uvicorn.Config(
        scheme,
        http=partial(Protocol, context=shown.context),  # type: ignore[arg-type]
        log_config=None,
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            until(lambda: server.started)
            yield listener.getsockname()[1], loops[0]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


def connected(port: int) -> http.client.HTTPSConnection:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=trusting)
    connection.connect()
    return connection


def seen_by(connection: http.client.HTTPSConnection) -> str:
    """The fingerprint a browser would show."""
    assert isinstance(connection.sock, ssl.SSLSocket)
    der = connection.sock.getpeercert(binary_form=True)
    assert der
    return hashlib.sha256(der).digest().hex(":").upper()


def asked(connection: http.client.HTTPSConnection) -> bytes:
    """How the server was asked: "https"."""
    connection.request("GET", "/")
    return connection.getresponse().read()


def test_a_renewed_certificate_is_shown_without_a_restart_and_open_pages_stay(
    tmp_path: Path, addresses: list[str]
) -> None:
    shown = tls.MadeHere(tmp_path)
    with served(shown) as (port, loop):
        lia = connected(port)
        assert asked(lia) == b"https"
        news = tls.NewCertificate(shown, loop.call_soon_threadsafe)
        assert news() == []
        addresses[:] = [CAFE]
        fingerprint = news()[1].strip()
        bran = connected(port)
        assert seen_by(bran) == fingerprint != seen_by(lia)
        assert asked(bran) == asked(lia) == b"https"
        lia.close()
        bran.close()


def test_a_browser_that_was_told_to_trust_it_finds_nothing_else_wrong_with_it(
    tmp_path: Path, addresses: list[str]
) -> None:
    shown = tls.MadeHere(tmp_path)
    trusting = ssl.create_default_context(cadata=ssl.PEM_cert_to_DER_cert(pem_of(tmp_path)))
    with served(shown) as (port, _loop):
        for name in ("localhost", "127.0.0.1", "lias-laptop.local", HOME):
            with (
                socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain,
                trusting.wrap_socket(plain, server_hostname=name) as secure,
            ):
                assert secure.version() in ("TLSv1.2", "TLSv1.3")
        with (
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain,
            pytest.raises(ssl.SSLCertVerificationError),
        ):
            trusting.wrap_socket(plain, server_hostname=CAFE)


def pem_of(data: Path) -> str:
    text = (data / tls.FILE).read_text()
    return text[text.index("-----BEGIN CERTIFICATE") :]


# The command


ENTRY = re.compile(r"https://127\.0\.0\.1:(\d+)(/entry/[\w-]+/)")
FINGERPRINT = re.compile(r"(?:[0-9A-F]{2}:){31}[0-9A-F]{2}")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return clean_environment(QUI_VIVE_DATA=str(tmp_path_factory.mktemp("data")), CI="1")


@pytest.fixture(scope="module")
def said(environment: dict[str, str]) -> Iterator[str]:
    """What `start --lan --tls` said until it was ready; it runs on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    process = subprocess.Popen(
        [sys.executable, "manage.py", "start", "--lan", "--tls", "--demo", "--port", port],
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
        process.terminate()
        process.communicate(timeout=HANG)
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


def test_over_https_the_gm_enters_from_another_device(said: str) -> None:
    found = ENTRY.search(said)
    assert found, said
    port, path = int(found[1]), found[2]
    device = {"Host": f"{socket.gethostname()}:{port}"}
    browser = connected(port)
    assert FINGERPRINT.findall(said) == [seen_by(browser)]
    browser.request("GET", path, headers=device)
    page = browser.getresponse()
    token = TOKEN.search(page.read().decode())
    assert token
    cookies = page.headers.get_all("Set-Cookie") or []
    sent = {
        **device,
        "Cookie": "; ".join(cookie.partition(";")[0] for cookie in cookies),
        "Content-Type": "application/x-www-form-urlencoded",
    }
    answers = []
    host = device["Host"]
    for origin in ("https://evil.example", f"http://{host}", f"https://{host}"):
        body = f"csrfmiddlewaretoken={token[1]}"
        browser.request("POST", path, body, {**sent, "Origin": origin})
        answers.append(browser.getresponse())
        answers[-1].read()
    browser.close()
    assert [answer.status for answer in answers] == [403, 403, 302]
    entered = answers[-1].headers
    for cookie in (*cookies, *(entered.get_all("Set-Cookie") or [])):
        assert cookie.startswith("__Host-")
        assert "; Secure" in cookie
    assert "__Host-qv_session" in str(entered["Set-Cookie"])
    assert "Strict-Transport-Security" not in entered


def test_links_are_https_and_the_next_start_opens_the_running_table(
    said: str, environment: dict[str, str]
) -> None:
    assert "http://" not in said
    assert "https://" in said
    again = run_python(environment, "manage.py", "start")
    found, other = ENTRY.search(said), ENTRY.search(again.stdout)
    assert found
    assert other
    assert other[1] == found[1]


def test_with_files_of_no_use_nothing_is_started(tmp_path: Path) -> None:
    environment = clean_environment(QUI_VIVE_DATA=str(tmp_path))
    result = run_python(environment, "manage.py", "start", "--tls", "own.pem", "own.key")
    assert result.returncode == 1
    assert "own.pem cannot be read" in result.stderr
    assert "Traceback" not in result.stderr
    assert not list(tmp_path.glob("*.sqlite3"))


def test_a_certificate_without_its_key_is_refused() -> None:
    with pytest.raises(CommandError, match="--tls takes two files"):
        start._certificate([Path("own.pem")])
