"""What another device on the table's network can do to the GM: the step's time, and the memory.

    python benchmarks/under_attack.py [--seconds 4] [--only heads]

The project's own server with a fight of 12 in a process of its own. The GM at 127.0.0.1 presses
*Next turn* while 127.0.0.2 attacks, which the server takes for another device. Each line says the
median of a step, how many times the undisturbed one that is, and how much the process has grown at
most. Attacker and server share this machine: what the
attacker itself takes of it is in the figures. On Linux.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from urllib.parse import urlencode
from uuid import uuid4

ROOT = Path(__file__).resolve().parent.parent
DEVICE, HERE = "127.0.0.2", "127.0.0.1"
HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
GET = HEAD + b"\r\n"
REST = 0.02  # seconds between two presses
MEBIBYTE = 1024 * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0, help="of each attack")
    parser.add_argument("--only", choices=ATTACKS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="qui-vive-") as data, _server(data) as server:
        server.steps(1.0)
        for _ in range(20):  # what a page takes, it takes once
            with socket.create_connection((HERE, server.port), 5, (DEVICE, 0)) as line:
                line.sendall(GET)
                line.recv(65_536)
        calm = server.steps(options.seconds)
        print(f"{'attack':<10} {'step ms':>8} {'times':>6} {'grown MiB':>10}")
        print(f"{'none':<10} {calm:>8.1f} {1:>6.1f} {0:>10.1f}")
        for name in [options.only] if options.only else ATTACKS:
            attacker = multiprocessing.Process(target=_attack, args=(name, server.port))
            size = server.forget_most()
            attacker.start()
            time.sleep(0.5)
            step = server.steps(options.seconds)
            grown = (server.memory() - size) / MEBIBYTE
            attacker.kill()
            attacker.join()
            print(f"{name:<10} {step:>8.1f} {step / calm:>6.1f} {grown:>10.1f}")
            time.sleep(0.5)


class Server:
    """The process with a fight that runs, and its GM's browser."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        self.port, self._act, self._version = told["port"], told["act"], told["version"]
        self._folder = Path(f"/proc/{process.pid}")
        self._csrf = told["csrf"]
        self._headers = {
            "Cookie": told["cookies"],
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def steps(self, seconds: float) -> float:
        """The median of a step in milliseconds."""
        line = http.client.HTTPConnection(HERE, self.port, timeout=60)
        times, ends = [], time.monotonic() + seconds
        while time.monotonic() < ends:
            fields = {
                "key": str(uuid4()),
                "seen": self._version,
                "csrfmiddlewaretoken": self._csrf,
            }
            begun = time.perf_counter()
            line.request("POST", self._act, urlencode(fields), self._headers)
            answer = line.getresponse()
            answer.read()
            times.append((time.perf_counter() - begun) * 1_000)
            assert answer.status == 200, answer.status
            self._version += 1
            time.sleep(REST)
        line.close()
        return median(times)

    def memory(self) -> int:
        """What the process has held at most since `forget_most`, in bytes."""
        told = (self._folder / "status").read_text().partition("VmHWM:")[2]
        return int(told.split()[0]) * 1024

    def forget_most(self) -> int:
        """What it holds now, in bytes."""
        (self._folder / "clear_refs").write_text("5")
        return self.memory()


@contextmanager
def _server(data: str) -> Iterator[Server]:
    environment = {n: v for n, v in os.environ.items() if not n.startswith("QUI_VIVE_")}
    environment |= {"QUI_VIVE_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings"}
    code = "import django; django.setup(); from benchmarks.live_servers import serve_ours"
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}; serve_ours(12)"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Server(process)
        finally:
            process.terminate()


def _attack(name: str, port: int) -> None:
    while True:
        with suppress(OSError):
            ATTACKS[name](lambda: socket.create_connection((HERE, port), 5, (DEVICE, 0)))


Connect = Callable[[], socket.socket]


def _pour(connect: Connect, first: bytes, part: bytes) -> None:
    with connect() as line:
        line.sendall(first)
        while True:
            line.sendall(part)


def _endless(connect: Connect) -> None:
    _pour(connect, HEAD + b"X: ", b"x" * 65_536)


def _fields(connect: Connect) -> None:
    _pour(connect, HEAD, b"X: y\r\n" * 10_000)


def _pipeline(connect: Connect) -> None:
    _pour(connect, b"", GET * 1_000)


def _body(connect: Connect) -> None:
    _pour(
        connect, HEAD.replace(b"GET", b"POST") + b"Content-Length: 9999999\r\n\r\n", b"x" * 65_536
    )


def _held(connect: Connect, begun: bytes) -> None:
    """As many lines as there are files, each with this, and all again as soon as one is closed."""
    lines = []
    while True:
        try:
            lines.append(connect())
            lines[-1].sendall(begun)
        except OSError:
            lines.clear()
            return
        if len(lines) > 900:
            del lines[0]


def _silent(connect: Connect) -> None:
    _held(connect, b"")


def _heads(connect: Connect) -> None:
    _held(connect, HEAD + b"X: " + b"x" * 16_000)


def _bodies(connect: Connect) -> None:
    head = HEAD.replace(b"GET", b"POST") + b"Content-Length: 1000000\r\n\r\n"
    _held(connect, head + b"x" * 65_536)


ATTACKS: dict[str, Callable[[Connect], None]] = {
    "endless": _endless,
    "fields": _fields,
    "pipeline": _pipeline,
    "body": _body,
    "silent": _silent,
    "heads": _heads,
    "bodies": _bodies,
}


if __name__ == "__main__":
    main()
