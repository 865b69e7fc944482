"""What helps and hinders an ability check, be it of initiative, of Stealth, or a passive score.

Any advantage and any disadvantage cancel, those told by the GM included.
Source: SRD 5.1 and 5.2, "Advantage and Disadvantage", "Passive Checks", "Conditions", "Exhaustion".
"""

from dataclasses import dataclass

from rules.combatant import Combatant
from rules.consequences import exhaustion_penalty
from rules.settings import Settings

HINDERING = ("poisoned", "frightened")  # frightened: while its source is in sight
CHECK_ROLLS = ("", "plain", "advantage", "disadvantage")  # "": as its conditions say
PASSIVE_SHIFT = {"": 0, "advantage": 5, "disadvantage": -5}


@dataclass(frozen=True, slots=True)
class Mode:
    """How a creature makes a check, and why."""

    kind: str  # "" | advantage | disadvantage
    helps: tuple[str, ...] = ()  # hidden | invisible | by-hand
    hinders: tuple[str, ...] = ()
    # surprised | incapacitated | poisoned | frightened | exhaustion | by-hand


def hinders(combatant: Combatant, settings: Settings) -> tuple[str, ...]:
    """What on it gives all its ability checks disadvantage."""
    found = tuple(code for code in HINDERING if combatant.has(code))
    exhausted = settings.edition == "2014" and combatant.level("exhaustion")
    return (*found, "exhaustion") if exhausted else found


def combined(told: str, helping: tuple[str, ...], hindering: tuple[str, ...]) -> Mode:
    """What the GM's word and its state make of a check; "plain" is the last word."""
    if told == "plain":
        return Mode("", (), ("by-hand",))
    if told == "advantage":
        helping = (*helping, "by-hand")
    elif told == "disadvantage":
        hindering = (*hindering, "by-hand")
    if bool(helping) == bool(hindering):
        return Mode("", helping, hindering)
    return Mode("advantage" if helping else "disadvantage", helping, hindering)


def stealth_mode(combatant: Combatant, settings: Settings) -> Mode:
    """How it rolls Dexterity (Stealth)."""
    return combined(combatant.stealth_roll, (), hinders(combatant, settings))


def perception_mode(combatant: Combatant, settings: Settings) -> Mode:
    """What moves its passive Wisdom (Perception)."""
    return combined(combatant.perception_roll, (), hinders(combatant, settings))


def passive(combatant: Combatant, settings: Settings) -> int | None:
    """Passive Perception as it counts now: ±5 with advantage or disadvantage, less exhaustion.

    That exhaustion of edition 2024 lowers passive scores, too, is a ruling.
    """
    if combatant.passive_perception is None:
        return None
    shift = PASSIVE_SHIFT[perception_mode(combatant, settings).kind]
    return combatant.passive_perception + shift - exhaustion_penalty(combatant, settings)
