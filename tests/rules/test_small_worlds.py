"""Small fights, completely: whatever five commands make of them, the truths of a fight hold."""

import gc
from collections.abc import Callable, Iterator

import pytest

import rules
from tests.rules import invariants
from tests.rules.small_worlds import (
    World,
    begun,
    gathered,
    of_a_fight,
    of_a_long_fight,
    of_an_opening,
)
from tests.sizes import FULL

Commands = Callable[[rules.Fight], Iterator[rules.Command]]
LEAST = 1_000_000 if FULL else 50_000  # states of one edition: what the commands are to come to


def explored(first: rules.Fight, commands: Commands, depth: int) -> int:
    """How many states there are. Nothing of a world is given back before its end."""
    gc.disable()
    try:
        return World(first).explore(commands, depth)
    finally:
        gc.enable()
        gc.collect()


@pytest.mark.parametrize("edition", ["2014", "2024"])
def test_whatever_five_commands_make_of_a_small_fight_is_a_fight_by_the_rules(
    edition: str,
) -> None:
    states = explored(gathered(edition), of_an_opening, 5)
    states += explored(begun(edition), of_a_long_fight if FULL else of_a_fight, 5)
    assert states >= LEAST


def test_the_truths_of_a_fight_are_named_one_by_one() -> None:
    assert len(invariants.OF_ONE) + len(invariants.OF_FIGHT) >= 40
