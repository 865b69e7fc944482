"""Charts of amounts by combatant and by round: where each bar stands, and the same as a table.

Widths and places across are percentages, so that a chart fills its page and its letters keep
their size; heights are pixels.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

PLOT = 130  # pixels, the height of the highest column
ABOVE, BELOW = 20, 22  # pixels for the amount over a column, and for the round under it
FEWEST_SLOTS = 6  # of the width of a chart with few rounds, so that a column is no wall
MOST_AMOUNTS = 10  # columns that have room for their amounts on a phone
GAP = 2  # pixels between the parts of a column


class Dose(NamedTuple):
    """One amount, of whom it is counted, and in which round."""

    number: int | None  # combatant's; None for the one whom nobody knows
    round: int  # 0 before the first
    amount: int


class Who(NamedTuple):
    """Whom an amount is counted of."""

    name: str
    side: str  # "" when nobody knows


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a bar: what was done in one round."""

    round: int
    amount: int
    x: str
    width: str
    odd: bool  # every other one is lighter


@dataclass(frozen=True, slots=True)
class Bar:
    who: Who
    amount: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a column: what was done by one side, or to it."""

    side: str
    amount: int
    y: int
    height: int


@dataclass(frozen=True, slots=True)
class Column:
    round: int
    amount: int
    blocks: tuple[Block, ...]
    x: str
    width: str
    middle: str
    top: int  # the line of the amount
    labelled: bool  # the round is written under it


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table: the amount of each round, and of all."""

    who: Who
    amounts: tuple[int, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Chart:
    bars: tuple[Bar, ...]  # the longest first
    columns: tuple[Column, ...]  # one for each round
    sides: tuple[str, ...]  # those that the columns are made of
    lines: tuple[Line, ...]
    sums: tuple[int, ...]  # of each round
    total: int
    with_amounts: bool  # over the columns

    height = ABOVE + PLOT + BELOW  # of the columns, pixels
    ground = ABOVE + PLOT  # the line on which they stand
    foot = ABOVE + PLOT + 16  # the line of the rounds' numbers

    @property
    def rounds(self) -> tuple[int, ...]:
        return tuple(column.round for column in self.columns)

    @property
    def peak(self) -> Column:
        """The first of the highest columns."""
        return max(self.columns, key=lambda column: column.amount)


def chart(doses: Iterable[Dose], people: dict[int | None, Who], last: int) -> Chart:
    """The chart of these amounts, up to the last round."""
    doses = tuple(doses)
    first = min((dose.round for dose in doses), default=1)
    rounds = range(min(first, 1), max(last, 1) + 1)
    lines = _lines(doses, people, rounds)
    by_side = _by_side(doses, people)
    sides = tuple(sorted({side for side, _ in by_side}, key=_order_of_sides))
    sums = tuple(sum(by_side[side, round] for side in sides) for round in rounds)
    return Chart(
        bars=_bars(lines, rounds),
        columns=_columns(by_side, sides, rounds, sums),
        sides=sides,
        lines=lines,
        sums=sums,
        total=sum(sums),
        with_amounts=len(rounds) <= MOST_AMOUNTS,
    )


def _lines(
    doses: Sequence[Dose], people: dict[int | None, Who], rounds: Sequence[int]
) -> tuple[Line, ...]:
    """The greatest total first; the one whom nobody knows comes last."""
    amounts: dict[int | None, Counter[int]] = {}
    for dose in doses:
        amounts.setdefault(dose.number, Counter())[dose.round] += dose.amount
    totals = {number: own.total() for number, own in amounts.items()}
    order = sorted(amounts, key=lambda n: (n is None, -totals[n], n or 0))
    return tuple(
        Line(people[n], tuple(amounts[n][round] for round in rounds), totals[n]) for n in order
    )


def _by_side(doses: Sequence[Dose], people: dict[int | None, Who]) -> Counter[tuple[str, int]]:
    found: Counter[tuple[str, int]] = Counter()
    for dose in doses:
        found[people[dose.number].side, dose.round] += dose.amount
    return found


def _bars(lines: Sequence[Line], rounds: Sequence[int]) -> tuple[Bar, ...]:
    longest = max((line.total for line in lines), default=0)
    return tuple(Bar(line.who, line.total, _parts(line, rounds, longest)) for line in lines)


def _parts(line: Line, rounds: Sequence[int], longest: int) -> tuple[Part, ...]:
    parts: list[Part] = []
    before = 0
    for round, amount in zip(rounds, line.amounts, strict=True):
        if amount:
            x, width = _percent(before / longest), _percent(amount / longest)
            parts.append(Part(round, amount, x, width, len(parts) % 2 == 1))
            before += amount
    return tuple(parts)


def _columns(
    by_side: Counter[tuple[str, int]],
    sides: Sequence[str],
    rounds: Sequence[int],
    sums: Sequence[int],
) -> tuple[Column, ...]:
    slot = 1 / max(len(rounds), FEWEST_SLOTS)
    highest = max(sums, default=0)
    every = -(-len(rounds) // MOST_AMOUNTS)  # so many rounds from one number to the next
    columns = []
    for index, (round, amount) in enumerate(zip(rounds, sums, strict=True)):
        blocks = _blocks({side: by_side[side, round] for side in sides}, highest)
        columns.append(
            Column(
                round=round,
                amount=amount,
                blocks=blocks,
                x=_percent((index + 0.15) * slot),
                width=_percent(0.7 * slot),
                middle=_percent((index + 0.5) * slot),
                top=min((block.y for block in blocks), default=ABOVE + PLOT) - 6,
                labelled=round % every == 0 or every == 1,
            )
        )
    return tuple(columns)


def _blocks(amounts: dict[str, int], highest: int) -> tuple[Block, ...]:
    """From the ground up, with a gap between two of them; none is too thin to be seen."""
    blocks: list[Block] = []
    ground = ABOVE + PLOT
    for side, amount in amounts.items():
        if amount:
            height = max(2, round(amount / highest * PLOT) - (GAP if blocks else 0))
            ground -= GAP if blocks else 0
            blocks.append(Block(side, amount, ground - height, height))
            ground -= height
    return tuple(blocks)


_SIDES = ("heroes", "allies", "foes", "third", "fourth", "")


def _order_of_sides(side: str) -> int:
    return _SIDES.index(side) if side in _SIDES else len(_SIDES)


def _percent(part: float) -> str:
    """As SVG writes it, in every language."""
    return f"{100 * part:.2f}%"
