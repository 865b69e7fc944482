"""A campaign has at most 200 heroes, however they are made; who makes more is told so."""

import pytest
from django.test import Client

from encounters.models import Campaign, Encounter, Hero
from tests.encounters.playing import fight_in, press, pressed, text_of
from tests.factories import CampaignFactory, EncounterFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def nearly_full() -> Campaign:
    """A campaign of 198 heroes."""
    campaign: Campaign = CampaignFactory.create()
    Hero.objects.bulk_create(Hero(campaign=campaign, name=f"Hero {i}") for i in range(198))
    return campaign


def test_the_campaigns_page_takes_names_as_long_as_there_is_room(
    nearly_full: Campaign, gm_client: Client
) -> None:
    address = f"/c/{nearly_full.uuid}/heroes/"
    answer = gm_client.post(address, {"names": "Aria, Bran, Cleo"})
    assert answer.status_code == 422
    assert "A campaign has at most 200 heroes." in text_of(answer)
    assert 'value="Aria, Bran, Cleo"' in answer.content.decode()
    assert nearly_full.heroes.count() == 198
    assert gm_client.post(address, {"names": "Aria, Bran"}).status_code == 302
    assert nearly_full.heroes.count() == 200


def test_so_does_the_add_field_and_all_or_nobody_is_new(
    nearly_full: Campaign, gm_client: Client
) -> None:
    encounter: Encounter = EncounterFactory.create(campaign=nearly_full)
    for language, said in (("en", "at most 200 heroes"), ("fr", "au plus 200 héros")):
        gm_client.cookies["qv_language"] = language
        answer = press(gm_client, encounter, "join", text="Aria, Bran, Cleo", side="heroes")
        assert answer.status_code == 422
        assert said in text_of(answer)
    assert (nearly_full.heroes.count(), fight_in(encounter).combatants) == (198, ())
    pressed(gm_client, encounter, "join", text="Aria, Bran", side="heroes")
    assert nearly_full.heroes.count() == 200


def test_who_lies_in_the_bin_takes_no_room(nearly_full: Campaign, gm_client: Client) -> None:
    gm_client.post(f"/bin/hero/{nearly_full.heroes.first().pk}/throw-away/")  # type: ignore[union-attr]
    address = f"/c/{nearly_full.uuid}/heroes/"
    assert gm_client.post(address, {"names": "Aria, Bran, Cleo"}).status_code == 302
