"""Nothing that the GM hides reaches a player: twins with other secrets look the same."""

import pytest

from tests.encounters.twins import pair
from tests.encounters.watching import compare
from tests.sizes import FULL

pytestmark = pytest.mark.django_db

PAIRS = 20_000 if FULL else 500
PARTS = 4  # of them, to be looked at side by side


# RW-S22: nothing that players get is made of what they may not know
@pytest.mark.parametrize("part", range(PARTS))
def test_two_fights_with_the_same_outside_give_players_the_same_bytes(part: int) -> None:
    for number in range(part, PAIRS, PARTS):
        compare(pair(number))
