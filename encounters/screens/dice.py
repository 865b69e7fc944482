"""The roll that was made last, as it is shown to the table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from encounters import labels
from encounters.history import Told


@dataclass(frozen=True, slots=True)
class LastRoll:
    who: str  # that rolled, or ""
    expression: str  # as the reader would type it
    total: str
    dice: tuple[int, ...]  # those that count
    dropped: tuple[int, ...]  # those that do not

    @property
    def many(self) -> bool:
        """More dice than fit beside the total: they are scrolled through."""
        return len(self.dice + self.dropped) > 30


def last_roll(steps: Iterable[Told]) -> LastRoll | None:
    """The last roll among these steps, newest first, that has not been taken back."""
    undone = 0  # further steps that an undo has taken back
    for step in steps:
        if step.command == "undo":
            undone += 1
        elif undone:
            undone -= 1
        else:
            for event in step.events:
                if event["code"] == "went-back":  # perhaps to before the rolls that follow
                    return None
                if event["code"] == "rolled":
                    return _shown(event)
    return None


def _shown(event: Mapping[str, Any]) -> LastRoll:
    return LastRoll(
        who=labels.listed(event["who"]),
        expression=labels.typed_dice(event["expression"]),
        total=labels.minus(event["total"]),
        dice=tuple(event["dice"]),
        dropped=tuple(event["dropped"]),
    )
