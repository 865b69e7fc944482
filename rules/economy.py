"""What a creature has on its turn, and what it spends: movement, actions, its reaction.

Source: DRS, "Combattre" / "Votre tour", "Actions en combat"; SRD 5.1 and 5.2, "Actions".
"""

from dataclasses import dataclass, replace

from rules.combatant import WALK, WAYS, Combatant, Effect
from rules.conditions import ACTIONS_OF_THE_TURNED
from rules.consequences import (
    concentration_ended,
    holds_spell,
    lifted,
    speed_of,
    with_consequences,
    without,
)
from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.settings import Settings
from rules.unnoticed import checked

ACTIONS = {
    "2014": ("attack", "cast-a-spell", "dash", "disengage", "dodge", "help", "hide", "ready",
             "search", "use-an-object"),
    "2024": ("attack", "dash", "disengage", "dodge", "help", "hide", "influence", "magic",
             "ready", "search", "study", "utilize"),
}  # fmt: skip
COSTS = ("action", "bonus", "none")  # what an action may cost
SPENDABLE = ("action", "bonus", "object")
LEAVES = {
    "disengage": Effect("disengaged", ends="end"),
    "dodge": Effect("dodging", ends="start"),
    "help": Effect("helping", ends="start"),
}  # what an action leaves until the end of this turn, or the start of the next


@dataclass(frozen=True, slots=True)
class Means:
    """What a combatant has left, were it its turn."""

    speed: int | None  # feet, as it moves and its effects leave it; None when nobody knows it
    allowed: int | None  # feet this turn, with what it has dashed
    moved: float
    action: bool
    bonus: bool
    object: bool
    reaction: bool
    lost_to: str  # "" | surprised | incapacitated: why it can do nothing
    way: str  # how it moves: walk | fly | swim | climb | burrow
    ways: tuple[tuple[str, int | None], ...]  # each that it has, on foot first, and its feet


def means(combatant: Combatant, fight: Fight) -> Means:
    """What is left of its turn; a surprised or incapacitated creature has nothing of it."""
    lost = _lost_to(combatant, fight)
    has = [way for way in WAYS if way == WALK or way in combatant.speeds]
    still = lost == "surprised"
    ways = tuple((w, 0 if still else speed_of(combatant, fight.settings, w)) for w in has)
    speed = dict(ways)[combatant.way]
    return Means(
        speed=speed,
        allowed=None if speed is None else speed * (1 + combatant.dashes),
        moved=combatant.moved,
        action=not (combatant.action_spent or lost),
        bonus=not (combatant.bonus_spent or lost),
        object=not (combatant.object_spent or lost),
        reaction=combatant.can_react,
        lost_to=lost,
        way=combatant.way,
        ways=ways,
    )


def actions(settings: Settings) -> tuple[str, ...]:
    """The actions in combat of this edition: ten in 2014, twelve in 2024."""
    return ACTIONS[settings.edition]


def _lost_to(combatant: Combatant, fight: Fight) -> str:
    acting = combatant.slot is not None and combatant.slot == fight.home(fight.current)
    if combatant.surprised or (acting and combatant.lost_turn):
        return "surprised"
    return "incapacitated" if combatant.incapacitated else ""


@dataclass(frozen=True, slots=True)
class TakeAction:
    """Take one of the actions in combat: it spends its cost and leaves its reminder.

    Raises `RuleError`: "no-such-action", "no-such-choice", "nothing-left" with what is spent,
    "turn-is-lost" for the surprised and the incapacitated, "is-turned" for what the turned do not,
    "stealth-out-of-range".
    """

    target: int
    action: str
    cost: str = "action"  # action | bonus | none
    text: str = ""  # what is held ready
    spell: bool = False  # what is held ready is a spell, which takes concentration
    check: int | None = None  # total of Stealth to hide, of Perception to search
    dice: tuple[int, ...] = ()  # the d20s behind it

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        if self.action not in actions(fight.settings):
            raise RuleError("no-such-action")
        if self.cost not in COSTS:
            raise RuleError("no-such-choice")
        if who.has("turned") and self.cost == "action" and self.action not in ACTIONS_OF_THE_TURNED:
            raise RuleError("is-turned", who=names([who]))
        changes = _paid(who, self.cost, fight)
        if self.action == "dash":
            changes["dashes"] = who.dashes + 1
        details = {"action": self.action, "cost": self.cost, "text": self.text}
        event = Event("action-taken", {"who": names([who]), **details})
        lets_go = self.action == "ready" and (self.spell or any(map(holds_spell, who.effects)))
        lost = concentration_ended(fight, self.target) if lets_go else Outcome(fight)
        who = lost.fight.combatant(self.target)
        left = self._left()
        changes["effects"] = (*without(who, *(effect.code for effect in left)), *left)
        after = with_consequences(lost.fight.with_combatant(self.target, **changes), [self.target])
        end = checked(after.fight, self.target, self.action, self.check, self.dice)
        return Outcome(end.fight, (event, *lost.events, *after.events, *end.events))

    def _left(self) -> tuple[Effect, ...]:
        """What the action leaves on who takes it; a spell held ready takes concentration."""
        if self.action != "ready":
            return (LEAVES[self.action],) if self.action in LEAVES else ()
        held = Effect("readied", text=self.text, ends="start")
        if not self.spell:
            return (held,)
        hung = replace(held, source=self.target, hangs=True)
        return hung, Effect("concentration", text=self.text, ends="start")


def _paid(who: Combatant, cost: str, fight: Fight) -> dict[str, object]:
    left = means(who, fight)
    if left.lost_to:
        raise RuleError("turn-is-lost", who=names([who]))
    if cost == "none":
        return {}
    if not (left.action if cost == "action" else left.bonus):
        raise RuleError("nothing-left", who=names([who]), what=cost)
    return {f"{cost}_spent": True}


@dataclass(frozen=True, slots=True)
class SetSpent:
    """Tick or untick the action, the bonus action or the object interaction of this turn.

    Raises `RuleError`: "no-such-choice", "turn-is-lost".
    """

    target: int
    what: str  # action | bonus | object
    spent: bool

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        if self.what not in SPENDABLE:
            raise RuleError("no-such-choice")
        if means(who, fight).lost_to:
            raise RuleError("turn-is-lost", who=names([who]))
        changed = fight.with_combatant(self.target, **{f"{self.what}_spent": self.spent})
        code = "spent" if self.spent else "regained"
        return told(changed, code, who=names([who]), what=self.what)


def kept_from_reacting(who: Combatant) -> str:
    """Why it can spend no reaction, as the code of a refusal; "" when it can."""
    if kept := who.kept_from_reacting:
        return f"{kept}-cannot-react"
    return "" if who.reaction else "cannot-react"


def _check_able(who: Combatant) -> None:
    if who.kept_from_reacting:
        raise RuleError(kept_from_reacting(who), who=names([who]))


def _check_reaction(who: Combatant) -> None:
    """Raise `RuleError` unless it has a reaction to spend."""
    if code := kept_from_reacting(who):
        raise RuleError(code, who=names([who]))


@dataclass(frozen=True, slots=True)
class ReleaseReadied:
    """Do what was held ready, with the reaction.

    Raises `RuleError`: "effect-is-gone" when nothing is held, "cannot-react",
    "surprised-cannot-react", "incapacitated-cannot-react", "turned-cannot-react".
    """

    target: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        held = next((effect for effect in who.effects if effect.code == "readied"), None)
        if held is None:
            raise RuleError("effect-is-gone")
        _check_reaction(who)
        event = Event("readied-released", {"who": names([who]), "text": held.text})
        fight = lifted(fight, self.target, (held,)).with_combatant(self.target, reaction=False)
        over = concentration_ended(fight, self.target) if holds_spell(held) else Outcome(fight)
        return Outcome(over.fight, (event, *over.events))


@dataclass(frozen=True, slots=True)
class SetReaction:
    """Tick or untick a combatant's reaction; what it held ready is lost with it.

    It comes back at the start of its turn. Raises `RuleError`: "cannot-react" when it has none
    to spend; "surprised-cannot-react", "incapacitated-cannot-react" and "turned-cannot-react", for
    one given back, too.
    """

    target: int
    available: bool

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        if self.available:
            _check_able(who)
        else:
            _check_reaction(who)
        code = "reaction-returned" if self.available else "reaction-spent"
        events = [Event(code, {"who": names([who])})]
        fight = fight.with_combatant(self.target, reaction=self.available)
        held = tuple(effect for effect in who.effects if effect.code == "readied")
        if held and not self.available:
            events.append(Event("readied-lost", {"who": names([who])}))
            spell = any(map(holds_spell, held))
            over = concentration_ended(fight, self.target) if spell else Outcome(fight)
            fight = lifted(over.fight, self.target, held)
        return Outcome(fight, tuple(events))
