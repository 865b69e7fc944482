"""The players' links of a campaign, as the GM hands them out, changes them and takes them back."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from encounters import live
from encounters.access import new_entry_path
from encounters.link_views import LINK_LIMIT
from encounters.models import Campaign, Encounter, PlayerLink
from tests.encounters.playing import page_of, text_of
from tests.factories import CampaignFactory, PlayerLinkFactory

pytestmark = pytest.mark.django_db

CHANGES = ("", "rotate/", "revoke/")  # of a link that is there


@pytest.fixture
def link(campaign: Campaign) -> PlayerLink:
    made: PlayerLink = PlayerLinkFactory.create(campaign=campaign, name="Table")
    return made


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The links whose open pages were told to close."""
    found: list[int] = []
    monkeypatch.setattr(live, "close_link", found.append)
    return found


def address(link: PlayerLink, verb: str = "") -> str:
    return f"{page_of(link.campaign)}links/{link.pk}/{verb}"


def fresh(link: PlayerLink) -> PlayerLink:
    return PlayerLink.objects.get(pk=link.pk)


def opens(token: str) -> int:
    """What a player with this link is answered."""
    return Client(SERVER_NAME="127.0.0.1").get(f"/j/{token}").status_code


def links_on(answer: Any) -> str:
    """What the page says about links."""
    page = answer.content.decode()
    section = re.search(r'<section id="links".*?</section>', page, re.DOTALL)
    assert section
    answer.content = section[0].encode()
    return text_of(answer)


# What the campaign's page says of them


def test_a_campaign_always_has_a_link_that_is_open(gm_client: Client, campaign: Campaign) -> None:
    for _ in range(2):
        gm_client.get(page_of(campaign))
    [first] = campaign.links.all()
    assert opens(first.token) == 200
    first.delete()
    gm_client.get(page_of(campaign))
    [second] = campaign.links.all()
    assert second.token != first.token


def test_each_link_says_its_name_its_address_when_it_was_used_and_when_it_closes(
    gm_client: Client, link: PlayerLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = link.campaign
    now = timezone.now()
    PlayerLinkFactory.create(campaign=campaign, name="Mina, far away", days=7,
                             last_used=now - timedelta(hours=2, minutes=1))  # fmt: skip
    PlayerLinkFactory.create(campaign=campaign, name="Stream", days=0, last_used=now)
    PlayerLinkFactory.create(campaign=campaign, name="Once", days=1,
                             created=now - timedelta(days=4, minutes=1))  # fmt: skip
    monkeypatch.setattr(live, "watchers_of_link", lambda pk: 3 if pk == link.pk else 0)
    answer = gm_client.get(page_of(campaign))
    page = answer.content.decode()
    said = links_on(answer)
    assert "Table Not used yet. Closes in 30 days unless it is used. 3 watching" in said
    assert "Mina, far away Last used 2 hours ago. Closes in 7 days unless it is used." in said
    assert "Stream Last used just now. http" in said
    assert "Once Not used yet. Closed 3 days ago. Change or revoke" in said
    for one in campaign.links.all():
        assert (f"http://127.0.0.1/j/{one.token}" in page) is one.is_open
    assert said.count("watching") == 1


def test_a_link_about_to_close_says_so(gm_client: Client, link: PlayerLink) -> None:
    PlayerLink.objects.update(days=1)
    said = links_on(gm_client.get(page_of(link.campaign)))
    assert "Closes within a day unless it is used." in said


def test_a_link_from_before_links_had_names_is_called_table(
    gm_client: Client, link: PlayerLink
) -> None:
    PlayerLink.objects.update(name="")
    answer = gm_client.get(page_of(link.campaign))
    assert 'value="Table" maxlength="80"' in answer.content.decode()
    assert "Table Not used yet." in links_on(answer)


# A new one


def make(client: Client, campaign: Campaign, **typed: object) -> Any:
    return client.post(f"{page_of(campaign)}links/", {"name": "Mina", "days": 7, **typed})


def test_a_new_link_has_a_name_a_life_and_an_address_of_its_own(
    gm_client: Client, link: PlayerLink
) -> None:
    answer = make(gm_client, link.campaign)
    assert (answer.status_code, answer["Location"]) == (302, f"{page_of(link.campaign)}#links")
    [_, made] = link.campaign.links.order_by("pk")
    assert (made.name, made.days, made.last_used) == ("Mina", 7, None)
    assert made.token != link.token
    assert opens(made.token) == opens(link.token) == 200


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": " "}, "This field is required."),
        ({"name": "N" * 81}, "at most 80 characters"),
        ({"days": "8"}, "8 is not one of the available choices"),
        ({"days": ""}, "This field is required."),
        ({"name": "N\0"}, "Null characters are not allowed."),
    ],
)
def test_a_link_that_cannot_be_says_why_beside_its_field(
    typed: dict[str, str], why: str, gm_client: Client, link: PlayerLink
) -> None:
    for answer in (
        make(gm_client, link.campaign, **typed),
        gm_client.post(address(link), {"name": "Mina", "days": 7, **typed}),
    ):
        assert answer.status_code == 422
        assert answer.content.decode().count('class="refusal"') == 1
        assert why in links_on(answer)
    assert list(PlayerLink.objects.values_list("name", "days")) == [("Table", 30)]


def test_a_name_that_is_refused_stays_typed_where_it_was(
    gm_client: Client, link: PlayerLink
) -> None:
    other = PlayerLinkFactory.create(campaign=link.campaign, name="Stream")
    answer = gm_client.post(address(link), {"name": "N" * 81, "days": 0})
    page = answer.content.decode()
    assert f'value="{"N" * 81}" maxlength="80"' in page
    assert page.count("N" * 81) == 1
    assert page.count('class="changes" open') == 1
    assert f'id="id_link_{link.pk}_name_error"' in page
    assert f'id="id_link_{other.pk}_name"' in page


def test_a_campaign_has_so_many_links_and_no_more(gm_client: Client, link: PlayerLink) -> None:
    for n in range(LINK_LIMIT - 1):
        assert make(gm_client, link.campaign, name=f"Player {n}").status_code == 302
    answer = make(gm_client, link.campaign)
    assert answer.status_code == 422
    assert "at most 50 links" in links_on(answer)
    assert link.campaign.links.count() == LINK_LIMIT


def test_a_name_is_text_and_nothing_else(gm_client: Client, campaign: Campaign) -> None:
    make(gm_client, campaign, name="<script>alert(1)</script>")
    page = gm_client.get(page_of(campaign)).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


# Changing one


def test_a_links_name_and_life_are_changed_and_nothing_else(
    gm_client: Client, link: PlayerLink
) -> None:
    PlayerLink.objects.update(last_used=timezone.now())
    before = PlayerLink.objects.filter(pk=link.pk).values().get()
    answer = gm_client.post(address(link), {"name": "  The whole table ", "days": 0})
    assert answer["Location"] == f"{page_of(link.campaign)}#links"
    after = PlayerLink.objects.filter(pk=link.pk).values().get()
    assert after == before | {"name": "The whole table", "days": 0}


def test_a_closed_link_given_a_longer_life_is_open_again(
    gm_client: Client, link: PlayerLink
) -> None:
    PlayerLink.objects.update(days=1, created=timezone.now() - timedelta(days=9))
    assert opens(link.token) == 404
    gm_client.post(address(link), {"name": "Table", "days": 30})
    assert opens(link.token) == 200


def test_a_new_address_replaces_the_old_one_and_closes_the_pages_open_on_it(
    gm_client: Client,
    link: PlayerLink,
    closed: list[int],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    PlayerLink.objects.update(last_used=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        answer = gm_client.post(address(link, "rotate/"))
        assert closed == []  # before it is certain
    assert answer["Location"] == f"{page_of(link.campaign)}#links"
    assert closed == [link.pk]
    now = fresh(link)
    assert now.token != link.token
    assert (opens(link.token), opens(now.token)) == (404, 200)
    assert (now.name, now.days, now.last_used) == ("Table", 30, None)


def test_a_closed_link_given_a_new_address_is_open(gm_client: Client, link: PlayerLink) -> None:
    PlayerLink.objects.update(last_used=timezone.now() - timedelta(days=40))
    gm_client.post(address(link, "rotate/"))
    assert (opens(link.token), opens(fresh(link).token)) == (404, 200)


def test_a_revoked_link_is_gone_and_closes_the_pages_open_on_it(
    gm_client: Client,
    link: PlayerLink,
    closed: list[int],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    other = PlayerLinkFactory.create(campaign=link.campaign)
    with django_capture_on_commit_callbacks(execute=True):
        answer = gm_client.post(address(link, "revoke/"))
        assert closed == []
    assert answer["Location"] == f"{page_of(link.campaign)}#links"
    assert closed == [link.pk]
    assert (opens(link.token), opens(other.token)) == (404, 200)
    assert list(link.campaign.links.all()) == [other]


def test_the_links_of_a_campaign_thrown_into_the_bin_close_and_come_back_with_it(
    gm_client: Client,
    link: PlayerLink,
    closed: list[int],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    other = PlayerLinkFactory.create(campaign=link.campaign)
    PlayerLinkFactory.create()
    for verb, status in (("throw-away", 404), ("restore", 200)):
        with django_capture_on_commit_callbacks(execute=True):
            gm_client.post(f"/bin/campaign/{link.campaign.pk}/{verb}/")
        assert sorted(closed) == [link.pk, other.pk]
        assert opens(link.token) == status


def test_a_hero_thrown_into_the_bin_closes_no_link(
    gm_client: Client,
    link: PlayerLink,
    closed: list[int],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        gm_client.post(f"/bin/hero/{link.campaign.heroes.all()[0].pk}/throw-away/")
    assert closed == []


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
