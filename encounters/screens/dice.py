"""The roll that was made last, as it is shown to the table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from encounters import labels
from encounters.history import Told
from encounters.telling import attacks


@dataclass(frozen=True, slots=True)
class LastRoll:
    who: str  # that rolled, or ""
    expression: str  # as the reader would type it
    total: str
    dice: tuple[int, ...]  # those that count
    dropped: tuple[int, ...]  # those that do not
    outcome: str = ""  # of an attack: "hits Bran: 5 slashing"
    apply: str = ""  # its damage, as it would be typed, where it has not been applied
    critical: bool = False
    by: int = 0  # the combatant who rolled, for its damage

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
                if event["code"] == "attacked":
                    return _attack(event)
    return None


def _shown(event: Mapping[str, Any]) -> LastRoll:
    return LastRoll(
        who=labels.listed(event["who"]),
        expression=labels.typed_dice(event["expression"]),
        total=labels.minus(event["total"]),
        dice=tuple(event["dice"]),
        dropped=tuple(event["dropped"]),
    )


def _attack(event: Mapping[str, Any]) -> LastRoll:
    d20s = sorted(event["d20s"], reverse=event["mode"] != "disadvantage")
    damage = attacks.damage(event["parts"])
    at = labels.listed(event["at"])
    result = attacks.RESULTS[event["result"]]
    values = {"result": result, "at": at, "damage": damage}
    outcome = gettext("%(result)s: %(damage)s") if damage else str(result)
    return LastRoll(
        who=labels.listed(event["who"]),
        expression=str(attacks.name(event)),
        total=labels.minus(event["total"]),
        dice=tuple(d20s[:1]),
        dropped=tuple(d20s[1:]),
        outcome=outcome % values if damage else outcome,
        apply=attacks.typed(event["parts"]) if event["result"] == "rolled" else "",
        critical=d20s[0] == 20,
        by=event["who"][0]["number"],
    )
