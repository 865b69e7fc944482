"""Server-sent events as bytes, plain and compressed.

An event is compressed once, for every watcher alike: a raw deflate block without references to
what came before, after a gzip header that each stream gets for itself (RFC 1951, RFC 1952).
"""

import zlib
from dataclasses import dataclass

# RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system.
GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def packed(data: bytes) -> bytes:
    """The bytes as deflate blocks that can stand anywhere in a gzip stream."""
    press = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return press.compress(data) + press.flush(zlib.Z_FULL_FLUSH)


@dataclass(frozen=True, slots=True)
class Event:
    """One event, ready to be sent to any number of watchers."""

    rev: int | None  # its id, by which a browser says what it has seen; a heartbeat has none
    plain: bytes
    packed: bytes

    @classmethod
    def of(cls, name: str, data: str, rev: int | None = None) -> "Event":
        """An event of that name; with a `rev`, that is its id."""
        lines = [] if rev is None else [f"id: {rev}"]
        lines.append(f"event: {name}")
        # A lone CR ends a line for a browser as well as LF and CR LF do.
        text = data.replace("\r\n", "\n").replace("\r", "\n")
        lines += [f"data: {line}" for line in text.split("\n")]
        plain = ("\n".join(lines) + "\n\n").encode()
        return cls(rev, plain, packed(plain))


HEARTBEAT = Event.of("hb", "")
