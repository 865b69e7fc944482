"""Those who act together, as one name."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from django.utils.translation import get_language

import rules
from encounters.labels import Name, name_of


def who(fight: rules.Fight, slot: int) -> str:
    """Those who act in a slot, as one name: "Goblin ×3"."""
    return standing(fight.members(slot))


def standing(members: Iterable[rules.Combatant]) -> str:
    """Those of a slot who still act, as one name."""
    return _standing(tuple(members), get_language())


@lru_cache(maxsize=2_000)
def _standing(members: tuple[rules.Combatant, ...], _language: str | None) -> str:
    return together(rules.standing(members))


def together(members: Iterable[rules.Combatant]) -> str:
    """Several as one name: "Goblin ×3", or "Goblin + Ogre" of those who are not alike."""
    return _together(tuple(members), get_language())


@lru_cache(maxsize=2_000)
def _together(members: tuple[rules.Combatant, ...], _language: str | None) -> str:
    if len(members) == 1:
        return str(name_of(members[0]))
    return counted(Name(c.name, c.name_fr or c.name).alone for c in members)


def counted(names: Iterable[str]) -> str:
    """Names as one: "Goblin ×3 + Ogre"."""
    return " + ".join(f"{name} ×{n}" if n > 1 else name for name, n in Counter(names).items())


def in_runs(marks: Iterable[str]) -> str:
    """Letters in order, with a dash for what lies between ("A–C, E"); names as they come."""
    runs: list[list[str]] = []
    given = list(marks)
    if all(len(mark) <= 2 for mark in given):  # letters: A to Z, AA, AB, …
        given.sort(key=lambda mark: (len(mark), mark))
    for mark in given:
        follows = (
            runs and len(mark) == 1 == len(runs[-1][-1]) and ord(mark) == ord(runs[-1][-1]) + 1
        )
        if follows:
            runs[-1].append(mark)
        else:
            runs.append([mark])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)
