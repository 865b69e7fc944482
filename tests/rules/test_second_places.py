"""The place of a second turn under the GM's hand: moved, and taken away alone.

Source: RULES of the table; SRD 5.1, "Rogue" / "Thief".
"""

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import acting, opened, order_of, with_totals


def thief(*others: str) -> History:
    """A thief at 18 with a second turn, an orc at 12 and, unless told otherwise, a wolf at 5."""
    fight = opened("1 heroes Cleo dex+3", "1 foes Orc dex+0", *(others or ("1 foes Wolf dex+0",)))
    fight = rules.GiveExtraTurn(1).run(with_totals(fight, 18, 12, 5)).fight
    return History(rules.StartFight().run(fight).fight)


def second(history: History) -> int:
    return rules.second_place(history.fight, 1)


# Moved


def test_a_second_place_moves_alone_and_keeps_its_total() -> None:
    history = thief()
    history.take(rules.one_up(history.fight, second(history)))
    assert order_of(history.fight) == [([1], 18), ([1], 8), ([2], 12), ([3], 5)]
    assert acting(history, 4) == [(1, [1]), (1, [2]), (1, [3]), (2, [1])]


def test_a_second_place_at_the_end_acts_last() -> None:
    history = thief()
    history.take(rules.one_down(history.fight, second(history)))
    assert acting(history, 4) == [(1, [2]), (1, [3]), (1, [1]), (2, [1])]


def test_a_first_place_moves_past_its_own_second_one() -> None:
    history = thief()
    history.take(rules.Reorder(1, None))
    assert order_of(history.fight) == [([2], 12), ([1], 8), ([3], 5), ([1], 18)]


# Taken away


def test_a_second_turn_is_taken_away_and_its_creature_stays() -> None:
    history = thief()
    outcome = history.take(rules.RemoveExtraTurn(1))
    assert order_of(history.fight) == [([1], 18), ([2], 12), ([3], 5)]
    assert [event.code for event in outcome.events] == ["extra-turn-removed"]
    assert [who["name"] for who in outcome.events[0].details["who"]] == ["Cleo"]
    assert acting(history, 3) == [(1, [2]), (1, [3]), (2, [1])]


def test_whoever_has_no_second_turn_keeps_its_place() -> None:
    history = thief()
    for number in (2, 3):
        with pytest.raises(rules.RuleError, match="no-slot"):
            history.take(rules.RemoveExtraTurn(number))
    history.take(rules.RemoveExtraTurn(1))
    with pytest.raises(rules.RuleError, match="no-slot"):
        history.take(rules.RemoveExtraTurn(1))
    with pytest.raises(rules.RuleError, match="no-combatant"):
        history.take(rules.RemoveExtraTurn(9))


def test_a_second_turn_taken_away_can_be_given_again() -> None:
    history = thief()
    before = order_of(history.fight)
    history.take(rules.RemoveExtraTurn(1))
    history.take(rules.GiveExtraTurn(1))
    assert order_of(history.fight) == before


def test_when_a_second_turn_that_is_on_is_taken_away_the_next_begins_at_once() -> None:
    history = thief()
    acting(history, 2)
    outcome = history.take(rules.RemoveExtraTurn(1))
    assert (history.fight.current, history.fight.round) == (3, 1)
    assert [event.code for event in outcome.events] == ["extra-turn-removed", "turn-began"]
    assert acting(history, 1) == [(2, [1])]


def test_the_last_turn_of_round_1_taken_away_begins_round_2() -> None:
    history = thief()
    history.take(rules.Reorder(second(history), None))
    acting(history, 3)
    assert history.fight.current == second(history)
    history.take(rules.RemoveExtraTurn(1))
    assert (history.fight.current, history.fight.round) == (1, 2)


def test_nobody_has_the_turn_when_the_only_one_left_was_a_defeated_ones_second() -> None:
    history = thief("1 foes Wolf dex+0")
    acting(history, 2)
    for number in (1, 2, 3):
        history.take(rules.SetOut(number, True))
    history.take(rules.RemoveExtraTurn(1))
    assert history.fight.current is None


def test_undo_and_redo_of_a_second_turn_taken_away_are_exact() -> None:
    history = thief()
    acting(history, 2)
    on = history.fight
    history.take(rules.RemoveExtraTurn(1))
    without = history.fight
    history.undo()
    assert (history.fight.slots, history.fight.current) == (on.slots, on.current)
    history.redo()
    assert (history.fight.slots, history.fight.current) == (without.slots, without.current)


def test_previous_turn_takes_back_the_taking_away_that_began_this_turn() -> None:
    history = thief()
    acting(history, 2)
    on = history.fight
    history.take(rules.RemoveExtraTurn(1))
    history.take(history.previous())
    assert (history.fight.slots, history.fight.current) == (on.slots, on.current)
    assert acting(history, 2) == [(1, [3]), (2, [1])]


def test_previous_turn_passes_by_a_second_turn_taken_away_since() -> None:
    history = thief()
    acting(history, 3)
    history.take(rules.RemoveExtraTurn(1))
    history.take(history.previous())
    assert (history.fight.current, history.fight.round) == (2, 1)
    assert order_of(history.fight) == [([1], 18), ([2], 12), ([3], 5)]


def test_players_see_the_next_turn_when_the_one_they_saw_is_taken_away() -> None:
    """Else it would tell them that somebody hidden has the turn."""
    history = thief("1 foes Stalker dex+0 hidden")
    history.fight = rules.ChangeSettings({"reveal_on_turn": False}).run(history.fight).fight
    acting(history, 3)
    assert (history.fight.current, history.fight.seen_slot) == (3, second(history))
    history.take(rules.RemoveExtraTurn(1))
    assert (history.fight.current, history.fight.round) == (3, 1)
    assert (history.fight.seen_slot, history.fight.seen_round) == (1, 2)
