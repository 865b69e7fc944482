"""The GM's hand on the order: it beats every total.

Source: RULES of the table; DRS, chapter "Combattre" / "Initiative", "Combat monté".
"""

from dataclasses import dataclass, replace

from rules.combatant import Slot
from rules.fight import Fight, Outcome, RuleError, names, told
from rules.order import followed, in_time, riders_home
from rules.ties import ties


@dataclass(frozen=True, slots=True)
class Reorder:
    """Put a slot before another, or last: the GM's hand beats everything. Totals stay.

    Where that leaves the order as it is, nothing has happened. Raises `RuleError("no-slot")` when
    one of them is gone.
    """

    slot: int
    before: int | None  # None: to the end

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        moved = fight.slot(self.slot)
        if self.before is not None:
            fight.slot(self.before)
        if self.slot == self.before:
            return Outcome(fight)
        order = [slot for slot in fight.slots if slot.number != self.slot]
        index = next((i for i, s in enumerate(order) if s.number == self.before), len(order))
        order.insert(index, replace(moved, moved=True))
        after = followed(_settled_by_move(replace(fight, slots=tuple(order)), moved))
        if [s.number for s in after.slots] == [s.number for s in fight.slots]:
            return Outcome(fight)
        return told(in_time(after, [self.slot]), "moved", who=names(fight.members(self.slot)))


def one_up(fight: Fight, number: int) -> Reorder:
    """The slot before those ahead of it, a rider and its mounts being one."""
    order = _blocks(fight, number)
    return Reorder(number, order[max(0, _index(order, number) - 1)][0])


def one_down(fight: Fight, number: int) -> Reorder:
    """The slot behind those after it, a rider and its mounts being one."""
    order = _blocks(fight, number)
    rest = order[_index(order, number) + 2 :]
    return Reorder(number, rest[0][0] if rest else None)


def _index(order: list[list[int]], number: int) -> int:
    """Raises `RuleError("no-slot")`."""
    for index, block in enumerate(order):
        if number in block:
            return index
    raise RuleError("no-slot")


def _blocks(fight: Fight, moving: int) -> list[list[int]]:
    """The order in what moves as one: riders with the mounts that follow them, each other alone.

    A mount that moves (`moving`) steps over its rider and its like one by one.
    """
    own = fight.slot(moving)
    apart = riders_home(fight, own) if own.by == "mount" else None
    blocks: list[list[int]] = []
    for slot in fight.slots:
        home = riders_home(fight, slot) if slot.by == "mount" and not slot.moved else None
        if home is not None and home != apart and blocks and blocks[-1][0] == home:
            blocks[-1].append(slot.number)
        else:
            blocks.append([slot.number])
    return blocks


def _settled_by_move(fight: Fight, moved: Slot) -> Fight:
    """A place chosen by hand is settled, and so is a tie in which it was the last question."""
    tied = next((tie for tie in ties(fight) if moved.number in tie.slots), None)
    if tied is None:
        return fight
    asked = [n for n in tied.slots if n != moved.number and not fight.slot(n).settled]
    settled = {moved.number, *(asked if len(asked) == 1 else ())}
    word = "by-players" if tied.kind == "players" else "by-hand"
    return fight.with_slots(
        lambda slot: replace(slot, settled=word) if slot.number in settled else slot
    )
