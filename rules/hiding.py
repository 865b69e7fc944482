"""Who tries to be discreet before the fight, and with what result of Dexterity (Stealth).

Source: DRS, chapter "Combattre" / "Surprise"; SRD 5.1 and 5.2, "Hide".
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from rules.ability_checks import stealth_mode
from rules.combatant import Combatant
from rules.consequences import exhaustion_penalty
from rules.fight import Fight, Outcome, RuleError, names, told
from rules.settings import Settings
from rules.surprise import STEALTH_RANGE, find_surprised


def roll_stealth(
    fight: Fight, numbers: Iterable[int], d20: Callable[[], int]
) -> tuple[dict[int, int], dict[int, tuple[int, ...]]]:
    """Stealth results for these combatants, and the d20s behind each.

    Each rolls its own; or identical creatures one for all where the table plays it so, the result
    that some of them have already. Whoever's bonus is not known rolls nothing; raises
    `RuleError("stealth-bonus-unknown")` when that goes for all of them.
    """
    hiders = [fight.combatant(number) for number in numbers]
    able = [c for c in hiders if c.adds_to_stealth is not None]
    if hiders and not able:
        raise RuleError("stealth-bonus-unknown", who=names(hiders))
    rolled: dict[object, tuple[int, tuple[int, ...]]] = {}
    found: dict[int, tuple[int, tuple[int, ...]]] = {}
    standing = {_alike(c, fight): c.stealth for c in fight.combatants if c.stealth is not None}
    for c in able:
        alike, stands = _alike(c, fight), None
        if c.stealth is None:
            stands = standing.get(alike)
        if alike not in rolled:
            rolled[alike] = stealth_check(c, fight, d20) if stands is None else (stands, ())
        found[c.number] = rolled[alike]
    return {n: result for n, (result, _) in found.items()}, {n: d for n, (_, d) in found.items()}


def _alike(c: Combatant, fight: Fight) -> object:
    """What it has in common with those for whom one die is rolled; its number where none is."""
    if fight.settings.group_stealth != "one_die" or not c.creature:
        return c.number
    kind, penalty = _stealth(c, fight.settings)
    return c.creature, c.name, c.side, c.adds_to_stealth, kind, penalty


def _stealth(c: Combatant, settings: Settings) -> tuple[str, int]:
    """How it rolls Stealth, and what exhaustion takes from the result."""
    return stealth_mode(c, settings).kind, exhaustion_penalty(c, settings)


def stealth_check(
    c: Combatant, fight: Fight, d20: Callable[[], int]
) -> tuple[int, tuple[int, ...]]:
    """A Stealth result with its dice: with advantage the higher counts, or the lower.

    Raises `RuleError("stealth-bonus-unknown")`.
    """
    if c.adds_to_stealth is None:
        raise RuleError("stealth-bonus-unknown", who=names([c]))
    kind, penalty = _stealth(c, fight.settings)
    dice = (d20(), d20()) if kind else (d20(),)
    die = max(dice) if kind == "advantage" else min(dice)
    return die + c.adds_to_stealth - penalty, dice


@dataclass(frozen=True, slots=True)
class Hide:
    """These combatants try to be discreet, with these results of Dexterity (Stealth).

    Raises `RuleError`: "stealth-out-of-range", "no-combatant", or by the fight's state.
    """

    stealth: Mapping[int, int]  # combatant's number -> result
    dice: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # the d20s, for the log
    stop: tuple[int, ...] = ()  # these no longer do
    unknown: tuple[int, ...] = ()  # these would, but nobody knows their bonus: told, no more

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling")
        if any(result not in STEALTH_RANGE for result in self.stealth.values()):
            raise RuleError("stealth-out-of-range")
        hiders = [fight.combatant(number) for number in self.stealth]
        changed = fight.with_each(
            {fight.combatant(n).number: {"hiding": False, "stealth": None} for n in self.stop}
            | {number: {"hiding": True, "stealth": s} for number, s in self.stealth.items()}
        )
        results = [self.stealth[c.number] for c in hiders]
        dice = [list(self.dice.get(c.number, ())) for c in hiders]
        unknown = [fight.combatant(number) for number in self.unknown]
        left_out = {"unknown": names(unknown)} if unknown else {}
        changed = find_surprised(changed)
        return told(changed, "hid", who=names(hiders), results=results, dice=dice, **left_out)


@dataclass(frozen=True, slots=True)
class StopHiding:
    """These combatants no longer try to be discreet."""

    targets: tuple[int, ...]

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling")
        who = [fight.combatant(number) for number in self.targets]
        changed = fight.with_each({n: {"hiding": False, "stealth": None} for n in self.targets})
        return told(find_surprised(changed), "stopped-hiding", who=names(who))
