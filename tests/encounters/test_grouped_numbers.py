"""Numbers of four digits or more are grouped as the reader's language does, on every page."""

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import translation

import rules
from encounters.labels import minus
from encounters.models import Encounter
from tests.encounters.playing import pressed, take
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

LANGUAGES = [("en", ","), ("fr", "\N{NARROW NO-BREAK SPACE}")]
ARIA, DRAGON = 1, 2


@pytest.fixture
def lair() -> Encounter:
    """Aria has hit a dragon in sight for 1,234 of 12,000; players see exact numbers."""
    dragon = creature("Dragon", max_hp=12_000, hidden=False)
    encounter: Encounter = EncounterFactory.create(fight=fight_of(hero("Aria"), dragon))
    encounter.campaign.hp_foes = "exact"
    encounter.campaign.save()
    take(encounter, rules.StartFight(totals={ARIA: 20, DRAGON: 10}))
    take(encounter, rules.Damage(DRAGON, 1_234, type="fire", by=ARIA))
    take(encounter, rules.GiveTemporary(DRAGON, 1_500))
    return encounter


@pytest.mark.parametrize(("language", "mark"), LANGUAGES)
def test_hit_points_and_damage_are_grouped_on_all_pages_and_in_the_log(
    language: str, mark: str, gm_client: Client, client: Client, lair: Encounter
) -> None:
    spoken = {"Accept-Language": language}
    token = PlayerLinkFactory.create(campaign=lair.campaign).token
    board = f"/e/{lair.uuid}/"
    for page in (gm_client.get(board, headers=spoken), client.get(f"/j/{token}", headers=spoken)):
        shown = re.sub(r"<[^>]+>|[ \n]", "", unescape(page.content.decode()))
        assert f"10{mark}766/12{mark}000" in shown
        assert f"+1{mark}500" in shown
    for copy in ("log/", "log.txt", "log.md"):
        told = unescape(gm_client.get(f"{board}{copy}", headers=spoken).content.decode())
        assert f"1{mark}234 " in told or f"1{mark}234\N{NO-BREAK SPACE}" in told
        assert f"1{mark}500" in told
    pressed(gm_client, lair, "end-fight")
    summary = unescape(gm_client.get(f"{board}summary/", headers=spoken).content.decode())
    assert f"<b>1{mark}234</b>" in summary


def test_fields_hold_numbers_as_they_are_typed(gm_client: Client, lair: Encounter) -> None:
    page = gm_client.get(f"/e/{lair.uuid}/combatant/{DRAGON}/").text
    assert 'name="max_hp" value="12000"' in page


def test_small_and_negative_numbers_are_grouped_as_large_ones() -> None:
    assert [minus(n) for n in (999, -4, 1_000, -9_999)] == ["999", "−4", "1,000", "−9,999"]
    with translation.override("fr"):
        assert minus(-9_999) == "−9\N{NARROW NO-BREAK SPACE}999"
