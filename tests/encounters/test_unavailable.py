"""The database's disk is full, it is locked, or it is away: that is said, and nothing is lost."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, OperationalError, ProgrammingError, connection
from django.test import Client

from encounters import gm_views
from encounters.models import Encounter, Step
from tests.encounters.playing import HTMX, form, fresh
from tests.factories import PlayerLinkFactory

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="these faults are SQLite's"
    ),
]


def pragma(name: str, value: object = None) -> int:
    setting = "" if value is None else f"={value}"
    with connection.cursor() as cursor:
        return int(cursor.execute(f"PRAGMA {name}{setting}").fetchone()[0])


@contextmanager
def locked() -> Iterator[None]:
    """Another program has the file open for writing, and nobody waits for it long."""
    patience = pragma("busy_timeout")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        pragma("busy_timeout", 1)
        yield
        other.rollback()
    pragma("busy_timeout", patience)


@contextmanager
def full() -> Iterator[None]:
    """There is no room for another page, nor in pages that earlier tests have left."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    most = pragma("max_page_count")
    pragma("max_page_count", pragma("page_count"))
    yield
    pragma("max_page_count", most)


def until_full(client: Client, encounter: Encounter) -> Any:
    """Damage done until a step does not fit; its answer, and what was sent for it."""
    for _ in range(400):
        typed = form(encounter, target="3", amount="1")
        answer = client.post(f"/e/{encounter.uuid}/damage/", typed, headers=HTMX)
        if answer.status_code == 503:
            return answer, typed
        assert answer.status_code == 200
    pytest.fail("there is still room")


# What is not saved


def test_a_gm_reads_that_nothing_was_saved_and_the_same_form_then_counts_once(
    gm_client: Client, running: Encounter
) -> None:
    address, sent = f"/e/{running.uuid}/damage/", form(running, target="3", amount="7")
    before = Step.objects.count()
    with locked():
        answer = gm_client.post(address, sent, headers=HTMX)
        assert answer.status_code == 503
        assert answer.content.decode().startswith("Not saved: the database does not answer")
        assert answer["Retry-After"].isdigit()
        assert Step.objects.count() == before
    for _ in range(2):
        assert gm_client.post(address, sent, headers=HTMX).status_code == 200
    assert Step.objects.count() == before + 1


def test_without_scripts_the_page_that_says_so_sends_the_same_again(
    gm_client: Client, running: Encounter
) -> None:
    address = f"/e/{running.uuid}/damage/"
    sent = form(running, target="3", amount="7", at='"><b>')
    with locked():
        page = gm_client.post(address, sent).content.decode()
    kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    assert kept.pop("csrfmiddlewaretoken")
    assert kept == {name: str(value) for name, value in sent.items()} | {
        "at": "&quot;&gt;&lt;b&gt;"
    }
    assert gm_client.post(address, kept).status_code == 302
    assert fresh(running).version == 2


def test_on_a_full_disk_reading_goes_on_and_writing_does_when_there_is_room(
    gm_client: Client, running: Encounter
) -> None:
    board = f"/e/{running.uuid}/"
    players = f"/j/{PlayerLinkFactory.create(campaign=running.campaign).token}"
    with full():
        answer, sent = until_full(gm_client, running)
        assert "disk is full" in answer.content.decode()
        steps = Step.objects.count()
        assert gm_client.get(board).status_code == 200
        assert gm_client.get(players).status_code == 200
    again = gm_client.post(f"/e/{running.uuid}/damage/", sent)
    assert again.status_code == 302
    assert Step.objects.count() == steps + 1


def test_a_gm_who_only_looks_is_not_kept_from_it_by_a_session_that_cannot_be_saved(
    gm_client: Client, running: Encounter
) -> None:
    PlayerLinkFactory.create(campaign=running.campaign)
    session = gm_client.session
    session["seen_on"] = 1  # the visit of a new day is noted
    session.save()
    with locked():
        assert gm_client.get(f"/e/{running.uuid}/").status_code == 200
    assert Session.objects.get().get_decoded()["seen_on"] == 1


# What cannot be read


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise OperationalError("connection to 10.0.0.7 refused")

    monkeypatch.setattr(gm_views, "load_fight", fail)
    monkeypatch.setattr("encounters.player_views.loaded", fail)


def test_a_page_that_cannot_be_read_comes_back_by_itself(
    gm_client: Client, running: Encounter, away: None
) -> None:
    answer = gm_client.get(f"/e/{running.uuid}/")
    assert answer.status_code == 503
    assert int(answer["Refresh"]) > 0
    assert "cannot answer just now" in answer.content.decode()
    assert "10.0.0.7" not in answer.content.decode()


def test_a_fragment_that_cannot_be_read_leaves_the_page_as_it_is(
    gm_client: Client, running: Encounter, away: None
) -> None:
    answer = gm_client.get(f"/e/{running.uuid}/", headers=HTMX)
    assert answer.status_code == 503
    assert answer["HX-Reswap"] == "none"


def test_players_read_the_same_without_a_cookie(client: Client, away: None) -> None:
    link = PlayerLinkFactory.create()
    answer = client.get(f"/j/{link.token}")
    assert answer.status_code == 503
    assert not answer.cookies
    assert "form-action 'none'" in answer["Content-Security-Policy"]


# What is no fault of the database's


def test_what_makes_no_sense_to_the_database_is_a_mistake_of_ours(
    gm_client: Client, running: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nonsense(*_: object) -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SELECT sword FROM stone")

    monkeypatch.setattr(gm_views, "load_fight", nonsense)
    gm_client.raise_request_exception = False
    assert gm_client.get(f"/e/{running.uuid}/").status_code == 500


@pytest.mark.parametrize("error", [DatabaseError, ProgrammingError])
def test_other_errors_of_the_database_are_mistakes_of_ours(
    gm_client: Client,
    running: Encounter,
    monkeypatch: pytest.MonkeyPatch,
    error: type[DatabaseError],
) -> None:
    def wrong(*_: object) -> Any:
        raise error

    monkeypatch.setattr(gm_views, "load_fight", wrong)
    gm_client.raise_request_exception = False
    assert gm_client.get(f"/e/{running.uuid}/").status_code == 500
