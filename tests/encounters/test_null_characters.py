"""A character that PostgreSQL cannot hold, wherever a stranger or the GM may send one."""

from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from encounters import forms
from encounters.models import Campaign, Encounter, Hero
from tests.encounters.playing import HTMX, fight_in, form
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db

NUL = "Li\0a"


def test_a_campaigns_name_with_one_is_refused(gm_client: Client) -> None:
    assert gm_client.post("/", {"name": NUL}).status_code == 422
    assert Campaign.objects.count() == 0


def test_heroes_names_with_one_are_refused(gm_client: Client, campaign: Campaign) -> None:
    before = list(Hero.objects.values())
    hero = campaign.heroes.get(name="Aria")
    table = {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "form-0-id": hero.pk}
    changed = gm_client.post(f"/c/{campaign.uuid}/", table | {"form-0-name": NUL})
    added = gm_client.post(f"/c/{campaign.uuid}/heroes/", {"names": f"Dain, {NUL}"})
    assert [changed.status_code, added.status_code] == [422, 422]
    assert list(Hero.objects.values()) == before


@pytest.mark.parametrize(
    ("verb", "typed"),
    [
        ("join", {"text": NUL}),
        ("join", {"text": f"3 {NUL}"}),
        ("add-effect", {"target": "1", "effect": "other", "text": NUL}),
        ("set-label", {"target": "3", "label": NUL}),
        ("damage", {"target": "3", "amount": "7\0"}),
        ("damage", {"target": "3\0", "amount": "7"}),
        ("damage", {"target": "3", "amount": "7", "key": f"{uuid4()}\0"}),
        ("roll-dice", {"dice": "1d6\0"}),
        ("add-use", {"target": "3", "name": NUL, "max": "3"}),
        ("set-total", {"target": "3", "total": "1\x002"}),
    ],
)
def test_a_verb_with_one_is_refused_and_changes_nothing(
    gm_client: Client, running: Encounter, verb: str, typed: dict[str, str]
) -> None:
    before = fight_in(running)
    sent = form(running) | typed
    answer = gm_client.post(f"/e/{running.uuid}/{verb}/", sent, headers=HTMX)
    assert answer.status_code == 422
    assert fight_in(running) == before


def test_no_field_of_any_verb_breaks_on_one(gm_client: Client, running: Encounter) -> None:
    for verb in forms.VERBS:
        for field in verb.base_fields:
            sent = form(running) | {"target": "3", field: NUL}
            answer = gm_client.post(f"/e/{running.uuid}/{verb.verb}/", sent, headers=HTMX)
            assert answer.status_code < 500, (verb.verb, field)


@pytest.mark.parametrize(
    "query", ["creatures/?text=gob%00lin", "?selected=1%002", "log/?page=%00", "players/?next=%00"]
)
def test_what_is_asked_for_with_one_is_answered(
    gm_client: Client, running: Encounter, query: str
) -> None:
    assert gm_client.get(f"/e/{running.uuid}/{query}").status_code == 200


@pytest.mark.parametrize("path", ["/j/{token}%00", "/j/%00", "/entry/%00/", "/entry/a%00b/"])
def test_an_address_with_one_leads_nowhere(client: Client, path: str) -> None:
    token = PlayerLinkFactory.create().token
    assert client.get(path.format(token=token)).status_code in (404, 410)


@pytest.mark.parametrize("language", ["\0", "fr\0"])
def test_a_language_with_one_is_none(client: Client, language: str) -> None:
    link = PlayerLinkFactory.create()
    answer = client.get(f"/j/{link.token}", {"lang": language})
    assert '<html lang="en"' in answer.content.decode()


# A quoted cookie may carry any character, as an octal number.
@pytest.mark.parametrize("value", ['"\\000aaaaaaaaaaaa"', '"aaaaaaaaaaaa\\000"'])
def test_a_session_of_that_name_is_nobodys(client: Client, value: str) -> None:
    client.cookies.load(f"{settings.SESSION_COOKIE_NAME}={value}")
    answer = client.get("/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/entry/")
