"""When effects end: by whose turn, which edge of it, and after how many.

Source: RULES of the table, "Conditions and durations"; SRD 5.1, "Duration", "Conditions".
"""

import pytest

import rules
from rules import AddEffect, Effect
from tests.rules.drawing import History
from tests.rules.making import started

MONK, CLERIC, OGRE, ORC = 1, 2, 3, 4
TABLE = ("1 heroes Monk hp20", "1 heroes Cleric hp20", "1 foes Ogre hp68")


def table(*joining: str) -> History:
    """Monk, Cleric, Ogre, in this order; it is the Monk's turn of round 1."""
    return started(*(joining or TABLE))


def until(history: History, round_: int, who: int) -> None:
    """Turns go by until the one of this combatant in this round begins."""
    for _ in range(200):
        if (history.fight.round, history.fight.current) == (round_, who):
            return
        history.take(rules.NextTurn())
    pytest.fail("that turn does not come")


def has(history: History, code: str, who: int = OGRE) -> bool:
    return history.fight.combatant(who).has(code)


def lasts_through(history: History, code: str, round_: int, whose: int, who: int = OGRE) -> None:
    """It is there during that turn, and no longer when the next one has begun."""
    until(history, round_, whose)
    assert has(history, code, who)
    history.take(rules.NextTurn())
    assert not has(history, code, who)


def ends_as_it_begins(history: History, code: str, round_: int, whose: int, who: int) -> None:
    """It is there until that turn begins, and no longer."""
    while (history.fight.round, history.fight.current) != (round_, whose):
        assert has(history, code, who)
        assert history.fight.round <= round_
        history.take(rules.NextTurn())
    assert not has(history, code, who)


# The rows of the table


def test_until_the_end_of_its_next_turn_put_on_another() -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("stunned", ends="end", source=MONK)))
    lasts_through(history, "stunned", 1, OGRE)


def test_until_the_end_of_your_next_turn_does_not_end_with_this_one() -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("stunned", ends="end", whose=MONK, source=MONK)))
    lasts_through(history, "stunned", 2, MONK)


def test_a_minute_from_round_3_ends_as_the_turn_begins_in_round_13() -> None:
    history = table()
    until(history, 3, CLERIC)
    history.take(AddEffect(OGRE, Effect("restrained", source=CLERIC), rounds=10))
    ends_as_it_begins(history, "restrained", 13, CLERIC, OGRE)


def test_a_shield_cast_on_anothers_turn_ends_with_the_turn_to_come_of_the_same_round() -> None:
    history = table()
    until(history, 2, CLERIC)
    history.take(AddEffect(OGRE, Effect("own", text="shield", ends="start")))
    ends_as_it_begins(history, "own", 2, OGRE, OGRE)


def test_what_counts_the_turns_of_a_source_that_dies_ends_when_its_slot_comes_by() -> None:
    history = table("1 heroes Monk hp20", "1 foes Orc hp9", "1 foes Ogre hp68")
    history.take(AddEffect(MONK, Effect("charmed", ends="start", whose=2, source=2)))
    history.take(rules.Damage(2, 9))
    assert has(history, "charmed", MONK)
    history.take(rules.NextTurn())
    assert history.fight.current == OGRE
    assert not has(history, "charmed", MONK)


@pytest.mark.parametrize(("hangs", "stays"), [(False, True), (True, False)])
def test_an_effect_outlives_its_source_unless_it_hangs_on_concentration(
    hangs: bool, stays: bool
) -> None:
    history = table("1 heroes Monk hp20", "1 foes Orc hp9")
    history.take(AddEffect(MONK, Effect("restrained", source=2, hangs=hangs)))
    history.take(rules.Damage(2, 9))
    assert has(history, "restrained", MONK) == stays


def test_a_turn_taken_back_brings_an_effect_back_with_what_was_left() -> None:
    history = table()
    stunned = Effect("stunned", ends="end", turns=2, whose=MONK, source=MONK)
    history.take(AddEffect(OGRE, stunned))
    until(history, 3, MONK)
    before = history.fight.combatant(OGRE).effects
    history.take(rules.NextTurn())
    assert not has(history, "stunned")
    history.take(history.previous())
    assert history.fight.combatant(OGRE).effects == before


# Cases


def test_a_duration_says_whose_turn_and_which_edge_of_it() -> None:  # RW-S13
    history = table()
    history.take(AddEffect(OGRE, Effect("stunned", ends="end", whose=MONK, source=MONK)))
    history.take(rules.NextTurn())  # the Monk's turn of round 1 ends
    history.take(AddEffect(OGRE, Effect("frightened", ends="end", source=CLERIC)))
    history.take(rules.NextTurn())  # and the Cleric's
    assert has(history, "stunned")
    assert has(history, "frightened")
    history.take(rules.NextTurn())  # and the Ogre's
    assert has(history, "stunned")
    assert not has(history, "frightened")
    lasts_through(history, "stunned", 2, MONK)


def test_beginning_the_fight_uses_up_nothing_of_a_duration() -> None:  # RW-S14 (a)
    history = History()
    history.take(rules.Join((rules.Combatant(0, "Aria", "heroes", initiative_bonus=0),)))
    history.take(rules.Join((rules.Combatant(0, "Ogre", "foes", initiative_bonus=0),)))
    history.take(AddEffect(1, Effect("own", text="blessed"), rounds=10))
    history.take(rules.StartFight({1: 12, 2: 9}))
    (effect,) = history.fight.combatant(1).effects
    assert effect.until_round - history.fight.round == 10
    ends_as_it_begins(history, "own", 11, 1, 1)


def test_every_other_creature_has_one_turn_under_it() -> None:  # RW-S14 (b)
    history = table("1 heroes Aria hp20", "1 heroes Borin hp20", "1 foes Ogre hp68")
    history.take(AddEffect(1, Effect("own", text="guarded", ends="start")))
    under = []
    while has(history, "own", 1):
        history.take(rules.NextTurn())
        under.append(history.fight.current)
    assert under == [2, 3, 1]


def test_a_reaction_before_the_own_turn_lasts_until_that_turn() -> None:  # RW-S14 (c)
    history = table("1 heroes Aria hp20", "1 foes Ogre hp68", "1 heroes Borin hp20")
    history.take(AddEffect(3, Effect("own", text="shield", ends="start")))
    ends_as_it_begins(history, "own", 1, 3, 3)


def test_going_back_and_forward_ticks_once() -> None:  # RW-S15
    history = table()
    history.take(AddEffect(OGRE, Effect("own", text="bleeding", each="3")))
    history.take(AddEffect(OGRE, Effect("own", text="slowed", ends="start", turns=4)))
    until(history, 1, CLERIC)
    first = history.take(rules.NextTurn())
    assert [e.code for e in first.events if e.code == "damaged"] == ["damaged"]
    assert of_ogre(history) == (65, 3)
    history.take(history.previous())
    assert of_ogre(history) == (68, 4)
    history.take(rules.NextTurn())
    assert of_ogre(history) == (65, 3)


def of_ogre(history: History) -> tuple[int | None, int]:
    ogre = history.fight.combatant(OGRE)
    return ogre.hp, next(e.turns for e in ogre.effects if e.text == "slowed")


def test_what_has_no_duration_stays() -> None:  # RW-S16
    history = table()
    history.take(AddEffect(MONK, Effect("exhaustion", 6)))
    history.take(AddEffect(OGRE, Effect("prone")))
    history.take(AddEffect(OGRE, Effect("own", text="cursed")))
    until(history, 4, OGRE)
    assert history.fight.combatant(MONK).dead
    assert [e.code for e in history.fight.combatant(OGRE).effects] == ["prone", "own"]
    history.take(rules.RemoveEffect(OGRE, "own", "cursed"))
    history.take(rules.RemoveEffect(OGRE, "prone"))
    assert history.fight.combatant(OGRE).effects == ()


@pytest.mark.parametrize(
    ("effect", "rounds"),
    [
        (Effect("prone"), -1),
        (Effect("prone"), 10_000),
        (Effect("prone", ends="end", turns=-1), 0),
        (Effect("prone", ends="end", turns=10_000), 0),
    ],
)
def test_a_duration_out_of_reason_is_refused(effect: Effect, rounds: int) -> None:
    with pytest.raises(rules.RuleError, match="duration-out-of-range"):
        table().take(AddEffect(OGRE, effect, rounds))


# Two sources, several turns, groups


def test_the_same_condition_from_two_sources_ends_with_the_later() -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("stunned", ends="end", whose=MONK, source=MONK)))
    history.take(AddEffect(OGRE, Effect("stunned", ends="end", source=CLERIC)))
    until(history, 2, MONK)
    assert [e.source for e in history.fight.combatant(OGRE).effects] == [MONK]
    lasts_through(history, "stunned", 2, MONK)


def test_the_same_condition_from_the_same_source_begins_anew() -> None:
    history = table()
    for turns in (1, 3):
        history.take(AddEffect(OGRE, Effect("poisoned", ends="start", turns=turns, source=MONK)))
    assert [e.turns for e in history.fight.combatant(OGRE).effects] == [3]


@pytest.mark.parametrize(("edge", "turns"), [("start", 3), ("end", 2)])
def test_several_turns_are_counted_without_the_one_that_is_on(edge: str, turns: int) -> None:
    history = table()
    history.take(AddEffect(MONK, Effect("own", text="hasty", ends=edge, turns=turns)))
    if edge == "start":
        ends_as_it_begins(history, "own", 4, MONK, MONK)
    else:
        lasts_through(history, "own", 3, MONK, MONK)


def test_a_group_counts_as_one_turn_for_all_its_members() -> None:
    history = table("2 foes Gnoll group=gnoll hp9", "1 heroes Aria hp20")
    history.take(AddEffect(1, Effect("poisoned", ends="end")))
    history.take(AddEffect(2, Effect("poisoned", ends="start")))
    lasts_through(history, "poisoned", 2, 1, 1)
    assert not has(history, "poisoned", 2)


# Somebody leaves


@pytest.mark.parametrize("edge", ["start", "end"])
def test_the_turns_of_one_who_has_left_end_when_the_order_comes_by(edge: str) -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("charmed", ends=edge, whose=CLERIC, source=CLERIC)))
    history.take(rules.Leave((CLERIC,)))
    assert has(history, "charmed")
    history.take(rules.NextTurn())
    assert history.fight.current == OGRE
    assert not has(history, "charmed")


def test_a_turn_that_was_on_when_its_own_left_does_not_count() -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("charmed", ends="start", whose=MONK)))
    history.take(rules.Leave((MONK,)))
    assert history.fight.current == CLERIC
    ends_as_it_begins(history, "charmed", 2, CLERIC, OGRE)


@pytest.mark.parametrize(
    ("leaves", "during", "ends"),
    [
        (MONK, MONK, (2, CLERIC)),  # not the Cleric's turn that comes first
        (MONK, OGRE, (2, CLERIC)),
        (CLERIC, OGRE, (2, OGRE)),
        (ORC, ORC, (3, MONK)),  # nor the Monk's that begins the round
        (ORC, CLERIC, (2, MONK)),
    ],
)
def test_the_end_of_a_turn_that_never_comes_is_the_start_of_the_next_place(
    leaves: int, during: int, ends: tuple[int, int]
) -> None:
    history = table(*TABLE, "1 foes Orc hp9")
    until(history, 1, min(leaves, during))
    history.take(AddEffect(OGRE, Effect("charmed", ends="end", whose=leaves)))
    until(history, 1, during)
    history.take(rules.Leave((leaves,)))
    ends_as_it_begins(history, "charmed", *ends, OGRE)


def test_a_minute_of_one_who_has_left_ends_in_its_round() -> None:
    history = table()
    until(history, 1, CLERIC)
    history.take(AddEffect(OGRE, Effect("charmed", source=CLERIC), rounds=2))
    history.take(rules.Leave((CLERIC,)))
    until(history, 3, MONK)
    assert has(history, "charmed")
    history.take(rules.NextTurn())
    assert (history.fight.round, history.fight.current) == (3, OGRE)
    assert not has(history, "charmed")


def test_an_effect_brought_back_counts_the_bearers_turns_when_its_own_has_left() -> None:
    history = table()
    until(history, 1, CLERIC)
    history.take(AddEffect(OGRE, Effect("charmed", ends="end", whose=MONK)))
    until(history, 2, MONK)
    history.take(rules.NextTurn())
    assert not has(history, "charmed")
    history.take(rules.Leave((MONK,)))
    history.take(history.previous())  # there is no turn of the Monk's to go back to
    assert (history.fight.round, history.fight.current) == (1, OGRE)
    assert [e.whose for e in history.fight.combatant(OGRE).effects] == [None]
