"""What a turn has changed that players have not seen begin.

For players a turn lasts until they see the next one. Hit points that are lost, effects that end
or come, and dice that fall while somebody hidden begins a turn are no news as long: else they
would tell of that turn.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

from django.db.models import QuerySet

import rules
from encounters.models import Encounter, Step

T = TypeVar("T")
TEN = 10  # rows


@dataclass(frozen=True, slots=True)
class Done:
    """A step that was taken since the turn that players see began."""

    version: int
    changes: rules.Changes
    events: list[dict[str, Any]] | None = None  # None: it began a turn that they do not see

    def of(self, number: int) -> Mapping[str, Any]:
        """What it has changed of this combatant."""
        change = self.changes.get("combatants", {}).get(str(number))
        return change if isinstance(change, Mapping) else {}


def as_seen(encounter: Encounter, fight: rules.Fight) -> rules.Fight:
    """The fight as players still see it; one query while somebody hidden acts.

    And another when more has been done since, if the unseen turns have changed hit points.
    """
    if fight.state != "running" or fight.seen_slot in (None, fight.current):
        return fight
    turns = list(_unseen_turns(encounter, fight))
    seen = fight
    for turn in turns:
        seen = rules.as_before(seen, turn.changes)
    standing = {c.number for one in (fight, seen) for c in one.combatants if c.hp}
    touched = {n for n in standing if any(_touches(turn, n) for turn in turns)}
    hurt = [c for c in seen.combatants if c.number in touched]
    if not hurt or turns[-1].version == encounter.version:
        return seen
    done = sorted([*turns, *_by_hand(encounter, turns[-1].version)], key=lambda one: one.version)
    return seen.with_each({c.number: _hit_points(c, done) for c in hurt})


def _unseen_turns(encounter: Encounter, fight: rules.Fight) -> Iterator[Done]:
    """The steps that began turns since the one that players see, the last first."""
    version, seen = fight.turn_step or 0, fight.seen_slot
    began = {"version__lte": version, "changes__fight__turn_step__isnull": False}
    steps = Step.objects.filter(encounter=encounter, **began).order_by("-version")
    for number, changes in _in_tens(steps.values_list("version", "changes")):
        if number != version:  # undone, or taken back
            continue
        if _is_seen(changes, seen):
            return
        yield Done(number, changes)
        facts = changes["fight"]
        version, (seen, _) = facts["turn_step"][0], facts.get("seen_slot", (seen, seen))


def _in_tens(rows: "QuerySet[Any, T]") -> Iterator[T]:
    """All rows, of which as a rule the first few are wanted.

    Not as a stream: PostgreSQL gives none beside what is written at the same time.
    """
    for start in count(step=TEN):
        some = list(rows[start : start + TEN])
        yield from some
        if len(some) < TEN:
            return


def _is_seen(changes: rules.Changes, seen: int | None) -> bool:
    """Whether players see the turn that a step began, or another than before it.

    `seen` is the place whose turn they see after it. A second turn may give way to its own place.
    """
    facts = changes["fight"]
    before, after = facts.get("seen_slot", (None, None))
    homes = {s["number"]: s.get("extra_of") for s in rules.orders(changes)[0]}
    moved = before != after and homes.get(before) != after
    began = facts.get("current", (None, None))[1] == seen
    return moved or began or not facts.keys().isdisjoint(("state", "seen_round"))


# Hit points, where players see the numbers


def _by_hand(encounter: Encounter, since: int) -> Iterator[Done]:
    """The steps after this version that still stand and began no turn."""
    steps = Step.objects.filter(encounter=encounter, version__gt=since).order_by("-version")
    standing = encounter.undo_step
    for version, changes, events, next_one in steps.values_list(
        "version", "changes", "events", "undo_next"
    ):
        if version == standing:
            standing = next_one
            if "turn_step" not in changes.get("fight", {}):
                yield Done(version or 0, changes, events)


def _touches(done: Done, number: int) -> bool:
    return not done.of(number).keys().isdisjoint(("hp", "temp_hp"))


def _hit_points(combatant: rules.Combatant, done: list[Done]) -> dict[str, int]:
    """Hit points as they would be if what was done by hand had been done before the unseen turns.

    `combatant` is as it was before these, but for differences: damage took what they had left of
    temporary hit points, and a number that was set would be another. Nobody falls by this.
    """
    number = combatant.number
    first = next(index for index, one in enumerate(done) if _touches(one, number))
    hp, temporary = (_before(name, combatant, done[first:]) for name in ("hp", "temp_hp"))
    for one in done[first:]:
        if one.events is not None:
            hp, temporary = _again(one, combatant, hp, temporary)
    return {"hp": max(1, min(hp, combatant.max_hp or 0)), "temp_hp": temporary}


def _before(name: str, combatant: rules.Combatant, done: list[Done]) -> int:
    """What it had of these before all this."""
    for one in done:
        if name in one.of(combatant.number):
            return int(one.of(combatant.number)[name][0] or 0)
    return int(getattr(combatant, name) or 0)


def _again(done: Done, combatant: rules.Combatant, hp: int, temporary: int) -> tuple[int, int]:
    """Hit points, and temporary ones, after what was done to them by hand."""
    change, most = done.of(combatant.number), combatant.max_hp or 0
    for event in done.events or ():
        if combatant.number not in {who["number"] for who in event.get("who", ())}:
            continue
        match event["code"]:
            case "damaged":
                beyond = max(0, event["amount"] - temporary)
                return max(0, hp - beyond), max(0, temporary - event["amount"])
            case "healed":
                return max(hp, min(most, hp + event["amount"])), temporary
            case "given-temporary" if change["temp_hp"][1] >= change["temp_hp"][0]:
                return hp, max(temporary, event["amount"])
            case "given-temporary" | "hit-points-set" | "edited":
                return change.get("hp", (0, hp))[1], change.get("temp_hp", (0, temporary))[1]
    differences = [change.get(name, (0, 0)) for name in ("hp", "temp_hp")]
    by = [(after or 0) - (before or 0) for before, after in differences]
    return min(most, hp + by[0]), max(0, temporary + by[1])
