"""How long people wait for a database that does not even refuse: not one after the other.

A machine that vanished is given up only after some seconds. Were each request to wait for that,
those behind it would wait for all of them: while it is so, one request at a time finds out
whether it is over, and the others are told at once.
"""

import time
from collections.abc import Callable
from threading import Lock

SLOW = 1.0  # seconds; a failure that took less keeps nobody waiting
LONGEST = 10.0  # seconds after which whoever tries is given up, too


class GivingUp:
    """`clock` gives seconds that never go back. Any thread may call the methods."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._is_given_up = False
        self._tried = float("-inf")  # since when somebody tries

    def begin(self) -> float | None:
        """When this request began; None where it has to be refused."""
        with self._lock:
            now = self._clock()
            if self._is_given_up:
                if now - self._tried < LONGEST:
                    return None
                self._tried = now
            return now

    def end(self, began: float, *, reached: bool) -> None:
        """A request that began then is answered, the database having been reached or not."""
        with self._lock:
            self._is_given_up = not reached and self._clock() - began >= SLOW
            self._tried = float("-inf")  # the next one tries
