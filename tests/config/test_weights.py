"""What a first visit loads, in bytes as they go over the wire, keeps within its budget."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

import rules
from encounters.models import Encounter
from encounters.player_views import render_screen
from tests.encounters.playing import fresh, take
from tests.factories import (
    CampaignFactory,
    CreatureFactory,
    EncounterFactory,
    PlayerLinkFactory,
    blow,
    creature,
    fight_of,
    hero,
)

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "fr")
HEROES = ("Aria", "Bran", "Cleo", "Dain")


def ambush(goblins: int = 4) -> Encounter:
    """Four heroes, goblins whose turn it is, a hobgoblin and three wolves: twelve."""
    CreatureFactory.create(facts={"attacks": [blow(), blow("Shortbow", kind="ranged")]})
    foes = [creature("Goblin", creature="srd-5.1/goblin") for _ in range(goblins)]
    wolves = [creature("Wolf", max_hp=11) for _ in range(3)]
    party = [hero(name) for name in HEROES]
    fight = fight_of(*party, *foes, creature("Hobgoblin", max_hp=11), *wolves)
    campaign = CampaignFactory.create(name="The mill")
    encounter: Encounter = EncounterFactory.create(fight=fight, campaign=campaign)
    opened = take(encounter, rules.OpenFight()).fight
    goblins_act = {slot.number: 21 if slot.number == 5 else slot.number for slot in opened.slots}
    take(encounter, rules.StartFight(totals=goblins_act))
    return encounter


def loaded(client: Client, path: str, language: str) -> int:
    """Bytes of a page and of all that it fetches at once, compressed as they are sent."""
    headers = {"Accept-Encoding": "gzip", "Accept-Language": language}
    plain = client.get(path, headers={"Accept-Language": language}).content.decode()
    assert f'<html lang="{language}"' in plain
    at_once = re.sub(r"<link[^>]* (?:disabled|media=.print.)>", "", plain)
    files = set(re.findall(r'<(?:link|script)[^>]* (?:href|src)="/static/([^"]+)"', at_once))
    assert {Path(name).suffix for name in files} == {".css", ".js", ".svg"}
    sent = [Path(settings.STATIC_ROOT) / f"{name}.gz" for name in files]
    return len(client.get(path, headers=headers).content) + sum(p.stat().st_size for p in sent)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_of_12_combatants_is_50_kilobytes_at_most(gm_client: Client, language: str) -> None:
    assert loaded(gm_client, f"/e/{ambush().uuid}/", language) <= 50_000


@pytest.mark.parametrize("view", ["", "&view=tv", "&view=overlay"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_players_page_of_12_combatants_is_15_kilobytes_at_most(
    client: Client, language: str, view: str
) -> None:
    link = PlayerLinkFactory.create(campaign=ambush().campaign)
    assert loaded(client, f"/j/{link.token}?lang={language}{view}", language) <= 15_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_pushed_to_players_is_6_kilobytes_at_most(language: str) -> None:
    encounter = ambush(goblins=2)
    take(encounter, rules.AddEffect(1, rules.Effect("poisoned")))
    _revision, html = render_screen(fresh(encounter).campaign, language)
    assert html.count("<li") >= 5
    assert len(html.encode()) <= 6_000
