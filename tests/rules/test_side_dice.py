"""A plain die for each side, and newcomers to sides that have rolled. Source: RULES."""

from dataclasses import replace

import rules
from tests.rules.drawing import combatants
from tests.rules.making import falling, named, opened, rolled_off, started


def totals_of(fight: rules.Fight) -> list[tuple[str, int | None]]:
    return [(fight.members(s.number)[0].name, s.total) for s in fight.slots]


def by_sides(*joining: str) -> rules.Fight:
    return opened(*joining, side_initiative=True)


def test_each_side_rolls_one_plain_die_and_equal_dice_roll_again() -> None:
    fight = by_sides("1 heroes A dex+5", "1 foes B dex+9", "1 heroes C", "1 beasts D")
    sides = rules.roll_sides(("heroes", "foes", "beasts"), falling(8, 8, 17, 4, 11))
    assert sides == {"heroes": (8, 4), "foes": (8, 11), "beasts": (17,)}
    fight = rules.RollInitiative(sides=sides).run(fight).fight
    assert totals_of(fight) == [("D", 17), ("B", 8), ("A", 8), ("C", 8)]
    assert not any(tie.open for tie in rules.ties(fight))


def test_a_newcomer_takes_the_die_of_its_side_behind_its_like() -> None:
    fight = by_sides("1 heroes A", "1 foes B", "1 beasts C")
    sides = {"heroes": (8, 4), "foes": (8, 11), "beasts": (3,)}
    fight = rules.StartFight(sides=sides).run(fight).fight
    fight = rules.Join(combatants(("1", "heroes", "N", "dex+9")), (20,)).run(fight).fight
    assert totals_of(fight) == [("B", 8), ("A", 8), ("N", 8), ("C", 3)]
    assert not any(tie.open for tie in rules.ties(fight))
    fight = rules.Join(combatants(("1", "guards", "G", "dex+9")), (8,)).run(fight).fight
    assert totals_of(fight) == [("B", 8), ("A", 8), ("N", 8), ("G", 8), ("C", 3)]


def test_a_newcomer_of_the_side_that_won_when_dice_were_rolled_again_stands_with_it() -> None:
    fight = by_sides("1 heroes A", "1 foes B")
    fight = rules.StartFight(sides={"heroes": (8, 4), "foes": (8, 11)}).run(fight).fight
    fight = rules.Join(combatants(("2", "foes", "N", "dex+9")), (20, 20)).run(fight).fight
    assert totals_of(fight) == [("B", 8), ("N", 8), ("N", 8), ("A", 8)]
    assert not any(tie.open for tie in rules.ties(fight))


def test_a_new_side_whose_die_equals_another_is_an_open_tie_for_the_gm_or_a_roll_off() -> None:
    fight = by_sides("1 heroes A", "1 foes B")
    fight = rules.StartFight(sides={"heroes": (8,), "foes": (5,)}).run(fight).fight
    fight = rules.Join(combatants(("1", "guards", "G", "dex+0")), (8,)).run(fight).fight
    assert totals_of(fight) == [("A", 8), ("G", 8), ("B", 5)]
    (tie,) = rules.ties(fight)
    assert (tie.open, tie.kind, tie.asked) == (True, "mixed", (1, 3))
    assert totals_of(rolled_off(fight, 8, 3, 15)) == [("G", 8), ("A", 8), ("B", 5)]
    fight = rules.Join(combatants(("1", "bandits", "X", "dex+0")), (6,)).run(fight).fight
    assert [tie.total for tie in rules.ties(fight)] == [8], "a die of its own is no question"


def test_the_gms_order_of_sides_holds_when_a_new_side_joins() -> None:
    fight = by_sides("1 heroes A", "1 foes B")
    fight = rules.StartFight(sides={"heroes": (8,), "foes": (5,)}).run(fight).fight
    fight = rules.Reorder(2, 1).run(fight).fight
    fight = rules.Join(combatants(("1", "guards", "G", "dex+0")), (3,)).run(fight).fight
    assert named(fight) == ["B", "A", "G"]


def test_sides_roll_anew_with_every_round_where_the_table_plays_both() -> None:
    history = started("1 heroes A", "1 foes B", reroll_each_round=True, side_initiative=True)
    history.fight = (
        rules.RollInitiative(sides={"heroes": (12,), "foes": (7,)})
        .run(replace(history.fight, slots=tuple(replace(s, by="") for s in history.fight.slots)))
        .fight
    )
    history.take(rules.NextTurn())
    history.take(rules.NextTurn(sides={"heroes": (2,), "foes": (7,)}))
    assert (history.fight.round, named(history.fight), history.fight.current) == (2, ["B", "A"], 2)
