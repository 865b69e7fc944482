"""Streams of the whole application: what a table's steps send to the pages that are open."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import InternalError, OperationalError
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import timezone

import rules
from encounters import live
from encounters.live import reading
from encounters.models import Campaign, Encounter, PlayerLink
from encounters.publishing import announce_campaign, publish_campaign
from tests.encounters.followed import followed, screen, stream
from tests.encounters.playing import fresh, take, undo
from tests.encounters.streaming import Browser, Got, ask, until
from tests.factories import (
    EncounterFactory,
    hero,
    running,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def port(base_url: str) -> Iterator[int]:
    """The server's port; no stream outlives the test that opened it."""
    yield int(base_url.rsplit(":", 1)[1])
    live.end_streams()


@pytest.fixture
def encounter() -> Encounter:
    return followed()


def test_players_follow_the_fight_each_in_their_own_language(
    port: int, encounter: Encounter
) -> None:
    with Browser(port, stream(encounter)) as lia, Browser(port, stream(encounter, "fr")) as bran:
        assert lia.next() == screen(encounter)
        assert bran.next() == screen(encounter, "fr")
        take(encounter, rules.Damage(1, 5))
        assert lia.next() == screen(encounter)
        assert bran.next() == screen(encounter, "fr")
        assert live.watchers(encounter.campaign_id) == 2


# RW-S23: no frame arrives for the hidden
def test_what_happens_to_a_hidden_creature_sends_players_nothing(
    port: int, encounter: Encounter
) -> None:
    with Browser(port, stream(encounter)) as lia:
        lia.next()
        before = screen(encounter)
        take(encounter, rules.Damage(2, 5))
        undo(encounter)
        assert screen(encounter) == before
        take(encounter, rules.SetHidden((2,), False))
        assert lia.next() == screen(encounter) != before


def test_a_change_of_the_campaign_reaches_its_players(port: int, encounter: Encounter) -> None:
    with Browser(port, stream(encounter)) as lia:
        lia.next()
        campaign = Campaign.objects.get()
        campaign.name = "The Marches"
        campaign.save()
        publish_campaign(campaign)
        announce_campaign(campaign)
        got = lia.next()
        assert got == screen(encounter)
        assert got is not None
        assert "The Marches" in got.data


def test_the_link_works_in_capitals_as_a_qr_code_has_it(port: int, encounter: Encounter) -> None:
    path = stream(encounter).replace("/j/", "/J/")
    with Browser(port, path) as lia:
        assert lia.next() == screen(encounter)


def test_a_wrong_link_and_one_whose_campaign_is_gone_are_answered_alike(
    port: int, encounter: Encounter
) -> None:
    wrong = ask(port, f"/j/{'0' * 26}/live")
    path = stream(encounter)
    Campaign.objects.all().delete()
    gone = ask(port, path)
    assert wrong.status == gone.status == 404
    for answer in (wrong, gone):
        del answer.headers["Date"]
    assert wrong.headers.items() == gone.headers.items()


def test_a_foreign_host_name_is_refused(port: int, encounter: Encounter) -> None:
    for path in (stream(encounter), f"/e/{encounter.uuid}/live"):
        assert ask(port, path, Host="evil.example").status == 400
        assert ask(port, path, Host="localhost, localhost").status == 400


def gm_stream(encounter: Encounter) -> str:
    return f"/e/{encounter.uuid}/live"


def cookie(client: Client) -> str:
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={client.cookies[name].value}"


def test_the_gms_other_tab_hears_of_each_step(
    port: int, encounter: Encounter, gm_client: Client
) -> None:
    with Browser(port, gm_stream(encounter), Cookie=cookie(gm_client)) as tab:
        for _ in range(3):
            version = str(fresh(encounter).version)
            assert tab.next() == Got("version", version, version)
            take(encounter, rules.Damage(2, 1))
        assert "Set-Cookie" not in tab.answer.headers
        assert live.watchers(encounter.campaign_id) == 0


def test_a_step_on_one_fight_does_not_wake_the_gm_of_another(
    port: int, encounter: Encounter, gm_client: Client
) -> None:
    other = EncounterFactory.create(campaign=encounter.campaign, fight=running(hero("Aria")))
    Encounter.objects.filter(pk=other.pk).update(version=70)
    with Browser(port, gm_stream(encounter), Cookie=cookie(gm_client)) as tab:
        tab.next()
        take(other, rules.Damage(1, 1))
        take(encounter, rules.Damage(2, 1))
        got = tab.next()
        assert got is not None
        assert got.data == str(fresh(encounter).version)


def test_only_the_gm_hears_of_steps(port: int, encounter: Encounter, gm_client: Client) -> None:
    path = gm_stream(encounter)
    assert ask(port, path).status == 403
    assert ask(port, path, Cookie=f"{settings.SESSION_COOKIE_NAME}=guess").status == 403
    known = cookie(gm_client)
    unknown = path.replace(str(encounter.uuid), "11111111-2222-4333-8444-555555555555")
    assert ask(port, unknown, Cookie=known).status == 404
    Encounter.objects.update(deleted=timezone.now())
    assert ask(port, path, Cookie=known).status == 404
    gm_client.post("/entry/leave/")
    assert ask(port, path, Cookie=known).status == 403


def far_request(encounter: Encounter, gm_client: Client, **meta: Any) -> HttpRequest:
    return RequestFactory().get(gm_stream(encounter), headers={"Cookie": cookie(gm_client)}, **meta)


def test_over_plain_http_the_gm_hears_of_steps_at_this_computer_only(
    encounter: Encounter, gm_client: Client
) -> None:
    uuid = str(encounter.uuid)
    near = far_request(encounter, gm_client, REMOTE_ADDR="127.0.0.1", SERVER_NAME="localhost")
    assert reading.gm_version(near, uuid) == fresh(encounter).version
    far = far_request(encounter, gm_client, REMOTE_ADDR="192.0.2.7", SERVER_NAME="localhost")
    with pytest.raises(reading.Refused) as refused:
        reading.gm_version(far, uuid)
    assert refused.value.status == 403


def test_where_pages_are_https_so_are_streams(encounter: Encounter, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    link = PlayerLink.objects.get()
    seat = (link.pk, 1, encounter.campaign_id, "en")
    secure = RequestFactory().get(stream(encounter), secure=True, SERVER_NAME="localhost")
    assert reading.player_seat(secure, link.token) == seat
    with pytest.raises(reading.Refused) as refused:
        reading.player_seat(RequestFactory().get("/", SERVER_NAME="localhost"), link.token)
    assert refused.value.status == 403


def test_looking_at_a_stay_that_is_over_does_not_end_it(
    port: int, encounter: Encounter, gm_client: Client
) -> None:
    session = gm_client.session
    session["entered_on"] = 1
    session.save()
    assert ask(port, gm_stream(encounter), Cookie=cookie(gm_client)).status == 403
    assert gm_client.session["entered_on"] == 1


def test_the_thread_that_reads_for_the_streams_cannot_write(encounter: Encounter) -> None:
    rename = reading.reading(lambda: Campaign.objects.update(name="Written"))
    with pytest.raises((OperationalError, InternalError), match=r"read-?only"):
        reading.executor.submit(rename).result()
    live.disconnect()
    assert Campaign.objects.get().name == "The Reach"


def test_a_stream_keeps_no_thread(port: int, encounter: Encounter) -> None:
    with Browser(port, stream(encounter)) as first:
        first.next()
        before = threading.active_count()
        browsers = [Browser(port, stream(encounter)) for _ in range(30)]
        for browser in browsers:
            browser.next()
        assert threading.active_count() == before
        for browser in browsers:
            browser.__exit__()
    until(lambda: live.watchers(encounter.campaign_id) == 0)
