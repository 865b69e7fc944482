"""The players' links of a campaign, as the GM hands them out, changes them and takes them back."""

from datetime import timedelta
from typing import Any

import pytest
from django.forms import ModelForm
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from encounters import live
from encounters.link_views import LINK_LIMIT
from encounters.models import Campaign, PlayerLink
from tests.encounters.linking import address, fresh, links_on, opens
from tests.encounters.playing import page_of
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db


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


def test_a_campaign_whose_links_have_all_closed_gets_another(
    gm_client: Client, link: PlayerLink
) -> None:
    PlayerLink.objects.update(created=timezone.now() - timedelta(days=31))
    gm_client.get(page_of(link.campaign))
    [_, another] = link.campaign.links.order_by("pk")
    assert (opens(link.token), opens(another.token)) == (404, 200)


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
    assert "Table In use now. Closes in 30 days unless it is used. 3 watching" in said
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


def test_a_change_does_not_take_back_a_use_or_a_new_address_of_the_same_moment(
    gm_client: Client, link: PlayerLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, used = ModelForm.is_valid, timezone.now()

    def late(form: Any) -> bool:
        other = fresh(link)
        other.generation, other.last_used = 2, used
        other.save()
        return honest(form)

    monkeypatch.setattr(ModelForm, "is_valid", late)
    gm_client.post(address(link), {"name": "Mina", "days": 7})
    now = fresh(link)
    assert (now.name, now.days, now.generation, now.last_used) == ("Mina", 7, 2, used)
    assert (opens(link.token), opens(now.token)) == (404, 200)


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
