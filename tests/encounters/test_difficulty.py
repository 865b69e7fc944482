"""The difficulty meter of the preparation page."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

import rules
from encounters.models import Campaign, Encounter
from encounters.screens import difficulty, gm_board
from encounters.screens.difficulty import Meter
from tests.encounters.playing import fight_in, fresh, press, text_of
from tests.factories import (
    CampaignFactory,
    CreatureFactory,
    EncounterFactory,
    HeroFactory,
    creature,
    fight_of,
    hero,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _unread_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a book of its own."""
    monkeypatch.setattr(difficulty, "_known_xp", {})


def campaign_of(*levels: int | None, edition: str = "2014") -> Campaign:
    """A campaign with so many heroes of these levels: Aria, Bran, Cleo …"""
    campaign: Campaign = CampaignFactory.create(edition=edition)
    for name, level in zip(("Aria", "Bran", "Cleo", "Dain"), levels, strict=False):
        HeroFactory.create(campaign=campaign, name=name, level=level)
    return campaign


def prepared(campaign: Campaign, *others: rules.Combatant) -> Encounter:
    """A fight in preparation of all the campaign's heroes and these."""
    party = [hero(one.name, hero=one.pk) for one in campaign.heroes.all()]
    fight = fight_of(*party, *others, edition=campaign.edition)
    encounter: Encounter = EncounterFactory.create(campaign=campaign, fight=fight)
    return encounter


def goblins(quantity: int, **facts: Any) -> list[rules.Combatant]:
    """Goblins of the book, worth 50 XP each."""
    CreatureFactory.create()
    return [creature(creature="srd-5.1/goblin", **facts) for _ in range(quantity)]


def meter_of(encounter: Encounter) -> Meter:
    shown = gm_board(fresh(encounter), fight_in(encounter)).difficulty
    assert shown is not None
    return shown


def here(meter: Meter) -> list[str]:
    return [band.word for band in meter.bands if band.here]


def test_the_meter_tells_the_word_the_xp_and_the_thresholds_of_2014() -> None:
    meter = meter_of(prepared(campaign_of(1, 1, 1, 1), *goblins(2)))
    assert (meter.verdict, here(meter)) == ("easy", ["easy"])
    assert meter.reckoning == ("4 heroes", "2 creatures", "100 XP × 1.5 = 150 XP")
    assert [(band.word, band.limit) for band in meter.bands] == [
        ("trivial", ""),
        ("easy", "≥ 100"),
        ("medium", "≥ 200"),
        ("hard", "≥ 300"),
        ("deadly", "≥ 400"),
    ]
    assert [band.percent for band in meter.bands] == [100, 50, 0, 0, 0]


def test_the_meter_tells_the_word_the_xp_and_the_budgets_of_2024() -> None:
    meter = meter_of(prepared(campaign_of(1, 1, 1, 1, edition="2024"), *goblins(5)))
    assert (meter.verdict, here(meter)) == ("moderate", ["moderate"])
    assert meter.reckoning == ("4 heroes", "5 creatures", "250 XP")
    assert [(band.word, band.limit) for band in meter.bands] == [
        ("low", "≤ 200"),
        ("moderate", "≤ 300"),
        ("high", "≤ 400"),
        ("beyond high", ""),
    ]
    assert [band.percent for band in meter.bands] == [100, 50, 0, 0]


def test_the_edition_is_the_fights_own_where_it_has_one() -> None:
    encounter = prepared(campaign_of(1, 1, 1, 1), *goblins(5))
    assert meter_of(encounter).verdict == "deadly"
    encounter.overrides = {"edition": "2024"}
    encounter.save()
    assert meter_of(encounter).verdict == "moderate"


def test_the_meter_follows_as_creatures_are_added(gm_client: Client) -> None:
    goblins(0)
    encounter = prepared(campaign_of(1, 1, 1, 1))
    first = text_of(gm_client.get(f"/e/{encounter.uuid}/"))
    assert "Difficulty no enemy yet" in first
    assert "Difficulty easy 4 heroes 2 creatures" in text_of(
        press(gm_client, encounter, "join", text="2 goblin")
    )
    assert "Difficulty deadly 4 heroes 6 creatures 300 XP × 2 = 600 XP" in text_of(
        press(gm_client, encounter, "join", text="4 goblin")
    )


def test_a_hero_without_a_level_is_named_and_not_counted() -> None:
    meter = meter_of(prepared(campaign_of(1, 1, None), *goblins(1)))
    assert meter.unknown == ("Level of Cleo unknown: not counted",)
    assert meter.reckoning[0] == "2 heroes"
    assert meter.bands[1].limit == "≥ 50"


def test_where_no_level_is_known_the_difficulty_is_not_either() -> None:
    meter = meter_of(prepared(campaign_of(None, None), *goblins(3)))
    assert (meter.code, meter.verdict, meter.bands) == ("", "unknown", ())
    assert meter.reckoning == ("3 creatures", "150 XP")
    assert meter.unknown == ("Level of Aria and Bran unknown: not counted",)


def test_a_hero_who_is_no_row_of_the_campaign_has_no_known_level() -> None:
    meter = meter_of(EncounterFactory.create(fight=fight_of(hero("Lia"), *goblins(1))))
    assert (meter.verdict, meter.unknown) == ("unknown", ("Level of Lia unknown: not counted",))


def test_creatures_that_are_not_in_the_book_are_named_and_not_counted() -> None:
    others = creature("Shade"), creature("Wisp", creature="own/wisp"), creature("Shade")
    meter = meter_of(prepared(campaign_of(1, 1, 1), *goblins(1), *others))
    assert meter.unknown == ("XP of Shade ×2 + Wisp unknown: not counted",)
    assert meter.reckoning == ("3 heroes", "1 creature", "50 XP")


def test_where_no_creatures_worth_is_known_the_difficulty_is_not_either() -> None:
    meter = meter_of(prepared(campaign_of(1, 1, 1), creature("Shade")))
    assert (meter.verdict, meter.reckoning, here(meter)) == ("unknown", (), [])


def test_creatures_without_heroes_have_their_xp_and_no_difficulty() -> None:
    meter = meter_of(prepared(campaign_of(), *goblins(2)))
    assert (meter.verdict, meter.bands) == ("no hero yet", ())
    assert meter.reckoning == ("2 creatures", "100 XP")


def test_allied_creatures_are_left_out() -> None:
    meter = meter_of(prepared(campaign_of(1, 1, 1), *goblins(2, side="allies"), *goblins(1)))
    assert meter.reckoning == ("3 heroes", "1 creature", "50 XP")


def test_a_creature_worth_nothing_leaves_the_fight_trivial() -> None:
    frog = CreatureFactory.create(english="Frog", cr="0", cr_value=0, xp=0)
    meter = meter_of(prepared(campaign_of(1, 1, 1), creature("Frog", creature=frog.code)))
    assert (meter.verdict, meter.reckoning[2]) == ("trivial", "0 XP")
    assert [band.percent > 0 for band in meter.bands] == [True, False, False, False, False]


def test_the_same_key_in_two_books_is_two_creatures() -> None:
    CreatureFactory.create(source="srd-5.2", edition="2024", xp=100)
    newer = creature(creature="srd-5.2/goblin")
    meter = meter_of(prepared(campaign_of(1, 1, 1), *goblins(1), newer))
    assert meter.reckoning[2] == "150 XP × 1.5 = 225 XP"


def test_large_numbers_are_grouped_as_the_language_does() -> None:
    dragon = CreatureFactory.create(english="Dragon", xp=18_000)
    horde = [creature("Dragon", creature=dragon.code)] * 2
    encounter = prepared(campaign_of(1, 1, 1), *horde)
    assert meter_of(encounter).reckoning[2] == "36,000 XP × 1.5 = 54,000 XP"
    with translation.override("fr"):
        assert "36\u202f000" in meter_of(encounter).reckoning[2]
        assert "1,5" in meter_of(encounter).reckoning[2]


def test_the_meter_costs_one_query_at_most_and_the_book_is_read_once() -> None:
    ogre = CreatureFactory.create(english="Ogre", xp=450)
    crowd = [*goblins(30), creature("Ogre", creature=ogre.code)]
    encounter = prepared(campaign_of(1, 2, 3, 4), *crowd)
    fight = fight_in(encounter)
    with CaptureQueriesContext(connection) as first:
        difficulty.meter(fight)
    with CaptureQueriesContext(connection) as second:
        difficulty.meter(fight)
    assert (len(first), len(second)) == (1, 0)


@pytest.mark.parametrize("command", [rules.OpenFight(), rules.StartFight(accept_empty=True)])
def test_once_the_fight_is_opened_there_is_no_meter(command: rules.Command) -> None:
    campaign = campaign_of(1, 1)
    fight = fight_of(*(hero(one.name, hero=one.pk) for one in campaign.heroes.all()), *goblins(1))
    opened = rules.OpenFight().run(fight).fight
    after = command.run(opened if isinstance(command, rules.StartFight) else fight).fight
    encounter = EncounterFactory.create(campaign=campaign, fight=after)
    with CaptureQueriesContext(connection) as asked:
        board = gm_board(encounter, after)
    assert board.difficulty is None
    assert not any("hero" in query["sql"] for query in asked.captured_queries)


def test_before_anybody_is_there_no_meter_is_shown(gm_client: Client) -> None:
    encounter = EncounterFactory.create()
    assert "Difficulty" not in text_of(gm_client.get(f"/e/{encounter.uuid}/"))
