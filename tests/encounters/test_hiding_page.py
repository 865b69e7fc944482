"""Before the fight: who hides, one by one, and who notices."""

import re

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from tests.encounters.opening import Told, goblins, opened, page_of, shown
from tests.encounters.playing import fight_in, press, pressed, take, text_of
from tests.factories import creature, hero

pytestmark = pytest.mark.django_db


def test_stealth_is_rolled_again_for_one_alone(gm_client: Client, dice: Told) -> None:
    encounter = opened(hero("Aria"), *goblins(2))
    dice.values = [10, 11, 3]
    pressed(gm_client, encounter, "hide-side", side="foes")
    pressed(gm_client, encounter, "hide-side", side="foes", only=3)
    assert [c.stealth for c in fight_in(encounter).combatants] == [None, 16, 9]


def test_a_side_hides_and_says_whose_stealth_bonus_is_unknown(
    gm_client: Client, dice: Told
) -> None:
    unknown = creature("Stalker", stealth_bonus=None, dexterity=None)
    encounter = opened(hero("Aria"), *goblins(1), unknown)
    dice.values = [10]
    pressed(gm_client, encounter, "hide-side", side="foes")
    assert [c.stealth for c in fight_in(encounter).combatants] == [None, 16, None]
    log = text_of(gm_client.get(f"/e/{encounter.uuid}/log/"))
    assert "Stealth bonus unknown: Stalker" in log


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
    pressed(gm_client, encounter, "hide-side", side="foes", only=2)
    assert fight_in(encounter).combatant(2).stealth == 10
    assert shown(encounter).parties[1].fighters[0].stealth_roll == "disadvantage"


def test_passive_perception_is_shown_with_what_advantage_makes_of_it(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    sent = {"target": 1, "what": "perception_roll", "roll": "advantage"}
    pressed(gm_client, encounter, "set-roll", **sent)
    pressed(gm_client, encounter, "hide", stealth_2=16)
    assert shown(encounter).parties[0].fighters[0].passive == 17
    [aria] = shown(encounter).observers
    assert (aria.passive, aria.way) == (17, "advantage (set by you)")
    assert "Aria 17 advantage (set by you)" in page_of(gm_client, encounter)
    assert "noticed 17 > 16" in page_of(gm_client, encounter)


def test_a_result_below_15_hides_nobody_in_2024_and_says_so(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"), creature("Ogre"), edition="2024")
    pressed(gm_client, encounter, "hide", stealth_2=14, stealth_3=15)
    said = page_of(gm_client, encounter)
    assert "noticed 14 < 15" in said
    assert "not noticed 12 < 15" in said
    assert "disadvantage, and nothing more" in said


def test_what_2024_makes_of_surprise_is_not_said_in_2014(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    pressed(gm_client, encounter, "hide", stealth_2=14)
    said = page_of(gm_client, encounter)
    assert "not noticed 12 < 14" in said
    assert "nothing more" not in said


def test_the_unconscious_miss_everybody_and_it_says_why(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    take(encounter, rules.AddEffect(1, rules.Effect("unconscious")))
    pressed(gm_client, encounter, "hide", stealth_2=5)
    assert "not noticed unconscious" in page_of(gm_client, encounter)


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


# One press hides those who do not hide yet


def toggles(client: Client, encounter: Encounter) -> list[tuple[str, str]]:
    """What the toggles of the sides say, and whether they are pressed."""
    page = client.get(f"/e/{encounter.uuid}/").content.decode()
    found = re.findall(r'name="side" value="\w+" aria-pressed="(\w+)">(.*?)</button>', page, re.S)
    return [(pressed, " ".join(re.sub(r"<.*?>", "", said).split())) for pressed, said in found]


def test_one_press_hides_whoever_does_not_hide_yet_and_keeps_the_results_that_stand(
    gm_client: Client, dice: Told
) -> None:
    encounter = opened(hero("Aria", stealth_bonus=2), *goblins(2))
    assert toggles(gm_client, encounter) == [
        ("false", "Heroes are hiding"),
        ("false", "Foes are hiding"),
    ]
    dice.values = [10, 11, 3]
    pressed(gm_client, encounter, "hide-side", side="foes")
    take(encounter, rules.Join(tuple(goblins(1))))
    assert toggles(gm_client, encounter)[1] == ("mixed", "Foes are hiding (2 of 3)")
    assert "Not hiding yet: Goblin 3." in page_of(gm_client, encounter)
    pressed(gm_client, encounter, "hide-side", side="foes")
    assert [c.stealth for c in fight_in(encounter).combatants] == [None, 16, 17, 9]
    assert toggles(gm_client, encounter)[1] == ("true", "Foes are hiding (3 of 3)")


def test_a_press_when_all_hide_throws_nothing_away_and_says_what_ends_it(
    gm_client: Client, dice: Told
) -> None:
    encounter = opened(hero("Aria"), *goblins(1))
    dice.values = [10]
    pressed(gm_client, encounter, "hide-side", side="foes")
    answer = press(gm_client, encounter, "hide-side", side="foes")
    assert answer.status_code == 422
    assert "All of this side are hiding already." in text_of(answer)
    assert fight_in(encounter).combatant(2).stealth == 16
    pressed(gm_client, encounter, "stop-hiding", side="foes")
    assert fight_in(encounter).combatant(2).stealth is None


def test_one_whose_stealth_bonus_nobody_knows_is_asked_for_and_the_others_hide(
    gm_client: Client, dice: Told
) -> None:
    encounter = opened(hero("Aria"), *goblins(1), creature("Shape", stealth_bonus=None))
    dice.values = [10]
    answer = press(gm_client, encounter, "hide-side", side="foes")
    assert "Stealth bonus of Shape unknown. Result:" in text_of(answer)
    assert [c.stealth for c in fight_in(encounter).combatants] == [None, 16, None]
    pressed(gm_client, encounter, "hide", stealth_3=12)
    assert [c.stealth for c in fight_in(encounter).combatants] == [None, 16, 12]
    assert "Stealth bonus of Shape unknown" not in page_of(gm_client, encounter)


# What the matrix says of itself


def test_a_dying_hero_in_the_open_is_said_to_be_no_threat(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), hero("Bran", hp=7, max_hp=7), creature("Stalker"))
    take(encounter, rules.Damage(2, 7))
    pressed(gm_client, encounter, "hide", stealth_1=20)
    said = page_of(gm_client, encounter)
    assert "No threat, at 0 HP or unconscious: Bran." in said
    assert [name.en for name in shown(encounter).surprised] == ["Stalker"]


def test_what_poison_does_to_stealth_and_passive_perception_is_said(gm_client: Client) -> None:
    encounter = opened(hero("Aria", passive_perception=14), creature("Stalker"))
    take(encounter, rules.AddEffect(1, rules.Effect("poisoned")))
    pressed(gm_client, encounter, "hide", stealth_2=12)
    said = page_of(gm_client, encounter)
    assert "Aria surprised 9 disadvantage (poisoned)" in said
    assert "not noticed 9 < 12" in said


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "not noticed 12 = 12 surprised notices no enemy"),
        ({}, "Equal numbers: the hider stays hidden (the book’s rule)."),
        ({"stealth_tie": "observer"}, "the observer notices the hider (your setting)."),
    ],
)
def test_equal_numbers_say_who_wins_them(
    gm_client: Client, settings: dict[str, str], said: str
) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"), **settings)
    pressed(gm_client, encounter, "hide", stealth_2=12)
    assert said in page_of(gm_client, encounter)


def test_nobody_hides_and_yet_somebody_is_surprised_by_hand(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    assert "Nobody hides: nobody is surprised." in page_of(gm_client, encounter)
    pressed(gm_client, encounter, "override-surprise", target=1, surprise="surprised")
    take(encounter, rules.OverrideSurprise(1, "surprised"))
    said = page_of(gm_client, encounter)
    assert "nobody is surprised" not in said
    assert "Nobody hides. Surprised because you say so: Aria" in said
