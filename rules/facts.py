"""Facts that are kept elsewhere, brought into a fight that has not begun.

Source: RULES of the table: a hero's numbers have one home, the campaign's.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.combatant import Combatant, Effect
from rules.consequences import whole_maximum, with_consequences, with_whole_maximum, without
from rules.dying import CALM
from rules.fight import Fight
from rules.surprise import found_again
from rules.ties import ranked_again

Facts = Mapping[str, Any]  # by field of a combatant; `max_hp` is the whole, `hp` None is unhurt


def with_facts(fight: Fight, facts: Mapping[int, Facts]) -> Fight:
    """The fight in which these combatants, by number, have these facts; itself if they have them.

    One who is left at 0 hit points lies there, stable.
    """
    was = {c.number: c for c in fight.combatants if c.number in facts}
    now = {number: _having(c, facts[number]) for number, c in was.items()}
    touched = [number for number, c in was.items() if now[number] != c]
    if not touched:
        return fight
    combatants = tuple(now[c.number] if c.number in touched else c for c in fight.combatants)
    fight = with_consequences(replace(fight, combatants=combatants), touched).fight
    slots = [c.slot for c in fight.combatants if c.number in touched and c.slot is not None]
    return found_again(ranked_again(fight, slots))


def _having(was: Combatant, facts: Facts) -> Combatant:
    facts = dict(facts)
    whole, hp = facts.pop("max_hp"), facts.pop("hp")
    now = replace(was, **facts)
    if (whole or 0) != whole_maximum(was):
        now = with_whole_maximum(now, whole)
    if now.dead:
        return now
    left = now.max_hp if hp is None or now.max_hp is None else min(hp, now.max_hp)
    if left == now.hp:
        return now
    if left == 0:
        return replace(now, hp=0, stable=True, effects=(*without(now, "prone"), Effect("prone")))
    stands = without(now, "prone") if now.hp == 0 else now.effects
    return replace(now, hp=left, effects=stands, **CALM)
