"""Places taken out of the order and put back, and reinforcements of a later round.

Source: RULES of the table, which many play besides *Ready*.
"""

from dataclasses import replace

import pytest

import rules
from tests.rules.drawing import History, combatants
from tests.rules.making import FOUR, fight_of, started, turns


def slots_of(history: History) -> list[int]:
    return [slot.number for slot in history.fight.slots]


# Waiting


def test_one_that_waits_comes_back_before_any_turn_and_keeps_its_new_place() -> None:
    history = started(*FOUR)
    history.take(rules.Wait(2))
    assert turns(history, 1) == [(1, 3)]
    history.take(rules.ComeBack(2))
    assert (slots_of(history), history.fight.current) == ([1, 3, 2, 4], 3)
    assert turns(history, 6) == [(1, 2), (1, 4), (2, 1), (2, 3), (2, 2), (2, 4)]


def test_one_that_waits_on_its_own_turn_gives_it_up_and_has_it_later() -> None:
    history = started(*FOUR)
    history.take(rules.Wait(1))
    assert history.fight.current == 2
    history.take(rules.ComeBack(1))
    assert turns(history, 5) == [(1, 1), (1, 3), (1, 4), (2, 2), (2, 1)]


def test_one_that_has_acted_and_waits_does_not_act_again_in_this_round() -> None:
    history = started(*FOUR)
    turns(history, 2)
    history.take(rules.Wait(1))
    history.take(rules.ComeBack(1))
    assert slots_of(history) == [2, 3, 1, 4]
    assert turns(history, 4) == [(1, 4), (2, 2), (2, 3), (2, 1)]


def test_one_that_waits_across_the_end_of_a_round_acts_once_in_the_next() -> None:
    history = started(*FOUR)
    history.take(rules.Wait(2))
    assert turns(history, 3) == [(1, 3), (1, 4), (2, 1)]
    history.take(rules.ComeBack(2))
    assert turns(history, 4) == [(2, 2), (2, 3), (2, 4), (3, 1)]


def test_the_last_of_the_round_may_wait_on_its_turn() -> None:
    history = started(*FOUR)
    turns(history, 3)
    history.take(rules.Wait(4))
    assert (history.fight.current, history.fight.round) == (1, 2)
    history.take(rules.ComeBack(4))
    assert turns(history, 4) == [(2, 4), (2, 2), (2, 3), (3, 1)]


def test_a_turn_given_to_one_that_waits_brings_it_back() -> None:
    history = started(*FOUR)
    history.take(rules.Wait(2))
    turns(history, 1)
    outcome = history.take(rules.GiveTurn(2))
    assert [event.code for event in outcome.events] == ["came-back", "turn-began"]
    assert (slots_of(history), history.fight.current) == ([1, 3, 2, 4], 2)
    assert turns(history, 3) == [(1, 4), (2, 1), (2, 3)]


def test_surprise_waits_too() -> None:
    history = History(fight_of("1 heroes X dex+0 pp9", "1 foes B dex+0 stealth14", "1 foes C"))
    history.take(rules.Hide({3: 15}))
    history.take(rules.StartFight({1: 10, 2: 20}, {3: 5}))
    history.take(rules.Wait(1))
    assert turns(history, 1) == [(1, 3)]
    assert history.fight.combatant(1).surprised, "it has not had its first turn yet"
    history.take(rules.ComeBack(1))
    assert turns(history, 1) == [(1, 1)]
    assert rules.means(history.fight.combatant(1), history.fight).lost_to == "surprised"
    turns(history, 1)
    assert not history.fight.combatant(1).surprised


def test_what_ends_on_the_turn_of_one_that_waits_ends_when_the_order_comes_by() -> None:
    history = started(*FOUR)
    history.take(rules.TakeAction(2, "dodge"))
    history.take(rules.Wait(2))
    turns(history, 1)
    assert history.fight.combatant(2).effects == ()


def test_previous_turn_puts_back_whoever_waited_on_its_turn() -> None:
    history = started(*FOUR)
    history.take(rules.Wait(1))
    history.take(history.previous())
    assert (history.fight.current, history.fight.slot(1).waiting) == (1, None)


def test_one_that_came_back_and_has_its_turn_again_does_not_have_it_twice() -> None:
    history = started(*FOUR)
    history.take(rules.Wait(1))
    history.take(rules.ComeBack(1))
    history.take(history.previous())
    assert history.fight.current == 1
    assert turns(history, 3) == [(1, 2), (1, 3), (1, 4)]


def test_a_newcomer_that_waits_may_be_given_its_total() -> None:
    history = started(*FOUR)
    history.take(rules.Join(combatants(("1", "foes", "E", "hp9"))))
    history.take(rules.Wait(5))
    history.take(rules.RollInitiative(totals={5: 60}))
    history.take(rules.ComeBack(5))
    assert turns(history, 1) == [(1, 5)]


def test_a_second_turn_is_passed_over_with_the_place_that_waits() -> None:
    history = started(*FOUR)
    history.take(rules.GiveExtraTurn(2))
    history.take(rules.Wait(2))
    assert turns(history, 3) == [(1, 3), (1, 4), (2, 1)]


def test_one_that_waits_on_its_second_turn_gives_that_up_and_its_place_waits() -> None:
    history = started("1 heroes A hp9", "1 foes B hp9")
    history.take(rules.GiveExtraTurn(1))
    turns(history, 2)
    second = history.fight
    assert second.home(second.current) == 1 != second.current
    history.take(rules.Wait(1))
    assert (slots_of(history), history.fight.round, history.fight.current) == ([1, 2], 2, 2)
    assert (history.fight.slot(1).waiting, history.fight.seen_slot) == (1, 2)
    history.take(history.previous())
    assert (history.fight.slots, history.fight.current) == (second.slots, second.current)
    history.take(rules.Wait(1))
    history.take(rules.ComeBack(1))
    assert turns(history, 2) == [(2, 1), (3, 2)]


def test_the_second_turn_of_a_first_place_on_its_turn_waits_with_it() -> None:
    history = started("1 heroes A hp9", "1 foes B hp9")
    history.take(rules.GiveExtraTurn(1))
    (second,) = (s.number for s in history.fight.slots if s.extra_of)
    history.take(rules.Wait(second))
    assert (slots_of(history), history.fight.current) == ([1, 2, second], 2)
    history.take(rules.ComeBack(1))
    assert turns(history, 3) == [(1, 1), (1, 1), (2, 2)]


def test_waiting_has_its_limits() -> None:
    history = started("1 heroes A hp9", "1 foes B hp9")
    with pytest.raises(rules.RuleError, match="does-not-wait"):
        history.take(rules.ComeBack(2))
    history.take(rules.Wait(2))
    with pytest.raises(rules.RuleError, match="waits-already"):
        history.take(rules.Wait(2))
    with pytest.raises(rules.RuleError, match="nobody-can-act"):
        history.take(rules.Wait(1))


# Passed over


def test_what_was_to_end_on_the_turn_of_one_passed_over_ends_when_the_order_comes_by() -> None:
    history = started(*FOUR)
    history.take(rules.TakeAction(2, "dodge"))
    history.take(rules.TakeAction(4, "help"))
    history.take(rules.SetOut(2, True))
    history.take(rules.SetOut(4, True))
    outcome = history.take(rules.NextTurn())
    assert [event.code for event in outcome.events] == ["effect-ended", "turn-began"]
    assert [len(c.effects) for c in history.fight.combatants] == [0, 0, 0, 1]
    history.take(rules.NextTurn())
    assert (history.fight.round, history.fight.combatant(4).effects) == (2, ())
    history.take(history.previous())
    assert [effect.code for effect in history.fight.combatant(4).effects] == ["helping"]


def test_the_surprise_of_one_that_is_out_ends_when_the_order_comes_by() -> None:
    history = History(fight_of("1 heroes X dex+0 pp9", "1 foes B dex+0 stealth14", "1 foes C"))
    history.take(rules.Hide({3: 15}))
    history.take(rules.StartFight({1: 10, 2: 20}, {3: 5}))
    history.take(rules.SetOut(1, True))
    turns(history, 1)
    assert not history.fight.combatant(1).surprised


# Reinforcements


def reinforced(*more: str) -> History:
    """A 20, B 10, and orcs at 15 who come in round 2."""
    history = History(
        fight_of("1 heroes A dex+0", "1 foes B dex+0", "2 foes Orc dex+0 group=orc arrives2", *more)
    )
    history.take(rules.StartFight({1: 20, 2: 10, 3: 15}))
    return history


def test_reinforcements_act_in_their_place_from_their_round_on() -> None:
    history = reinforced()
    assert slots_of(history) == [1, 3, 2]
    assert turns(history, 5) == [(1, 2), (2, 1), (2, 3), (2, 2), (3, 1)]


def test_reinforcements_leave_no_trace_before_their_round() -> None:
    history = reinforced()
    orcs = history.fight.members(3)
    assert [(c.unseen, c.letter, c.awaited) for c in orcs] == [(True, 0, True)] * 2
    turns(history, 1)
    outcome = history.take(rules.NextTurn())
    assert [e.code for e in outcome.events] == ["round-began", "arrived", "turn-began"]
    assert [(c.unseen, c.letter) for c in history.fight.members(3)] == [(False, 1), (False, 2)]
    history.take(history.previous())
    assert [c.unseen for c in history.fight.members(3)] == [True, True]


def test_reinforcements_surprise_nobody_and_are_not_surprised() -> None:
    fight = fight_of("1 heroes A dex+0 pp9", "1 foes B dex+0 pp8 arrives2 stealth20", "1 foes C")
    fight = rules.StartFight({1: 10, 2: 20}, {3: 5}).run(fight).fight
    assert not any(c.surprised for c in fight.combatants)


def test_the_first_of_the_next_round_may_be_one_that_arrives() -> None:
    history = started("1 foes Late hp9 arrives2", "1 heroes A hp9")
    assert rules.next_slot(history.fight) == 1
    told = rules.preview(history.fight)
    assert told is not None
    assert (told.slot, [c.name for c in told.arrive]) == (1, ["Late"])
    assert turns(history, 1) == [(2, 1)]


def test_one_planned_in_the_middle_of_a_fight_comes_when_its_round_begins() -> None:
    history = reinforced()
    late = replace(combatants(("1", "foes", "Late", "dex+0"))[0], arrives=3)
    history.take(rules.Join((late,), (18,)))
    assert slots_of(history) == [1, 5, 3, 2]
    assert turns(history, 6) == [(1, 2), (2, 1), (2, 3), (2, 2), (3, 1), (3, 5)]


def test_the_gm_may_bring_one_earlier_or_send_one_off() -> None:
    history = reinforced()
    history.take(rules.Edit(3, {"arrives": 1}))
    assert not history.fight.combatant(3).awaited
    assert turns(history, 1) == [(1, 3)]
    history.take(rules.Edit(1, {"arrives": 4}))
    assert turns(history, 3) == [(1, 2), (2, 3), (2, 2)]


def test_a_group_of_which_some_arrive_later_acts_together_once_they_are_there() -> None:
    fight = fight_of("1 heroes A dex+0", "1 foes Orc dex+0 group=orc hidden")
    late = replace(fight.combatant(2), number=0, arrives=2)
    history = History(rules.Join((late,)).run(fight).fight)
    history.take(rules.StartFight({1: 20, 2: 10}))
    turns(history, 1)
    assert [(c.awaited, c.has_acted, c.hidden) for c in history.fight.members(2)] == [
        (False, True, False),
        (True, False, True),
    ]
    turns(history, 2)
    assert [(c.awaited, c.hidden) for c in history.fight.members(2)] == [(False, False)] * 2


def test_reinforcements_given_the_turn_arrive_for_it() -> None:
    history = reinforced()
    outcome = history.take(rules.GiveTurn(3))
    assert [event.code for event in outcome.events] == ["arrived", "turn-began"]
    assert (history.fight.current, history.fight.seen_slot) == (3, 3)
    assert [(c.awaited, c.letter) for c in history.fight.members(3)] == [(False, 1), (False, 2)]
    assert turns(history, 4) == [(1, 2), (2, 1), (2, 3), (2, 2)]


def test_a_group_given_the_turn_does_not_wait_for_those_of_it_who_come_later() -> None:
    history = reinforced()
    history.take(rules.Edit(3, {"arrives": 1}))
    history.take(rules.GiveTurn(3))
    assert [c.awaited for c in history.fight.members(3)] == [False, True]


def test_where_nobody_has_the_turn_one_that_waits_comes_back_at_the_head() -> None:
    history = started("1 foes C hp9", "1 heroes A hp9", "1 foes B hp9")
    history.take(rules.Damage(1, 9))
    history.take(rules.NextTurn())
    history.take(rules.Wait(2))
    history.take(rules.Leave((3,)))
    assert history.fight.current is None
    history.take(rules.ComeBack(2))
    assert slots_of(history) == [2, 1]


def test_one_that_waits_is_merged_into_the_one_in_the_order() -> None:
    history = started(*FOUR)
    history.take(rules.Wait(2))
    history.take(rules.Merge((2, 4)))
    assert [history.fight.combatant(number).slot for number in (2, 4)] == [4, 4]


def test_whoever_waits_on_its_own_turn_has_last_acted_a_round_ago() -> None:
    history = started(*FOUR)
    turns(history, 4)
    assert (history.fight.current, history.fight.round) == (1, 2)
    history.take(rules.Wait(1))
    history.take(rules.ComeBack(1))
    assert next(s.acted_round for s in history.fight.slots if s.number == 1) == 1
