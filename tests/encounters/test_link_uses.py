"""When players' links were last used: whoever looks writes nothing, and it is written later."""

import threading
from datetime import datetime, timedelta

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from encounters import link_uses
from encounters.models import PlayerLink
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_noted_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_uses, "_uses", {})


@pytest.fixture
def link() -> PlayerLink:
    made: PlayerLink = PlayerLinkFactory.create(created=timezone.now() - timedelta(days=3))
    return made


def last_used(link: PlayerLink) -> datetime | None:
    return PlayerLink.objects.get(pk=link.pk).last_used


def test_a_player_who_looks_is_noted_and_written_down_later(
    client: Client, link: PlayerLink
) -> None:
    for path in ("", "/board"):
        PlayerLink.objects.update(last_used=None)
        before = timezone.now()
        with CaptureQueriesContext(connection) as asked:
            assert client.get(f"/j/{link.token}{path}").status_code == 200
        assert all(query["sql"].startswith("SELECT") for query in asked.captured_queries)
        assert last_used(link) is None
        link_uses.flush()
        assert before <= (last_used(link) or before - timedelta(1)) <= timezone.now()


def test_a_wrong_link_and_another_way_than_looking_are_no_use(
    client: Client, link: PlayerLink
) -> None:
    client.get(f"/j/{'0' * 26}")
    client.post(f"/j/{link.token}")
    assert link_uses._uses == {}


def test_uses_are_written_once(link: PlayerLink) -> None:
    link_uses.note(link.pk)
    link_uses.flush()
    PlayerLink.objects.update(last_used=None)
    with CaptureQueriesContext(connection) as asked:
        link_uses.flush()
    assert len(asked) == 0


def test_the_last_use_of_each_link_is_written(link: PlayerLink) -> None:
    others = [PlayerLinkFactory.create(created=link.created) for _ in range(2)]
    for one in (link, *others, link):
        link_uses.note(one.pk)
    link_uses.flush()
    used = [last_used(one) for one in (*others, link)]
    assert used == sorted(moment for moment in used if moment)


def test_another_process_that_wrote_later_is_not_taken_back(link: PlayerLink) -> None:
    link_uses.note(link.pk)
    later = timezone.now() + timedelta(minutes=1)
    PlayerLink.objects.update(last_used=later)
    link_uses.flush()
    assert last_used(link) == later


def test_a_use_of_the_old_address_is_none_of_the_new_one(link: PlayerLink) -> None:
    link_uses.note(link.pk)
    link.generation += 1
    link.created = timezone.now()
    link.save()
    link_uses.flush()
    assert last_used(link) is None


def test_a_link_that_is_gone_by_then_is_passed_over(link: PlayerLink) -> None:
    other = PlayerLinkFactory.create(created=link.created)
    link_uses.note(other.pk)
    link_uses.note(link.pk)
    other.delete()
    link_uses.flush()
    assert last_used(link)


def test_what_cannot_be_written_is_kept_for_the_next_time_and_stops_nothing(
    link: PlayerLink, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(uses: object) -> None:
        raise DatabaseError("the disk is full")

    link_uses.note(link.pk)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(link_uses, "_write", fails)
        link_uses.flush()
    assert last_used(link) is None
    assert "the disk is full" in caplog.text
    link_uses.flush()
    assert last_used(link)


def test_uses_may_be_noted_from_any_thread_at_once() -> None:
    def look() -> None:
        for number in range(500):
            link_uses.note(number)

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(link_uses._uses) == list(range(500))
