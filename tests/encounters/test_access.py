"""Who is let in, who is told how, and that players cannot write."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django.fixtures import Settings

from encounters import access
from encounters.models import Campaign, EntryLink, PlayerLink
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db

EXPLAINS = "/entry/"


@pytest.fixture
def link() -> PlayerLink:
    return PlayerLinkFactory.create(campaign__name="The mill")


def is_let_in(client: Client) -> bool:
    return client.get("/").status_code == 200


# The way in


def test_opening_an_entry_link_lets_nobody_in_and_leaves_it_good(client: Client) -> None:
    path = access.new_entry_path()
    for _ in range(2):  # a messenger's preview, then the GM
        assert client.get(path).status_code == 200
    assert not is_let_in(client)
    assert client.post(path).status_code == 302
    assert is_let_in(client)


def test_an_entry_link_works_once(client: Client) -> None:
    path = access.new_entry_path()
    client.post(path)
    second = Client(SERVER_NAME="127.0.0.1")
    assert second.get(path).status_code == 410
    assert second.post(path).status_code == 410
    assert not is_let_in(second)


def test_an_entry_link_is_too_old_after_half_an_hour(client: Client) -> None:
    path = access.new_entry_path()
    EntryLink.objects.update(created=timezone.now() - timedelta(minutes=30, seconds=1))
    assert client.post(path).status_code == 410
    assert not is_let_in(client)


def test_an_invented_entry_link_opens_nothing(client: Client) -> None:
    assert client.post("/entry/AAAAAAAAAAAAAAAAAAAAAAAA/").status_code == 410
    assert not is_let_in(client)


def test_the_database_does_not_hold_what_an_entry_link_says() -> None:
    secret = access.new_entry_path().split("/")[2]
    assert secret not in str(list(EntryLink.objects.values()))


def test_entering_takes_a_new_session_so_that_a_planted_one_is_worth_nothing(
    client: Client, settings: Settings
) -> None:
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    client.post(access.new_entry_path())
    assert client.cookies[settings.SESSION_COOKIE_NAME].value != session.session_key
    assert "planted" not in client.session


def test_a_form_from_another_site_cannot_use_an_entry_link(settings: Settings) -> None:
    strict = Client(SERVER_NAME="127.0.0.1", enforce_csrf_checks=True)
    path = access.new_entry_path()
    assert strict.post(path).status_code == 403
    assert access.is_open(path.split("/")[2])


def test_the_gm_who_locks_the_browser_is_out(gm_client: Client) -> None:
    assert is_let_in(gm_client)
    asked = gm_client.get("/entry/leave/")
    assert "Sign this browser out?" in asked.content.decode()
    assert is_let_in(gm_client)
    assert is_let_in(gm_client)
    assert gm_client.post("/entry/leave/").status_code == 302
    assert not is_let_in(gm_client)


def test_the_gm_signs_all_other_browsers_out_and_stays_in(gm_client: Client) -> None:
    assert "Other browsers" not in gm_client.get("/").content.decode()
    others = [Client(SERVER_NAME="127.0.0.1") for _ in range(2)]
    for other in others:
        other.post(access.new_entry_path())
    not_used_yet = access.new_entry_path()
    for language, said in (("en", "signed in on 2 more"), ("fr", "2 autres sessions ouvertes")):
        gm_client.cookies["qv_language"] = language
        assert said in gm_client.get("/").content.decode()
    assert gm_client.post("/entry/leave-others/")["Location"] == "/"
    assert [is_let_in(browser) for browser in (gm_client, *others)] == [True, False, False]
    assert gm_client.get(not_used_yet).status_code == 302  # home: it lets nobody in any more
    assert Client(SERVER_NAME="127.0.0.1").post(not_used_yet).status_code == 410


def test_nobody_else_signs_browsers_out(gm_client: Client, client: Client) -> None:
    assert client.post("/entry/leave-others/").status_code == 403
    assert is_let_in(gm_client)


def test_a_used_entry_link_leads_a_gm_who_is_in_to_his_home(client: Client) -> None:
    path = access.new_entry_path()
    client.post(path)
    for answer in (client.get(path), client.post(path)):
        assert answer["Location"] == "/"


# Who is not let in


def test_a_stranger_who_opens_a_page_is_shown_how_to_get_in(client: Client) -> None:
    answer = client.get("/", follow=True)
    assert answer.redirect_chain == [(EXPLAINS, 302)]
    assert "entry_link" in answer.content.decode()


def test_a_strangers_form_is_refused(client: Client) -> None:
    assert client.post("/").status_code == 403
    assert not Campaign.objects.exists()


def test_a_fragment_whose_session_is_over_leaves_the_whole_page(client: Client) -> None:
    for answer in (
        client.get("/", headers={"HX-Request": "true"}),
        client.post("/", headers={"HX-Request": "true"}),
    ):
        assert answer.headers["HX-Redirect"] == EXPLAINS
        assert answer.content == b""


def test_a_gm_on_the_wifi_is_refused_and_told_where_to_go(
    far_client: Client, gm_client: Client
) -> None:
    far_client.cookies = gm_client.cookies
    answer = far_client.get("/about/")
    assert answer.status_code == 403
    assert "http://127.0.0.1:80/" in answer.content.decode()
    door = far_client.get("/").content.decode()
    assert "Table code" in door
    assert "http://127.0.0.1:80/" in door
    assert far_client.post("/").status_code == 403


def test_an_entry_link_is_no_good_from_the_wifi(far_client: Client, client: Client) -> None:
    path = access.new_entry_path()
    assert far_client.get(path).status_code == 403
    assert far_client.post(path).status_code == 403
    assert client.post(path).status_code == 302


def test_anybody_may_read_how_to_get_in(far_client: Client) -> None:
    assert far_client.get(EXPLAINS).status_code == 200


@pytest.mark.parametrize(
    ("peer", "host", "trusted"),
    [
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("127.0.0.1", "localhost:8000", True),
        ("::1", "[::1]:8000", True),
        # A foreign name that resolves to this computer, or a tunnel's end.
        ("127.0.0.1", "table.example", False),
        ("192.168.1.20", "127.0.0.1:8000", False),
        ("192.168.1.20", "192.168.1.5:8000", False),
        ("", "localhost", False),
    ],
)
def test_over_plain_http_the_gm_sits_at_this_computer(
    settings: Settings, peer: str, host: str, trusted: bool
) -> None:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "table.example", "192.168.1.5"]
    request = RequestFactory().get("/", REMOTE_ADDR=peer, headers={"host": host})
    assert access.is_trusted_channel(request) is trusted


def test_over_https_the_gm_sits_anywhere(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["table.example"]
    request = RequestFactory().get(
        "/", secure=True, REMOTE_ADDR="198.51.100.7", headers={"host": "table.example"}
    )
    assert access.is_trusted_channel(request)


def test_a_gm_who_comes_back_each_week_is_asked_again_after_three_months(
    gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = timezone.now()
    for day in range(0, 91, 7):
        monkeypatch.setattr(timezone, "now", lambda day=day: start + timedelta(days=day))
        assert is_let_in(gm_client)
    monkeypatch.setattr(timezone, "now", lambda: start + timedelta(days=91))
    assert not is_let_in(gm_client)


def test_a_session_ends_two_weeks_after_the_last_visit(
    gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: start + timedelta(days=15))
    assert not is_let_in(gm_client)


def test_a_gm_at_work_does_not_write_the_session_at_each_page(
    gm_client: Client, settings: Settings
) -> None:
    gm_client.get("/")
    assert settings.SESSION_COOKIE_NAME not in gm_client.get("/").cookies


# Players


def as_player(method: str, token: str) -> HttpResponse:
    """A view of a player's page that only says whose it is."""

    @access.by_player_link
    def view(request: HttpRequest, link: PlayerLink) -> HttpResponse:
        return HttpResponse(link.campaign.name)

    return view(RequestFactory().generic(method, "/j/…"), token=token)


def test_a_player_with_the_link_sees_its_campaign(link: PlayerLink) -> None:
    assert as_player("GET", link.token).content == b"The mill"
    assert as_player("GET", link.token.lower()).content == b"The mill"
    assert as_player("HEAD", link.token).status_code == 200


def test_a_wrong_link_opens_nothing(link: PlayerLink) -> None:
    wrong = ("0" if link.token[0] != "0" else "1") + link.token[1:]
    for token in (wrong, link.token_hash, str(link.link_id), str(link.pk)):
        with pytest.raises(Http404):
            as_player("GET", token)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_a_player_can_only_read(link: PlayerLink, method: str) -> None:
    assert as_player(method, link.token).status_code == 405
    phone = Client(SERVER_NAME="127.0.0.1", enforce_csrf_checks=True)
    for path in (f"/j/{link.token}", "/j/nothing", "/j/no/such/page"):
        answer = phone.generic(method, path)
        assert answer.status_code == 405
        assert answer.headers["Allow"] == "GET, HEAD"
        assert not answer.cookies


@pytest.mark.parametrize(
    "write",
    [
        lambda campaign: campaign.save(),
        lambda campaign: campaign.delete(),
        lambda campaign: Campaign.objects.create(name="Another"),
        lambda campaign: Campaign.objects.update(name="Another"),
    ],
)
def test_a_write_while_a_player_is_served_never_reaches_the_database(
    link: PlayerLink, write: Callable[[Campaign], object]
) -> None:
    with access.read_only_database(), transaction.atomic():
        assert Campaign.objects.get().name == "The mill"
        with pytest.raises(access.WriteRefused), transaction.atomic():
            write(link.campaign)
    assert [campaign.name for campaign in Campaign.objects.all()] == ["The mill"]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM encounters_campaign",
        "  update encounters_campaign SET name = ''",
        "WITH x AS (SELECT 1) DELETE FROM encounters_campaign",
        "PRAGMA journal_mode=DELETE",
        "BEGIN IMMEDIATE",
        "VACUUM",
    ],
)
def test_only_reading_statements_pass(statement: str) -> None:
    with (
        access.read_only_database(),
        connection.cursor() as cursor,
        pytest.raises(access.WriteRefused),
    ):
        cursor.execute(statement)


def test_the_guard_ends_with_the_players_request(link: PlayerLink) -> None:
    with access.read_only_database():
        pass
    link.campaign.save()


def test_an_entry_links_path_is_long_enough_to_be_unguessable() -> None:
    assert re.fullmatch(r"/entry/[\w-]{32}/", access.new_entry_path())
