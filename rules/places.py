"""Places of the order beyond the roll: groups split and merged, mounts, second turns, waiting.

Source: DRS, chapter "Combattre" / "Initiative", "Combat monté"; RULES of the table for waiting.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.combatant import Combatant, Slot
from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.initiative import split_off
from rules.order import followed
from rules.turns import next_slot, turn_passed_on, with_turn_in_sight


@dataclass(frozen=True, slots=True)
class Split:
    """Members of one group act in a place of their own, right behind it, at the same total.

    Raises `RuleError`: "not-one-group", "whole-group" when nobody would be left.
    """

    targets: tuple[int, ...]

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        who = [fight.combatant(number) for number in self.targets]
        if len({c.slot for c in who}) != 1:
            raise RuleError("not-one-group")
        if len(who) == len(fight.members(who[0].slot)):
            raise RuleError("whole-group")
        changed = split_from_group(fight, self.targets)
        return told(with_turn_in_sight(changed), "split", who=names(who))


def split_from_group(fight: Fight, targets: Iterable[int]) -> Fight:
    """These members of one group in a slot of their own; the GM's hand has put it there."""
    home = next(c.slot for c in fight.combatants if c.number in set(targets))
    old = next(slot for slot in fight.slots if slot.number == home)
    tied = [s for s in fight.slots if s.total == old.total and s.total is not None]
    fight, _new = split_off(fight, targets, settled="by-hand", tie_dice=())
    if len(tied) == 1 and not old.settled:  # two halves are no question
        fight = _with(fight, replace(old, settled="by-hand"))
    return fight


@dataclass(frozen=True, slots=True)
class Merge:
    """Combatants of one side act together, in the place of the first of them in the order.

    Whoever has the turn keeps it, and takes the others in. Raises `RuleError`:
    "merge-of-two-sides", "not-one-group" when there is nothing to merge.
    """

    targets: tuple[int, ...]

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        who = [fight.combatant(number) for number in self.targets]
        if len({c.side for c in who}) > 1:
            raise RuleError("merge-of-two-sides")
        own = {c.slot for c in who}
        if len(own) < 2 or any(c.is_lair for c in who):
            raise RuleError("not-one-group")
        order = [slot.number for slot in fight.slots if slot.number in own]
        keeper = fight.current if fight.current in own else order[0]
        fight = fight.with_each({c.number: {"slot": keeper} for c in who})
        merged = with_peopled_slots(fight)
        return told(with_turn_in_sight(merged), "merged", who=names(who))


def with_peopled_slots(fight: Fight) -> Fight:
    """The fight without the slots in which nobody stands."""
    homes = {c.slot for c in fight.combatants}
    slots = tuple(s for s in fight.slots if (s.extra_of or s.number) in homes)
    return replace(fight, slots=slots)


@dataclass(frozen=True, slots=True)
class Mount:
    """A mount takes its rider's total and acts right behind it; without a rider, on its own.

    Raises `RuleError`: "no-combatant", "rides-itself", "merge-of-two-sides" with a rider of
    another side.
    """

    target: int  # the mount
    rider: int | None

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        mount = fight.combatant(self.target)
        rider = None if self.rider is None else fight.combatant(self.rider)
        changed = fight.with_combatant(self.target, rider=self.rider)
        if rider is not None:
            _check(mount, rider)
            if mount.slot is not None and rider.slot is not None:
                changed = _mounted(changed, mount)
        elif mount.slot is not None:
            old = next(s for s in fight.slots if s.number == mount.slot)
            if old.by == "mount":
                changed = _with(changed, replace(old, by="typed", settled="by-hand"))
        both = names([mount] if rider is None else [mount, rider])
        return told(changed, "dismounted" if rider is None else "mounted", who=both)


def _check(mount: Combatant, rider: Combatant) -> None:
    if mount.number == rider.number or rider.rider is not None or mount.is_hero:
        raise RuleError("rides-itself")
    if mount.side != rider.side:
        raise RuleError("merge-of-two-sides")


def _mounted(fight: Fight, mount: Combatant) -> Fight:
    number = mount.slot
    if len(fight.members(number)) > 1:
        fight, number = split_off(fight, [mount.number])
    return followed(
        fight.with_slots(
            lambda s: (
                replace(s, by="mount", settled="", moved=False, tie_dice=(), die=None, dropped=None)
                if s.number == number
                else s
            )
        )
    )


@dataclass(frozen=True, slots=True)
class GiveExtraTurn:
    """A second turn in round 1, at 10 less: thief's reflexes. Not for the surprised.

    Raises `RuleError`: "only-in-round-one", "surprised-has-none", "has-one-already".
    """

    target: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        who = fight.combatant(self.target)
        if fight.round > 1:
            raise RuleError("only-in-round-one")
        if who.surprised or who.lost_turn:
            raise RuleError("surprised-has-none", who=names([who]))
        if any(slot.extra_of == who.slot for slot in fight.slots):
            raise RuleError("has-one-already", who=names([who]))
        number = fight.last_number + 1
        extra = Slot(number, by="extra", extra_of=who.slot)
        fight = replace(fight, slots=(*fight.slots, extra), last_number=number)
        fight = followed(fight)
        return told(fight, "extra-turn-given", who=names([who]))


@dataclass(frozen=True, slots=True)
class Wait:
    """Take a place out of the order until the GM puts it back; whoever has the turn gives it up.

    Raises `RuleError`: "waits-already", "nobody-can-act" when nobody would be left.
    """

    slot: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        place = fight.slot(self.slot)
        if place.waiting is not None:
            raise RuleError("waits-already")
        who = names(fight.members(self.slot))
        current = fight.current == self.slot
        last = fight.round - 1 if current else min(place.acted_round, fight.round)
        waiting = _with(fight, replace(place, waiting=last))
        event = Event("waits", {"who": who})
        if next_slot(waiting) is None:
            raise RuleError("nobody-can-act")
        if not current:
            return Outcome(with_turn_in_sight(waiting), (event,))
        begun = turn_passed_on(waiting)
        return Outcome(with_turn_in_sight(begun.fight), (event, *begun.events))


@dataclass(frozen=True, slots=True)
class ComeBack:
    """A waiting place comes right behind the turn that is on, and keeps that place from then on.

    Raises `RuleError`: "does-not-wait", "no-slot".
    """

    slot: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        place = fight.slot(self.slot)
        if place.waiting is None:
            raise RuleError("does-not-wait")
        back = replace(place, waiting=None, acted_round=place.waiting, moved=True)
        order = [slot for slot in fight.slots if slot.number != self.slot]
        index = next((i for i, s in enumerate(order) if s.number == fight.current), -1)
        order.insert(index + 1, back)
        changed = followed(replace(fight, slots=tuple(order)))
        return told(changed, "came-back", who=names(fight.members(self.slot)))


def _with(fight: Fight, changed: Slot) -> Fight:
    return fight.with_slots(lambda slot: changed if slot.number == changed.number else slot)
