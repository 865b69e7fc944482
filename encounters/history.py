"""What the stored steps tell: how a fight stood after any of them, and which of them still stand.

Every step, undo and redo included, holds what it changed itself; taking back the later ones, the
newest first, leads to the state after an earlier one.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q

import rules
from encounters import log
from encounters.models import Encounter, Step


class Record(NamedTuple):
    """What the log needs of a step; `rounds` are the round before and after, if it changed."""

    version: int
    command: str
    of: int | None
    undo_next: int | None
    events: list[dict[str, Any]]
    rounds: list[int] | None


class Told(NamedTuple):
    """What the board's log needs of a step."""

    version: int
    command: str
    stored: str  # its events, as JSON

    @property
    def events(self) -> list[dict[str, Any]]:
        """As `read` gives them."""
        return read(self.stored)


def recent(encounter: Encounter, count: int) -> list[Told]:
    """The last steps, and those that *undo* and *redo* speak of, newest first; one query."""
    after, undo, redo = encounter.version - count, encounter.undo_step, encounter.redo_step
    with connection.cursor() as cursor:
        cursor.execute(_query_of_recent(), [after, undo or 0, redo or 0, encounter.pk])
        rows = cursor.fetchall()
    return [Told(*row) for row in rows]


@lru_cache(maxsize=500)
def read(stored: str) -> list[dict[str, Any]]:
    """Events from their JSON; they are the same for all who ask, and not to be changed."""
    events: list[dict[str, Any]] = json.loads(stored)
    return events


@cache
def _query_of_recent() -> str:
    """Made once: to compile it takes longer than to read the steps."""
    wanted = Q(version__gt=1) | Q(version__in=[2, 3])
    steps = Step.objects.filter(wanted, encounter=4).order_by("-version")
    sql: str = steps.values_list("version", "command", "events").query.sql_with_params()[0]
    return sql


def records(encounter: Encounter) -> list[Record]:
    """All steps of a fight, newest first; one query, without the bulk of their changes."""
    columns = ("version", "command", "of", "undo_next", "events", "changes__fight__round")
    steps = Step.objects.filter(encounter=encounter).order_by("-version")
    return [Record(*row) for row in steps.values_list(*columns)]


def standing(steps: Iterable[Record], last: int | None) -> set[int]:
    """The versions of the steps whose effect is in the fight now.

    `last` is the step that *undo* would take back; what it leads to is followed to the beginning.
    Going back over steps undoes them, as long as it stands itself.
    """
    known = {step.version: step for step in steps}
    stands: set[int] = set()
    while last is not None and last in known:
        step = known[last]
        stands.add(step.of or step.version)
        there = known.get(_went_back_to(step) or 0)
        last = _last_standing(there) if there else step.undo_next
    return stands


def steps_from(encounter: Encounter, version: int) -> list[Step]:
    """The step that led to this version, and all later ones, newest first; one query."""
    steps = Step.objects.filter(encounter=encounter, version__gte=version)
    return list(steps.order_by("-version").defer("arguments", "key", "taken"))


def taken_back(fight: rules.Fight, later: Iterable[Step]) -> rules.Fight:
    """The fight as it stood before these steps, which are its last, newest first.

    Its `version` stays. Raises `RuleError("history-differs")` when they are not.
    """
    for step in later:
        fight = rules.restored(fight, step.changes, after=False)
    return fight


def name_of_state(step: Step) -> list[Mapping[str, Any]]:
    """The event that the state after this step is named by; none before there was anything."""
    if step.command == "undo":
        own = Step.objects.filter(encounter_id=step.encounter_id)
        stood = own.filter(version=step.undo_next or 0).first()
        return name_of_state(stood) if stood else []
    chief = log.chief(step.events)
    if chief and chief["code"] == "went-back":
        return list(chief["after"])
    return [chief] if chief else []


def _last_standing(step: Record) -> int | None:
    """What *undo* would have taken back right after this step."""
    return step.undo_next if step.command == "undo" else step.version


def _went_back_to(step: Record) -> int | None:
    return next((e["to"] for e in step.events if e["code"] == "went-back"), None)
