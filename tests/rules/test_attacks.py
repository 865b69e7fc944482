"""Attack rolls against an Armor Class. Source: SRD 5.1 and 5.2, "Making an Attack"."""

from typing import Any

import pytest

import rules
from tests.rules.making import started

LIA, OGRE = 1, 2


def table(*marks: str, **settings: str | bool) -> rules.Fight:
    """Lia attacks an ogre with AC 11; marks such as "prone" are on him."""
    history = started(
        "1 heroes Lia hp12 ac14", " ".join(("1 foes Ogre hp59 ac11", *marks)), **settings
    )
    return history.fight


def attack(*d20s: int, mode: str = "plain", **facts: Any) -> rules.Attack:
    usual: dict[str, Any] = {"parts": ((7, "slashing"),), "target": OGRE}
    return rules.Attack(LIA, "Longsword", 5, d20s, mode, **(usual | facts))


@pytest.mark.parametrize(
    ("d20s", "mode", "result", "lost"),
    [
        ((6,), "plain", "hit", 7),  # 11 against 11
        ((5,), "plain", "miss", 0),
        ((1,), "plain", "miss", 0),
        ((20,), "plain", "critical", 7),
        ((3, 18), "advantage", "hit", 7),
        ((3, 18), "disadvantage", "miss", 0),
        ((20, 2), "disadvantage", "miss", 0),
    ],
)
def test_an_attack_hits_or_misses(d20s: tuple[int, ...], mode: str, result: str, lost: int) -> None:
    outcome = attack(*d20s, mode=mode).run(table())
    assert outcome.events[0].details["result"] == result
    assert 59 - (outcome.fight.combatant(OGRE).hp or 0) == lost


def test_a_1_misses_and_a_20_hits_whatever_the_armor() -> None:
    fight = rules.Edit(OGRE, {"ac": -30}).run(table()).fight
    assert attack(1).run(fight).events[0].details["result"] == "miss"
    fight = rules.Edit(OGRE, {"ac": 300}).run(table()).fight
    assert attack(20).run(fight).events[0].details["result"] == "critical"


def test_without_a_target_or_its_armor_the_roll_is_only_told() -> None:
    for fight, target in (
        (table(), None),
        (rules.Edit(OGRE, {"ac": None}).run(table()).fight, OGRE),
    ):
        outcome = attack(19, target=target).run(fight)
        assert outcome.fight == fight.with_combatant(LIA, action_spent=True)
        assert outcome.counts
        assert outcome.events[0].details["result"] == "rolled"


def test_damage_of_an_attack_is_the_attackers_doing_and_meets_the_defences() -> None:
    resistant = (rules.Defence("resistance", "fire"),)
    fight = table().with_combatant(OGRE, defences=resistant)
    outcome = attack(15, parts=((7, "slashing"), (5, "fire"))).run(fight)
    assert outcome.fight.combatant(OGRE).hp == 59 - 7 - 2
    assert outcome.events[1].details["by"][0]["name"] == "Lia"


def test_a_critical_hit_on_the_dying_is_two_failures() -> None:
    fight = started("1 heroes Lia hp12", "1 heroes Bran hp9 ac14").fight
    fight = fight.with_combatant(OGRE, hp=0)
    assert attack(15, helpless=True).run(fight).fight.combatant(OGRE).death_failures == 2


@pytest.mark.parametrize(
    ("own", "others", "melee", "mode"),
    [
        ((), (), True, "plain"),
        (("poisoned",), (), True, "disadvantage"),
        (("invisible",), (), True, "advantage"),
        (("invisible", "poisoned"), (), True, "plain"),
        ((), ("prone",), True, "advantage"),
        ((), ("prone",), False, "disadvantage"),
        ((), ("stunned",), True, "advantage"),
        ((), ("invisible",), True, "disadvantage"),
        (("blinded",), ("blinded",), True, "plain"),
    ],
)
def test_conditions_give_advantage_and_disadvantage(
    own: tuple[str, ...], others: tuple[str, ...], melee: bool, mode: str
) -> None:
    fight = table(*others).with_combatant(LIA, effects=tuple(map(rules.Effect, own)))
    found = rules.attack_mode(
        fight.combatant(LIA), fight.combatant(OGRE), fight.settings, melee=melee
    )
    assert found == mode


@pytest.mark.parametrize(
    ("edition", "level", "mode", "penalty"),
    [("2014", 2, "plain", 0), ("2014", 3, "disadvantage", 0), ("2024", 3, "plain", 6)],
)
def test_exhaustion_hinders_attacks(edition: str, level: int, mode: str, penalty: int) -> None:
    fight = table(edition=edition)
    tired = fight.with_combatant(LIA, effects=(rules.Effect("exhaustion", level),)).combatant(LIA)
    assert rules.attack_mode(tired, None, fight.settings, melee=True) == mode
    assert rules.exhaustion_penalty(tired, fight.settings) == penalty


@pytest.mark.parametrize(("mark", "melee", "certain"), [
    ("paralyzed", True, True), ("paralyzed", False, False), ("prone", True, False),
])  # fmt: skip
def test_a_hit_on_the_helpless_from_near_is_critical(mark: str, melee: bool, certain: bool) -> None:
    assert rules.certain_critical(table(mark).combatant(OGRE), melee=melee) == certain


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (attack(21), "die-out-of-range"),
        (attack(3, 4), "die-out-of-range"),
        (attack(3, mode="advantage"), "die-out-of-range"),
        (attack(3, mode="luck"), "no-such-choice"),
        (attack(15, parts=((-1, "fire"),)), "amount-out-of-range"),
        (attack(15, target=9), "no-combatant"),
    ],
)
def test_an_attack_out_of_reason_is_refused(command: rules.Attack, code: str) -> None:
    with pytest.raises(rules.RuleError, match=code):
        command.run(table())


# Who may attack


SURPRISED, STUNNED = {"surprised": True}, {"effects": (rules.Effect("stunned"),)}
SPENT: dict[str, Any] = {"reaction": False}


@pytest.mark.parametrize(
    ("state", "way", "code"),
    [
        (SURPRISED, "action", "turn-is-lost"),
        (SURPRISED, "reaction", "turn-is-lost"),
        (SURPRISED, "legendary", "turn-is-lost"),
        (STUNNED, "action", "turn-is-lost"),
        (STUNNED, "reaction", "turn-is-lost"),
        (STUNNED, "legendary", "turn-is-lost"),
        ({"hp": 0}, "action", "turn-is-lost"),
        (SPENT, "reaction", "cannot-react"),
        ({}, "whim", "no-such-choice"),
    ],
)
def test_who_cannot_act_does_not_attack(state: dict[str, Any], way: str, code: str) -> None:
    fight = table().with_combatant(LIA, **state)
    with pytest.raises(rules.RuleError, match=code):
        attack(15, way=way).run(fight)


LEGEND = {"uses": (rules.Use("Legendary actions", 3, 3, "legendary"),)}


@pytest.mark.parametrize("way", ["action", "legendary"])
def test_a_spent_reaction_hinders_no_other_attack(way: str) -> None:
    fight = table().with_combatant(LIA, **SPENT, **LEGEND)
    fight = rules.NextTurn().run(fight).fight if way == "legendary" else fight
    assert attack(15, way=way).run(fight).fight.combatant(OGRE).hp == 52


def test_whoever_was_surprised_attacks_again_once_its_first_turn_has_ended() -> None:
    fight = rules.OverrideSurprise(LIA, "surprised").run(table()).fight
    with pytest.raises(rules.RuleError, match="turn-is-lost"):
        attack(15).run(fight)
    fight = rules.NextTurn().run(fight.with_combatant(LIA, **LEGEND)).fight
    for way in ("reaction", "legendary"):
        assert attack(15, way=way).run(fight).fight.combatant(OGRE).hp == 52


# What it takes


def codes(outcome: rules.Outcome) -> list[str]:
    return [event.code for event in outcome.events if event.code != "damaged"]


def test_several_attacks_of_one_action_take_it_once_and_the_first_says_so() -> None:
    first = attack(15).run(table())
    assert codes(first) == ["attacked", "spent"]
    assert first.fight.combatant(LIA).action_spent
    assert codes(attack(15).run(first.fight)) == ["attacked"]


def test_out_of_turn_an_attack_takes_the_reaction_or_what_was_held_ready() -> None:
    fight = rules.TakeAction(LIA, "ready", text="the door").run(table()).fight
    fight = rules.NextTurn().run(fight).fight
    with pytest.raises(rules.RuleError, match="no-legendary-now"):
        attack(15, way="legendary").run(fight)
    struck = attack(15, way="reaction").run(fight)
    assert codes(struck) == ["attacked", "reaction-spent", "readied-lost"]
    with pytest.raises(rules.RuleError, match="cannot-react"):
        attack(15, way="readied").run(struck.fight)
    released = attack(15, way="readied").run(fight)
    assert codes(released) == ["attacked", "readied-released"]
    assert not released.fight.combatant(LIA).reaction
    with pytest.raises(rules.RuleError, match="effect-is-gone"):
        attack(15, way="readied").run(rules.SetReaction(LIA, True).run(released.fight).fight)


def test_a_legendary_attack_takes_one_of_them() -> None:
    fight = rules.NextTurn().run(table().with_combatant(LIA, **LEGEND)).fight
    struck = attack(15, way="legendary").run(fight)
    assert codes(struck) == ["attacked", "use-spent"]
    assert [use.left for use in struck.fight.combatant(LIA).uses] == [2]
    assert struck.fight.combatant(LIA).reaction
