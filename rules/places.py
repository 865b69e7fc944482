"""Places of the order beyond the roll: groups split and merged, mounts, second turns, waiting.

Source: DRS, chapter "Combattre" / "Initiative", "Combat monté"; RULES of the table for waiting.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.combatant import Combatant, Slot
from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.order import followed, in_place, placed
from rules.parting import split_off
from rules.sight import with_turn_in_sight
from rules.turns import (
    came_back,
    next_slot,
    turn_after_leaving,
    turn_joined,
    turn_left,
    turn_passed_on,
)


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
        if len(set(self.targets)) == len(fight.members(who[0].slot)):
            raise RuleError("whole-group")
        parted = split_from_group(fight, self.targets)
        event = Event("split", {"who": names(who)})
        return Outcome(with_turn_in_sight(parted.fight), (event, *parted.events))


def split_from_group(fight: Fight, targets: Iterable[int]) -> Outcome:
    """These members of one group in a slot of their own; the GM's hand has put it there.

    If they leave the group on its turn, that was theirs for this round: it ends for them.
    """
    home = next(c.slot for c in fight.combatants if c.number in set(targets))
    old = next(slot for slot in fight.slots if slot.number == home)
    tied = [s for s in fight.slots if s.total == old.total and s.total is not None]
    ended = turn_left(fight, targets if home == fight.home(fight.current) else ())
    fight, _new = split_off(ended.fight, targets, settled="by-hand", tie_dice=())
    if len(tied) == 1 and not old.settled:  # two halves are no question
        fight = _with(fight, replace(old, settled="by-hand"))
    return Outcome(fight, ended.events)


@dataclass(frozen=True, slots=True)
class Merge:
    """Combatants of one side act together, in the place of the first of them in the order.

    Whoever has the turn keeps it, and takes the others in. They act no more often for it: if one
    of them has acted this round, all have. Mounts among them follow no rider any more. Raises
    `RuleError`: "merge-of-two-sides", "not-one-group" when there is nothing to merge,
    "has-one-already" while one of them has a second turn, which is not for the others.
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
        second = {slot.extra_of for slot in fight.slots}
        if own & second:
            raise RuleError("has-one-already", who=names(c for c in who if c.slot in second))
        order = [slot for slot in fight.slots if slot.number in own]
        on = fight.home(fight.current)
        first = next((slot for slot in order if slot.waiting is None), order[0])
        keeper = next((slot for slot in order if slot.number == on), first)
        merged = _gathered(fight, who, keeper, max(slot.acted_round for slot in order))
        late = {s.number for s in order if s.acted_round < fight.round}
        joining = [c.number for c in who if c.slot in late] if keeper.number == on else []
        joined = turn_joined(merged, joining)
        events = [Event("merged", {"who": names(who)})]
        if keeper.number != on and fight.round and len(late) < len(own):
            events.append(Event("turn-gone", {"who": names(c for c in who if c.slot in late)}))
        return Outcome(with_turn_in_sight(joined.fight), (*events, *joined.events))


def _gathered(fight: Fight, who: list[Combatant], keeper: Slot, acted: int) -> Fight:
    seen = fight.home(fight.seen_slot)
    fight = dismounted(fight, [c.number for c in who if c.rider is not None])
    kept = replace(fight.slot(keeper.number), merged=True, parted=False, acted_round=acted)
    fight = _with(fight, kept)
    fight = fight.with_each({c.number: {"slot": keeper.number} for c in who})
    fight = followed(with_peopled_slots(fight))
    gone = all(slot.number != seen for slot in fight.slots)
    if seen in {c.slot for c in who} and gone:
        fight = replace(fight, seen_slot=keeper.number)
    return fight


def dismounted(fight: Fight, mounts: Iterable[int]) -> Fight:
    """The fight in which these follow no rider any more; their places and totals stay."""
    own = [c for c in fight.combatants if c.number in set(mounts)]
    homes = {c.slot for c in own}
    fight = fight.with_each({c.number: {"rider": None} for c in own})
    for slot in fight.slots:
        if slot.by == "mount" and slot.number in homes:
            by = "" if slot.total is None else "typed"
            moved = slot.moved or not in_place(fight, slot)  # its rider has been moved
            fight = _with(fight, replace(slot, by=by, settled="by-hand", moved=moved))
    return fight


def with_peopled_slots(fight: Fight) -> Fight:
    """The fight without the slots in which nobody stands."""
    homes = {c.slot for c in fight.combatants}
    slots = tuple(s for s in fight.slots if (s.extra_of or s.number) in homes)
    return replace(fight, slots=slots)


@dataclass(frozen=True, slots=True)
class Mount:
    """A mount takes its rider's total and acts right behind it; without a rider, on its own.

    Raises `RuleError`: "no-combatant", "rides-itself" where the rider cannot be one,
    "cannot-be-ridden" where the mount cannot, "merge-of-two-sides" with a rider of another side.
    """

    target: int  # the mount
    rider: int | None

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        mount = fight.combatant(self.target)
        if self.rider is None:
            changed = dismounted(fight, [self.target])
            return told(changed, "dismounted", who=names([mount]))
        rider = fight.combatant(self.rider)
        _check(fight, mount, rider)
        alone = Outcome(fight.with_combatant(self.target, rider=self.rider))
        if mount.slot is not None:
            alone = _mounted(alone.fight, mount)
        event = Event("mounted", {"who": names([mount, rider])})
        return Outcome(with_turn_in_sight(alone.fight), (event, *alone.events))


def _check(fight: Fight, mount: Combatant, rider: Combatant) -> None:
    if mount.number == rider.number or rider.rider is not None or rider.is_lair:
        raise RuleError("rides-itself")
    if mount.is_hero or mount.is_lair or any(c.rider == mount.number for c in fight.combatants):
        raise RuleError("cannot-be-ridden")
    if mount.side != rider.side:
        raise RuleError("merge-of-two-sides")


def _alone(fight: Fight, who: Combatant) -> Outcome:
    """The fight with this one in a slot of its own."""
    if len(fight.members(who.slot)) == 1:
        return Outcome(fight)
    return split_from_group(fight, [who.number])


def _mounted(fight: Fight, mount: Combatant) -> Outcome:
    alone = _alone(fight, mount)
    fight = alone.fight
    own = next(s for s in fight.slots if s.number == fight.combatant(mount.number).slot)
    own = replace(own, by="mount", die=None, dropped=None, parted=False)
    own = replace(own, settled="", moved=False, tie_dice=())
    return Outcome(followed(_with(fight, own)), alone.events)


@dataclass(frozen=True, slots=True)
class GiveExtraTurn:
    """A second turn in round 1, at 10 less: thief's reflexes. Not for the surprised.

    It is this creature's alone, which leaves its group for it. Raises `RuleError`:
    "only-in-round-one", "surprised-has-none", "has-one-already".
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
        alone = _alone(fight, who)
        number = alone.fight.last_number + 1
        extra = Slot(number, by="extra", extra_of=alone.fight.combatant(self.target).slot)
        slots = (*alone.fight.slots, extra)
        added = replace(alone.fight, slots=slots, last_number=number)
        fight = with_turn_in_sight(followed(placed(added, [number])))
        event = Event("extra-turn-given", {"who": names([who])})
        return Outcome(fight, (event, *alone.events))


def second_place(fight: Fight, target: int) -> int:
    """The slot of this combatant's second turn. Raises `RuleError("no-slot")` without one."""
    own = fight.combatant(target).slot
    for slot in fight.slots:
        if slot.extra_of is not None and slot.extra_of == own:
            return slot.number
    raise RuleError("no-slot")


@dataclass(frozen=True, slots=True)
class RemoveExtraTurn:
    """Take a combatant's second turn away, and that alone; if it is on, the next one begins.

    Raises `RuleError("no-slot")` when there is none.
    """

    target: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        gone = second_place(fight, self.target)
        left = replace(fight, slots=tuple(s for s in fight.slots if s.number != gone))
        who = names([fight.combatant(self.target)])
        event = Event("extra-turn-removed", {"who": who})
        if fight.current != gone:
            return Outcome(with_turn_in_sight(left), (event,))
        after = turn_after_leaving(left)
        return Outcome(with_turn_in_sight(after.fight), (event, *after.events))


@dataclass(frozen=True, slots=True)
class Wait:
    """Take a place out of the order until the GM puts it back; whoever has the turn gives it up.

    A second turn that is given up is over: the place waits that it was the second of. Raises
    `RuleError`: "waits-already", "nobody-can-act" when nobody would be left.
    """

    slot: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        place = fight.slot(fight.home(fight.slot(self.slot).number) or 0)
        if place.waiting is not None:
            raise RuleError("waits-already")
        gives_up = fight.home(fight.current) == place.number
        first = fight.current == place.number
        last = fight.round - 1 if first else min(place.acted_round, fight.round)
        begun = fight.round if first else 0
        waiting = _with(fight, replace(place, waiting=last, given_up=begun))
        if gives_up and not first:
            waiting = _without_second(waiting)
        event = Event("waits", {"who": names(fight.members(place.number))})
        if next_slot(waiting) is None:
            raise RuleError("nobody-can-act")
        if not gives_up:
            return Outcome(with_turn_in_sight(waiting), (event,))
        after = turn_passed_on(waiting)
        return Outcome(with_turn_in_sight(after.fight), (event, *after.events))


def _without_second(fight: Fight) -> Fight:
    """The fight in which the second turn that is on is over."""
    slots = tuple(slot for slot in fight.slots if slot.number != fight.current)
    return replace(fight, slots=slots, seen_slot=fight.home(fight.seen_slot))


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
        return came_back(fight, self.slot)


def _with(fight: Fight, changed: Slot) -> Fight:
    return fight.with_slots(lambda slot: changed if slot.number == changed.number else slot)
