"""The die of what was due, where the table sees it."""

import pytest
from django.test import Client

from tests.encounters.opening import Told
from tests.encounters.owing import (
    DRAGON,
    FRIGHTENED,
    LIA,
    board_of,
    due_of,
    dying_fight,
    go_on,
    lair_fight,
    put,
    settle,
)

pytestmark = pytest.mark.django_db


def test_the_die_of_a_save_is_shown_as_the_last_roll(gm_client: Client, dice: Told) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, DRAGON)
    go_on(encounter, 2)
    dice.values = [11]
    settle(gm_client, encounter, DRAGON, due_of(encounter, DRAGON, "save"), "roll")
    roll = board_of(encounter).last_roll
    assert roll
    assert (roll.who, roll.expression, roll.total) == ("Dragon", "WIS save, DC 15", "18")
    assert (roll.dice, roll.outcome) == ((11,), "made")


def test_of_a_group_it_is_shown_how_many_made_it(gm_client: Client, dice: Told) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, 3, 4, 5)
    go_on(encounter, 3)
    dice.values = [16, 2, 2]
    settle(gm_client, encounter, "3,4,5", due_of(encounter, 3), "roll")
    roll = board_of(encounter).last_roll
    assert roll
    assert (roll.who, roll.total, roll.dice, roll.outcome) == ("Goblin ×3", "1/3", (16, 2, 2), "")


@pytest.mark.parametrize(
    ("die", "outcome"),
    [(7, "Lia: 1 of 3 death saves failed"), (12, "Lia: 1 of 3 death saves made"),
     (20, "Lia conscious again")],
)  # fmt: skip
def test_the_die_of_a_death_save_is_shown_with_what_became_of_it(
    die: int, outcome: str, gm_client: Client, dice: Told
) -> None:
    encounter = dying_fight()
    dice.values = [die]
    settle(gm_client, encounter, LIA, due_of(encounter, LIA), "roll")
    roll = board_of(encounter).last_roll
    assert roll
    assert (roll.expression, roll.total, roll.dice) == ("d20", str(die), (die,))
    assert roll.outcome == outcome


def test_what_the_table_told_is_no_roll(gm_client: Client) -> None:
    encounter = dying_fight()
    settle(gm_client, encounter, LIA, due_of(encounter, LIA), "made")
    assert board_of(encounter).last_roll is None
    go_on(encounter, 2)  # the dragon's turn
    settle(gm_client, encounter, DRAGON, due_of(encounter, DRAGON), "failed")
    assert board_of(encounter).last_roll is None
