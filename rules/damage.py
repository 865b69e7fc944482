"""Hit points: damage, healing and temporary hit points, who is defeated and who is down.

Source: DRS, chapter "Combattre" / "Dégâts et soins"; SRD 5.1, "Damage and Healing".
"""

from dataclasses import dataclass

from rules.combatant import Combatant
from rules.effects import dodging_ended
from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.surprise import BearsOnSurprise

AMOUNT_LIMIT = 99_999


@dataclass(frozen=True, slots=True)
class Damage(BearsOnSurprise):
    """Take hit points: the temporary ones first, the rest never below 0.

    Raises `RuleError`: "amount-out-of-range", "hp-unknown", "no-combatant".
    """

    target: int  # combatant's number
    amount: int  # hit points, 0 or more
    dice: tuple[int, ...] = ()  # those behind the amount, for the log

    def change(self, fight: Fight) -> Outcome:
        target, hp, _ = _known(fight, self.target, self.amount)
        absorbed = min(target.temp_hp, self.amount)
        left = max(0, hp - (self.amount - absorbed))
        changed = fight.with_combatant(target.number, temp_hp=target.temp_hp - absorbed, hp=left)
        details = {"who": names([target]), "amount": self.amount, "dice": list(self.dice)}
        events = [Event("damaged", details)]
        if left == 0 and hp > 0:
            code = "went-down" if target.is_hero else "was-defeated"
            events.append(Event(code, {"who": names([target])}))
            changed = dodging_ended(changed, target.number)
        return Outcome(changed, tuple(events))


@dataclass(frozen=True, slots=True)
class Heal(BearsOnSurprise):
    """Give hit points back, never above the maximum. Raises as `Damage`."""

    target: int
    amount: int
    dice: tuple[int, ...] = ()

    def change(self, fight: Fight) -> Outcome:
        target, hp, max_hp = _known(fight, self.target, self.amount)
        changed = fight.with_combatant(target.number, hp=max(hp, min(max_hp, hp + self.amount)))
        return told(
            changed, "healed", who=names([target]), amount=self.amount, dice=list(self.dice)
        )


@dataclass(frozen=True, slots=True)
class GiveTemporary:
    """Give temporary hit points: they do not add up, the higher stays. Raises as `Damage`."""

    target: int
    amount: int
    dice: tuple[int, ...] = ()

    def run(self, fight: Fight) -> Outcome:
        target, _, _ = _known(fight, self.target, self.amount)
        changed = fight.with_combatant(target.number, temp_hp=max(target.temp_hp, self.amount))
        return told(
            changed,
            "given-temporary",
            who=names([target]),
            amount=self.amount,
            dice=list(self.dice),
        )


def _known(fight: Fight, number: int, amount: int) -> tuple[Combatant, int, int]:
    fight.require("preparing", "rolling", "running")
    target = fight.combatant(number)
    if not 0 <= amount <= AMOUNT_LIMIT:
        raise RuleError("amount-out-of-range", limit=AMOUNT_LIMIT)
    if target.hp is None or target.max_hp is None:
        raise RuleError("hp-unknown", who=names([target]))
    return target, target.hp, target.max_hp
