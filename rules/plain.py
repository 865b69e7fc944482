"""Fights and commands as JSON-able data, and what differs between two states of one fight.

Changes hold the stored values before and after, so that undo and redo restore them exactly.
"""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from rules.fight import Combatant, Fight, RuleError, Slot

FIGHT_FIELDS = (
    "state", "round", "current", "last_number", "turn_step", "seen_slot", "seen_round",
    "ordinals_given", "letters_given",
)  # fmt: skip
COMBATANT_FIELDS = tuple(f.name for f in fields(Combatant))

Changes = dict[str, Any]


def slots_to_plain(slots: tuple[Slot, ...]) -> list[dict[str, Any]]:
    """A row for each slot, in order."""
    return [
        {
            "number": s.number,
            "total": s.total,
            "die": s.die,
            "tie_dice": list(s.tie_dice),
            "settled": s.settled,
            "acted_round": s.acted_round,
            "joined_round": s.joined_round,
        }
        for s in slots
    ]


def slots_from_plain(rows: list[dict[str, Any]]) -> tuple[Slot, ...]:
    return tuple(Slot(**{**row, "tie_dice": tuple(row["tie_dice"])}) for row in rows)


def difference(before: Fight, after: Fight) -> Changes:
    """What a command changed: the values before and after, and nothing else."""
    changes: Changes = {}
    facts = _pairs(before, after, FIGHT_FIELDS)
    if facts:
        changes["fight"] = facts
    if before.slots != after.slots:
        changes["slots"] = [slots_to_plain(before.slots), slots_to_plain(after.slots)]
    old = {c.number: c for c in before.combatants}
    new = {c.number: c for c in after.combatants}
    rows: dict[str, Any] = {}
    for number in old | new:
        was, now = old.get(number), new.get(number)
        if was is None or now is None:
            rows[str(number)] = [was and asdict(was), now and asdict(now)]
        elif was != now:
            rows[str(number)] = _pairs(was, now, COMBATANT_FIELDS)
    if rows:
        changes["combatants"] = rows
    return changes


def _pairs(was: object, now: object, names: tuple[str, ...]) -> dict[str, list[Any]]:
    return {
        name: [getattr(was, name), getattr(now, name)]
        for name in names
        if getattr(was, name) != getattr(now, name)
    }


def restored(fight: Fight, changes: Mapping[str, Any], *, after: bool) -> Fight:
    """The fight as it was before these changes, or, for a redo, after them.

    Raises `RuleError("history-differs")` when the fight is not in the state they lead from.
    """
    new = 1 if after else 0
    facts = {name: pair[new] for name, pair in changes.get("fight", {}).items()}
    fight = replace(fight, **facts)
    if "slots" in changes:
        fight = replace(fight, slots=slots_from_plain(changes["slots"][new]))
    combatants = {c.number: c for c in fight.combatants}
    for key, change in changes.get("combatants", {}).items():
        number = int(key)
        if isinstance(change, Mapping):
            if number not in combatants:
                raise RuleError("history-differs")
            values = {name: pair[new] for name, pair in change.items()}
            combatants[number] = replace(combatants[number], **values)
        elif change[new] is None:
            combatants.pop(number, None)
        else:
            combatants[number] = Combatant(**change[new])
    return replace(fight, combatants=tuple(combatants[n] for n in sorted(combatants)))
