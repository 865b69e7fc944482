"""A GM's hands in tests: steps taken straight, or forms posted as a browser posts them."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any
from uuid import UUID, uuid4

from django.db import connections, transaction
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, Phase, settings

import rules
from encounters import statements, steps
from encounters.models import Campaign, Encounter
from encounters.store import load_fight
from tests.factories import EncounterFactory, creature, hero, running

STORED = statements.Query(lambda: Encounter.objects.filter(pk=0), beside="campaign")
HTMX = {"HX-Request": "true"}


def examples(usual: int, steps: int = 50) -> settings:
    """So many examples, and as many more as the test's size asks for.

    The database is shared by all examples of a test: `rolled_back` empties it after each. What
    fails is shown as it was drawn: to make it smaller would take minutes of queries.
    """
    return settings(
        phases=[Phase.explicit, Phase.generate],
        report_multiple_bugs=False,
        max_examples=usual * settings().max_examples // 100,
        stateful_step_count=steps,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


def fresh(encounter: Encounter) -> Encounter:
    """The encounter as the database has it now."""
    found = STORED.first(encounter.pk)
    assert found, f"encounter {encounter.pk} is gone"
    return found


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


def press(client: Client, encounter: Encounter, verb: str, **typed: Any) -> HttpResponse:
    """A verb's button on the newest page, in a browser with scripts; they get the board."""
    return _sent(client, encounter, verb, HTMX, typed)


def press_plainly(client: Client, encounter: Encounter, verb: str, **typed: Any) -> HttpResponse:
    """The same in a browser without scripts."""
    return _sent(client, encounter, verb, {}, typed)


def pressed(client: Client, encounter: Encounter, verb: str, **typed: Any) -> None:
    """A verb that is taken, and whose answer nobody reads: without scripts it is no board."""
    answer = press_plainly(client, encounter, verb, **typed)
    assert answer.status_code == 302, text_of(answer)


def _sent(
    client: Client, encounter: Encounter, verb: str, headers: dict[str, str], typed: dict[str, Any]
) -> HttpResponse:
    address = f"/e/{encounter.uuid}/{verb}/"
    answer = client.post(address, form(encounter, **typed), headers=headers)
    assert isinstance(answer, HttpResponse)
    return answer


def page_of(campaign: Campaign) -> str:
    return f"/c/{campaign.uuid}/"


def text_of(answer: Any) -> str:
    """What a reader sees of an answer: its words without marks."""
    page = re.sub(r"<(script|style)\b.*?</\1>", "", answer.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def ogre_fight() -> Encounter:
    """Aria, Bran and an Ogre of 300 hit points; Aria has the turn."""
    return EncounterFactory.create(
        fight=running(hero("Aria"), hero("Bran"), creature("Ogre", max_hp=300))
    )


def versions(encounter: Encounter) -> list[int]:
    return [step.version or 0 for step in encounter.steps.all()]


def ogres_hp(encounter: Encounter) -> int | None:
    return fight_in(encounter).combatant(3).hp


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
