"""A hero's hit points between two fights, in the campaign's table of heroes."""

from typing import Any

import pytest
from django.test import Client

from encounters.models import Campaign, Hero
from tests.encounters.playing import page_of
from tests.factories import HeroFactory

pytestmark = pytest.mark.django_db


def rows(campaign: Campaign, **typed: Any) -> dict[str, Any]:
    """The table of one hero, as the page sends it."""
    [one] = campaign.heroes.all()
    facts = {"name": one.name, "hp": one.hp, "max_hp": one.max_hp, "id": one.pk, **typed}
    sent: dict[str, Any] = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1}
    return sent | {f"form-0-{n}": "" if value is None else value for n, value in facts.items()}


@pytest.fixture
def aria() -> Hero:
    one: Hero = HeroFactory.create(name="Aria", max_hp=20, hp=7)
    return one


def test_the_table_of_heroes_shows_hit_points_and_the_maximum_of_the_unhurt(
    gm_client: Client, aria: Hero
) -> None:
    HeroFactory.create(campaign=aria.campaign, max_hp=31)
    page = gm_client.get(page_of(aria.campaign)).content.decode()
    assert 'name="form-0-hp" value="7"' in page
    assert 'placeholder="31"' in page


@pytest.mark.parametrize(
    ("typed", "then"),
    [
        ({"hp": "12"}, 12),
        ({"hp": "0"}, 0),
        ({"hp": ""}, None),
        ({"hp": "20"}, None),
        ({"max_hp": "7"}, None),
    ],
)
def test_the_gm_edits_hit_points_there(
    typed: dict[str, str], then: int | None, gm_client: Client, aria: Hero
) -> None:
    assert gm_client.post(page_of(aria.campaign), rows(aria.campaign, **typed)).status_code == 302
    aria.refresh_from_db()
    assert aria.hp == then


@pytest.mark.parametrize("typed", [{"hp": "21"}, {"hp": "-1"}, {"hp": "x"}, {"max_hp": ""}])
def test_hit_points_that_cannot_be_say_why_once(
    typed: dict[str, str], gm_client: Client, aria: Hero
) -> None:
    answer = gm_client.post(page_of(aria.campaign), rows(aria.campaign, **typed))
    assert answer.status_code == 422
    assert answer.content.decode().count('class="refusal"') == 1
    aria.refresh_from_db()
    assert (aria.hp, aria.max_hp) == (7, 20)
