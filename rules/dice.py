"""Dice: "2d6+3" read, and rolled with a given source of chance. Source: SRD, "The Dice".

"4d6kh3" keeps the highest three, "2d20kl1" the lowest one. "d20+5 adv" and "d20+5 dis" roll the
d20 with advantage or disadvantage; French tables write "av" and "dsv".
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.fight import RuleError

DICE_LIMIT = 1_000  # dice in an expression, and sides of a die
CONSTANT_LIMIT = 99_999  # each number added or taken away
LENGTH_LIMIT = 100  # characters

Chance = Callable[[int], int]  # sides -> a number from 1 to sides

_TERM = re.compile(r"([+-]?)(?:(\d*)d(\d+)(?:(k[hl]?)(\d*))?|(\d+))", re.ASCII)
_MODE = re.compile(
    r"(adv(?:antage)?|av(?:antage)?)|dis(?:adv(?:antage)?)?|des(?:av(?:antage)?)?|dsv"
)


@dataclass(frozen=True, slots=True)
class Roll:
    """An expression, the dice that it gave, and their total."""

    expression: str  # without spaces, but for one before "adv" or "dis" at its end
    dice: tuple[int, ...]  # those that count, in the order in which they fell
    total: int
    dropped: tuple[int, ...] = ()  # those that do not count


class _Term(NamedTuple):
    """Dice of one kind, or a constant."""

    sign: str  # "+" | "-" | "", at the beginning alone
    number: int  # of dice, or the constant itself
    sides: int = 0  # 0 for a constant
    keep: int = 0  # so many of the highest, below 0 of the lowest; 0 for all

    def __str__(self) -> str:
        if not self.sides:
            return f"{self.sign}{self.number}"
        kept = f"k{'h' if self.keep > 0 else 'l'}{abs(self.keep)}" if self.keep else ""
        return f"{self.sign}{self.number}d{self.sides}{kept}"


def roll(text: str, chance: Chance) -> Roll:
    """Roll an expression such as "2d6+3", "d20 − 1", "4d6kh3", "d20+5 adv" or "7".

    Raises `RuleError`: "not-dice" when it cannot be read, "too-many-dice" beyond 1,000 dice or
    sides, "amount-out-of-range" beyond a constant of 99,999, "cannot-keep" when it keeps none or
    more than it rolls, "advantage-needs-d20" when it has not one single d20 to roll twice.
    """
    expression, mode = _without_mode(_folded(text))
    dice: list[int] = []
    dropped: list[int] = []
    total = 0
    for term in _terms(expression, mode):
        value = term.number
        if term.sides:
            rolled = [chance(term.sides) for _ in range(term.number)]
            kept, others = _parted(rolled, term.keep)
            dice, dropped, value = dice + kept, dropped + others, sum(kept)
        total += -value if term.sign == "-" else value
    written = f"{expression} {mode}" if mode else expression
    return Roll(written, tuple(dice), total, tuple(dropped))


def doubled(text: str) -> str:
    """The expression of a critical hit: twice the dice, and the constants as they are.

    Of twice the dice, twice as many are kept. Raises as `roll`. Source: SRD 5.1, "Critical Hits".
    """
    terms = [
        term._replace(number=2 * term.number, keep=2 * term.keep) if term.sides else term
        for term in _terms(*_without_mode(_folded(text)))
    ]
    _require_few(terms)
    return "".join(map(str, terms))


def greatest(text: str) -> int:
    """The highest total that can fall. Raises as `roll`."""
    total = 0
    for term in _terms(*_without_mode(_folded(text))):
        least = abs(term.keep) or term.number
        total += -least if term.sign == "-" else least * (term.sides or 1)
    return total


def is_dice(text: str) -> bool:
    """Whether `roll` takes this: dice, or a number alone."""
    try:
        _terms(*_without_mode(_folded(text)))
    except RuleError:
        return False
    return True


def _folded(text: str) -> str:
    folded = "".join(text.split()).lower().replace("−", "-").replace("–", "-").replace("é", "e")
    if len(folded) > LENGTH_LIMIT:
        raise RuleError("not-dice")
    return folded


def _without_mode(expression: str) -> tuple[str, str]:
    """The rest of it, and "adv", "dis" or ""; the word stands at an end, or behind a term."""
    word = _MODE.search(expression)
    if not word:
        return expression, ""
    before, after = expression[: word.start()], expression[word.end() :]
    if before and after and after[0] not in "+-":
        raise RuleError("not-dice")
    return before + after, "adv" if word[1] else "dis"


def _terms(expression: str, mode: str) -> list[_Term]:
    terms: list[_Term] = []
    end = 0
    while match := _TERM.match(expression, end):
        if end and not match[1]:
            raise RuleError("not-dice")
        terms.append(_term(*match.groups(default="")))
        end = match.end()
    if not terms or end != len(expression):
        raise RuleError("not-dice")
    if mode:
        terms = _rolled_twice(terms, 1 if mode == "adv" else -1)
    _require_few(terms)
    return terms


def _term(sign: str, count: str, sides: str, keeps: str, kept: str, constant: str) -> _Term:
    if constant:
        if int(constant) > CONSTANT_LIMIT:
            raise RuleError("amount-out-of-range", limit=CONSTANT_LIMIT)
        return _Term(sign, int(constant))
    number, keep = int(count or 1), int(kept or 1) if keeps else 0
    if not 1 <= int(sides) <= DICE_LIMIT:
        raise RuleError("too-many-dice", limit=DICE_LIMIT)
    if keeps and not 1 <= keep <= number:
        raise RuleError("cannot-keep")
    return _Term(sign, number, int(sides), -keep if keeps == "kl" else keep)


def _rolled_twice(terms: Sequence[_Term], keep: int) -> list[_Term]:
    """The terms with two d20 in place of one, of which the higher is kept, or the lower."""
    if [term[1:] for term in terms if term.sides == 20] != [(1, 20, 0)]:
        raise RuleError("advantage-needs-d20")
    return [term._replace(number=2, keep=keep) if term.sides == 20 else term for term in terms]


def _require_few(terms: Sequence[_Term]) -> None:
    if sum(term.number for term in terms if term.sides) > DICE_LIMIT:
        raise RuleError("too-many-dice", limit=DICE_LIMIT)


def _parted(rolled: list[int], keep: int) -> tuple[list[int], list[int]]:
    """Those that are kept and the others, each in the order in which they fell."""
    if not keep:
        return rolled, []
    places = sorted(range(len(rolled)), key=rolled.__getitem__, reverse=keep > 0)
    best = set(places[: abs(keep)])
    kept = [die for place, die in enumerate(rolled) if place in best]
    return kept, [die for place, die in enumerate(rolled) if place not in best]
