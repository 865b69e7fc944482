"""Tells open pages what changed: players get their new board, the GM's other tabs a number.

`announce` and `close_link` are what the rest of the project calls; `application` answers the
streams. What is announced here reaches the pages that are open in every process.
"""

from django.conf import settings

from . import reading
from .hub import Hub
from .reading import disconnect, executor
from .streams import MAX_STREAMS, MAX_STREAMS_OF_ADDRESS, Streams

_hub = Hub(reading.player_board, executor, reading.look)

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
