"""Ways that chance seldom goes, each gone for certain and compared step by step by the reference.

A random walk needs several rare steps in a row for these; here all of them are tried.
"""

from collections.abc import Callable
from itertools import product

import pytest

import rules
from tests.rules import invariants
from tests.rules.drawing import History, combatants
from tests.rules.making import fight_of
from tests.rules.second_opinion import SecondOpinion
from tests.rules.test_always import AnyTable

EDITIONS = ("2014", "2024")


def walking(*joining: str, **settings: str | bool) -> AnyTable:
    """A table at which every step is compared, with these people at it."""
    table = AnyTable()
    table.history = History(fight_of(*joining, **settings))
    table.opinion = SecondOpinion(table.fight)
    table.compares = True
    go(table, rules.OpenFight())
    return table


def go(table: AnyTable, *commands: rules.Command) -> None:
    for command in commands:
        assert table.take(command), command
        invariants.check(table.fight)


# Held by one who goes

LIA, OGRE, BRAN = 1, 2, 3
GOES: dict[str, Callable[[int], rules.Command]] = {
    "removed": lambda who: rules.Leave((who,)),
    "out": lambda who: rules.SetOut(who, True),
    "killed": lambda who: rules.Damage(who, 99),
    "at 0": lambda who: rules.SetHitPoints(who, 0),
    "knocked out": lambda who: rules.Damage(who, 9, knock_out=True),
    "stunned": lambda who: rules.AddEffect(who, rules.Effect("stunned")),
    "paralyzed": lambda who: rules.AddEffect(who, rules.Effect("paralyzed")),
    "exhausted": lambda who: rules.AddEffect(who, rules.Effect("exhaustion", 6)),
}


@pytest.mark.parametrize("way", GOES)
@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_grapple_ends_however_the_grappler_goes(edition: str, running: bool, way: str) -> None:
    for grappler, held in ((LIA, OGRE), (OGRE, LIA)):
        table = walking("1 heroes Lia hp9", "1 foes Ogre hp9", "1 foes Bran hp9", edition=edition)
        if running:
            go(table, rules.StartFight(totals={LIA: 20, OGRE: 15, BRAN: 10}))
        grip = rules.AddEffect(held, rules.Effect("grappled", source=grappler))
        go(table, grip, GOES[way](grappler))
        assert not table.fight.combatant(held).has("grappled")
        table.undo()
        assert table.fight.combatant(held).has("grappled")


def test_a_grapple_ends_when_each_turn_brings_the_grappler_to_0() -> None:
    table = walking("1 heroes Lia hp9", "1 foes Ogre hp9")
    fire = rules.Effect("own", text="burning", each="9", each_type="fire")
    go(table, rules.StartFight(totals={LIA: 20, OGRE: 15}), rules.AddEffect(OGRE, fire))
    go(table, rules.AddEffect(LIA, rules.Effect("grappled", source=OGRE)), rules.NextTurn())
    assert not table.fight.combatant(LIA).has("grappled")


# At 0, and regenerating

REGROWTH = rules.Effect("own", text="regrowth", each="3", heals=True, stopped_by="acid,fire")
RISES: dict[str, tuple[rules.Command, ...]] = {
    "hit": (rules.Damage(OGRE, 90),),
    "told": (rules.SetHitPoints(OGRE, 0),),
}
DIES: dict[str, tuple[rules.Command, ...]] = {
    "hit by fire": (rules.Damage(OGRE, 90, type="fire"),),
    "hit by fire while it lies": (rules.Damage(OGRE, 90), rules.Damage(OGRE, 1, type="fire")),
}


@pytest.mark.parametrize("way", RISES | DIES)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("acting", [LIA, OGRE, BRAN])
def test_who_regenerates_lies_at_0_until_its_turn_and_then_gets_up_or_dies(
    acting: int, edition: str, way: str
) -> None:
    table = walking("1 heroes Lia hp9", "1 foes Ogre hp9", "1 foes Bran hp9", edition=edition)
    go(table, rules.StartFight(totals={LIA: 20, OGRE: 15, BRAN: 10}))
    while table.fight.current != acting:
        go(table, rules.NextTurn())
    go(table, rules.AddEffect(OGRE, REGROWTH), *(RISES | DIES)[way])
    troll = table.fight.combatant(OGRE)
    assert (troll.hp, troll.has("prone"), troll.unconscious) == (0, True, True)
    assert not any((troll.defeated, troll.passed_over, troll.can_react))
    for _ in range(3):
        go(table, rules.NextTurn())
        if table.fight.current == OGRE:
            break
    troll = table.fight.combatant(OGRE)
    assert (troll.hp, troll.dead) == ((3, False) if way in RISES else (0, True))


# Newcomers whose total is corrected

PASSED, NEXT, LAST = 25, 12, 5


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_a_newcomer_acts_where_its_corrected_total_stands(turns: int) -> None:
    for totals in product((PASSED, NEXT, LAST), repeat=3):
        table = walking("1 heroes Lia hp9", "1 foes Ogre hp9", "1 foes Bran hp9")
        go(table, rules.StartFight(totals={LIA: 20, OGRE: 15, BRAN: 10}))
        go(table, *[rules.NextTurn()] * turns)
        wolf = combatants(("1", "foes", "Wolf", "dex+0", "hp9"))
        go(table, rules.Join(wolf, (totals[0],)))
        number = table.fight.combatants[-1].number
        for total in totals[1:]:
            if total != table.fight.slot(number).total:
                go(table, rules.RollInitiative(totals={number: total}))
        before = [LIA, OGRE, BRAN][: turns + 1]
        acted = []
        while table.fight.round == 1:
            acted.append(table.fight.current)
            go(table, rules.NextTurn())
        in_time = totals[-1] < {LIA: 20, OGRE: 15, BRAN: 10}[before[-1]]
        assert acted.count(number) == in_time, (totals, acted)


# Who is no threat that can be noticed

DOWN: dict[str, rules.Command] = {
    "at 0": rules.SetHitPoints(LIA, 0),
    "hit": rules.Damage(LIA, 9),
    "knocked out": rules.Damage(LIA, 9, knock_out=True),
    "unconscious": rules.AddEffect(LIA, rules.Effect("unconscious")),
}


@pytest.mark.parametrize("way", DOWN)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("reading", rules.CHOICES["surprise_reading"])
def test_one_who_lies_in_the_open_gives_no_ambush_away(
    reading: str, edition: str, way: str
) -> None:
    lines = ("1 heroes Lia hp9", "1 foes Ogre hp9 pp9", "1 heroes Aria hp9 stealth17")
    table = walking(*lines, edition=edition, surprise_reading=reading)
    assert table.fight.combatant(OGRE).surprised == (reading == "misses_any_threat")
    go(table, DOWN[way])
    assert table.fight.combatant(OGRE).surprised
    seen = {n.enemy: n for w in rules.watches(table.fight) for n in w.notices if w.observer == OGRE}
    assert (seen[LIA].noticed, seen[LIA].reason) == (False, "no-threat")
    go(table, rules.StartFight(totals={LIA: 20, OGRE: 15, BRAN: 10}))
