"""Where rows and rules meet: an encounter's rows as a `rules.Fight`, and back what differs."""

import json
from dataclasses import fields
from datetime import datetime
from functools import cache, lru_cache
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, JSONField

import rules
from encounters import heroes, statements
from encounters.lingering import as_seen
from encounters.models import Campaign, Combatant, Encounter
from rules.plain import COMBATANT_FIELDS, FIGHT_FIELDS, LISTS, combatant_to_plain

SETTINGS = tuple(f.name for f in fields(rules.Settings))
SWITCHES = tuple(  # places of the columns that SQLite gives as 0 or 1
    place
    for place, name in enumerate(COMBATANT_FIELDS)
    if isinstance(Combatant._meta.get_field(name), BooleanField)
)
STRUCTURED = tuple(  # places of the columns that hold JSON
    (place, name)
    for place, name in enumerate(COMBATANT_FIELDS)
    if isinstance(Combatant._meta.get_field(name), JSONField)
)
State = tuple[int, datetime]  # a version, and when it was made
MOST_KEPT = 100  # fights
_kept: dict[UUID, tuple[State, tuple[rules.Combatant, ...]]] = {}  # the one played last at the end


def settings_of(campaign: Campaign) -> rules.Settings:
    """How this campaign plays."""
    return rules.Settings(*(getattr(campaign, name) for name in SETTINGS))


def load_fight(encounter: Encounter) -> rules.Fight:
    """The fight as it stands; until it begins, with the numbers that the campaign's heroes have."""
    fight = stored_fight(encounter)
    return heroes.shown(fight, heroes.rows_of(encounter, fight))


def stored_fight(encounter: Encounter) -> rules.Fight:
    """The fight that this encounter's rows hold; one query, or none right after a step."""
    return rules.Fight(
        combatants=_at_hand(encounter) or tuple(map(_combatant, _rows(encounter))),
        slots=rules.slots_from_plain(encounter.slots),
        table=settings_of(encounter.campaign),
        version=encounter.version,
        **{name: getattr(encounter, name) for name in FIGHT_FIELDS},
    )


def keep(encounter: Encounter, fight: rules.Fight) -> None:
    """Spare whoever loads this state next the reading of its combatants; any thread may call this.

    Only for what is committed.
    """
    _kept.pop(encounter.uuid, None)
    _kept[encounter.uuid] = _state(encounter), fight.combatants
    for old in list(_kept)[:-MOST_KEPT]:
        _kept.pop(old, None)


def _at_hand(encounter: Encounter) -> tuple[rules.Combatant, ...] | None:
    state, combatants = _kept.get(encounter.uuid, (None, None))
    return combatants if state == _state(encounter) else None


def _state(encounter: Encounter) -> State:
    """What no other state of this fight has, even where a copy that was put back counts again."""
    return encounter.version, encounter.used


def _rows(encounter: Encounter) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(_query_of_rows(), [encounter.pk])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


@cache
def _query_of_rows() -> str:
    """Made once: to compile so many columns takes longer than to read the rows."""
    rows = Combatant.objects.filter(encounter=0).order_by("number").values_list(*COMBATANT_FIELDS)
    sql: str = rows.query.sql_with_params()[0]
    return sql


@lru_cache(maxsize=4_000)
def _combatant(row: tuple[Any, ...]) -> rules.Combatant:
    """The same value for the same row: most have not changed since the last step."""
    values = list(row)
    for place in SWITCHES:
        values[place] = bool(values[place])
    for place, name in STRUCTURED:
        stored = json.loads(values[place])
        values[place] = rules.list_from_plain(name, stored) if name in LISTS else stored
    return rules.Combatant(*values)


def shown_fight(campaign: Campaign) -> rules.Fight | None:
    """The fight that the players of this campaign follow, with what they still see."""
    encounter = campaign.shown
    if encounter is None or encounter.deleted or campaign.deleted:
        return None
    encounter.campaign = campaign
    return as_seen(encounter, load_fight(encounter))


def save_fight(encounter: Encounter, before: rules.Fight, after: rules.Fight) -> None:
    """Write the rows that differ, and set (not save) the encounter's own columns."""
    for name in FIGHT_FIELDS:
        setattr(encounter, name, getattr(after, name))
    if before.slots != after.slots:
        encounter.slots = rules.slots_to_plain(after.slots)
    old = {c.number: c for c in before.combatants}
    new = {c.number: c for c in after.combatants}
    if gone := old.keys() - new.keys():
        Combatant.objects.filter(encounter=encounter, number__in=gone).delete()
    if entered := [combatant_to_plain(c) for number, c in new.items() if number not in old]:
        Combatant.objects.bulk_create(Combatant(encounter=encounter, **c) for c in entered)
    changed = [(old[n], c) for n, c in new.items() if n in old and old[n] is not c and old[n] != c]
    names = [f for f in COMBATANT_FIELDS if any(getattr(a, f) != getattr(b, f) for a, b in changed)]
    if names:
        values = [(*_stored(c, names), encounter.pk, c.number) for _, c in changed]
        statements.update_each(Combatant, names, ("encounter", "number"), values)


def _stored(combatant: rules.Combatant, names: list[str]) -> list[Any]:
    """The values of these columns."""
    found = [(name, getattr(combatant, name)) for name in names]
    return [rules.list_to_plain(value) if name in LISTS else value for name, value in found]
