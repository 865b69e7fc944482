"""Rounds and turns: beginning, next and previous, and what a turn gives back or ends.

The current turn is a slot, remembered by the slot itself; a slot acts once a round, and *next
turn* goes to the first that has not. Source: DRS, chapter "Combattre" / "Ordre de jeu".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.fight import Combatant, Event, Fight, Outcome, RuleError, names, told
from rules.initiative import RollInitiative, seated
from rules.labelling import revealed
from rules.surprise import find_surprised, watches


@dataclass(frozen=True, slots=True)
class OpenFight:
    """Gather the slots, so that surprise and initiative can be found.

    Raises `RuleError("nobody-fights")` without combatants.
    """

    dice: Mapping[int, int] = field(default_factory=dict)  # slot -> d20, for initiative

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing")
        if not fight.combatants:
            raise RuleError("nobody-fights")
        opened = replace(seated(fight, fight.combatants), state="rolling")
        rolled = RollInitiative(self.dice).run(find_surprised(opened))
        return Outcome(rolled.fight, (Event("opened"), *rolled.events))


@dataclass(frozen=True, slots=True)
class StartFight:
    """Begin the first round; straight from the preparation it opens the fight first.

    Raises `RuleError`: "nobody-fights", "passive-perception-unknown" when surprise cannot be
    found, "totals-empty" unless those slots may act last, "nobody-can-act".
    """

    dice: Mapping[int, int] = field(default_factory=dict)  # slot -> d20, for those still empty
    totals: Mapping[int, int | None] = field(default_factory=dict)  # slot -> total called out
    accept_empty: bool = False

    def run(self, fight: Fight) -> Outcome:
        if fight.state == "preparing":
            fight = OpenFight().run(fight).fight
        fight.require("rolling")
        rolled = RollInitiative(self.dice, self.totals).run(fight)
        fight = find_surprised(rolled.fight)
        self._check(fight)
        surprised = [c for c in fight.combatants if c.surprised]
        fight = replace(fight, state="running", round=1)
        fight = fight.with_each({c.number: {"reaction": True} for c in fight.combatants})
        begun = _next(fight)
        event = Event("fight-began", {"surprised": names(surprised)})
        return Outcome(begun.fight, (*rolled.events, event, *begun.events))

    def _check(self, fight: Fight) -> None:
        unknown = {watch.observer for watch in watches(fight) if watch.reason == "unknown"}
        if unknown:
            who = names(c for c in fight.combatants if c.number in unknown)
            raise RuleError("passive-perception-unknown", who=who)
        empty = {slot.number for slot in fight.slots if slot.total is None}
        if empty and not self.accept_empty:
            who = names(c for c in fight.combatants if c.slot in empty)
            raise RuleError("totals-empty", who=who)


@dataclass(frozen=True, slots=True)
class NextTurn:
    """End the current turn and begin the next; past the last slot, in a new round.

    Raises `RuleError("nobody-can-act")` when every slot is passed over.
    """

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        return _next(turn_ended(fight))


@dataclass(frozen=True, slots=True)
class PreviousTurn:
    """Take back what the step that began this turn changed, and only that.

    Hit points and whatever was changed by hand since stay. Raises
    `RuleError("no-previous-turn")` at the first turn of the fight.
    """

    changes: tuple[Mapping[str, Any], ...]
    # of the step that began this turn, as `plain.difference` gives them; then of those before it,
    # as far back as the turn of somebody who is still there

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        for changes in self.changes:
            fight = _taken_back(fight, changes)
        if fight.current is None or all(s.number != fight.current for s in fight.slots):
            raise RuleError("no-previous-turn")
        who = names(fight.members(fight.current))
        return told(with_turn_in_sight(fight), "turn-taken-back", who=who)


@dataclass(frozen=True, slots=True)
class GiveTurn:
    """Let a slot act at once, whatever its place and whether or not it has acted this round."""

    slot: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        fight.slot(self.slot)
        if self.slot == fight.current:
            return Outcome(fight)
        return _begun(turn_ended(fight), self.slot)


@dataclass(frozen=True, slots=True)
class SetReaction:
    """Tick or untick a combatant's reaction. It comes back at the start of its turn.

    Raises `RuleError("cannot-react")` when it has none to spend.
    """

    target: int
    available: bool

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        if not self.available and not who.can_react:
            raise RuleError("cannot-react", who=names([who]))
        code = "reaction-returned" if self.available else "reaction-spent"
        changed = fight.with_combatant(self.target, reaction=self.available)
        return told(changed, code, who=names([who]))


@dataclass(frozen=True, slots=True)
class EndFight:
    """The fight is over; it can be reopened where it was."""

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        return told(replace(fight, state="ended"), "fight-ended", rounds=fight.round)


@dataclass(frozen=True, slots=True)
class ReopenFight:
    """Go on where the fight was ended."""

    def run(self, fight: Fight) -> Outcome:
        fight.require("ended")
        return told(replace(fight, state="running"), "fight-reopened")


def next_slot(fight: Fight) -> int | None:
    """Whose turn *next turn* would begin, or None when every slot is passed over."""
    return _coming(fight, _passed_over(fight))


def _coming(fight: Fight, passed: set[int]) -> int | None:
    """The first that has not acted this round; when all have, the first of the next."""
    coming = [slot for slot in fight.slots if slot.number not in passed]
    waiting = (slot for slot in coming if slot.acted_round < fight.round)
    slot = next(waiting, coming[0] if coming else None)
    return slot.number if slot else None


def turn_ended(fight: Fight) -> Fight:
    """The fight with the end of the current turn worked out: surprise ends with it."""
    members = fight.members(fight.current) if fight.current is not None else ()
    return fight.with_each({c.number: {"surprised": False} for c in members if c.surprised})


def with_turn_in_sight(fight: Fight) -> Fight:
    """When nobody is left in sight of the turn that players saw, they see the next in sight.

    So it would be if there were no hidden ones: a gap would tell that somebody hidden acts.
    """
    if fight.state != "running" or fight.seen_slot is None:
        return fight
    seen = {c.slot for c in fight.combatants if not (c.hidden or c.passed_over)}
    if any(c.slot == fight.seen_slot and not c.hidden for c in fight.combatants):
        return fight
    coming = [slot for slot in fight.slots if slot.number in seen]
    waiting = [slot for slot in coming if slot.acted_round < fight.seen_round]
    if not coming:
        return replace(fight, seen_slot=None, seen_round=0)
    again = 0 if waiting else 1
    number = (waiting or coming)[0].number
    return replace(fight, seen_slot=number, seen_round=fight.seen_round + again)


def turn_after_leaving(fight: Fight) -> Outcome:
    """Whoever had the turn has left: the next begins at once, or nobody has it."""
    if next_slot(fight) is None:
        return Outcome(replace(fight, current=None))
    return _next(fight)


def _passed_over(fight: Fight) -> set[int]:
    able = {c.slot for c in fight.combatants if not c.passed_over}
    return {slot.number for slot in fight.slots} - able


def _next(fight: Fight) -> Outcome:
    passed = _passed_over(fight)
    number = _coming(fight, passed)
    if number is None:
        raise RuleError("nobody-can-act")
    events: tuple[Event, ...] = ()
    if fight.slot(number).acted_round >= fight.round:
        fight = replace(fight, round=fight.round + 1)
        events = (Event("round-began", {"round": fight.round}),)
    if passed:
        fight = _with_acted(fight, passed.intersection(_before(fight, number)))
    begun = _begun(fight, number)
    return Outcome(begun.fight, (*events, *begun.events))


def _before(fight: Fight, number: int) -> list[int]:
    order = [slot.number for slot in fight.slots]
    return order[: order.index(number)]


def _begun(fight: Fight, number: int) -> Outcome:
    """The turn of a slot begins: its members' reactions are back, players see who acts."""
    members = fight.members(number)
    if fight.settings.reveal_on_turn:
        shown = [c.number for c in members if c.hidden and not (c.has_acted or c.passed_over)]
        fight = revealed(fight, shown) if shown else fight
    fight = fight.with_each({c.number: new for c in members if (new := _at_the_start(c))})
    fight = _with_acted(fight, {number})
    in_sight = any(not c.hidden for c in fight.members(number))
    fight = replace(
        fight,
        current=number,
        turn_step=fight.version + 1,
        seen_slot=number if in_sight else fight.seen_slot,
        seen_round=fight.round if in_sight else fight.seen_round,
    )
    standing = [c for c in members if not c.passed_over] or members
    return told(fight, "turn-began", who=names(standing), round=fight.round)


def _at_the_start(combatant: Combatant) -> dict[str, bool]:
    """What changes of a combatant when its turn begins."""
    values = {"reaction": True, "has_acted": True, "lost_turn": combatant.surprised}
    return {name: now for name, now in values.items() if getattr(combatant, name) != now}


def _with_acted(fight: Fight, slots: set[int]) -> Fight:
    now = fight.round
    new = {s.number for s in fight.slots if s.number in slots and s.acted_round != now}
    return fight.with_slots(lambda s: replace(s, acted_round=now) if s.number in new else s)


_MARKERS = ("current", "round", "turn_step", "seen_slot", "seen_round")
_OF_A_TURN = ("surprised", "lost_turn", "reaction", "has_acted", "hidden")


def _taken_back(fight: Fight, changes: Mapping[str, Any]) -> Fight:
    old = {name: pair[0] for name, pair in changes.get("fight", {}).items()}
    if old.get("state", "running") != "running":
        raise RuleError("no-previous-turn")
    kept = {n: old[n] for n in _MARKERS if n in old}
    fight = replace(fight, **kept)
    before, after = (
        {row["number"]: row["acted_round"] for row in rows}
        for rows in changes.get("slots", ((), ()))
    )
    fight = fight.with_slots(
        lambda slot: (
            replace(slot, acted_round=before[slot.number])
            if slot.number in before and after.get(slot.number) == slot.acted_round
            else slot
        )
    )
    each: dict[int, dict[str, Any]] = {}
    for combatant in fight.combatants:
        change = changes.get("combatants", {}).get(str(combatant.number))
        if isinstance(change, Mapping):
            each[combatant.number] = {
                name: change[name][0]
                for name in _OF_A_TURN
                if name in change and change[name][1] == getattr(combatant, name)
            }
    return fight.with_each(each)
