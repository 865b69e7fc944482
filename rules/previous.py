"""The previous turn: what *next turn* changed is taken back, and nothing else.

Source: RULES of the table; *undo* is the other tool, and takes back the last step.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from rules.combatant import Combatant, Effect, Slot
from rules.consequences import lifted, with_consequences
from rules.durations import waits_for
from rules.fight import Fight, Outcome, RuleError, names, told
from rules.labelling import shown_name
from rules.order import totals_followed
from rules.places import with_peopled_slots
from rules.plain import list_from_plain, orders, slots_from_plain
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
        if all(slot.number != fight.current for slot in fight.slots):
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
    return _letters_back(_on_again(fight, changes_back(fight, changes), changes), changes)


def _on_again(fight: Fight, back: Fight, changes: Mapping[str, Any]) -> Fight:
    """The fight `back`, in which the turn that is on again does not end what was put on since.

    All that was to end with that turn before has been changed by the step that ended it; one in
    which the turn was given up to wait has ended nothing.
    """
    _, after = orders(changes)
    home = back.home(back.current)
    if any(s.number == home and s.waiting is not None for s in slots_from_plain(after)):
        return back
    acting = {c.number for c in back.members(back.current)}
    for bearer in back.combatants:
        here = fight.combatant(bearer.number).effects
        own = [e for e in bearer.effects if e in here and waits_for(e, bearer, acting, "end")]
        late = {e for e in own if not e.until_round and e.counted != back.round}
        if late:
            skip = tuple(replace(e, skips=e in late or e.skips) for e in bearer.effects)
            back = back.with_combatant(bearer.number, effects=skip)
    return back


def changes_back(fight: Fight, changes: Mapping[str, Any]) -> Fight:
    """The fight without what a step changed of its places and of each combatant.

    Whose turn it is stays, and so do letters and whatever was changed by hand since.
    """
    if "slots" in changes:
        before, after = map(slots_from_plain, orders(changes))
        fight = replace(fight, slots=_slots_back(fight, before, after))
    here = {slot.number for slot in fight.slots}
    each: dict[int, dict[str, Any]] = {}
    for combatant in fight.combatants:
        change = changes.get("combatants", {}).get(str(combatant.number))
        if isinstance(change, Mapping):
            each[combatant.number] = values = _back(combatant, change)
            if values.get("slot") not in here:  # its group has been dissolved since
                values.pop("slot", None)
    back = _held(fight, fight.with_each(each), each)
    fight = totals_followed(with_peopled_slots(back))
    return with_consequences(fight, _and_sources(fight, each)).fight


def _and_sources(fight: Fight, numbers: Iterable[int]) -> list[int]:
    """These, and the others who may have to let go of them."""
    here = {c.number for c in fight.combatants}
    sources = (e.source for n in numbers for e in fight.combatant(n).effects)
    return list(dict.fromkeys([*numbers, *(s for s in sources if s in here)]))


def _letters_back(fight: Fight, changes: Mapping[str, Any]) -> Fight:
    """Letters that the turn gave are given back, unless somebody is still seen with one.

    Else one that arrives again, or a name with a letter too many, would tell of a turn that
    never was.
    """
    before, after = changes.get("fight", {}).get("letters_given", ({}, {}))
    own = lettered_unseen(fight, changes)
    count = Counter(shown_name(c) for c in own)
    now = fight.letters_given
    back = {n for n in count if now.get(n) == after.get(n) == before.get(n, 0) + count[n]}
    if not back:
        return fight
    given = {name: before.get(name, 0) if name in back else now[name] for name in now}
    fight = fight.with_each({c.number: {"letter": 0} for c in own if shown_name(c) in back})
    return replace(fight, letters_given={name: n for name, n in given.items() if n})


def lettered_unseen(fight: Fight, changes: Mapping[str, Any]) -> list[Combatant]:
    """Those out of the players' sight who still bear the letter that a step has given them."""
    each = {n: change for n, change in changes.get("combatants", {}).items() if "letter" in change}
    return [
        c
        for c in fight.combatants
        if c.unseen and str(c.number) in each and each[str(c.number)]["letter"][1] == c.letter
    ]


def _without_rounds_to_come(fight: Fight) -> Fight:
    """Nobody has acted in a round to come, and who has the turn has begun it and does not wait."""
    now, on = fight.round, fight.current
    return fight.with_slots(
        lambda s: replace(
            s,
            acted_round=now if s.number == on else min(s.acted_round, now),
            waiting=None if s.waiting is None or s.number == on else min(s.waiting, now),
        )
    )


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
    return _in_bounds(combatant, values)


def _list_back(
    now: tuple[Any, ...], before: tuple[Any, ...], after: tuple[Any, ...], key: Callable[[Any], Any]
) -> tuple[Any, ...]:
    """What stands there now, with what the turn changed of it as it was: the rest is by hand.

    What the turn has taken away is back, unless its like has been put there since.
    """
    here, old, new = (_told_apart(ones, key) for ones in (now, before, after))
    kept = {
        word: old.get(word, one) if new.get(word) == one else one
        for word, one in here.items()
        if word in old or new.get(word) != one
    }
    if all(word in new or word in here for word in old):
        return tuple(kept.values())
    first = {
        word: kept.get(word, one)
        for word, one in old.items()
        if word in kept or not (word in new or word in here)
    }
    return tuple((first | kept).values())


def _told_apart(ones: tuple[Any, ...], key: Callable[[Any], Any]) -> dict[tuple[Any, int], Any]:
    """Each by what tells it from the others; of those alike, by which of them it is."""
    count: Counter[Any] = Counter()
    apart: dict[tuple[Any, int], Any] = {}
    for one in ones:
        count[word := key(one)] += 1
        apart[word, count[word]] = one
    return apart


def _in_bounds(combatant: Combatant, values: dict[str, Any]) -> dict[str, Any]:
    """Hit points never above the maximum; the dead have none."""
    hp, maximum = (values.get(name, getattr(combatant, name)) for name in ("hp", "max_hp"))
    if hp is not None:
        dead = values.get("dead", combatant.dead)
        values["hp"] = 0 if dead else min(hp, maximum or 0)
    return values


def _held(now: Fight, back: Fight, numbers: Iterable[int]) -> Fight:
    """The fight `back`, without effects that hung on a concentration that is not back with them.

    One begun since stands for another. Turns of somebody who has left count no more: those of the
    bearer do.
    """
    here = {c.number: c for c in now.combatants}
    holding = {c.number for c in back.combatants if c.has("concentration")}
    others = {n for n in numbers if here[n].has("concentration") and _holds_two(back.combatant(n))}
    for number in numbers:
        own = {effect.key: effect for effect in here[number].effects}
        lost = tuple(
            effect
            for effect in back.combatant(number).effects
            if effect.key not in own
            and (
                (effect.hangs and effect.source not in holding - others)
                or (effect.code == "concentration" and number in others)
            )
        )
        back = lifted(back, number, lost) if lost else back
        effects = tuple(_counting(e, own, here) for e in back.combatant(number).effects)
        back = back.with_combatant(number, effects=effects)
    return back


def _holds_two(combatant: Combatant) -> bool:
    return sum(effect.code == "concentration" for effect in combatant.effects) > 1


def _counting(
    effect: Effect, now: Mapping[tuple[str, str, int | None], Effect], here: Mapping[int, Combatant]
) -> Effect:
    if effect.whose is None or effect.whose in here:
        return effect
    return now.get(effect.key, replace(effect, whose=None))
