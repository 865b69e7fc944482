"""Dice: what can be read, what is rolled, and what is refused. Source: SRD 5.1, "The Dice"."""

from contextlib import suppress
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.dice import DICE_LIMIT, greatest


def highest(sides: int) -> int:
    return sides


@pytest.mark.parametrize(
    ("text", "dice", "total"),
    [
        ("2d6+3", (6, 6), 15),
        ("d20", (20,), 20),
        ("d20 − 1", (20,), 19),
        ("D20–1", (20,), 19),
        ("7", (), 7),
        ("-2", (), -2),
        ("+5", (), 5),
        ("7d8+14", (8,) * 7, 70),
        ("1d6-1d4+2", (6, 4), 4),
        ("  2 d 6 ", (6, 6), 12),
        ("1000d1", (1,) * 1000, 1000),
        ("1d1000", (1000,), 1000),
        ("0d6", (), 0),
    ],
)
def test_a_roll_gives_its_dice_and_its_total(text: str, dice: tuple[int, ...], total: int) -> None:
    rolled = rules.roll(text, highest)
    assert (rolled.dice, rolled.total) == (dice, total)


def test_every_die_is_rolled_with_its_own_sides() -> None:
    asked: list[int] = []
    numbers = count(1)

    def chance(sides: int) -> int:
        asked.append(sides)
        return next(numbers)

    rolled = rules.roll("2d8+d4", chance)
    assert asked == [8, 8, 4]
    assert (rolled.expression, rolled.dice, rolled.total) == ("2d8+d4", (1, 2, 3), 6)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "d", "2d", "abc", "2d6+", "2d6++1", "--1", "2d6 3d4", "1.5", "2x6", "2d6;7"),
        *("²", "٣", "1+" * 60 + "1", "kh1", "4kh1", "2d6h1", "2d6kh1kl1", "adv", "d20 adv dis"),
        *("d2 adv 0", "d20 advanced", "d20+ adv", "d20é"),
    ],
)
def test_what_is_no_roll_is_refused(text: str) -> None:
    with pytest.raises(rules.RuleError, match="not-dice"):
        rules.roll(text, highest)


@pytest.mark.parametrize("text", ["1001d6", "600d6+401d4", "1d1001", "1d0", "9999999999d9999999"])
def test_too_many_dice_or_sides_are_refused_before_rolling(text: str) -> None:
    with pytest.raises(rules.RuleError, match="too-many-dice") as refusal:
        rules.roll(text, lambda sides: pytest.fail("a die was rolled"))
    assert refusal.value.details == {"limit": DICE_LIMIT}


# Keep the highest or the lowest


def falling(*dice: int) -> rules.Chance:
    coming = iter(dice)
    return lambda _sides: next(coming)


@pytest.mark.parametrize(
    ("text", "kept", "dropped"),
    [
        ("4d6kh3", (3, 5, 5), (2,)),
        ("4d6k3", (3, 5, 5), (2,)),
        ("4D6 KL 3", (3, 5, 2), (5,)),
        ("4d6kh", (5,), (3, 2, 5)),
        ("4d6kl", (2,), (3, 5, 5)),
        ("4d6kh4", (3, 5, 2, 5), ()),
        ("2d6kl1+2d6", (3, 2, 5), (5,)),
    ],
)
def test_the_highest_or_the_lowest_dice_are_kept_and_the_others_told(
    text: str, kept: tuple[int, ...], dropped: tuple[int, ...]
) -> None:
    rolled = rules.roll(text, falling(3, 5, 2, 5))
    assert (rolled.dice, rolled.dropped, rolled.total) == (kept, dropped, sum(kept))


@pytest.mark.parametrize("text", ["4d6kh5", "4d6kl0", "d6kh2", "0d6kh1", "0d6k0"])
def test_none_of_the_dice_cannot_be_kept_nor_more_than_all(text: str) -> None:
    with pytest.raises(rules.RuleError, match="cannot-keep"):
        rules.roll(text, highest)


# Advantage and disadvantage. Source: SRD 5.1, "Advantage and Disadvantage"


@pytest.mark.parametrize(
    "text",
    ["d20 adv", "1d20 av", "adv d20", "D20 ADVANTAGE", "d20 avantage", "d20adv"],
)
def test_with_advantage_the_higher_of_two_d20s_counts(text: str) -> None:
    rolled = rules.roll(text, falling(7, 15))
    assert (rolled.dice, rolled.dropped, rolled.total) == ((15,), (7,), 15)
    assert rolled.expression.endswith("d20 adv")


@pytest.mark.parametrize(
    "text",
    [
        "d20 dis",
        "d20 dsv",
        "d20 dés",
        "1d20 des",
        "d20 disadv",
        "d20 Disadvantage",
        "désavantage d20",
    ],
)
def test_with_disadvantage_the_lower_of_two_d20s_counts(text: str) -> None:
    rolled = rules.roll(text, falling(7, 15))
    assert (rolled.dice, rolled.dropped, rolled.total) == ((7,), (15,), 7)
    assert rolled.expression.endswith("d20 dis")


@pytest.mark.parametrize("text", ["d20+5-d4 adv", "d20 adv +5-d4", "adv d20+5−d4", "+5-d4+d20 av"])
def test_advantage_is_for_the_d20_and_nothing_beside_it(text: str) -> None:
    rolled = rules.roll(text, lambda sides: {20: 11, 4: 3}[sides])
    assert (sorted(rolled.dice), rolled.dropped, rolled.total) == ([3, 11], (11,), 13)


@pytest.mark.parametrize("text", ["2d6 adv", "7 adv", "2d20 dis", "d20+d20 adv", "d20kh1 adv"])
def test_advantage_without_one_d20_alone_is_refused(text: str) -> None:
    with pytest.raises(rules.RuleError, match="advantage-needs-d20"):
        rules.roll(text, highest)


# Critical hits. Source: SRD 5.1, "Critical Hits"


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("2d6+3", "4d6+3"),
        ("d8 + d6 − 1", "2d8+2d6-1"),
        ("7", "7"),
        ("4d6kh3+1d4", "8d6kh6+2d4"),
        ("2d8kl1", "4d8kl2"),
    ],
)
def test_a_critical_hit_doubles_the_dice_and_no_constant(text: str, twice: str) -> None:
    assert rules.doubled(text) == twice


def test_a_critical_hit_has_no_more_dice_than_any_roll() -> None:
    assert rules.doubled("500d6") == "1000d6"
    with pytest.raises(rules.RuleError, match="too-many-dice"):
        rules.doubled("501d6")
    with pytest.raises(rules.RuleError, match="not-dice"):
        rules.doubled("many")


# Whatever is typed


def test_a_constant_beyond_any_count_of_hit_points_is_refused() -> None:
    assert rules.roll("99999", highest).total == 99_999
    for text in ("100000", "d20+100000", "-100000", "9" * 100):
        with pytest.raises(rules.RuleError, match="amount-out-of-range"):
            rules.roll(text, highest)


KEEPING = st.sampled_from(["", "k", "kh", "kl", "kh2", "kl3"])
DICE = st.builds("{}d{}{}".format, st.integers(3, 20), st.integers(1, 100), KEEPING)
ANY = st.lists(DICE | st.integers(0, 999).map(str), min_size=1, max_size=6).map("+".join)


@given(ANY, st.randoms(use_true_random=False))
def test_every_die_is_told_and_the_total_lies_where_it_can(text: str, luck: Random) -> None:
    fell: list[int] = []

    def chance(sides: int) -> int:
        fell.append(luck.randint(1, sides))
        return fell[-1]

    rolled = rules.roll(text, chance)
    assert sorted(fell) == sorted(rolled.dice + rolled.dropped)
    lowest, top = rules.roll(text, lambda _: 1).total, rules.roll(text, highest).total
    assert lowest <= rolled.total <= top


@given(ANY)
def test_a_critical_hit_rolls_twice_the_dice_of_the_blow(text: str) -> None:
    plain, twice = rules.roll(text, highest), rules.roll(rules.doubled(text), highest)
    assert sorted(twice.dice) == sorted(plain.dice * 2)
    assert sorted(twice.dropped) == sorted(plain.dropped * 2)


@given(st.text("0123456789dDkhlaviséEe+-− ", max_size=40))
def test_what_is_dice_is_what_can_be_rolled(text: str) -> None:
    try:
        rules.roll(text, highest)
    except rules.RuleError:
        assert not rules.is_dice(text)
    else:
        assert rules.is_dice(text)


@given(st.text(max_size=120) | st.text("0123456789dDkhlav+-− ", max_size=40))
def test_any_text_is_rolled_or_refused_and_nothing_else(text: str) -> None:
    with suppress(rules.RuleError):
        assert len(rules.roll(text, highest).dice) <= DICE_LIMIT


@pytest.mark.parametrize(
    ("expression", "total"),
    [
        ("7", 7), ("2d6+3", 15), ("10-2d4", 8), ("4d6kh3", 18), ("5-2d20kl1", 4), ("d20+1 adv", 21),
    ],
)  # fmt: skip
def test_the_greatest_total_that_can_fall(expression: str, total: int) -> None:
    assert greatest(expression) == total
