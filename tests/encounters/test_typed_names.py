"""What a typed name becomes: a creature of this edition, a hero, or somebody new; never unseen."""

import re
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import rules
from bestiary.models import Creature
from encounters.bin_views import empty_old_bin
from encounters.models import Encounter, Hero
from tests.encounters.playing import (
    HTMX,
    fight_in,
    press,
    press_plainly,
    pressed,
    redo,
    take,
    text_of,
    undo,
)
from tests.factories import CampaignFactory, CreatureFactory, EncounterFactory, HeroFactory
from tests.sizes import FULL

pytestmark = pytest.mark.django_db


@pytest.fixture
def encounter() -> Encounter:
    """The campaign has Aria and Elan; both books know goblins, one of them elks."""
    CreatureFactory.create()
    CreatureFactory.create(source="srd-5.2", edition="2024", hp=10, ac=15, cr="1/4")
    CreatureFactory.create(english="Elk", french="Élan", search_fr="\nelan")
    CreatureFactory.create(english="Ancient Red Dragon", french="Dragon rouge, vénérable")
    CreatureFactory.create(english="Wolf", french="Loup")
    made: Encounter = EncounterFactory.create()
    for name in ("Aria", "Elan"):
        HeroFactory.create(campaign=made.campaign, name=name)
    return made


def lines(client: Client, encounter: Encounter, text: str, side: str = "") -> list[str]:
    """The list under the field, the first line being the one that is marked."""
    sent = {"text": text, "side": side}
    page = client.get(f"/e/{encounter.uuid}/creatures/", sent, headers=HTMX).content.decode()
    found = re.findall(r"<button[^>]*>.*?</button>", page, re.DOTALL)
    assert [("enter" in line.split(">")[0]) for line in found] == [
        i == 0 for i in range(len(found))
    ]
    titles = [re.search(r"<bdi>(.*?)</bdi>", line) for line in found]
    return [title[1].replace("&#x27;", "'") for title in titles if title]


def added(client: Client, encounter: Encounter, text: str, **sent: Any) -> list[rules.Combatant]:
    """Those who have come by typing this and pressing Enter, or a line of the list."""
    there = {c.number for c in fight_in(encounter).combatants}
    answer = press_plainly(client, encounter, "join", text=text, **sent)
    assert answer.status_code == 302, text_of(answer)
    return [c for c in fight_in(encounter).combatants if c.number not in there]


# The edition


@pytest.mark.parametrize(("edition", "hp"), [("2014", 7), ("2024", 10)])
@pytest.mark.parametrize("typed", ["2 gobelin", "2 gob", "2 goblins", "goblin"])
def test_creatures_are_those_of_the_fights_edition(
    typed: str, edition: str, hp: int, encounter: Encounter, gm_client: Client
) -> None:
    encounter.campaign.edition = edition
    encounter.campaign.save()
    assert {c.hp for c in added(gm_client, encounter, typed)} == {hp}
    page = gm_client.get(f"/e/{encounter.uuid}/creatures/", {"text": typed}).content.decode()
    assert re.findall(r"· (20\d\d)<", page)[:2] == [
        edition,
        {"2014": "2024", "2024": "2014"}[edition],
    ]


def test_a_fight_that_plays_another_edition_than_its_campaign_has_its_creatures(
    encounter: Encounter, gm_client: Client
) -> None:
    pressed(gm_client, encounter, "change-settings", edition="2024")
    assert [c.creature for c in added(gm_client, encounter, "gob")] == ["srd-5.2/goblin"]


# Who is a hero


def test_a_name_typed_for_the_foes_is_a_creature_of_the_game_masters_own(
    encounter: Encounter, gm_client: Client
) -> None:
    [baron] = added(gm_client, encounter, "Baron Noir", side="foes")
    assert (baron.name, baron.is_hero, baron.hero, baron.hidden) == (
        "Baron Noir",
        False,
        None,
        True,
    )
    own = Creature.objects.get(source="own")
    assert (own.name, own.campaign, baron.creature) == (
        "Baron Noir",
        encounter.campaign.pk,
        own.code,
    )
    assert Hero.objects.count() == 2


def test_figures_typed_with_the_name_are_its_own_the_next_time_too(
    encounter: Encounter, gm_client: Client
) -> None:
    for typed in ("baron noir pv 60 ca 17 init +2", "1 baron noir"):
        [baron] = added(gm_client, encounter, typed, side="foes")
        assert (baron.hp, baron.max_hp, baron.ac, baron.initiative_bonus) == (60, 60, 17, 2)
    assert Creature.objects.filter(source="own").count() == 1


def test_figures_typed_with_a_creature_of_the_book_are_for_this_fight(
    encounter: Encounter, gm_client: Client
) -> None:
    assert [c.hp for c in added(gm_client, encounter, "2 goblins hp 12")] == [12, 12]
    assert [c.hp for c in added(gm_client, encounter, "goblin")] == [7]


def test_several_of_ones_own_are_a_group_with_one_die(
    encounter: Encounter, gm_client: Client
) -> None:
    assert len(added(gm_client, encounter, "3 brigands de la Griffe")) == 3
    fight = take(encounter, rules.OpenFight()).fight
    assert len(fight.slots) == 1
    assert rules.unrolled(fight) == (1,)


def test_ones_own_are_offered_first_in_the_campaign_that_they_came_from(
    encounter: Encounter, gm_client: Client
) -> None:
    added(gm_client, encounter, "Gobbo", side="foes")
    assert lines(gm_client, encounter, "gob")[:2] == ["Gobbo", "Goblin"]
    elsewhere = EncounterFactory.create()
    assert lines(gm_client, elsewhere, "gob")[0] == "Goblin"


def test_enter_never_takes_ones_own_of_another_campaign(
    encounter: Encounter, gm_client: Client
) -> None:
    added(gm_client, EncounterFactory.create(), "Dain hp 9", side="foes")
    offered = ["New hero “dain”", "New creature “dain”", "Dain"]
    assert lines(gm_client, encounter, "dain") == offered
    assert [c.is_hero for c in added(gm_client, encounter, "Dain, Faye")] == [True, True]


def test_heroes_who_are_there_already_stand_in_nobodys_way(
    encounter: Encounter, gm_client: Client
) -> None:
    added(gm_client, encounter, "Elan")
    assert lines(gm_client, encounter, "el")[0] == "Elk"
    assert [c.name for c in added(gm_client, encounter, "el")] == ["Elk"]
    assert press(gm_client, encounter, "join", text="Elan").status_code == 422


@pytest.mark.parametrize(
    ("typed", "comes"),
    [
        ("a goblin and an elk", ["Goblin", "Elk"]),
        ("One Eye, Un Certain", ["One Eye", "Un Certain"]),
        ("two swords", ["swords", "swords"]),
        ("Seven Swords", ["Seven Swords"]),
    ],
)
def test_a_number_in_words_may_begin_a_name(
    typed: str, comes: list[str], encounter: Encounter, gm_client: Client
) -> None:
    HeroFactory.create(campaign=encounter.campaign, name="Seven Swords")
    assert [c.name for c in added(gm_client, encounter, typed)] == comes


@pytest.mark.parametrize("figure", ["pv 0", "hp -5", "pv 100000", "ca -1", f"ac {'9' * 5_000}"])
def test_a_figure_that_cannot_be_is_refused_and_nobody_comes(
    figure: str, encounter: Encounter, gm_client: Client
) -> None:
    text = f"baron {figure}"[:2_000]
    answer = press(gm_client, encounter, "join", text=text, side="foes")
    assert answer.status_code == 422
    assert "Hit points go from 1 to 99,999" in text_of(answer)
    assert not Creature.objects.filter(source="own").exists()


def test_figures_typed_with_a_known_hero_are_the_heros_from_now_on(
    encounter: Encounter, gm_client: Client
) -> None:
    [aria] = added(gm_client, encounter, "aria hp 12 ac 18")
    assert (aria.is_hero, aria.hp, aria.max_hp, aria.ac) == (True, 12, 12, 18)
    kept = Hero.objects.get(name="Aria")
    assert (kept.max_hp, kept.ac) == (12, 18)


def test_what_undo_took_back_is_gone_for_good_after_30_days(
    encounter: Encounter, gm_client: Client
) -> None:
    added(gm_client, encounter, "2 Gobelox")
    undo(encounter)
    empty_old_bin()
    assert Creature.objects.filter(source="own").exists()
    Creature.objects.filter(source="own").update(deleted=timezone.now() - timedelta(days=31))
    empty_old_bin()
    assert not Creature.objects.filter(source="own").exists()


@pytest.mark.parametrize(
    ("typed", "side", "offered"),
    [
        ("ar", "", ["Aria", "New hero “ar”", "New creature “ar”"]),
        ("ar", "heroes", ["Aria", "New hero “ar”", "New creature “ar”"]),
        ("lou", "", ["Wolf", "New hero “lou”", "New creature “lou”"]),
        ("Gobelinn", "", ["New hero “Gobelinn”", "New creature “Gobelinn”", "Goblin", "Goblin"]),
        ("Gobelinn", "foes", ["New creature “Gobelinn”", "Goblin", "Goblin"]),
        ("3 Gobelinn", "", ["3 new creatures: “Gobelinn”", "3 × Goblin", "3 × Goblin"]),
        ("Zora", "foes", ["New creature “Zora”"]),
        ("aria", "foes", ["Aria", "New creature “aria”"]),
        ("elan", "", ["Elan", "Elk", "New hero “elan”", "New creature “elan”"]),
        ("2 élans", "", ["2 × Elk", "2 new creatures: “élans”"]),
        ("ancient red dr", "", ["Ancient Red Dragon", "New hero “ancient red dr”",
                                "New creature “ancient red dr”"]),
    ],
)  # fmt: skip
def test_the_list_offers_heroes_creatures_and_then_somebody_new(
    typed: str, side: str, offered: list[str], encounter: Encounter, gm_client: Client
) -> None:
    assert lines(gm_client, encounter, typed, side) == offered


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("Bran, Cleo, Dain, Faye", "4 new heroes: “Bran”, “Cleo”, “Dain” and “Faye”"),
        ("Aria, 2 gob, Bran", "Aria, 2 × Goblin, New hero “Bran”"),
        ("4 goblins and 2 wolves", "4 × Goblin, 2 × Wolf"),
        ("lou, elk", "Elk, New hero “lou”"),
    ],
)
def test_a_list_of_names_is_one_line(
    typed: str, whole: str, encounter: Encounter, gm_client: Client
) -> None:
    assert lines(gm_client, encounter, typed)[0] == whole


@pytest.mark.parametrize(
    ("typed", "side", "beside"),
    [
        ("Bandit chief AC 15 45 hp", "foes", "AC 15 · 45 HP"),
        ("Zora pv 30 init -1", "heroes", "30 HP · initiative −1"),
        ("goblin hp 12", "", "CR 1/4 · 12 HP · 2014"),
    ],
)
def test_the_list_says_the_figures_that_it_has_understood(
    typed: str, side: str, beside: str, encounter: Encounter, gm_client: Client
) -> None:
    sent = {"text": typed, "side": side}
    page = gm_client.get(f"/e/{encounter.uuid}/creatures/", sent, headers=HTMX).content.decode()
    assert beside in page.split("</li>")[0]


@pytest.mark.parametrize(
    ("typed", "picked", "comes"),
    [
        ("lou", "new/hero", ("lou", True)),
        ("lou", "new/creature", ("lou", False)),
        ("elan", "srd-5.1/elk", ("Elk", False)),
        ("Gobelinn", "srd-5.1/goblin", ("Goblin", False)),
        ("gob", "srd-5.1/nobody", ("Goblin", False)),
        ("ari", "hero/999999", ("Aria", True)),
    ],
)
def test_a_line_that_is_pressed_is_meant(
    typed: str, picked: str, comes: tuple[str, bool], encounter: Encounter, gm_client: Client
) -> None:
    [one] = added(gm_client, encounter, typed, picked=picked)
    assert (one.name, one.is_hero) == comes


@pytest.mark.parametrize(("text", "side"), [("lou", "foes"), ("2 lou", "")])
def test_an_older_list_makes_no_hero_of_a_foe(
    text: str, side: str, encounter: Encounter, gm_client: Client
) -> None:
    came = added(gm_client, encounter, text, side=side, picked="new/hero")
    assert {(c.name, c.is_hero, c.side) for c in came} == {("lou", False, "foes")}


def test_enter_takes_the_marked_line_whatever_was_typed_and_no_hero_comes_by_accident(
    encounter: Encounter, gm_client: Client
) -> None:
    chance = Random(7)
    names = [
        "gob",
        "goblin",
        "lou",
        "Baron Noir",
        "Elan",
        "ar",
        "ancient",
        "Gobelinn",
        "Zora",
        "elk",
    ]
    for _ in range(60 if FULL else 30):
        name = chance.choice(names)
        typed = f"{chance.choice(['', '', '2 ', 'trois '])}{name}{chance.choice(['', ' pv 5'])}"
        side = chance.choice(["", "heroes", "foes", "third", "allies"])
        before = Hero.objects.count()
        first = lines(gm_client, encounter, typed, side)[0]
        answer = press_plainly(gm_client, encounter, "join", text=typed, side=side)
        if answer.status_code == 422:  # in the fight already
            continue
        made = Hero.objects.count() - before
        assert made == first.startswith("New hero"), (typed, side, first)
        last = fight_in(encounter).combatants[-1]
        assert last.name in first or last.name_fr in first


# Taking back


def test_undo_takes_back_the_hero_and_the_creature_that_the_step_has_made(
    encounter: Encounter, gm_client: Client
) -> None:
    added(gm_client, encounter, "Gobelinn, 2 Gobelox")

    def there() -> tuple[list[str], list[str]]:
        heroes = Hero.objects.filter(campaign=encounter.campaign, deleted=None)
        own = Creature.objects.filter(source="own", deleted=None)
        return [hero.name for hero in heroes], [creature.name for creature in own]

    with_both = (["Aria", "Elan", "Gobelinn"], ["Gobelox"])
    without: tuple[list[str], list[str]] = (["Aria", "Elan"], [])
    assert there() == with_both
    for way, left in ((undo, without), (redo, with_both), (undo, without), (redo, with_both)):
        way(encounter)
        assert there() == left
    assert lines(gm_client, encounter, "gobel")[0] == "Gobelox"


def test_going_back_takes_back_what_was_made_since_and_its_undo_brings_it_back(
    encounter: Encounter, gm_client: Client
) -> None:
    added(gm_client, encounter, "2 gob")
    added(gm_client, encounter, "Bran")
    undo(encounter)
    redo(encounter)
    added(gm_client, encounter, "Cleo")
    pressed(gm_client, encounter, "go-back", version=1)
    names = Hero.objects.filter(campaign=encounter.campaign, deleted=None).values_list("name")
    assert set(names) == {("Aria",), ("Elan",)}
    undo(encounter)
    assert set(names.all()) == {("Aria",), ("Elan",), ("Bran",), ("Cleo",)}


def test_undo_leaves_a_hero_who_fights_elsewhere_by_now(
    encounter: Encounter, gm_client: Client
) -> None:
    added(gm_client, encounter, "Bran")
    added(gm_client, EncounterFactory.create(campaign=encounter.campaign), "Bran")
    undo(encounter)
    assert Hero.objects.filter(name="Bran", deleted=None).exists()


def test_another_campaigns_heroes_are_not_offered(encounter: Encounter, gm_client: Client) -> None:
    HeroFactory.create(campaign=CampaignFactory.create(), name="Mina")
    assert lines(gm_client, encounter, "min") == ["New hero “min”", "New creature “min”"]
