"""What tells like creatures apart: the GM's numbers, and the players' letters.

Letters follow the order in which players come to see the creatures, and never change, so that
they tell nothing of how many are still hidden.
"""

from collections.abc import Iterable

from rules.fight import Combatant, Fight


def shown_name(combatant: Combatant) -> str:
    """What players call it, before its letter."""
    return combatant.label or combatant.name


def lettered(fight: Fight) -> Fight:
    """The fight with a letter for every creature that players see."""
    letters: dict[str, int] = {}
    for c in fight.combatants:
        letters[shown_name(c)] = max(letters.get(shown_name(c), 0), c.letter)
    changes: dict[int, dict[str, int]] = {}
    for c in fight.combatants:
        if not (c.hidden or c.is_hero or c.letter):
            letters[shown_name(c)] += 1
            changes[c.number] = {"letter": letters[shown_name(c)]}
    return fight.with_each(changes)


def numbered(fight: Fight) -> Fight:
    """The fight with a number for every creature that shares its name with another."""
    taken: dict[str, int] = {}
    count: dict[str, int] = {}
    for c in fight.combatants:
        taken[c.name] = max(taken.get(c.name, 0), c.ordinal)
        count[c.name] = count.get(c.name, 0) + 1
    changes: dict[int, dict[str, int]] = {}
    for c in fight.combatants:
        if not (c.is_hero or c.ordinal) and count[c.name] > 1:
            taken[c.name] += 1
            changes[c.number] = {"ordinal": taken[c.name]}
    return fight.with_each(changes)


def revealed(fight: Fight, targets: Iterable[int]) -> Fight:
    """The fight with these combatants in the players' sight."""
    return lettered(fight.with_each({number: {"hidden": False} for number in targets}))
