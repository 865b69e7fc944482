"""How many wrong links an address may try: 30 in a minute, counted by each process for itself.

What keeps links from being guessed is their length; this spares the log and the database.
"""

import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from threading import Lock

from django.conf import settings
from django.http import HttpRequest

LIMIT = 30  # misses of one address within a minute; the next one is too many
MINUTE = 60  # seconds
MOST_ADDRESSES = 10_000  # remembered; whoever has missed least lately is forgotten first


class Misses:
    """Wrong links by address, over the last minute. `clock` gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._of: dict[str, list[float]] = {}  # the last moments, in order of the last of them

    def note(self, address: str) -> bool:
        """Count a miss of this address; whether it is too many, and to be answered with 429."""
        who = _who(address)
        with self._lock:
            now = self._clock()
            # were the clock to go back all the same, what lies ahead would be forgotten
            moments = [then for then in self._of.pop(who, ()) if 0 <= now - then < MINUTE]
            moments.append(now)
            self._of[who] = moments[-LIMIT:]
            if len(self._of) > MOST_ADDRESSES:
                del self._of[next(iter(self._of))]
            return len(moments) > LIMIT


misses = Misses()


def address_of(request: HttpRequest) -> str:
    """The address of whoever asks: the peer, or what the nearest trusted proxies say of it.

    With `PROXY_HOPS` proxies in front it is the n-th of X-Forwarded-For from the right, the one
    that the outermost of them has written; what stands left of it anybody may have invented.
    """
    peer = str(request.META.get("REMOTE_ADDR", ""))
    hops = settings.PROXY_HOPS
    said = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if not hops or len(said) < hops:
        return peer
    try:
        return str(ip_address(said[-hops]))
    except ValueError:
        return peer


def _who(address: str) -> str:
    """One customer of IPv6 has a whole network of 2^64 addresses."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:64]
    return parsed.exploded[:19] if isinstance(parsed, IPv6Address) else address
