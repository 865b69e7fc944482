"""What our servers tell an application besides the request."""

import socket
import threading
import time
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

from config.lines import line_of
from encounters.live.frames import body, chunk
from tests.encounters.streaming import PATIENCE, serving


async def knocked(scope: dict[str, Any], _receive: Any, send: Any) -> None:
    """An answer of two parts, the first of which goes past the server."""
    if scope["type"] == "lifespan":
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    line = line_of(scope)
    assert line is not None
    line.write(chunk(b"Who goes "))
    await send(body(b"there?", more=False))


def test_what_is_written_to_the_line_is_part_of_the_answer() -> None:
    with serving(knocked) as port, closing(HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"Who goes there?"


def test_another_server_tells_of_no_line() -> None:
    assert line_of({"type": "http"}) is None
    assert line_of({"type": "http", "extensions": {}}) is None


def test_an_answer_is_told_of_a_leave_though_other_requests_wait_behind_it() -> None:
    left = threading.Event()

    async def staying(scope: dict[str, Any], receive: Any, _send: Any) -> None:
        while scope["type"] == "http" and (await receive())["type"] != "http.disconnect":
            pass
        left.set()

    with serving(staying) as port, socket.create_connection(("127.0.0.1", port)) as client:
        left.clear()
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 2)
        time.sleep(0.05)
        client.close()
        assert left.wait(PATIENCE)
