"""How hard a fight is: what its creatures are worth in XP, against what its heroes can bear.

2014: the XP times a multiplier for the number of creatures; the highest threshold reached is the
difficulty. 2024: a budget is spent without going over it, so the smallest one that suffices is.
Source: the 2014 basic rules, "Building Combat Encounters"; SRD 5.2, "Combat Encounters".
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from rules.combatant import Combatant
from rules.fight import Fight

DIFFICULTIES: dict[str, tuple[str, ...]] = {  # rising; between two of them lies a limit
    "2014": ("trivial", "easy", "medium", "hard", "deadly"),
    "2024": ("low", "moderate", "high", "beyond"),
}
LIMITS: dict[str, tuple[tuple[int, ...], ...]] = {  # XP for one hero, of level 1, 2, 3 … 20
    "2014": (  # from here on: easy, medium, hard, deadly
        (25, 50, 75, 100),
        (50, 100, 150, 200),
        (75, 150, 225, 400),
        (125, 250, 375, 500),
        (250, 500, 750, 1100),
        (300, 600, 900, 1400),
        (350, 750, 1100, 1700),
        (450, 900, 1400, 2100),
        (550, 1100, 1600, 2400),
        (600, 1200, 1900, 2800),
        (800, 1600, 2400, 3600),
        (1000, 2000, 3000, 4500),
        (1100, 2200, 3400, 5100),
        (1250, 2500, 3800, 5700),
        (1400, 2800, 4300, 6400),
        (1600, 3200, 4800, 7200),
        (2000, 3900, 5900, 8800),
        (2100, 4200, 6300, 9500),
        (2400, 4900, 7300, 10_900),
        (2800, 5700, 8500, 12_700),
    ),
    "2024": (  # up to here: low, moderate, high
        (50, 75, 100),
        (100, 150, 200),
        (150, 225, 400),
        (250, 375, 500),
        (500, 750, 1100),
        (600, 1000, 1400),
        (750, 1300, 1700),
        (1000, 1700, 2100),
        (1300, 2000, 2600),
        (1600, 2300, 3100),
        (1900, 2900, 4100),
        (2200, 3700, 4700),
        (2600, 4200, 5400),
        (2900, 4900, 6200),
        (3300, 5400, 7800),
        (3800, 6100, 9800),
        (4500, 7200, 11_700),
        (5000, 8700, 14_200),
        (5500, 10_700, 17_200),
        (6400, 13_200, 22_000),
    ),
}
LEVELS = range(1, len(LIMITS["2014"]) + 1)
MULTIPLIERS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)
FEW, MANY = 3, 6  # fewer heroes than this are in more danger; so many, or more, in less
STEP_FROM = (2, 3, 7, 11, 15)  # creatures; from each of these numbers on, one step more


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a fight is, and how that was reckoned."""

    code: str  # one of the edition's DIFFICULTIES; "" without heroes or without creatures
    xp: int  # of all creatures together
    multiplier: float  # for their number
    weight: int  # XP with the multiplier, rounded down: what is held against the limits
    limits: tuple[int, ...]  # XP that part one difficulty from the next; () without heroes


def difficulty(edition: str, levels: Sequence[int], xp: Sequence[int]) -> Difficulty:
    """How hard a fight is for heroes of these levels against creatures worth so many XP each.

    Levels are 1 to 20; a fight without heroes, or without creatures, has no difficulty.
    """
    table = LIMITS[edition]
    limits = tuple(map(sum, zip(*(table[level - 1] for level in levels), strict=True)))
    times = multiplier(len(levels), len(xp)) if edition == "2014" else 1.0
    weight = int(sum(xp) * times)
    # A threshold reached has been crossed; a budget that is spent to the last has not.
    place = bisect_right(limits, weight) if edition == "2014" else bisect_left(limits, weight)
    code = DIFFICULTIES[edition][place] if levels and xp else ""
    return Difficulty(code, sum(xp), times, weight, limits)


def multiplier(heroes: int, creatures: int) -> float:
    """What the XP of so many creatures are multiplied by in edition 2014; 1 without heroes."""
    if not heroes or not creatures:
        return 1.0
    step = 1 + bisect_right(STEP_FROM, creatures)
    if heroes < FEW:
        step += 1
    elif heroes >= MANY:
        step -= 1
    return MULTIPLIERS[step]


def opponents(fight: Fight) -> tuple[tuple[Combatant, ...], tuple[Combatant, ...]]:
    """The heroes who fight on the side of the heroes, and the creatures that are their enemies.

    Allied creatures are neither, nor are lairs, or those whom the GM has taken out.
    """
    standard = Combatant(number=0, name="", side="heroes")
    there = [c for c in fight.combatants if not c.out and not c.is_lair]
    return (
        tuple(c for c in there if c.is_hero and not fight.enemies(standard, c)),
        tuple(c for c in there if not c.is_hero and fight.enemies(standard, c)),
    )
