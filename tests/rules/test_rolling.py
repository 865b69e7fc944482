"""Dice that the GM rolls for anything: the fight stays, and the roll is told."""

import pytest

import rules
from tests.factories import creature, fight_of, hero


def test_a_roll_leaves_the_fight_as_it_is_and_is_a_step_all_the_same() -> None:
    fight = fight_of(hero("Aria"), creature("Ogre"))
    outcome = rules.RollDice("4d6kh3", (6, 5, 5), 16, dropped=(2,)).run(fight)
    assert (outcome.fight, outcome.counts) == (fight, True)
    (event,) = outcome.events
    assert (event.code, event.details) == (
        "rolled",
        {"expression": "4d6kh3", "dice": [6, 5, 5], "dropped": [2], "total": 16, "who": []},
    )


def test_a_roll_names_who_rolls() -> None:
    (event,) = rules.RollDice("d20", (7,), 7, who=2).run(fight_of(hero(), creature())).events
    assert [one["number"] for one in event.details["who"]] == [2]
    with pytest.raises(rules.RuleError, match="no-combatant"):
        rules.RollDice("d20", (7,), 7, who=3).run(fight_of(hero(), creature()))


def test_a_number_alone_is_no_roll() -> None:
    with pytest.raises(rules.RuleError, match="no-dice"):
        rules.RollDice("7", (), 7).run(fight_of(hero()))


def test_nothing_is_rolled_in_a_fight_that_is_over() -> None:
    fight = rules.Fight(state="ended")
    with pytest.raises(rules.RuleError, match="fight-is-ended"):
        rules.RollDice("d20", (7,), 7).run(fight)
