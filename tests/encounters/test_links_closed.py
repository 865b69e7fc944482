"""A link that is closed takes its open pages with it, and nobody else's."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

import rules
from encounters import live
from encounters.models import Encounter, PlayerLink
from tests.encounters.playing import take
from tests.encounters.streaming import Browser, Got, ask, until
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db(transaction=True)

STREAMS = 20


def revoked(gm: Client, link: PlayerLink) -> None:
    gm.post(f"/c/{link.campaign.uuid}/links/{link.pk}/revoke/")


def rotated(gm: Client, link: PlayerLink) -> None:
    gm.post(f"/c/{link.campaign.uuid}/links/{link.pk}/rotate/")


def expired(_gm: Client, link: PlayerLink) -> None:
    """Its time has come, which is noticed at the next look at it."""
    long_ago = timezone.now() - timedelta(days=31)
    PlayerLink.objects.filter(pk=link.pk).update(created=long_ago, last_used=long_ago)
    live.close_link(link.pk)


@pytest.fixture
def port(base_url: str) -> Iterator[int]:
    """The server's port; no stream outlives the test that opened it."""
    yield int(base_url.rsplit(":", 1)[1])
    live.end_streams()


# RELIABILITY L3
@pytest.mark.parametrize("close", [revoked, rotated, expired])
def test_all_pages_of_a_link_end_when_it_closes_and_others_go_on(
    close: Callable[[Client, PlayerLink], None], port: int, gm_client: Client, running: Encounter
) -> None:
    closing, staying = PlayerLinkFactory.create_batch(2, campaign=running.campaign)
    old = f"/j/{closing.token}"
    with ExitStack() as stack:
        pages = [stack.enter_context(Browser(port, f"{old}/live")) for _ in range(STREAMS)]
        other = stack.enter_context(Browser(port, f"/j/{staying.token}/live"))
        for page in (*pages, other):
            assert page.next()
        close(gm_client, closing)
        for page in pages:
            assert page.next() == Got("gone", "", "")
            assert page.next() is None
            assert not page.cut_off
        until(lambda: live.watchers_of_link(closing.pk) == 0)
        assert [ask(port, f"{old}{path}").status for path in ("", "/board", "/live")] == [404] * 3
        take(running, rules.NextTurn())
        told = other.next()
        assert told
        assert told.event == "board"
        assert live.watchers_of_link(staying.pk) == 1
    assert ask(port, f"/j/{staying.token}").status == 200


def test_the_new_address_of_a_link_opens_what_the_old_one_opened(
    port: int, gm_client: Client, running: Encounter
) -> None:
    link = PlayerLinkFactory.create(campaign=running.campaign)
    rotated(gm_client, link)
    new = PlayerLink.objects.get(pk=link.pk)
    with Browser(port, f"/j/{new.token}/live") as page:
        assert page.next()
    assert [ask(port, f"/j/{token}").status for token in (link.token, new.token)] == [404, 200]
