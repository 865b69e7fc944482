"""Dice that the GM rolls for anything: the fight stays as it is, and the roll is told.

Source: SRD, "The Dice".
"""

from dataclasses import dataclass

from rules.fight import Event, Fight, Outcome, RuleError, names


@dataclass(frozen=True, slots=True)
class RollDice:
    """Tell a roll. Raises `RuleError`: "no-dice" where none fell, "no-combatant"."""

    expression: str  # as `Roll` has it
    dice: tuple[int, ...]  # those that count
    total: int
    who: int | None = None  # the combatant that rolls; None: just dice
    dropped: tuple[int, ...] = ()  # dice that do not count

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        if not self.dice:
            raise RuleError("no-dice")
        details = {
            "expression": self.expression,
            "dice": list(self.dice),
            "dropped": list(self.dropped),
            "total": self.total,
            "who": [] if self.who is None else names([fight.combatant(self.who)]),
        }
        return Outcome(fight, (Event("rolled", details),), counts=True)
