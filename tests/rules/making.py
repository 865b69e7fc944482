"""Fights made for tests, from the lines that drawings use."""

from collections.abc import Callable
from typing import Any

import rules
from tests.rules.drawing import History, combatants

ORDER = ("1 heroes A dex+0 hp9", "1 foes B dex+0 hp9", "1 heroes C dex+0 hp9")
FOUR = ("1 heroes A hp9", "1 foes B hp9", "1 heroes C hp9", "1 foes D hp9")


def fight_of(*joining: str, **settings: Any) -> rules.Fight:
    """A fight in preparation, from lines such as "3 foes Goblin dex+2 hp7"."""
    fight = rules.Fight(table=rules.Settings(**settings))
    for line in joining:
        fight = rules.Join(combatants(tuple(line.split()))).run(fight).fight
    return fight


def opened(*joining: str, **settings: str | bool) -> rules.Fight:
    return rules.OpenFight().run(fight_of(*joining, **settings)).fight


def named(fight: rules.Fight) -> list[str]:
    return [fight.members(slot.number)[0].name for slot in fight.slots]


def with_totals(fight: rules.Fight, *totals: int | None) -> rules.Fight:
    """Totals for the slots in their order of entry."""
    numbers = sorted(slot.number for slot in fight.slots)
    given = dict(zip(numbers, totals, strict=True))
    return rules.RollInitiative(totals=given).run(fight).fight


def falling(*dice: int) -> Callable[[], int]:
    left = list(dice)
    return lambda: left.pop(0)


def rolled_off(fight: rules.Fight, total: int, *dice: int) -> rules.Fight:
    found = rules.roll_off(rules.contenders(fight, total), falling(*dice))
    return rules.RollOff(total, found).run(fight).fight


def started(*joining: str, **settings: str | bool) -> History:
    """A fight whose slots act in order of entry."""
    history = History(fight_of(*(joining or ORDER), **settings))
    history.take(rules.OpenFight())
    slots = [slot.number for slot in history.fight.slots]
    history.take(rules.RollInitiative(totals={n: 50 - n for n in slots}))
    history.take(rules.StartFight())
    return history


def order_of(fight: rules.Fight) -> list[tuple[list[int], int | None]]:
    """The numbers of those who stand in each place, and its total."""
    return [([c.number for c in fight.members(s.number)], s.total) for s in fight.slots]


def acting(history: History, turns: int) -> list[tuple[int, list[int]]]:
    """Round and members of the turns that come."""
    seen = []
    for _ in range(turns):
        history.take(rules.NextTurn())
        fight = history.fight
        seen.append((fight.round, [c.number for c in fight.members(fight.current)]))
    return seen


def turns(history: History, count: int) -> list[tuple[int, int]]:
    """Round and first member of the turns that come."""
    return [(number, who[0]) for number, who in acting(history, count)]
