"""Initiative: one die for identical creatures, and the order of the slots.

Source: DRS, chapter "Combattre" / "Initiative"; SRD 5.1, "Initiative".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rules.fight import Combatant, Event, Fight, Outcome, RuleError, Slot, names, told

TOTAL_RANGE = range(-99, 1_000)


def identical(one: Combatant, other: Combatant) -> bool:
    """Whether two combatants roll one die: the same creature, numbers and side."""
    return bool(one.creature) and all(
        getattr(one, name) == getattr(other, name)
        for name in ("creature", "name", "side", "is_hero", "initiative_bonus", "dexterity")
    )


def seated(fight: Fight, newcomers: Iterable[Combatant]) -> Fight:
    """The fight with each newcomer in a slot: that of its like, or a new one at the end."""
    slots = list(fight.slots)
    for newcomer in newcomers:
        like = _like(fight, newcomer) if fight.settings.group_initiative else None
        if like is None:
            slots.append(Slot(newcomer.number))
        number = newcomer.number if like is None else like
        fight = fight.with_combatant(newcomer.number, slot=number)
    return replace(fight, slots=tuple(slots))


def _like(fight: Fight, newcomer: Combatant) -> int | None:
    for other in fight.combatants:
        if other.slot is not None and identical(newcomer, other):
            return other.slot
    return None


def initiative_bonus(fight: Fight, slot: int) -> int | None:
    """The modifier of a slot's Dexterity check, or None when it is not known."""
    members = fight.members(slot)
    return members[0].initiative_bonus if members else None


def unrolled(fight: Fight) -> tuple[int, ...]:
    """The slots without a total whose modifier is known, so that a die can give them one."""
    return tuple(
        slot.number
        for slot in fight.slots
        if slot.total is None and initiative_bonus(fight, slot.number) is not None
    )


def placed(fight: Fight, numbers: Iterable[int]) -> Fight:
    """The fight with these slots moved to where their totals belong; nobody else moves.

    A slot goes behind those already there on equal totals; before the fight begins the order of
    entry decides instead. Where the GM has arranged the order by hand, it goes where it is out
    of order with the fewest.
    """
    moving = [fight.slot(number) for number in sorted(numbers)]
    order = [slot for slot in fight.slots if slot not in moving]
    by_entry = fight.state == "rolling"
    for slot in moving:
        costs = [0]
        for other in order:  # standing behind `other` instead of before it
            costs.append(costs[-1] + (1 if _precedes(slot, other, by_entry) else -1))
        lowest = min(costs)
        order.insert(len(costs) - 1 - costs[::-1].index(lowest), slot)
    return replace(fight, slots=tuple(order))


def too_late(fight: Fight, new: Iterable[int]) -> Fight:
    """New slots miss this round where all before them, and whoever is next, have acted."""
    new = set(new)
    acted = [slot.acted_round >= fight.round for slot in fight.slots if slot.number not in new]
    late: set[int] = set()
    index = 0  # in `acted`, of whoever is next
    for slot in fight.slots:
        if slot.number not in new:
            index += 1
        elif index < len(acted) and all(acted[: index + 1]):
            late.add(slot.number)
    return fight.with_slots(
        lambda slot: replace(slot, acted_round=fight.round) if slot.number in late else slot
    )


def _precedes(slot: Slot, other: Slot, by_entry: bool) -> bool:
    if slot.total != other.total:
        return other.total is None or (slot.total is not None and slot.total > other.total)
    return by_entry and not other.settled and slot.number < other.number


@dataclass(frozen=True, slots=True)
class RollInitiative:
    """Give slots their totals: a d20 plus the modifier, or the total a player calls out.

    Raises `RuleError`: "initiative-out-of-range", "initiative-bonus-unknown", "no-slot".
    """

    dice: Mapping[int, int] = field(default_factory=dict)  # slot -> d20
    totals: Mapping[int, int | None] = field(default_factory=dict)  # slot -> total; None empties

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        changed: dict[int, Slot] = {}
        for number in dict.fromkeys((*self.totals, *self.dice)):
            slot = self._slot(fight, number)
            if slot != fight.slot(number):
                changed[number] = slot
        fresh = [n for n in changed if _awaited(fight.slot(n), fight)]
        fight = placed(fight.with_slots(lambda slot: changed.get(slot.number, slot)), changed)
        return Outcome(too_late(fight, fresh), _rolled(fight, changed.values()))

    def _slot(self, fight: Fight, number: int) -> Slot:
        slot = fight.slot(number)
        total: int | None
        if number in self.dice:
            bonus = initiative_bonus(fight, number)
            if bonus is None:
                raise RuleError("initiative-bonus-unknown", who=names(fight.members(number)))
            total = self.dice[number] + bonus
        else:
            total = self.totals[number]
            if total == slot.total:
                return slot
        if total is not None and total not in TOTAL_RANGE:
            raise RuleError("initiative-out-of-range")
        die = self.dice.get(number)
        return replace(slot, total=total, die=die, tie_dice=(), settled="")


def _awaited(slot: Slot, fight: Fight) -> bool:
    """Whether the total is that of a newcomer of this round, who had none and has not acted."""
    newcomer = fight.state == "running" and slot.joined_round == fight.round
    return newcomer and slot.total is None and slot.acted_round < fight.round


def _rolled(fight: Fight, slots: Iterable[Slot]) -> tuple[Event, ...]:
    rolls = [
        {"who": names(fight.members(slot.number)), "total": slot.total, "die": slot.die}
        for slot in slots
    ]
    return (Event("initiative-rolled", {"rolls": rolls}),) if rolls else ()


@dataclass(frozen=True, slots=True)
class Reorder:
    """Put a slot before another, or last: the GM's hand beats everything. Totals stay.

    Raises `RuleError("no-slot")` when one of them is gone.
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
        order.insert(index, moved)
        fight = _settled_by_move(replace(fight, slots=tuple(order)), moved)
        return told(fight, "moved", who=names(fight.members(self.slot)))


def _settled_by_move(fight: Fight, moved: Slot) -> Fight:
    """A place chosen by hand is settled, and so is a tie in which it was the last question."""
    tied = [s.number for s in fight.slots if s.total == moved.total and s.total is not None]
    asked = [n for n in tied if n != moved.number and not fight.slot(n).settled]
    settled = {moved.number, *(asked if len(asked) == 1 else ())}
    if len(tied) < 2:
        return fight
    return fight.with_slots(
        lambda slot: replace(slot, settled="by-hand") if slot.number in settled else slot
    )
