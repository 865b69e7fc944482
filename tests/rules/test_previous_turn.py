"""Taking a turn back: what that turn changed, and only that. Source: SRD 5.1, "Combat"."""

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import fight_of, started


def test_previous_turn_stops_at_the_first_turn_of_the_fight() -> None:  # RW-S11
    history = started()
    for _ in range(3):
        with pytest.raises(rules.RuleError, match="no-previous-turn"):
            history.take(history.previous())
    assert (history.fight.round, history.fight.current) == (1, 1)
    history.take(rules.NextTurn())
    assert (history.fight.round, history.fight.current) == (1, 2)


def test_previous_turn_goes_back_into_the_round_before() -> None:  # RW-S11
    history = started("1 heroes A hp9", "1 heroes B hp9", "1 foes C hp9")
    history.take(rules.Damage(3, 9))
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    assert (history.fight.round, history.fight.current) == (2, 1)
    history.take(history.previous())
    assert (history.fight.round, history.fight.current) == (1, 2)
    history.take(history.previous())
    assert (history.fight.round, history.fight.current) == (1, 1)


def test_previous_turn_brings_surprise_and_reactions_back() -> None:
    history = History(fight_of("1 heroes X dex+0 pp10", "1 foes B dex+0 pp9 stealth14"))
    history.take(rules.StartFight({1: 20, 2: 10}))
    history.take(rules.SetReaction(2, False))
    history.take(rules.NextTurn())
    assert history.fight.combatant(2).reaction
    history.take(history.previous())
    assert history.fight.combatant(1).surprised
    assert not history.fight.combatant(2).reaction


def test_a_reaction_spent_by_hand_since_stays_spent() -> None:
    history = started()
    history.take(rules.SetReaction(2, False))
    history.take(rules.NextTurn())
    history.take(rules.SetReaction(2, False))
    history.take(history.previous())
    assert not history.fight.combatant(2).reaction


def test_previous_turn_hides_again_whom_the_turn_had_shown() -> None:
    history = started("1 heroes A hp9", "1 foes B hp9 hidden")
    assert history.fight.seen_slot == 1
    history.take(rules.NextTurn())
    assert not history.fight.combatant(2).hidden
    assert history.fight.seen_slot == 2
    history.take(history.previous())
    assert history.fight.combatant(2).hidden
    assert history.fight.seen_slot == 1
    assert (history.fight.combatant(2).letter, history.fight.letters_given) == (0, {})


GOBLINS = ("1 heroes Lia hp9", "1 foes Goblin hp9", "1 foes Goblin hp8 arrives2")


def test_previous_turn_gives_back_the_letter_of_one_that_had_arrived() -> None:
    history = started(*GOBLINS, "1 foes Ogre hp9 hidden", reveal_on_turn=False)
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    before = history.fight
    history.take(rules.NextTurn())
    assert history.fight.letters_given == {"Goblin": 2}
    history.take(history.previous())
    assert history.fight.combatants == before.combatants
    assert history.fight.letters_given == {"Goblin": 1}
    history.take(rules.NextTurn())
    assert [c.letter for c in history.fight.combatants] == [0, 1, 2, 0]


def test_a_letter_stays_when_another_has_been_seen_since_or_its_bearer_has_left() -> None:
    for command, letters in (
        (rules.Join((rules.Combatant(0, "Goblin", "foes"),)), [0, 1, 2, 3]),
        (rules.Leave((3,)), [0, 1]),
    ):
        history = started(*GOBLINS)
        history.take(rules.NextTurn())
        history.take(rules.NextTurn())
        history.take(command)
        given = history.fight.letters_given
        history.take(history.previous())
        assert [c.letter for c in history.fight.combatants] == letters
        assert history.fight.letters_given == given


def test_previous_turn_passes_by_those_who_have_left() -> None:
    history = started()
    history.take(rules.NextTurn())
    history.take(rules.Leave((2,)))
    assert history.fight.current == 3
    history.take(history.previous())
    assert (history.fight.current, history.fight.round) == (1, 1)
    history.take(rules.NextTurn())
    assert (history.fight.current, history.fight.round) == (3, 1)


def test_there_is_no_turn_to_go_back_to_when_all_before_have_left() -> None:
    history = started()
    history.take(rules.Leave((1,)))
    with pytest.raises(rules.RuleError, match="no-previous-turn"):
        history.take(history.previous())


def test_an_ended_fight_goes_on_where_it_was() -> None:
    history = started()
    history.take(rules.NextTurn())
    running = history.fight
    history.take(rules.EndFight())
    assert history.fight.state == "ended"
    history.take(rules.ReopenFight())
    assert (history.fight.current, history.fight.round) == (running.current, running.round)
    history.take(history.previous())
    assert history.fight.current == 1


def until_turns_end(whose: int | None) -> rules.AddEffect:
    return rules.AddEffect(3, rules.Effect("frightened", ends="end", whose=whose))


def test_what_is_put_on_after_a_turn_outlasts_it_when_it_is_on_again() -> None:
    history = started()
    history.take(until_turns_end(2))
    history.take(rules.NextTurn())
    history.take(until_turns_end(1))
    history.take(history.previous())
    history.take(rules.NextTurn())
    assert [e.code for e in history.fight.combatant(3).effects] == ["frightened"]
    for _ in range(3):
        history.take(rules.NextTurn())
    assert history.fight.current == 2
    assert history.fight.combatant(3).effects == ()


def test_what_was_to_end_with_a_turn_ends_with_it_when_it_is_on_again() -> None:
    for step in (rules.NextTurn(), rules.Wait(1)):
        history = started()
        history.take(rules.GiveTurn(3))
        history.take(until_turns_end(1))
        history.take(rules.GiveTurn(1))
        before = history.fight
        history.take(step)
        history.take(history.previous())
        assert history.fight.combatants == before.combatants
        history.take(rules.NextTurn())
        assert history.fight.combatant(3).effects == ()
