"""0 hit points that are no fall, and those who regenerate from there.

Source: SRD 5.1 and 5.2, "Zombie" (Undead Fortitude), "Half-Orc", "Troll", "Vampire".
"""

import pytest

import rules
from rules import AddEffect, Effect
from tests.rules.drawing import History
from tests.rules.making import started

LIA, TROLL = 1, 2
REGENERATION = Effect("own", text="Regeneration", each="10", heals=True, stopped_by="acid,fire")


def codes(outcome: rules.Outcome) -> list[str]:
    return [event.code for event in outcome.events]


# Instead of falling


def test_a_zombie_that_stays_at_1_has_not_fallen() -> None:
    fight = started("1 heroes Lia hp20", "1 foes Zombie hp22").fight
    outcome = rules.Damage(2, 30, instead="one").run(fight)
    zombie = outcome.fight.combatant(2)
    assert (zombie.hp, zombie.effects, zombie.passed_over) == (1, (), False)
    assert codes(outcome) == ["damaged", "stayed-up"]
    assert outcome.events[0].details["lost"] == 21


def test_a_hero_who_stays_at_1_keeps_her_concentration_until_a_save_fails() -> None:
    history = started("1 heroes Lia hp20", "1 foes Ogre hp59")
    history.take(AddEffect(2, Effect("own", text="marked", source=LIA, hangs=True)))
    history.take(rules.Damage(LIA, 25, instead="one"))
    lia = history.fight.combatant(LIA)
    assert (lia.hp, lia.has("prone"), lia.has("concentration")) == (1, False, True)
    assert [(due.kind, due.dc) for due in lia.dues] == [("concentration", 12)]
    assert history.fight.combatant(2).has("own")
    history.take(rules.Settle(LIA, lia.dues[0], made=False))
    assert not history.fight.combatant(2).has("own")


def test_a_boss_that_begins_anew_has_all_its_hit_points_its_place_and_its_turn() -> None:
    history = started("1 heroes Lia hp20", "1 foes Boss hp59", "1 heroes Bran hp20")
    history.take(rules.NextTurn())
    before = history.fight
    outcome = history.take(rules.Damage(2, 90, instead="full"))
    after = outcome.fight
    assert after.combatant(2).hp == 59
    assert (after.slots, after.current) == (before.slots, before.current)
    assert codes(outcome) == ["damaged", "stayed-up"]


@pytest.mark.parametrize("amount", [10, 21])
def test_who_does_not_come_to_0_is_not_kept_up(amount: int) -> None:
    fight = started("1 heroes Lia hp20", "1 foes Zombie hp22").fight
    outcome = rules.Damage(2, amount, instead="full").run(fight)
    assert (outcome.fight.combatant(2).hp, codes(outcome)) == (22 - amount, ["damaged"])


def test_another_word_than_those_is_refused() -> None:
    fight = started("1 heroes Lia hp20").fight
    with pytest.raises(rules.RuleError, match="no-such-choice"):
        rules.Damage(LIA, 1, instead="half").run(fight)


def test_an_attack_that_fells_can_leave_1_hit_point_too() -> None:
    fight = started("1 heroes Lia hp20", "1 foes Zombie hp22 ac8").fight
    parts = ((30, "slashing"),)
    sword = rules.Attack(LIA, "Sword", 5, (15,), "plain", parts, target=2, instead="one")
    assert sword.run(fight).fight.combatant(2).hp == 1


# From 0


def troll(effect: Effect = REGENERATION, hp: int = 84) -> History:
    """Lia's turn; a troll at 84 hit points."""
    history = started("1 heroes Lia hp20", f"1 foes Troll hp{hp}")
    history.take(AddEffect(TROLL, effect))
    return history


def test_a_troll_at_0_lies_there_and_begins_its_turn_with_10() -> None:
    history = troll()
    outcome = history.take(rules.Damage(TROLL, 90))
    fallen = outcome.fight.combatant(TROLL)
    assert (fallen.hp, fallen.unconscious, fallen.has("prone")) == (0, True, True)
    assert [fallen.defeated, fallen.passed_over, fallen.dying] == [False, False, False]
    assert codes(outcome) == ["damaged", "went-down"]
    history.take(rules.NextTurn())
    up = history.fight.combatant(TROLL)
    assert history.fight.current == TROLL
    assert (up.hp, up.incapacitated, up.has("prone")) == (10, False, True)


@pytest.mark.parametrize("kind", ["acid", "fire"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_troll_burnt_since_its_last_turn_is_dead_at_its_start(
    kind: str, order: tuple[int, int]
) -> None:
    history = troll()
    blows = (rules.Damage(TROLL, 90), rules.Damage(TROLL, 1, type=kind))
    for index in order:
        history.take(blows[index])
    assert not history.fight.combatant(TROLL).defeated
    outcome = history.take(rules.NextTurn())
    assert "died" in codes(outcome)
    assert outcome.fight.combatant(TROLL).dead
    history.take(history.previous())
    assert not history.fight.combatant(TROLL).dead


def test_a_troll_that_stands_regenerates_nothing_once_after_fire() -> None:
    history = troll()
    history.take(rules.Damage(TROLL, 40, type="fire"))
    for hp in (44, 44, 54):
        history.take(rules.NextTurn())
        assert history.fight.combatant(TROLL).hp == hp


def test_fire_that_does_nothing_stops_nothing() -> None:
    history = troll()
    history.take(rules.Damage(TROLL, 40, type="fire", defence="immunity"))
    assert not history.fight.combatant(TROLL).effects[0].stopped


def test_a_troll_is_not_dead_while_its_dice_are_still_to_be_rolled() -> None:
    history = troll(Effect("own", text="Regeneration", each="2d6", heals=True))
    history.take(rules.Damage(TROLL, 84))
    history.take(rules.NextTurn())
    lies = history.fight.combatant(TROLL)
    assert (lies.defeated, [due.kind for due in lies.dues]) == (False, ["each"])
    rolled = rules.Settle(TROLL, lies.dues[0], made=True, total=7)
    assert rolled.run(history.fight).fight.combatant(TROLL).hp == 7
    assert rules.Dismiss(TROLL, lies.dues[0]).run(history.fight).fight.combatant(TROLL).dead


def test_more_damage_does_not_kill_a_troll_that_lies_there() -> None:
    history = troll()
    for _ in range(2):
        history.take(rules.Damage(TROLL, 200))
    assert not history.fight.combatant(TROLL).defeated


def test_a_vampire_regenerates_from_1_hit_point_on_alone() -> None:
    history = troll(Effect("own", text="Regeneration", each="20", heals=True, needs_hp=True))
    history.take(rules.Damage(TROLL, 84))
    assert history.fight.combatant(TROLL).defeated
