"""What "6 gob, Aria" adds to a fight, and the table that `start --demo` lays."""

import re
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

import rules
from bestiary.book import load_book
from encounters import adding, chance, demo, steps
from encounters.access import new_entry_path
from encounters.adding import newcomers
from encounters.models import Campaign, Encounter, Hero
from tests.encounters.playing import HTMX, fight_in, press_plainly, pressed, take
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


@pytest.fixture
def encounter() -> Encounter:
    """Nobody is there yet; the book knows goblins and ogres, the campaign Aria."""
    CreatureFactory.create()
    CreatureFactory.create(english="Ogre", french="Ogre", hp=59, hit_dice="7d10+21", initiative=-1)
    made: Encounter = EncounterFactory.create()
    HeroFactory.create(campaign=made.campaign, name="Aria", ac=17)
    return made


def added(encounter: Encounter, text: str, side: str = "", picked: str = "") -> list[str]:
    """Who enters, and on which side."""
    entering = newcomers(text, encounter, fight_of(), side=side, picked=picked)
    return [f"{c.name} of {c.side}" for c in entering]


def refusal(encounter: Encounter, text: str, picked: str = "") -> str:
    with pytest.raises(rules.RuleError) as refused:
        newcomers(text, encounter, fight_in(encounter), picked=picked)
    return refused.value.code


def test_a_quantity_and_a_creature_are_that_many_of_the_book(encounter: Encounter) -> None:
    assert added(encounter, "3 gob") == ["Goblin of foes"] * 3
    assert added(encounter, "gobelins x2, ogre") == ["Goblin of foes"] * 2 + ["Ogre of foes"]


def test_a_creature_brings_its_numbers(encounter: Encounter) -> None:
    [ogre] = newcomers("ogre", encounter, fight_of())
    assert (ogre.max_hp, ogre.hp, ogre.initiative_bonus) == (59, 59, -1)
    assert (ogre.creature, ogre.name_fr, ogre.is_hero) == ("srd-5.1/ogre", "Ogre", False)


def test_hit_points_are_rolled_for_each_when_asked(encounter: Encounter) -> None:
    before = chance.use(Random(1))
    rolled = newcomers("20 ogres", encounter, fight_of(), rolled_hp=True)
    chance.use(before)
    assert len({c.hp for c in rolled}) > 10
    assert all(c.hp == c.max_hp and 28 <= (c.hp or 0) <= 91 for c in rolled)


def test_a_known_hero_comes_as_the_campaign_has_it(encounter: Encounter) -> None:
    [aria] = newcomers("ARIA", encounter, fight_of())
    known = encounter.campaign.heroes.get()
    assert (aria.name, aria.ac, aria.hero, aria.is_hero) == ("Aria", 17, known.pk, True)


def test_a_known_hero_is_found_without_its_accents(encounter: Encounter) -> None:
    HeroFactory.create(campaign=encounter.campaign, name="Noé", ac=13)
    assert newcomers("noe", encounter, fight_of())[0].ac == 13


def test_a_hero_does_not_enter_twice(encounter: Encounter) -> None:
    take(encounter, rules.Join(newcomers("Aria", encounter, fight_of())))
    assert refusal(encounter, "Aria") == "already-there"
    entering = newcomers("2 gob, Aria, Zora, zora", encounter, fight_in(encounter))
    assert [c.name for c in entering] == ["Goblin", "Goblin", "Zora"]


def test_an_unknown_name_is_a_new_hero_without_numbers(encounter: Encounter) -> None:
    assert added(encounter, "Bran, Cleo") == ["Bran of heroes", "Cleo of heroes"]
    bran = encounter.campaign.heroes.get(name="Bran")
    assert (bran.ac, bran.max_hp) == (None, None)


def test_a_hero_of_another_campaign_or_in_the_bin_is_not_meant(encounter: Encounter) -> None:
    HeroFactory.create(name="Bran")
    [bran] = newcomers("Bran", encounter, fight_of())
    assert encounter.campaign.heroes.get(name="Bran").pk == bran.hero
    aria = encounter.campaign.heroes.get(name="Aria")
    aria.deleted = aria.campaign.created
    aria.save()
    [again] = newcomers("Aria", encounter, fight_of())
    assert again.hero != aria.pk


def test_the_side_can_be_chosen(encounter: Encounter) -> None:
    assert added(encounter, "2 gob, Aria", side="third") == [
        "Goblin of third",
        "Goblin of third",
        "Aria of third",
    ]


@pytest.mark.parametrize(
    ("monsters_hidden", "side", "hidden"),
    [(True, "foes", True), (True, "third", True), (True, "heroes", False), (False, "foes", False)],
)
def test_creatures_start_hidden_where_the_campaign_says_so(
    monsters_hidden: bool, side: str, hidden: bool, encounter: Encounter
) -> None:
    encounter.campaign.monsters_hidden = monsters_hidden
    [goblin] = newcomers("1 gob", encounter, fight_of(), side=side)
    assert goblin.hidden is hidden


def test_a_creature_picked_from_the_list_is_meant_by_the_last_name_alone(
    encounter: Encounter,
) -> None:
    """The list answers the name that is being typed, which is the last."""
    assert added(encounter, "2 o", picked="srd-5.1/goblin") == ["Goblin of foes"] * 2
    assert added(encounter, "Aria, 2 o", picked="srd-5.1/goblin") == [
        "Aria of heroes",
        "Goblin of foes",
        "Goblin of foes",
    ]


def test_what_adds_nobody_is_refused(encounter: Encounter) -> None:
    assert refusal(encounter, " , ") == "nobody-named"
    assert refusal(encounter, "\u200b") == "nobody-named"
    assert refusal(encounter, "A" * 81) == "name-too-long"
    for typed in ("-5 goblin", "0 goblin"):
        assert refusal(encounter, typed) == "quantity-out-of-range"
    assert refusal(encounter, f"{'9' * 20} goblin") == "too-many"
    assert refusal(encounter, "200 gob, Aria") == "too-many"
    assert refusal(encounter, "gob," * 201) == "too-many"


def test_two_hundred_are_the_most_with_those_already_there(encounter: Encounter) -> None:
    take(encounter, rules.Join(tuple(creature() for _ in range(198))))
    assert len(newcomers("2 gob", encounter, fight_in(encounter))) == 2
    assert refusal(encounter, "gob, gob, gob") == "too-many"


def test_the_creature_added_last_is_found_first(encounter: Encounter) -> None:
    CreatureFactory.create(english="Ogre Mage", french="Ogre mage", key="ogre-mage")
    assert added(encounter, "1 og") == ["Ogre of foes"]
    added(encounter, "1 ogre mage")
    assert added(encounter, "1 og") == ["Ogre Mage of foes"]


def test_suggestions_find_a_creature_in_either_language(
    gm_client: Client, running: Encounter
) -> None:
    CreatureFactory.create()
    for text in ("gob", "gobe", "6 gob", "Aria, 6 gob"):
        answer = gm_client.get(f"/e/{running.uuid}/creatures/", {"text": text}, headers=HTMX)
        assert 'value="srd-5.1/goblin"' in answer.content.decode()
    for text in ("", ",", "x" * 5_000, "x," * 900, "zzz", "\0", "%", "<b>"):
        answer = gm_client.get(f"/e/{running.uuid}/creatures/", {"text": text})
        assert answer.status_code == 200
        assert 'value="srd' not in answer.content.decode()
        assert "<b>" not in answer.content.decode()


# Beside its text


@pytest.mark.parametrize("begin", [lambda e: None, lambda e: take(e, rules.OpenFight())])
def test_somebody_is_added_who_arrives_later(begin: Any, gm_client: Client) -> None:
    CreatureFactory.create()
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria")))
    begin(encounter)
    page = gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    assert re.search(r'<input[^>]*name="arrives"[^>]*form="add"', page)
    pressed(gm_client, encounter, "join", text="goblin", arrives="3")
    assert (fight_in(encounter).combatant(2).arrives, fight_in(encounter).combatant(2).awaited) == (
        3, True,
    )  # fmt: skip


def test_a_round_that_is_none_is_refused_and_all_stays_typed(gm_client: Client) -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria")))
    sent = {"text": "goblin", "side": "allies", "arrives": "soon", "at": "add"}
    answer = press_plainly(gm_client, encounter, "join", **sent)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert re.search(r'name="arrives"[^>]*value="soon"', page)
    assert '<option value="allies" selected>Allies' in page


def test_a_lair_is_added_by_its_own_button_and_enter_adds_by_name(gm_client: Client) -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria")))
    page = gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    form = re.search(r'<form id="add".*?</form>', page, re.DOTALL)
    assert form
    assert form[0].count("<button") == 1
    assert f'action="/e/{encounter.uuid}/add-lair/"' in page
    pressed(gm_client, encounter, "add-lair")
    assert fight_in(encounter).combatant(2).is_lair


@pytest.mark.parametrize(
    "commands", [(), (rules.OpenFight(),), (rules.OpenFight(), rules.StartFight(totals={1: 9}))]
)
def test_the_2024_rules_have_no_lair_actions_and_no_lair_is_offered(
    gm_client: Client, commands: tuple[rules.Command, ...]
) -> None:
    campaign = CampaignFactory.create(edition="2024")
    encounter = EncounterFactory.create(campaign=campaign, fight=fight_of(hero("Aria")))
    for command in commands:
        take(encounter, command)
    page = gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    assert 'id="add-arrives"' in page
    assert "add-lair" not in page


# The demonstration


def test_the_demonstration_is_a_fight_ready_to_begin() -> None:
    load_book()
    assert demo.make_demo()
    encounter = Encounter.objects.get()
    fight = fight_in(encounter)
    assert {c.side for c in fight.combatants} == {"heroes", "foes"}
    assert all(c.hidden for c in fight.combatants if not c.is_hero)
    opened = take(encounter, rules.OpenFight()).fight
    dice = dict.fromkeys(rules.unrolled(opened), 10)
    assert take(encounter, rules.StartFight(dice)).fight.state == "running"
    assert encounter.campaign.heroes.count() == 4


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_demonstration_speaks_the_readers_language(language: str) -> None:
    load_book()
    with translation.override(language):
        demo.make_demo()
    said = f"{Campaign.objects.get()} {Encounter.objects.get()}"
    assert ("Ambush" in said) is (language == "en")


def test_the_demonstration_is_read_in_the_language_of_the_browser_that_comes_in() -> None:
    load_book()
    with translation.override("fr"):
        demo.make_demo()
    named = EncounterFactory.create(campaign=Campaign.objects.get(), name="Chez Lia")
    Client(SERVER_NAME="127.0.0.1", headers={"Accept-Language": "en"}).post(new_entry_path())
    names = set(Encounter.objects.values_list("name", flat=True))
    assert Campaign.objects.get().name == "The Road to Greyford"
    assert names == {"Ambush at the mill", named.name}


def test_the_demonstration_leaves_a_table_that_is_in_use_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    CampaignFactory.create()
    assert not demo.make_demo()
    assert not Encounter.objects.exists()


def test_a_demonstration_that_breaks_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load_book()

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(steps, "take_step", broken)
    with pytest.raises(ZeroDivisionError):
        demo.make_demo()
    assert not Campaign.objects.exists()
    assert not Hero.objects.exists()


def test_a_hero_enters_unhurt_and_in_sight() -> None:
    made = adding.from_hero(HeroFactory.create(max_hp=None), "third")
    assert (made.hp, made.hidden, made.side, made.is_hero) == (None, False, "third", True)


def test_a_hero_left_at_0_hit_points_enters_stable_and_prone() -> None:
    hero = HeroFactory.create(max_hp=20, hp=0)
    lies = adding.from_hero(hero)
    assert (lies.hp, lies.stable, lies.dying, lies.has("prone")) == (0, True, False, True)
