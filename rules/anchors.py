"""Durations that count the turns of somebody who leaves: their place is counted on without them.

What was to end on that turn ends when the order comes by: right before the turn of the next place.
Source: RULES of the table; SRD 5.1, "Duration".
"""

from dataclasses import replace

from rules.combatant import Combatant, Effect, Slot
from rules.fight import Fight


def anchored_anew(fight: Fight, leaving: tuple[int, ...]) -> Fight:
    """The fight before these leave it, with no effect on others that counts their turns."""
    gone = set(leaving)
    for bearer in fight.combatants:
        if bearer.number in gone or all(e.whose not in gone for e in bearer.effects):
            continue
        effects = tuple(
            _anchored(fight, bearer, e, gone) if e.whose in gone else e for e in bearer.effects
        )
        fight = fight.with_combatant(bearer.number, effects=effects)
    return fight


def _anchored(fight: Fight, bearer: Combatant, effect: Effect, gone: set[int]) -> Effect:
    was = next(c for c in fight.combatants if c.number == effect.whose)
    peers = [c.number for c in fight.members(was.slot) if c.number not in gone]
    if peers:
        return replace(effect, whose=peers[0])
    home = next((index for index, slot in enumerate(fight.slots) if slot.number == was.slot), None)
    there = None if home is None else _next_place(fight, home, gone)
    if home is None or there is None:
        return replace(effect, whose=bearer.number)
    place, around = there
    moved = replace(effect, whose=place[1], ends="start")
    if effect.until_round:
        return replace(moved, until_round=effect.until_round + around)
    passed = fight.slots[home].acted_round >= fight.round
    early = place[0].acted_round < fight.round
    return replace(moved, skips=passed and (around or early))


def _next_place(fight: Fight, home: int, gone: set[int]) -> tuple[tuple[Slot, int], bool] | None:
    """The next place with somebody who stays, one of those, and whether a round lies between."""
    order = [*fight.slots[home + 1 :], *fight.slots[:home]]
    for index, slot in enumerate(order):
        stay = [c.number for c in fight.members(slot.number) if c.number not in gone]
        if stay:
            return (slot, stay[0]), index >= len(fight.slots) - home - 1
    return None
