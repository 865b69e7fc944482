"""Server-sent events as bytes, plain and compressed.

An event is compressed once, for every watcher alike: a raw deflate block without references to
what came before, after a gzip header that each stream gets for itself (RFC 1951, RFC 1952).
"""

import zlib
from dataclasses import dataclass
from typing import Any

# RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system.
GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

Message = dict[str, Any]
"""What an ASGI application sends."""


def packed(data: bytes) -> bytes:
    """The bytes as deflate blocks that can stand anywhere in a gzip stream."""
    press = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return press.compress(data) + press.flush(zlib.Z_FULL_FLUSH)


def chunk(data: bytes) -> bytes:
    """The bytes as a chunk of a body without a known length (RFC 9112, 7.1)."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def body(data: bytes, *, more: bool = True) -> Message:
    """The bytes as a part of an answer, and whether others follow."""
    return {"type": "http.response.body", "body": data, "more_body": more}


@dataclass(frozen=True, slots=True)
class Event:
    """One event, ready to be sent to any number of watchers."""

    rev: int | None  # its id, by which a browser says what it has seen; a heartbeat has none
    plain: bytes
    packed: bytes
    # the same two, made once for all to whom they are sent: for the server, and as it sends them
    messages: tuple[Message, Message]
    chunks: tuple[bytes, bytes]

    @classmethod
    def of(cls, name: str, data: str, rev: int | None = None) -> "Event":
        """An event of that name; with a `rev`, that is its id."""
        lines = [] if rev is None else [f"id: {rev}"]
        lines.append(f"event: {name}")
        # A lone CR ends a line for a browser as well as LF and CR LF do.
        text = data.replace("\r\n", "\n").replace("\r", "\n")
        lines += [f"data: {line}" for line in text.split("\n")]
        plain = ("\n".join(lines) + "\n\n").encode()
        pressed = packed(plain)
        messages, chunks = (body(plain), body(pressed)), (chunk(plain), chunk(pressed))
        return cls(rev, plain, pressed, messages, chunks)


HEARTBEAT = Event.of("hb", "")  # the line is whole, and the board on the page is right
STALE = Event.of("stale", "")  # the line is whole, but what it shows cannot be read just now
GONE = Event.of("gone", "")  # the link is closed: there will be nothing more
