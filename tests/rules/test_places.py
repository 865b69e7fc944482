"""Groups split and merged. Source: DRS, "Initiative"; RULES of the table."""

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import acting, fight_of, opened, order_of, started, with_totals

BAND = ("3 foes Goblin dex+2 hp7 group=gob", "1 heroes Lia dex+1 hp9")


# Splitting


def test_a_split_member_keeps_the_total_right_behind_its_group() -> None:
    fight = with_totals(opened(*BAND), 14, 9)
    fight = rules.Split((2,)).run(fight).fight
    assert order_of(fight) == [([1, 3], 14), ([2], 14), ([4], 9)]
    assert not any(tie.open for tie in rules.ties(fight)), "two halves are no question"
    fight = rules.StartFight().run(fight).fight
    history = History(fight)
    assert acting(history, 3) == [(1, [2]), (1, [4]), (2, [1, 3])]


def test_a_group_can_be_split_again_and_again() -> None:
    fight = with_totals(opened("12 foes Goblin dex+2 group=gob"), 14)
    for targets in ((10, 11, 12), (2,), (3, 4)):
        fight = rules.Split(targets).run(fight).fight
    assert sorted(len(fight.members(s.number)) for s in fight.slots) == [1, 2, 3, 6]
    assert {slot.total for slot in fight.slots} == {14}


@pytest.mark.parametrize(
    ("targets", "code"),
    [
        ((), "not-one-group"),
        ((1, 4), "not-one-group"),
        ((4,), "whole-group"),
        ((1, 2, 3), "whole-group"),
        ((4, 4), "whole-group"),
        ((9,), "no-combatant"),
    ],
)
def test_only_a_part_of_one_group_splits_off(targets: tuple[int, ...], code: str) -> None:
    with pytest.raises(rules.RuleError, match=code):
        rules.Split(targets).run(opened(*BAND))


def test_splitting_on_its_turn_neither_costs_nor_doubles_a_turn() -> None:
    history = started(*BAND)
    history.take(rules.Split((2,)))
    assert history.fight.current == 1
    assert acting(history, 3) == [(1, [4]), (2, [1, 3]), (2, [2])]


def test_those_who_leave_a_group_on_its_turn_have_ended_theirs() -> None:
    history = History(fight_of("2 foes Orc pp9 dex+0 group=orc", "1 heroes Lia dex+0 stealth14"))
    history.take(rules.StartFight({1: 20, 3: 5}))
    assert [c.surprised for c in history.fight.combatants] == [True, True, False]
    outcome = history.take(rules.Split((2,)))
    assert [event.code for event in outcome.events] == ["split", "surprise-ended"]
    assert [c.surprised for c in history.fight.combatants] == [True, False, False]


def test_one_split_off_acts_again_when_the_turn_of_its_group_is_taken_back() -> None:
    history = started("1 heroes Lia dex+1 hp9", "2 foes Goblin dex+2 hp7 group=gob")
    history.take(rules.NextTurn())
    history.take(rules.Split((3,)))
    history.take(history.previous())
    assert acting(history, 3) == [(1, [2]), (1, [3]), (2, [1])]


def test_a_tie_with_others_stays_open_when_a_group_in_it_is_split() -> None:
    fight = rules.Split((2,)).run(with_totals(opened(*BAND), 14, 14)).fight
    (tie,) = rules.ties(fight)
    assert (tie.open, tie.asked) == (True, (1, 4))


# Merging


def test_those_put_together_act_in_the_place_of_the_first() -> None:
    fight = with_totals(opened("1 foes A", "1 heroes B", "1 foes C"), 9, 12, 15)
    fight = rules.Merge((1, 3)).run(fight).fight
    assert order_of(fight) == [([1, 3], 15), ([2], 12)]


@pytest.mark.parametrize(
    ("targets", "code"),
    [
        ((1, 4), "merge-of-two-sides"),
        ((1, 2), "not-one-group"),
        ((4,), "not-one-group"),
        ((), "not-one-group"),
        ((5, 6), "not-one-group"),
    ],
)
def test_only_those_of_one_side_act_as_one(targets: tuple[int, ...], code: str) -> None:
    fight = opened(*BAND, "1 beasts Den lair", "1 beasts Bear")
    with pytest.raises(rules.RuleError, match=code):
        rules.Merge(targets).run(fight)


def test_sides_that_are_allied_still_act_each_on_its_own() -> None:
    with pytest.raises(rules.RuleError, match="merge-of-two-sides"):
        rules.Merge((1, 2)).run(opened("1 heroes A", "1 allies B"))


def test_whoever_has_the_turn_keeps_it_and_takes_the_others_in() -> None:
    history = started("1 foes A hp9", "1 foes B hp9", "1 foes C hp9")
    history.take(rules.NextTurn())
    history.take(rules.SetReaction(3, False))
    history.take(rules.Merge((1, 2, 3)))
    assert (history.fight.current, order_of(history.fight)[0][0]) == (2, [1, 2, 3])
    assert history.fight.combatant(3).reaction, "its turn has begun with that of the others"
    assert acting(history, 1) == [(2, [1, 2, 3])]


def test_nobody_acts_twice_in_a_round_for_being_put_together() -> None:
    history = started("1 foes A hp9", "1 foes B hp9", "1 heroes C hp9", "1 foes D hp9")
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    history.take(rules.Reorder(4, 1))
    history.take(rules.Merge((2, 4)))
    assert order_of(history.fight)[0][0] == [2, 4]
    assert acting(history, 2) == [(2, [2, 4]), (2, [1])]


def test_one_put_together_with_who_has_acted_is_told_to_have_no_turn_left_this_round() -> None:
    history = started("1 foes A hp9", "1 heroes B hp9", "1 foes C hp9")
    history.take(rules.NextTurn())
    outcome = history.take(rules.Merge((1, 3)))
    assert [event.code for event in outcome.events] == ["merged", "turn-gone"]
    assert [one["name"] for one in outcome.events[1].details["who"]] == ["C"]
    assert acting(history, 2) == [(2, [1, 3]), (2, [2])]


def test_one_put_together_with_who_acts_now_has_its_turn() -> None:
    history = started("1 foes A hp9", "1 heroes B hp9", "1 foes C hp9")
    outcome = history.take(rules.Merge((1, 3)))
    assert "turn-gone" not in [event.code for event in outcome.events]


def test_those_put_together_with_one_who_waits_do_not_wait() -> None:
    history = started("1 foes A hp9", "1 foes B hp9", "1 heroes C hp9")
    history.take(rules.Wait(1))
    history.take(rules.Merge((1, 2)))
    assert [s.waiting for s in history.fight.slots] == [None, None]
