"""Fights and commands as JSON-able data, and what differs between two states of one fight.

Changes hold the stored values before and after, so that undo and redo restore them exactly.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from rules.combatant import Combatant, Defence, Due, Effect, Slot, Use
from rules.fight import Fight, RuleError

FIGHT_FIELDS = (
    "state", "round", "current", "last_number", "turn_step", "seen_slot", "seen_round",
    "ordinals_given", "letters_given", "allied", "overrides", "verdicts",
)  # fmt: skip
COMBATANT_FIELDS = tuple(f.name for f in fields(Combatant))

Changes = dict[str, Any]


_SLOT_DEFAULTS = [(f.name, f.default) for f in fields(Slot) if f.name != "number"]


def slots_to_plain(slots: tuple[Slot, ...]) -> list[dict[str, Any]]:
    """A row for each slot, in order, of what is not as it is in a new one."""
    return [_slot_to_plain(slot) for slot in slots]


@lru_cache(maxsize=2_000)
def _slot_to_plain(slot: Slot) -> dict[str, Any]:
    """The row of a slot, which nobody changes: most slots have not changed since the last step."""
    row: dict[str, Any] = {"number": slot.number}
    for name, default in _SLOT_DEFAULTS:
        value = getattr(slot, name)
        if value != default:
            row[name] = list(value) if name == "tie_dice" else value
    return row


def slots_from_plain(rows: list[dict[str, Any]]) -> tuple[Slot, ...]:
    return tuple(
        Slot(**{**row, "tie_dice": tuple(row["tie_dice"])}) if "tie_dice" in row else Slot(**row)
        for row in rows
    )


LISTS: dict[str, type[Any]] = {"effects": Effect, "defences": Defence, "uses": Use, "dues": Due}
# the fields of a combatant that hold several values of one kind
_DEFAULTS = {kind: {f.name: f.default for f in fields(kind)} for kind in LISTS.values()}


def list_to_plain(values: Iterable[Any]) -> list[dict[str, Any]]:
    """A row for each effect, defence, use or due, of what is not as it is in a new one."""
    return [
        {
            name: list(v) if name == "observers" else v
            for name, usual in _DEFAULTS[type(one)].items()
            if (v := getattr(one, name)) != usual
        }
        for one in values
    ]


def list_from_plain(name: str, rows: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
    """What `list_to_plain` has written of this field of a combatant."""
    kind = LISTS[name]
    return tuple(
        kind(**{**row, "observers": tuple(row["observers"])}) if "observers" in row else kind(**row)
        for row in rows
    )


def combatant_to_plain(combatant: Combatant) -> dict[str, Any]:
    return {name: _plain(combatant, name) for name in COMBATANT_FIELDS}


def combatant_from_plain(values: Mapping[str, Any]) -> Combatant:
    return Combatant(**_read(values))


def _read(values: Mapping[str, Any]) -> dict[str, Any]:
    return {n: list_from_plain(n, v) if n in LISTS else v for n, v in values.items()}


def _plain(one: object, name: str) -> Any:
    value = getattr(one, name)
    return list_to_plain(value) if name in LISTS else value


def difference(before: Fight, after: Fight) -> Changes:
    """What a command changed: the values before and after, and nothing else."""
    changes: Changes = {}
    facts = _pairs(before, after, FIGHT_FIELDS)
    if facts:
        changes["fight"] = facts
    if before.slots != after.slots:
        changes["slots"] = _orders(before.slots, after.slots)
    old = {c.number: c for c in before.combatants}
    new = {c.number: c for c in after.combatants}
    rows: dict[str, Any] = {}
    for number in old | new:
        was, now = old.get(number), new.get(number)
        if was is None or now is None:
            rows[str(number)] = [was and combatant_to_plain(was), now and combatant_to_plain(now)]
        elif was is not now and was != now:
            rows[str(number)] = _pairs(was, now, COMBATANT_FIELDS)
    if rows:
        changes["combatants"] = rows
    return changes


def _orders(before: tuple[Slot, ...], after: tuple[Slot, ...]) -> list[list[Any]]:
    """The places before and after. Before, one that stays as it is is given by its number."""
    same = {slot.number: slot for slot in after}
    kept = [s.number if same.get(s.number) == s else _slot_to_plain(s) for s in before]
    return [kept, slots_to_plain(after)]


def orders(changes: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of all places before and after the changes; none where no place has changed."""
    before, after = changes.get("slots", ((), ()))
    rows = {row["number"]: row for row in after}
    return [one if isinstance(one, dict) else rows[one] for one in before], list(after)


def _pairs(was: object, now: object, names: tuple[str, ...]) -> dict[str, list[Any]]:
    return {
        name: [_plain(was, name), _plain(now, name)]
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
        fight = replace(fight, slots=slots_from_plain(orders(changes)[new]))
    combatants = {c.number: c for c in fight.combatants}
    for key, change in changes.get("combatants", {}).items():
        number = int(key)
        if isinstance(change, Mapping):
            if number not in combatants:
                raise RuleError("history-differs")
            values = {name: pair[new] for name, pair in change.items()}
            combatants[number] = replace(combatants[number], **_read(values))
        elif change[new] is None:
            combatants.pop(number, None)
        else:
            combatants[number] = combatant_from_plain(change[new])
    return replace(fight, combatants=tuple(combatants[n] for n in sorted(combatants)))
