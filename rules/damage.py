"""Hit points: damage by type, healing, temporary hit points, and setting them by hand.

Each type of a hit is halved by a made save, then reduced, then halved by resistance, then doubled
by vulnerability, each rounded down, or absorbed. Source: DRS, "Combattre" / "Dégâts et soins";
SRD 5.1, 5.2.
"""

from dataclasses import dataclass, replace
from typing import Any

from rules.blows import DEFENCES, Blow, dealt
from rules.combatant import Combatant, Due, few
from rules.consequences import (
    halved,
    lifted,
    over,
    whole_maximum,
    with_consequences,
    with_whole_maximum,
)
from rules.dying import fallen, hit_while_down, kept_up, relieved, woken
from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.surprise import BearsOnSurprise

AMOUNT_LIMIT = 99_999
INSTEAD = ("", "one", "full")  # of falling to 0: at 1 hit point, or anew at the maximum
LEAST_DC, MOST_DC = 10, {"2014": AMOUNT_LIMIT, "2024": 30}  # of a concentration save


@dataclass(frozen=True, slots=True)
class Damage(BearsOnSurprise):
    """Take hit points: the temporary ones first, the rest never below 0.

    Raises `RuleError`: "amount-out-of-range", "hp-unknown", "no-such-choice", "no-combatant".
    """

    target: int  # combatant's number
    amount: int  # hit points as rolled, 0 or more
    dice: tuple[int, ...] = ()  # those behind the amount, for the log
    type: str = ""  # of damage; "" for none in particular
    more: tuple[tuple[int, str], ...] = ()  # further amounts of other types, from the same source
    half: bool = False  # a made save halves it
    reduction: int = 0  # hit points less, once for the hit
    reduction_type: str = ""  # less of this type alone; "" of whatever comes
    critical: bool = False  # two failures instead of one for the dying
    knock_out: bool = False  # a melee attack that means to spare a creature
    also: tuple[str, ...] = ()  # conditions of defences that hold now
    defence: str = "auto"  # auto: as its own defences say
    by: int | None = None  # whose doing it is
    instead: str = ""  # of falling to 0 hit points: "" | one | full

    def change(self, fight: Fight) -> Outcome:
        further = (amount for amount, _ in self.more)
        target, hp, maximum = _known(fight, self.target, self.amount, self.reduction, *further)
        if self.defence not in DEFENCES or self.instead not in INSTEAD:
            raise RuleError("no-such-choice")
        blow = self.dealt(target)
        blow = replace(blow, regained=0) if target.defeated else blow
        by_temporary = min(target.temp_hp, blow.taken)
        left = min(max(hp, maximum), hp + blow.regained + by_temporary - blow.taken)
        changes = {"temp_hp": target.temp_hp - by_temporary, "hp": max(0, left)}
        hurt = _kept_back(fight.with_combatant(target.number, **changes), target.number, blow)
        lost = by_temporary + max(0, hp - max(1 if self.instead == "one" else 0, left))
        events = self._events(fight, target, blow, lost)
        fell = self._fallen(hurt, target, left, maximum)
        asked = _asked_to_concentrate(fell.fight, target.number, blow.taken)
        back = _turned_no_more(asked, target.number, blow.taken)
        after = with_consequences(back.fight, [target.number])
        told = (*events, *fell.events, *back.events, *after.events)
        return Outcome(after.fight, told, counts=not blow.taken)

    def dealt(self, target: Combatant) -> Blow:
        """What comes of it, after the save, the reduction and the defences of the target."""
        parts = ((self.amount, self.type), *self.more)
        if self.half:
            parts = tuple((amount // 2, kind) for amount, kind in parts)
        reduction = (self.reduction, self.reduction_type)
        return dealt(target, parts, reduction, defence=self.defence, also=self.also)

    def _fallen(self, hurt: Fight, was: Combatant, left: int, maximum: int) -> Outcome:
        """What falling to 0 brings, or lying there already; `left` is below 0 by what is over."""
        if was.hp and left <= 0:
            if self.instead:
                return kept_up(hurt, was, maximum if self.instead == "full" else 1)
            return fallen(hurt, was, over=-left, maximum=maximum, spared=self.knock_out)
        if was.hp == 0 and left < 0:
            return hit_while_down(hurt, was, -left, maximum, critical=self.critical)
        if was.hp == 0 < left and not was.defeated:
            return woken(hurt, was.number, left)
        return Outcome(hurt)

    def _events(self, fight: Fight, target: Combatant, blow: Blow, lost: int) -> list[Event]:
        events: list[Event] = []
        if blow.regained:
            events.append(Event("absorbed", {"who": names([target]), "amount": blow.regained}))
        if blow.taken or not blow.regained:
            events.append(Event("damaged", self._told(fight, target, blow, lost)))
        return events

    def _told(self, fight: Fight, target: Combatant, blow: Blow, lost: int) -> dict[str, Any]:
        rolled, taken = self.amount + sum(amount for amount, _ in self.more), blow.taken
        facts: dict[str, Any] = {
            "who": names([target]), "amount": taken, "dice": list(self.dice), "type": self.type,
        }  # fmt: skip
        facts |= {"types": [kind for _, kind in self.more]} if self.more else {}
        facts |= {"rolled": rolled} if rolled != taken else {}
        facts |= {"lost": lost} if lost != taken else {}
        facts |= {"nothing": blow.nothing} if blow.nothing else {}
        if self.by is not None:
            facts["by"] = names([c for c in fight.combatants if c.number == self.by])
        return facts


def _kept_back(fight: Fight, number: int, blow: Blow) -> Fight:
    """Its regeneration does not work once, after damage that stops it."""
    who = fight.combatant(number)
    if not any(e.stopped_by and not e.stopped for e in who.effects):
        return fight
    effects = tuple(
        replace(e, stopped=True) if blow.types.intersection(e.stopped_by.split(",")) else e
        for e in who.effects
    )
    return fight.with_combatant(number, effects=effects)


def _asked_to_concentrate(fight: Fight, number: int, taken: int) -> Fight:
    """One save for each source of damage, on what is left of it before temporary hit points."""
    target = fight.combatant(number)
    if not taken or target.incapacitated or not target.has("concentration"):
        return fight
    dc = min(max(LEAST_DC, taken // 2), MOST_DC[fight.settings.edition])
    due = Due("concentration", dc, "con", "concentration")
    return fight.with_combatant(number, dues=few((*target.dues, due)))


def _turned_no_more(fight: Fight, number: int, taken: int) -> Outcome:
    """Whoever is turned is so until it takes damage (SRD 5.1, "Turn Undead")."""
    turned = tuple(e for e in fight.combatant(number).effects if e.code == "turned" and taken)
    return over(fight, number, turned) if turned else Outcome(fight)


@dataclass(frozen=True, slots=True)
class Heal(BearsOnSurprise):
    """Give hit points back, never above the maximum. The dying wake.

    Raises as `Damage`; "is-dead" for the dead, whom `Revive` brings back.
    """

    target: int
    amount: int
    dice: tuple[int, ...] = ()

    def change(self, fight: Fight) -> Outcome:
        target, hp, maximum = _known(fight, self.target, self.amount)
        if target.defeated:
            raise RuleError("is-dead", who=names([target]))
        healed = max(hp, min(maximum, hp + self.amount))
        facts: dict[str, Any] = {
            "who": names([target]), "amount": self.amount, "dice": list(self.dice),
        }  # fmt: skip
        over = self.amount - (healed - hp)
        event = Event("healed", facts | ({"over": over} if over else {}))
        if hp == 0 < healed or (target.stable and healed > hp):  # who was knocked out wakes, too
            sleeping = tuple(e for e in target.effects if e.code == "unconscious" and hp)
            woke = woken(lifted(fight, target.number, sleeping), target.number, healed)
            return Outcome(woke.fight, (event, *woke.events))
        return Outcome(fight.with_combatant(target.number, hp=healed), (event,))


@dataclass(frozen=True, slots=True)
class Revive(BearsOnSurprise):
    """Bring the dead back, with these hit points.

    Raises as `Damage`; "not-dead", and "hp-above-maximum" where not one is left.
    """

    target: int
    amount: int = 1

    def change(self, fight: Fight) -> Outcome:
        target, _, _ = _known(fight, self.target, self.amount)
        if not target.defeated:
            raise RuleError("not-dead", who=names([target]))
        fight = relieved(fight, target.number)
        maximum = fight.combatant(target.number).max_hp or 0
        if not maximum:
            raise RuleError("hp-above-maximum", maximum=maximum)
        back = woken(fight, target.number, max(1, min(maximum, self.amount)))
        return Outcome(back.fight, (Event("revived", {"who": names([target])}),))


@dataclass(frozen=True, slots=True)
class GiveTemporary:
    """Give temporary hit points: they do not add up, the higher stays, or exactly these.

    Raises as `Damage`.
    """

    target: int
    amount: int
    dice: tuple[int, ...] = ()
    exactly: bool = False  # the GM has chosen, whatever there was

    def run(self, fight: Fight) -> Outcome:
        target, _, _ = _known(fight, self.target, self.amount)
        given = self.amount if self.exactly else max(target.temp_hp, self.amount)
        changed = fight.with_combatant(target.number, temp_hp=given)
        facts = {"amount": self.amount, "dice": list(self.dice)}
        return told(changed, "given-temporary", who=names([target]), **facts)


@dataclass(frozen=True, slots=True)
class SetHitPoints(BearsOnSurprise):
    """Set the hit points to a number, up to the maximum. Raises as `Damage`."""

    target: int
    hp: int

    def change(self, fight: Fight) -> Outcome:
        _known(fight, self.target, self.hp)
        fight = relieved(fight, self.target) if self.hp else fight
        target, hp, maximum = _known(fight, self.target, self.hp)
        if self.hp > maximum:
            raise RuleError("hp-above-maximum", maximum=maximum)
        event = Event("hit-points-set", {"who": names([target]), "hp": self.hp})
        if self.hp and (not hp or target.dead):
            came = woken(fight, target.number, self.hp)
        elif hp and not self.hp:
            down = fight.with_combatant(target.number, hp=0)
            came = fallen(down, target, over=0, maximum=maximum, spared=False)
        else:
            came = Outcome(fight.with_combatant(target.number, hp=self.hp))
        after = with_consequences(came.fight, [target.number])
        return Outcome(after.fight, (event, *came.events, *after.events))


@dataclass(frozen=True, slots=True)
class ChangeMaximum(BearsOnSurprise):
    """Raise the maximum for the day, hit points with it, or lower it, hit points at most as high.

    It is the whole maximum that changes, of which exhaustion may leave half. Raises as `Damage`.
    """

    target: int
    by: int  # hit points, below 0 to lower it

    def change(self, fight: Fight) -> Outcome:
        target, hp, maximum = _known(fight, self.target, abs(self.by))
        whole = min(AMOUNT_LIMIT, max(0, whole_maximum(target) + self.by))
        effects = with_whole_maximum(target, whole).effects
        changed = fight.with_combatant(target.number, max_hp=whole, effects=effects)
        changed = halved(changed, target.number)
        now = changed.combatant(target.number).max_hp or 0
        left = min(now, hp + max(0, now - maximum) if hp else hp)
        changed = changed.with_combatant(target.number, hp=left)
        event = Event("maximum-changed", {"who": names([target]), "maximum": now})
        after = with_consequences(changed, [target.number])
        return Outcome(after.fight, (event, *after.events))


def _known(fight: Fight, number: int, *amounts: int) -> tuple[Combatant, int, int]:
    fight.require("preparing", "rolling", "running")
    target = fight.combatant(number)
    if any(not 0 <= amount <= AMOUNT_LIMIT for amount in amounts):
        raise RuleError("amount-out-of-range", limit=AMOUNT_LIMIT)
    if target.hp is None or target.max_hp is None:
        raise RuleError("hp-unknown", who=names([target]))
    return target, target.hp, target.max_hp
