"""Whose turn players see: never that of somebody hidden, nor a sign that there is one.

Source: RULES of the table for what players see.
"""

from collections.abc import Iterable
from dataclasses import replace

from rules.combatant import Combatant
from rules.fight import Fight


def acts_in_sight(combatant: Combatant) -> bool:
    """Whether players see its turn: a defeated one's would tell of a hidden one beside it."""
    return not (combatant.unseen or combatant.passed_over)


def seen_acting(fight: Fight) -> Fight:
    """The fight in which players see the turn that is on, if anybody in sight has it."""
    if not any(acts_in_sight(c) for c in fight.members(fight.current)):
        return fight
    return replace(fight, seen_slot=fight.current, seen_round=fight.round)


def with_turn_in_sight(fight: Fight, hiding: Iterable[Combatant] = ()) -> Fight:
    """When nobody is left in sight of the turn that players saw, they see the next in sight.

    So it would be if there were no hidden ones: a gap would tell that somebody hidden acts. The
    defeated keep the turn in which they fell, but not that of those who have just been hidden
    (`hiding`, as they were before).
    """
    if fight.state != "running" or fight.seen_slot is None:
        return fight
    home = fight.home(fight.seen_slot)
    left = [c for c in fight.combatants if c.slot == home and not c.unseen]
    deserted = any(c.slot == home and acts_in_sight(c) for c in hiding)
    if any(acts_in_sight(c) for c in left) or (left and not deserted):
        return fight
    seen = {c.slot for c in fight.combatants if acts_in_sight(c)}
    coming = [s for s in fight.slots if (s.extra_of or s.number) in seen and s.waiting is None]
    waiting = [slot for slot in coming if slot.acted_round < fight.seen_round]
    if not coming:
        return replace(fight, seen_slot=None, seen_round=0)
    again = 0 if waiting else 1
    number = (waiting or coming)[0].number
    return replace(fight, seen_slot=number, seen_round=fight.seen_round + again)


def same_turn_in_sight(before: Fight, after: Fight) -> bool:
    """Whether players see the same turn as before, whatever number its place has by now.

    A place may change its number, and a second turn may give way to its own place, when somebody
    hidden acts or is put elsewhere.
    """
    if max(before.seen_round, 1) != max(after.seen_round, 1):
        return False
    if before.seen_slot == after.seen_slot:
        return True
    second = [fight.seen_slot != fight.home(fight.seen_slot) for fight in (before, after)]
    over = all(slot.number != before.seen_slot for slot in after.slots)
    if second[0] != second[1] and not (second[0] and over):
        return False
    was, now = (
        {c.number for c in fight.members(fight.seen_slot) if not c.unseen}
        for fight in (before, after)
    )
    return bool(was & now)
