"""How many wrong links an address may try: 30 in a minute, counted by each process for itself.

What keeps links from being guessed is their length; this spares the log and the database.
"""

import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from threading import Lock

LIMIT = 30  # misses of one address within a minute; the next one is too many
CODES, CODES_OF_ALL = 10, 60  # a minute: table codes tried from one address, and from all
MINUTE = 60  # seconds
MOST_ADDRESSES = 10_000  # remembered; whoever has missed least lately is forgotten first


class Misses:
    """Wrong links by address, over the last minute. `clock` gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, limit: int = LIMIT) -> None:
        self._clock = clock
        self._limit = limit
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
            self._of[who] = moments[-self._limit :]
            if len(self._of) > MOST_ADDRESSES:
                del self._of[next(iter(self._of))]
            return len(moments) > self._limit


misses = Misses()
codes, codes_of_all = Misses(limit=CODES), Misses(limit=CODES_OF_ALL)


def too_many_codes(address: str) -> bool:
    """Count a table code that is tried, right or wrong: six characters are few."""
    return codes.note(address) or codes_of_all.note("")


def _who(address: str) -> str:
    """One customer of IPv6 has a whole network of 2^64 addresses."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:64]
    return parsed.exploded[:19] if isinstance(parsed, IPv6Address) else address
