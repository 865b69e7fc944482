"""Rows and values for tests: each is sound by itself, and says only what the test is about."""

# mypy: disable-error-code="attr-defined,no-untyped-call,untyped-decorator"
# The library tells its types of factories, but not of their declarations.

from typing import Any
from uuid import uuid4

import factory

import rules
from bestiary.models import Creature
from encounters.models import Campaign, Combatant, Encounter, Hero, PlayerLink, Step
from encounters.store import save_fight


class CampaignFactory(factory.django.DjangoModelFactory[Campaign]):
    class Meta:
        model = Campaign

    name = factory.Sequence(lambda n: f"Campaign {n}")


class HeroFactory(factory.django.DjangoModelFactory[Hero]):
    class Meta:
        model = Hero

    campaign = factory.SubFactory(CampaignFactory)
    name = factory.Sequence(lambda n: f"Hero {n}")
    level = 3
    ac = 15
    max_hp = 20
    initiative_bonus = 2
    passive_perception = 12
    stealth_bonus = 1
    dexterity = 14


class PlayerLinkFactory(factory.django.DjangoModelFactory[PlayerLink]):
    class Meta:
        model = PlayerLink

    campaign = factory.SubFactory(CampaignFactory)


class EncounterFactory(factory.django.DjangoModelFactory[Encounter]):
    """An encounter; `fight=` stores that fight in it."""

    class Meta:
        model = Encounter
        skip_postgeneration_save = True

    campaign = factory.SubFactory(CampaignFactory)
    name = factory.Sequence(lambda n: f"Encounter {n}")

    @factory.post_generation
    def fight(self: Encounter, create: bool, fight: rules.Fight | None, **_: Any) -> None:
        if create and fight is not None:
            save_fight(self, rules.Fight(), fight)
            self.version = fight.version
            self.save()


class StepFactory(factory.django.DjangoModelFactory[Step]):
    """A step of the history that changed nothing."""

    class Meta:
        model = Step

    encounter = factory.SubFactory(EncounterFactory)
    version = factory.Sequence(lambda n: n + 1)
    key = factory.LazyFunction(uuid4)
    command = "damage"


class CombatantFactory(factory.django.DjangoModelFactory[Combatant]):
    """A row that belongs to no step, for what a fight must not mix up with its own."""

    class Meta:
        model = Combatant

    encounter = factory.SubFactory(EncounterFactory)
    number = factory.Sequence(lambda n: n + 1)
    name = factory.Sequence(lambda n: f"Combatant {n}")
    side = "foes"


class CreatureFactory(factory.django.DjangoModelFactory[Creature]):
    """A creature of the book: a goblin, unless the test says otherwise."""

    class Meta:
        model = Creature
        django_get_or_create = ("source", "key")

    class Params:
        english = "Goblin"
        french = "Gobelin"

    source = "srd-5.1"
    key = factory.LazyAttribute(lambda c: c.english.lower())
    name = factory.SelfAttribute("english")
    name_fr = factory.SelfAttribute("french")
    edition = "2014"
    size = "small"
    type = "humanoid"
    cr = "1/4"
    cr_value = 0.25
    xp = 50
    ac = 15
    hp = 7
    hit_dice = "2d6"
    speed = 30
    dexterity = 14
    initiative = 2
    stealth = 6
    passive_perception = 9
    search_en = factory.LazyAttribute(lambda c: f"\n{c.english.lower()}")
    search_fr = factory.LazyAttribute(lambda c: f"\n{c.french.lower()}")
    facts = factory.LazyFunction(lambda: {"attacks": []})


def blow(name: str = "Scimitar", to_hit: int = 4, **facts: Any) -> dict[str, Any]:
    """An attack as the book's facts hold it: 1d6+2 slashing."""
    usual = {"name_en": name, "name_fr": "", "kind": "melee", "to_hit": to_hit, "extra": []}
    damage = {"dice": "1d6", "bonus": 2, "type": "slashing"}
    return {**usual, "damage": damage, **facts}


def creature(name: str = "Goblin", **facts: Any) -> rules.Combatant:
    """A creature as a value, about to join a fight."""
    usual: dict[str, Any] = {
        "number": 0,
        "side": "foes",
        "ac": 15,
        "max_hp": 7,
        "initiative_bonus": 2,
        "passive_perception": 9,
        "stealth_bonus": 6,
    }
    values = {**usual, **facts}
    return rules.Combatant(name=name, **{"hp": values["max_hp"], **values})


def hero(name: str = "Aria", **facts: Any) -> rules.Combatant:
    """A hero as a value."""
    usual = {"side": "heroes", "is_hero": True, "max_hp": 20, "passive_perception": 12}
    return creature(name, **{**usual, **facts})


def fight_of(*fighters: rules.Combatant, **settings: Any) -> rules.Fight:
    """A fight in preparation with these in it."""
    fight = rules.Fight(table=rules.Settings(**settings))
    return rules.Join(fighters).run(fight).fight if fighters else fight


def running(
    *fighters: rules.Combatant, totals: tuple[int, ...] = (), **settings: Any
) -> rules.Fight:
    """The same fight in its first turn; the totals are the slots' in the order of entry."""
    opened = rules.OpenFight().run(fight_of(*fighters, **settings)).fight
    slots = sorted(slot.number for slot in opened.slots)
    called = totals or tuple(range(20, 20 - len(slots), -1))
    return rules.StartFight(totals=dict(zip(slots, called, strict=True))).run(opened).fight
