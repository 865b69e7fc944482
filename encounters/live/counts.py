"""How many watch in the other processes, as each of them said last."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

FORGET_AFTER = 30.0  # seconds without a word: three times as long as a process is silent

Entry = tuple[int, int, int]
"""A link, its campaign (primary keys), and how many streams it has."""


class _Part(NamedTuple):
    when: float
    links: Counter[int]
    campaigns: Counter[int]


class Counts:
    """Heard in the loop of the streams, asked from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._heard: dict[tuple[str, int], _Part] = {}  # by process and part of its message

    def hear(self, process: str, part: int, parts: int, entries: Iterable[Entry]) -> None:
        """Believe what a process says now, in place of what it said before."""
        links: Counter[int] = Counter()
        campaigns: Counter[int] = Counter()
        for link, campaign, number in entries:
            links[link] += number
            campaigns[campaign] += number
        now = self._clock()
        self._heard = {
            key: known
            for key, known in self._heard.items()
            if now - known.when < FORGET_AFTER and not (key[0] == process and key[1] >= parts)
        } | {(process, part): _Part(now, links, campaigns)}

    def of_campaign(self, campaign: int) -> int:
        return sum(part.campaigns[campaign] for part in self._fresh())

    def of_link(self, link: int) -> int:
        return sum(part.links[link] for part in self._fresh())

    def _fresh(self) -> Iterator[_Part]:
        now = self._clock()
        return (part for part in self._heard.values() if now - part.when < FORGET_AFTER)
