"""A tie of three: each answer settles what it says, and asks for the rest."""

import pytest
from django.test import Client

import rules
from encounters.screens import gm_board
from tests.encounters.playing import fight_in, fresh, press, take
from tests.factories import EncounterFactory, fight_of, hero

pytestmark = pytest.mark.django_db


def test_who_acts_first_of_three_leaves_the_other_two_to_be_asked(gm_client: Client) -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria"), hero("Bran"), hero("Cleo")))
    take(encounter, rules.OpenFight())
    take(encounter, rules.RollInitiative(totals={1: 11, 2: 11, 3: 11}))
    for first, asked in ((3, [1, 2]), (2, [])):
        version = fresh(encounter).version
        assert (
            press(gm_client, encounter, "break-tie", seen=version, first=first).status_code == 200
        )
        board = gm_board(fresh(encounter), fight_in(encounter))
        assert [slot for tie in board.ties for slot, _who in tie.slots] == asked
    assert [slot.number for slot in fight_in(encounter).slots] == [3, 2, 1]
