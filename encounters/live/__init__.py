"""Tells open pages what changed: players get their new board, the GM's other tabs a number.

`announce` is what the rest of the project calls; `application` answers the streams. All of it
belongs to one process: what is announced here reaches the pages that are open here.
"""

from django.conf import settings

from .hub import Hub
from .reading import disconnect, executor, gm_version, player_board, player_seat
from .streams import MAX_STREAMS, MAX_STREAMS_OF_ADDRESS, Streams

_hub = Hub(player_board, executor)

announce = _hub.announce
watchers = _hub.watchers
end_streams = _hub.close
application = Streams(
    _hub,
    executor,
    player_seat,
    gm_version,
    max_streams=getattr(settings, "LIVE_MAX_STREAMS", MAX_STREAMS),
    max_of_address=getattr(settings, "LIVE_MAX_STREAMS_OF_ADDRESS", MAX_STREAMS_OF_ADDRESS),
)

__all__ = ["Streams", "announce", "application", "disconnect", "end_streams", "watchers"]
