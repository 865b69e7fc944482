"""How many wrong links an address may try: 30 in a minute, counted by each process for itself.

What keeps links from being guessed is their length; this spares the log and the database.
"""

import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from threading import Lock

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


def _who(address: str) -> str:
    """One customer of IPv6 has a whole network of 2^64 addresses."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:64]
    return parsed.exploded[:19] if isinstance(parsed, IPv6Address) else address
