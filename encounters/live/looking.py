"""Looking at the database for news that nobody has heard of, and whether it can be read at all."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from typing import NamedTuple

LOOK_EVERY = 60.0  # seconds between two looks, where all news is heard anyway

logger = logging.getLogger(__name__)


class Watched(NamedTuple):
    """What is watched here."""

    campaigns: tuple[int, ...] = ()  # primary keys
    encounters: tuple[str, ...] = ()  # UUIDs
    links: tuple[int, ...] = ()  # primary keys


class Found(NamedTuple):
    """What the database says of it; what is missing is not there, or closed."""

    revs: dict[int, int]  # `public_rev` by campaign
    versions: dict[str, int]  # by encounter
    generations: dict[int, int]  # by link


Look = Callable[[Watched], Found]


class Lookout:
    """Looks in the executor, and says in the loop what it has seen."""

    def __init__(
        self,
        look: Look,
        executor: Executor,
        seen: Callable[[Watched, Found], None],
        changed: Callable[[], Awaitable[None]],
        *,
        every: float,
        retry: float,
    ) -> None:
        self._look = look
        self._executor = executor
        self._seen = seen
        self._changed = changed  # told when `away` is another than before
        self.every = every  # seconds
        self._retry = retry  # seconds, while the database is away
        self.away = False  # it could not be read the last time

    async def keep(self, watched: Callable[[], Watched]) -> None:
        """Look again and again, not in all processes at the same moment."""
        while True:
            every = min(self.every, self._retry) if self.away else self.every
            await asyncio.sleep(every * random.uniform(0.8, 1.0))
            try:
                await self.at(watched())
            except Exception:
                logger.exception("What was seen could not be told")

    async def at(self, watched: Watched) -> None:
        """Look at this now."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._executor, self._look, watched)
        except Exception as error:
            if not self.away:  # once for as long as it lasts
                logger.warning("The database cannot be read: %s", error)
            await self._say(True)
        else:
            await self._say(False)
            self._seen(watched, found)

    async def _say(self, away: bool) -> None:
        if away != self.away:
            self.away = away
            await self._changed()
