"""Dice: what can be read, what is rolled, and what is refused. Source: SRD 5.1, "The Dice"."""

from contextlib import suppress
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.dice import DICE_LIMIT


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
        *("²", "٣", "1+" * 60 + "1"),
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


@given(st.text(max_size=120) | st.text("0123456789dD+-− ", max_size=40))
def test_any_text_is_rolled_or_refused_and_nothing_else(text: str) -> None:
    with suppress(rules.RuleError):
        assert len(rules.roll(text, highest).dice) <= DICE_LIMIT
