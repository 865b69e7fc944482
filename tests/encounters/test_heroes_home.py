"""A hero's numbers have one home, the campaign's, and a fight that has not begun shows them."""

import html
import re
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import rules
from encounters import adding, steps
from encounters.models import Campaign, Encounter, Hero
from tests.encounters.playing import fight_in, fresh, page_of, press, take
from tests.factories import CampaignFactory, EncounterFactory, HeroFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Campaign:
    campaign = CampaignFactory.create()
    facts = {"ac": 14, "max_hp": 20, "level": 3, "dexterity": 16, "passive_perception": 12}
    HeroFactory.create(campaign=campaign, name="Aria", initiative_bonus=None, **facts)
    return campaign


def prepared(campaign: Campaign) -> Encounter:
    encounter = EncounterFactory.create(campaign=campaign)
    take(encounter, rules.Join(tuple(adding.from_hero(one) for one in campaign.heroes.all())))
    return encounter


def aria(encounter: Encounter) -> rules.Combatant:
    return fight_in(encounter).combatant(1)


def kept(campaign: Campaign) -> Hero:
    return campaign.heroes.get(name="Aria")


def in_campaign(campaign: Campaign, **facts: Any) -> None:
    campaign.heroes.filter(name="Aria").update(**facts)


def undo(encounter: Encounter) -> steps.Taken:
    return steps.undo_step(encounter.uuid, uuid4(), fresh(encounter).version)


def redo(encounter: Encounter) -> steps.Taken:
    return steps.redo_step(encounter.uuid, uuid4(), fresh(encounter).version)


def begin(encounter: Encounter) -> None:
    take(encounter, rules.StartFight(totals={1: 12}))


def test_what_is_changed_in_the_campaign_a_fight_in_preparation_shows(table: Campaign) -> None:
    encounter = prepared(table)
    in_campaign(table, ac=17, max_hp=31, level=4, saves={"dex": 5}, cannot_be_surprised=True)
    shown = aria(encounter)
    assert (shown.ac, shown.max_hp, shown.hp, shown.hero_level) == (17, 31, 31, 4)
    assert (shown.saves, shown.cannot_be_surprised) == ({"dex": 5}, True)
    in_campaign(table, hp=0)
    assert aria(encounter).stable
    assert aria(encounter).has("prone")
    in_campaign(table, hp=9)
    assert (aria(encounter).hp, aria(encounter).stable) == (9, False)
    assert not aria(encounter).has("prone")


def test_what_is_changed_in_preparation_the_campaign_and_its_other_fights_have(
    table: Campaign,
) -> None:
    encounter, other = prepared(table), prepared(table)
    fire = rules.Defence("resistance", "fire")
    changes = {"ac": 18, "hero_level": 5, "initiative_roll": "advantage", "dexterity": 18}
    changes |= {"cannot_be_surprised": True, "saves": {"con": 4}, "defences": (fire,), "hp": 11}
    take(encounter, rules.Edit(1, changes))
    hero = kept(table)
    assert (hero.ac, hero.level, hero.dexterity, hero.hp) == (18, 5, 18, 11)
    assert (hero.initiative_roll, hero.cannot_be_surprised) == ("advantage", True)
    assert aria(other) == aria(encounter)
    assert adding.from_hero(hero).defences == (fire,)


def test_a_running_fight_keeps_what_it_began_with_and_changes_nothing_in_the_campaign(
    table: Campaign,
) -> None:
    encounter = prepared(table)
    in_campaign(table, ac=16)
    begin(encounter)
    in_campaign(table, ac=19)
    assert aria(encounter).ac == 16
    take(encounter, rules.Edit(1, {"ac": 11}))
    take(encounter, rules.Damage(1, 5))
    assert (kept(table).ac, kept(table).hp) == (19, None)
    assert aria(encounter).ac == 11


def test_undo_and_redo_change_the_campaign_too(table: Campaign) -> None:
    encounter = prepared(table)
    take(encounter, rules.Edit(1, {"ac": 18}))
    assert undo(encounter).kept == ()
    assert (kept(table).ac, aria(encounter).ac) == (14, 14)
    redo(encounter)
    assert (kept(table).ac, aria(encounter).ac) == (18, 18)


def test_undo_leaves_what_the_campaign_has_changed_since_and_says_so(
    table: Campaign, gm_client: Client
) -> None:
    encounter = prepared(table)
    take(encounter, rules.Edit(1, {"ac": 18, "speed": 40}))
    in_campaign(table, ac=17)
    posted = {"key": str(uuid4()), "seen": fresh(encounter).version}
    answer = gm_client.post(f"/e/{encounter.uuid}/undo/", posted, headers={"HX-Request": "true"})
    assert "Not undone, because the campaign has changed it since: Aria." in answer.text
    assert (kept(table).ac, kept(table).speed) == (17, 30)
    assert (aria(encounter).ac, aria(encounter).speed) == (17, 30)


def typed(encounter: Encounter, text: str) -> None:
    take(encounter, rules.Join(adding.newcomers(text, encounter, fight_in(encounter))))


def test_undo_takes_back_the_figures_typed_with_a_known_hero_and_redo_brings_them(
    table: Campaign,
) -> None:
    encounter = EncounterFactory.create(campaign=table)
    typed(encounter, "Aria hp 30 init +7")
    for _ in range(2):
        assert (kept(table).max_hp, kept(table).initiative_bonus) == (30, 7)
        undo(encounter)
        assert (kept(table).max_hp, kept(table).initiative_bonus) == (20, None)
        redo(encounter)
        assert (aria(encounter).max_hp, aria(encounter).hp) == (30, 30)


def test_undo_of_typed_figures_leaves_what_the_campaign_has_changed_since_and_says_so(
    table: Campaign, gm_client: Client
) -> None:
    encounter = EncounterFactory.create(campaign=table)
    typed(encounter, "Aria hp 30 ac 17")
    in_campaign(table, ac=18)
    answer = press(gm_client, encounter, "undo")
    assert "Not undone, because the campaign has changed it since: Aria." in answer.text
    assert (kept(table).ac, kept(table).max_hp) == (18, 20)


def test_going_back_before_a_hero_came_takes_back_all_that_was_changed_in_the_fight(
    table: Campaign,
) -> None:
    encounter = EncounterFactory.create(campaign=table)
    take(encounter, rules.Join((rules.Combatant(0, "Wolf", "foes"),)))
    start = fresh(encounter).version
    typed(encounter, "Aria hp 30")
    take(encounter, rules.Edit(2, {"max_hp": 40, "ac": 19}))
    steps.go_back(encounter.uuid, uuid4(), fresh(encounter).version, start)
    assert (kept(table).max_hp, kept(table).ac) == (20, 14)
    undo(encounter)
    assert (kept(table).max_hp, kept(table).ac) == (40, 19)
    assert fight_in(encounter).combatant(2).max_hp == 40


def test_going_back_over_the_beginning_takes_back_what_was_changed_before_it(
    table: Campaign,
) -> None:
    encounter = prepared(table)
    joined = fresh(encounter).version
    take(encounter, rules.Edit(1, {"ac": 18}))
    begin(encounter)
    steps.go_back(encounter.uuid, uuid4(), fresh(encounter).version, joined)
    assert (kept(table).ac, aria(encounter).ac) == (14, 14)


def test_the_edit_page_of_a_hero_has_the_level_and_the_campaign_gets_it(
    table: Campaign, gm_client: Client
) -> None:
    encounter = prepared(table)
    page = gm_client.get(f"/e/{encounter.uuid}/combatant/1/").text
    assert 'name="hero_level" value="3"' in page
    assert 'placeholder="+3"' in page
    facts = {"name": "Aria", "side": "heroes", "initiative_roll": "auto", "hero_level": "7"}
    posted = {"key": str(uuid4()), "seen": fresh(encounter).version, "target": "1"}
    gm_client.post(f"/e/{encounter.uuid}/edit/", posted | facts)
    assert kept(table).level == 7
    assert 'value="7"' in gm_client.get(page_of(table)).text


def as_rendered(page: str) -> dict[str, str]:
    """The fields of an edit page as a browser sends them where nothing has been typed."""
    made = re.findall(r'<input type="hidden" name="initial-(\w+)"(?: value="([^"]*)")?', page)
    was = {name: html.unescape(value) for name, value in made}
    there = {name: value for name, value in was.items() if value != "False"}
    return there | {f"initial-{name}": value for name, value in was.items()}


def test_an_open_edit_page_saves_what_was_changed_on_it_and_nothing_else(
    table: Campaign, gm_client: Client
) -> None:
    encounter = prepared(table)
    sent = as_rendered(gm_client.get(f"/e/{encounter.uuid}/combatant/1/").text)
    in_campaign(table, ac=19, saves={"dex": 4}, speed=35, max_hp=40)
    sent |= {"key": str(uuid4()), "seen": str(fresh(encounter).version), "target": "1"}
    gm_client.post(f"/e/{encounter.uuid}/edit/", sent | {"passive_perception": "17", "notes": "x"})
    hero = kept(table)
    assert (hero.passive_perception, aria(encounter).notes) == (17, "x")
    assert (hero.ac, hero.saves, hero.speed, hero.max_hp) == (19, {"dex": 4}, 35, 40)


def test_a_field_that_is_emptied_on_the_edit_page_is_empty_also_after_a_refusal(
    table: Campaign, gm_client: Client
) -> None:
    encounter = prepared(table)
    sent = as_rendered(gm_client.get(f"/e/{encounter.uuid}/combatant/1/").text)
    sent |= {"key": str(uuid4()), "seen": str(fresh(encounter).version), "target": "1"}
    sent |= {"at": "edit", "ac": "", "hp": "many", "immune": "prone"}
    refused = gm_client.post(f"/e/{encounter.uuid}/edit/", sent)
    assert refused.status_code == 422
    made = {n: v for n, v in as_rendered(refused.text).items() if n.startswith("initial-")}
    gm_client.post(f"/e/{encounter.uuid}/edit/", sent | made | {"hp": "20", "key": str(uuid4())})
    assert aria(encounter).ac is None
    assert [d.type for d in aria(encounter).defences] == ["prone"]


def test_a_duplicate_shows_the_campaigns_numbers_and_leaves_them(
    table: Campaign, gm_client: Client
) -> None:
    encounter = prepared(table)
    begin(encounter)
    in_campaign(table, ac=19)
    gm_client.post(f"/e/{encounter.uuid}/duplicate/")
    copy = Encounter.objects.exclude(pk=encounter.pk).get()
    assert (aria(copy).ac, kept(table).ac) == (19, 19)


def test_a_running_fight_asks_for_no_hero(table: Campaign) -> None:
    encounter = prepared(table)
    begin(encounter)
    with CaptureQueriesContext(connection) as queries:
        take(encounter, rules.NextTurn())
        fight_in(encounter)
    assert not any("encounters_hero" in query["sql"] for query in queries)
