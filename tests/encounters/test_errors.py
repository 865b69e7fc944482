"""Our own pages for what goes wrong: in the reader's language, and telling nothing else."""

from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from encounters import gm_views
from encounters.models import Encounter
from tests.encounters.playing import form, text_of
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db

TITLES = {403: "Not allowed", 404: "Nothing here", 500: "Something went wrong"}


def title(status: int, language: str) -> str:
    with translation.override(language):
        said = gettext(TITLES[status])
    assert (said == TITLES[status]) is (language == "en")
    return said


def broken(*_: object) -> Any:
    raise RuntimeError("the recipe of the canary")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("status", [403, 404, 500])
def test_each_error_has_a_page_of_its_own_in_the_readers_language(
    status: int, language: str, gm_client: Client, running: Encounter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if status == 403:
        gm_client.handler.enforce_csrf_checks = True
        asked = gm_client.post(
            f"/e/{running.uuid}/next-turn/", form(running), headers={"Accept-Language": language}
        )
    else:
        if status == 500:
            monkeypatch.setattr(gm_views, "gm_board", broken)
            gm_client.raise_request_exception = False
        else:
            gm_client.cookies.clear()  # a GM has a page of his own
        path = f"/e/{running.uuid}/" if status == 500 else "/nothing/"
        asked = gm_client.get(path, headers={"Accept-Language": language})
    assert asked.status_code == status
    said = text_of(asked)
    assert said.startswith(title(status, language))
    assert f'<html lang="{language}">' in asked.content.decode()
    for secret in ("canary", "Traceback", "recipe", "RuntimeError", "csrf", "/nothing/"):
        assert secret not in asked.content.decode()


def test_a_broken_players_page_says_the_same_to_everybody_and_sets_no_cookie(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = PlayerLinkFactory.create()
    monkeypatch.setattr("encounters.player_views.loaded", broken)
    client.raise_request_exception = False
    answer = client.get(f"/j/{link.token}?lang=en")
    assert answer.status_code == 500
    assert text_of(answer).startswith(title(500, "en"))
    assert not answer.cookies
    assert answer["Cache-Control"] == "private, no-store"


def test_errors_carry_the_headers_of_every_page(
    client: Client, gm_client: Client, monkeypatch: pytest.MonkeyPatch, running: Encounter
) -> None:
    monkeypatch.setattr(gm_views, "gm_board", broken)
    gm_client.raise_request_exception = False
    for answer in (
        client.get("/nothing/"),
        client.post("/quick-fight/"),
        gm_client.get(f"/e/{running.uuid}/"),
        gm_client.get("/quick-fight/"),
    ):
        assert answer.status_code >= 403
        assert "default-src 'none'" in answer["Content-Security-Policy"]
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Cache-Control"] == "no-store"


def test_a_gm_who_finds_nothing_has_the_way_back_and_nobody_else_sees_it(
    gm_client: Client, client: Client
) -> None:
    assert "Back to your campaigns" in text_of(gm_client.get("/nothing/"))
    assert "Back to your campaigns" not in text_of(client.get("/nothing/"))
    assert gm_client.get("/j/nothing").content == client.get("/j/nothing").content
