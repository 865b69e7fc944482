"""The door of the network's address: the table's code opens the players' page, and nothing else."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from encounters import limiter
from encounters.models import PlayerLink
from encounters.models.links import CODE_LETTERS
from tests.encounters.playing import page_of
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def none_tried() -> Iterator[None]:
    yield
    for counter in (limiter.codes, limiter.codes_of_all):
        counter._of.clear()


@pytest.fixture
def link() -> PlayerLink:
    return PlayerLinkFactory.create(campaign__name="The mill")


def typed(client: Client, code: str, path: str = "/") -> tuple[int, str]:
    answer = client.get(path, {"code": code})
    return answer.status_code, answer.headers.get("Location", "")


def test_the_code_on_the_gms_screen_opens_the_players_page(
    link: PlayerLink, gm_client: Client, far_client: Client, settings: object
) -> None:
    assert 'name="code"' in far_client.get("/").text
    code = link.show_code()
    assert len(code) == 6
    assert set(code) <= set(CODE_LETTERS)
    for written in (code, code.lower(), f"{code[:3]} {code[3:]}", f" {code[:3]}-{code[3:]} "):
        assert typed(far_client, written) == (302, f"/j/{link.token}")
    assert typed(far_client, code, "/tv") == (302, f"/j/{link.token}?view=tv")


def test_the_panel_shows_the_code_and_the_same_one_as_long_as_it_is_looked_at(
    link: PlayerLink, gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("encounters.sharing.lan_addresses", lambda: ("192.0.2.7",))
    monkeypatch.setattr("django.conf.settings.LAN", True)
    address = page_of(link.campaign)
    page = gm_client.get(address).text
    code = PlayerLink.objects.get(pk=link.pk).code
    assert f"{code[:3]} {code[3:]}" in page
    assert f"{code[:3]} {code[3:]}" in gm_client.get(f"{address}code/").text
    PlayerLink.objects.update(code_until=timezone.now() - timedelta(seconds=1))
    assert f"{code[:3]} {code[3:]}" not in gm_client.get(f"{address}code/").text


def test_a_code_that_nobody_shows_opens_nothing(link: PlayerLink, far_client: Client) -> None:
    code = link.show_code()
    PlayerLink.objects.update(code_until=timezone.now() - timedelta(seconds=1))
    assert typed(far_client, code) == (404, "")
    code = link.show_code()
    link.generation += 1
    link.save()
    assert typed(far_client, code)[0] == 404
    code = link.show_code()
    PlayerLink.objects.update(days=1, created=timezone.now() - timedelta(days=2))
    assert typed(far_client, code)[0] == 404
    PlayerLink.objects.update(days=0)
    assert typed(far_client, code)[0] == 302
    link.campaign.deleted = timezone.now()
    link.campaign.save()
    assert typed(far_client, link.show_code())[0] == 404
    assert typed(far_client, "\0é😀" * 20)[0] == 404


def test_the_eleventh_code_in_a_minute_is_refused_even_the_right_one(
    link: PlayerLink, far_client: Client
) -> None:
    code = link.show_code()
    assert {typed(far_client, "ABCDEF")[0] for _ in range(limiter.CODES)} == {404}
    assert typed(far_client, code)[0] == 429
    assert "Wait a minute" in far_client.get("/", {"code": code}).text
    for number in range(limiter.CODES_OF_ALL):
        far_client.get("/", {"code": "ABCDEF"}, REMOTE_ADDR=f"198.51.100.{number}")
    assert far_client.get("/", {"code": code}, REMOTE_ADDR="203.0.113.9").status_code == 429


def test_the_door_is_a_plain_form_of_its_own(far_client: Client) -> None:
    for path in ("/", "/tv"):
        answer = far_client.get(path)
        assert "form-action 'self'" in answer.headers["Content-Security-Policy"]
        assert '<form class="inline-form door" method="get"' in answer.text
        assert far_client.post(path).status_code in (403, 405)
