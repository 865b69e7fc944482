"""The players' board of one campaign in one language, and where its news comes from."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from .figures import Figures
from .frames import HEARTBEAT, STALE, Event
from .rooms import Room, in_batches

logger = logging.getLogger(__name__)


class Shown(NamedTuple):
    """What players see of a campaign, in the hands of whoever has just stored it."""

    rev: int  # its `public_rev`
    render: Callable[[str], tuple[int, str]]  # from a language to the same and the fragment


def board_event(rev: int, html: str) -> Event:
    """The event that brings a board."""
    return Event.of("board", html, rev)


class Board(Room):
    """Those who watch the board of one campaign in one language."""

    def __init__(
        self, read: Callable[[], Awaitable[Event]], retry: float, figures: Figures
    ) -> None:
        super().__init__(figures)
        self._read_event = read
        self._retry = retry  # seconds until a board that could not be read is read again
        self._due = False
        self._reading = False
        self._asked: float | None = None  # the first announcement that is not answered yet

    def is_news(self, event: Event, known: Event) -> bool:
        """One reading follows the other; a database put back from a copy has lower numbers."""
        return event.rev != known.rev

    def show(self, event: Event, asked: float) -> "asyncio.Task[None] | None":
        """Send what was rendered by whoever stored it, and return the task that does.

        Two such may overtake each other; and a database put back from a copy has lower numbers.
        """
        self._figures.rendered += 1
        if self._is_older(event):
            self.refresh(asked)
            return None
        return self.publish(event, asked)

    def is_at(self, rev: int) -> bool:
        """Whether this is what is shown already."""
        return self.event is not None and self.event.rev == rev

    def _is_older(self, event: Event) -> bool:
        return self.event is not None and (event.rev or 0) < (self.event.rev or 0)

    def refresh(self, asked: float | None = None) -> None:
        """Read the board again; those who ask while it is read share the next reading."""
        self._due = True
        self._asked = asked if self._asked is None else self._asked
        if not self._reading:
            self._reading = True
            self.start(self._read())

    async def _read(self) -> None:
        try:
            while self._due and self.watchers:
                self._due = False
                await self._read_once()
        finally:
            self._reading = False

    async def _read_once(self) -> None:
        asked, self._asked = self._asked, None
        known = self.event
        try:
            event = await self._read_event()
        except Exception:
            self._figures.unread += 1
            if not self.stale:  # once for as long as it lasts
                logger.exception("The players' board cannot be read; it is tried again")
            self.stale = self._due = True
            self._asked = asked
            await in_batches(self.watchers, lambda watcher: watcher.beat(STALE))
            await asyncio.sleep(self._retry)
        else:
            self._figures.rendered += 1
            was_stale, self.stale = self.stale, False
            if self.event is not known and self._is_older(event):  # and so is what was read
                self._due, self._asked = True, asked
            else:
                self.publish(event, asked)
            if was_stale:
                self.start(in_batches(self.watchers, lambda watcher: watcher.beat(HEARTBEAT)))


def rendered(shown: Shown, boards: Mapping[str, Board]) -> dict[str, Event]:
    """Its event in each language in which it is watched and not known yet; never raises."""
    try:
        return {
            language: board_event(*shown.render(language))
            for language, board in boards.items()
            if not board.is_at(shown.rev)
        }
    except Exception:
        logger.exception("The players' board could not be rendered; it is read instead")
        return {}
