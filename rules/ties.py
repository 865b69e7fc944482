"""Ties: places with the same total, settled by hand or by plain d20s.

Who settles one depends on who plays the creatures: the GM, the players, or both. Source: DRS,
chapter "Combattre" / "Initiative".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from rules.combatant import Combatant, Slot
from rules.fight import Fight, Outcome, RuleError, names, told
from rules.order import followed, in_place

ROLL_OFF_LIMIT = 100  # d20s one slot may need in a roll-off
FIXED = ("by-hand", "by-players", "by-rule")  # places that a roll-off leaves alone

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Tie:
    """Slots with the same total. Who may settle it depends on who plays them."""

    total: int
    slots: tuple[int, ...]  # in the present order
    kind: str  # gm: the GM chooses | players: they choose | mixed: the GM, or a roll-off
    open: bool  # not settled yet
    asked: tuple[int, ...]  # the slots whose place is in question, in the present order


def ties(fight: Fight) -> tuple[Tie, ...]:
    """Every tie of the order, highest first; a lair loses all, a mount goes with its rider.

    One that the GM has put elsewhere stands where it does whatever its equals do.
    """
    by_total: dict[int, list[Slot]] = {}
    lairs = fight.lairs
    for slot in fight.slots:
        if slot.total is None or slot.by == "mount" or slot.number in lairs:
            continue
        if not slot.moved or in_place(fight, slot):
            by_total.setdefault(slot.total, []).append(slot)
    members = fight.by_slot()
    return tuple(
        _tie(total, slots, members)
        for total, slots in sorted(by_total.items(), reverse=True)
        if len(slots) > 1
    )


def _tie(total: int, slots: list[Slot], members: Mapping[int, list[Combatant]]) -> Tie:
    free = [slot for slot in slots if not slot.settled]
    in_question = free if len(free) > 1 else slots
    played = {all(c.is_hero for c in members[slot.number]) for slot in in_question}
    kind = "mixed" if len(played) == 2 else "players" if True in played else "gm"
    return Tie(
        total,
        tuple(slot.number for slot in slots),
        kind,
        bool(free),
        tuple(slot.number for slot in in_question),
    )


def _tie_at(fight: Fight, total: int) -> Tie:
    for tie in ties(fight):
        if tie.total == total:
            return tie
    raise RuleError("not-a-tie")


def contenders(fight: Fight, total: int) -> tuple[Slot, ...]:
    """Who takes part in a roll-off at this total: all but those placed there by hand.

    Raises `RuleError("not-a-tie")` when there is no such tie (any more).
    """
    tied = [fight.slot(number) for number in _tie_at(fight, total).slots]
    free = tuple(slot for slot in tied if slot.settled not in FIXED)
    return free if len(free) > 1 else tuple(tied)


def roll_off(slots: Iterable[Slot], d20: Callable[[], int]) -> dict[int, tuple[int, ...]]:
    """Roll until no two slots are equal; dice of an earlier roll-off are kept and rolled against.

    Returns each slot's d20s. Raises `RuleError("roll-off-without-end")` when chance is broken.
    """
    return _apart({slot.number: slot.tie_dice or (d20(),) for slot in slots}, d20)


def roll_sides(sides: Iterable[str], d20: Callable[[], int]) -> dict[str, tuple[int, ...]]:
    """A plain d20 for each side, equal ones rolled again. Raises as `roll_off`."""
    return _apart({side: (d20(),) for side in sides}, d20)


def _apart(dice: dict[Key, tuple[int, ...]], d20: Callable[[], int]) -> dict[Key, tuple[int, ...]]:
    rolled = dict(dice)
    for _ in range(ROLL_OFF_LIMIT):
        equal = [one for one in rolled if undecided(one, rolled)]
        if not equal:
            return rolled
        for one in equal:
            rolled[one] = (*rolled[one], d20())
    raise RuleError("roll-off-without-end")


def undecided(one: Key, dice: Mapping[Key, tuple[int, ...]]) -> bool:
    """Whether another rolled the same as far as this one has rolled."""
    own = dice[one]
    return any(rolled[: len(own)] == own for other, rolled in dice.items() if other != one)


def settled_by_rule(fight: Fight, touched: Iterable[int]) -> Fight:
    """The fight with the ties of these slots settled as far as the table's rule goes.

    **dexterity**: the higher score first; **heroes_first**: on mixed ties alone. Where the rule
    finds no difference, or knows no score, it is still asked; what is settled otherwise stays.
    """
    rule, new = fight.settings.tie_rule, set(touched)
    if rule not in ("dexterity", "heroes_first"):
        return fight
    for tie in ties(fight):
        if new.intersection(tie.slots):
            rank = {
                slot.number: score
                for slot in map(fight.slot, tie.slots)
                if slot.settled in ("", "by-rule") and not slot.moved
                if (score := _score(fight.members(slot.number), rule)) is not None
            }
            fight = _arranged(fight, sorted(rank, key=lambda n: rank[n], reverse=True))
            if len(rank) == len(tie.slots):
                fight = _decided(fight, rank)
    return fight


def ranked_again(fight: Fight, touched: Iterable[int]) -> Fight:
    """The fight with the ties of these slots as the rule would have them, until it begins."""
    return settled_by_rule(fight, touched) if fight.state == "rolling" else fight


def _score(members: Iterable[Combatant], rule: str) -> int | None:
    """What the rule ranks equals by; None while it is unknown."""
    if rule == "heroes_first":
        return int(all(c.is_hero for c in members))
    scores = [c.dexterity for c in members]
    known = [score for score in scores if score is not None]
    return max(known) if known == scores else None


def _decided(fight: Fight, rank: Mapping[int, int]) -> Fight:
    """The fight in which those whose score no other has are asked no more."""
    ranks = list(rank.values())
    return fight.with_slots(
        lambda slot: (
            replace(slot, settled="by-rule" if ranks.count(rank[slot.number]) == 1 else "")
            if slot.number in rank
            else slot
        )
    )


@dataclass(frozen=True, slots=True)
class BreakTie:
    """Settle a tie by hand: these slots act in this order. Their totals stay.

    Raises `RuleError("not-a-tie")` unless they are just the slots of one tie.
    """

    order: tuple[int, ...]

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        total = fight.slot(self.order[0]).total if self.order else None
        if total is None or sorted(_tie_at(fight, total).slots) != sorted(self.order):
            raise RuleError("not-a-tie")
        kind = _tie_at(fight, total).kind
        word = "by-players" if kind == "players" else "by-hand"
        fight = _arranged(fight, self.order)
        fight = fight.with_slots(
            lambda slot: replace(slot, settled=word) if slot.number in self.order else slot
        )
        order = _named(fight, self.order)
        return told(fight, "tie-settled", order=order, total=total, kind=kind)


@dataclass(frozen=True, slots=True)
class ActFirst:
    """Settle an open tie by hand as far as one answer goes: this slot acts first of those asked.

    The others are asked on, unless one alone is left. Raises `RuleError("not-a-tie")` unless its
    place is in question.
    """

    slot: int

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        tie = next((tie for tie in ties(fight) if self.slot in tie.asked), None)
        if tie is None:
            raise RuleError("not-a-tie")
        rest = [number for number in tie.asked if number != self.slot]
        fight = _arranged(fight, (self.slot, *rest))
        if len(rest) == 1:
            order = tuple(slot.number for slot in fight.slots if slot.number in tie.slots)
            return BreakTie(order).run(fight)
        word = "by-players" if tie.kind == "players" else "by-hand"
        fight = fight.with_slots(
            lambda slot: replace(slot, settled=word) if slot.number == self.slot else slot
        )
        return told(fight, "moved", who=names(fight.members(self.slot)))


@dataclass(frozen=True, slots=True)
class RollOff:
    """Settle a tie by plain d20s, the highest first; equal rolls have rolled again.

    Raises `RuleError`: "not-a-tie", or "not-a-roll-off" when the dice do not decide it.
    """

    total: int
    dice: Mapping[int, tuple[int, ...]]  # slot -> its d20s, as `roll_off` gives them

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        tied = {slot.number for slot in contenders(fight, self.total)}
        if tied != set(self.dice) or any(undecided(n, self.dice) for n in self.dice):
            raise RuleError("not-a-roll-off")
        order = sorted(self.dice, key=lambda number: self.dice[number], reverse=True)
        fight = _arranged(fight, order).with_slots(
            lambda slot: (
                replace(slot, settled="by-dice", tie_dice=self.dice[slot.number])
                if slot.number in tied
                else slot
            )
        )
        dice = [list(self.dice[number]) for number in order]
        order_named = _named(fight, order)
        return told(fight, "rolled-off", order=order_named, total=self.total, dice=dice)


def _arranged(fight: Fight, order: Sequence[int]) -> Fight:
    """These slots in this order: those in sight in the positions that they hold together now.

    The others stand between them, so that players see nothing of those in the order.
    """
    seen = fight.slots_in_sight.intersection(order) or set(order)
    queue = iter(number for number in order if number in seen)
    slots = [
        fight.slot(next(queue)) if slot.number in seen else slot
        for slot in fight.slots
        if slot.number in seen or slot.number not in order
    ]
    for index, number in enumerate(order):
        if number not in seen:
            here = [slot.number for slot in slots]
            first = here.index(next(n for n in order if n in seen))
            at = here.index(order[index - 1]) + 1 if index else first
            slots.insert(at, fight.slot(number))
    return followed(replace(fight, slots=tuple(slots)))


def _named(fight: Fight, order: Iterable[int]) -> list[list[dict[str, object]]]:
    return [names(fight.members(number)) for number in order]
