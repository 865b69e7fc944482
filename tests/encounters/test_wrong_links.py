"""Wrong links: one answer to all of them, and an end to trying many."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings

from encounters import limiter
from encounters.limiter import LIMIT, MOST_ADDRESSES, Misses
from encounters.models import PlayerLink
from tests.factories import PlayerLinkFactory

SHED = "203.0.113.7"


# One answer


def expired() -> str:
    link = PlayerLinkFactory.create(days=7, last_used=timezone.now() - timedelta(days=7, minutes=1))
    return str(link.token)


def revoked() -> str:
    link = PlayerLinkFactory.create()
    link.delete()
    return str(link.token)


def rotated() -> str:
    link = PlayerLinkFactory.create()
    before = link.token
    link.generation += 1
    link.save()
    return str(before)


def binned() -> str:
    return str(PlayerLinkFactory.create(campaign__deleted=timezone.now()).token)


WRONG: tuple[Callable[[], str], ...] = (lambda: "0" * 26, expired, revoked, rotated, binned)


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_link_that_is_closed_and_one_that_never_was_get_the_same_answer(
    language: str, client: Client
) -> None:
    answers = [
        client.get(f"/j/{make()}{path}", headers={"Accept-Language": language})
        for make in WRONG
        for path in ("", "/board")
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert len({str(sorted(answer.headers.items())) for answer in answers}) == 1
    assert f'<html lang="{language}">' in answers[0].content.decode()


@pytest.mark.django_db
def test_a_link_in_use_stays_open_and_one_without_an_end_does_so_for_ever(client: Client) -> None:
    long_ago = timezone.now() - timedelta(days=400)
    used = PlayerLinkFactory.create(created=long_ago, last_used=timezone.now(), days=1)
    ever = PlayerLinkFactory.create(created=long_ago, days=0)
    for link in (used, ever):
        assert client.get(f"/j/{link.token}").status_code == 200


# An end to trying


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_thirty_first_wrong_link_in_a_minute_is_answered_shortly(
    language: str, client: Client
) -> None:
    headers = {"Accept-Language": language}
    answers = [client.get(f"/j/{n:026}", headers=headers) for n in range(LIMIT + 5)]
    assert [answer.status_code for answer in answers] == [404] * LIMIT + [429] * 5
    refused = answers[LIMIT:]
    assert len({(a.content, str(sorted(a.headers.items()))) for a in refused}) == 1
    assert refused[0]["Retry-After"] == "60"
    assert refused[0]["Content-Type"] == "text/plain; charset=utf-8"
    assert refused[0]["Cache-Control"] == "private, no-store"
    assert len(refused[0].content) < 200
    assert not refused[0].cookies


@pytest.mark.django_db
def test_a_good_link_is_never_refused_however_many_wrong_ones_are_tried(client: Client) -> None:
    link = PlayerLinkFactory.create()
    for n in range(2 * LIMIT):
        client.get(f"/j/{n:026}")
    for path in ("", "/board"):
        assert client.get(f"/j/{link.token}{path}").status_code == 200
    assert client.get("/j/" + "0" * 26).status_code == 429


@pytest.mark.django_db
def test_one_who_tries_does_not_stop_another(client: Client) -> None:
    for n in range(LIMIT + 1):
        client.get(f"/j/{n:026}", REMOTE_ADDR=SHED)
    assert client.get("/j/" + "0" * 26, REMOTE_ADDR=SHED).status_code == 429
    assert client.get("/j/" + "0" * 26).status_code == 404


@pytest.mark.django_db
def test_too_many_tries_are_refused_without_a_write(client: Client) -> None:
    PlayerLinkFactory.create()
    with CaptureQueriesContext(connection) as asked:
        for n in range(LIMIT + 1):
            client.get(f"/j/{n:026}")
    assert {query["sql"].split()[0] for query in asked.captured_queries} == {"SELECT"}


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def misses(clock: Clock) -> Misses:
    return Misses(clock)


def test_whoever_waits_a_minute_may_try_again(misses: Misses, clock: Clock) -> None:
    assert [misses.note(SHED) for _ in range(LIMIT + 1)] == [False] * LIMIT + [True]
    clock.now += 59.9
    assert misses.note(SHED)
    clock.now += 60
    assert not misses.note(SHED)


def test_a_minute_is_any_sixty_seconds(misses: Misses, clock: Clock) -> None:
    refused = []
    for _ in range(3 * LIMIT):  # one every two seconds is thirty in a minute, and no more
        refused.append(misses.note(SHED))
        clock.now += 2
    assert not any(refused)
    for _ in range(LIMIT):
        refused.append(misses.note(SHED))
        clock.now += 1.9
    assert any(refused)


@pytest.mark.parametrize("by", [3_600, -3_600])
def test_a_clock_that_jumps_shuts_nobody_out(by: int, misses: Misses, clock: Clock) -> None:
    for _ in range(LIMIT):
        misses.note(SHED)
    clock.now += by
    assert not misses.note(SHED)


def test_no_more_addresses_are_remembered_than_there_is_room_for(misses: Misses) -> None:
    for _ in range(LIMIT):
        misses.note(SHED)
    for n in range(MOST_ADDRESSES - 1):
        misses.note(f"10.0.{n >> 8}.{n & 255}")
    assert misses.note(SHED)  # and is now the last of them
    misses.note("198.51.100.1")
    assert len(misses._of) == MOST_ADDRESSES
    assert "10.0.0.0" not in misses._of
    assert misses.note(SHED)


def test_a_customer_of_ipv6_has_one_network_and_not_an_endless_number_of_tries(
    misses: Misses,
) -> None:
    for n in range(LIMIT):
        assert not misses.note(f"2001:db8:1:2::{n:x}")
    assert misses.note("2001:db8:1:2:ffff::1")
    assert not misses.note("2001:db8:1:3::1")


@pytest.mark.parametrize("address", ["", "unix:", "a" * 10_000])
def test_an_address_that_is_none_counts_as_one(address: str, misses: Misses) -> None:
    for _ in range(LIMIT):
        misses.note(address)
    assert misses.note(address)
    assert all(len(kept) <= 64 for kept in misses._of)


# Whose tries they are


@pytest.mark.django_db
def test_an_invented_header_buys_no_more_tries(client: Client, settings: Settings) -> None:
    settings.PROXY_HOPS = 0
    for n in range(LIMIT):
        client.get("/j/" + "0" * 26, headers={"X-Forwarded-For": f"10.0.0.{n}"})
    answer = client.get("/j/" + "0" * 26, headers={"X-Forwarded-For": "10.1.1.1"})
    assert answer.status_code == 429
    assert list(limiter.misses._of) == ["127.0.0.1"]


# Links themselves


@pytest.mark.django_db
def test_links_of_one_campaign_have_addresses_of_their_own(client: Client) -> None:
    table = PlayerLinkFactory.create(name="table")
    remote = PlayerLinkFactory.create(name="remote player", campaign=table.campaign)
    pages = [client.get(f"/j/{link.token}/board").content for link in (table, remote)]
    assert pages[0] == pages[1]
    PlayerLink.objects.filter(pk=remote.pk).delete()
    assert client.get(f"/j/{remote.token}").status_code == 404
    assert client.get(f"/j/{table.token}").status_code == 200
