"""The order of the slots: where a total belongs, and who follows whom.

Source: DRS, chapter "Combattre" / "Initiative".
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.combatant import Slot
from rules.fight import Fight, RuleError

TOTAL_RANGE = range(-99, 1_000)
EXTRA_TURN = -10  # where the second turn of the first round stands to the first


def placed(fight: Fight, numbers: Iterable[int]) -> Fight:
    """The fight with these slots moved to where their totals belong; nobody else moves.

    A slot goes behind those already there on equal totals; before the fight begins the order of
    entry decides instead. Where the GM has arranged the order by hand, it goes where it is out
    of order with the fewest.
    """
    moving = [fight.slot(number) for number in sorted(numbers)]
    order = [slot for slot in fight.slots if slot not in moving]
    by_entry, lairs = fight.state == "rolling", fight.lairs
    for slot in moving:
        costs = [0]
        for other in order:  # standing behind `other` instead of before it
            costs.append(costs[-1] + (1 if _precedes(slot, other, lairs, by_entry) else -1))
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


def _precedes(slot: Slot, other: Slot, lairs: set[int], by_entry: bool) -> bool:
    if slot.total != other.total:
        return other.total is None or (slot.total is not None and slot.total > other.total)
    if not lairs.isdisjoint((slot.number, other.number)):  # a lair loses all ties
        return other.number in lairs
    return by_entry and not other.settled and slot.number < other.number


def given(fight: Fight, number: int, **values: object) -> Fight:
    """A new total for a slot, and nothing left of how it came to the old one.

    Raises `RuleError("initiative-out-of-range")`.
    """
    total = values["total"]
    if total is not None and total not in TOTAL_RANGE:
        raise RuleError("initiative-out-of-range")
    clean: dict[str, object] = {"die": None, "dropped": None, "modifier": 0, "tie_dice": ()}
    fresh = {**clean, "settled": "", "moved": False, **values}
    return fight.with_slots(
        lambda slot: replace(slot, **fresh) if slot.number == number else slot  # type: ignore[arg-type]
    )


def followed(fight: Fight) -> Fight:
    """Mounts stand behind their riders with the same total, extra turns at 10 less."""
    mounts = [slot for slot in fight.slots if slot.by == "mount"]
    homes = {slot.number: riders_home(fight, slot) for slot in mounts}
    for slot in mounts:
        fight = _behind_rider(fight, slot, homes)
    return second_turns_followed(fight)


def totals_followed(fight: Fight) -> Fight:
    """Mounts whose rider has another total now, and extra turns, stand where theirs belong."""
    mounts = [slot for slot in fight.slots if slot.by == "mount"]
    homes = {slot.number: riders_home(fight, slot) for slot in mounts}
    totals = {slot.number: slot.total for slot in fight.slots}
    for slot in mounts:
        if totals.get(homes[slot.number] or 0, slot.total) != slot.total:
            fight = _behind_rider(fight, slot, homes)
    return second_turns_followed(fight)


def second_turns_followed(fight: Fight) -> Fight:
    """Extra turns stand at 10 less than the first of theirs."""
    for slot in fight.slots:
        if slot.by == "extra":
            first = next((s.total for s in fight.slots if s.number == slot.extra_of), None)
            total = None if first is None else max(TOTAL_RANGE.start, first + EXTRA_TURN)
            if total != slot.total:
                again = given(fight, slot.number, total=total, by="extra")
                fight = placed(again, [slot.number])
    return fight


def riders_home(fight: Fight, slot: Slot) -> int | None:
    riders = {c.rider for c in fight.members(slot.number)}
    return next((c.slot for c in fight.combatants if c.number in riders), None)


def _behind_rider(fight: Fight, slot: Slot, homes: Mapping[int, int | None]) -> Fight:
    home = homes[slot.number]
    rider = next((s for s in fight.slots if s.number == home), None)
    if rider is None or rider.number == slot.number:
        return fight
    if rider.total != slot.total:
        fight = given(fight, slot.number, total=rider.total, by="mount")
    elif slot.moved:  # the GM has put it elsewhere
        return fight
    order = [s.number for s in fight.slots]
    behind = order.index(rider.number) + 1
    while behind < len(order) and homes.get(order[behind]) == home:  # a rider may have several
        if order[behind] == slot.number:
            return fight
        behind += 1
    return _put(fight, fight.slot(slot.number), behind)


def _put(fight: Fight, slot: Slot, index: int) -> Fight:
    """The fight with this slot before the one that stands at `index` now."""
    ahead = tuple(s for s in fight.slots[:index] if s.number != slot.number)
    after = tuple(s for s in fight.slots[index:] if s.number != slot.number)
    return replace(fight, slots=(*ahead, slot, *after))


def behind(fight: Fight, number: int, other: int) -> Fight:
    """The fight with this slot right behind the other one."""
    index = [slot.number for slot in fight.slots].index(other) + 1
    return _put(fight, fight.slot(number), index)


def returned(fight: Fight, number: int) -> Fight:
    """A waiting slot stands right behind the turn that is on, as if it had never been out."""
    place = fight.slot(number)
    back = replace(place, waiting=None, acted_round=place.waiting or 0, moved=True)
    index = next((i + 1 for i, s in enumerate(fight.slots) if s.number == fight.current), 0)
    return followed(_put(fight, back, index))
