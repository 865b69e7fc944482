"""Falling to 0 hit points, death saves, waking, and dying for good.

Source: DRS, "Gérer la santé" / "Jets de sauvegarde contre la mort"; SRD 5.1 and 5.2, "Dropping to
0 Hit Points".
"""

from dataclasses import dataclass
from typing import Any

from rules.combatant import Combatant, Effect
from rules.consequences import exhaustion_penalty, lifted, with_consequences
from rules.fight import Event, Fight, Outcome, RuleError, names
from rules.surprise import BearsOnSurprise

CALM: dict[str, Any] = {"stable": False, "death_successes": 0, "death_failures": 0}
DEADLY = 6  # level of exhaustion
SAVES = 3  # successes to be stable, failures to die


def fallen(fight: Fight, was: Combatant, *, over: int, maximum: int, spared: bool) -> Outcome:
    """Hit points have come to 0: a creature is defeated, a hero dying or dead, anybody spared.

    One that regenerates lies there until its turn begins. `over` is the damage left after that;
    at the maximum it kills at once.
    """
    who = names([was])
    if spared:
        return _knocked_out(fight, was)
    if not (was.falls or was.regenerates):
        defeated = fight.with_combatant(was.number, stable=False)
        return Outcome(defeated, (Event("was-defeated", {"who": who}),))
    if over >= maximum and was.falls:
        return _died(fight, was)
    lies = fight.with_combatant(was.number, **CALM, effects=_prone(fight.combatant(was.number)))
    return Outcome(lies, (Event("went-down", {"who": who}),))


def kept_up(fight: Fight, was: Combatant, hp: int) -> Outcome:
    """Something keeps it from falling, with these hit points: nothing of a fall happens."""
    event = Event("stayed-up", {"who": names([was]), "hp": hp})
    return Outcome(fight.with_combatant(was.number, hp=hp), (event,))


def not_regenerated(fight: Fight, number: int) -> Outcome:
    """Its turn has begun at 0 hit points, and it has not regenerated: it dies (SRD, "Troll")."""
    who = fight.combatant(number)
    lies = who.hp == 0 and who.regenerates and not (who.falls or who.stable or who.dead)
    return _died(fight, who) if lies else Outcome(fight)


def _prone(who: Combatant) -> tuple[Effect, ...]:
    return who.effects if who.has("prone") else (*who.effects, Effect("prone"))


def _knocked_out(fight: Fight, was: Combatant) -> Outcome:
    """2014: at 0 HP, unconscious and stable; 2024: at 1 HP and unconscious."""
    hp, effects = 0, _prone(fight.combatant(was.number))
    if fight.settings.edition == "2024":
        out = () if was.has("unconscious") else (Effect("unconscious"),)
        hp, effects = 1, (*effects, *out)
    state = CALM | {"stable": True}
    changed = fight.with_combatant(was.number, **state, hp=hp, effects=effects)
    return Outcome(changed, (Event("knocked-out", {"who": names([was])}),))


def _died(fight: Fight, was: Combatant) -> Outcome:
    dues = tuple(due for due in was.dues if due.kind not in ("death", "concentration"))
    dead = fight.with_combatant(was.number, **CALM, hp=0, dead=True, dues=dues)
    return Outcome(dead, (Event("died", {"who": names([was])}),))


def hit_while_down(
    fight: Fight, was: Combatant, beyond: int, maximum: int, *, critical: bool
) -> Outcome:
    """Damage at 0 HP: a failure, two of a critical hit, or death at once."""
    if was.defeated or (was.regenerates and not (was.falls or was.stable)):
        return Outcome(fight)
    if not was.falls:  # knocked out before
        fight = fight.with_combatant(was.number, stable=False)
        return Outcome(fight, (Event("was-defeated", {"who": names([was])}),))
    if beyond >= maximum:
        return _died(fight, was)
    return _failed(fight, was, was.death_failures, 2 if critical else 1)


def _failed(fight: Fight, was: Combatant, before: int, more: int) -> Outcome:
    if before + more >= SAVES:
        return _died(fight, was)
    changed = fight.with_combatant(was.number, stable=False, death_failures=before + more)
    event = Event("death-save-failed", {"who": names([was]), "failures": before + more})
    return Outcome(changed, (event,))


def relieved(fight: Fight, number: int) -> Fight:
    """The fight in which one whom exhaustion has killed has none any more, to live again."""
    who = fight.combatant(number)
    deadly = tuple(e for e in who.effects if e.code == "exhaustion" and e.level >= DEADLY)
    return lifted(fight, number, deadly) if deadly else fight


def woken(fight: Fight, number: int, hp: int) -> Outcome:
    """Awake with these hit points, and still lying there."""
    who = fight.combatant(number)
    dues = tuple(due for due in who.dues if due.kind != "death")
    changes = {**CALM, "hp": hp, "dead": False, "dues": dues, "effects": _prone(who)}
    awake = fight.with_combatant(number, **changes)
    return Outcome(awake, (Event("woke", {"who": names([who])}),))


@dataclass(frozen=True, slots=True)
class DeathSave(BearsOnSurprise):
    """A death saving throw: 10 or more succeeds, 1 fails twice, 20 gives 1 hit point back.

    Raises `RuleError`: "not-dying", "die-out-of-range".
    """

    target: int
    die: int  # d20 as it counts; 10 and 9 stand for a success and a failure told without a number
    rolled: bool = False  # here: the die is shown, and exhaustion taken from it

    def change(self, fight: Fight) -> Outcome:
        fight.require("running")
        was = fight.combatant(self.target)
        if not (was.dying and was.falls):
            raise RuleError("not-dying", who=names([was]))
        if not 1 <= self.die <= 20:
            raise RuleError("die-out-of-range")
        dues = tuple(due for due in was.dues if due.kind != "death")
        settled = fight.with_combatant(self.target, dues=dues)
        dice = {"dice": [self.die]} if self.rolled else {}
        rolled = Event("death-save", {"who": names([was]), "die": self.die, **dice})
        result = self._result(settled, was)
        after = with_consequences(result.fight, [self.target])
        return Outcome(after.fight, (rolled, *result.events, *after.events), counts=True)

    def _result(self, fight: Fight, was: Combatant) -> Outcome:
        if self.die == 20:
            return woken(fight, was.number, 1)
        taken = exhaustion_penalty(was, fight.settings) if self.rolled else 0
        if self.die - taken < 10:
            more = 2 if self.die == 1 else 1
            return _failed(fight, fight.combatant(was.number), was.death_failures, more)
        successes = was.death_successes + 1
        if successes >= SAVES:
            return _stable(fight, was)
        changed = fight.with_combatant(was.number, death_successes=successes)
        event = Event("death-save-made", {"who": names([was]), "successes": successes})
        return Outcome(changed, (event,))


def _stable(fight: Fight, was: Combatant) -> Outcome:
    dues = tuple(due for due in fight.combatant(was.number).dues if due.kind != "death")
    changed = fight.with_combatant(was.number, **CALM | {"stable": True}, dues=dues)
    return Outcome(changed, (Event("became-stable", {"who": names([was])}),))


@dataclass(frozen=True, slots=True)
class Stabilise(BearsOnSurprise):
    """The dying is stable, and stays at 0 hit points. Raises `RuleError("not-dying")`."""

    target: int

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        was = fight.combatant(self.target)
        if not was.dying:
            raise RuleError("not-dying", who=names([was]))
        return _stable(fight, was)
