"""Tells open pages what changed: players get their new board, the GM's other tabs a number.

`announce` and `close_link` are what the rest of the project calls; `application` answers the
streams. What is announced here reaches the pages that are open in every process.
"""

import hashlib
import logging

from django.conf import settings
from django.db import connection

from . import reading
from .boards import Shown
from .bus import LOOK_EVERY, Bus, Line
from .hub import Hub
from .reading import disconnect, executor
from .streams import MAX_STREAMS, MAX_STREAMS_OF_ADDRESS, Streams


def _line() -> Line | None:
    """The way to the other processes; None where there are none."""
    # A Redis may serve several installations.
    secret = hashlib.sha256(f"live {settings.SECRET_KEY}".encode()).hexdigest()
    channel = f"quivive_{secret[:16]}"
    if settings.REDIS_URL:
        from .redis_bus import RedisLine

        return RedisLine(settings.REDIS_URL, channel)
    if connection.vendor == "postgresql":
        from .notify_bus import NotifyLine

        return NotifyLine(channel)
    return None


def _is_fault(record: logging.LogRecord) -> bool:
    """A phone that does not read cannot be told of its stream's end either: that is no fault."""
    return record.msg != "ASGI callable returned without completing response."


logging.getLogger("uvicorn.error").addFilter(_is_fault)

_hub = Hub(reading.player_board, executor, reading.look)
if (_way := _line()) is not None:
    _hub.lookout.every = LOOK_EVERY
    _hub.elsewhere = Bus(_way, _hub)

announce = _hub.announce
close_link = _hub.close_link
watchers = _hub.watchers
watchers_of_link = _hub.watchers_of_link
figures = _hub.figures
end_streams = _hub.close
application = Streams(
    _hub,
    executor,
    reading.player_seat,
    reading.gm_version,
    max_streams=getattr(settings, "LIVE_MAX_STREAMS", MAX_STREAMS),
    max_of_address=getattr(settings, "LIVE_MAX_STREAMS_OF_ADDRESS", MAX_STREAMS_OF_ADDRESS),
)

__all__ = [
    "Shown",
    "Streams",
    "announce",
    "application",
    "close_link",
    "disconnect",
    "end_streams",
    "figures",
    "watchers",
    "watchers_of_link",
]
