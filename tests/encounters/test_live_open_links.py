"""The links of pages that are open: each stream uses one, and ends with it."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

import rules
from encounters import limiter, link_uses, live
from encounters.live import reading
from encounters.live.looking import Watched
from encounters.models import Encounter, PlayerLink
from tests.encounters.followed import followed, screen, stream
from tests.encounters.playing import fresh, take
from tests.encounters.streaming import Browser, Got, ask, until
from tests.factories import CampaignFactory, PlayerLinkFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def port(base_url: str) -> Iterator[int]:
    """The server's port; no stream outlives the test that opened it."""
    yield int(base_url.rsplit(":", 1)[1])
    live.end_streams()


@pytest.fixture
def encounter() -> Encounter:
    return followed()


# RELIABILITY L3
def test_a_link_that_is_revoked_or_rotated_closes_its_pages_and_no_others(
    port: int, encounter: Encounter
) -> None:
    paths = [stream(encounter)]
    links = PlayerLinkFactory.create_batch(2, campaign=encounter.campaign)
    paths += [f"/j/{link.token}/live?lang=en" for link in links]
    with ExitStack() as stack:
        lia, bran, aria = (stack.enter_context(Browser(port, path)) for path in paths)
        for player in (lia, bran, aria):
            player.next()
        pk = links[0].pk
        links[0].delete()
        live.close_link(pk)
        links[1].generation += 1
        links[1].save()
        live.close_link(links[1].pk)
        for player in (bran, aria):
            assert player.next() == Got("gone", "", "")
            assert player.next() is None
        take(encounter, rules.Damage(1, 5))
        assert lia.next() == screen(encounter)
        until(lambda: live.watchers_of_link(links[1].pk) == 0)


def test_an_open_stream_is_a_use_of_its_link(
    port: int, encounter: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[int] = []
    monkeypatch.setattr(link_uses, "note", noted.append)
    with Browser(port, stream(encounter)) as lia:
        lia.next()
    assert noted == [PlayerLink.objects.get().pk]


def test_looking_finds_the_links_that_are_open(encounter: Encounter) -> None:
    campaign = encounter.campaign
    binned = CampaignFactory.create(deleted=timezone.now())
    good, gone, rotated, old, just_over, for_ever, of_the_bin = (
        PlayerLinkFactory.create(campaign=c, days=days)
        for c, days in [*[(campaign, 1)] * 5, (campaign, 0), (binned, 1)]
    )
    links = [good.pk, gone.pk, rotated.pk, old.pk, just_over.pk, for_ever.pk, of_the_bin.pk]
    gone.delete()
    rotated.generation = 2
    rotated.save()
    now = timezone.now()
    for link, ago in [(old, 60), (just_over, 1), (for_ever, 600_000)]:
        used = now - timedelta(days=1, minutes=ago)
        PlayerLink.objects.filter(pk=link.pk).update(created=used, last_used=used)
    found = reading.look(Watched((campaign.pk,), (str(encounter.uuid),), tuple(links)))
    # The use of a page that is open may not be written down yet.
    assert found.generations == {good.pk: 1, rotated.pk: 2, just_over.pk: 1, for_ever.pk: 1}
    assert found.revs == {campaign.pk: fresh(encounter).campaign.public_rev}
    assert found.versions == {str(encounter.uuid): fresh(encounter).version}


def test_looking_costs_a_query_for_each_kind_and_none_for_nothing(
    encounter: Encounter, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    link = PlayerLink.objects.get()
    watched = Watched((encounter.campaign_id,) * 9, (str(encounter.uuid),) * 9, (link.pk,) * 9)
    for seen, queries in [(watched, 3), (Watched(links=(link.pk,)), 1), (Watched(), 0)]:
        with django_assert_num_queries(queries):
            reading.look(seen)


def test_whoever_tries_many_links_is_answered_shortly(
    port: int, encounter: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter, "misses", limiter.Misses())
    wrong = f"/j/{'0' * 26}/live"
    for _ in range(limiter.LIMIT):
        assert ask(port, wrong).status == 404
    assert ask(port, wrong).status == 429
    with Browser(port, stream(encounter)) as lia:
        assert lia.answer.status == 200


def test_a_database_that_could_not_be_reached_is_not_asked_by_each_in_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def refuse() -> None:
        asked.append(1)
        raise OperationalError("it is away")

    live.disconnect()
    connection.close()
    monkeypatch.setattr(reading, "_unreached_until", 0.0)
    monkeypatch.setattr(connection, "connect", refuse)
    for _ in range(50):
        with pytest.raises(OperationalError):
            reading.look(Watched(campaigns=(1,)))
    assert asked == [1]
