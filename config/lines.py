"""Uvicorn's own way to speak HTTP, within bounds that hold while a request arrives, and where
answers that never end may write to their line.

Uvicorn bounds neither heads (with httptools), nor the time they take, nor who waits in a pipeline,
nor connections but for `limit_concurrency`, which counts streams and would shut the GM out.
"""

import asyncio
import ssl
import sys
from asyncio.sslproto import SSLProtocol
from collections import Counter
from functools import cache
from http import HTTPStatus
from typing import Any

from django.conf import settings
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.utils import get_remote_addr

from config.headers import GM_HEADERS, transport_security

LINE = "quivive.line"

MOST_HEAD = 16 * 1024  # bytes: a head without end held all that was sent, at quadratic cost
MOST_FIELDS = 100  # of a head: 52 MB of short ones took 540 MB
MOST_WAITING = 8  # requests behind one that is being answered: 400,000 took 770 MB
SLOWEST_HEAD = 10  # seconds: silent lines stayed for ever, each an open file
SLOWEST_BODY = 12  # seconds, for a body that no application waits for
MOST_LINES = 4_000  # open at once: 2,500 streams and as many pages again, 15 kB each
MOST_OF_ADDRESS = 100  # of another computer: 40 streams, and what their browsers load meanwhile
LINGERING = 1.0  # seconds for a refusal to be read: to close on unread bytes would take it back
MOST_UNREAD = 1024 * 1024  # bytes thrown away meanwhile

_NEAR = frozenset(("", "127.0.0.1", "::1", "::ffff:127.0.0.1"))

_lines_of: Counter[str] = Counter()  # by the addresses of other computers


class _Between(SSLProtocol):
    max_size = 16 * 1024  # bytes read at a time, not 256 kB of each line's own


class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """It tells an application of the transport: what thousands get alike, each a finished chunk,
    then needs no second look at each of them. Where httptools is missing it does not, and fields
    are counted when the head is whole; uvicorn itself then bounds the pipeline.
    """

    _counted = ""  # the address for which this line counts
    _unheard = 0  # bytes since the last that completed a head or belonged to a body
    _is_deaf = False  # it has refused, and throws away what still comes
    _status = 400  # of a refusal that uvicorn asks for
    _late: asyncio.TimerHandle | None = None
    _answered: Any = None  # the request that is, first in the pipeline

    def __init__(self, *args: Any, context: ssl.SSLContext | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._context = context  # over TLS

    def connection_made(self, transport: asyncio.Transport) -> None:
        if self._context is not None and transport.get_extra_info("sslcontext") is None:
            if self._is_let_in(transport):
                self._shake_hands(transport, self._context)
        elif self._context is not None or self._is_let_in(transport):
            super().connection_made(transport)
            self._await(SLOWEST_HEAD)

    def _shake_hands(self, transport: asyncio.Transport, context: ssl.SSLContext) -> None:
        """Put TLS in between, which makes the connection once more when it is ready.

        The loop's own would count nobody before that, and hold each for a minute.
        """
        ready: asyncio.Future[None] = self.loop.create_future()
        ready.add_done_callback(self._note_handshake)
        between = _Between(
            self.loop, self, context, ready, True, ssl_handshake_timeout=SLOWEST_HEAD
        )
        transport.set_protocol(between)
        between.connection_made(transport)

    def _note_handshake(self, ready: asyncio.Future[None]) -> None:
        if ready.cancelled() or ready.exception() or self.transport is None:
            self._leave()

    def _is_let_in(self, transport: asyncio.Transport) -> bool:
        """Whether there is a line for the address, which it then has; else it is closed."""
        address = (get_remote_addr(transport) or ("",))[0]
        if is_near(address) or settings.PROXY_HOPS:  # who comes then is our own proxy
            return True
        if _lines_of[address] >= MOST_OF_ADDRESS or _lines_of.total() >= _most_lines():
            transport.abort()
            return False
        self._counted = address
        _lines_of[address] += 1
        return True

    def _leave(self) -> None:
        if self._counted:
            _lines_of[self._counted] -= 1
            if not _lines_of[self._counted]:
                del _lines_of[self._counted]
            self._counted = ""

    def connection_lost(self, exc: Exception | None) -> None:
        self._await(None)
        self._leave()
        if self.transport is None:  # it was not let in
            return
        if self._answered is not None:  # uvicorn tells the last in the pipeline alone
            self._answered.disconnected = not self._answered.response_complete
            self._answered.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        while data and not self.transport.is_closing():
            if self._is_deaf:
                self._throw_away(data)
                return
            part = data[: MOST_HEAD - self._unheard]
            data = data[len(part) :]
            self._take(part)

    def _take(self, part: bytes) -> None:
        """Let uvicorn read what leaves a head within its bounds."""
        if self._late is None:
            self._await(SLOWEST_HEAD)
        before = self.cycle
        was_open = before is None or before.more_body
        had = len(before.body) if before is not None else 0
        super().data_received(part)
        cycle = self.cycle
        if cycle is not before or (cycle is not None and len(cycle.body) > had):
            self._unheard = 0
        else:
            self._unheard += len(part)
        if cycle is not before or was_open:
            self._note_progress(cycle, is_new=cycle is not before)
        if self._unheard >= MOST_HEAD and not self._is_deaf:
            self._refuse(431)

    def _note_progress(self, cycle: Any, *, is_new: bool) -> None:
        if cycle is not None and not cycle.more_body:
            self._await(None)
        elif is_new:
            self._await(SLOWEST_BODY)

    def _await(self, seconds: float | None) -> None:
        """Give what is to come so long; None: nothing is to come."""
        if self._late is not None:
            self._late.cancel()
        self._late = self.loop.call_later(seconds, self._end_late) if seconds else None

    def _end_late(self) -> None:
        self._late = None
        if self._unheard and not self._is_deaf:
            self._refuse(408)
        elif self._answers():
            self.transport.abort()
        else:
            self.transport.close()

    def _refuse(self, status: int) -> None:
        """Answer at once and close, unless another answer is under way: then close alone."""
        self._is_deaf, self._unheard = True, 0
        if self._answers():
            self.transport.abort()
            return
        self._unset_keepalive_if_required()
        self.transport.write(_refusal(status))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._await(LINGERING)

    def _answers(self) -> bool:
        """Whether an answer is under way, or was given before its request had come."""
        cycle = self.cycle
        return cycle is not None and (cycle.more_body or not cycle.response_complete)

    def _throw_away(self, data: bytes) -> None:
        self._unheard += len(data)
        if self._unheard > MOST_UNREAD:
            self.transport.abort()

    def send_400_response(self, _msg: str) -> None:
        """What uvicorn does when it cannot read a request, or one of the following raises."""
        self._refuse(self._status)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {LINE: self.transport}

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= MOST_FIELDS:  # those behind a body count with them
            self._status = 431
            raise OverflowError
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MOST_WAITING:  # no browser sends one before the last is answered
            raise OverflowError
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)


def line_of(scope: dict[str, Any]) -> asyncio.Transport | None:
    """Where the request came from, if the server tells."""
    line: asyncio.Transport | None = scope.get("extensions", {}).get(LINE)
    return line


def is_near(address: str) -> bool:
    """Whether somebody is at this computer, or unknown."""
    return address in _NEAR


@cache
def _most_lines() -> int:
    """Half of the files that the process may open: who is at this computer finds room."""
    if sys.platform == "win32":
        return MOST_LINES
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_LINES if files == resource.RLIM_INFINITY else min(MOST_LINES, files // 2)


def _refusal(status: int) -> bytes:
    headers = GM_HEADERS | transport_security() | {"Content-Length": "0", "Connection": "close"}
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()
