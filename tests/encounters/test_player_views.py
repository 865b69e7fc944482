"""The players' page: who has the link looks, nobody writes, and no secret is anywhere in it."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

import rules
from encounters import access, player_views
from encounters.models import PlayerLink
from tests.encounters.playing import take
from tests.factories import (
    EncounterFactory,
    PlayerLinkFactory,
    creature,
    fight_of,
    hero,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def link() -> PlayerLink:
    """A link to a running fight: Aria has the turn, then two Goblins and a hidden Stalker."""
    made: PlayerLink = PlayerLinkFactory.create(campaign__name="The mill")
    goblins = [creature(creature="gob", name_fr="Gobelin")] * 2
    fight = fight_of(hero("Aria"), *goblins, creature("Stalker", hidden=True))
    encounter = EncounterFactory.create(campaign=made.campaign, fight=fight)
    take(encounter, rules.StartFight(totals={1: 20, 2: 12, 4: 3}))
    return made


def anybody() -> Client:
    return Client(SERVER_NAME="127.0.0.1")


# What is shown


def test_players_see_who_acts_and_who_comes_then(client: Client, link: PlayerLink) -> None:
    page = client.get(f"/j/{link.token}?lang=en").content.decode()
    board = client.get(f"/j/{link.token}/board?lang=en").content.decode()
    assert board.strip() in page
    for word in ("The mill", "Round 1", "Aria", "Goblin ×2", "healthy"):
        assert word in board
    assert "Stalker" not in page


def test_players_choose_their_language_by_address_or_browser(
    client: Client, link: PlayerLink
) -> None:
    address = f"/j/{link.token}"
    for asked, headers, language in (
        ("?lang=fr", {}, "fr"),
        ("?lang=en", {"Accept-Language": "fr"}, "en"),
        ("", {"Accept-Language": "fr-CA,fr;q=0.9"}, "fr"),
        ("", {"Accept-Language": "de"}, "en"),
        ("?lang=xx", {"Accept-Language": "fr"}, "fr"),
    ):
        answer = client.get(address + asked, headers=headers)
        assert f'<html lang="{language}">' in answer.content.decode()
        assert answer["Content-Language"] == language
        assert ("Gobelin" in answer.content.decode()) is (language == "fr")


def test_the_gms_own_language_and_session_make_no_difference(
    gm_client: Client, link: PlayerLink
) -> None:
    gm_client.cookies["qv_language"] = "fr"
    gm_client.cookies["qv_theme"] = "dark"
    for path in ("", "/board"):
        ours, theirs = (c.get(f"/j/{link.token}{path}") for c in (gm_client, anybody()))
        assert (ours.content, ours.headers) == (theirs.content, theirs.headers)


def test_before_between_and_after_fights_the_page_waits(client: Client) -> None:
    link = PlayerLinkFactory.create()
    address = f"/j/{link.token}?lang=en"
    waits, over = b"The game master is preparing", b"The fight is over"
    assert waits in client.get(address).content
    encounter = EncounterFactory.create(campaign=link.campaign, fight=fight_of(hero("Aria")))
    assert waits in client.get(address).content
    take(encounter, rules.StartFight(totals={1: 9}))
    assert b"Aria" in client.get(address).content
    take(encounter, rules.EndFight())
    assert over in client.get(address).content


# The link


def test_a_link_is_good_in_capitals_or_not(client: Client, link: PlayerLink) -> None:
    for token in (link.token, link.token.lower(), link.token.title()):
        for path in (f"/j/{token}", f"/j/{token}/board", f"/J/{token}", f"/J/{token}/board"):
            assert client.get(path).status_code == 200


def test_tokens_are_130_bits_in_letters_that_a_code_holds_well() -> None:
    tokens = {PlayerLinkFactory.create().token for _ in range(50)}
    assert len(tokens) == 50
    assert all(re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{26}", token) for token in tokens)


def test_the_database_holds_no_token(link: PlayerLink) -> None:
    [row] = PlayerLink.objects.filter(pk=link.pk).values_list()
    assert link.token not in str(row)


def test_a_new_generation_closes_the_old_address(client: Client, link: PlayerLink) -> None:
    old = link.token
    link.generation += 1
    link.save()
    assert client.get(f"/j/{old}").status_code == 404
    assert client.get(f"/j/{link.token}").status_code == 200


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_wrong_link_gets_the_same_answer(
    language: str, client: Client, link: PlayerLink
) -> None:
    wrong = [
        "0" * 26,
        link.token[:-1],
        link.token + "0",
        link.token_hash,
        str(link.link_id),
        str(link.pk),
        quote("é<script>"),
        "%00",
        "x" * 5_000,
    ]
    paths = [f"/j/{token}{path}" for token in wrong for path in ("", "/board")]
    paths += ["/j/", f"/j/{link.token}/x", f"/j/{link.token}/board/"]
    asked = [client.get(p, headers={"Accept-Language": language}) for p in paths]
    assert {answer.status_code for answer in asked} == {404}
    assert len({answer.content for answer in asked}) == 1
    assert len({str(sorted(answer.headers.items())) for answer in asked}) == 1


# Looking only


@pytest.mark.parametrize("path", ["", "/board", "/nothing"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_no_other_method_than_looking_is_answered(
    method: str, path: str, client: Client, link: PlayerLink
) -> None:
    answer = client.generic(method, f"/j/{link.token}{path}")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert answer.content == b""


def test_head_answers_as_get_does_without_its_body(client: Client, link: PlayerLink) -> None:
    got, head = (getattr(client, way)(f"/j/{link.token}") for way in ("get", "head"))
    assert head.content == b""
    assert head.headers == got.headers


def test_no_answer_to_players_sets_a_cookie_or_depends_on_one(
    client: Client, link: PlayerLink
) -> None:
    client.cookies["planted"] = "1"
    for path in ("", "/board", "/x"):
        for method in ("GET", "HEAD", "POST"):
            answer = client.generic(method, f"/j/{link.token}{path}")
            assert not answer.cookies
            assert "cookie" not in answer.get("Vary", "").lower()
            assert answer["Cache-Control"] == "private, no-store"
            assert answer["Referrer-Policy"] == "no-referrer"
            assert answer["X-Robots-Tag"] == "noindex, nofollow, noarchive"
            assert "form-action 'none'" in answer["Content-Security-Policy"]
            assert answer["Cross-Origin-Resource-Policy"] == "same-origin"


def test_looking_writes_nothing_and_reads_little(client: Client, link: PlayerLink) -> None:
    for path in ("", "/board"):
        with CaptureQueriesContext(connection) as asked:
            client.get(f"/j/{link.token}{path}")
        assert len(asked) <= 2
        assert all(query["sql"].startswith("SELECT") for query in asked.captured_queries)


def reading_only(render: Callable[..., object], *asked: object) -> object:
    with access.read_only_database():
        return render(*asked)


@pytest.mark.parametrize("way_in", ["the address", "the view alone", "the stream"])
def test_a_write_on_the_way_to_a_player_never_reaches_the_database(
    way_in: str, client: Client, link: PlayerLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = player_views._board

    def meddling(campaign: Any) -> Any:
        campaign.save()
        return honest(campaign)

    monkeypatch.setattr(player_views, "_board", meddling)
    request = RequestFactory().get("/")
    ways: dict[str, Callable[[], object]] = {
        "the address": lambda: client.get(f"/j/{link.token}"),
        "the view alone": lambda: player_views.board(request, token=link.token),
        "the stream": lambda: reading_only(player_views.render_screen, link.campaign, "en"),
    }
    with pytest.raises(access.WriteRefused):
        ways[way_in]()


def test_a_player_page_names_nobody_elses_server(client: Client, link: PlayerLink) -> None:
    page = client.get(f"/j/{link.token}").content.decode()
    assert re.findall(r'(?:src|href|action|data-\w+)="(?:https?:)?//', page) == []
    assert " style=" not in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"\bon\w+=", page)
