"""Players only look: whatever they send, and to whichever address, nothing is written or kept."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db.backends.utils import CursorWrapper
from django.test import Client

from encounters import limiter, link_uses, live
from encounters.models import Encounter, PlayerLink
from tests.encounters.stored import everything_stored
from tests.encounters.streaming import ask
from tests.factories import PlayerLinkFactory
from tests.sizes import FULL

pytestmark = pytest.mark.django_db(transaction=True)

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
LOOKING = ("GET", "HEAD")
PATHS = ("", "/board", "/live", "/", "/gm", "/board/", "?lang=fr&view=tv", "?view=overlay")
WRONG = 10_000 if FULL else 150
READS = (
    *("SELECT", "PRAGMA", "BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK"),
    "SET DEFAULT_TRANSACTION_READ_ONLY = ON",
)
BOTS = (
    "WhatsApp/2.23.20.0",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "TelegramBot (like TwitterBot)",
)


@pytest.fixture
def port(base_url: str) -> Iterator[int]:
    yield int(base_url.rsplit(":", 1)[1])
    live.end_streams()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that any thread sends to the database."""
    statements: list[str] = []
    honest = CursorWrapper.execute

    def heard(self: CursorWrapper, sql: Any, params: Any = None) -> Any:
        statements.append(str(sql).lstrip().upper())
        return honest(self, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", heard)
    return statements


@pytest.fixture
def link(running: Encounter) -> PlayerLink:
    link: PlayerLink = PlayerLinkFactory.create(campaign=running.campaign)
    return link


# RELIABILITY L4
@pytest.mark.parametrize("method", METHODS)
def test_no_request_of_a_players_writes_or_leaves_a_cookie(
    method: str, port: int, link: PlayerLink, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_uses, "flush", lambda: None)
    before = everything_stored()
    asked.clear()
    for token in (link.token, link.token.lower(), "0" * 26):
        limiter.misses._of.clear()
        for path in PATHS:
            answer = ask(port, f"/j/{token}{path}", method, Cookie="qv_sid=planted; csrftoken=x")
            allowed = answer.headers.get("Allow")
            assert (answer.status == 405) == (allowed is not None)
            if method not in LOOKING:
                assert answer.status == 405
            assert answer.headers.get_all("Set-Cookie") is None
            assert "cookie" not in answer.headers.get("Vary", "").lower()
    assert all(sql.startswith(READS) for sql in asked), asked
    assert everything_stored() == before


# RELIABILITY L5
@pytest.mark.parametrize("bot", BOTS)
def test_a_preview_of_a_link_has_no_effect_and_names_nobody(
    bot: str, client: Client, link: PlayerLink
) -> None:
    before = everything_stored()
    answers = [client.get(f"/j/{link.token}", headers={"User-Agent": who}) for who in (bot, "x")]
    assert answers[0].content == answers[1].content
    page = answers[0].content.decode()
    assert '<meta property="og:title" content="Qui-Vive">' in page
    assert page.count("og:") == 1
    assert everything_stored() == before


# RELIABILITY L2
def test_a_flood_of_wrong_links_troubles_neither_players_nor_the_gm(
    port: int, link: PlayerLink, gm_client: Client, running: Encounter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    one_minute = limiter.Misses(clock=lambda: 0.0)
    monkeypatch.setattr(limiter, "misses", one_minute)
    answers = []
    for number in range(WRONG):
        path = ("", "/board", "/live")[number % 3]
        answer = ask(port, f"/j/{number:026}{path}")
        answers.append(answer.status)
        if number % 50 == 0:
            assert ask(port, f"/j/{link.token}").status == 200
            assert gm_client.get(f"/e/{running.uuid}/").status_code == 200
    assert answers == [404] * limiter.LIMIT + [429] * (WRONG - limiter.LIMIT)
