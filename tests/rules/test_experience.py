"""Who is overcome, who shares the experience, and how it is divided."""

from dataclasses import replace

import pytest

import rules
from rules import experience
from tests.factories import creature, fight_of, hero
from tests.rules.making import started

GOBLIN, OGRE = creature("Goblin", hp=0), creature("Ogre", max_hp=59)


def overcome(*fighters: rules.Combatant, gone: tuple[rules.Combatant, ...] = ()) -> list[str]:
    return [c.name for c in experience.overcome(fight_of(hero("Aria"), *fighters), gone)]


def test_foes_at_0_hit_points_are_overcome_and_those_who_stand_are_not() -> None:
    assert overcome(GOBLIN, OGRE) == ["Goblin"]


@pytest.mark.parametrize(
    "state",
    [{"hp": 0, "stable": True}, {"hp": 0, "death_saves": True}, {"dead": True}],
    ids=["knocked out", "dying", "dead at full hit points"],
)
def test_the_knocked_out_the_dying_and_the_dead_are_overcome(state: dict[str, int]) -> None:
    assert overcome(creature("Veteran", **state)) == ["Veteran"]


@pytest.mark.parametrize("edition", ["2014", "2024"])
def test_one_knocked_out_is_overcome_until_it_wakes_or_is_put_to_sleep_again(edition: str) -> None:
    unconscious = rules.Effect("unconscious")
    history = started("1 heroes Aria hp9", "1 foes Ogre hp9", edition=edition)
    history.take(rules.Damage(2, 30, knock_out=True))
    history.take(rules.AddEffect(2, replace(unconscious, ends="end", turns=9)))
    assert [c.name for c in experience.overcome(history.fight)] == ["Ogre"]
    history.take(rules.SetHitPoints(2, 5))
    history.take(rules.RemoveEffect(2, "unconscious"))
    history.take(rules.AddEffect(2, unconscious))
    assert experience.overcome(history.fight) == ()


def test_one_knocked_out_at_1_hit_point_is_defeated_by_the_next_blow() -> None:
    history = started("1 heroes Aria hp9", "1 foes Ogre hp9", edition="2024")
    history.take(rules.Damage(2, 30, knock_out=True))
    history.take(rules.Damage(2, 1))
    assert history.fight.combatant(2).defeated


def test_friends_are_not_worth_anything_and_other_enemies_are() -> None:
    fallen = [replace(GOBLIN, name=side, side=side) for side in ("heroes", "allies", "third")]
    assert overcome(*fallen) == ["third"]
    fight = fight_of(hero("Aria"), *fallen)
    allied = rules.Ally("heroes", "third", True).run(fight).fight
    assert experience.overcome(allied) == ()


def test_a_hero_on_the_other_side_is_nobodys_prey() -> None:
    assert overcome(hero("Bran", side="foes", hp=0)) == []


def test_a_lair_is_worth_nothing() -> None:
    assert overcome(creature("Lair", hp=0, is_lair=True)) == []


def test_those_taken_off_the_board_count_as_they_were_then() -> None:
    gone = (replace(GOBLIN, number=8), replace(OGRE, number=7))
    assert overcome(GOBLIN, gone=gone) == ["Goblin", "Goblin"]


def test_heroes_who_are_out_or_not_there_yet_do_not_share() -> None:
    party = (hero("Aria"), hero("Bran", out=True), hero("Cleo", hp=0), hero("Dain", arrives=9))
    shares = experience.sharers(fight_of(*party, creature("Guide", side="allies")))
    assert [c.name for c in shares] == ["Aria", "Cleo"]


@pytest.mark.parametrize(
    ("points", "heroes", "each", "left_over"),
    [
        (400, 4, 100, 0),
        (450, 4, 112, 2),
        (50, 1, 50, 0),
        (0, 3, 0, 0),
        (3, 4, 0, 3),
        (50, 0, 0, 50),
    ],
)
def test_points_are_divided_equally_and_what_is_left_over_is_said(
    points: int, heroes: int, each: int, left_over: int
) -> None:
    assert experience.shared(points, heroes) == (each, left_over)
