"""What the order does out of the players' sight while somebody hidden acts sends them nothing."""

import pytest

import rules
from tests.encounters.playing import take
from tests.encounters.test_secrecy import board_of, fought, unnoticed
from tests.factories import creature, hero

pytestmark = pytest.mark.django_db


def test_a_second_turn_lost_to_surprise_was_never_announced() -> None:
    encounter, link = fought(
        hero("Lia", surprise="surprised"), hero("Bran"), creature("Ogre", hidden=True),
        totals={1: 20, 2: 15, 3: 5},
    )  # fmt: skip
    take(encounter, rules.OverrideSurprise(1, "not-surprised"))
    take(encounter, rules.GiveExtraTurn(1))
    assert [slot.title for slot in board_of(link).coming] == ["Bran", "Lia"]
    take(encounter, rules.OverrideSurprise(1, "surprised"))
    take(encounter, rules.NextTurn())
    with unnoticed(link):
        take(encounter, rules.NextTurn())
    assert board_of(link).coming == ()


def test_surprise_that_ends_for_the_dead_as_the_order_comes_by_is_no_news() -> None:
    encounter, link = fought(
        creature("Ogre", hidden=True), hero("Bran"), creature(surprise="surprised"),
        creature("Stalker", hidden=True), totals={1: 20, 2: 15, 3: 10, 4: 5},
    )  # fmt: skip
    take(encounter, rules.NextTurn())
    take(encounter, rules.Damage(3, 99))
    with unnoticed(link):
        after = take(encounter, rules.NextTurn()).fight
    assert (after.current, after.combatant(3).surprised) == (4, False)
