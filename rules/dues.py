"""Settling what is due: saves that were made or failed, recharges, hit points of a turn.

Source: DRS, "Lancer des sorts" / "Concentration"; SRD 5.1, "Conditions", "Limited Usage".
"""

from dataclasses import dataclass, replace
from typing import Any

from rules.combatant import Combatant, Due, Effect
from rules.consequences import concentration_ended, over
from rules.damage import AMOUNT_LIMIT
from rules.durations import each_turn
from rules.dying import not_regenerated
from rules.fight import Event, Fight, Outcome, RuleError, names
from rules.surprise import BearsOnSurprise
from rules.uses import use_of, with_use


@dataclass(frozen=True, slots=True)
class Settle(BearsOnSurprise):
    """Say how something that was due came out.

    A death save is settled by `DeathSave`. Raises `RuleError`: "nothing-due" when it is due no
    more, "effect-is-gone", "amount-out-of-range".
    """

    target: int
    due: Due
    made: bool  # the save, or the recharge; of hit points of a turn: applied
    dice: tuple[int, ...] = ()  # that fell for it
    total: int | None = None  # of the save, or the hit points of a turn

    def change(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        if self.due not in who.dues or self.due.kind == "death":
            raise RuleError("nothing-due")
        if self.total is not None and abs(self.total) > AMOUNT_LIMIT:
            raise RuleError("amount-out-of-range", limit=AMOUNT_LIMIT)
        fight = dismissed(fight, who, self.due)
        settle = {
            "concentration": self._concentration,
            "save": self._save,
            "recharge": self._recharge,
            "each": self._each,
        }[self.due.kind]
        settled = settle(fight, who)
        return Outcome(settled.fight, (*self._told(who), *settled.events), counts=True)

    def _told(self, who: Combatant) -> tuple[Event, ...]:
        if self.due.kind == "each":
            return ()
        facts = _about(who, self.due) | {"dice": list(self.dice), "total": self.total}
        if self.due.kind == "recharge":
            return (Event("recharge-made" if self.made else "recharge-failed", facts),)
        return (Event("save-made" if self.made else "save-failed", facts),)

    def _concentration(self, fight: Fight, _who: Combatant) -> Outcome:
        return Outcome(fight) if self.made else concentration_ended(fight, self.target)

    def _save(self, fight: Fight, who: Combatant) -> Outcome:
        effect = effect_of(who, self.due)
        if not self.made:
            return Outcome(fight)
        return over(fight, self.target, (effect,))

    def _recharge(self, fight: Fight, who: Combatant) -> Outcome:
        use = use_of(who, self.due.text)
        if not self.made:
            return Outcome(fight)
        uses = with_use(who, replace(use, left=use.max))
        return Outcome(fight.with_combatant(self.target, uses=uses))

    def _each(self, fight: Fight, who: Combatant) -> Outcome:
        effect = effect_of(who, self.due)
        if not self.made or self.total is None:
            return Outcome(fight)
        return each_turn(fight, self.target, effect, self.total, self.dice)


def effect_of(who: Combatant, due: Due) -> Effect:
    """The effect that something due is about; raises `RuleError("effect-is-gone")`."""
    key = (due.effect, due.text, due.source)
    for effect in who.effects:
        if effect.key == key:
            return effect
    raise RuleError("effect-is-gone")


def _about(who: Combatant, due: Due) -> dict[str, Any]:
    """What an event tells of something that was due."""
    facts = {"dc": due.dc, "ability": due.ability, "effect": due.effect, "text": due.text}
    french = [use.name_fr for use in who.uses if due.kind == "recharge" and use.name == due.text]
    return {"who": names([who]), "kind": due.kind, **facts, "text_fr": "".join(french)}


def dismissed(fight: Fight, who: Combatant, due: Due) -> Fight:
    """One of these is due no more."""
    dues = list(who.dues)
    dues.remove(due)
    return fight.with_combatant(who.number, dues=tuple(dues))


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Leave something that is due undone. Raises `RuleError("nothing-due")`."""

    target: int
    due: Due

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        if self.due not in who.dues:
            raise RuleError("nothing-due")
        event = Event("due-dismissed", _about(who, self.due))
        fight = dismissed(fight, who, self.due)
        died = not_regenerated(fight, self.target) if self.due.kind == "each" else Outcome(fight)
        return Outcome(died.fight, (event, *died.events))
