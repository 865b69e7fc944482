"""What the processes tell each other: ids and numbers, and each of them only a hint.

Whoever hears of a change reads the database. What is lost, because the way between the processes
is broken or too slow, is found by looking there every two seconds.
"""

import asyncio
import json
import logging
import random
import secrets
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, suppress
from typing import Any, Protocol

from .counts import Counts
from .hub import Hub

LOOK_EVERY = 2.0  # seconds between two looks at the database, for hints that were lost
CONNECT_WITHIN = 2.0  # seconds
PUBLISH_WITHIN = 0.25  # seconds; then the message is lost
COUNT_EVERY = 1.0  # seconds between two messages of how many watch, when that changes
COUNT_AGAIN = 10.0  # seconds after which it is said again, changed or not
RECONNECT_AFTER = 0.1, 1.0  # seconds, at first and at most
LARGEST_PAYLOAD = 7_000  # bytes; PostgreSQL takes 7,999
COUNTS_IN_PART = 250  # links

Item = dict[str, Any]

logger = logging.getLogger(__name__)


class Line(Protocol):
    """A way to the other processes. Whatever a method raises, the next call starts afresh."""

    async def connect(self) -> None:
        """Be ready to publish."""

    async def publish(self, payload: str) -> None:
        """Send it to all who listen, this process among them."""

    def listen(self) -> AsyncGenerator[str | None, None]:
        """What anybody publishes from now on, which begins with the first None; raises at the end.

        Another None: something may have been missed.
        """

    async def close(self) -> None:
        """Let go of what is held."""


class Bus:
    """The hub's connection to its like. All but the counts belongs to the hub's loop."""

    def __init__(self, line: Line, hub: Hub) -> None:
        self._line = line
        self._hub = hub
        self._process = ""  # its name among the others, while it listens
        self._counts = Counts()
        self._counted: dict[int, tuple[int, int]] | None = {}  # as said last; None: say it anew
        self._waiting: dict[object, Item] = {}  # the newest message about each thing
        self._more = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._up = False
        self._failing: set[str] = set()  # what was already complained of

    # For the hub

    def start(self) -> None:
        """Begin to listen; once more does no harm."""
        if not self._tasks:
            self._process = secrets.token_hex(8)  # not before a server may have split in several
            self._more = asyncio.Event()
            work = (self._listen(), self._speak(), self._count())
            self._tasks = [asyncio.get_running_loop().create_task(one) for one in work]

    async def stop(self) -> None:
        """Say that nobody watches here any more, and let go."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._up:
            self._say_counts({})
            await self._send_all()
        self._up = False
        await self._let_go()

    def changed(self, campaign: int, encounter: str, version: int) -> None:
        """Tell the others of a change; of several before they are told, the newest."""
        item = {"campaign": campaign, "encounter": encounter, "version": version}
        self._say(("change", campaign, encounter), item)

    def closed(self, link: int) -> None:
        self._say(("link", link), {"link": link})

    def watchers(self, campaign: int) -> int:
        return self._counts.of_campaign(campaign)

    def watchers_of_link(self, link: int) -> int:
        return self._counts.of_link(link)

    def is_up(self) -> bool:
        return self._up

    # Speaking

    def _say(self, about: object, item: Item) -> None:
        self._waiting[about] = item
        self._more.set()

    async def _speak(self) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            await self._send_all()

    async def _send_all(self) -> None:
        while self._waiting:
            items = list(self._waiting.values())
            self._waiting.clear()
            for payload in self._payloads(items):
                await self._send(payload)

    async def _send(self, payload: str) -> None:
        """Once, and not again: whoever misses it looks for himself."""
        try:
            async with asyncio.timeout(CONNECT_WITHIN):
                await self._line.connect()
            async with asyncio.timeout(PUBLISH_WITHIN):
                await self._line.publish(payload)
        except Exception as error:
            self._hub.counted.unpublished += 1
            self._complain("publish", error)
            await self._let_go()
        else:
            self._hub.counted.published += 1
            self._failing.discard("publish")

    async def _let_go(self) -> None:
        with suppress(Exception):
            async with asyncio.timeout(CONNECT_WITHIN):
                await self._line.close()

    def _payloads(self, items: list[Item]) -> Iterator[str]:
        said: list[str] = []
        for text in (json.dumps(item, separators=(",", ":")) for item in items):
            if said and sum(map(len, said)) + len(said) + len(text) > LARGEST_PAYLOAD:
                yield self._payload(said)
                said = []
            said.append(text)
        yield self._payload(said)

    def _payload(self, said: list[str]) -> str:
        return f'{{"process":"{self._process}","said":[{",".join(said)}]}}'

    async def _count(self) -> None:
        said_at = 0.0
        while True:
            counts = self._hub.counts()
            old = time.monotonic() - said_at > COUNT_AGAIN
            if counts != self._counted or (counts and old):
                self._say_counts(counts)
                said_at = time.monotonic()
            await asyncio.sleep(COUNT_EVERY * random.uniform(0.8, 1.0))

    def _say_counts(self, counts: dict[int, tuple[int, int]]) -> None:
        self._counted = counts
        entries = [[link, campaign, number] for link, (campaign, number) in counts.items()]
        size = COUNTS_IN_PART
        parts = [entries[start : start + size] for start in range(0, len(entries), size)] or [[]]
        for number, part in enumerate(parts):
            item = {"watchers": part, "part": number, "parts": len(parts)}
            self._say(("watchers", number), item)

    # Listening

    async def _listen(self) -> None:
        pause, longest = RECONNECT_AFTER
        while True:
            try:
                async with aclosing(self._line.listen()) as payloads:
                    async for payload in payloads:
                        if payload is None:
                            pause, _ = RECONNECT_AFTER
                            self._subscribed()
                        else:
                            self._hear(payload)
            except Exception as error:
                self._up = False
                self._complain("listen", error)
                await self._let_go()  # what is published would as little arrive
            await asyncio.sleep(pause * random.uniform(0.8, 1.2))
            pause = min(2 * pause, longest)

    def _subscribed(self) -> None:
        self._up = True
        self._counted = None
        self._hub.look_again()
        if "listen" in self._failing:
            self._failing.discard("listen")
            logger.warning("Other processes can be heard again.")

    def _hear(self, payload: str) -> None:
        """Take what is understood; the rest may be of another version, and is looked for anyway."""
        try:
            message = json.loads(payload)
            process = str(message["process"])
            if process == self._process:
                return
            for item in message["said"]:
                self._take(process, item)
        except (ValueError, TypeError, KeyError):
            logger.debug("A message was not understood", exc_info=True)
        self._hub.counted.heard += 1

    def _take(self, process: str, item: Item) -> None:
        if "campaign" in item:
            self._hub.hint(int(item["campaign"]), str(item["encounter"]))
        elif "link" in item:
            self._hub.check_link(int(item["link"]))
        elif "watchers" in item:
            entries = [(int(link), int(of), int(number)) for link, of, number in item["watchers"]]
            self._counts.hear(process, int(item["part"]), int(item["parts"]), entries)

    def _complain(self, what: str, error: Exception) -> None:
        """Once for as long as it lasts."""
        if what not in self._failing:
            self._failing.add(what)
            logger.warning(
                "Other processes cannot be reached (%s: %s); pages are up to two seconds late.",
                type(error).__name__,
                str(error).partition("\n")[0],
            )
