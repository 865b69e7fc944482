"""What players read, and what the GM hands out to them, has no English in French, in any state."""

from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client

from encounters.models import Campaign, PlayerLink
from tests.encounters import uses
from tests.encounters.playing import HTMX, form, page_of
from tests.factories import PlayerLinkFactory
from tests.test_words_on_pages import badly_set_in, english_in, html_of

FRENCH = {"Accept-Language": "fr"}
STATES = {  # of the fight: what players are shown
    **dict.fromkeys(("prepared", "opened"), "waiting"),
    **dict.fromkeys(("begun", "fallen"), "running"),
    "over": "over",
}
VIEWS = ("", "?view=tv", "?view=overlay")
EVERYTHING = {
    **dict.fromkeys(("hp_heroes", "hp_allies", "hp_foes", "hp_others"), "exact"),
    **dict.fromkeys(("show_ac", "show_initiative", "show_effects"), True),
}  # that players may see
pytestmark = pytest.mark.django_db


@pytest.fixture
def gm(gm_client: Client) -> Client:
    gm_client.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    return gm_client


def faults(*answers: Any, status: int = 200) -> set[str]:
    """What is English or badly set in these answers."""
    assert {answer.status_code for answer in answers} == {status}
    pages = [html_of(answer) for answer in answers]
    return english_in(pages) | badly_set_in(pages)


def link_of(campaign: Campaign) -> PlayerLink:
    made: PlayerLink = PlayerLinkFactory.create(campaign=campaign, name="Table")
    return made


@pytest.mark.parametrize("seen", [{}, EVERYTHING], ids=["usual", "everything"])
@pytest.mark.parametrize("state", STATES)
def test_the_players_page_has_no_english_sentence(
    state: str, seen: dict[str, object], client: Client
) -> None:
    campaign = uses.table(state).campaign
    Campaign.objects.filter(pk=campaign.pk).update(**seen)
    path = f"/j/{link_of(campaign).token}"
    pages = [client.get(f"{path}{view}", headers=FRENCH) for view in VIEWS]
    assert [f'class="board {STATES[state]}"' in html_of(page) for page in pages] == [True] * 3
    assert faults(*pages) == set()


def test_a_link_that_leads_nowhere_is_answered_in_french_until_it_is_too_many(
    client: Client,
) -> None:
    path = "/j/" + "0" * 26
    assert faults(client.get(path, headers=FRENCH), status=404) == set()
    while (answer := client.get(path, headers=FRENCH)).status_code == 404:
        pass
    assert faults(answer, status=429) == set()
    assert "Attendez une minute" in html_of(answer)


def test_all_about_links_is_said_in_french(gm: Client) -> None:
    encounter = uses.table("begun")
    page, link = page_of(encounter.campaign), link_of(encounter.campaign)
    links = f"{page}links/"
    made = gm.post(links, {"name": "Stream", "days": "1"}, follow=True)
    refused = [gm.post(links, {"name": "", "days": "1"})]
    refused.append(gm.post(f"{links}{link.pk}/", {"name": "", "days": "7"}))
    PlayerLinkFactory.create_batch(50, campaign=encounter.campaign, days=0)
    refused.append(gm.post(links, {"name": "Encore un", "days": "0"}))
    used = [gm.get(f"/j/{link.token}", headers=FRENCH), gm.get(page)]
    panel, card = f"/e/{encounter.uuid}/players/", f"{links}{link.pk}/card/"
    assert faults(made, *used, gm.get(panel), gm.get(card)) == set()
    assert faults(*refused, status=422) == set()


def test_what_players_see_is_chosen_in_french(gm: Client) -> None:
    encounter = uses.table("begun")
    page = page_of(encounter.campaign)
    address = f"{page}players-see/"
    saved, refused = (gm.post(address, typed, headers=HTMX) for typed in (EVERYTHING, {}))
    assert "Enregistré" in html_of(saved)
    assert faults(saved, gm.get(f"{page}settings/")) == set()
    assert faults(refused, status=422) == set()


def test_a_server_that_cannot_answer_says_so_in_french(
    gm: Client, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = uses.table("begun")
    link = link_of(encounter.campaign)

    def away(*_given: object, **_named: object) -> None:
        raise OperationalError

    for name in ("gm_views.load_fight", "steps.stored_fight", "player_views.loaded"):
        monkeypatch.setattr(f"encounters.{name}", away)
    board, sent = f"/e/{encounter.uuid}/", form(encounter, target="3", amount="1")
    answers = [
        client.get(f"/j/{link.token}", headers=FRENCH),
        gm.get(board),
        gm.post(f"{board}damage/", sent),
        gm.post(f"{board}damage/", sent, headers=HTMX),
    ]
    assert faults(*answers, status=503) == set()
