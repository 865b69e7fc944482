"""Fights that are about to begin, what their page says of them, and dice that fall as told."""

import re
from random import Random
from typing import Any

from django.test import Client

import rules
from encounters.models import Encounter
from encounters.screens.opening import Check, Opening, opening
from tests.encounters.playing import fight_in, take, text_of
from tests.factories import EncounterFactory, creature, fight_of


class Told(Random):
    """Dice that fall as told."""

    def __init__(self, *values: int) -> None:
        super().__init__()
        self.values = list(values)

    def randint(self, a: int, b: int) -> int:
        return self.values.pop(0)


def opened(*fighters: rules.Combatant, **settings: Any) -> Encounter:
    """A fight at the question of who hides; the settings are its own."""
    encounter: Encounter = EncounterFactory.create(fight=fight_of(*fighters))
    if settings:
        take(encounter, rules.ChangeSettings(settings))
    take(encounter, rules.OpenFight())
    return encounter


def goblins(count: int, **facts: Any) -> list[rules.Combatant]:
    """Identical ones, of whom nobody is told apart by their numbers."""
    return [creature("Goblin", creature="srd-5.1/goblin", **facts) for _ in range(count)]


def shown(encounter: Encounter) -> Opening:
    return opening(fight_in(encounter))


def check_of(encounter: Encounter, name: str) -> Check:
    return next(check for check in shown(encounter).checks if check.name == name)


def page_of(client: Client, encounter: Encounter) -> str:
    return text_of(client.get(f"/e/{encounter.uuid}/"))


def buttons(client: Client, encounter: Encounter) -> list[str]:
    """What the buttons above the totals say."""
    page = client.get(f"/e/{encounter.uuid}/").content.decode()
    place = re.search(r'<div class="rolls">(.*?)</div>', page, re.DOTALL)
    assert place
    return re.findall(r">([^<>]+)</button>", place[1])


def totals(encounter: Encounter) -> dict[str, int | None]:
    fight = fight_in(encounter)
    return {fight.members(s.number)[0].name: s.total for s in fight.slots}
