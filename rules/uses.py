"""What is counted: uses a day, spell slots, recharges, legendary actions and resistances.

Source: SRD 5.1 and 5.2, "Legendary Creatures", "Limited Usage".
"""

from dataclasses import dataclass, replace
from typing import Any

from rules.combatant import Combatant, Due, Use, few
from rules.fight import Fight, Outcome, RuleError, names, told

KINDS = ("day", "slots", "rest", "recharge", "legendary", "resistance")
USE_LIMIT = 99  # uses of one kind
USES_LIMIT = 40  # kinds on one combatant
USE_NAME_LIMIT = 80  # characters


def use_of(who: Combatant, name: str) -> Use:
    """Raises `RuleError("no-such-use")`."""
    for use in who.uses:
        if use.name == name:
            return use
    raise RuleError("no-such-use")


def with_use(who: Combatant, use: Use) -> tuple[Use, ...]:
    """Its uses, with this one in the place of the one of its name."""
    return tuple(use if one.name == use.name else one for one in who.uses)


def legendary(who: Combatant) -> Use | None:
    """Its legendary actions, if it has any."""
    return next((use for use in who.uses if use.kind == "legendary"), None)


def resistance(who: Combatant) -> Use | None:
    """Its legendary resistances, if it has any."""
    return next((use for use in who.uses if use.kind == "resistance"), None)


def can_take_legendary(who: Combatant, fight: Fight) -> bool:
    """Whether it may take a legendary action at the end of the turn that is on.

    Never at the end of its own, a lair's or before it can act; and one at a time.
    """
    use = legendary(who)
    acting = fight.members(fight.current)
    others = bool(acting) and all(c.number != who.number and not c.is_lair for c in acting)
    free = not (who.surprised or who.incapacitated or who.passed_over)
    return bool(use and use.left and others and free and use.spent_at != fight.turn_step)


def housed(fight: Fight) -> Fight:
    """The fight where everybody has what its lair gives, while it is there, and no longer.

    It is there when the GM says so, or owns a lair of this fight. Source: SRD 5.2, "Monsters".
    """
    owners = [fight.owner_of(c) for c in fight.combatants if c.is_lair]
    moved = {
        c.number: {"uses": tuple(_moved(use, home) for use in c.uses)}
        for c in fight.combatants
        if c.may_be_at_home and c.at_home != (home := c.in_lair or c in owners)
    }
    return fight.with_each(moved) if moved else fight


def _moved(use: Use, home: bool) -> Use:
    if not use.in_lair or use.at_home == home:
        return use
    more = use.in_lair if home else -use.in_lair
    return replace(use, max=use.max + more, left=max(0, use.left + more), at_home=home)


@dataclass(frozen=True, slots=True)
class SpendUse:
    """Use one up, or as many as it costs.

    Raises `RuleError`: "no-such-use", "no-use-left", "amount-out-of-range", and "no-legendary-now"
    for a legendary action out of its time.
    """

    target: int
    name: str
    cost: int = 1

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        use = use_of(who, self.name)
        if not 1 <= self.cost <= USE_LIMIT:
            raise RuleError("amount-out-of-range", limit=USE_LIMIT)
        if use.left < self.cost:
            raise RuleError("no-use-left", who=names([who]))
        if use.kind == "legendary":
            if not can_take_legendary(who, fight):
                raise RuleError("no-legendary-now", who=names([who]))
            use = replace(use, spent_at=fight.turn_step or 0)
        spent = replace(use, left=use.left - self.cost)
        changed = fight.with_combatant(self.target, uses=with_use(who, spent))
        return told(changed, "use-spent", cost=self.cost, **_about(who, spent))


@dataclass(frozen=True, slots=True)
class SetUse:
    """Set how many are left, as the GM says.

    Raises `RuleError`: "no-such-use", "use-out-of-range".
    """

    target: int
    name: str
    left: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = fight.combatant(self.target)
        use = use_of(who, self.name)
        if not 0 <= self.left <= use.max:
            raise RuleError("use-out-of-range", limit=use.max)
        use = replace(use, left=self.left)
        uses = with_use(who, use)
        dues = who.dues
        if self.left:
            dues = tuple(d for d in dues if (d.kind, d.text) != ("recharge", use.name))
        changed = fight.with_combatant(self.target, uses=uses, dues=dues)
        return told(changed, "use-set", **_about(who, use))


def _about(who: Combatant, use: Use) -> dict[str, Any]:
    """What an event tells of something that is counted."""
    facts = {"use": use.name, "use_fr": use.name_fr, "kind": use.kind}
    return {"who": names([who]), **facts, "left": use.left, "max": use.max}


@dataclass(frozen=True, slots=True)
class AddUse:
    """Count something of a combatant from now on.

    Raises `RuleError`: "no-such-choice", "use-out-of-range", "words-missing", "name-too-long",
    "has-use-already", "too-many-uses".
    """

    target: int
    name: str
    max: int
    kind: str = "day"
    recharges_from: int = 0  # lowest d6, of a recharge

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = fight.combatant(self.target)
        if self.kind not in KINDS or not (
            self.recharges_from in range(2, 7) or self.kind != "recharge"
        ):
            raise RuleError("no-such-choice")
        if not 1 <= self.max <= USE_LIMIT:
            raise RuleError("use-out-of-range", limit=USE_LIMIT)
        if not self.name.strip():
            raise RuleError("words-missing")
        if len(self.name) > USE_NAME_LIMIT:
            raise RuleError("name-too-long", limit=USE_NAME_LIMIT)
        if any(use.name == self.name for use in who.uses):
            raise RuleError("has-use-already", name=self.name)
        if len(who.uses) >= USES_LIMIT:
            raise RuleError("too-many-uses", limit=USES_LIMIT)
        use = Use(self.name, self.max, self.max, self.kind, recharges_from=self.recharges_from)
        changed = housed(fight.with_combatant(self.target, uses=(*who.uses, use)))
        return told(changed, "use-added", **_about(who, use))


@dataclass(frozen=True, slots=True)
class RemoveUse:
    """Count it no more. Raises `RuleError("no-such-use")`."""

    target: int
    name: str

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = fight.combatant(self.target)
        use = use_of(who, self.name)
        uses = tuple(one for one in who.uses if one.name != self.name)
        dues = tuple(d for d in who.dues if (d.kind, d.text) != ("recharge", self.name))
        changed = housed(fight.with_combatant(self.target, uses=uses, dues=dues))
        return told(changed, "use-removed", **_about(who, use))


def at_the_start(who: Combatant) -> dict[str, object]:
    """What its own turn's start gives back, and asks: legendary actions, recharges.

    Nothing of one that is passed over while its group acts.
    """
    if who.passed_over:
        return {}
    uses = tuple(replace(use, left=use.max) if use.kind == "legendary" else use for use in who.uses)
    spent = [use for use in uses if use.kind == "recharge" and use.left == 0]
    asked = (Due("recharge", use.recharges_from, text=use.name) for use in spent)
    dues = [due for due in asked if due not in who.dues]
    if who.dying and who.falls and Due("death") not in who.dues:
        dues.append(Due("death"))
    return {"uses": uses, "dues": few((*who.dues, *dues))}
