"""Whose turn players see: hidden creatures leave no sign of a turn of theirs."""

import rules
from tests.rules.drawing import History
from tests.rules.making import fight_of

PACK = (
    "1 heroes Lia dex+0 hp9", "1 foes Goblin dex+0 hp9 group=gob",
    "1 foes Goblin dex+0 hp9 group=gob hidden", "1 heroes Bran dex+0 hp9",
)  # fmt: skip


def pack() -> History:
    """Lia has the turn; then a goblin whom players see and a hidden one, in one group; Bran."""
    history = History(fight_of(*PACK, reveal_on_turn=False))
    history.take(rules.StartFight({1: 20, 2: 10, 4: 5}))
    assert len(history.fight.members(2)) == 2
    return history


def seen(history: History) -> tuple[int | None, int]:
    return history.fight.seen_slot, history.fight.seen_round


def test_a_hidden_one_does_not_give_its_defeated_companion_the_turn_that_players_see() -> None:
    history = pack()
    history.take(rules.Damage(2, 9))
    history.take(rules.NextTurn())
    assert (history.fight.current, seen(history)) == (2, (1, 1))
    history.take(rules.NextTurn())
    assert seen(history) == (4, 1)


def test_a_companion_revealed_defeated_tells_nothing_of_the_hidden_one_that_acts() -> None:
    history = pack()
    history.take(rules.SetHidden((2,), True))
    history.take(rules.Damage(2, 9))
    history.take(rules.NextTurn())
    history.take(rules.SetHidden((2,), False))
    assert seen(history) == (1, 1)
    history.take(rules.SetHidden((3,), False))
    assert seen(history) == (2, 1)


def test_one_hidden_again_leaves_its_turn_to_nobody_defeated() -> None:
    history = pack()
    history.take(rules.Damage(2, 9))
    history.take(rules.SetHidden((3,), False))
    history.take(rules.NextTurn())
    assert seen(history) == (2, 1)
    history.take(rules.SetHidden((3,), True))
    assert seen(history) == (4, 1)


def test_one_who_falls_on_its_turn_keeps_it_for_players_whoever_is_hidden_beside_it() -> None:
    history = pack()
    history.take(rules.NextTurn())
    history.take(rules.Damage(2, 9))
    history.take(rules.SetHidden((3,), True))
    assert seen(history) == (2, 1)


def test_whoever_is_hidden_or_shown_is_told_as_that() -> None:
    fight = fight_of("1 foes Goblin")
    told = [rules.SetHidden((1,), hidden).run(fight).events[0].code for hidden in (True, False)]
    assert told == ["hidden", "revealed"]


def test_a_group_keeps_the_turn_that_players_see_when_one_of_it_joins_another() -> None:
    people = ("2 foes Goblin hp7 group=gob", "1 foes Goblin hp7", "1 foes Wolf hidden")
    history = History(fight_of(*people, reveal_on_turn=False))
    history.take(rules.StartFight(totals={1: 20, 3: 30, 4: 10}))
    for _ in range(2):
        history.take(rules.NextTurn())
    assert (history.fight.current, seen(history)) == (4, (1, 1))
    history.take(rules.Merge((2, 3)))
    assert history.fight.combatant(2).slot == 3
    assert seen(history) == (1, 1)


def test_in_a_later_round_the_same_turn_is_the_same() -> None:
    history = pack()
    for _ in range(3):
        history.take(rules.NextTurn())
    assert seen(history) == (1, 2)
    later = rules.Damage(4, 1).run(history.fight).fight
    assert rules.same_turn_in_sight(history.fight, later)
