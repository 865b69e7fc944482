"""The previous turn: what *next turn* changed is taken back, and nothing else.

Source: RULES of the table; *undo* is the other tool, and takes back the last step.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from rules.combatant import Combatant, Slot
from rules.consequences import with_consequences
from rules.fight import Fight, Outcome, RuleError, names, told
from rules.labelling import shown_name
from rules.order import second_turns_followed
from rules.places import with_peopled_slots
from rules.plain import list_from_plain, slots_from_plain
from rules.sight import with_turn_in_sight


@dataclass(frozen=True, slots=True)
class PreviousTurn:
    """Take back what the step that began this turn changed, and only that.

    Hit points and whatever was changed by hand since stay. Raises
    `RuleError("no-previous-turn")` at the first turn of the fight.
    """

    changes: tuple[Mapping[str, Any], ...]
    # of the step that began this turn, as `plain.difference` gives them; then of those before it,
    # as far back as the turn of somebody who is still there; what is too much is left aside

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        for changes in self.changes:
            fight = _taken_back(fight, changes)
            if any(slot.number == fight.current for slot in fight.slots):
                break
        if fight.current is None or all(s.number != fight.current for s in fight.slots):
            raise RuleError("no-previous-turn")
        who = names(fight.members(fight.current))
        fight = with_turn_in_sight(_without_rounds_to_come(fight))
        return told(fight, "turn-taken-back", who=who)


_MARKERS = ("current", "round", "turn_step", "seen_slot", "seen_round")
_OF_A_TURN = (
    "surprised", "lost_turn", "reaction", "has_acted", "hidden", "awaited", "moved", "dashes",
    "action_spent", "bonus_spent", "object_spent", "slot", "dead", "stable", "death_successes",
    "death_failures",
)  # fmt: skip
_KEYED: dict[str, Callable[[Any], Any]] = {
    "effects": lambda effect: effect.key,
    "uses": lambda use: use.name,
    "dues": lambda due: due,
}  # what tells one from another in a list of them
_OF_A_SLOT = tuple(f.name for f in fields(Slot) if f.name not in ("number", "joined_round"))


def _taken_back(fight: Fight, changes: Mapping[str, Any]) -> Fight:
    old = {name: pair[0] for name, pair in changes.get("fight", {}).items()}
    if old.get("state", "running") != "running":
        raise RuleError("no-previous-turn")
    fight = replace(fight, **{name: old[name] for name in _MARKERS if name in old})
    if "slots" in changes:
        before, after = (slots_from_plain(rows) for rows in changes["slots"])
        fight = replace(fight, slots=_slots_back(fight, before, after))
    here = {slot.number for slot in fight.slots}
    each: dict[int, dict[str, Any]] = {}
    for combatant in fight.combatants:
        change = changes.get("combatants", {}).get(str(combatant.number))
        if isinstance(change, Mapping):
            each[combatant.number] = values = _back(combatant, change)
            if values.get("slot") not in here:  # its group has been dissolved since
                values.pop("slot", None)
    fight = second_turns_followed(with_peopled_slots(fight.with_each(each)))
    fight = with_consequences(fight, each).fight
    return _letters_back(fight, changes)


def _letters_back(fight: Fight, changes: Mapping[str, Any]) -> Fight:
    """Letters that the turn gave are given back, unless somebody is still seen with one.

    Else one that arrives again, or a name with a letter too many, would tell of a turn that
    never was.
    """
    before, after = changes.get("fight", {}).get("letters_given", ({}, {}))
    each = {n: change for n, change in changes.get("combatants", {}).items() if "letter" in change}
    own = [
        c
        for c in fight.combatants
        if c.unseen and str(c.number) in each and each[str(c.number)]["letter"][1] == c.letter
    ]
    count = Counter(shown_name(c) for c in own)
    now = fight.letters_given
    back = {n for n in count if now.get(n) == after.get(n) == before.get(n, 0) + count[n]}
    if not back:
        return fight
    given = {name: before.get(name, 0) if name in back else now[name] for name in now}
    fight = fight.with_each({c.number: {"letter": 0} for c in own if shown_name(c) in back})
    return replace(fight, letters_given={name: n for name, n in given.items() if n})


def _without_rounds_to_come(fight: Fight) -> Fight:
    """Nobody has acted in a round that is still to come, whatever has been done by hand since."""
    now = fight.round
    return fight.with_slots(
        lambda s: replace(s, acted_round=now) if s.acted_round > now else s
    ).with_slots(lambda s: replace(s, waiting=now) if (s.waiting or 0) > now else s)


def _slots_back(
    fight: Fight, before: tuple[Slot, ...], after: tuple[Slot, ...]
) -> tuple[Slot, ...]:
    """The slots with what the turn changed of each, and their order if it is still the turn's."""
    old, new = ({slot.number: slot for slot in slots} for slots in (before, after))
    homes = {c.slot for c in fight.combatants}
    here = {slot.number for slot in fight.slots}
    gone = [s for s in before if s.number not in here and s.number not in new]
    over = [s for s in gone if s.extra_of is None or s.extra_of in homes]
    # second turns, which end with round 1, and what its dice have put together
    slots = [_slot_back(_as_group(s, old, new), old, new) for s in fight.slots]
    now = [slot.number for slot in slots if slot.number in new and slot.number in old]
    then = [slot.number for slot in after if slot.number in here and slot.number in old]
    if now == then and now != [n for n in old if n in now]:  # rolled anew with the round
        rank = {number: index for index, number in enumerate(old)}
        slots.sort(key=lambda slot: rank.get(slot.number, len(rank)))
    for slot in over:
        index = [s.number for s in before].index(slot.number)
        ahead = {s.number for s in before[:index]}
        slots.insert(
            max((i + 1 for i, s in enumerate(slots) if s.number in ahead), default=0), slot
        )
    return tuple(slots)


def _as_group(slot: Slot, old: Mapping[int, Slot], new: Mapping[int, Slot]) -> Slot:
    """A slot split off since the turn began had acted when its group had: then it does now."""
    home = slot.split_from
    if slot.number in new or home is None or home not in new or home not in old:
        return slot
    same = slot.acted_round == new[home].acted_round
    return replace(slot, acted_round=old[home].acted_round) if same else slot


def _slot_back(slot: Slot, old: Mapping[int, Slot], new: Mapping[int, Slot]) -> Slot:
    before, after = old.get(slot.number), new.get(slot.number)
    if before is None or after is None:
        return slot
    unmounted = before.by == "mount" != after.by  # its rider has left, and does not come back
    values = {
        name: getattr(before, name)
        for name in (_OF_A_SLOT if not unmounted else ("acted_round",))
        if getattr(after, name) == getattr(slot, name) != getattr(before, name)
    }
    return replace(slot, **values) if values else slot


def _back(combatant: Combatant, change: Mapping[str, Any]) -> dict[str, Any]:
    values = {
        name: change[name][0]
        for name in _OF_A_TURN
        if name in change and change[name][1] == getattr(combatant, name)
    }
    for name, key in _KEYED.items():
        if name in change:
            before, after = (list_from_plain(name, rows) for rows in change[name])
            now = getattr(combatant, name)
            values[name] = _list_back(now, before, after, key)
    for name in ("hp", "temp_hp", "max_hp"):
        now = getattr(combatant, name)
        if name in change and None not in (now, *change[name]):
            values[name] = max(0, now + change[name][0] - change[name][1])
    return _within_maximum(combatant, values)


def _list_back(
    now: tuple[Any, ...], before: tuple[Any, ...], after: tuple[Any, ...], key: Callable[[Any], Any]
) -> tuple[Any, ...]:
    """What stands there now, with what the turn changed of it as it was: the rest is by hand.

    What the turn has taken away is back, unless its like has been put there since.
    """
    old, new = ({key(one): one for one in ones} for ones in (before, after))
    here = {key(one) for one in now}
    kept = [
        old.get(key(one), one) if new.get(key(one)) == one else one
        for one in now
        if key(one) in old or new.get(key(one)) != one
    ]
    back = [one for one in before if key(one) not in new and key(one) not in here]
    if not back:
        return tuple(kept)
    there = {key(one) for one in kept}
    first = [one for one in before if one in back or key(one) in there]
    held = {key(one): one for one in kept}
    ordered = [held.get(key(one), one) for one in first]
    return (*ordered, *(one for one in kept if key(one) not in {key(o) for o in first}))


def _within_maximum(combatant: Combatant, values: dict[str, Any]) -> dict[str, Any]:
    maximum = values.get("max_hp", combatant.max_hp)
    if "hp" in values and maximum is not None:
        values["hp"] = min(values["hp"], maximum)
    return values
