"""The two servers that `live.py` compares: the project's own with a running fight, and a bare one.

Each says in one line of JSON on its output how it is reached, and ends when its input does.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

NO_LIMIT = 1_000_000  # streams
STARTING = 5.0  # seconds in which several processes are all there


def serve_ours(combatants: int) -> None:
    """The whole project on SQLite in the data directory of the environment, one process."""
    from django.conf import settings

    settings.LIVE_MAX_STREAMS = NO_LIMIT
    from config import serving

    listener = serving.open_socket("127.0.0.1", 0 or _free_port())
    told = table(combatants) | {"port": listener.getsockname()[1]}
    serving.serve(listener, lambda: _say(told))


def serve_several(combatants: int) -> None:
    """Two processes of the project on the PostgreSQL and the Redis of the environment."""
    port = _free_port()
    told = table(combatants) | {"port": port}
    command = [sys.executable, "manage.py", "serve", "--processes", "2", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        server.stdout.readline()  # it says where it serves
        time.sleep(STARTING)
        _say(told)
        sys.stdin.read()
        server.terminate()


def table(combatants: int) -> dict[str, object]:
    """A fight that runs, its GM's session and its players' path."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections
    from django.utils.crypto import get_random_string

    from benchmarks.presses import Table
    from encounters.models import PlayerLink

    call_command("migrate", verbosity=0)
    fight = Table(combatants)
    link = PlayerLink.objects.create(campaign=fight.encounter.campaign)
    cookies = {name: morsel.value for name, morsel in fight.client.cookies.items()}
    cookies[settings.CSRF_COOKIE_NAME] = get_random_string(32)
    connections.close_all()
    return {
        "stream": f"/j/{link.token}/live?lang=en",
        "act": f"/e/{fight.encounter.uuid}/next-turn/",
        "version": fight.version,
        "cookies": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "csrf": cookies[settings.CSRF_COOKIE_NAME],
    }


def serve_bare(event: bytes) -> None:
    """On any POST, a write of finished bytes to each connection; and nothing else."""
    chunk = b"%x\r\n%b\r\n" % (len(event), event)
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    done = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
    watchers: set[asyncio.Transport] = set()

    class Stream(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport = transport

        def data_received(self, data: bytes) -> None:
            if data.startswith(b"POST"):
                for watcher in watchers:
                    watcher.write(chunk)
                self.transport.write(done)
            else:
                self.transport.write(head + chunk)
                watchers.add(self.transport)

        def connection_lost(self, _error: Exception | None) -> None:
            watchers.discard(self.transport)

    async def serve() -> None:
        listener = socket.create_server(("127.0.0.1", 0), backlog=8192)
        server = await asyncio.get_running_loop().create_server(Stream, sock=listener)
        _say({"port": listener.getsockname()[1], "stream": "/live", "act": "/act"})
        await server.serve_forever()

    run(serve())


def run(work: Coroutine[Any, Any, None]) -> None:
    """Do it in the loop that the project's server has."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def _say(told: dict[str, object]) -> None:
    print(json.dumps(told), flush=True)


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


def request(act: str, version: int, key: str, cookies: str, csrf: str, parts: str) -> bytes:
    """*Next turn* as the GM's page sends it; `parts` are those that it has."""
    body = urlencode({"key": key, "seen": version}).encode()
    head = (
        f"POST {act} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\nX-CSRFToken: {csrf}\r\n"
        "HX-Request: true\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Accept-Encoding: gzip\r\nBoard-Parts: {parts}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def main() -> None:
    name, argument = sys.argv[1:]
    if name != "several":  # which has others to end
        threading.Thread(target=_end_with_input, daemon=True).start()
    if name == "bare":
        serve_bare(Path(argument).read_bytes())
        return
    import django

    django.setup()
    (serve_several if name == "several" else serve_ours)(int(argument))


if __name__ == "__main__":
    main()
