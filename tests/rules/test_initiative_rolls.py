"""The Dexterity check of initiative: its modifier, advantage, scores, sides, parts of a group.

Source: SRD 5.1, "Initiative", "Conditions"; SRD 5.2, "Initiative", "Surprise".
"""

from dataclasses import replace

import pytest

import rules
from tests.rules.drawing import combatants
from tests.rules.making import (
    falling,
    fight_of,
    opened,
    with_totals,
)

AMBUSHED = ("2 foes Goblin dex+2 group=gob pp10", "1 heroes Lia dex+1 pp13 stealth15")


def totals_of(fight: rules.Fight) -> list[tuple[str, int | None]]:
    return [(fight.members(s.number)[0].name, s.total) for s in fight.slots]


def rolled(fight: rules.Fight, *dice: int) -> rules.Fight:
    """The fight with what is blank rolled, from these d20s and no more."""
    left = list(dice)
    thrown = rules.initiative_dice(fight, rules.unrolled(fight), lambda: left.pop(0))
    assert not left, "dice are left over"
    return rules.RollInitiative(thrown).run(fight).fight


# Advantage and disadvantage


@pytest.mark.parametrize(
    ("edition", "facts", "kind"),
    [
        ("2014", "", ""),
        ("2014", "poisoned", "disadvantage"),
        ("2014", "frightened", "disadvantage"),
        ("2014", "exhausted1", "disadvantage"),
        ("2014", "invisible", ""),
        ("2014", "stunned", ""),
        ("2014", "stealth17", ""),
        ("2024", "", ""),
        ("2024", "poisoned", "disadvantage"),
        ("2024", "frightened", "disadvantage"),
        ("2024", "exhausted1", ""),
        ("2024", "invisible", "advantage"),
        ("2024", "stunned", "disadvantage"),
        ("2024", "stealth17", "advantage"),
        ("2024", "stealth14", ""),
        ("2024", "invisible stealth17", "advantage"),
        ("2024", "invisible stealth17 poisoned", ""),
        ("2014", "poisoned advantage", ""),
        ("2014", "advantage", "advantage"),
        ("2024", "poisoned advantage", ""),
        ("2024", "poisoned plain", ""),
        ("2024", "invisible disadvantage", ""),
    ],
)
def test_what_a_creature_rolls_initiative_with(edition: str, facts: str, kind: str) -> None:
    fight = opened("1 heroes Lia pp16 dex+0", f"1 foes Orc pp9 dex+0 {facts}", edition=edition)
    assert rules.mode(fight.combatant(2), fight).kind == kind


def test_a_mode_says_what_helps_and_what_hinders() -> None:
    fight = opened("1 heroes Lia pp9", "1 foes Orc pp9 invisible poisoned", edition="2024")
    assert rules.mode(fight.combatant(2), fight) == rules.Mode("", ("invisible",), ("poisoned",))


def test_one_whom_an_enemy_has_noticed_is_no_longer_hidden_at_the_roll() -> None:
    fight = opened("1 heroes Lia pp18", "1 heroes Bran pp9", "1 foes Orc stealth17", edition="2024")
    assert rules.mode(fight.combatant(3), fight).kind == ""


@pytest.mark.parametrize(
    ("facts", "dice", "total"),
    [("", (12,), 14), ("poisoned", (12, 7), 9), ("advantage", (7, 12), 14)],
)
def test_two_dice_fall_and_one_counts(facts: str, dice: tuple[int, ...], total: int) -> None:
    fight = rolled(opened(f"1 foes Orc dex+2 {facts}"), *dice)
    assert fight.slot(1).total == total
    assert (fight.slot(1).die, fight.slot(1).dropped) == (
        total - 2,
        None if len(dice) == 1 else sum(dice) - total + 2,
    )


def test_exhaustion_costs_two_a_level_in_2024() -> None:
    fight = rolled(opened("1 foes Orc dex+2 exhausted3", edition="2024"), 10)
    assert fight.slot(1).total == 6


# Surprise, edition 2024


def test_a_partly_surprised_group_of_2024_takes_two_places() -> None:
    fight = fight_of(*AMBUSHED, edition="2024")
    fight = rules.OpenFight().run(rules.OverrideSurprise(2, "not-surprised").run(fight).fight).fight
    assert [c.surprised for c in fight.combatants] == [True, False, False]
    fight = rules.RollInitiative({1: (15, 6)}).run(fight).fight
    assert [
        ([c.number for c in fight.members(s.number)], s.total) for s in fight.slots if s.total
    ] == [([2], 17), ([1], 8)]
    assert fight.combatant(2).slot == 1, "the surprised take a place of their own"
    assert rules.initiative_dice(opened(*AMBUSHED), (1,), falling(15)) == {1: (15,)}


def parted() -> rules.Fight:
    """Two goblins of 2024, one of them surprised: 17 and 8."""
    known = rules.OverrideSurprise(2, "not-surprised").run(fight_of(*AMBUSHED, edition="2024"))
    fight = rules.OpenFight().run(known.fight).fight
    return rules.RollInitiative({1: (15, 6)}, {3: 9}).run(fight).fight


def places(fight: rules.Fight) -> list[tuple[list[int], int | None]]:
    return [([c.number for c in fight.members(s.number)], s.total) for s in fight.slots]


def emptied_and_rolled(fight: rules.Fight) -> rules.Fight:
    fight = rules.RollInitiative(totals={s.number: None for s in fight.slots}).run(fight).fight
    dice = rules.initiative_dice(fight, rules.unrolled(fight), falling(12, 4, 3, 2, 1))
    return rules.RollInitiative(dice).run(fight).fight


def test_what_the_roll_has_set_apart_goes_together_when_it_rolls_again_and_alike() -> None:
    fight = parted()
    assert places(fight) == [([2], 17), ([3], 9), ([1], 8)]
    fight = rules.OverrideSurprise(1, "not-surprised").run(fight).fight
    assert places(emptied_and_rolled(fight)) == [([1, 2], 14), ([3], 5)]


def test_what_the_roll_has_set_apart_stays_apart_while_it_rolls_otherwise() -> None:
    assert [own for own, _ in places(emptied_and_rolled(parted()))] == [[2], [3], [1]]


@pytest.mark.parametrize(
    "command",
    [rules.Split((1,)), rules.GiveExtraTurn(1), rules.ChangeSide((1,), "heroes")],
    ids=["split", "second-turn", "side"],
)
def test_what_the_gm_has_set_apart_stays_apart_when_it_rolls_again(command: rules.Command) -> None:
    if isinstance(command, rules.Split):
        fight = command.run(opened("2 foes Goblin dex+2 group=gob", "1 heroes Lia dex+1")).fight
    else:
        fight = rules.OverrideSurprise(1, "not-surprised").run(parted()).fight
        fight = command.run(fight).fight
    own = [own for own, _ in places(emptied_and_rolled(fight))]
    assert [1] in own
    assert [2] in own


@pytest.mark.parametrize(
    ("facts", "total"), [("", 13), ("poisoned", 8), ("invisible", 18), ("exhausted2", 9)]
)
def test_a_score_is_ten_and_the_modifier_and_five_more_or_less(facts: str, total: int) -> None:
    fight = opened(
        f"1 foes Orc dex+3 {facts}",
        "1 heroes Lia dex+3",
        edition="2024",
        monster_initiative="score",
    )
    fight = rolled(fight, 4)  # heroes roll all the same
    assert dict(totals_of(fight)) == {"Orc": total, "Lia": 7}
    assert fight.slot(1).by == "score"


def test_a_surprised_creature_of_2024_has_five_less_on_its_score() -> None:
    fight = opened(*AMBUSHED, edition="2024", monster_initiative="score")
    assert rolled(fight, 10, 4).slot(1).total == 7


def test_scores_are_a_choice_of_2024_alone() -> None:
    assert rolled(opened("1 foes Orc dex+3", monster_initiative="score"), 4).slot(1).total == 7


def test_surprise_of_2024_does_nothing_after_the_roll() -> None:
    fight = opened("1 heroes Lia dex+1 pp10", "1 foes Orc dex+0 pp9 stealth17", edition="2024")
    assert fight.combatant(1).surprised
    fight = rules.StartFight({1: (18, 9), 2: (2, 3)}).run(fight).fight
    assert totals_of(fight) == [("Lia", 10), ("Orc", 3)]
    assert not fight.combatant(1).surprised
    assert fight.combatant(1).can_react
    assert rules.means(fight.combatant(1), fight).action
    with pytest.raises(rules.RuleError, match="surprise-is-over"):
        rules.OverrideSurprise(1, "surprised").run(fight)


# Groups that roll


def test_creatures_put_together_by_the_gm_roll_one_die_with_the_modifier_of_the_first() -> None:
    fight = opened("1 foes Boss dex+3", "2 foes Goblin dex+2 group=gob", "1 heroes Lia dex+1")
    assert len(fight.slots) == 3, "members with different modifiers form no group by themselves"
    fight = rules.Merge((1, 2, 3)).run(fight).fight
    fight = rolled(fight, 10, 5)
    assert totals_of(fight) == [("Boss", 13), ("Lia", 6)]
    assert len(fight.members(1)) == 3


def test_a_member_whose_modifier_is_corrected_rolls_the_same_die_for_itself() -> None:
    fight = opened("3 foes Goblin dex+2 group=gob")
    fight = rules.Edit(2, {"initiative_bonus": 4}).run(fight).fight
    fight = rules.RollInitiative({1: (10,)}).run(fight).fight
    assert [([c.number for c in fight.members(s.number)], s.total) for s in fight.slots] == [
        ([2], 14),
        ([1, 3], 12),
    ]


def test_a_group_of_which_one_modifier_is_unknown_is_typed_not_rolled() -> None:
    fight = opened("2 foes Goblin dex+2 group=gob")
    fight = rules.Edit(2, {"initiative_bonus": None}).run(fight).fight
    assert rules.unrolled(fight) == ()
    assert rules.initiative_bonus(fight, 1) is None


def test_dice_for_a_lair_or_a_mount_are_left_aside() -> None:
    fight = opened("1 foes Rider dex+0", "1 foes Horse dex+5", "1 foes Den lair")
    fight = rules.Mount(2, 1).run(fight).fight
    assert rules.unrolled(fight) == (1,)
    fight = rules.RollInitiative({1: 9, 2: 20, 3: 20}).run(fight).fight
    assert totals_of(fight) == [("Den", 20), ("Rider", 9), ("Horse", 9)]


# Joining with a roll


def test_a_newcomer_of_a_table_with_scores_needs_no_die() -> None:
    fight = opened("1 heroes A dex+0", edition="2024", monster_initiative="score")
    fight = rules.StartFight({1: 15}).run(fight).fight
    fight = rules.Join(combatants(("1", "foes", "Orc", "dex+3"))).run(fight).fight
    assert totals_of(fight) == [("A", 15), ("Orc", 13)]


def test_an_empty_total_is_empty_and_not_zero() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B"), None, -5)
    assert totals_of(fight) == [("B", -5), ("A", None)]


def test_a_campaign_that_reads_surprise_otherwise_by_now_is_heard_by_the_next_roll() -> None:
    fight = opened("1 heroes Lia dex+0 pp12", "1 foes Orc stealth18", "1 foes Ogre", edition="2024")
    strict = replace(fight, table=replace(fight.table, surprise_reading="misses_any_threat"))
    dice = rules.initiative_dice(strict, [1], falling(15, 6))
    assert dice == {1: (15, 6)}
    assert rules.RollInitiative(dice).run(strict).fight.slot(1).total == 6


def test_a_group_of_whom_one_has_advantage_throws_two_dice() -> None:
    fight = opened("2 foes Goblin dex+2 group=gob", "1 foes Goblin dex+2 group=gob poisoned")
    fight = rules.Merge((1, 3)).run(fight).fight if len(fight.slots) > 1 else fight
    (slot,) = fight.slots
    assert rules.initiative_dice(fight, [slot.number], falling(5, 11)) == {slot.number: (5, 11)}


def test_no_die_counts_for_a_group_of_whom_one_has_an_unknown_bonus() -> None:
    fight = opened("2 foes Goblin dex+2 group=gob").with_combatant(2, initiative_bonus=None)
    with pytest.raises(rules.RuleError, match="initiative-bonus-unknown"):
        rules.RollInitiative({1: (12,)}).run(fight)
