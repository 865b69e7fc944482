"""Before the fight: who hides, one by one, and who notices."""

import pytest
from django.test import Client

import rules
from tests.encounters.opening import Told, goblins, opened, page_of, shown
from tests.encounters.playing import fight_in, press, take, text_of
from tests.factories import creature, hero

pytestmark = pytest.mark.django_db


def test_stealth_is_rolled_again_for_one_alone(gm_client: Client, dice: Told) -> None:
    encounter = opened(hero("Aria"), *goblins(2))
    dice.values = [10, 11, 3]
    press(gm_client, encounter, "hide-side", side="foes")
    press(gm_client, encounter, "hide-side", side="foes", only=3)
    assert [c.stealth for c in fight_in(encounter).combatants] == [None, 16, 9]


def test_one_who_has_left_rolls_no_stealth(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), *goblins(2))
    answer = press(gm_client, encounter, "hide-side", side="foes", only=9)
    assert answer.status_code == 422
    assert "This combatant has left the fight." in text_of(answer)


def test_stealth_with_disadvantage_takes_the_lower_die(gm_client: Client, dice: Told) -> None:
    encounter = opened(hero("Aria"), *goblins(1))
    sent = {"target": 2, "what": "stealth_roll", "roll": "disadvantage"}
    assert press(gm_client, encounter, "set-roll", **sent).status_code == 200
    dice.values = [15, 4]
    press(gm_client, encounter, "hide-side", side="foes", only=2)
    assert fight_in(encounter).combatant(2).stealth == 10
    assert shown(encounter).parties[1].fighters[0].stealth_roll == "disadvantage"


def test_passive_perception_is_shown_with_what_advantage_makes_of_it(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    sent = {"target": 1, "what": "perception_roll", "roll": "advantage"}
    press(gm_client, encounter, "set-roll", **sent)
    press(gm_client, encounter, "hide", stealth_2=16)
    assert shown(encounter).parties[0].fighters[0].passive == 17
    [aria] = shown(encounter).observers
    assert (aria.passive, aria.roll) == (17, "advantage")
    assert "Aria 17 advantage" in page_of(gm_client, encounter)
    assert "noticed 17 > 16" in page_of(gm_client, encounter)


def test_a_result_below_15_hides_nobody_in_2024_and_says_so(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"), creature("Ogre"), edition="2024")
    press(gm_client, encounter, "hide", stealth_2=14, stealth_3=15)
    said = page_of(gm_client, encounter)
    assert "noticed 14 < 15" in said
    assert "missed 12 < 15" in said
    assert "disadvantage, and nothing more" in said


def test_what_2024_makes_of_surprise_is_not_said_in_2014(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    press(gm_client, encounter, "hide", stealth_2=14)
    said = page_of(gm_client, encounter)
    assert "missed 12 < 14" in said
    assert "nothing more" not in said


def test_the_unconscious_miss_everybody_and_it_says_why(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    take(encounter, rules.AddEffect(1, rules.Effect("unconscious")))
    press(gm_client, encounter, "hide", stealth_2=5)
    assert "missed unconscious" in page_of(gm_client, encounter)


def test_a_lair_neither_hides_nor_watches() -> None:
    lair = creature("Lair", is_lair=True, initiative_bonus=None)
    encounter = opened(hero("Aria"), creature("Ogre"), lair)
    assert [[c.name.en for c in p.fighters] for p in shown(encounter).parties] == [
        ["Aria"],
        ["Ogre"],
    ]


def test_a_changed_campaign_is_seen_in_who_is_surprised_at_once() -> None:
    encounter = opened(hero("Aria"), creature("Stalker", hiding=True, stealth=18), creature("Ogre"))
    assert shown(encounter).surprised == ()
    encounter.campaign.surprise_reading = "misses_any_threat"
    encounter.campaign.save()
    assert [name.en for name in shown(encounter).surprised] == ["Aria"]
