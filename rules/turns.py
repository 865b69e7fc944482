"""Rounds and turns: beginning, the next turn, and what a turn gives back or ends.

The current turn is a slot, remembered by the slot itself; a slot acts once a round, and *next
turn* goes to the first that has not. Source: DRS, chapter "Combattre" / "Ordre de jeu".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.combatant import Combatant
from rules.durations import edge_passed
from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.initiative import RollInitiative, rerolled
from rules.labelling import lettered, revealed
from rules.order import returned
from rules.sight import seen_acting
from rules.ties import RollOff
from rules.together import Together
from rules.unnoticed import met
from rules.uses import at_the_start

Dice = Mapping[int, int | tuple[int, ...]]  # slot -> its d20s
Sides = Mapping[str, tuple[int, ...]]  # side -> its plain d20s


@dataclass(frozen=True, slots=True)
class NextTurn:
    """End the current turn and begin the next; past the last slot, in a new round.

    Where every round is rolled anew, the dice are for a turn that begins one. Raises
    `RuleError("nobody-can-act")` when every slot is passed over, "nobody-left" without any.
    """

    dice: Dice = field(default_factory=dict)
    sides: Sides = field(default_factory=dict)
    roll_offs: Mapping[int, Mapping[int, tuple[int, ...]]] = field(default_factory=dict)
    # total -> slot -> its d20s, for ties that the dice make

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        ended = turn_ended(fight)
        begun = _next(ended.fight, self._rolls())
        return Outcome(begun.fight, (*ended.events, *begun.events))

    def _rolls(self) -> Together | None:
        if not (self.dice or self.sides):
            return None
        roll_offs = (RollOff(total, dice) for total, dice in self.roll_offs.items())
        return Together((RollInitiative(self.dice, sides=self.sides), *roll_offs))


@dataclass(frozen=True, slots=True)
class GiveTurn:
    """Let a slot act at once, whatever its place and whether or not it has acted this round.

    One that waits comes back for it; those of whom nobody is there yet arrive.
    """

    slot: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        waits = fight.slot(self.slot).waiting is not None
        if self.slot == fight.current:
            return Outcome(fight)
        ended = turn_ended(fight)
        back = came_back(ended.fight, self.slot) if waits else Outcome(ended.fight)
        own = back.fight.members(self.slot)
        came = _there(back.fight, own if all(c.awaited for c in own) else ())
        begun = _begun(came.fight, self.slot)
        return Outcome(begun.fight, (*ended.events, *back.events, *came.events, *begun.events))


def came_back(fight: Fight, slot: int) -> Outcome:
    """A waiting slot is back in the order, right behind the turn that is on."""
    return told(returned(fight, slot), "came-back", who=names(fight.members(slot)))


def next_slot(fight: Fight) -> int | None:
    """Whose turn *next turn* would begin, dice aside, or None when every slot is passed over."""
    ended = turn_ended(fight).fight
    number = _coming(ended, _passed_over(ended))
    if number is None or ended.slot(number).acted_round < fight.round:
        return number
    begun = _round_over(ended)
    return _coming(begun, _passed_over(begun))


def rolls_anew(fight: Fight) -> tuple[int, ...]:
    """The slots that *next turn* would roll anew, since it begins a round of its own dice."""
    if not fight.settings.reroll_each_round:
        return ()
    ended = turn_ended(fight).fight
    number = _coming(ended, _passed_over(ended))
    if number is None or ended.slot(number).acted_round < fight.round:
        return ()
    return rerolled(until_the_dice(fight))


def until_the_dice(fight: Fight) -> Fight:
    """What *next turn* does before a new round's dice fall."""
    return _round_over(turn_ended(fight).fight)


def _round_over(fight: Fight) -> Fight:
    """The new round before anybody's turn in it."""
    came_by = _came_by(fight, _passed_over(fight), round_over=True)
    return _round_begun(came_by.fight, None).fight


def _coming(fight: Fight, passed: set[int]) -> int | None:
    """The first that has not acted this round; when all have, the first of the next."""
    coming = [slot for slot in fight.slots if slot.number not in passed]
    waiting = (slot for slot in coming if slot.acted_round < fight.round)
    slot = next(waiting, coming[0] if coming else None)
    return slot.number if slot else None


def turn_ended(fight: Fight) -> Outcome:
    """The end of the current turn: surprise ends with it, and what was to last until then."""
    if fight.current is None:
        return Outcome(fight)
    return _edge_passed(fight, fight.members(fight.current), "end", acting=True)


def turn_left(fight: Fight, numbers: Iterable[int]) -> Outcome:
    """The current turn ends for these of its members alone."""
    leaving = set(numbers)
    own = [c for c in fight.combatants if c.number in leaving]
    return _edge_passed(fight, own, "end", acting=True)


def turn_joined(fight: Fight, numbers: Iterable[int]) -> Outcome:
    """The current turn begins for these, who have come into its slot."""
    joining = set(numbers)
    return _begun_for(fight, [c for c in fight.combatants if c.number in joining])


def _edge_passed(
    fight: Fight, members: Iterable[Combatant], *edges: str, acting: bool = False
) -> Outcome:
    """What these edges of the members' turn bring has happened.

    Whoever waits has not had a turn for its surprise to end with.
    """
    members = tuple(members)
    waiting = {slot.number for slot in fight.slots if slot.waiting is not None}
    alert = [c for c in members if c.surprised and c.slot not in waiting and "end" in edges]
    events = [Event("surprise-ended", {"who": names([c])}) for c in alert]
    fight = fight.with_each({c.number: {"surprised": False} for c in alert})
    for edge in edges:
        passed = edge_passed(fight, members, edge, acting=acting)
        fight = passed.fight
        events += passed.events
    return Outcome(fight, tuple(events))


def turn_after_leaving(fight: Fight) -> Outcome:
    """Whoever had the turn has left: the next begins at once, or nobody has it."""
    if next_slot(fight) is None:
        return Outcome(replace(fight, current=None))
    return _next(fight)


def turn_passed_on(fight: Fight) -> Outcome:
    """The next turn begins, without anything that the end of the current one would do."""
    return _next(fight)


def _passed_over(fight: Fight) -> set[int]:
    able = {c.slot for c in fight.combatants if not c.passed_over}
    able -= {c.slot for c in fight.combatants if c.is_lair and _idle(fight.owner_of(c))}
    able -= {slot.number for slot in fight.slots if slot.waiting is not None}
    passed = {s.number for s in fight.slots if (s.extra_of or s.number) not in able}
    once = {c.slot for c in fight.combatants if c.surprised or c.lost_turn}  # no second turn
    passed |= {s.number for s in fight.slots if s.extra_of in once or s.waiting is not None}
    return passed


def _idle(owner: Combatant | None) -> bool:
    """Whether a lair does not act because of its owner's state."""
    return owner is not None and (owner.surprised or owner.incapacitated or owner.passed_over)


def _next(fight: Fight, roll: Together | None = None) -> Outcome:
    passed = _passed_over(fight)
    number = _coming(fight, passed)
    if number is None:
        raise RuleError("nobody-can-act" if fight.combatants else "nobody-left")
    events: tuple[Event, ...] = ()
    if fight.slot(number).acted_round >= fight.round:
        came_by = _came_by(fight, passed, round_over=True)
        anew = _round_begun(came_by.fight, roll)
        fight, events = anew.fight, (*came_by.events, *anew.events)
        passed = _passed_over(fight)
        number = _coming(fight, passed) or number
    came_by = _came_by(fight, passed.intersection(_before(fight, number)))
    begun = _begun(came_by.fight, number)
    return Outcome(begun.fight, (*events, *came_by.events, *begun.events))


def _round_begun(fight: Fight, roll: Together | None) -> Outcome:
    """A new round: second turns are over, reinforcements arrive, dice may be rolled anew."""
    slots = tuple(slot for slot in fight.slots if slot.extra_of is None)
    seen = fight.home(fight.seen_slot)
    fight = replace(fight, round=fight.round + 1, slots=slots, seen_slot=seen)
    event = Event("round-began", {"round": fight.round})
    came = arrived(fight)
    events = (event, *came.events)
    if roll is None:
        return Outcome(came.fight, events)
    rolled = roll.run(came.fight)
    return Outcome(rolled.fight, (*events, *rolled.events))


def arrived(fight: Fight) -> Outcome:
    """Those whose round has come are there."""
    return _there(fight, [c for c in fight.combatants if c.awaited and c.arrives <= fight.round])


def _there(fight: Fight, newcomers: Sequence[Combatant]) -> Outcome:
    if not newcomers:
        return Outcome(fight)
    there = lettered(fight.with_each({c.number: {"awaited": False} for c in newcomers}))
    return told(met(there, [c.number for c in newcomers]), "arrived", who=names(newcomers))


def _came_by(fight: Fight, slots: set[int], *, round_over: bool = False) -> Outcome:
    """The order comes by slots that are passed over: what was to end on their turn ends.

    A turn that was given up to wait has had its start; its end comes with the round's at last.
    """
    now = fight.round
    due = {s.number for s in fight.slots if s.number in slots and s.acted_round < now}
    begun = {s.number for s in fight.slots if s.number in slots and s.given_up == now}
    if not round_over:
        begun &= due
    if not due | begun:
        return Outcome(fight)
    passed = _passed_by(fight, due - begun, "start", "end")
    ended = _passed_by(passed.fight, begun, "end")
    return Outcome(_with_acted(ended.fight, due | begun), (*passed.events, *ended.events))


def _passed_by(fight: Fight, slots: set[int], *edges: str) -> Outcome:
    return _edge_passed(fight, [c for c in fight.combatants if c.slot in slots], *edges)


def _before(fight: Fight, number: int) -> list[int]:
    order = [slot.number for slot in fight.slots]
    return order[: order.index(number)]


def _begun(fight: Fight, number: int) -> Outcome:
    """The turn of a slot begins, and players see who acts.

    One that was given up to wait goes on, in the same round: its start has been.
    """
    goes_on = fight.slot(number).given_up == fight.round
    started = _begun_for(fight, fight.members(number), goes_on=goes_on)
    fight = _with_acted(started.fight, {number})
    fight = seen_acting(replace(fight, current=number, turn_step=fight.version + 1))
    members = fight.members(number)
    standing = [c for c in members if not c.passed_over] or members
    event = Event("turn-began", {"who": names(standing), "round": fight.round})
    return Outcome(fight, (*started.events, event))


def _begun_for(fight: Fight, members: Iterable[Combatant], *, goes_on: bool = False) -> Outcome:
    """These have a turn from now on: their means are back, and they come into sight."""
    numbers = {c.number for c in members}
    edges = () if goes_on else ("start",)
    started = _edge_passed(fight, members, *edges, acting=True)
    fight = started.fight
    own = [c for c in fight.combatants if c.number in numbers]
    if fight.settings.reveal_on_turn:
        shown = [c.number for c in own if c.hidden and not (c.has_acted or c.passed_over)]
        fight = revealed(fight, shown) if shown else fight
    back = {c.number: _at_the_start(c, goes_on=goes_on) for c in own}
    fight = fight.with_each({number: new for number, new in back.items() if new})
    return Outcome(fight, started.events)


_FRESH = {
    "reaction": True, "moved": 0, "dashes": 0,
    "action_spent": False, "bonus_spent": False, "object_spent": False,
}  # fmt: skip


def _at_the_start(combatant: Combatant, *, goes_on: bool) -> dict[str, object]:
    """What changes of a combatant when its turn begins."""
    begun = combatant.has_acted or not combatant.passed_over
    values: dict[str, object] = {**_FRESH, "lost_turn": combatant.surprised, "has_acted": begun}
    values |= {} if goes_on else at_the_start(combatant)
    return {name: now for name, now in values.items() if getattr(combatant, name) != now}


def _with_acted(fight: Fight, slots: set[int]) -> Fight:
    now = fight.round
    acted = [s for s in fight.slots if s.number in slots]
    new = {s.number for s in acted if (s.acted_round, s.given_up) != (now, 0)}
    return fight.with_slots(
        lambda s: replace(s, acted_round=now, given_up=0) if s.number in new else s
    )
