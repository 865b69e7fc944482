"""Where a place stands: by its total until the fight begins, where a hand has put it after that.

Source: DRS, chapter "Combattre" / "Initiative"; RULES of the table for corrected totals.
"""

from itertools import permutations

import pytest

import rules
from tests.rules.drawing import History, combatants
from tests.rules.making import acting, named, opened, order_of

DRAGON_AT_HOME = (
    *("1 heroes Aria dex+1", "1 heroes Bran dex+0", "1 heroes Cleo dex+2"),
    *("2 foes Ogre dex-1 group=ogre", "1 foes Lair lair", "1 foes Dragon dex+0"),
)
ARIA, BRAN, CLEO, OGRES, LAIR, DRAGON = 1, 2, 3, 4, 6, 7
TOTALS = {ARIA: 20, BRAN: 7, CLEO: 18, OGRES: 12, DRAGON: 3}
SORTED = ["Aria", "Lair", "Cleo", "Ogre", "Bran", "Dragon"]


def typed(fight: rules.Fight, totals: dict[int, int | None]) -> rules.Fight:
    return rules.RollInitiative(totals=totals).run(fight).fight


def begun(fight: rules.Fight, turns: int = 0) -> History:
    """The fight after its first turn has begun, and so many more."""
    history = History(fight)
    history.take(rules.StartFight())
    for _ in range(turns):
        history.take(rules.NextTurn())
    return history


# Until the fight begins


def test_a_second_turn_without_a_total_stands_before_a_lair_without_one() -> None:
    fight = typed(opened(*DRAGON_AT_HOME), {LAIR: None})
    fight = rules.GiveExtraTurn(ARIA).run(fight).fight
    assert named(fight)[-2:] == ["Aria", "Lair"]


def test_a_lair_stands_at_20_whatever_totals_come_first() -> None:
    for sequence in permutations(TOTALS):
        fight = opened(*DRAGON_AT_HOME)
        for number in sequence:
            fight = typed(fight, {number: TOTALS[number]})
        assert named(fight) == SORTED, sequence


def test_turns_follow_the_sorted_order_and_the_lair_acts_in_its_place() -> None:
    history = begun(typed(opened(*DRAGON_AT_HOME), dict(TOTALS)))
    first = [c.number for c in history.fight.members(history.fight.current)]
    assert [first, *(who for _, who in acting(history, 5))] == [[1], [6], [3], [4, 5], [2], [7]]


def test_a_lair_added_last_goes_behind_all_who_have_20() -> None:
    fight = typed(opened("1 heroes Aria", "1 foes Orc", "1 foes Wolf"), {1: 20, 2: 20, 3: 8})
    fight = rules.Join(combatants(("1", "foes", "Lair", "lair"))).run(fight).fight
    fight = rules.Join(combatants(("1", "heroes", "Bran"))).run(fight).fight
    assert named(typed(fight, {5: 20})) == ["Aria", "Orc", "Bran", "Lair", "Wolf"]


def test_one_moved_by_hand_stays_while_others_are_rolled() -> None:
    fight = typed(opened(*DRAGON_AT_HOME), {ARIA: 20, BRAN: 7})
    fight = rules.Reorder(BRAN, before=ARIA).run(fight).fight
    fight = typed(fight, {CLEO: 18, OGRES: 25, DRAGON: 3})
    assert named(fight) == ["Ogre", "Bran", "Aria", "Lair", "Cleo", "Dragon"]


def test_one_moved_by_hand_goes_where_its_new_total_belongs() -> None:
    fight = typed(opened(*DRAGON_AT_HOME), dict(TOTALS))
    fight = rules.Reorder(BRAN, before=ARIA).run(fight).fight
    fight = typed(fight, {BRAN: 15})
    assert named(fight) == ["Aria", "Lair", "Cleo", "Bran", "Ogre", "Dragon"]
    assert not fight.slot(BRAN).moved


def test_a_mount_left_by_a_rider_who_was_moved_stays_where_it_stood() -> None:
    fight = typed(opened("1 heroes Aria", "1 heroes Horse gm", "1 foes Orc"), {1: 20, 3: 10})
    fight = rules.Mount(2, rider=1).run(fight).fight
    fight = rules.Reorder(1, before=None).run(fight).fight
    fight = rules.Mount(2, rider=None).run(fight).fight
    assert named(typed(fight, {3: 11})) == ["Orc", "Aria", "Horse"]


def test_ties_follow_a_rule_of_dexterity_that_is_chosen_late() -> None:
    fight = typed(opened("1 foes Orc score12", "1 heroes Bran score16"), {1: 15, 2: 15})
    assert named(fight) == ["Orc", "Bran"]
    fight = rules.ChangeSettings({"tie_rule": "dexterity"}).run(fight).fight
    assert named(fight) == ["Bran", "Orc"]
    fight = rules.Edit(1, {"dexterity": 18}).run(fight).fight
    assert named(fight) == ["Orc", "Bran"]


def test_the_rule_of_dexterity_leaves_one_with_an_unknown_score_where_it_is() -> None:
    fight = opened(
        "1 foes Orc score10", "1 heroes Aria", "1 heroes Bran score16", tie_rule="dexterity"
    )
    fight = typed(fight, {1: 15, 2: 15, 3: 15})
    assert named(fight) == ["Bran", "Aria", "Orc"]
    assert rules.ties(fight)[0].open


def test_one_who_was_moved_away_is_in_no_tie_with_those_it_left() -> None:
    fight = typed(opened("1 foes A", "1 foes B", "1 foes C", "1 foes D"), dict.fromkeys((1, 2), 15))
    fight = typed(fight, {3: 10, 4: 5})
    fight = rules.Reorder(1, before=4).run(fight).fight
    assert rules.ties(fight) == ()
    assert named(fight) == ["B", "C", "A", "D"]


# A total corrected in a running fight


def joined(total: int, *, current: str = "Ogre") -> History:
    """Aria 20, ogre 12, Bran 10: a wolf has joined on somebody's turn in round 1."""
    fight = opened("1 heroes Aria dex+0", "1 foes Ogre dex+0", "1 heroes Bran dex+0")
    turns = ["Aria", "Ogre", "Bran"].index(current)
    history = begun(typed(fight, {1: 20, 2: 12, 3: 10}), turns)
    wolf = combatants(("1", "foes", "Wolf", "dex+0"))
    history.take(rules.Join(wolf, (total,)))
    return history


def turns_of(history: History, count: int) -> list[str]:
    names = {c.number: c.name for c in history.fight.combatants}
    return [f"{names[who[0]]} {number}" for number, who in acting(history, count)]


WOLF = 4


@pytest.mark.parametrize(
    ("rolled", "true", "turns"),
    [
        (20, 8, ["Bran 1", "Wolf 1", "Aria 2"]),
        (20, 11, ["Wolf 1", "Bran 1", "Aria 2"]),
        (10, 17, ["Bran 1", "Aria 2", "Wolf 2"]),
        (10, 12, ["Wolf 1", "Bran 1", "Aria 2"]),
        (20, 21, ["Bran 1", "Wolf 2", "Aria 2"]),
        (3, 1, ["Bran 1", "Wolf 1", "Aria 2"]),
    ],
)
def test_a_newcomer_whose_total_is_corrected_acts_when_the_true_one_says(
    rolled: int, true: int, turns: list[str]
) -> None:
    history = joined(rolled)
    history.take(rules.RollInitiative(totals={WOLF: true}))
    assert turns_of(history, 3) == turns


def test_a_newcomer_corrected_to_and_fro_acts_once() -> None:
    history = joined(20)
    for total in (8, 17, 9, 30, 11):
        history.take(rules.RollInitiative(totals={WOLF: total}))
    assert turns_of(history, 5) == ["Wolf 1", "Bran 1", "Aria 2", "Ogre 2", "Wolf 2"]


def test_a_newcomer_who_has_been_given_a_turn_has_no_other_this_round() -> None:
    history = joined(20)
    history.take(rules.GiveTurn(WOLF))
    history.take(rules.RollInitiative(totals={WOLF: 8}))
    assert turns_of(history, 2) == ["Bran 1", "Aria 2"]


def test_a_newcomer_dragged_behind_the_turn_that_is_on_acts_this_round() -> None:
    history = joined(20)
    history.take(rules.Reorder(WOLF, before=None))
    assert turns_of(history, 3) == ["Bran 1", "Wolf 1", "Aria 2"]


@pytest.mark.parametrize("total", [25, 11, 1])
def test_one_there_from_the_start_of_the_round_has_its_turn_whatever_its_total(total: int) -> None:
    history = joined(1)
    history.take(rules.RollInitiative(totals={3: total}))
    assert sorted(turns_of(history, 2)) == ["Bran 1", "Wolf 1"]


def test_one_who_has_acted_acts_no_second_time_for_a_lower_total() -> None:
    history = joined(1)
    history.take(rules.RollInitiative(totals={1: 5}))
    assert turns_of(history, 4) == ["Bran 1", "Wolf 1", "Ogre 2", "Bran 2"]


# Nothing that players do not see moves what they see

WOLF_HIDDEN, GOBLIN, ZED = 5, 1, 4
IN_SIGHT = (
    *("1 foes Goblin score14 dex+0", "1 heroes Aria score10", "1 heroes Bran", "1 heroes Zed"),
)


def with_and_without(
    unseen: rules.Command, *then: rules.Command, turn: int = ZED, **settings: str
) -> tuple[list[tuple[str, bool]], ...]:
    """What players may know of the order, with a hidden wolf about whom something is done first
    and without it: Zed 30, goblin 19, Aria 23, whom the GM has dragged behind it, Bran 10.
    """
    orders = []
    for wolf in ("1 foes Wolf hidden score16",), ():
        fight = opened(*IN_SIGHT, *wolf, reveal_on_turn=False, **settings)
        totals: dict[int, int | None] = {GOBLIN: 19, 2: 23, 3: 10, ZED: 30}
        fight = typed(fight, totals | ({WOLF_HIDDEN: 28} if wolf else {}))
        fight = rules.StartFight().run(rules.Reorder(2, before=3).run(fight).fight).fight
        fight = unseen.run(fight).fight if wolf else fight
        while fight.current != turn:
            fight = rules.NextTurn().run(fight).fight
        for command in then:
            fight = command.run(fight).fight
        acted = {s.number: s.acted_round == fight.round for s in fight.slots}
        there = [c for s in fight.slots for c in fight.members(s.number) if not c.unseen]
        orders.append([(c.name, acted[c.slot or 0]) for c in there])
    return tuple(orders)


@pytest.mark.parametrize("tie_rule", ["ask", "dexterity", "heroes_first"])
@pytest.mark.parametrize("total", [19, 23, 10, 30, 21])
def test_the_total_of_one_hidden_moves_nobody_in_sight(tie_rule: str, total: int) -> None:
    unseen = rules.RollInitiative(totals={WOLF_HIDDEN: total})
    corrected = rules.RollInitiative(totals={GOBLIN: 20})
    both, alone = with_and_without(unseen, corrected, tie_rule=tie_rule)
    assert both == alone


@pytest.mark.parametrize("before", [None, 1, 2, 3, 4])
@pytest.mark.parametrize("total", [22, 10, 19, 31])
def test_one_hidden_that_was_dragged_does_not_bear_on_a_corrected_total(
    before: int | None, total: int
) -> None:
    corrected = rules.RollInitiative(totals={GOBLIN: total})
    both, alone = with_and_without(rules.Reorder(WOLF_HIDDEN, before), corrected)
    assert both == alone


@pytest.mark.parametrize("joining", [19, 20, 5, 30])
@pytest.mark.parametrize("total", [25, 12, 2])
@pytest.mark.parametrize("turn", [GOBLIN, 3])
def test_whether_a_newcomer_in_sight_acts_this_round_tells_of_nobody_hidden(
    turn: int, total: int, joining: int
) -> None:
    unseen = rules.RollInitiative(totals={WOLF_HIDDEN: total})
    lia = rules.Join(combatants(("1", "heroes", "Lia", "dex+0")), (joining,))
    both, alone = with_and_without(unseen, lia, turn=turn)
    assert both == alone


def test_who_stands_in_a_place_is_as_it_was_when_nobody_moves_it() -> None:
    fight = begun(typed(opened(*DRAGON_AT_HOME), dict(TOTALS))).fight
    after = rules.Edit(BRAN, {"initiative_bonus": 9, "dexterity": 20}).run(fight).fight
    assert order_of(after) == order_of(fight)
