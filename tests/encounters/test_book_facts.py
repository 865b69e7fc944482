"""What the book says of a creature goes with it into the fight."""

import json
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client

import rules
from bestiary import book
from encounters import adding, book_facts
from encounters.models import Combatant
from tests.encounters.playing import fight_in, pressed, take
from tests.factories import (
    CampaignFactory,
    CreatureFactory,
    EncounterFactory,
    fight_of,
    hero,
    running,
)

pytestmark = pytest.mark.django_db

FACTS = {
    "attacks": [],
    "abilities": {"str": 27, "dex": 10, "con": 25, "wis": 7},
    "saves": {"dex": 6},
    "damage_immunities": ["fire"],
    "damage_resistances_conditional": [{"types": ["slashing"], "when": "nonmagical"}],
    "condition_immunities": ["charmed"],
    "speed": {"walk": 40, "fly": 80},
    "speed_alt": [{"when": "form_bear", "walk": 50, "climb": 30, "fly": 10}],
    "hover": True,
    "legendary_actions": 3,
    "legendary_resistance": 2,
    "limited_uses": [
        {"name_en": "Fire Breath", "name_fr": "Souffle de feu", "kind": "recharge_d6", "min": 5},
        {"name_en": "Enslave", "name_fr": "Asservir", "kind": "per_day", "uses": 3},
        {"name_en": "Web", "name_fr": "", "kind": "recharge_rest"},
    ],
}
DEFENCES = (
    rules.Defence("resistance", "slashing", "nonmagical"),
    rules.Defence("immunity", "fire"),
    rules.Defence("immunity", "charmed"),
)
USES = (
    rules.Use("Legendary actions", 3, 3, "legendary", "Actions légendaires"),
    rules.Use("Legendary Resistance", 2, 2, "resistance", "Résistance légendaire"),
    rules.Use("Fire Breath", 1, 1, "recharge", "Souffle de feu", recharges_from=5),
    rules.Use("Enslave", 3, 3, "day", "Asservir"),
    rules.Use("Web", 1, 1, "rest"),
)


def test_a_dragon_enters_with_its_defences_saves_and_uses() -> None:
    dragons = CreatureFactory.create(english="Dragon", facts=FACTS)
    dragon = adding.from_creature(dragons, CampaignFactory.create())
    assert dragon.defences == DEFENCES
    assert dragon.saves == {"str": 8, "dex": 6, "con": 7, "wis": -2}
    assert dragon.uses == USES


def test_a_dragon_of_2024_knows_what_its_lair_gives() -> None:
    more = {"legendary_actions_in_lair": 4, "legendary_resistance_in_lair": 3}
    uses = book_facts.uses(FACTS | more)
    assert [use.in_lair for use in uses] == [1, 1, 0, 0, 0]
    assert not any(use.in_lair for use in book_facts.uses(FACTS))


def test_a_creature_enters_with_every_speed_of_its_and_of_its_other_forms() -> None:
    dragons = CreatureFactory.create(english="Dragon", facts=FACTS)
    dragon = adding.from_creature(dragons, CampaignFactory.create())
    assert (dragon.speeds, dragon.hovers) == ({"fly": 80, "climb": 30}, True)


REGENERATING = {
    ("2014", "troll"): rules.Effect("regeneration", each="10", heals=True, stopped_by="acid,fire"),
    ("2024", "troll"): rules.Effect("regeneration", each="15", heals=True, stopped_by="acid,fire"),
    ("2024", "troll-limb"): rules.Effect(
        "regeneration", each="5", heals=True, stopped_by="acid,fire"
    ),
    ("2014", "vampire"): rules.Effect(
        "regeneration", each="20", heals=True, needs_hp=True, stopped_by="radiant", offered=True
    ),
}


def test_those_regenerate_of_whom_the_book_says_so_in_each_edition() -> None:
    found = {}
    for file, edition in book.SOURCES.values():
        for record in json.loads((book.DATA / file).read_bytes()):
            if effects := book_facts.effects(record):
                found[edition, record["key"]] = effects
    assert {key: (effect,) for key, effect in REGENERATING.items()}.items() <= found.items()
    others = {"oni", "shield-guardian"}
    assert {key for edition, key in found if edition == "2024"} == {"troll", "troll-limb"} | others
    vampires = {"vampire", "vampire-spawn"}
    assert {key for edition, key in found if edition == "2014"} == {"troll"} | vampires | others


def test_a_troll_that_was_added_by_name_falls_and_begins_its_turn_with_what_it_regains(
    gm_client: Client,
) -> None:
    facts = {"attacks": [], "regeneration": {"amount": 10, "stopped_by": ["acid", "fire"]}}
    CreatureFactory.create(english="Troll", french="Troll", hp=84, facts=facts)
    fight = running(hero("Aria"))
    encounter = EncounterFactory.create(fight=fight)
    pressed(gm_client, encounter, "join", text="troll")
    assert "regeneration" in gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    take(encounter, rules.Damage(2, 90, type="slashing"))
    troll = fight_in(encounter).combatant(2)
    assert (troll.down, troll.defeated) == (True, False)
    pressed(gm_client, encounter, "next-turn")
    assert fight_in(encounter).combatant(2).hp == 10
    take(encounter, rules.Damage(2, 90, type="fire"))
    pressed(gm_client, encounter, "next-turn")
    pressed(gm_client, encounter, "next-turn")
    assert fight_in(encounter).combatant(2).dead


def test_a_creature_without_any_of_it_has_none() -> None:
    facts: dict[str, Any] = {"attacks": []}
    assert not book_facts.defences(facts)
    assert not book_facts.uses(facts)
    assert book_facts.saves(facts) == {}


def test_creatures_of_older_fights_get_theirs_out_of_the_book() -> None:
    dragons = CreatureFactory.create(english="Dragon", facts=FACTS)
    old = rules.Combatant(0, "Dragon", "foes", creature=dragons.code)
    own = rules.Combatant(0, "Grak", "foes", creature=dragons.code, saves={"dex": 1})
    encounter = EncounterFactory.create(fight=fight_of(old, own))
    import_module("encounters.migrations.0004_book_facts").fill(apps, None)
    filled, kept = Combatant.objects.filter(encounter=encounter)
    assert rules.list_from_plain("uses", filled.uses) == USES
    assert rules.list_from_plain("defences", filled.defences) == DEFENCES
    assert (kept.saves, kept.uses) == ({"dex": 1}, [])
