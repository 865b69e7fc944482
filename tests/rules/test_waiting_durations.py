"""What lasts until a turn of one that waits: counted once a round, whenever that turn comes.

Source: RULES of the table, "Turns and rounds".
"""

from dataclasses import replace

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import FOUR, started, turns

CURSED = rules.Effect("own", text="cursed", whose=2)


def left_of_it(history: History) -> list[int]:
    return [effect.turns for effect in history.fight.combatant(3).effects]


@pytest.mark.parametrize("edge", ["start", "end"])
def test_a_duration_counts_once_in_a_round_of_waiting_and_coming_back(edge: str) -> None:
    history = started(*FOUR)
    history.take(rules.AddEffect(3, replace(CURSED, ends=edge, turns=3)))
    history.take(rules.Wait(2))
    assert (turns(history, 1), left_of_it(history)) == ([(1, 3)], [2])
    before = history.fight
    history.take(rules.ComeBack(2))
    assert (turns(history, 1), left_of_it(history)) == ([(1, 2)], [2])
    assert (turns(history, 2), left_of_it(history)) == ([(1, 4), (2, 1)], [2])
    left = [1 if edge == "start" else 2]
    assert (turns(history, 2), left_of_it(history)) == ([(2, 3), (2, 2)], left)
    assert (turns(history, 1), left_of_it(history)) == ([(2, 4)], [1])
    for _ in range(6):
        history.take(history.previous())
    history.take(rules.Wait(2))
    assert history.fight.combatants == before.combatants


def test_what_is_put_on_after_the_order_came_by_counts_the_turn_that_comes() -> None:
    history = started(*FOUR)
    history.take(rules.Wait(2))
    turns(history, 1)
    history.take(rules.AddEffect(3, replace(CURSED, ends="end")))
    history.take(rules.ComeBack(2))
    turns(history, 2)
    assert history.fight.combatant(3).effects == ()


def test_saves_and_hit_points_of_a_turn_belong_to_the_turn_that_comes() -> None:
    history = started(*FOUR)
    burning = rules.Effect("own", text="burning", each="1", ends="end", turns=2, save="dex", dc=12)
    history.take(rules.AddEffect(2, burning))
    history.take(rules.Wait(2))
    turns(history, 1)
    assert (history.fight.combatant(2).hp, history.fight.combatant(2).dues) == (9, ())
    history.take(rules.ComeBack(2))
    turns(history, 2)
    now = history.fight.combatant(2)
    assert (now.hp, [due.kind for due in now.dues], len(now.effects)) == (8, ["save"], 1)


@pytest.mark.parametrize("comes_back", [True, False])
def test_a_turn_given_up_ends_once_with_the_round_at_the_latest(comes_back: bool) -> None:
    history = started(*FOUR)
    history.take(rules.AddEffect(3, replace(CURSED, ends="end", turns=2, whose=1)))
    history.take(rules.AddEffect(3, replace(CURSED, ends="end", text="hexed", whose=4)))
    history.take(rules.Wait(1))
    if comes_back:
        history.take(rules.ComeBack(1))
        turns(history, 1)
    assert [e.skips for e in history.fight.combatant(3).effects] == [True, False]
    while history.fight.round == 1:
        history.take(rules.NextTurn())
    left = 2 if comes_back else 1  # the order has come by it in round 2
    assert [(e.skips, e.turns) for e in history.fight.combatant(3).effects] == [(False, left)]


def test_a_turn_given_up_by_one_that_is_out_since_does_not_start_again() -> None:
    history = started(*FOUR)
    history.take(rules.AddEffect(3, replace(CURSED, ends="start", turns=3, whose=1)))
    history.take(rules.Wait(1))
    history.take(rules.ComeBack(1))
    history.take(rules.SetOut(1, True))
    turns(history, 1)
    assert left_of_it(history) == [3]
