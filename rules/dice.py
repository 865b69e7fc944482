"""Dice: "2d6+3" read, and rolled with a given source of chance. Source: SRD, "The Dice"."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from rules.fight import RuleError

DICE_LIMIT = 1_000  # dice in an expression, and sides of a die
LENGTH_LIMIT = 100  # characters

Chance = Callable[[int], int]  # sides -> a number from 1 to sides

_TERM = re.compile(r"([+-]?)(?:(\d*)d(\d+)|(\d+))")


@dataclass(frozen=True, slots=True)
class Roll:
    """An expression, the dice it gave, and their total."""

    expression: str
    dice: tuple[int, ...]
    total: int


def roll(text: str, chance: Chance) -> Roll:
    """Roll an expression such as "2d6+3", "d20 − 1" or "7".

    Raises `RuleError`: "not-dice" when it cannot be read, "too-many-dice" beyond 1,000 dice or
    sides.
    """
    dice: list[int] = []
    total = 0
    expression = _folded(text)
    for sign, count, sides, constant in _terms(expression):
        if constant:
            value = int(constant)
        else:
            rolled = [chance(int(sides)) for _ in range(int(count or 1))]
            dice += rolled
            value = sum(rolled)
        total += -value if sign == "-" else value
    return Roll(expression, tuple(dice), total)


def _folded(text: str) -> str:
    folded = "".join(text.split()).lower().replace("−", "-").replace("–", "-")
    if len(folded) > LENGTH_LIMIT:
        raise RuleError("not-dice")
    return folded


def _terms(expression: str) -> list[tuple[str, str, str, str]]:
    terms: list[tuple[str, str, str, str]] = []
    end = 0
    while match := _TERM.match(expression, end):
        if end and not match[1]:
            raise RuleError("not-dice")
        terms.append((match[1], match[2] or "", match[3] or "", match[4] or ""))
        end = match.end()
    if not terms or end != len(expression) or not expression.isascii():
        raise RuleError("not-dice")
    if sum(int(count or 1) for _, count, sides, _ in terms if sides) > DICE_LIMIT:
        raise RuleError("too-many-dice", limit=DICE_LIMIT)
    if any(not 1 <= int(sides) <= DICE_LIMIT for _, _, sides, _ in terms if sides):
        raise RuleError("too-many-dice", limit=DICE_LIMIT)
    return terms
