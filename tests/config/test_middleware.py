"""Headers of every page, and what players' pages do not know or leave behind."""

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.test import Client, override_settings
from django.urls import path

from encounters.access import WriteRefused
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def address() -> str:
    link = PlayerLinkFactory.create(campaign__name="The mill")
    return f"/j/{link.token}"


def directives(answer: HttpResponseBase) -> dict[str, str]:
    policy = answer.headers["Content-Security-Policy"]
    return dict(part.strip().split(" ", 1) for part in policy.split(";"))


@pytest.mark.parametrize("page", ["/", "/entry/", "/nowhere/", "/j/nothing"])
def test_every_answer_allows_nothing_from_elsewhere(client: Client, page: str) -> None:
    answer = client.get(page)
    policy = directives(answer)
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["Permissions-Policy"] == "camera=(), microphone=(), geolocation=()"


def test_the_gms_pages_are_kept_in_no_cache(gm_client: Client) -> None:
    answer = gm_client.get("/")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert directives(answer)["form-action"] == "'self'"


@pytest.mark.parametrize("known", [True, False])
def test_a_players_page_tells_nobody_its_address(client: Client, address: str, known: bool) -> None:
    answer = client.get(address if known else "/j/nothing")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert directives(answer)["form-action"] == "'none'"


def test_players_get_no_cookie_and_theirs_are_not_read(gm_client: Client, address: str) -> None:
    stranger = Client(SERVER_NAME="127.0.0.1").get(address)
    gm = gm_client.get(address)
    assert stranger.status_code == gm.status_code == 200
    assert not stranger.cookies
    assert not gm.cookies
    assert stranger.headers["Vary"] == gm.headers["Vary"] == "Accept-Language"
    assert stranger.content == gm.content


@pytest.mark.parametrize(
    ("query", "accepted", "cookie", "language"),
    [
        ("", "en", "", "en"),
        ("", "fr-CH, fr;q=0.9, en;q=0.8", "", "fr"),
        ("?lang=fr", "en", "", "fr"),
        ("?lang=en", "fr", "", "en"),
        ("?lang=tlh", "fr", "", "fr"),
        ("", "de", "", "en"),
        ("", "en", "fr", "en"),  # the GM's own choice, on the same computer
    ],
)
def test_players_read_the_language_of_the_address_or_of_the_browser(
    client: Client, address: str, query: str, accepted: str, cookie: str, language: str
) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie
    answer = client.get(address + query, headers={"Accept-Language": accepted})
    assert answer.headers["Content-Language"] == language


def test_the_gm_reads_the_language_chosen_in_this_browser(gm_client: Client) -> None:
    gm_client.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    answer = gm_client.get("/", headers={"Accept-Language": "en"})
    assert answer.headers["Content-Language"] == "fr"


# What a careless view would do


def remember(request: HttpRequest) -> HttpResponse:
    request.session["seen"] = True
    return HttpResponse()


def hand_out(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(get_token(request))
    response.set_cookie("qv_hero", "Lia")
    return response


urlpatterns = [path("j/remember", remember), path("J/hand-out", hand_out)]


@override_settings(ROOT_URLCONF=__name__)
def test_a_view_that_would_remember_a_player_cannot(client: Client) -> None:
    with pytest.raises(WriteRefused):
        client.get("/j/remember")


@override_settings(ROOT_URLCONF=__name__)
def test_a_view_that_would_set_a_players_cookie_cannot(client: Client) -> None:
    answer = client.get("/J/hand-out")
    assert answer.status_code == 200
    assert not answer.cookies
    assert answer.headers["Vary"] == "Accept-Language"
