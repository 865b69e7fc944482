"""What conditions make of saving throws. Source: SRD 5.1 and 5.2, "Conditions"."""

from dataclasses import replace

import pytest

import rules
from rules import Effect

LIA = rules.Combatant(1, "Lia", "heroes", is_hero=True, hp=9, max_hp=9, saves={"dex": 3, "con": 0})


def save(
    ability: str, *effects: Effect, edition: str = "2014", hp: int = 9
) -> tuple[int | None, str]:
    who = replace(LIA, effects=effects, hp=hp)
    return rules.save_roll(who, ability, rules.Settings(edition=edition))


def tired(level: int) -> Effect:
    return Effect("exhaustion", level)


def test_a_save_adds_the_bonus_where_it_is_known() -> None:
    assert [save("dex"), save("con"), save("wis")] == [(3, "plain"), (0, "plain"), (None, "plain")]


@pytest.mark.parametrize(
    ("edition", "level", "expected"),
    [
        ("2014", 2, (3, "plain")),
        ("2014", 3, (3, "disadvantage")),
        ("2024", 1, (1, "plain")),
        ("2024", 5, (-7, "plain")),
    ],
)
def test_exhaustion_hinders_saves(edition: str, level: int, expected: tuple[int, str]) -> None:
    assert save("dex", tired(level), edition=edition) == expected


def test_exhaustion_takes_nothing_from_a_bonus_that_nobody_knows() -> None:
    assert save("wis", tired(2), edition="2024") == (None, "plain")


@pytest.mark.parametrize(("ability", "how"), [("dex", "disadvantage"), ("str", "plain")])
def test_the_restrained_dodge_badly(ability: str, how: str) -> None:
    assert save(ability, Effect("restrained"))[1] == how


@pytest.mark.parametrize("code", ["paralyzed", "petrified", "stunned", "unconscious"])
@pytest.mark.parametrize("edition", ["2014", "2024"])
def test_saves_of_strength_and_dexterity_fail_by_themselves(code: str, edition: str) -> None:
    assert save("dex", Effect(code), edition=edition) == (3, "fails")
    assert save("str", Effect(code), edition=edition) == (None, "fails")
    assert save("con", Effect(code), edition=edition) == (0, "plain")


def test_those_who_are_down_are_unconscious() -> None:
    assert save("dex", hp=0) == (3, "fails")


def test_dodging_helps_saves_of_dexterity_alone_and_exhaustion_cancels_it() -> None:
    dodging = Effect("dodging", ends="start")
    assert save("dex", dodging) == (3, "advantage")
    assert save("con", dodging) == (0, "plain")
    assert save("dex", dodging, tired(3)) == (3, "plain")


@pytest.mark.parametrize(
    ("edition", "level", "expected"),
    [
        ("2014", 0, (0, "plain")),
        ("2014", 3, (0, "disadvantage")),
        ("2024", 2, (-4, "plain")),
    ],
)
def test_death_saves_heed_exhaustion_alone(
    edition: str, level: int, expected: tuple[int, str]
) -> None:
    effects = [Effect("unconscious"), Effect("restrained"), *([tired(level)] if level else [])]
    assert save("death", *effects, edition=edition, hp=0) == expected
