"""Conditions and reminders on a combatant, and what they take from it.

Source: DRS, "Gérer la santé" / "États"; SRD 5.1 and 5.2, "Conditions".
"""

from dataclasses import dataclass

from rules.combatant import Combatant, Effect
from rules.fight import Fight, Outcome, RuleError, names, told
from rules.settings import Settings
from rules.surprise import BearsOnSurprise

CONDITIONS = (
    "blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated",
    "invisible", "paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned",
    "unconscious",
)  # fmt: skip
REMINDERS = ("dodging", "disengaged", "helping", "readied")  # what actions leave behind
EXHAUSTION_LIMIT = 6
STUCK = ("grappled", "restrained", "paralyzed", "petrified", "unconscious")


def speed_of(combatant: Combatant, settings: Settings) -> int | None:
    """Feet a turn, with what its effects leave of its speed; None when nobody knows it."""
    if combatant.down or combatant.has(*STUCK):
        return 0
    if combatant.has("stunned") and settings.edition == "2014":
        return 0
    speed, exhaustion = combatant.speed, combatant.level("exhaustion")
    if speed is None or not exhaustion:
        return speed
    if settings.edition == "2024":
        return max(0, speed - 5 * exhaustion)
    return 0 if exhaustion >= 5 else speed // 2 if exhaustion >= 2 else speed


def without(combatant: Combatant, *codes: str) -> tuple[Effect, ...]:
    """Its effects but these."""
    return tuple(effect for effect in combatant.effects if effect.code not in codes)


def dodging_ended(fight: Fight, number: int) -> Fight:
    """The fight, the combatant no longer dodging if it is incapacitated or cannot move."""
    who = fight.combatant(number)
    stopped = who.incapacitated or speed_of(who, fight.settings) == 0
    if not (stopped and who.has("dodging")):
        return fight
    return fight.with_combatant(number, effects=without(who, "dodging"))


@dataclass(frozen=True, slots=True)
class AddEffect(BearsOnSurprise):
    """Put a condition on a combatant; exhaustion takes its level. Unconscious includes prone.

    Raises `RuleError`: "no-such-effect", "level-out-of-range", "no-combatant".
    """

    target: int
    code: str
    level: int = 0  # of exhaustion: 1 … 6

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = fight.combatant(self.target)
        if self.code not in CONDITIONS:
            raise RuleError("no-such-effect")
        leveled = self.code == "exhaustion"
        if not (1 <= self.level <= EXHAUSTION_LIMIT if leveled else self.level == 0):
            raise RuleError("level-out-of-range", limit=EXHAUSTION_LIMIT)
        added = [Effect(self.code, self.level)]
        if self.code == "unconscious" and not who.has("prone"):
            added.append(Effect("prone"))
        effects = (*without(who, self.code), *added)
        changed = dodging_ended(fight.with_combatant(self.target, effects=effects), self.target)
        details = {"effect": self.code, "level": self.level}
        return told(changed, "effect-added", who=names([who]), **details)


@dataclass(frozen=True, slots=True)
class RemoveEffect(BearsOnSurprise):
    """Take a condition or a reminder from a combatant.

    Raises `RuleError("effect-is-gone")` when it is not on it.
    """

    target: int
    code: str

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = fight.combatant(self.target)
        if not who.has(self.code):
            raise RuleError("effect-is-gone")
        changed = fight.with_combatant(self.target, effects=without(who, self.code))
        return told(changed, "effect-ended", who=names([who]), effect=self.code)


def ended_at(edge: str, combatant: Combatant) -> tuple[Effect, ...]:
    """The effects that end by themselves at the "start" or the "end" of its turn."""
    return tuple(effect for effect in combatant.effects if effect.ends == edge)
