"""Falling, dying, waking: the rows of their table. Source: SRD 5.1, "Dropping to 0 Hit Points"."""

import pytest

import rules
from tests.rules.making import started


def hero(hp: int, maximum: int, **facts: object) -> rules.Fight:
    """A running fight of a hero, 1, and an ogre, 2."""
    fight = started(f"1 heroes Lia hp{maximum}", "1 foes Ogre hp59").fight
    return fight.with_combatant(1, hp=hp, **facts)


def lia(fight: rules.Fight) -> rules.Combatant:
    return fight.combatant(1)


def died(fight: rules.Fight, *commands: rules.Command) -> rules.Combatant:
    for command in commands:
        fight = command.run(fight).fight
    return lia(fight)


@pytest.mark.parametrize(
    ("temporary", "amount", "dead"),
    [(0, 17, False), (0, 18, True), (5, 22, False), (5, 23, True)],  # RW-S18
)
def test_what_is_left_of_a_blow_may_kill_a_hero_at_once(
    temporary: int, amount: int, dead: bool
) -> None:
    who = lia(rules.Damage(1, amount).run(hero(6, 12, temp_hp=temporary)).fight)
    assert (who.hp, who.dead, who.dying) == (0, dead, not dead)


def test_one_line_tells_of_a_deadly_blow() -> None:  # RW-S18
    outcome = rules.Damage(1, 18).run(hero(6, 12))
    assert [event.code for event in outcome.events] == ["damaged", "died"]


def test_a_villain_who_rolls_death_saves_falls_like_a_hero() -> None:  # RW-S18
    fight = hero(12, 12).with_combatant(2, death_saves=True)
    ogre = rules.Damage(2, 59).run(fight).fight.combatant(2)
    assert (ogre.dying, ogre.defeated, ogre.passed_over) == (True, False, False)


def test_whoever_goes_down_lies_prone() -> None:
    assert lia(rules.Damage(1, 6).run(hero(6, 12)).fight).has("prone")


@pytest.mark.parametrize(("critical", "failures"), [(False, 1), (True, 2)])
def test_a_hit_on_the_dying_is_a_failure_and_a_critical_one_two(
    critical: bool, failures: int
) -> None:
    who = lia(rules.Damage(1, 4, critical=critical).run(hero(0, 20)).fight)
    assert (who.death_failures, who.dead) == (failures, False)


def test_temporary_hit_points_take_a_blow_for_the_dying() -> None:
    who = lia(rules.Damage(1, 4).run(hero(0, 20, temp_hp=5)).fight)
    assert (who.death_failures, who.temp_hp) == (0, 1)


@pytest.mark.parametrize(("amount", "dead"), [(24, False), (25, True)])
def test_a_blow_as_high_as_the_maximum_kills_the_dying(amount: int, dead: bool) -> None:
    assert lia(rules.Damage(1, amount).run(hero(0, 20, temp_hp=5)).fight).dead == dead


def test_a_hit_ends_stability_and_counts() -> None:
    who = lia(rules.Damage(1, 3).run(hero(0, 20, stable=True)).fight)
    assert (who.stable, who.death_successes, who.death_failures) == (False, 0, 1)


@pytest.mark.parametrize(
    ("die", "successes", "failures"), [(10, 1, 0), (19, 1, 0), (9, 0, 1), (2, 0, 1), (1, 0, 2)]
)
def test_a_death_save_counts(die: int, successes: int, failures: int) -> None:
    who = lia(rules.DeathSave(1, die).run(hero(0, 12)).fight)
    assert (who.death_successes, who.death_failures) == (successes, failures)


def test_a_20_gives_a_hit_point_and_leaves_her_prone() -> None:
    fight = hero(0, 12, death_failures=2, death_successes=1)
    who = lia(rules.DeathSave(1, 20).run(fight).fight)
    assert (who.hp, who.death_failures, who.death_successes) == (1, 0, 0)
    assert who.has("prone")


def test_three_successes_make_stable_and_clear_both_counts() -> None:
    fight = hero(0, 12, death_successes=2, death_failures=2)
    who = lia(rules.DeathSave(1, 10).run(fight).fight)
    assert (who.stable, who.death_successes, who.death_failures) == (True, 0, 0)


@pytest.mark.parametrize("die", [1, 5])
def test_the_third_failure_kills(die: int) -> None:
    fight = hero(0, 12, death_failures=2)
    outcome = rules.DeathSave(1, die).run(fight)
    assert lia(outcome.fight).dead
    assert outcome.events[-1].code == "died"


def test_a_1_after_one_failure_kills() -> None:
    assert lia(rules.DeathSave(1, 1).run(hero(0, 12, death_failures=1)).fight).dead


@pytest.mark.parametrize("fact", [{"hp": 3}, {"dead": True}, {"stable": True}])
def test_only_the_dying_roll_death_saves(fact: dict[str, object]) -> None:
    fight = hero(0, 12).with_combatant(1, **fact)
    with pytest.raises(rules.RuleError, match="not-dying"):
        rules.DeathSave(1, 12).run(fight)


@pytest.mark.parametrize("die", [0, 21])
def test_a_d20_has_twenty_sides(die: int) -> None:
    with pytest.raises(rules.RuleError, match="die-out-of-range"):
        rules.DeathSave(1, die).run(hero(0, 12))


def test_a_death_save_is_due_at_the_start_of_the_turn_of_the_dying() -> None:
    fight = hero(0, 12)
    fight = rules.NextTurn().run(rules.NextTurn().run(fight).fight).fight
    assert fight.current == 1
    assert lia(fight).dues == (rules.Due("death"),)
    assert lia(rules.DeathSave(1, 12).run(fight).fight).dues == ()


def test_no_death_save_is_due_of_the_stable_or_the_dead() -> None:
    for fact in ({"stable": True}, {"dead": True}):
        fight = hero(0, 12).with_combatant(1, **fact)
        fight = rules.NextTurn().run(rules.NextTurn().run(fight).fight).fight
        assert not lia(fight).dues


def test_healing_wakes_and_touches_nothing_else() -> None:  # RW-S20
    poisoned = (rules.Effect("poisoned"), rules.Effect("prone"))
    fight = hero(0, 12, death_failures=2, death_successes=1, effects=poisoned)
    who = lia(rules.Heal(1, 8).run(fight).fight)
    assert (who.hp, who.death_failures, who.death_successes) == (8, 0, 0)
    assert not who.incapacitated
    assert who.effects == poisoned


def test_points_beyond_the_maximum_are_told() -> None:  # RW-S20
    outcome = rules.Heal(1, 8).run(hero(14, 20))
    assert (lia(outcome.fight).hp, outcome.events[0].details["over"]) == (20, 2)


@pytest.mark.parametrize("number", [1, 2])
def test_the_dead_are_not_healed_but_revived(number: int) -> None:  # RW-S20
    fight = hero(0, 12, dead=True).with_combatant(2, hp=0)
    with pytest.raises(rules.RuleError, match="is-dead"):
        rules.Heal(number, 8).run(fight)
    back = rules.Revive(number, 8).run(fight).fight.combatant(number)
    assert (back.hp, back.dead, back.defeated) == (8, False, False)


def test_the_living_are_not_revived() -> None:
    with pytest.raises(rules.RuleError, match="not-dead"):
        rules.Revive(1).run(hero(0, 12))


def test_a_lowered_maximum_lowers_hit_points_with_it() -> None:  # RW-S20
    who = lia(rules.ChangeMaximum(1, -7).run(hero(20, 20)).fight)
    assert (who.hp, who.max_hp) == (13, 13)


def test_a_raised_maximum_raises_hit_points_with_it() -> None:
    who = lia(rules.ChangeMaximum(1, 5).run(hero(8, 20)).fight)
    assert (who.hp, who.max_hp) == (13, 25)


def test_the_dying_stay_down_when_their_maximum_rises() -> None:
    assert lia(rules.ChangeMaximum(1, 5).run(hero(0, 20)).fight).hp == 0


def test_somebody_stops_the_dying() -> None:
    who = lia(rules.Stabilise(1).run(hero(0, 12, death_failures=2)).fight)
    assert (who.stable, who.hp, who.death_failures) == (True, 0, 0)


@pytest.mark.parametrize(
    ("edition", "hp", "stable", "codes"),
    [("2014", 0, True, {"prone"}), ("2024", 1, True, {"prone", "unconscious"})],
)
def test_a_spared_creature_is_knocked_out(
    edition: str, hp: int, stable: bool, codes: set[str]
) -> None:
    fight = started("1 heroes Lia hp12", "1 foes Ogre hp59", edition=edition).fight
    ogre = rules.Damage(2, 80, knock_out=True).run(fight).fight.combatant(2)
    assert (ogre.hp, ogre.stable, ogre.defeated) == (hp, stable, False)
    assert {effect.code for effect in ogre.effects} == codes
    assert ogre.incapacitated
    assert not ogre.passed_over


@pytest.mark.parametrize(("edition", "hp"), [("2014", 0), ("2024", 1)])
def test_whoever_rolls_death_saves_is_spared_like_anybody(edition: str, hp: int) -> None:
    fight = started("1 heroes Lia hp12", "1 foes Ogre hp59", edition=edition).fight
    outcome = rules.Damage(1, 80, knock_out=True).run(fight)
    who = lia(outcome.fight)
    assert [event.code for event in outcome.events] == ["damaged", "knocked-out"]
    assert (who.hp, who.dead, who.dying, who.incapacitated) == (hp, False, False, True)


def test_the_next_blow_kills_one_knocked_out() -> None:
    fight = rules.Damage(2, 80, knock_out=True).run(hero(12, 12)).fight
    assert rules.Damage(2, 1).run(fight).fight.combatant(2).defeated


@pytest.mark.parametrize("number", [1, 2])
def test_the_sixth_level_of_exhaustion_kills(number: int) -> None:
    outcome = rules.AddEffect(number, rules.Effect("exhaustion", 6)).run(hero(9, 12))
    assert outcome.fight.combatant(number).dead
    assert outcome.events[-1].code == "died"


def test_the_fourth_level_halves_the_maximum_until_it_ends() -> None:
    fight = rules.AddEffect(1, rules.Effect("exhaustion", 4)).run(hero(9, 13)).fight
    assert (lia(fight).hp, lia(fight).max_hp) == (6, 6)
    rested = rules.RemoveEffect(1, "exhaustion").run(fight).fight
    assert (lia(rested).hp, lia(rested).max_hp) == (6, 13)


@pytest.mark.parametrize(
    "command",
    [
        rules.SetHitPoints(1, 11),
        rules.Edit(1, {"hp": 11}),
        rules.Edit(1, {"hp": 11, "max_hp": 6}),  # as it stands there
    ],
)
def test_hit_points_told_of_one_dead_of_exhaustion_lift_it(command: rules.Command) -> None:
    dead = rules.AddEffect(1, rules.Effect("exhaustion", 6)).run(hero(9, 12)).fight
    assert (lia(dead).dead, lia(dead).max_hp) == (True, 6)
    who = lia(command.run(dead).fight)
    assert (who.hp, who.max_hp, who.dead, who.level("exhaustion")) == (11, 12, False, 0)


@pytest.mark.parametrize("command", [rules.SetHitPoints(1, 0), rules.Edit(1, {"hp": 0})])
def test_whoever_is_told_to_have_no_hit_points_goes_down_prone(command: rules.Command) -> None:
    outcome = command.run(hero(9, 12))
    assert lia(outcome.fight).has("prone")
    assert outcome.events[1].code == "went-down"
    again = command.run(outcome.fight)
    assert [event.code for event in again.events[1:]] == []


def test_the_dead_do_not_fall_again_when_they_are_edited() -> None:
    fight = hero(0, 12).with_combatant(1, hp=None, dead=True)
    outcome = rules.Edit(1, {"hp": 0}).run(fight)
    assert [event.code for event in outcome.events] == ["edited"]


def test_hit_points_set_to_0_let_her_fall_and_above_0_wake_her() -> None:
    down = rules.SetHitPoints(1, 0).run(hero(9, 12)).fight
    assert lia(down).dying
    for hp in (1, 4):
        outcome = rules.SetHitPoints(1, hp).run(down)
        up = lia(outcome.fight)
        assert (up.hp, up.dying, up.stable) == (hp, False, False)
        assert [event.code for event in outcome.events] == ["hit-points-set", "woke"]
    with pytest.raises(rules.RuleError, match="hp-above-maximum"):
        rules.SetHitPoints(1, 13).run(down)


@pytest.mark.parametrize(("die", "successes"), [(15, 0), (16, 1)])
def test_exhaustion_takes_from_a_rolled_death_save(die: int, successes: int) -> None:  # 2024
    fight = started("1 heroes Lia hp12", "1 foes Ogre hp59", edition="2024").fight
    fight = fight.with_combatant(1, hp=0, effects=(rules.Effect("exhaustion", 3),))
    assert lia(rules.DeathSave(1, die, rolled=True).run(fight).fight).death_successes == successes
    assert lia(rules.DeathSave(1, 10).run(fight).fight).death_successes == 1  # as told


@pytest.mark.parametrize("edition", ["2014", "2024"])
def test_healing_wakes_one_knocked_out(edition: str) -> None:
    fight = started("1 heroes Lia hp12", "1 foes Ogre hp59", edition=edition).fight
    fight = rules.Damage(2, 80, knock_out=True).run(fight).fight
    ogre = rules.Heal(2, 5).run(fight).fight.combatant(2)
    assert not ogre.incapacitated
    assert not ogre.stable
    assert ogre.has("prone")


def test_a_hero_of_one_hit_point_who_is_told_to_have_none_is_dying_not_dead() -> None:
    fight = started("1 heroes Lia hp1").fight
    lia = rules.Edit(1, {"hp": 0}).run(fight).fight.combatant(1)
    assert (lia.dying, lia.dead) == (True, False)
