"""What another device may do to the server at its bare port: little, and not to who is at it.

127.0.0.2 is such a device; only 127.0.0.1 is this computer.
"""

import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import settings

from config import lines
from tests.encounters.streaming import PATIENCE, until
from tests.processes import HANG, clean_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what it takes is told by Linux")

DEVICE, HERE = "127.0.0.2", "127.0.0.1"
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HEAD = GET[:-2]
MOST_GROWN = 20 * 1024 * 1024  # bytes


class Bare:
    """The server's process."""

    def __init__(self, process: "subprocess.Popen[str]", *, secure: bool) -> None:
        assert process.stdout is not None
        self._secure = secure
        self.port = int(process.stdout.readline())
        self._folder = Path(f"/proc/{process.pid}")
        assert self.asked() == 200  # what the first takes, it takes once
        self._before = self._memory()

    def line(self, address: str = DEVICE) -> socket.socket:
        return socket.create_connection((HERE, self.port), PATIENCE, (address, 0))

    def asked(self, address: str = HERE) -> int:
        """The status of its answer."""
        with self.line(address) as plain, self._over_tls(plain) as line:
            line.sendall(GET)
            return int(line.recv(65_536).split()[1])

    def _over_tls(self, plain: socket.socket) -> socket.socket:
        if not self._secure:
            return plain
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        return trusting.wrap_socket(plain)

    def has_kept_its_size(self) -> bool:
        """It may have taken more in between, but not for long."""
        return self._memory() < self._before + MOST_GROWN

    def files(self) -> int:
        return len(list((self._folder / "fd").iterdir()))

    def _memory(self) -> int:
        """The most that it has ever held, in bytes."""
        status = (self._folder / "status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024


@contextmanager
def bare(seconds: float, *folder: str) -> Iterator[Bare]:
    environment = clean_environment(
        DJANGO_SETTINGS_MODULE="tests.settings", QUI_VIVE_DATA=str(settings.DATA_DIR)
    )
    with subprocess.Popen(
        [sys.executable, "-m", "tests.config.bare", str(seconds), *folder],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Bare(process, secure=bool(folder))
        finally:
            process.terminate()
            process.wait(HANG)


@pytest.fixture(scope="module")
def server() -> Iterator[Bare]:
    with bare(PATIENCE) as found:
        yield found


@pytest.fixture(scope="module")
def impatient() -> Iterator[Bare]:
    with bare(0.3) as found:
        yield found


@pytest.fixture(scope="module", params=["plain", "secure"])
def either(
    request: pytest.FixtureRequest, server: Bare, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Bare]:
    """The server, without TLS or with it."""
    if request.param == "plain":
        yield server
        return
    with bare(PATIENCE, str(tmp_path_factory.mktemp("certificate"))) as found:
        yield found


def answer(line: socket.socket) -> bytes:
    """All that comes until the server closes."""
    got = b""
    with suppress(ConnectionResetError):
        while read := line.recv(65_536):
            got += read
    return got


def answers(line: socket.socket, number: int) -> bytes:
    """So many, each with its body, or what came until the server closed."""
    got = b""
    while got.count(b"\r\n\r\nSo") < number and (read := line.recv(65_536)):
        got += read
    return got


def sent(line: socket.socket, part: bytes, times: int) -> int:
    """Send it again and again; how often until the server closed."""
    for number in range(times):
        try:
            line.sendall(part)
        except OSError:
            return number
    return times


@pytest.mark.parametrize(
    "part",
    [b"x" * 4096, b"X: y\r\n" * 512, b"X-Long: " + b"x" * 4096 + b"\r\n", b"\r\n" * 2048],
    ids=["one that never ends", "many", "long ones", "nothing"],
)
def test_a_head_that_does_not_end_is_refused_while_it_arrives(server: Bare, part: bytes) -> None:
    with server.line() as line:
        line.sendall(HEAD if part.strip() else b"")
        assert sent(line, part, 5_000) < 5_000
        assert answer(line).startswith(b"HTTP/1.1 431 ") or part  # unless it sent on regardless
    assert server.asked() == 200
    assert server.has_kept_its_size()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"X: " + b"x" * (lines.MOST_HEAD - len(HEAD) - 7) + b"\r\n\r\n", b"200"),
        (b"X: " + b"x" * (lines.MOST_HEAD - len(HEAD) - 3), b"431"),
        (b"X: y\r\n" * (lines.MOST_FIELDS - 1) + b"\r\n", b"200"),
        (b"X: y\r\n" * (lines.MOST_FIELDS + 1), b"431"),
        (b"no field\r\n", b"400"),
    ],
    ids=["long", "too long", "many", "too many", "nonsense"],
)
def test_a_refusal_of_a_head_can_be_read(server: Bare, head: bytes, status: bytes) -> None:
    with server.line() as line:
        line.sendall(HEAD + head)
        assert line.recv(65_536).split()[1] == status


def test_a_large_body_is_no_head(server: Bare) -> None:
    with server.line() as line:
        line.sendall(HEAD + b"Content-Length: 200000\r\n\r\n" + b"x" * 200_000 + GET)
        assert answers(line, 2).count(b"HTTP/1.1 200 ") == 2


@pytest.mark.parametrize("first", [b"", GET.replace(b"/ ", b"/slow ")], ids=["quick", "slow"])
def test_requests_that_follow_without_waiting_are_few(server: Bare, first: bytes) -> None:
    with server.line() as line:
        line.sendall(first)
        assert sent(line, GET * 1_000, 400) < 400
    assert server.asked() == 200
    assert server.has_kept_its_size()


def test_some_requests_may_follow_without_waiting(server: Bare) -> None:
    with server.line() as line:
        line.sendall(GET * lines.MOST_WAITING)
        assert answers(line, lines.MOST_WAITING).count(b"HTTP/1.1 200 ") == lines.MOST_WAITING


def test_a_device_has_few_lines_and_this_computer_as_many_as_it_needs(either: Bare) -> None:
    before = either.files()
    with ExitStack() as held:
        for _ in range(4 * lines.MOST_OF_ADDRESS):
            held.enter_context(either.line())
        until(lambda: either.files() <= before + lines.MOST_OF_ADDRESS)
        with pytest.raises((OSError, IndexError)):
            either.asked(DEVICE)
        for _ in range(lines.MOST_OF_ADDRESS + 10):
            held.enter_context(either.line(HERE))
        assert either.asked() == 200
        assert either.asked("127.0.0.3") == 200
    until(lambda: either.files() <= before)
    assert either.asked(DEVICE) == 200
    assert either.has_kept_its_size()


def test_large_bodies_fill_no_memory_while_they_arrive(server: Bare) -> None:
    part = HEAD + b"Content-Length: 1000000\r\n\r\n" + b"x" * 60_000
    with ExitStack() as held:
        for _ in range(lines.MOST_OF_ADDRESS):
            held.enter_context(server.line()).sendall(part)
        assert server.asked() == 200
    assert server.has_kept_its_size()


@pytest.mark.parametrize(
    ("begun", "status"),
    [
        (b"", b""),
        (HEAD, b"HTTP/1.1 408 "),
        (b"\r\n", b"HTTP/1.1 408 "),
        (HEAD + b"Content-Length: 9\r\n\r\n", b""),
    ],
    ids=["silent", "half a head", "not even that", "half a request"],
)
def test_who_does_not_finish_is_let_go(impatient: Bare, begun: bytes, status: bytes) -> None:
    with impatient.line() as line:
        line.sendall(begun)
        assert answer(line)[: len(status)] == status


def test_the_next_request_has_no_more_time_than_the_first(impatient: Bare) -> None:
    with impatient.line() as line:
        line.sendall(GET)
        assert answers(line, 1)
        line.sendall(HEAD)
        assert answer(line).startswith(b"HTTP/1.1 408 ")


def test_nobody_stays_who_does_not_finish_the_handshake(tmp_path: Path) -> None:
    with bare(0.3, str(tmp_path)) as server, server.line() as silent, server.line() as slow:
        slow.sendall(b"\x16\x03\x01\x02\x00\x01")
        assert answer(silent) == answer(slow) == b""


def test_one_letter_at_a_time_is_not_enough(impatient: Bare) -> None:
    with impatient.line() as line:
        line.sendall(HEAD)
        until(lambda: not sent(line, b"x", 1))
