"""Attack rolls: against the Armor Class, a 1 misses, a 20 hits and doubles the dice.

Advantage and disadvantage come from the conditions of both, unless the GM says otherwise.
Source: DRS, "Combattre" / "Effectuer une attaque"; SRD 5.1 and 5.2, "Making an Attack".
"""

from dataclasses import dataclass
from typing import Any

from rules.combatant import Combatant
from rules.conditions import (
    ATTACKED_BADLY,
    ATTACKED_WELL,
    ATTACKS_BADLY,
    ATTACKS_WELL,
    HELPLESS,
)
from rules.consequences import EXHAUSTED_AT
from rules.damage import AMOUNT_LIMIT, Damage
from rules.economy import ReleaseReadied, SetReaction, SetSpent, kept_from_reacting, means
from rules.fight import Event, Fight, Outcome, RuleError, names
from rules.settings import Settings
from rules.surprise import BearsOnSurprise
from rules.unnoticed import revealed_by_attacking
from rules.uses import SpendUse, can_take_legendary, legendary

WAYS = ("action", "reaction", "readied", "legendary")  # what an attack is made as
MODES = ("auto", "plain", "advantage", "disadvantage")


def attack_mode(
    attacker: Combatant, target: Combatant | None, settings: Settings, *, melee: bool
) -> str:
    """plain | advantage | disadvantage: what their conditions make of an attack roll.

    So does who of them has not noticed the other.
    """
    edition = settings.edition
    good = attacker.has(*ATTACKS_WELL[edition])
    exhausted = edition == "2014" and attacker.level("exhaustion") >= EXHAUSTED_AT
    bad = attacker.has(*ATTACKS_BADLY[edition]) or exhausted
    if target is not None:
        lying = target.has("prone")
        good = good or target.down or target.has(*ATTACKED_WELL[edition]) or (lying and melee)
        good = good or target.number in attacker.unnoticed_by
        bad = bad or target.has(*ATTACKED_BADLY[edition]) or (lying and not melee)
        bad = bad or attacker.number in target.unnoticed_by
        bad = bad or (edition == "2024" and _held_by_another(attacker, target))
    if good == bad:
        return "plain"
    return "advantage" if good else "disadvantage"


def _held_by_another(attacker: Combatant, target: Combatant) -> bool:
    """Whether somebody else than the target grapples it (SRD 5.2, "Grappled")."""
    holders = [e.source for e in attacker.effects if e.code == "grappled" and e.source]
    return any(holder != target.number for holder in holders)


def kept_from_attacking(who: Combatant, fight: Fight, way: str = "action") -> str:
    """Why it may make no attack of this kind now, as the code of a refusal; "" when it may.

    Nobody attacks who is incapacitated, or surprised until its first turn has ended; a reaction
    takes one that is left, a legendary action does not; the turned only flee or dodge (DRS,
    "Surprise"; SRD 5.1, 5.2).
    """
    if means(who, fight).lost_to:
        return "turn-is-lost"
    if way == "action" and who.has("turned"):
        return "is-turned"
    if way == "legendary":
        return "" if can_take_legendary(who, fight) else "no-legendary-now"
    return kept_from_reacting(who) if way in ("reaction", "readied") else ""


def _spent(fight: Fight, who: Combatant, way: str) -> Outcome:
    """What an attack of this kind takes: of several with one action, the first takes it."""
    if way == "reaction":
        return SetReaction(who.number, False).run(fight)
    if way == "readied":
        return ReleaseReadied(who.number).run(fight)
    use = legendary(who) if way == "legendary" else None
    if use:
        return SpendUse(who.number, use.name).run(fight)
    own = who.slot is not None and who.slot == fight.home(fight.current)
    if way != "action" or not own or who.action_spent:
        return Outcome(fight)
    return SetSpent(who.number, "action", True).run(fight)


def certain_critical(target: Combatant, *, melee: bool) -> bool:
    """Whether any hit on it from within 5 feet is critical."""
    return melee and (target.down or target.has(*HELPLESS))


@dataclass(frozen=True, slots=True)
class Attack(BearsOnSurprise):
    """Roll an attack, and apply its damage where it hits a target whose numbers are known.

    Without a target, its Armor Class or its hit points it is only told. It takes what it is made
    as; an action only on its own turn, and once. Raises `RuleError`: "turn-is-lost", "is-turned",
    "cannot-react", "effect-is-gone" with nothing held ready, "no-legendary-now",
    "no-such-choice", "die-out-of-range", "amount-out-of-range", and those of `Damage`.
    """

    attacker: int
    name: str
    to_hit: int
    d20s: tuple[int, ...]  # two with advantage or disadvantage
    mode: str  # plain | advantage | disadvantage
    parts: tuple[tuple[int, str], ...]  # hit points and type, as rolled for a hit of this kind
    dice: tuple[int, ...] = ()  # behind the parts
    name_fr: str = ""
    target: int | None = None
    helpless: bool = False  # any hit is critical, as from within 5 feet of the paralyzed
    also: tuple[str, ...] = ()  # conditions of the target's defences that hold
    way: str = "action"  # action | reaction | readied | legendary: what it takes
    instead: str = ""  # of falling, as of `Damage`

    def change(self, fight: Fight) -> Outcome:
        fight.require("running")
        attacker = fight.combatant(self.attacker)
        self._check()
        if refusal := kept_from_attacking(attacker, fight, self.way):
            raise RuleError(refusal, who=names([attacker]))
        target = None if self.target is None else fight.combatant(self.target)
        event = Event("attacked", self._told(attacker, target))
        spent = _spent(fight, attacker, self.way)
        seen = revealed_by_attacking(spent.fight, self.attacker)
        hurt = self._hurt(seen.fight, target, event)
        events = (event, *hurt.events, *seen.events, *spent.events)
        return Outcome(hurt.fight, events, counts=True)

    def _hurt(self, fight: Fight, target: Combatant | None, event: Event) -> Outcome:
        hits = event.details["result"] in ("hit", "critical")
        if target is None or not hits or target.hp is None:
            return Outcome(fight)
        (amount, kind), *more = self.parts or ((0, ""),)
        critical = event.details["result"] == "critical"
        damage = Damage(
            target.number, amount, self.dice, kind, tuple(more), critical=critical, also=self.also,
            by=self.attacker, instead=self.instead,
        )  # fmt: skip
        return damage.change(fight)

    def _check(self) -> None:
        if self.mode not in MODES[1:] or self.way not in WAYS:
            raise RuleError("no-such-choice")
        count = 1 if self.mode == "plain" else 2
        if len(self.d20s) != count or any(not 1 <= die <= 20 for die in self.d20s):
            raise RuleError("die-out-of-range")
        if any(not 0 <= amount <= AMOUNT_LIMIT for amount, _ in self.parts):
            raise RuleError("amount-out-of-range", limit=AMOUNT_LIMIT)

    @property
    def die(self) -> int:
        """The d20 that counts."""
        return min(self.d20s) if self.mode == "disadvantage" else max(self.d20s)

    def result(self, ac: int | None) -> str:
        """hit | critical | miss, or "rolled" where no Armor Class is known."""
        if self.die == 1:
            return "miss"
        if ac is None:
            return "rolled"
        if self.die < 20 and self.die + self.to_hit < ac:
            return "miss"
        return "critical" if self.die == 20 or self.helpless else "hit"

    def _told(self, attacker: Combatant, target: Combatant | None) -> dict[str, Any]:
        return {
            "who": names([attacker]),
            "at": names([target] if target else []),
            "name": self.name,
            "name_fr": self.name_fr,
            "d20s": list(self.d20s),
            "mode": self.mode,
            "total": self.die + self.to_hit,
            "result": self.result(target.ac if target else None),
            "parts": [list(part) for part in self.parts],
            "dice": list(self.dice),
        }
