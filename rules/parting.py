"""Members of one slot in a slot of their own, and back in their group.

Source: DRS, chapter "Combattre" / "Initiative"; SRD 5.2, "Surprise".
"""

from collections.abc import Container, Iterable
from dataclasses import replace

from rules.checks import GIVEN, parts
from rules.combatant import Slot
from rules.fight import Fight


def split_off(fight: Fight, members: Iterable[int], **changes: object) -> tuple[Fight, int]:
    """The fight with these members of one slot in a slot of their own, right behind it.

    It keeps the total, and whatever else `changes` do not say. Also returns the new number.
    """
    leaving = set(members)
    old = next(c.slot for c in fight.combatants if c.number in leaving)
    new = fight.last_number + 1
    own = {"parted": False, **changes}
    slots: list[Slot] = []
    for slot in fight.slots:
        slots.append(slot)
        if slot.number == old:
            slots.append(replace(slot, number=new, split_from=old, **own))  # type: ignore[arg-type]
    fight = fight.with_each({number: {"slot": new} for number in leaving})
    return replace(fight, slots=tuple(slots), last_number=new), new


def together_again(fight: Fight, rolling: Container[int]) -> Fight:
    """What a roll alone has set apart is together again where both roll anew, and alike."""
    for slot in fight.slots:
        home = next((s for s in fight.slots if s.number == slot.split_from), None)
        if slot.parted and home and slot.number in rolling and home.number in rolling:
            joined = _joined(fight, slot, home)
            if _may_join(fight, slot, home) and len(parts(joined, home.number)) == 1:
                fight = joined
    return fight


def _may_join(fight: Fight, slot: Slot, home: Slot) -> bool:
    """Whether one place can stand for both: neither of them has a turn more or less for it."""
    both = (slot.number, home.number)
    on = fight.current in both and slot.acted_round == fight.round
    given = slot.by in GIVEN or home.by in GIVEN or any(s.extra_of in both for s in fight.slots)
    return (
        not (on or given)
        and (slot.acted_round, slot.waiting) == (home.acted_round, home.waiting)
        and len({c.side for c in fight.combatants if c.slot in both}) == 1
    )


def _joined(fight: Fight, slot: Slot, home: Slot) -> Fight:
    moved = {slot.number: home.number}
    current, seen = fight.current, fight.seen_slot
    return replace(
        fight.with_each({c.number: {"slot": home.number} for c in fight.members(slot.number)}),
        slots=tuple(s for s in fight.slots if s.number != slot.number),
        current=None if current is None else moved.get(current, current),
        seen_slot=None if seen is None else moved.get(seen, seen),
    )
