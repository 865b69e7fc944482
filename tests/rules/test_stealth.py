"""Passive Perception and Stealth, in both editions. Source: SRD 5.1 and 5.2, "Hide", "Surprise"."""

import pytest

import rules
from tests.rules.making import falling, fight_of


def passive(fight: rules.Fight) -> int | None:
    return rules.passive(fight.combatant(1), fight.settings)


def surprised(fight: rules.Fight) -> set[str]:
    opened = rules.OpenFight().run(fight).fight
    return {c.name for c in opened.combatants if c.surprised}


@pytest.mark.parametrize(
    ("facts", "expected"),
    [("pp12", 12), ("pp12 keen", 17), ("pp12 dull", 7), ("", None), ("keen", None)],
)
def test_advantage_and_disadvantage_move_a_passive_score_by_five(
    facts: str, expected: int | None
) -> None:
    assert passive(fight_of(f"1 heroes Lia {facts}")) == expected


def test_a_printed_passive_score_is_kept_whatever_moves_it() -> None:
    fight = rules.Edit(1, {"perception_roll": "advantage"}).run(fight_of("1 foes Owl pp15")).fight
    assert (passive(fight), fight.combatant(1).passive_perception) == (20, 15)
    plain = rules.Edit(1, {"perception_roll": ""}).run(fight).fight
    assert passive(plain) == 15


# What hinders ability checks hinders these, too


@pytest.mark.parametrize(
    ("facts", "edition", "expected"),
    [
        ("pp14 poisoned", "2014", 9),
        ("pp14 poisoned", "2024", 9),
        ("pp14 frightened", "2014", 9),
        ("pp14 exhausted1", "2014", 9),
        ("pp14 exhausted1", "2024", 12),
        ("pp14 exhausted3", "2024", 8),
        ("pp14 exhausted3 poisoned", "2024", 3),
        ("pp14 poisoned keen", "2014", 14),
        ("pp14 poisoned dull", "2014", 9),
        ("poisoned", "2014", None),
    ],
)
def test_passive_perception_follows_what_hinders_ability_checks(
    facts: str, edition: str, expected: int | None
) -> None:
    assert passive(fight_of(f"1 heroes Aria {facts}", edition=edition)) == expected


def test_the_gm_may_say_that_a_condition_does_not_count() -> None:
    fight = fight_of("1 heroes Aria pp14 frightened", "1 foes Goblin sneak+3 frightened")
    for number, what in ((1, "perception_roll"), (2, "stealth_roll")):
        fight = rules.Edit(number, {what: "plain"}).run(fight).fight
    assert passive(fight) == 14
    assert rules.roll_stealth(fight, (2,), falling(9)) == ({2: 12}, {2: (9,)})


def test_poisoned_aria_is_surprised_by_whom_she_would_have_noticed() -> None:
    foe = "1 foes Goblin pp9 stealth12"
    assert surprised(fight_of("1 heroes Aria pp14", foe)) == set()
    assert surprised(fight_of("1 heroes Aria pp14 poisoned", foe)) == {"Aria"}


def test_surprise_is_found_anew_when_the_poison_is_over() -> None:
    fight = fight_of("1 heroes Aria pp14 poisoned", "1 foes Goblin pp9 stealth12")
    opened = rules.OpenFight().run(fight).fight
    assert opened.combatant(1).surprised
    assert not rules.RemoveEffect(1, "poisoned").run(opened).fight.combatant(1).surprised


@pytest.mark.parametrize(
    ("facts", "edition", "dice", "result"),
    [
        ("poisoned", "2014", (15, 3), 9),
        ("exhausted1", "2014", (15, 3), 9),
        ("exhausted1", "2024", (15,), 19),
        ("exhausted2 poisoned", "2024", (15, 13), 15),
    ],
)
def test_stealth_follows_what_hinders_ability_checks(
    facts: str, edition: str, dice: tuple[int, ...], result: int
) -> None:
    fight = fight_of(f"1 foes Goblin sneak+6 {facts}", edition=edition)
    assert rules.roll_stealth(fight, (1,), falling(*dice)) == ({1: result}, {1: dice})


def test_the_poisoned_with_advantage_on_stealth_roll_one_die() -> None:
    fight = fight_of("1 foes Goblin sneak+6 poisoned")
    fight = rules.Edit(1, {"stealth_roll": "advantage"}).run(fight).fight
    assert rules.roll_stealth(fight, (1,), falling(7)) == ({1: 13}, {1: (7,)})


def test_the_score_as_moved_is_what_the_matrix_holds_against_stealth() -> None:
    fight = fight_of("1 heroes Lia pp10 keen", "1 foes Goblin pp9 stealth14")
    assert rules.watches(fight)[0].notices == (rules.Notice(2, True, "noticed", 15, 14),)


@pytest.mark.parametrize(
    ("roll", "dice", "result"),
    [("", (7,), 10), ("advantage", (7, 15), 18), ("disadvantage", (15, 7), 10)],
)
def test_stealth_is_a_die_and_the_bonus(roll: str, dice: tuple[int, ...], result: int) -> None:
    fight = rules.Edit(1, {"stealth_roll": roll}).run(fight_of("1 foes Goblin sneak+3")).fight
    assert rules.roll_stealth(fight, (1,), falling(*dice)) == ({1: result}, {1: dice})


def test_each_hides_with_a_die_of_its_own_or_identical_ones_with_one() -> None:
    band = (
        "2 foes Goblin sneak+3 group=gob",
        "1 foes Wolf sneak+1 group=wolf",
        "2 foes Rat sneak+0",
    )
    each, _ = rules.roll_stealth(fight_of(*band), range(1, 6), falling(1, 2, 3, 4, 5))
    assert each == {1: 4, 2: 5, 3: 4, 4: 4, 5: 5}
    one = fight_of(*band, group_stealth="one_die")
    together, dice = rules.roll_stealth(one, range(1, 6), falling(1, 3, 4, 5))
    assert together == {1: 4, 2: 4, 3: 4, 4: 4, 5: 5}
    assert dice[1] == dice[2] == (1,)


def test_stealth_without_a_bonus_is_typed_not_rolled() -> None:
    with pytest.raises(rules.RuleError, match="stealth-bonus-unknown"):
        rules.roll_stealth(fight_of("1 foes Goblin"), (1,), falling(9))


def test_an_unknown_stealth_bonus_stops_that_creature_alone() -> None:
    fight = fight_of("1 foes Goblin sneak+3", "1 foes Shape")
    assert rules.roll_stealth(fight, (1, 2), falling(9)) == ({1: 12}, {1: (9,)})


def test_where_one_die_is_rolled_a_latecomer_takes_the_result_of_its_like() -> None:
    band = ("2 foes Goblin sneak+3 group=gob stealth11", "1 foes Goblin sneak+3 group=gob")
    one = fight_of(*band, group_stealth="one_die")
    assert rules.roll_stealth(one, (3,), falling()) == ({3: 11}, {3: ()})
    assert rules.roll_stealth(one, (1,), falling(2)) == ({1: 5}, {1: (2,)})
    assert rules.roll_stealth(fight_of(*band), (3,), falling(2)) == ({3: 5}, {3: (2,)})


@pytest.mark.parametrize(
    ("edition", "stealth", "expected"),
    [("2014", 14, {"Lia"}), ("2024", 14, set()), ("2024", 15, {"Lia"}), ("2014", 1, {"Lia"})],
)
def test_in_2024_a_stealth_result_below_15_hides_nobody(
    edition: str, stealth: int, expected: set[str]
) -> None:
    fight = fight_of("1 heroes Lia pp1", f"1 foes Goblin stealth{stealth}", edition=edition)
    assert surprised(fight) == expected


@pytest.mark.parametrize(
    ("edition", "stealth_tie", "expected"),
    [
        ("2014", "edition", {"Lia"}),
        ("2024", "edition", set()),
        ("2014", "observer", set()),
        ("2024", "hider", {"Lia"}),
    ],
)
def test_who_wins_equal_numbers_is_for_the_edition_unless_the_table_says(
    edition: str, stealth_tie: str, expected: set[str]
) -> None:
    joining = ("1 heroes Lia pp16", "1 foes Goblin pp9 stealth16")
    fight = fight_of(*joining, edition=edition, stealth_tie=stealth_tie)
    assert surprised(fight) == expected


@pytest.mark.parametrize("code", ["unconscious", "petrified"])
def test_the_unconscious_and_the_petrified_notice_nobody(code: str) -> None:
    joining = ("1 foes Goblin pp9 stealth14", "1 foes Ogre pp8")
    assert surprised(fight_of(f"1 heroes Lia pp30 {code}", *joining)) == {"Lia"}
    assert surprised(fight_of("1 heroes Lia pp30 paralyzed", *joining)) == set()


def test_the_gms_word_beats_a_tick_that_one_cannot_be_surprised() -> None:
    fight = rules.OverrideSurprise(1, "surprised").run(fight_of("1 heroes Lia pp10 alert")).fight
    assert rules.watches(fight)[0].reason == "by-hand"


@pytest.mark.parametrize(
    ("score", "told", "expected"),
    [(16, None, 3), (9, None, -1), (16, 0, 0), (16, 7, 7), (None, None, None), (None, 2, 2)],
)
def test_dexterity_gives_initiative_and_stealth_until_a_bonus_is_told(
    score: int | None, told: int | None, expected: int | None
) -> None:
    lia = rules.Combatant(
        1, "Lia", "heroes", dexterity=score, initiative_bonus=told, stealth_bonus=told
    )
    fight = rules.OpenFight().run(rules.Join((lia,)).run(rules.Fight()).fight).fight
    assert rules.initiative_bonus(fight, 1) == expected
    assert rules.unrolled(fight) == (() if expected is None else (1,))
    if expected is not None:
        results, _dice = rules.roll_stealth(fight, [1], lambda: 10)
        assert results == {1: 10 + expected}
