"""Who takes part: joining, leaving, and the facts of a combatant that the GM sets.

Source: RULES of the table for joining a running fight; DRS, chapter "Combattre".
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.ability_checks import CHECK_ROLLS
from rules.anchors import anchored_anew
from rules.checks import GIVEN, INITIATIVE_ROLLS, parts
from rules.combatant import Combatant
from rules.consequences import (
    concentration_ended,
    let_go,
    with_consequences,
    with_whole_maximum,
)
from rules.damage import AMOUNT_LIMIT
from rules.durations import edge_passed
from rules.dying import CALM, fallen, relieved
from rules.fight import COMBATANT_LIMIT, Event, Fight, Outcome, RuleError, names, told
from rules.initiative import RollInitiative, seated, side_dice, with_dice_of_side
from rules.labelling import lettered, numbered, revealed, shown_name
from rules.order import followed, in_time, placed
from rules.places import dismounted, with_peopled_slots
from rules.sides import moved_to_side
from rules.sight import seen_acting, with_turn_in_sight
from rules.surprise import BearsOnSurprise, find_surprised
from rules.ties import ranked_again
from rules.turns import turn_after_leaving
from rules.unnoticed import met
from rules.uses import housed


@dataclass(frozen=True, slots=True)
class Join:
    """Newcomers enter the fight; their numbers are given here.

    In a running fight those like a group already there join it and its total. The others are
    placed by their own, behind equal totals, and act from the next round on if their place has
    already passed. Where a side rolls one die, they take that of theirs, behind the last of it; a
    new side's die that equals another's is left as an open tie. Raises
    `RuleError("too-many")` beyond 200 combatants.
    """

    newcomers: tuple[Combatant, ...]
    dice: tuple[int, ...] = ()  # d20s, in case a newcomer needs a total of its own

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        if len(fight.combatants) + len(self.newcomers) > COMBATANT_LIMIT:
            raise RuleError("too-many", limit=COMBATANT_LIMIT)
        entered = tuple(
            _entering(c, number, fight)
            for number, c in enumerate(self.newcomers, fight.last_number + 1)
        )
        fight = replace(
            fight,
            combatants=(*fight.combatants, *entered),
            last_number=fight.last_number + len(entered),
        )
        fight = housed(lettered(numbered(fight)))
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
            return Outcome(find_surprised(followed(placed(fight, new))), events)
        now = fight.round
        fight = fight.with_slots(lambda s: replace(s, joined_round=now) if s.number in new else s)
        own = [n for n in new if fight.slot(n).by not in GIVEN]
        known = side_dice(fight) if fight.settings.side_initiative else {}
        like = [n for n in own if fight.combatant(n).side in known]
        if fight.settings.side_initiative:
            roll = self._by_sides(fight, [n for n in own if n not in like])
        else:
            roll = self._roll(fight, own)
        rolled = roll.run(fight)
        given = [n for n in new if fight.slot(n).total is not None]  # a lair's
        empty = [n for n in new if rolled.fight.slot(n).total is None]
        fight = placed(placed(rolled.fight, empty), given)
        for number in like:
            fight = with_dice_of_side(fight, number)
        fight = met(in_time(followed(fight), new), [c.number for c in entered])
        return Outcome(fight, (*events, *rolled.events))

    def _roll(self, fight: Fight, new: list[int]) -> RollInitiative:
        """A die for each newcomer with a modifier, as far as there are dice."""
        able = [n for n in new if fight.combatant(n).adds_to_initiative is not None]
        scored = {n for n in able if all(part.scored for part in parts(fight, n))}
        dice = {n: die for n, die in zip(able, self.dice, strict=False) if n not in scored}
        return RollInitiative({**dict.fromkeys(scored, ()), **dice})

    def _by_sides(self, fight: Fight, new: list[int]) -> RollInitiative:
        """A die for each side that has none, as far as there are dice."""
        rolling = dict.fromkeys(fight.combatant(n).side for n in new)
        dice = {side: (die,) for side, die in zip(rolling, self.dice, strict=False)}
        return RollInitiative(sides=dice)


def _entering(combatant: Combatant, number: int, fight: Fight) -> Combatant:
    riders = {c.number for c in fight.combatants if c.side == combatant.side}
    rider = combatant.rider if combatant.rider in riders else None
    later = _later(combatant, fight)
    return replace(combatant, number=number, slot=None, rider=rider, awaited=later)


def _later(combatant: Combatant, fight: Fight) -> bool:
    """Whether it is planned for a round that has not come yet."""
    return combatant.arrives > max(fight.round, 1)


@dataclass(frozen=True, slots=True)
class Leave(BearsOnSurprise):
    """Take combatants out of the fight. If that empties the current slot, the next one begins.

    The mounts of those who have left keep their places, and follow nobody any more.
    """

    targets: tuple[int, ...]

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        gone = [fight.combatant(number) for number in self.targets]
        events = [Event("left", {"who": names(gone)})]
        for number in self.targets:
            over = concentration_ended(fight, number)
            fight = over.fight
            events += over.events
        free = let_go(fight, self.targets)
        events = [e for e in (*events, *free.events) if self._tells(e)]
        fight = free.fight
        acting = [c for c in gone if c.slot is not None and c.slot == fight.home(fight.current)]
        ended = edge_passed(fight, acting, "end", acting=False)
        fight = anchored_anew(ended.fight, self.targets)
        staying = tuple(c for c in fight.combatants if c.number not in self.targets)
        left = housed(with_peopled_slots(replace(fight, combatants=staying)))
        left = dismounted(left, [c.number for c in staying if c.rider in self.targets])
        if fight.current is None or any(slot.number == fight.current for slot in left.slots):
            return Outcome(with_turn_in_sight(left), tuple(events))
        after = turn_after_leaving(left)
        return Outcome(with_turn_in_sight(after.fight), (*events, *after.events))

    def _tells(self, event: Event) -> bool:
        """What ends on those who have left is not told."""
        return event.code == "left" or event.details["who"][0]["number"] not in self.targets


@dataclass(frozen=True, slots=True)
class SetHidden:
    """Hide combatants from the players, or let them be seen."""

    targets: tuple[int, ...]
    hidden: bool

    def run(self, fight: Fight) -> Outcome:
        who = [fight.combatant(number) for number in self.targets]
        if self.hidden:
            changed = fight.with_each({number: {"hidden": True} for number in self.targets})
            changed = with_turn_in_sight(changed, hiding=who)
        else:
            changed = revealed(fight, self.targets)
            home = fight.home(fight.current)
            if any(c.slot == home and not c.passed_over for c in who):
                changed = seen_acting(changed)
        return told(changed, "hidden" if self.hidden else "revealed", who=names(who))


@dataclass(frozen=True, slots=True)
class SetOut(BearsOnSurprise):
    """Let the order pass a combatant over, or take it back in."""

    target: int
    out: bool

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = fight.combatant(self.target)
        changed = fight.with_combatant(self.target, out=self.out)
        free = let_go(changed, [self.target] if self.out else ())
        event = Event("taken-out" if self.out else "taken-in", {"who": names([who])})
        return Outcome(free.fight, (event, *free.events))


EDITABLE = (
    "name", "side", "hero_level", "ac", "max_hp", "hp", "temp_hp", "initiative_bonus", "dexterity",
    "passive_perception", "perception_roll", "stealth_bonus", "stealth_roll", "initiative_roll",
    "speed", "speeds", "hovers", "death_saves", "defences", "saves", "cannot_be_surprised",
    "arrives", "owner", "in_lair", "label", "notes",
)  # fmt: skip
WORDS = {
    "perception_roll": CHECK_ROLLS,
    "stealth_roll": CHECK_ROLLS,
    "initiative_roll": INITIATIVE_ROLLS,
}


@dataclass(frozen=True, slots=True)
class Edit(BearsOnSurprise):
    """Set facts of a combatant to what the GM says; of a maximum, the whole.

    Raises `RuleError`: "not-editable", "no-such-choice", "hp-above-maximum", and
    "amount-out-of-range" for temporary hit points.
    """

    target: int
    changes: Mapping[str, Any]  # field -> value

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        if any(name not in EDITABLE for name in self.changes):
            raise RuleError("not-editable")
        if any(n in self.changes and self.changes[n] not in w for n, w in WORDS.items()):
            raise RuleError("no-such-choice")
        changes = self._named(fight.combatant(self.target))
        fight = relieved(fight, self.target) if changes.get("hp") else fight
        was = fight.combatant(self.target)
        now = _edited(was, changes, fight)
        side, now = now.side, replace(now, side=was.side)
        combatants = tuple(now if c.number == now.number else c for c in fight.combatants)
        fight = housed(lettered(numbered(replace(fight, combatants=combatants))))
        fell = _fell(fight, was)
        after = with_consequences(fell.fight, [now.number])
        here = met(after.fight, [now.number] if was.awaited and not now.awaited else ())
        free = let_go(here, [now.number] if now.awaited else ())
        moved = moved_to_side(free.fight, (now.number,), side)
        touched = [now.slot] if now.slot and now.dexterity != was.dexterity else []
        ranked = ranked_again(moved.fight, touched)
        events = (Event("edited", {"who": names([now])}), *fell.events, *after.events)
        return Outcome(with_turn_in_sight(ranked), (*events, *free.events, *moved.events))

    def _named(self, was: Combatant) -> dict[str, Any]:
        """A new name stands for both languages, and needs no number of its own.

        A maximum that stays is not told anew: exhaustion may have taken half of it.
        """
        changes = dict(self.changes)
        if changes.get("name", was.name) != was.name:
            changes |= {"name_fr": "", "ordinal": 0}
        if changes.get("max_hp") == was.max_hp:
            changes.pop("max_hp", None)
        return changes


def _edited(was: Combatant, changes: Mapping[str, Any], fight: Fight) -> Combatant:
    now = replace(was, **changes)
    if "max_hp" in changes:
        now = with_whole_maximum(now, now.max_hp)
    if now.arrives != was.arrives:
        now = replace(now, awaited=_later(now, fight))
    if now.hp is not None and not 0 <= now.hp <= (now.max_hp or 0):
        raise RuleError("hp-above-maximum", maximum=now.max_hp)
    if not 0 <= now.temp_hp <= AMOUNT_LIMIT:
        raise RuleError("amount-out-of-range", limit=AMOUNT_LIMIT)
    if now.hp and not was.hp:
        now = replace(now, dead=False, **CALM)
    if shown_name(now) != shown_name(was):
        now = replace(now, letter=0)  # its letter may be another's under the new name
    return now


def _fell(fight: Fight, was: Combatant) -> Outcome:
    """What follows for one who had hit points, and is told to have none."""
    now = fight.combatant(was.number)
    if now.hp != 0 or was.hp == 0 or was.dead:
        return Outcome(fight)
    return fallen(fight, now, over=0, maximum=now.max_hp or 0, spared=False)
