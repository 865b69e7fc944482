"""Whose the players' links are, and how the GM hands them out."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from encounters.access import new_entry_path
from encounters.models import Campaign, Encounter, PlayerLink
from tests.encounters.linking import CHANGES, address
from tests.encounters.playing import page_of
from tests.factories import CampaignFactory, PlayerLinkFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(campaign: Campaign) -> PlayerLink:
    made: PlayerLink = PlayerLinkFactory.create(campaign=campaign, name="Table")
    return made


# Whose they are


@pytest.mark.parametrize("verb", [*CHANGES, "card/"])
def test_a_link_of_another_campaign_is_nowhere(
    verb: str, gm_client: Client, link: PlayerLink
) -> None:
    elsewhere = CampaignFactory.create()
    before = PlayerLink.objects.values().get()
    method = "get" if verb == "card/" else "post"
    for wrong in (
        f"{page_of(elsewhere)}links/{link.pk}/{verb}",
        f"{page_of(link.campaign)}links/{link.pk + 1}/{verb}",
        f"{page_of(link.campaign)}links/{10**30}/{verb}",
    ):
        assert getattr(gm_client, method)(wrong, {"name": "Mine", "days": 0}).status_code == 404
    assert PlayerLink.objects.values().get() == before


@pytest.mark.parametrize("verb", [*CHANGES, "card/", None])
def test_a_campaign_in_the_bin_has_no_links_to_change(
    verb: str | None, gm_client: Client, link: PlayerLink
) -> None:
    Campaign.objects.filter(pk=link.campaign.pk).update(deleted=timezone.now())
    path = f"{page_of(link.campaign)}links/" if verb is None else address(link, verb)
    method = "get" if verb == "card/" else "post"
    assert getattr(gm_client, method)(path, {"name": "A", "days": 0}).status_code == 404
    assert PlayerLink.objects.count() == 1


@pytest.mark.parametrize("verb", CHANGES)
def test_looking_at_an_address_that_changes_a_link_changes_nothing(
    verb: str, gm_client: Client, link: PlayerLink
) -> None:
    before = PlayerLink.objects.values().get()
    for method in ("get", "head", "put", "delete"):
        assert getattr(gm_client, method)(address(link, verb)).status_code == 405
    assert PlayerLink.objects.values().get() == before


def test_a_form_from_another_site_changes_no_link(link: PlayerLink) -> None:
    strict = Client(SERVER_NAME="127.0.0.1", enforce_csrf_checks=True)
    entry = new_entry_path()
    strict.get(entry)
    token = next(iter(strict.cookies.values())).value
    strict.post(entry, {"csrfmiddlewaretoken": token})
    before = PlayerLink.objects.values().get()
    campaign = page_of(link.campaign)
    for path in (
        f"{campaign}links/",
        f"{campaign}players-see/",
        *map(address, [link] * 3, CHANGES),
    ):
        assert strict.post(path, {"name": "Mine", "days": 0}).status_code == 403
    assert PlayerLink.objects.values().get() == before


# Handing one out


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_card_to_print_says_where_the_players_page_is_and_what(
    language: str, gm_client: Client, link: PlayerLink
) -> None:
    gm_client.cookies["qv_language"] = language
    answer = gm_client.get(address(link, "card/"))
    page = answer.content.decode()
    assert f'<html lang="{language}"' in page
    card = re.search(r"<article.*?</article>", page, re.DOTALL)
    assert card
    assert "<h1>The mill</h1>" in card[0]
    assert f"http://127.0.0.1/j/{link.token}" in card[0]
    assert card[0].count("<svg") == 1
    assert re.search(r"<p>\w.*\.</p>", card[0])


def test_a_card_of_a_closed_link_is_none(gm_client: Client, link: PlayerLink) -> None:
    PlayerLink.objects.update(created=timezone.now() - timedelta(days=31))
    assert gm_client.get(address(link, "card/")).status_code == 404


def test_what_the_gm_sees_as_players_do_is_what_players_get_byte_for_byte(
    gm_client: Client, running: Encounter
) -> None:
    for page in (page_of(running.campaign), f"/e/{running.uuid}/?players"):
        found = re.search(r'href="(/j/[^"]+)"', gm_client.get(page).content.decode())
        assert found
        player = Client(SERVER_NAME="127.0.0.1")
        for path in (found[1], f"{found[1]}/board", f"{found[1]}?view=tv"):
            ours, theirs = gm_client.get(path), player.get(path)
            assert ours.status_code == 200
            assert (ours.content, ours.headers) == (theirs.content, theirs.headers)


def test_a_link_is_handed_out_for_a_television_and_for_a_stream_as_well(
    gm_client: Client, link: PlayerLink
) -> None:
    page = gm_client.get(page_of(link.campaign)).content.decode()
    for view in ("tv", "overlay"):
        assert f'href="http://127.0.0.1/j/{link.token}?view={view}"' in page


def test_the_board_offers_every_open_link_to_choose_from(
    gm_client: Client, running: Encounter
) -> None:
    board = f"/e/{running.uuid}/players/"
    assert 'name="players-link"' not in gm_client.get(board).content.decode()
    for name in ("Mina", "Stream"):
        PlayerLinkFactory.create(campaign=running.campaign, name=name)
    old = timezone.now() - timedelta(days=31)
    shut = PlayerLinkFactory.create(campaign=running.campaign, name="Old one", created=old)
    page = gm_client.get(board).content.decode()
    assert page.count('name="players-link"') == 3
    assert page.count('name="players-link" open') == 1
    for link in running.campaign.links.all():
        assert (f"http://127.0.0.1/j/{link.token}" in page) is (link != shut)
    assert f'href="{page_of(running.campaign)}#links"' in page
