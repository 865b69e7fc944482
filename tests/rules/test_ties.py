"""Ties: who settles them, roll-offs, and places chosen by hand. Source: DRS, "Initiative"."""

import pytest

import rules
from tests.rules.making import falling, named, opened, rolled_off, with_totals


def test_the_kinds_of_three_ties_come_highest_first() -> None:
    fight = opened(*(f"1 {side} X" for side in ("foes", "heroes", "foes", "heroes", "foes")))
    fight = with_totals(fight, 3, 9, 3, 9, 9)
    assert [(tie.total, tie.kind) for tie in rules.ties(fight)] == [(9, "mixed"), (3, "gm")]


@pytest.mark.parametrize("order", [(), (1,), (1, 2), (1, 2, 3, 3), (1, 2, 4), (1, 2, 3, 4)])
def test_a_tie_is_settled_as_a_whole_or_not_at_all(order: tuple[int, ...]) -> None:
    fight = opened("1 heroes A", "1 foes B", "1 heroes C", "1 foes D")
    fight = with_totals(fight, 10, 10, 10, 4)
    with pytest.raises(rules.RuleError, match="not-a-tie"):
        rules.BreakTie(order).run(fight)


def test_a_slot_moved_by_hand_keeps_its_total() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B", "1 heroes C"), 20, 10, 5)
    moved = rules.Reorder(3, before=1).run(fight).fight
    assert [(slot.number, slot.total) for slot in moved.slots] == [(3, 5), (1, 20), (2, 10)]
    last = rules.Reorder(3, before=None).run(moved).fight
    assert [slot.number for slot in last.slots] == [1, 2, 3]


def test_moving_one_of_two_settles_their_tie() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B"), 10, 10)
    moved = rules.Reorder(2, before=1).run(fight).fight
    assert named(moved) == ["B", "A"]
    assert not rules.ties(moved)[0].open


def test_moving_one_of_three_leaves_the_other_two_open() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B", "1 foes C"), 10, 10, 10)
    moved = rules.Reorder(3, before=1).run(fight).fight
    assert rules.ties(moved)[0].open
    assert {slot.number for slot in rules.contenders(moved, 10)} == {1, 2}


def test_a_place_moved_to_where_it_stands_changes_nothing() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B", "1 heroes C"), 10, 10, 5)
    for command in (rules.Reorder(1, 2), rules.Reorder(3, None), rules.Reorder(2, 3)):
        assert command.run(fight) == rules.Outcome(fight)


@pytest.mark.parametrize(
    ("first", "order", "asked"), [(1, [1, 2, 3], (2, 3)), (3, [3, 1, 2], (1, 2))]
)
def test_who_acts_first_of_three_leaves_the_others_asked(
    first: int, order: list[int], asked: tuple[int, ...]
) -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B", "1 foes C"), 10, 10, 10)
    fight = rules.ActFirst(first).run(fight).fight
    (tie,) = rules.ties(fight)
    assert ([s.number for s in fight.slots], tie.asked) == (order, asked)
    fight = rules.ActFirst(asked[1]).run(fight).fight
    assert not rules.ties(fight)[0].open
    with pytest.raises(rules.RuleError, match="not-a-tie"):
        rules.ActFirst(9).run(fight)


def test_a_roll_off_leaves_those_placed_by_hand_where_they_are() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B", "1 foes C"), 10, 10, 10)
    fight = rules.Reorder(3, before=1).run(fight).fight
    assert named(rolled_off(fight, 10, 4, 9)) == ["C", "B", "A"]


def test_a_roll_off_can_be_rolled_over_one_settled_by_hand() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B"), 10, 10)
    fight = rules.BreakTie((2, 1)).run(fight).fight
    assert named(rolled_off(fight, 10, 9, 15)) == ["A", "B"]


def test_a_newcomer_rolls_against_the_dice_that_were_kept() -> None:
    fight = with_totals(opened("1 heroes A dex+0", "1 foes B dex+0"), 10, 10)
    fight = rules.StartFight().run(rolled_off(fight, 10, 4, 16)).fight
    newcomer = rules.Combatant(number=0, name="N", side="foes", initiative_bonus=0)
    fight = rules.Join((newcomer,), (10,)).run(fight).fight
    assert named(fight) == ["B", "A", "N"]
    assert rules.ties(fight)[0].open
    assert named(rolled_off(fight, 10, 9)) == ["B", "N", "A"]


def test_a_newcomer_whose_die_is_one_that_was_rolled_again_rolls_again_too() -> None:
    a, b = rules.Slot(1, 10, tie_dice=(12, 4)), rules.Slot(2, 10, tie_dice=(12, 17))
    newcomer = rules.Slot(3, 10)
    dice = rules.roll_off((a, b, newcomer), falling(12, 20))
    assert dice == {1: (12, 4), 2: (12, 17), 3: (12, 20)}
    dice = rules.roll_off((a, b, newcomer), falling(12, 4, 2, 3))
    assert dice == {1: (12, 4, 2), 2: (12, 17), 3: (12, 4, 3)}


def test_chance_that_always_falls_alike_ends_in_an_error() -> None:
    with pytest.raises(rules.RuleError, match="roll-off-without-end"):
        rules.roll_off((rules.Slot(1), rules.Slot(2)), lambda: 7)


@pytest.mark.parametrize(
    "dice",
    [
        {1: (5,)},
        {1: (5,), 2: (5,)},
        {1: (5,), 2: (6,), 3: (7,)},
        {1: (), 2: (6,)},
        {1: (5,), 2: (5, 6)},
    ],
    ids=["one-missing", "equal", "one-too-many", "not-rolled", "not-rolled-again"],
)
def test_dice_that_decide_nothing_are_no_roll_off(dice: dict[int, tuple[int, ...]]) -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B", "1 foes C"), 10, 10, 4)
    with pytest.raises(rules.RuleError, match="not-a-roll-off"):
        rules.RollOff(10, dice).run(fight)


def test_there_is_no_roll_off_without_a_tie() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B"), 10, 4)
    with pytest.raises(rules.RuleError, match="not-a-tie"):
        rules.RollOff(10, {1: (5,)}).run(fight)
    with pytest.raises(rules.RuleError, match="not-a-tie"):
        rules.contenders(fight, 4)


def test_one_moved_before_a_higher_total_is_no_part_of_its_equals_tie() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B", "1 heroes C"), 20, 10, 10)
    moved = rules.Reorder(3, before=1).run(fight).fight
    assert [slot.number for slot in moved.slots] == [3, 1, 2]
    assert rules.ties(moved) == ()


def test_hidden_ones_stand_behind_the_one_that_they_follow_in_a_settled_tie() -> None:
    fight = opened("1 heroes A", "1 foes B hidden", "1 foes C hidden", "1 heroes D")
    fight = with_totals(fight, 10, 10, 10, 10)
    for order in ((1, 3, 4, 2), (3, 2, 4, 1), (4, 1, 2, 3)):
        settled = rules.BreakTie(order).run(fight).fight
        assert tuple(slot.number for slot in settled.slots) == order


@pytest.mark.parametrize(("side", "word"), [("heroes", "by-players"), ("foes", "by-hand")])
def test_a_tie_settled_by_a_move_is_settled_by_those_who_play_it(side: str, word: str) -> None:
    fight = with_totals(opened(f"1 {side} A", f"1 {side} B"), 10, 10)
    moved = rules.Reorder(2, before=1).run(fight).fight
    assert [slot.settled for slot in moved.slots] == [word, word]


@pytest.mark.parametrize("rule", ["ask", "heroes_first"])
def test_a_group_of_a_hero_and_a_creature_is_not_played_by_players_alone(rule: str) -> None:
    people = ("1 heroes A group=ab", "1 heroes Wolf gm group=ab", "1 heroes C")
    fight = opened(*people, tie_rule=rule)
    fight = rules.Merge((1, 2)).run(fight).fight if len(fight.slots) > 2 else fight
    fight = with_totals(fight, 10, 10)
    (tie,) = rules.ties(fight)
    assert tie.kind == "mixed"
    assert named(fight)[0] == ("C" if rule == "heroes_first" else "A")


def test_a_newcomer_to_a_settled_tie_rolls_off_with_all_of_it() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B", "1 foes C"), 10, 10, 5)
    fight = rules.BreakTie((2, 1)).run(fight).fight
    fight = rules.RollInitiative(totals={3: 10}).run(fight).fight
    assert {slot.number for slot in rules.contenders(fight, 10)} == {1, 2, 3}
