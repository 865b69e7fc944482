"""Resistance, vulnerability, immunity: the order of halving. Source: SRD 5.1, "Damage"."""

from typing import Any

import pytest

import rules
from tests.rules.making import fight_of

R, V, I = "resistance", "vulnerability", "immunity"  # noqa: E741


def taken(amount: int, *kinds: str, kind: str = "fire", **how: Any) -> int:
    """What a target with these defences against fire loses of a hit."""
    defences = tuple(rules.Defence(one, "fire") for one in kinds)
    fight = fight_of("1 foes Ogre hp500").with_combatant(1, defences=defences)
    ogre = rules.Damage(1, amount, type=kind, **how).run(fight).fight.combatant(1)
    return 500 - (ogre.hp or 0)


@pytest.mark.parametrize(
    ("amount", "kinds", "how", "left"),
    [
        (25, (), {"half": True}, 12),  # RW-S19 (a)
        (25, (R, V), {}, 24),  # RW-S19 (b)
        (25, (R,), {"reduction": 5}, 10),  # RW-S19 (c)
        (25, (R,), {"half": True}, 6),  # RW-S19 (d)
        (25, (R, R), {}, 12),  # RW-S19 (e)
        (25, (V, V), {}, 50),
        (1, (), {"half": True}, 0),  # RW-S19
        (1, (R,), {}, 0),
        (28, (R, V), {"reduction": 5}, 22),
        (22, (R,), {"half": True}, 5),
        (23, (R,), {"half": True}, 5),
        (22, (I, V), {}, 0),
        (4, (), {"reduction": 9}, 0),
        (22, (R,), {"kind": "cold"}, 22),
        (22, (R,), {"kind": ""}, 22),
        (22, (R,), {"defence": "plain"}, 22),
        (22, (), {"defence": "immunity"}, 0),
        (22, (V,), {"defence": "resistance"}, 11),
    ],
)
def test_what_is_left_of_a_hit(
    amount: int, kinds: tuple[str, ...], how: dict[str, Any], left: int
) -> None:
    assert taken(amount, *kinds, **how) == left


def test_damage_of_several_types_halves_each_for_itself() -> None:
    # 7 slashing, 7 fire halved to 3: one source of 10 in all
    assert taken(7, R, kind="slashing", more=((7, "fire"),)) == 10


def test_a_reduction_is_spent_once_over_all_types() -> None:
    assert taken(3, kind="slashing", more=((7, "fire"),), reduction=5) == 5


@pytest.mark.parametrize(("also", "left"), [((), 20), (("nonmagical",), 10)])
def test_a_defence_under_a_condition_counts_when_the_gm_says_so(
    also: tuple[str, ...], left: int
) -> None:
    defences = (rules.Defence(R, "slashing", "nonmagical"),)
    fight = fight_of("1 foes Ogre hp500").with_combatant(1, defences=defences)
    ogre = rules.Damage(1, 20, type="slashing", also=also).run(fight).fight.combatant(1)
    assert 500 - (ogre.hp or 0) == left


def test_stone_resists_all_damage() -> None:
    fight = fight_of("1 foes Ogre hp500 petrified")
    assert rules.Damage(1, 21).run(fight).fight.combatant(1).hp == 490


def test_what_was_rolled_is_told_beside_what_was_taken() -> None:
    fight = fight_of("1 foes Ogre hp500").with_combatant(1, defences=(rules.Defence(R, "fire"),))
    details = rules.Damage(1, 21, type="fire").run(fight).events[0].details
    assert (details["rolled"], details["amount"]) == (21, 10)


def test_no_damage_has_a_sixth_kind_of_defence() -> None:
    with pytest.raises(rules.RuleError, match="no-such-choice"):
        taken(5, defence="luck")


def test_the_immune_take_no_condition_unless_the_gm_insists() -> None:
    immune = (rules.Defence(I, "poisoned"),)
    fight = fight_of("1 foes Ogre hp9").with_combatant(1, defences=immune)
    poisoned = rules.Effect("poisoned")
    with pytest.raises(rules.RuleError, match="is-immune"):
        rules.AddEffect(1, poisoned).run(fight)
    assert rules.AddEffect(1, poisoned, anyway=True).run(fight).fight.combatant(1).has("poisoned")


# Each type by itself


def hit(*defences: rules.Defence, hp: int = 93, at: int = 93, **how: Any) -> rules.Outcome:
    """5 fire and 5 cold on a golem with these defences."""
    golem = fight_of(f"1 foes Golem hp{hp}").with_combatant(1, defences=defences, hp=at)
    return rules.Damage(1, 5, type="fire", more=((5, "cold"),), **how).run(golem)


@pytest.mark.parametrize(
    ("how", "left"),
    [
        ({"reduction": 15, "reduction_type": "fire"}, 88),
        ({"reduction": 15}, 93),
        ({"reduction": 7}, 90),
        ({"reduction": 3, "reduction_type": "cold"}, 86),
        ({"reduction": 3, "reduction_type": "acid"}, 83),
    ],
)
def test_a_reduction_of_one_type_leaves_the_others(how: dict[str, Any], left: int) -> None:
    assert hit(**how).fight.combatant(1).hp == left


@pytest.mark.parametrize(("at", "left"), [(50, 50), (93, 93), (3, 3)])
def test_what_is_absorbed_is_regained_and_the_other_types_hurt(at: int, left: int) -> None:
    absorbs = rules.Defence("absorption", "fire")
    outcome = hit(absorbs, at=at)
    assert outcome.fight.combatant(1).hp == left
    told = [(event.code, event.details["amount"]) for event in outcome.events]
    assert told == [("absorbed", 5), ("damaged", 5)]


def test_what_is_all_absorbed_hurts_nobody_and_asks_for_no_concentration() -> None:
    fight = fight_of("1 foes Golem hp93").with_combatant(
        1,
        hp=60,
        effects=(rules.Effect("concentration"),),
        defences=(rules.Defence("absorption", "fire"),),
    )
    outcome = rules.Damage(1, 20, type="fire").run(fight)
    assert (outcome.fight.combatant(1).hp, outcome.fight.combatant(1).dues) == (80, ())
    assert [event.code for event in outcome.events] == ["absorbed"]


def test_what_a_reduction_takes_is_not_absorbed() -> None:
    absorbs = rules.Defence("absorption", "fire")
    fight = fight_of("1 foes Golem hp93").with_combatant(1, hp=60, defences=(absorbs,))
    assert rules.Damage(1, 10, type="fire", reduction=3).run(fight).fight.combatant(1).hp == 67


def test_the_dead_absorb_nothing() -> None:
    absorbs = rules.Defence("absorption", "fire")
    assert hit(absorbs, at=0).fight.combatant(1).hp == 0


# What comes to nothing


@pytest.mark.parametrize(
    ("amount", "kinds", "how", "why"),
    [
        (10, (I,), {}, "immunity"),
        (10, (), {"reduction": 10}, "reduction"),
        (1, (R,), {}, "reduction"),
        (0, (), {}, "none"),
        (0, (I,), {}, "none"),
    ],
)
def test_what_comes_to_0_is_told_with_its_reason_and_counts_as_a_step(
    amount: int, kinds: tuple[str, ...], how: dict[str, Any], why: str
) -> None:
    defences = tuple(rules.Defence(one, "fire") for one in kinds)
    fight = fight_of("1 foes Ogre hp59").with_combatant(1, defences=defences)
    outcome = rules.Damage(1, amount, type="fire", **how).run(fight)
    assert (outcome.fight, outcome.counts) == (fight, True)
    (event,) = outcome.events
    assert (event.code, event.details["amount"], event.details["nothing"]) == ("damaged", 0, why)
