"""The order of the slots: where a total belongs, and who follows whom.

Source: DRS, chapter "Combattre" / "Initiative".
"""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import takewhile

from rules.combatant import Slot
from rules.fight import Fight, RuleError

TOTAL_RANGE = range(-99, 1_000)
EXTRA_TURN = -10  # where the second turn of the first round stands to the first


def placed(fight: Fight, numbers: Iterable[int]) -> Fight:
    """The fight with these slots where their totals belong; nobody else moves.

    Each stands right behind the last that comes before it by total. Equal totals: behind those
    already there; before the fight begins, in order of entry. What the GM has put by hand where it
    stands says nothing of totals. Among those whom players see, a place depends on nobody whom
    they do not see: else it would tell of them.
    """
    seen, moving = fight.slots_in_sight, {fight.slot(number) for number in numbers}
    order = [slot for slot in fight.slots if slot not in moving]
    for slot in sorted(moving, key=lambda s: (s.number not in seen, s.number)):
        order.insert(_index(fight, slot, order, seen), slot)
    if fight.state == "rolling":
        _sort_unseen(fight, order, seen)
    return replace(fight, slots=tuple(order))


def _index(fight: Fight, slot: Slot, order: Sequence[Slot], seen: Set[int]) -> int:
    """Where a slot goes into the order of the others."""
    lairs, by_entry = fight.lairs, fight.state == "rolling"

    def before(other: Slot) -> bool:
        return _by_total(other) and not _precedes(slot, other, lairs, by_entry)

    in_sight = slot.number in seen
    index = 0
    for i, other in enumerate(order, 1):
        if before(other) and (other.number in seen or not in_sight):
            index = i
    if in_sight:  # of those out of sight who stand there, as many as its total leaves before it
        hidden = list(takewhile(lambda s: s.number not in seen, order[index:]))
        index += max((i for i, other in enumerate(hidden, 1) if before(other)), default=0)
    return index + sum(1 for _ in takewhile(_is_led, order[index:]))


def _sort_unseen(fight: Fight, order: list[Slot], seen: Set[int]) -> None:
    """Put those out of sight, whom `placed` may have passed by, where their totals belong."""
    lairs = fight.lairs
    for slot in [s for s in order if s.number not in seen and _by_total(s)]:
        at = order.index(slot)
        passed = any(_above(slot, s, lairs) for s in order[:at] if _by_total(s))
        if passed or any(_above(s, slot, lairs) for s in order[at:] if _by_total(s)):
            order.remove(slot)
            order.insert(_index(fight, slot, order, seen), slot)


def in_place(fight: Fight, slot: Slot) -> bool:
    """Whether a slot stands where its total belongs, whoever has put it there."""
    lairs, at = fight.lairs, fight.slots.index(slot)
    ahead, behind = (filter(_by_total, some) for some in (fight.slots[:at], fight.slots[at + 1 :]))
    return not (
        any(_above(slot, other, lairs) for other in ahead)
        or any(_above(other, slot, lairs) for other in behind)
    )


def _by_total(slot: Slot) -> bool:
    """Whether it stands where it does for its total."""
    return not (slot.moved or slot.by == "mount")


def _is_led(slot: Slot) -> bool:
    """Whether it stands where it does for its rider."""
    return slot.by == "mount" and not slot.moved


def _above(slot: Slot, other: Slot, lairs: Set[int]) -> bool:
    """Whether the totals leave no doubt that a slot comes before another."""
    own, its = (
        (-math.inf if s.total is None else s.total, s.number not in lairs) for s in (slot, other)
    )
    return own > its


def in_time(fight: Fight, slots: Iterable[int]) -> Fight:
    """Of these slots, the newcomers of this round who have had no turn act in it, or too late.

    Too late is one where all before it, and whoever is next, have acted: of those whom players
    see, if it is one of them. So a newcomer of this round misses it when its corrected place has
    passed; one who was there from the start of the round keeps its turn of it, wherever it is put.
    """
    if fight.state != "running":
        return fight
    begun = {c.slot for c in fight.combatants if c.has_acted}
    here = [s for s in fight.slots if s.waiting is None]
    joined = {s.number for s in here if s.joined_round == fight.round}
    new = joined.intersection(slots) - begun
    late = {n for n in new if _is_late(fight, fight.slot(n), new - {n})}
    return fight.with_slots(
        lambda slot: (
            replace(slot, acted_round=fight.round - (slot.number not in late))
            if slot.number in new
            else slot
        )
    )


def _is_late(fight: Fight, slot: Slot, others: Set[int]) -> bool:
    seen = fight.slots_in_sight
    order = [
        other
        for other in fight.slots
        if other.number not in others
        and other.waiting is None
        and (other.number in seen or slot.number not in seen)
    ]
    index = order.index(slot)
    around = (*order[:index], *order[index + 1 : index + 2])
    return index + 1 < len(order) and all(s.acted_round >= fight.round for s in around)


def _precedes(slot: Slot, other: Slot, lairs: Set[int], by_entry: bool) -> bool:
    if _above(slot, other, lairs) or _above(other, slot, lairs):
        return _above(slot, other, lairs)
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
