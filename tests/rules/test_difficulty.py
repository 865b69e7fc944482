"""How hard a fight is. Source: the 2014 basic rules; SRD 5.2, "Combat Encounters"."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.difficulty import LIMITS, multiplier
from tests.factories import creature, fight_of, hero

LEVELS = st.lists(st.sampled_from(rules.LEVELS), min_size=1, max_size=8)
WORTH = st.lists(st.integers(0, 155_000), max_size=20)
EDITIONS = st.sampled_from(["2014", "2024"])


@pytest.mark.parametrize(
    ("levels", "xp", "weight", "code"),
    [
        # Three heroes of level 3 and one of level 2: 275, 550, 825, 1,400.
        ((3, 3, 3, 2), (700, 50, 50, 50), 1_700, "deadly"),  # 850 × 2
        ((3, 3, 3, 2), (100, 50, 50, 50), 500, "easy"),  # 250 × 2
        ((3, 3, 3, 2), (100,), 100, "trivial"),
        ((3, 3, 3, 2), (275,), 275, "easy"),  # a threshold reached counts
        ((3, 3, 3, 2), (274,), 274, "trivial"),
        ((3, 3, 3, 2), (1_399,), 1_399, "hard"),
        ((3, 3, 3, 2), (1_400,), 1_400, "deadly"),
        # Four heroes of level 1: 100, 200, 300, 400.
        ((1,) * 4, (50,) * 6, 600, "deadly"),  # six goblins: 300 × 2
        ((1,) * 4, (50, 50), 150, "easy"),  # 100 × 1.5
        ((1,) * 4, (200,), 200, "medium"),
        ((1,) * 4, (25,) * 7, 437, "deadly"),  # 175 × 2.5, rounded down
        # Two heroes of level 5: 500, 1,000, 1,500, 2,200; one step harder.
        ((5, 5), (450,), 675, "easy"),  # × 1.5
        ((5, 5), (450, 450), 1_800, "hard"),  # × 2
        # Six heroes of level 1: 150, 300, 450, 600; one step easier.
        ((1,) * 6, (450,), 225, "easy"),  # × 0.5
        ((1,) * 6, (100, 100), 200, "easy"),  # × 1
        ((1,) * 6, (50,) * 6, 450, "hard"),  # 300 × 1.5
        ((20,), (155_000,), 232_500, "deadly"),
        # A rat or two of challenge rating 0 are no fight, but they are there.
        ((1,) * 4, (0,), 0, "trivial"),
        ((1,) * 4, (10, 0), 15, "trivial"),
    ],
)
def test_in_2014_the_xp_are_multiplied_and_the_highest_threshold_reached_counts(
    levels: tuple[int, ...], xp: tuple[int, ...], weight: int, code: str
) -> None:
    found = rules.difficulty("2014", levels, xp)
    assert (found.xp, found.weight, found.code) == (sum(xp), weight, code)


@pytest.mark.parametrize(
    ("levels", "xp", "code"),
    [
        # The examples of the book: budgets spent to the last, or nearly.
        ((1,) * 4, (200,), "low"),
        ((1,) * 4, (100, 100), "low"),
        ((1,) * 4, (25,) * 6, "low"),
        ((3,) * 5, (450, 450, *(25,) * 9), "moderate"),
        ((3,) * 5, (700, 100, *(50,) * 6), "moderate"),
        ((15,) * 6, (18_000, 18_000, 5_000, 5_000), "high"),
        # Around the budgets of four heroes of level 1: 200, 300, 400.
        ((1,) * 4, (201,), "moderate"),
        ((1,) * 4, (300,), "moderate"),
        ((1,) * 4, (301,), "high"),
        ((1,) * 4, (400,), "high"),
        ((1,) * 4, (401,), "beyond"),
        ((1,) * 4, (0,), "low"),
        # Levels 2 and 5: 600, 900, 1,300.
        ((2, 5), (450, 450), "moderate"),
        ((2, 5), (450, 450, 450), "beyond"),
        ((20,), (22_000,), "high"),
    ],
)
def test_in_2024_the_smallest_budget_that_suffices_counts(
    levels: tuple[int, ...], xp: tuple[int, ...], code: str
) -> None:
    found = rules.difficulty("2024", levels, xp)
    assert (found.weight, found.multiplier, found.code) == (sum(xp), 1, code)


@pytest.mark.parametrize(
    ("creatures", "few", "usual", "many"),
    [
        (1, 1.5, 1, 0.5),
        (2, 2, 1.5, 1),
        (3, 2.5, 2, 1.5),
        (6, 2.5, 2, 1.5),
        (7, 3, 2.5, 2),
        (10, 3, 2.5, 2),
        (11, 4, 3, 2.5),
        (14, 4, 3, 2.5),
        (15, 5, 4, 3),
        (200, 5, 4, 3),
    ],
)
def test_the_multiplier_goes_by_the_number_of_creatures_and_of_heroes(
    creatures: int, few: float, usual: float, many: float
) -> None:
    assert [multiplier(heroes, creatures) for heroes in (1, 2)] == [few] * 2
    assert [multiplier(heroes, creatures) for heroes in (3, 4, 5)] == [usual] * 3
    assert [multiplier(heroes, creatures) for heroes in (6, 7)] == [many] * 2


def test_the_limits_are_the_sums_of_the_heroes_own() -> None:
    assert rules.difficulty("2014", (3, 3, 3, 2), ()).limits == (275, 550, 825, 1_400)
    assert rules.difficulty("2024", (2, 5), ()).limits == (600, 900, 1_300)
    assert rules.difficulty("2014", (20,), ()).limits == (2_800, 5_700, 8_500, 12_700)


@pytest.mark.parametrize("edition", ["2014", "2024"])
def test_without_heroes_or_without_creatures_there_is_no_difficulty(edition: str) -> None:
    nobody = rules.difficulty(edition, (), ())
    assert (nobody.code, nobody.xp, nobody.limits) == ("", 0, ())
    unopposed = rules.difficulty(edition, (3, 3), ())
    assert (unopposed.code, unopposed.weight) == ("", 0)
    alone = rules.difficulty(edition, (), (50, 50))
    assert (alone.code, alone.xp, alone.weight, alone.multiplier) == ("", 100, 100, 1)


@pytest.mark.parametrize("edition", ["2014", "2024"])
def test_limits_rise_with_the_difficulty_and_with_the_level(edition: str) -> None:
    table = LIMITS[edition]
    assert len(table) == len(rules.LEVELS) == 20
    assert all(list(row) == sorted(set(row)) for row in table)
    assert all(list(column) == sorted(set(column)) for column in zip(*table, strict=True))
    assert {len(row) + 1 for row in table} == {len(rules.DIFFICULTIES[edition])}


@given(EDITIONS, LEVELS, WORTH, st.integers(0, 155_000))
def test_one_creature_more_is_never_easier(
    edition: str, levels: list[int], xp: list[int], more: int
) -> None:
    codes = ("", *rules.DIFFICULTIES[edition])
    before = rules.difficulty(edition, levels, xp)
    after = rules.difficulty(edition, levels, [*xp, more])
    assert codes.index(after.code) >= codes.index(before.code)


@given(EDITIONS, LEVELS, WORTH.filter(bool), st.sampled_from(rules.LEVELS))
def test_one_hero_more_is_never_harder(
    edition: str, levels: list[int], xp: list[int], more: int
) -> None:
    codes = rules.DIFFICULTIES[edition]
    before = rules.difficulty(edition, levels, xp)
    after = rules.difficulty(edition, [*levels, more], xp)
    assert codes.index(after.code) <= codes.index(before.code)


# Who is against whom


def opposed(fight: rules.Fight) -> tuple[list[str], list[str]]:
    heroes, creatures = rules.opponents(fight)
    return [c.name for c in heroes], [c.name for c in creatures]


def test_creatures_that_are_allied_with_the_heroes_are_left_out() -> None:
    fight = fight_of(
        hero("Aria"),
        creature("Wolf", side="heroes"),
        creature("Guard", side="allies"),
        creature("Ogre"),
        creature("Cultist", side="third"),
    )
    assert opposed(fight) == (["Aria"], ["Ogre", "Cultist"])
    fight = rules.Ally("heroes", "third", True).run(fight).fight
    assert opposed(fight) == (["Aria"], ["Ogre"])
    fight = rules.Ally("allies", "heroes", False).run(fight).fight
    assert opposed(fight) == (["Aria"], ["Guard", "Ogre"])


def test_neither_a_lair_nor_whoever_is_out_makes_a_fight_harder_or_easier() -> None:
    lair = rules.Combatant(number=0, name="Lair", side="foes", is_lair=True)
    away = replace(creature("Wolf"), out=True), replace(hero("Bran"), out=True)
    assert opposed(fight_of(hero("Aria"), creature("Ogre"), lair, *away)) == (["Aria"], ["Ogre"])


def test_a_hero_who_fights_the_others_is_neither_one_of_them_nor_a_creature() -> None:
    fight = fight_of(hero("Aria"), hero("Bran", side="foes"), hero("Cleo", side="allies"))
    assert opposed(fight) == (["Aria", "Cleo"], [])


def test_creatures_that_come_later_count_from_the_beginning() -> None:
    late = replace(creature("Troll"), arrives=3, awaited=True)
    assert opposed(fight_of(hero("Aria"), late)) == (["Aria"], ["Troll"])
