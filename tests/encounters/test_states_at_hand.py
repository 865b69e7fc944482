"""Whoever has just taken a step does not read the combatants again; and never finds others."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

import rules
from encounters.models import Combatant, Encounter
from tests.encounters.playing import fight_in, fresh, take
from tests.factories import EncounterFactory, creature, hero, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def hurt(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Encounter:
    """A fight of Aria and a goblin after a committed step, which has cost Aria three hit points."""
    encounter = EncounterFactory.create(fight=running(hero("Aria", hp=20), creature("Goblin")))
    with django_capture_on_commit_callbacks(execute=True):
        take(encounter, rules.Damage(1, 3))
    return fresh(encounter)


def hit_points(encounter: Encounter) -> int | None:
    return fight_in(encounter).combatants[0].hp


def test_the_next_step_reads_no_combatants(hurt: Encounter) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert hit_points(hurt) == 17
    assert not [query for query in asked.captured_queries if "combatant" in query["sql"]]


def test_the_same_version_of_another_time_is_read(hurt: Encounter) -> None:
    """As in a copy of the database that was put back, in which others have gone on playing."""
    Combatant.objects.filter(encounter=hurt, number=1).update(hp=9)
    assert hit_points(hurt) == 17
    Encounter.objects.filter(pk=hurt.pk).update(used=hurt.used + timedelta(microseconds=1))
    assert hit_points(hurt) == 9


def test_a_step_of_another_process_is_read(hurt: Encounter) -> None:
    take(hurt, rules.Damage(1, 5))  # whose news stay there: nothing is executed after its commit
    assert hit_points(hurt) == 12
