"""Hit points: the rows of their table in reach, and their bounds. Source: SRD 5.1, "Damage"."""

from collections.abc import Callable

import pytest

import rules
from tests.rules.making import fight_of


def creature(hp: int, maximum: int, temporary: int = 0, side: str = "foes") -> rules.Fight:
    fight = fight_of(f"1 {side} Lia hp{maximum} temp{temporary}")
    return rules.Edit(1, {"hp": hp}).run(fight).fight


@pytest.mark.parametrize(
    ("hp", "maximum", "temporary", "amount", "left", "temporary_left"),
    [
        (8, 8, 5, 9, 4, 0),
        (7, 7, 0, 30, 0, 0),
        (6, 20, 7, 4, 6, 3),  # RW-S17
        (6, 20, 3, 9, 0, 0),  # RW-S17
        (6, 20, 3, 3, 6, 0),
        (6, 20, 3, 0, 6, 3),
        (0, 20, 5, 3, 0, 2),
        (1, 1, 0, 99_999, 0, 0),
    ],
)
def test_damage_takes_temporary_hit_points_first(
    hp: int, maximum: int, temporary: int, amount: int, left: int, temporary_left: int
) -> None:
    hurt = rules.Damage(1, amount).run(creature(hp, maximum, temporary)).fight.combatant(1)
    assert (hurt.hp, hurt.temp_hp) == (left, temporary_left)


def test_a_monster_at_0_is_defeated() -> None:
    outcome = rules.Damage(1, 30).run(creature(7, 7))
    monster = outcome.fight.combatant(1)
    assert (monster.hp, monster.defeated, monster.down, monster.passed_over) == (
        0,
        True,
        False,
        True,
    )
    assert [event.code for event in outcome.events] == ["damaged", "was-defeated"]


def test_a_hero_at_0_is_down_and_not_passed_over() -> None:
    # RW-S18, as far as it is played: 6 of 12 and 17 damage.
    outcome = rules.Damage(1, 17).run(creature(6, 12, side="heroes"))
    hero = outcome.fight.combatant(1)
    assert (hero.hp, hero.down, hero.defeated, hero.passed_over) == (0, True, False, False)
    assert [event.code for event in outcome.events] == ["damaged", "went-down"]


def test_a_hit_on_one_already_at_0_tells_no_second_fall() -> None:
    outcome = rules.Damage(1, 3).run(creature(0, 12, side="heroes"))
    assert [event.code for event in outcome.events] == ["damaged", "death-save-failed"]


def test_a_hit_on_a_defeated_monster_changes_nothing() -> None:
    outcome = rules.Damage(1, 3).run(creature(0, 7))
    assert outcome.fight == creature(0, 7)


@pytest.mark.parametrize(
    ("hp", "amount", "healed"), [(15, 10, 20), (0, 3, 3), (20, 5, 20), (4, 0, 4)]
)
def test_healing_stops_at_the_maximum(hp: int, amount: int, healed: int) -> None:
    fight = rules.Heal(1, amount).run(creature(hp, 20, temporary=6, side="heroes")).fight
    assert (fight.combatant(1).hp, fight.combatant(1).temp_hp) == (healed, 6)


@pytest.mark.parametrize(("had", "given", "has"), [(10, 12, 12), (12, 10, 12), (0, 5, 5)])
def test_temporary_hit_points_do_not_add_up(had: int, given: int, has: int) -> None:
    fight = rules.GiveTemporary(1, given).run(creature(6, 20, temporary=had)).fight
    assert (fight.combatant(1).hp, fight.combatant(1).temp_hp) == (6, has)


def test_temporary_hit_points_do_not_wake_a_hero() -> None:  # RW-S17
    fight = rules.GiveTemporary(1, 5).run(creature(0, 20, side="heroes")).fight
    assert fight.combatant(1).down


@pytest.mark.parametrize(
    ("hp", "maximum", "health"),
    [
        (20, 20, "healthy"),
        (19, 20, "hurt"),
        (11, 20, "hurt"),
        (10, 20, "bloodied"),
        (1, 20, "bloodied"),
        (0, 20, "down"),
        (4, 7, "hurt"),
        (3, 7, "bloodied"),
        (1, 1, "healthy"),
    ],
)
def test_health_in_a_word(hp: int, maximum: int, health: str) -> None:
    assert creature(hp, maximum).combatant(1).health == health


def test_unknown_hit_points_have_no_word() -> None:
    assert fight_of("1 heroes Lia").combatant(1).health == ""


Change = Callable[[int, int], rules.Command]
CHANGES = pytest.mark.parametrize("change", [rules.Damage, rules.Heal, rules.GiveTemporary])


@CHANGES
@pytest.mark.parametrize("amount", [-1, rules.AMOUNT_LIMIT + 1])
def test_an_amount_out_of_reason_is_refused(change: Change, amount: int) -> None:
    with pytest.raises(rules.RuleError, match="amount-out-of-range"):
        change(1, amount).run(creature(5, 9))


@CHANGES
def test_unknown_hit_points_cannot_change(change: Change) -> None:
    with pytest.raises(rules.RuleError, match="hp-unknown"):
        change(1, 3).run(fight_of("1 heroes Lia"))


@CHANGES
def test_hit_points_of_nobody_cannot_change(change: Change) -> None:
    with pytest.raises(rules.RuleError, match="no-combatant"):
        change(2, 3).run(creature(5, 9))


@CHANGES
def test_the_dice_behind_an_amount_are_told(change: Callable[..., rules.Command]) -> None:
    outcome = change(1, 7, dice=(3, 4)).run(creature(5, 9))
    assert outcome.events[0].details["dice"] == [3, 4]
    assert outcome.events[0].details["amount"] == 7


def test_only_the_one_meant_is_hurt() -> None:  # RW-S33
    fight = fight_of("2 foes Garde hp9", "1 foes Dan hp9", "1 foes Daniel hp9")
    hurt = rules.Damage(2, 4).run(fight).fight
    assert [c.hp for c in hurt.combatants] == [9, 5, 9, 9]


@pytest.mark.parametrize(
    ("temporary", "amount", "turned"), [(0, 1, False), (9, 1, False), (0, 0, True)]
)
def test_the_turned_are_so_until_they_take_damage(
    temporary: int, amount: int, turned: bool
) -> None:
    fight = rules.AddEffect(1, rules.Effect("turned")).run(creature(7, 7, temporary)).fight
    outcome = rules.Damage(1, amount).run(fight)
    assert outcome.fight.combatant(1).has("turned") == turned
    assert [e.code for e in outcome.events] == ["damaged", *([] if turned else ["effect-ended"])]
