"""A second turn in round 1: thief's reflexes. Source: SRD 5.1, "Rogue" / "Thief"."""

from dataclasses import replace

import pytest

import rules
from tests.rules.drawing import History, combatants
from tests.rules.making import acting, opened, order_of, rolled_off, with_totals


def thief() -> History:
    """A thief at 18 with a second turn, and an orc at 12."""
    fight = with_totals(opened("1 heroes Cleo dex+3", "1 foes Orc dex+0"), 18, 12)
    return History(rules.StartFight().run(rules.GiveExtraTurn(1).run(fight).fight).fight)


def test_a_second_turn_comes_in_round_1_at_10_less_and_never_again() -> None:
    history = thief()
    assert order_of(history.fight) == [([1], 18), ([2], 12), ([1], 8)]
    assert acting(history, 5) == [(1, [2]), (1, [1]), (2, [1]), (2, [2]), (3, [1])]
    assert len(history.fight.slots) == 2


def test_previous_turn_brings_a_second_turn_back() -> None:
    history = thief()
    acting(history, 2)
    on = history.fight
    acting(history, 1)
    history.take(history.previous())
    assert (history.fight.slots, history.fight.current, history.fight.round) == (
        on.slots, on.current, 1,
    )  # fmt: skip
    assert acting(history, 1) == [(2, [1])]


def test_a_second_turn_that_is_brought_back_follows_a_total_corrected_since() -> None:
    history = thief()
    acting(history, 3)
    history.take(rules.RollInitiative(totals={1: 25}))
    history.take(history.previous())
    assert order_of(history.fight) == [([1], 25), ([1], 15), ([2], 12)]


def test_a_second_turn_gives_means_and_reaction_anew() -> None:
    history = thief()
    history.take(rules.TakeAction(1, "attack"))
    history.take(rules.SetReaction(1, False))
    acting(history, 2)
    assert rules.means(history.fight.combatant(1), history.fight).action
    assert history.fight.combatant(1).can_react


def test_the_surprised_have_no_second_turn() -> None:
    fight = opened("1 heroes Cleo dex+3 pp9", "1 foes Orc dex+0 stealth14")
    with pytest.raises(rules.RuleError, match="surprised-has-none"):
        rules.GiveExtraTurn(1).run(fight)


def test_one_surprised_after_its_second_turn_was_given_does_not_have_it() -> None:
    fight = opened("1 heroes Cleo dex+3 pp9", "1 foes Orc dex+0")
    fight = rules.GiveExtraTurn(1).run(with_totals(fight, 18, 12)).fight
    fight = rules.StartFight().run(rules.Hide({2: 14}).run(fight).fight).fight
    assert fight.combatant(1).surprised
    assert acting(History(fight), 2) == [(1, [2]), (2, [1])]


def test_a_second_turn_is_one_and_for_round_1() -> None:
    history = thief()
    with pytest.raises(rules.RuleError, match="has-one-already"):
        history.take(rules.GiveExtraTurn(1))
    acting(history, 3)
    with pytest.raises(rules.RuleError, match="only-in-round-one"):
        history.take(rules.GiveExtraTurn(2))


def test_a_second_turn_follows_a_corrected_total() -> None:
    history = thief()
    history.take(rules.RollInitiative(totals={1: 25}))
    assert order_of(history.fight) == [([1], 25), ([1], 15), ([2], 12)]


def test_a_second_turn_may_be_tied_and_rolled_off() -> None:
    fight = with_totals(opened("1 heroes Cleo dex+3", "1 foes Orc dex+0"), 18, 8)
    fight = rules.GiveExtraTurn(1).run(fight).fight
    (tie,) = rules.ties(fight)
    assert (tie.total, tie.kind, tie.open) == (8, "mixed", True)
    assert order_of(rolled_off(fight, 8, 3, 15)) == [([1], 18), ([1], 8), ([2], 8)]


def test_a_second_turn_is_for_one_creature_of_a_group_alone() -> None:
    fight = with_totals(opened("3 foes Thug dex+3 group=thug", "1 heroes Lia"), 18, 12)
    fight = rules.GiveExtraTurn(2).run(fight).fight
    assert order_of(fight) == [([1, 3], 18), ([2], 18), ([4], 12), ([2], 8)]
    assert not any(tie.open for tie in rules.ties(fight))
    fight = rules.StartFight().run(fight).fight
    fight = rules.Join((replace(fight.combatant(1), number=0),)).run(fight).fight
    assert order_of(fight)[0] == ([1, 3, 7], 18)
    fight = rules.Leave((1, 3, 7)).run(fight).fight
    fight = rules.Join((replace(fight.combatant(2), number=0),), (1,)).run(fight).fight
    assert ([2], 18) in order_of(fight)


def test_whoever_has_a_second_turn_is_put_together_with_nobody() -> None:
    history = thief()
    history.take(rules.Join(combatants(("1", "heroes", "Bran", "dex+0")), (5,)))
    with pytest.raises(rules.RuleError, match="has-one-already") as refusal:
        history.take(rules.Merge((1, 4)))
    assert [who["name"] for who in refusal.value.details["who"]] == ["Cleo"]
    acting(history, 4)
    history.take(rules.Merge((1, 4)))


def test_players_still_see_who_acted_when_its_second_place_is_gone() -> None:
    fight = with_totals(opened("1 heroes Cleo", "1 foes Orc hidden", reveal_on_turn=False), 18, 20)
    fight = rules.StartFight().run(rules.GiveExtraTurn(1).run(fight).fight).fight
    history = History(fight)
    assert acting(history, 3) == [(1, [1]), (1, [1]), (2, [2])]
    assert (history.fight.seen_slot, history.fight.seen_round) == (1, 1)
