"""A GM's hands in tests: steps taken straight, or forms posted as a browser posts them."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

from django.db import connections, transaction
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, settings

import rules
from encounters import steps
from encounters.models import Encounter
from encounters.store import load_fight

HTMX = {"HX-Request": "true"}


def examples(usual: int, steps: int = 50) -> settings:
    """So many examples, and as many more as the test's size asks for.

    The database is shared by all examples of a test: `rolled_back` empties it after each.
    """
    return settings(
        max_examples=usual * settings().max_examples // 100,
        stateful_step_count=steps,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


def fresh(encounter: Encounter) -> Encounter:
    """The encounter as the database has it now."""
    return Encounter.objects.select_related("campaign").get(pk=encounter.pk)


def fight_in(encounter: Encounter) -> rules.Fight:
    return load_fight(fresh(encounter))


def take(
    encounter: Encounter,
    command: rules.Command,
    *,
    key: UUID | None = None,
    seen: int | None = None,
) -> steps.Taken:
    """A step that does this command."""
    name = type(command).__name__
    return steps.take_step(encounter.uuid, key or uuid4(), name, lambda _: command, seen=seen)


def undo(encounter: Encounter) -> steps.Taken:
    return steps.undo_step(encounter.uuid, uuid4(), seen=fresh(encounter).version)


def redo(encounter: Encounter) -> steps.Taken:
    return steps.redo_step(encounter.uuid, uuid4(), seen=fresh(encounter).version)


def back(encounter: Encounter) -> steps.Taken:
    """The turn before."""
    return steps.previous_turn(encounter.uuid, uuid4(), seen=fresh(encounter).version)


def form(encounter: Encounter, **typed: Any) -> dict[str, Any]:
    """What a form of the newest page sends: its key, its version, and what was typed."""
    return {"key": str(uuid4()), "seen": fresh(encounter).version, **typed}


def post(
    client: Client, encounter: Encounter, verb: str, *, htmx: bool = True, **typed: Any
) -> HttpResponse:
    """Press a verb's button on the newest page."""
    headers = HTMX if htmx else {}
    data = form(encounter, **typed)
    return client.post(f"/e/{encounter.uuid}/{verb}/", data, headers=headers)  # type: ignore[return-value]


@contextmanager
def rolled_back() -> Iterator[None]:
    """Whatever is written inside is gone afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def at_once(*jobs: Callable[[], object]) -> list[object]:
    """Do the jobs in a thread each, begun together; their results, or the errors they raised."""
    results: list[object] = [None] * len(jobs)
    gate = threading.Barrier(len(jobs))

    def run(number: int, job: Callable[[], object]) -> None:
        gate.wait()
        try:
            results[number] = job()
        except Exception as error:
            results[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
