"""Home, campaigns, heroes and encounters."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.forms import ModelForm
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

import rules
from encounters import campaign_views
from encounters.models import Campaign, Encounter, Hero, PlayerLink
from tests.encounters.playing import fight_in, fresh, page_of, press, take, text_of
from tests.factories import (
    CampaignFactory,
    HeroFactory,
)

pytestmark = pytest.mark.django_db

FACTS = (
    "player", "level", "ac", "max_hp", "initiative_bonus", "passive_perception", "stealth_bonus",
    "dexterity", "speed",
)  # fmt: skip


def table(campaign: Campaign, **changes: Any) -> dict[str, Any]:
    """What the heroes' table sends, with these cells typed over: `aria_ac="17"`."""
    heroes = list(campaign.heroes.filter(deleted=None))
    sent: dict[str, Any] = {"form-TOTAL_FORMS": len(heroes), "form-INITIAL_FORMS": len(heroes)}
    for row, one in enumerate(heroes):
        for fact in ("name", *FACTS):
            value = changes.get(f"{one.name.lower()}_{fact}", getattr(one, fact))
            sent[f"form-{row}-{fact}"] = "" if value is None else value
        sent[f"form-{row}-id"] = one.pk
    return sent


# Home and the first fight


def test_a_quick_fight_needs_nothing_prepared(gm_client: Client) -> None:
    answer = gm_client.post("/quick-fight/", follow=True)
    encounter = Encounter.objects.get()
    assert answer.redirect_chain == [(f"/e/{encounter.uuid}/?new", 302)]
    assert "Nobody is here yet" in text_of(answer)
    assert encounter.campaign.name == "My table"


def test_a_quick_fight_brings_the_heroes_of_the_table_played_last(
    gm_client: Client, campaign: Campaign
) -> None:
    campaign.used = timezone.now() + timedelta(hours=1)
    campaign.save()
    gm_client.post("/quick-fight/")
    encounter = Encounter.objects.get()
    assert encounter.campaign == campaign
    assert [c.name for c in fight_in(encounter).combatants] == ["Aria", "Bran"]


def test_home_shows_campaigns_and_the_fight_in_progress(
    gm_client: Client, running: Encounter
) -> None:
    said = text_of(gm_client.get("/"))
    assert str(running.campaign) in said
    assert "Round 1" in said
    assert "Continue" in said
    take(running, rules.EndFight())
    assert "Continue" not in text_of(gm_client.get("/"))


def test_a_new_campaign_is_named_and_opened(gm_client: Client) -> None:
    answer = gm_client.post("/", {"name": "Greyford"})
    assert answer["Location"] == page_of(Campaign.objects.get(name="Greyford"))


def test_a_campaign_with_an_impossible_name_is_refused_and_the_name_stays(
    gm_client: Client,
) -> None:
    for name in ("", " ", "G" * 500):
        answer = gm_client.post("/", {"name": name})
        assert answer.status_code == 422
        assert f'value="{name}"' in answer.content.decode()
    assert not Campaign.objects.exists()


# Heroes


def test_heroes_are_added_at_once_by_their_names(gm_client: Client, campaign: Campaign) -> None:
    answer = gm_client.post(f"{page_of(campaign)}heroes/", {"names": " Dain,Eve  Ash ,, "})
    assert answer.status_code == 302
    assert [h.name for h in campaign.heroes.all()] == ["Aria", "Bran", "Dain", "Eve Ash"]


@pytest.mark.parametrize("names", ["", " , ", "A" * 81, "A," * 1_001])
def test_names_that_cannot_be_are_refused_and_stay_typed(
    names: str, gm_client: Client, campaign: Campaign
) -> None:
    answer = gm_client.post(f"{page_of(campaign)}heroes/", {"names": names})
    assert answer.status_code == 422
    assert f'value="{names}"' in answer.content.decode()
    assert campaign.heroes.count() == 2


def test_heroes_are_edited_in_their_table(gm_client: Client, campaign: Campaign) -> None:
    sent = table(campaign, aria_ac="17", bran_level="", bran_name="Brann", aria_speed="25")
    assert gm_client.post(page_of(campaign), sent).status_code == 302
    aria, bran = campaign.heroes.all()
    assert (aria.ac, aria.speed, bran.name, bran.level) == (17, 25, "Brann", None)
    assert Hero.objects.get(name="Cleo").ac == 15


@pytest.mark.parametrize(
    ("cell", "typed"),
    [
        ("aria_name", "A" * 500),
        ("aria_level", "21"),
        ("aria_ac", "hard"),
        ("aria_max_hp", "99999999"),
        ("aria_initiative_bonus", "14.5"),
        ("aria_passive_perception", "1e3"),
        ("aria_speed", "-5"),
    ],
)
def test_a_cell_that_cannot_be_says_why_and_keeps_what_was_typed(
    cell: str, typed: str, gm_client: Client, campaign: Campaign
) -> None:
    before = list(campaign.heroes.values())
    answer = gm_client.post(page_of(campaign), table(campaign, **{cell: typed, "bran_ac": "18"}))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert f'value="{typed}"' in page
    assert 'value="18"' in page, "what was right beside it stays typed too"
    assert page.count('class="refusal"') == 1
    assert list(campaign.heroes.values()) == before


def test_the_table_neither_makes_heroes_nor_reaches_those_of_others(
    gm_client: Client, campaign: Campaign
) -> None:
    strangers = Hero.objects.get(name="Cleo")
    sent = table(campaign)
    sent["form-0-id"], sent["form-0-name"] = strangers.pk, "Stolen"
    assert gm_client.post(page_of(campaign), sent).status_code == 302
    more = {**table(campaign), "form-TOTAL_FORMS": 3, "form-2-name": "Planted"}
    assert gm_client.post(page_of(campaign), more).status_code == 302
    none = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 0, "form-0-name": "Planted"}
    assert gm_client.post(page_of(campaign), none).status_code == 302
    assert {h.name for h in Hero.objects.all()} == {"Aria", "Bran", "Cleo"}


def test_a_hero_thrown_away_in_another_window_spoils_no_table(
    gm_client: Client, campaign: Campaign
) -> None:
    sent = table(campaign, bran_ac="18")
    aria = campaign.heroes.get(name="Aria")
    gm_client.post(f"/bin/hero/{aria.pk}/throw-away/")
    assert gm_client.post(page_of(campaign), {**sent, "form-1-ac": "x"}).status_code == 422
    assert gm_client.post(page_of(campaign), sent).status_code == 302
    assert campaign.heroes.get(name="Bran").ac == 18


def test_a_table_without_its_form_is_refused(gm_client: Client, campaign: Campaign) -> None:
    for sent in ({"x": "1"}, {"form-TOTAL_FORMS": "x"}, {"form-TOTAL_FORMS": "5"}):
        assert gm_client.post(page_of(campaign), sent).status_code == 422


# Encounters


def test_a_new_encounter_has_the_heroes_in(gm_client: Client, campaign: Campaign) -> None:
    answer = gm_client.post(f"{page_of(campaign)}encounters/")
    encounter = Encounter.objects.get()
    assert answer["Location"] == f"/e/{encounter.uuid}/?new"
    aria = fight_in(encounter).combatants[0]
    assert (aria.name, aria.max_hp, aria.hp, aria.is_hero) == ("Aria", 20, 20, True)
    assert press(gm_client, encounter, "undo").status_code == 200


def test_a_campaign_holds_five_hundred_encounters(
    gm_client: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert campaign_views.ENCOUNTER_LIMIT == 500
    monkeypatch.setattr(campaign_views, "ENCOUNTER_LIMIT", 2)
    for _ in range(2):
        gm_client.post(f"{page_of(campaign)}encounters/")
    answer = gm_client.post(f"{page_of(campaign)}encounters/")
    assert answer.status_code == 422
    assert "at most 2 encounters" in text_of(answer)
    assert gm_client.post("/quick-fight/").status_code == 422
    assert campaign.encounters.count() == 2


def test_more_heroes_than_a_fight_takes_make_no_broken_encounter(
    gm_client: Client, campaign: Campaign
) -> None:
    HeroFactory.create_batch(199, campaign=campaign)
    answer = gm_client.post(f"{page_of(campaign)}encounters/")
    assert answer.status_code in (302, 422)
    assert all(fight_in(encounter).combatants for encounter in Encounter.objects.all())


def test_an_encounter_is_renamed_and_a_name_too_long_stays_typed(
    gm_client: Client, running: Encounter
) -> None:
    address = f"/e/{running.uuid}/rename/"
    assert gm_client.get(address).status_code == 200
    answer = gm_client.post(address, {"name": "N" * 500})
    assert answer.status_code == 422
    assert f'value="{"N" * 500}"' in answer.content.decode()
    assert gm_client.post(address, {"name": "At the ford"})["Location"] == f"/e/{running.uuid}/"
    assert fresh(running).name == "At the ford"


@pytest.fixture
def _a_step_in_between(running: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another GM takes a turn between the reading of a row and its saving."""
    honest = ModelForm.is_valid

    def late(form: Any) -> bool:
        take(running, rules.NextTurn())
        return honest(form)

    monkeypatch.setattr(ModelForm, "is_valid", late)


@pytest.mark.usefixtures("_a_step_in_between")
def test_a_rename_does_not_take_back_a_turn_of_the_same_moment(
    gm_client: Client, running: Encounter
) -> None:
    gm_client.post(f"/e/{running.uuid}/rename/", {"name": "At the ford"})
    assert (fresh(running).name, fresh(running).version) == ("At the ford", 2)
    assert fight_in(running).current == 2


# Beside them


def test_the_share_panel_shows_the_players_link_and_its_code(
    gm_client: Client, campaign: Campaign
) -> None:
    page = gm_client.get(page_of(campaign)).content.decode()
    token = PlayerLink.objects.get(campaign=campaign).token
    assert f"http://127.0.0.1/j/{token}" in page
    assert "<svg" in page
    gm_client.get(page_of(campaign))
    assert PlayerLink.objects.filter(campaign=campaign).count() == 1


def test_the_theme_is_chosen_for_a_year_or_left_to_the_system(gm_client: Client) -> None:
    gm_client.post("/theme/", {"theme": "dark"})
    assert 'data-theme="dark"' in gm_client.get("/").content.decode()
    for other in ("system", "<b>", ""):
        gm_client.post("/theme/", {"theme": "dark"})
        gm_client.post("/theme/", {"theme": other})
        assert "data-theme" not in gm_client.get("/").content.decode()


@pytest.mark.parametrize("over_https", [True, False])
def test_behind_https_the_theme_goes_over_nothing_else(
    gm_client: Client, settings: Settings, *, over_https: bool
) -> None:
    settings.LANGUAGE_COOKIE_SECURE = over_https
    chosen = gm_client.post("/theme/", {"theme": "dark"})
    assert bool(chosen.cookies["qv_theme"]["secure"]) == over_https


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("chosen", ["", "light", "dark"])
def test_the_themes_button_says_what_is_seen_after_it(
    gm_client: Client, system: str, chosen: str
) -> None:
    gm_client.post("/theme/", {"theme": chosen})
    page = gm_client.get("/").text
    button = rf'by-{system}" name="theme" value="(\w+)">.*?<span class="long">(\w+)</span>'
    found = re.search(button, page)
    assert found is not None
    after = system if found[1] == "system" else found[1]
    assert after == found[2].lower()
    assert after != (chosen or system)


def test_a_row_of_the_heroes_saves_itself_and_says_what_it_refuses(
    gm_client: Client, campaign: Campaign
) -> None:
    aria = campaign.heroes.get(name="Aria")
    address = f"{page_of(campaign)}heroes/{aria.pk}/"
    row = {"prefix": "form-0", "form-0-name": "Aria", "form-0-dexterity": "16"}
    saved = gm_client.post(address, row)
    assert (saved.status_code, saved.json()["refused"]) == (200, {})
    assert saved.json()["shown"]["stealth_bonus"] == "+3"
    aria.refresh_from_db()
    assert aria.dexterity == 16
    refused = gm_client.post(address, row | {"form-0-ac": "fourteen", "form-0-dexterity": "3"})
    assert (refused.status_code, list(refused.json()["refused"])) == (422, ["ac"])
    aria.refresh_from_db()
    assert aria.dexterity == 16
    other = CampaignFactory.create()
    assert gm_client.post(f"{page_of(other)}heroes/{aria.pk}/", row).status_code == 404
