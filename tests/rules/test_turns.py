"""Rounds and turns: beginning, next, reactions, and a turn that the GM gives.

Source: DRS, "Combattre" / "Ordre de jeu"; SRD 5.1, "The Order of Combat".
"""

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import ORDER, fight_of, started

# Beginning


def test_nobody_cannot_fight() -> None:
    for command in (rules.OpenFight(), rules.StartFight()):
        with pytest.raises(rules.RuleError, match="nobody-fights"):
            command.run(rules.Fight())


def test_a_fight_begins_in_round_1_with_the_first_of_the_order() -> None:
    history = History(fight_of(*ORDER))
    outcome = history.take(rules.StartFight({1: 4, 2: 19, 3: 8}))
    fight = history.fight
    assert (fight.state, fight.round, fight.current, fight.seconds) == ("running", 1, 2, 0)
    assert [event.code for event in outcome.events] == [
        "initiative-rolled",
        "fight-began",
        "turn-began",
    ]


def test_those_who_are_surprised_are_told_at_the_beginning() -> None:
    fight = fight_of("1 heroes X dex+0 pp10", "1 foes B dex+0 pp9 stealth14")
    events = {e.code: e for e in rules.StartFight({1: 20, 2: 10}).run(fight).events}
    assert [who["name"] for who in events["fight-began"].details["surprised"]] == ["X"]


def test_the_dead_do_not_begin_a_fight() -> None:
    fight = fight_of(*ORDER)
    fight = rules.Damage(2, 9).run(fight).fight
    assert rules.StartFight({1: 4, 2: 19, 3: 8}).run(fight).fight.current == 3


def test_a_fight_where_nobody_can_act_does_not_begin() -> None:
    fight = rules.Damage(1, 9).run(fight_of("1 foes B dex+0 hp9")).fight
    with pytest.raises(rules.RuleError, match="nobody-can-act"):
        rules.StartFight({1: 4}).run(fight)


def test_a_round_is_six_seconds() -> None:
    history = started("1 heroes A hp9")
    for _ in range(10):
        history.take(rules.NextTurn())
    assert (history.fight.round, history.fight.seconds) == (11, 60)


# Next


def test_next_turn_skips_the_dead_at_the_top_of_the_order() -> None:  # RW-S12
    history = started("1 foes A hp9", "1 heroes B hp9", "1 heroes C hp9")
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    history.take(rules.Damage(1, 9))
    outcome = history.take(rules.NextTurn())
    assert (history.fight.current, history.fight.round) == (2, 2)
    assert [event.code for event in outcome.events] == ["round-began", "turn-began"]


def test_a_hero_who_is_down_is_not_skipped() -> None:  # RW-S12
    history = started()
    history.take(rules.Damage(3, 9))
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    assert history.fight.current == 3


def test_when_everybody_is_dead_next_turn_says_so() -> None:  # RW-S12
    history = started("1 foes A hp9", "2 foes B hp9 group=b")
    for number in (1, 2, 3):
        history.take(rules.Damage(number, 9))
    before = history.fight
    assert rules.next_slot(before) is None
    with pytest.raises(rules.RuleError, match="nobody-can-act"):
        history.take(rules.NextTurn())
    assert history.fight == before


def test_when_everybody_has_left_next_turn_says_that_and_not_that_all_are_defeated() -> None:
    history = started("1 foes A hp9")
    history.take(rules.Leave((1,)))
    with pytest.raises(rules.RuleError, match="nobody-left"):
        history.take(rules.NextTurn())


def test_one_who_dies_on_its_turn_keeps_it_until_next_turn() -> None:
    history = started()
    history.take(rules.NextTurn())
    history.take(rules.Damage(2, 9))
    assert history.fight.current == 2
    history.take(rules.NextTurn())
    assert (history.fight.current, history.fight.round) == (3, 1)


def test_one_revived_after_its_place_came_by_waits_for_the_next_round() -> None:
    history = started()
    history.take(rules.Damage(2, 9))
    history.take(rules.NextTurn())
    assert history.fight.current == 3
    history.take(rules.Revive(2, 1))
    history.take(rules.NextTurn())
    assert (history.fight.current, history.fight.round) == (1, 2)


def test_one_revived_before_its_place_comes_by_acts_in_this_round() -> None:
    history = started()
    history.take(rules.Damage(2, 9))
    history.take(rules.Revive(2, 1))
    history.take(rules.NextTurn())
    assert (history.fight.current, history.fight.round) == (2, 1)


def test_next_slot_tells_whose_turn_comes() -> None:
    history = started()
    for coming in (2, 3, 1, 2):
        assert rules.next_slot(history.fight) == coming
        history.take(rules.NextTurn())
        assert history.fight.current == coming


# Reactions


def test_a_reaction_comes_back_at_the_start_of_the_own_turn() -> None:
    history = started()
    history.take(rules.SetReaction(1, False))
    history.take(rules.SetReaction(2, False))
    history.take(rules.NextTurn())
    assert [c.reaction for c in history.fight.combatants] == [False, True, True]
    history.take(rules.NextTurn())
    assert [c.reaction for c in history.fight.combatants] == [False, True, True]
    history.take(rules.NextTurn())
    assert [c.reaction for c in history.fight.combatants] == [True, True, True]


def test_a_group_gets_its_reactions_back_together() -> None:
    history = started("1 heroes A hp9", "2 foes B hp9 group=b")
    history.take(rules.SetReaction(2, False))
    history.take(rules.SetReaction(3, False))
    history.take(rules.NextTurn())
    assert [c.reaction for c in history.fight.members(2)] == [True, True]


def test_a_fight_begins_with_every_reaction() -> None:
    history = started()
    assert all(c.can_react for c in history.fight.combatants)


@pytest.mark.parametrize("target", [1, 2])
def test_one_at_0_cannot_react(target: int) -> None:
    history = started()
    history.take(rules.Damage(target, 9))
    with pytest.raises(rules.RuleError, match="cannot-react"):
        history.take(rules.SetReaction(target, False))


@pytest.mark.parametrize("available", [True, False])
def test_the_surprised_and_the_incapacitated_are_told_why_they_have_no_reaction(
    available: bool,
) -> None:
    history = started()
    history.take(rules.OverrideSurprise(2, "surprised"))
    history.take(rules.AddEffect(3, rules.Effect("stunned")))
    for number, code in ((2, "surprised-cannot-react"), (3, "incapacitated-cannot-react")):
        with pytest.raises(rules.RuleError) as refusal:
            history.take(rules.SetReaction(number, available))
        assert refusal.value.code == code
        assert [who["number"] for who in refusal.value.details["who"]] == [number]


def test_a_reaction_is_spent_once() -> None:
    history = started()
    history.take(rules.SetReaction(2, False))
    with pytest.raises(rules.RuleError, match="cannot-react"):
        history.take(rules.SetReaction(2, False))
    history.take(rules.SetReaction(2, True))
    assert history.fight.combatant(2).can_react


# Giving a turn


def test_one_that_got_its_turn_early_does_not_get_it_twice() -> None:
    history = started()
    history.take(rules.GiveTurn(3))
    acting = []
    for _ in range(3):
        history.take(rules.NextTurn())
        acting.append((history.fight.round, history.fight.current))
    assert acting == [(1, 2), (2, 1), (2, 2)]


def test_giving_the_turn_to_who_has_it_changes_nothing() -> None:
    fight = started().fight
    outcome = rules.GiveTurn(1).run(fight)
    assert (outcome.fight, outcome.events) == (fight, ())


def test_giving_the_turn_ends_the_surprise_of_who_had_it() -> None:
    fight = fight_of("1 heroes X dex+0 pp10", "1 foes B dex+0 pp9 stealth14")
    fight = rules.StartFight({1: 20, 2: 10}).run(fight).fight
    assert not rules.GiveTurn(2).run(fight).fight.combatant(1).surprised


def test_the_turn_of_a_group_is_told_of_those_who_still_stand() -> None:
    history = started("1 heroes Lia hp9", "2 foes Goblin hp7 group=gob")
    history.take(rules.Damage(2, 7))
    began = rules.NextTurn().run(history.fight).events[-1]
    assert (began.code, [one["number"] for one in began.details["who"]]) == ("turn-began", [3])
