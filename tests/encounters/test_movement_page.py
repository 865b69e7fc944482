"""Movement beside the turn: crawling, difficult terrain, standing up; in feet and in metres."""

from html import unescape

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from tests.encounters.playing import fight_in, press, pressed, take, text_of
from tests.factories import EncounterFactory, hero, running

pytestmark = pytest.mark.django_db
LIA = 1


@pytest.fixture
def fight(db: None) -> Encounter:
    """Lia's turn, with a speed of 25 feet."""
    made: Encounter = EncounterFactory.create(fight=running(hero("Lia", speed=25), hero("Bran")))
    return made


def moved(encounter: Encounter) -> float:
    return fight_in(encounter).combatant(LIA).moved


@pytest.mark.parametrize(
    ("ground", "cost"),
    [({}, 5), ({"difficult": "on"}, 10), ({"crawling": "on", "difficult": "on"}, 15)],
)
def test_the_ground_is_told_beside_the_movement(
    ground: dict[str, str], cost: int, fight: Encounter, gm_client: Client
) -> None:
    pressed(gm_client, fight, "move", target=LIA, by="5", **ground)
    assert moved(fight) == cost


def test_half_feet_of_standing_up_are_kept_and_told(fight: Encounter, gm_client: Client) -> None:
    take(fight, rules.AddEffect(LIA, rules.Effect("prone")))
    pressed(gm_client, fight, "stand-up", target=LIA)
    assert moved(fight) == 12.5
    page = gm_client.get(f"/e/{fight.uuid}/", headers={"Accept-Language": "fr"})
    assert "<b>3,75</b> / 7,5" in unescape(page.content.decode())


def test_one_with_too_little_left_stands_up_by_a_word_of_the_gm_alone(
    fight: Encounter, gm_client: Client
) -> None:
    take(fight, rules.Move(LIA, 20))
    take(fight, rules.AddEffect(LIA, rules.Effect("prone")))
    answer = press(gm_client, fight, "stand-up", target=LIA)
    assert answer.status_code == 422
    assert "not enough movement left to stand up" in text_of(answer)
    board = gm_client.get(f"/e/{fight.uuid}/").content.decode()
    assert "Stand up all the same" in board
    pressed(gm_client, fight, "stand-up", target=LIA, anyway="1")
    assert not fight_in(fight).combatant(LIA).has("prone")
