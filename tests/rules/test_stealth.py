"""Passive Perception and Stealth, in both editions. Source: SRD 5.1 and 5.2, "Hide", "Surprise"."""

import pytest

import rules
from tests.rules.making import falling, fight_of


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
    assert fight_of(f"1 heroes Lia {facts}").combatant(1).passive == expected


def test_a_printed_passive_score_is_kept_whatever_moves_it() -> None:
    fight = rules.Edit(1, {"perception_roll": "advantage"}).run(fight_of("1 foes Owl pp15")).fight
    assert (fight.combatant(1).passive, fight.combatant(1).passive_perception) == (20, 15)
    plain = rules.Edit(1, {"perception_roll": ""}).run(fight).fight  # both cancel
    assert plain.combatant(1).passive == 15


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
