"""What players see of a combatant's state: a word for its hit points, and conditions.

Never whose doing a condition is, what is left of it, what hangs on it, the spell concentrated on,
or what is held ready; nor how death saves stand.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import rules
from encounters.effect_words import differs
from encounters.labels import EFFECTS

IN_SIGHT = (*rules.CONDITIONS, "turned", "concentration", "own", "dodging")
ORDER = {code: place for place, code in enumerate(EFFECTS)}


@dataclass(frozen=True, slots=True)
class PlayerEffect:
    code: str
    level: int = 0  # of exhaustion
    text: str = ""  # of own words
    colour: str = ""


def health_in_sight(combatant: rules.Combatant) -> str:
    """healthy | hurt | bloodied | down | dying | stable | dead, or "" when nobody knows."""
    if combatant.down and (combatant.falls or combatant.stable):
        return "dying" if combatant.dying else "stable"
    return combatant.health


def effects_in_sight(combatant: rules.Combatant) -> tuple[PlayerEffect, ...]:
    """Its effects as the table sees them, each once, in the order of the book."""
    seen = {_seen(e) for e in combatant.effects if e.code in IN_SIGHT and not e.secret}
    return tuple(sorted(seen, key=lambda e: (ORDER[e.code], e.text, e.colour)))


def _seen(effect: rules.Effect) -> PlayerEffect:
    if effect.code == "own":
        return PlayerEffect("own", 0, effect.text, effect.colour)
    return PlayerEffect(effect.code, effect.level)


def meant(codes: Iterable[str], fight: rules.Fight) -> tuple[tuple[str, ...], str]:
    """The codes whose meaning is told, and the edition where it matters for one of them."""
    told = tuple(sorted({code for code in codes if code != "own"}))
    return told, fight.settings.edition if any(map(differs, told)) else ""
