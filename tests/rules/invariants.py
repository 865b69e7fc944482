"""What is true of a fight at any moment, whatever has happened in it.

Those of one combatant are about its own fields; those of the fight are about how all stand
together. A truth that is broken is told by its name.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from rules import Combatant as Person
from rules import Fight
from tests.rules import truths_of_all, truths_of_one
from tests.rules.boards import board


def _truths(module: ModuleType) -> list[Callable[[Any], bool]]:
    """The functions that this module itself has."""
    there = vars(module).values()
    return [value for value in there if getattr(value, "__module__", "") == module.__name__]


OF_ONE = _truths(truths_of_one)
OF_FIGHT = _truths(truths_of_all)


def check(fight: Fight) -> None:
    """Raises `AssertionError` with the name of what is not true."""
    for c in fight.combatants:
        check_one(c)
    check_all(fight)


def check_one(c: Person) -> None:
    for truth in OF_ONE:
        assert truth(c), f"{truth.__name__}: {c.name}"


def check_all(fight: Fight) -> None:
    for truth in OF_FIGHT:
        assert truth(fight), "\n".join((truth.__name__, *board(fight)))
