"""Initiative: what each slot rolls, and the order that the totals make.

One die for identical creatures, which act together. Source: DRS, chapter "Combattre" /
"Initiative"; SRD 5.1 and 5.2, "Initiative".
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from rules.checks import GIVEN, modifier, parts, standing, thrown
from rules.combatant import Combatant, Slot
from rules.fight import Event, Fight, Outcome, RuleError, names
from rules.order import behind, followed, given, in_time, placed
from rules.parting import split_off, together_again
from rules.surprise import found_again
from rules.ties import settled_by_rule, undecided

LAIR_COUNT = 20  # when a lair acts, after every creature on that count


def identical(one: Combatant, other: Combatant) -> bool:
    """Whether two combatants roll one die: the same creature, numbers and side."""
    same = ("creature", "name", "side", "is_hero", "is_lair", "initiative_bonus", "dexterity")
    return bool(one.creature) and all(getattr(one, n) == getattr(other, n) for n in same)


def seated(fight: Fight, newcomers: Iterable[Combatant]) -> Fight:
    """The fight with each newcomer in a slot: that of its like, or a new one at the end."""
    slots = list(fight.slots)
    for newcomer in newcomers:
        like = _like(fight, newcomer) if fight.settings.group_initiative else None
        if like is None and newcomer.is_lair:
            slots.append(Slot(newcomer.number, total=LAIR_COUNT, by="lair"))
        elif like is None:
            slots.append(Slot(newcomer.number, by="" if newcomer.rider is None else "mount"))
        number = newcomer.number if like is None else like
        fight = fight.with_combatant(newcomer.number, slot=number)
    return replace(fight, slots=tuple(slots))


def _like(fight: Fight, newcomer: Combatant) -> int | None:
    alone = {None, *(slot.extra_of for slot in fight.slots)}  # a second turn is one creature's
    for other in fight.combatants:
        together = other.slot not in alone and other.rider is None and newcomer.rider is None
        if together and identical(newcomer, other):
            return other.slot
    return None


def initiative_bonus(fight: Fight, slot: int) -> int | None:
    """The modifier of a slot's Dexterity check, or None when that of somebody is not known."""
    able = standing(fight.members(slot))
    counting = able[:1] if fight.slot(slot).merged else able
    if not able or any(c.adds_to_initiative is None for c in counting):
        return None
    return modifier(able[0], fight.settings)


def unrolled(fight: Fight) -> tuple[int, ...]:
    """The slots without a total whose modifier is known, so that a die can give them one."""
    return tuple(n for n in _rollable(fight) if fight.slot(n).total is None)


def _rollable(fight: Fight) -> list[int]:
    return [
        slot.number
        for slot in fight.slots
        if not _nobody_rolls(fight, slot) and initiative_bonus(fight, slot.number) is not None
    ]


def _nobody_rolls(fight: Fight, slot: Slot) -> bool:
    """Whether its total is given; a lair's is even when it has been told otherwise."""
    return slot.by in GIVEN or slot.number in fight.lairs


def initiative_dice(
    fight: Fight, slots: Iterable[int], d20: Callable[[], int]
) -> dict[int, tuple[int, ...]]:
    """The d20s with which these slots roll: one, two with advantage, none with a score."""
    fight = found_again(fight)  # surprise counts, and the table may have changed how it reads it
    dice: dict[int, tuple[int, ...]] = {}
    for number in slots:
        own = parts(fight, number)
        scored = fight.settings.scores and not any(c.is_hero for c in fight.members(number))
        needed = 0 if scored else 2 if any(part.kind for part in own) else 1
        dice[number] = tuple(d20() for _ in range(needed))
    return dice


@dataclass(frozen=True, slots=True)
class RollInitiative:
    """Give slots their totals: a d20 plus the modifier, or the total a player calls out.

    In a group of whom some roll otherwise, those get a slot of their own; once nothing sets them
    apart any more, the next roll of both puts them together again. Dice for a slot that
    nobody rolls for (a lair's, a mount's, a second turn) are left aside. Raises `RuleError`:
    "initiative-out-of-range", "initiative-bonus-unknown", "no-slot".
    """

    dice: Mapping[int, int | tuple[int, ...]] = field(default_factory=dict)
    # slot -> its d20s, as `initiative_dice` gives them
    totals: Mapping[int, int | None] = field(default_factory=dict)  # slot -> total; None empties
    sides: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    # side -> its plain d20s, where each side rolls one; equal ones have rolled again

    def run(self, fight: Fight) -> Outcome:
        fight.require("rolling", "running")
        before = fight = found_again(fight)
        for number, total in self.totals.items():
            if number not in self.dice:
                fight = _typed(fight, number, total)
        fight = together_again(fight, self.dice)
        gone = {s.number for s in before.slots} - {s.number for s in fight.slots}
        for number, dice in self.dice.items():
            if number not in gone:
                fight = _thrown_for(fight, number, (dice,) if isinstance(dice, int) else dice)
        fight = _by_sides(fight, self.sides)
        old = {slot.number: slot for slot in before.slots}
        changed = [s.number for s in fight.slots if s != old.get(s.number)]
        fight = _in_side_order(placed(fight, changed), set(self.sides))
        fight = followed(settled_by_rule(fight, changed))
        corrected = [s.number for s in fight.slots if s != old.get(s.number)]
        return Outcome(in_time(fight, corrected), _told(fight, changed))


def _typed(fight: Fight, number: int, total: int | None) -> Fight:
    if total == fight.slot(number).total:
        return fight
    return given(fight, number, total=total, by="" if total is None else "typed")


def _thrown_for(fight: Fight, number: int, dice: tuple[int, ...]) -> Fight:
    own = parts(fight, number)
    if _nobody_rolls(fight, fight.slot(number)) or not (dice or all(part.scored for part in own)):
        return fight
    if any(part.modifier is None for part in own):
        raise RuleError("initiative-bonus-unknown", who=names(fight.members(number)))
    for index, part in enumerate(own):
        target = number
        if index:
            fight, target = split_off(fight, part.members, parted=True)
        fight = given(fight, target, **thrown(part, dice))
    return fight


def _by_sides(fight: Fight, sides: Mapping[str, tuple[int, ...]]) -> Fight:
    members = fight.by_slot()
    known = {**side_dice(fight), **sides}
    for slot in fight.slots:
        side = members[slot.number][0].side if members[slot.number] else ""
        if side in sides and not _nobody_rolls(fight, slot):
            settled = "" if undecided(side, known) else "by-dice"
            fight = _with_dice_of_side(fight, slot.number, sides[side], settled)
    return fight


def side_dice(fight: Fight) -> dict[str, tuple[int, ...]]:
    """The plain d20s of each side that has rolled."""
    return {
        fight.members(slot.number)[0].side: (slot.die or 0, *slot.tie_dice)
        for slot in fight.slots
        if slot.by == "side"
    }


def with_dice_of_side(fight: Fight, number: int) -> Fight:
    """The fight with this newcomer's slot behind the last of its side, on the dice of that one."""
    side = fight.members(number)[0].side
    own = [s for s in fight.slots if s.by == "side" and fight.members(s.number)[0].side == side]
    last = own[-1]
    dice = (last.die or 0, *last.tie_dice)
    fight = _with_dice_of_side(fight, number, dice, last.settled)
    return behind(fight, number, last.number)


def _with_dice_of_side(fight: Fight, number: int, dice: tuple[int, ...], settled: str) -> Fight:
    first, *again = dice
    facts = {"die": first, "tie_dice": tuple(again), "settled": settled}
    return given(fight, number, total=first, by="side", **facts)


def _in_side_order(fight: Fight, sides: set[str]) -> Fight:
    """Sides that have rolled equal first dice stand apart by those they rolled again."""
    rolled = {c.slot for c in fight.combatants if c.side in sides}
    theirs = [s for s in fight.slots if s.by == "side" and s.number in rolled]
    ranked = iter(sorted(theirs, key=lambda s: (s.die or 0, *s.tie_dice), reverse=True))
    return replace(fight, slots=tuple(next(ranked) if s in theirs else s for s in fight.slots))


def rerolled(fight: Fight) -> tuple[int, ...]:
    """The slots that roll anew at the start of every round, where the table plays it so."""
    if fight.settings.hero_rolls == "rolled":
        return tuple(_rollable(fight))
    own = fight.by_slot()
    return tuple(n for n in _rollable(fight) if not any(c.is_hero for c in own[n]))


def _told(fight: Fight, changed: Iterable[int]) -> tuple[Event, ...]:
    slots = [fight.slot(number) for number in changed]
    rolls = [
        {
            "who": names(fight.members(slot.number)),
            "total": slot.total,
            "by": slot.by,
            "die": slot.die,
            "dropped": slot.dropped,
        }
        for slot in slots
    ]
    return (Event("initiative-rolled", {"rolls": rolls}),) if rolls else ()
