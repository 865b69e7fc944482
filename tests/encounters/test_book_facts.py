"""What the book says of a creature goes with it into the fight."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

import rules
from encounters import adding, book_facts
from encounters.models import Combatant
from tests.factories import CampaignFactory, CreatureFactory, EncounterFactory, fight_of

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
    book = CreatureFactory.create(english="Dragon", facts=FACTS)
    dragon = adding.from_creature(book, CampaignFactory.create())
    assert dragon.defences == DEFENCES
    assert dragon.saves == {"str": 8, "dex": 6, "con": 7, "wis": -2}
    assert dragon.uses == USES


def test_a_dragon_of_2024_knows_what_its_lair_gives() -> None:
    more = {"legendary_actions_in_lair": 4, "legendary_resistance_in_lair": 3}
    uses = book_facts.uses(FACTS | more)
    assert [use.in_lair for use in uses] == [1, 1, 0, 0, 0]
    assert not any(use.in_lair for use in book_facts.uses(FACTS))


def test_a_creature_enters_with_every_speed_of_its_and_of_its_other_forms() -> None:
    book = CreatureFactory.create(english="Dragon", facts=FACTS)
    dragon = adding.from_creature(book, CampaignFactory.create())
    assert (dragon.speeds, dragon.hovers) == ({"fly": 80, "climb": 30}, True)


def test_a_creature_without_any_of_it_has_none() -> None:
    facts: dict[str, Any] = {"attacks": []}
    assert not book_facts.defences(facts)
    assert not book_facts.uses(facts)
    assert book_facts.saves(facts) == {}


def test_creatures_of_older_fights_get_theirs_out_of_the_book() -> None:
    book = CreatureFactory.create(english="Dragon", facts=FACTS)
    old = rules.Combatant(0, "Dragon", "foes", creature=book.code)
    own = rules.Combatant(0, "Grak", "foes", creature=book.code, saves={"dex": 1})
    encounter = EncounterFactory.create(fight=fight_of(old, own))
    import_module("encounters.migrations.0004_book_facts").fill(apps, None)
    filled, kept = Combatant.objects.filter(encounter=encounter)
    assert rules.list_from_plain("uses", filled.uses) == USES
    assert rules.list_from_plain("defences", filled.defences) == DEFENCES
    assert (kept.saves, kept.uses) == ({"dex": 1}, [])
