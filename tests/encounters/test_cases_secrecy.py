"""The players' screen is built from a list of facts; whatever is not on it stays private."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client

import rules
from encounters.labels import Name
from encounters.models import Encounter, PlayerLink
from encounters.screens import PlayerBoard, player_board
from encounters.screens.player import PlayerCreature, PlayerSlot
from encounters.screens.player_effects import PlayerEffect
from tests.encounters.canaries import whole_number
from tests.encounters.playing import fight_in, take
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

PUBLIC: dict[type[Any], set[str]] = {
    PlayerBoard: {"campaign", "state", "round", "now", "coming", "later", "waiting", "gone",
                  "meant", "edition", "until"},
    PlayerSlot: {"side", "members", "gone", "waiting", "second", "initiative"},
    PlayerCreature: {"name", "health", "surprised", "effects", "is_hero", "hp", "max_hp", "temp_hp",
                     "ac"},
    PlayerEffect: {"code", "level", "text", "colour"},
    Name: {"en", "fr", "mark"},
}  # fmt: skip
PLAIN = (str, int, bool, type(None))


def ambush() -> tuple[Encounter, PlayerLink]:
    """An Ogre at 4711 of 5923, AC 97, with a note; a hidden Stalker; Aria, and one who waits."""
    link = PlayerLinkFactory.create(campaign__reveal_on_turn=False)
    ogre = creature("Ogre", max_hp=5923, hp=4711, ac=97, notes="fears fire")
    stalker = creature("Stalker", hidden=True)
    fight = fight_of(hero("Aria"), ogre, stalker, hero("Bran"))
    encounter = EncounterFactory.create(campaign=link.campaign, fight=fight)
    take(encounter, rules.StartFight(totals={1: 20, 2: 15, 3: 12, 4: 9}))
    take(encounter, rules.Wait(4))
    take(encounter, rules.AddEffect(1, rules.Effect("prone", source=2), rounds=7))
    return encounter, link


def parts(value: object) -> Iterator[object]:
    """The value and all that it is made of."""
    yield value
    if isinstance(value, tuple):
        for one in value:
            yield from parts(one)
    elif is_dataclass(value):
        for field in fields(value):
            yield from parts(getattr(value, field.name))


# RW-S22: a new fact of a creature is private until somebody adds it to this list
def test_the_players_screen_holds_listed_facts_alone() -> None:
    encounter, link = ambush()
    found = list(parts(player_board(link.campaign, fight_in(encounter))))
    kinds: set[type[Any]] = {type(part) for part in found if not isinstance(part, (*PLAIN, tuple))}
    assert kinds == set(PUBLIC)
    for kind in kinds:
        assert {field.name for field in fields(kind)} == PUBLIC[kind]


# RW-S22: pages and fragments are given that screen, and neither rows nor the fight
@pytest.mark.parametrize("path", ["", "/board"])
def test_the_templates_of_players_get_no_row_and_no_fight(client: Client, path: str) -> None:
    _encounter, link = ambush()
    answer: Any = client.get(f"/j/{link.token}{path}")
    assert isinstance(answer.context["board"], PlayerBoard)
    for given in answer.context:
        for name, value in given.flatten().items():
            assert not isinstance(value, (Model, rules.Fight, rules.Combatant)), name


# RW-S22: the Ogre's health is one word; no bar, no figure and no attribute is made of its points
def test_health_is_a_word_and_nothing_measures_it(client: Client) -> None:
    encounter, link = ambush()
    pages = [f"/j/{link.token}", f"/j/{link.token}/board"]
    before = [client.get(path).content.decode() for path in pages]
    take(encounter, rules.Damage(2, 1703))  # to 3008: no bloodied Ogre yet
    after = [client.get(path).content.decode() for path in pages]
    assert after == before
    for page in before:
        assert re.search('<span class="health">hurt *</span>', page)
        for number in (97, 4711, 5923):
            assert not whole_number(number).search(page.encode()), number
        for secret in ("fears fire", "Stalker", "<progress", "<meter", "style="):
            assert secret not in page, secret
    assert "width" not in before[1]
