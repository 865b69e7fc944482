"""What is always true of surprise, of the order, of turns and of letters, on drawn fights."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rules
from tests.rules.drawn import combatants, dice, fight_settings, numbers

drawn = settings(deadline=None)  # time is for the benchmarks to tell

Chosen = rules.Settings
Drawn = rules.Combatant


def gathered(chosen: Chosen, joining: list[Drawn]) -> rules.Fight:
    return rules.Join(tuple(joining)).run(rules.Fight(table=chosen)).fight


def found(fight: rules.Fight) -> dict[int, bool]:
    """Who is surprised once the fight is opened."""
    opened = rules.OpenFight().run(fight).fight
    return {c.number: c.surprised for c in opened.combatants}


def parties(least: int) -> st.SearchStrategy[list[Drawn]]:
    return st.lists(combatants(), min_size=least, max_size=6)


def some_down(least: int) -> st.SearchStrategy[list[Drawn]]:
    """A party whose first is a hero at 0 hit points, or not."""
    down = combatants().map(lambda c: replace(c, is_hero=True, max_hp=9, hp=0))
    return parties(least) | st.tuples(down, parties(least)).map(lambda p: [p[0], *p[1]])


# Surprise


@drawn
@given(chosen=fight_settings(), party=some_down(2), ally=combatants())
def test_an_ally_never_changes_whether_one_is_surprised(
    chosen: Chosen, party: list[Drawn], ally: Drawn
) -> None:
    before = found(gathered(chosen, party))
    for number, one in enumerate(party, 1):
        joined = gathered(chosen, [*party, replace(ally, side=one.side)])
        assert found(joined)[number] == before[number]


@drawn
@given(chosen=fight_settings(), party=some_down(2))
def test_one_is_surprised_by_the_enemies_alone(chosen: Chosen, party: list[Drawn]) -> None:
    together = found(gathered(chosen, party))
    for number, one in enumerate(party, 1):
        enemies = [other for other in party if other.side != one.side]
        assert found(gathered(chosen, [one, *enemies]))[1] == together[number]


@drawn
@given(chosen=fight_settings(), party=parties(1), open_enemy=combatants())
def test_an_enemy_in_the_open_gives_the_ambush_away(
    chosen: Chosen, party: list[Drawn], open_enemy: Drawn
) -> None:
    chosen = replace(chosen, surprise_reading="notices_no_threat")
    enemy = replace(open_enemy, side="others", hiding=False, stealth=None)
    surprised = found(gathered(chosen, [*party, enemy]))
    assert not any(surprised[number] for number in range(1, len(party) + 1))


@drawn
@given(chosen=fight_settings(), party=parties(2))
def test_the_strict_reading_surprises_whoever_the_other_does(
    chosen: Chosen, party: list[Drawn]
) -> None:
    assume(all(c.passive_perception is not None for c in party))
    mild = found(gathered(replace(chosen, surprise_reading="notices_no_threat"), party))
    strict = found(gathered(replace(chosen, surprise_reading="misses_any_threat"), party))
    assert all(strict[number] for number in mild if mild[number])


# The order


@drawn
@given(
    party=parties(2),
    seed=st.integers(0, 999),
    newcomers=st.lists(st.tuples(combatants(), dice()), min_size=1, max_size=4),
)
def test_newcomers_stand_behind_equal_totals(
    party: list[Drawn], seed: int, newcomers: list[tuple[Drawn, int]]
) -> None:
    fight = running(Chosen(), party, seed)
    for newcomer, die in newcomers:
        there = [slot.number for slot in fight.slots]
        fight = rules.Join((newcomer,), (die,)).run(fight).fight
        assert [slot.number for slot in fight.slots if slot.number in there] == there
        standing = [-99 if slot.total is None else slot.total for slot in fight.slots]
        assert standing == sorted(standing, reverse=True)
        for place, slot in enumerate(fight.slots):
            if slot.number not in there:
                behind = fight.slots[place + 1 :]
                assert all(other.total != slot.total for other in behind)


@drawn
@given(
    kept=st.lists(st.lists(st.integers(1, 3), max_size=2).map(tuple), min_size=2, max_size=9),
    seed=st.integers(0, 999),
)
def test_a_roll_off_ends_with_everybody_apart(kept: list[tuple[int, ...]], seed: int) -> None:
    chance = Random(seed)
    slots = [rules.Slot(number, 10, tie_dice=own) for number, own in enumerate(kept, 1)]
    rolled = rules.roll_off(slots, lambda: chance.randint(1, 3))
    assert set(rolled) == {slot.number for slot in slots}
    assert len(set(rolled.values())) == len(rolled)
    for slot in slots:
        own = rolled[slot.number]
        assert own[: len(slot.tie_dice)] == slot.tie_dice, "dice once rolled are kept"
        for other, theirs in rolled.items():
            assert other == slot.number or theirs[: len(own)] != own
    again = [replace(slot, tie_dice=rolled[slot.number]) for slot in slots]
    assert rules.roll_off(again, lambda: pytest.fail("nobody rolls again")) == rolled


# Turns


def running(chosen: Chosen, party: list[Drawn], seed: int) -> rules.Fight:
    """A fight that has begun, with totals close together."""
    chance = Random(seed)
    known = [replace(c, passive_perception=c.passive_perception or 10) for c in party]
    fight = rules.OpenFight().run(gathered(chosen, known)).fight
    rolls = {number: chance.randint(8, 12) for number in rules.unrolled(fight)}
    return rules.StartFight(rolls, accept_empty=True).run(fight).fight


@drawn
@given(party=parties(2), seed=st.integers(0, 999), chosen=fight_settings())
def test_nobody_is_surprised_after_its_first_turn(
    party: list[Drawn], seed: int, chosen: Chosen
) -> None:
    fight = running(chosen, party, seed)
    begun = {c.number for c in fight.combatants if c.surprised}
    for _ in range(len(fight.slots)):
        ending = {c.number for c in fight.combatants if c.slot == fight.current}
        assert {c.number for c in fight.combatants if c.surprised} == begun
        assert not any(c.can_react for c in fight.combatants if c.number in begun)
        fight = rules.NextTurn().run(fight).fight
        begun -= ending
    assert not begun


# Letters

Sight = tuple[int, bool]  # which step of the story brought it, and whether it is hidden from now


@drawn
@given(story=st.lists(combatants() | st.tuples(numbers(), st.booleans()), min_size=1, max_size=12))
def test_creatures_never_seen_leave_no_trace_in_letters(story: list[Drawn | Sight]) -> None:
    everything = told(story, set())
    unseen = {c.notes for c in everything.combatants} - seen_in(story)
    letters = {c.notes: c.letter for c in everything.combatants if c.notes not in unseen}
    assert {c.notes: c.letter for c in told(story, unseen).combatants} == letters


def seen_in(story: list[Drawn | Sight]) -> set[str]:
    """The steps that brought those whom players have seen at some time."""
    seen: set[str] = set()
    for number, step in enumerate(story):
        if not isinstance(step, tuple):
            seen |= set() if step.hidden else {str(number)}
        elif not step[1] and step[0] < number:
            seen.add(str(step[0]))
    return seen


def told(story: list[Drawn | Sight], leaving_out: set[str]) -> rules.Fight:
    """The fight of this story, without those left out; everybody's note is its step."""
    fight = rules.Fight()
    for number, step in enumerate(story):
        if isinstance(step, tuple):
            who = [c.number for c in fight.combatants if c.notes == str(step[0])]
            fight = rules.SetHidden(tuple(who), step[1]).run(fight).fight
        elif str(number) not in leaving_out:
            fight = rules.Join((replace(step, notes=str(number)),)).run(fight).fight
    return fight
