"""Sides: who fights together, who is allied, and who goes over to another side.

Source: RULES of the table; different sides are enemies unless the GM allies them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.places import dismounted, split_from_group
from rules.sight import with_turn_in_sight
from rules.surprise import BearsOnSurprise


@dataclass(frozen=True, slots=True)
class Ally(BearsOnSurprise):
    """Two sides fight together from now on, or no longer.

    Raises `RuleError("one-side-only")` for a side and itself.
    """

    one: str
    other: str
    allied: bool

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        if self.one == self.other:
            raise RuleError("one-side-only")
        pair = sorted((self.one, self.other))
        pairs = [list(known) for known in fight.allied if list(known) != pair]
        pairs = sorted([*pairs, pair]) if self.allied else pairs
        fight = replace(fight, allied=pairs)
        code = "sides-allied" if self.allied else "sides-parted"
        return told(fight, code, one=self.one, other=self.other)


@dataclass(frozen=True, slots=True)
class ChangeSide(BearsOnSurprise):
    """Combatants go over to another side; those whose group stays behind leave it.

    A mount and a rider who are of two sides now go each their way.
    """

    targets: tuple[int, ...]
    side: str

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = [fight.combatant(number) for number in self.targets]
        moved = moved_to_side(fight, self.targets, self.side)
        changed = with_turn_in_sight(moved.fight)
        event = Event("side-changed", {"who": names(who), "side": self.side})
        return Outcome(changed, (event, *moved.events))


def moved_to_side(fight: Fight, targets: Iterable[int], side: str) -> Outcome:
    """The fight with these on that side, none of them in a group or on a mount of another."""
    moving = [c for c in fight.combatants if c.number in set(targets) and c.side != side]
    events: tuple[Event, ...] = ()
    for slot in dict.fromkeys(c.slot for c in moving if c.slot is not None):
        leaving = [c.number for c in moving if c.slot == slot]
        if len(leaving) < len(fight.members(slot)):
            split = split_from_group(fight, leaving)
            fight, events = split.fight, (*events, *split.events)
    fight = fight.with_each({c.number: {"side": side} for c in moving})
    sides = {c.number: c.side for c in fight.combatants}
    parted = [c for c in fight.combatants if c.rider and sides.get(c.rider, c.side) != c.side]
    if parted:
        fight = dismounted(fight, [c.number for c in parted])
        events = (*events, Event("dismounted", {"who": names(parted)}))
    return Outcome(fight, events)
