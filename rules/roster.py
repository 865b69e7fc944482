"""Who takes part: joining, leaving, and the facts of a combatant that the GM sets.

Source: RULES of the table for joining a running fight; DRS, chapter "Combattre".
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.checks import INITIATIVE_ROLLS
from rules.combatant import PASSIVE_SHIFT, Combatant
from rules.damage import AMOUNT_LIMIT
from rules.effects import dodging_ended
from rules.fight import COMBATANT_LIMIT, Event, Fight, Outcome, RuleError, names, told
from rules.initiative import RollInitiative, seated
from rules.labelling import lettered, numbered, revealed, shown_name
from rules.order import placed, too_late
from rules.places import with_peopled_slots
from rules.sides import moved_to_side
from rules.surprise import find_surprised
from rules.turns import turn_after_leaving, with_turn_in_sight


@dataclass(frozen=True, slots=True)
class Join:
    """Newcomers enter the fight; their numbers are given here.

    In a running fight those like a group already there join it and its total. The others are
    placed by their own, behind equal totals, and act from the next round on if their place has
    already passed. Raises `RuleError("too-many")` beyond 200 combatants.
    """

    newcomers: tuple[Combatant, ...]
    dice: tuple[int, ...] = ()  # d20s, in case a newcomer needs a total of its own

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        if len(fight.combatants) + len(self.newcomers) > COMBATANT_LIMIT:
            raise RuleError("too-many", limit=COMBATANT_LIMIT)
        first = fight.last_number + 1
        entered = tuple(
            replace(c, number=first + i, slot=None, awaited=_later(c, fight))
            for i, c in enumerate(self.newcomers)
        )
        fight = replace(
            fight,
            combatants=(*fight.combatants, *entered),
            last_number=fight.last_number + len(entered),
        )
        fight = lettered(numbered(fight))
        events = (Event("joined", {"who": names(fight.combatants[-len(entered) :])}),)
        if fight.state == "preparing" or not entered:
            return Outcome(fight, events if entered else ())
        return self._in_order(fight, entered, events)

    def _in_order(
        self, fight: Fight, entered: tuple[Combatant, ...], events: tuple[Event, ...]
    ) -> Outcome:
        before = {slot.number for slot in fight.slots}
        fight = seated(fight, entered)
        new = [slot.number for slot in fight.slots if slot.number not in before]
        if fight.state == "rolling":
            return Outcome(find_surprised(placed(fight, new)), events)
        now = fight.round
        fight = fight.with_slots(lambda s: replace(s, joined_round=now) if s.number in new else s)
        rolled = RollInitiative(**self._rolls(fight, new)).run(fight)
        fight = placed(rolled.fight, [n for n in new if fight.slot(n).total is None])
        return Outcome(too_late(placed(fight, _lairs(fight, new)), new), (*events, *rolled.events))

    def _rolls(self, fight: Fight, new: list[int]) -> dict[str, Any]:
        """A die for each newcomer with a modifier, or, by sides, the die its side has."""
        if not fight.settings.side_initiative:
            able = [n for n in new if fight.combatant(n).initiative_bonus is not None]
            able = [n for n in able if not fight.combatant(n).is_lair]
            return {"dice": dict(zip(able, self.dice, strict=False))}
        totals = {fight.members(s.number)[0].side: s.total for s in fight.slots if s.by == "side"}
        sides = {n: fight.combatant(n).side for n in new}
        return {
            "totals": {n: totals[side] for n, side in sides.items() if side in totals},
            "sides": {
                side: (die,)
                for side, die in zip(dict.fromkeys(sides.values()), self.dice, strict=False)
                if side not in totals
            },
        }


def _later(combatant: Combatant, fight: Fight) -> bool:
    """Whether it is planned for a round that has not come yet."""
    return combatant.arrives > max(fight.round, 1)


def _lairs(fight: Fight, numbers: list[int]) -> list[int]:
    return [number for number in numbers if fight.slot(number).by == "lair"]


@dataclass(frozen=True, slots=True)
class Leave:
    """Take combatants out of the fight. If that empties the current slot, the next one begins."""

    targets: tuple[int, ...]

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        gone = [fight.combatant(number) for number in self.targets]
        staying = tuple(c for c in fight.combatants if c.number not in self.targets)
        left = with_peopled_slots(replace(fight, combatants=staying))
        events = (Event("left", {"who": names(gone)}),)
        if fight.state == "rolling":
            left = find_surprised(left)
        if fight.current is None or any(slot.number == fight.current for slot in left.slots):
            return Outcome(with_turn_in_sight(left), events)
        after = turn_after_leaving(left)
        return Outcome(with_turn_in_sight(after.fight), (*events, *after.events))


@dataclass(frozen=True, slots=True)
class SetHidden:
    """Hide combatants from the players, or let them be seen."""

    targets: tuple[int, ...]
    hidden: bool

    def run(self, fight: Fight) -> Outcome:
        who = [fight.combatant(number) for number in self.targets]
        if self.hidden:
            changed = fight.with_each({number: {"hidden": True} for number in self.targets})
            changed = with_turn_in_sight(changed)
        else:
            changed = revealed(fight, self.targets)
            home = fight.home(fight.current)
            if any(fight.combatant(n).slot == home for n in self.targets):
                changed = _seen_acting(changed)
        return told(changed, "hidden" if self.hidden else "revealed", who=names(who))


def _seen_acting(fight: Fight) -> Fight:
    if fight.current is None:
        return fight
    return replace(fight, seen_slot=fight.current, seen_round=fight.round)


@dataclass(frozen=True, slots=True)
class SetOut:
    """Let the order pass a combatant over, or take it back in."""

    target: int
    out: bool

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = fight.combatant(self.target)
        changed = fight.with_combatant(self.target, out=self.out)
        if fight.state == "rolling":
            changed = find_surprised(changed)
        return told(changed, "taken-out" if self.out else "taken-in", who=names([who]))


EDITABLE = (
    "name", "side", "ac", "max_hp", "hp", "temp_hp", "initiative_bonus", "dexterity",
    "passive_perception", "perception_roll", "stealth_bonus", "stealth_roll", "initiative_roll",
    "speed", "cannot_be_surprised", "arrives", "owner", "label", "notes",
)  # fmt: skip
WORDS = {
    "perception_roll": tuple(PASSIVE_SHIFT),
    "stealth_roll": tuple(PASSIVE_SHIFT),
    "initiative_roll": INITIATIVE_ROLLS,
}


@dataclass(frozen=True, slots=True)
class Edit:
    """Set facts of a combatant to what the GM says.

    Raises `RuleError`: "not-editable", "no-such-choice", "hp-above-maximum", and
    "amount-out-of-range" for temporary hit points.
    """

    target: int
    changes: Mapping[str, Any]  # field -> value

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        was = fight.combatant(self.target)
        if any(name not in EDITABLE for name in self.changes):
            raise RuleError("not-editable")
        if any(n in self.changes and self.changes[n] not in w for n, w in WORDS.items()):
            raise RuleError("no-such-choice")
        now = replace(was, **self._named(was))
        now = replace(
            now, awaited=was.awaited if now.arrives == was.arrives else _later(now, fight)
        )
        if now.hp is not None and not 0 <= now.hp <= (now.max_hp or 0):
            raise RuleError("hp-above-maximum", maximum=now.max_hp)
        if not 0 <= now.temp_hp <= AMOUNT_LIMIT:
            raise RuleError("amount-out-of-range", limit=AMOUNT_LIMIT)
        if shown_name(now) != shown_name(was):
            now = replace(now, letter=0)  # its letter may be another's under the new name
        side, now = now.side, replace(now, side=was.side)
        combatants = tuple(now if c.number == now.number else c for c in fight.combatants)
        fight = lettered(numbered(replace(fight, combatants=combatants)))
        fight = moved_to_side(dodging_ended(fight, now.number), (now.number,), side)
        if fight.state == "rolling":
            fight = find_surprised(fight)
        return told(fight, "edited", who=names([now]))

    def _named(self, was: Combatant) -> dict[str, Any]:
        """A new name stands for both languages, and needs no number of its own."""
        changes = dict(self.changes)
        if changes.get("name", was.name) != was.name:
            changes |= {"name_fr": "", "ordinal": 0}
        return changes
