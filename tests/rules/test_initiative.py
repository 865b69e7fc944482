"""The order of initiative: totals, groups and ties, with every row of their table in reach.

Source: DRS, "Combattre" / "Initiative"; SRD 5.1, "Initiative".
"""

import pytest

import rules
from tests.rules.making import fight_of, named, opened, rolled_off, with_totals

# The table


def test_a_group_and_a_hero_with_one_total_are_a_mixed_tie() -> None:
    fight = opened(
        "1 heroes Aria",
        "3 foes Goblin group=gob",
        "1 heroes Bran",
        "1 foes Ogre",
    )
    fight = with_totals(fight, 18, 15, 15, 9)
    assert named(fight) == ["Aria", "Goblin", "Bran", "Ogre"]
    assert rules.ties(fight) == (rules.Tie(15, (2, 5), "mixed", True, (2, 5)),)


def test_equal_dice_of_a_roll_off_roll_again_and_totals_stay() -> None:
    fight = with_totals(opened("3 foes Goblin group=gob", "1 heroes Bran"), 15, 15)
    fight = rolled_off(fight, 15, 12, 12, 4, 17)
    assert named(fight) == ["Bran", "Goblin"]
    assert [slot.total for slot in fight.slots] == [15, 15]
    assert not rules.ties(fight)[0].open


def test_only_equal_dice_roll_again() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B", "1 heroes C"), 11, 11, 11)
    assert named(rolled_off(fight, 11, 20, 7, 7, 3, 9)) == ["A", "C", "B"]


def test_equal_dice_need_not_stand_side_by_side() -> None:
    fight = with_totals(opened("1 foes Goblin", "1 foes Wolf", "1 heroes Bran"), 12, 12, 12)
    assert named(rolled_off(fight, 12, 8, 15, 8, 3, 11)) == ["Wolf", "Bran", "Goblin"]


def test_a_knight_at_the_heroes_side_that_the_gm_plays_is_the_gms() -> None:
    fight = with_totals(opened("1 heroes Knight gm", "1 foes Ogre"), 14, 14)
    assert rules.ties(fight)[0].kind == "gm"


def test_heroes_only_are_a_tie_of_the_players() -> None:
    fight = with_totals(opened("1 heroes Aria", "1 heroes Bran", "1 foes Ogre"), 14, 14, 3)
    assert [(tie.total, tie.kind) for tie in rules.ties(fight)] == [(14, "players")]


def test_totals_are_whole_numbers_of_any_sign() -> None:
    fight = with_totals(opened("1 foes A", "1 foes B", "1 foes C"), -1, 0, 31)
    assert [slot.total for slot in fight.slots] == [31, 0, -1]


def test_totals_are_sorted_as_numbers() -> None:  # RW-S01
    fight = opened(*(f"1 foes {name}" for name in "ABCDEF"))
    fight = with_totals(fight, 9, -1, 21, 0, 10, 2)
    assert [slot.total for slot in fight.slots] == [21, 10, 9, 2, 0, -1]


@pytest.mark.parametrize("total", [14.5, -100, 1000])
def test_a_total_that_is_no_whole_number_within_reason_is_refused(total: float) -> None:
    fight = opened("1 foes A")
    with pytest.raises(rules.RuleError, match="initiative-out-of-range"):
        rules.RollInitiative(totals={1: total}).run(fight)  # type: ignore[dict-item]


def test_without_group_initiative_four_goblins_have_four_dice() -> None:
    fight = opened("4 foes Goblin dex+2 group=gob", group_initiative=False)
    assert rules.unrolled(fight) == (1, 2, 3, 4)
    fight = rules.RollInitiative({1: 3, 2: 18, 3: 9, 4: 11}).run(fight).fight
    assert [(slot.number, slot.total) for slot in fight.slots] == [
        (2, 20),
        (4, 13),
        (3, 11),
        (1, 5),
    ]


# Groups


def test_identical_creatures_of_one_side_roll_one_die() -> None:  # RW-S04
    fight = opened("5 foes Wolf dex+2 hp11 group=wolf", "1 heroes Croc dex+2 hp11 gm group=wolf")
    assert rules.unrolled(fight) == (1, 6)
    fight = rules.StartFight({1: 10, 6: 3}).run(fight).fight
    sixth = rules.Combatant(number=0, name="Wolf", side="foes", creature="wolf", initiative_bonus=2)
    fight = rules.Join((sixth,)).run(fight).fight
    assert [(slot.number, slot.total) for slot in fight.slots] == [(1, 12), (6, 5)]
    assert len(fight.members(1)) == 6


@pytest.mark.parametrize(
    "other",
    [
        "1 foes Goblin dex+3 group=gob",
        "1 foes Boss dex+2 group=gob",
        "1 foes Goblin dex+2 group=gob2",
        "1 beasts Goblin dex+2 group=gob",
        "1 foes Goblin dex+2",
    ],
    ids=["modifier", "name", "creature", "side", "of-no-book"],
)
def test_creatures_that_differ_form_no_group(other: str) -> None:
    assert len(opened("1 foes Goblin dex+2 group=gob", other).slots) == 2


def test_creatures_of_no_book_form_no_group() -> None:
    assert len(opened("2 foes Goblin dex+2").slots) == 2


def test_hit_points_do_not_part_a_group() -> None:
    fight = fight_of("2 foes Goblin dex+2 hp7 group=gob")
    fight = rules.Damage(1, 3).run(fight).fight
    assert len(rules.OpenFight().run(fight).fight.slots) == 1


# Totals


def test_a_total_is_the_die_and_the_modifier() -> None:
    fight = rules.RollInitiative({1: 1}).run(opened("1 foes Ogre dex-2")).fight
    assert (fight.slot(1).total, fight.slot(1).die) == (-1, 1)


def test_what_was_typed_is_kept_and_what_is_blank_is_rolled() -> None:
    fight = opened("1 heroes Aria dex+2", "1 foes Ogre dex-1")
    fight = rules.RollInitiative(totals={1: 17}).run(fight).fight
    assert rules.unrolled(fight) == (2,)
    fight = rules.StartFight({2: 12}).run(fight).fight
    assert [(slot.total, slot.die) for slot in fight.slots] == [(17, None), (11, 12)]


def test_dice_and_totals_can_come_with_the_opening_and_the_beginning() -> None:
    fight = fight_of("1 heroes Aria dex+2", "1 foes Ogre dex-1", "1 foes Orc dex+0")
    fight = rules.OpenFight({2: 12}).run(fight).fight
    assert [(s.number, s.total) for s in fight.slots] == [(2, 11), (1, None), (3, None)]
    fight = rules.StartFight({3: 20}, {1: 14}).run(fight).fight
    assert [(s.number, s.total) for s in fight.slots] == [(3, 20), (1, 14), (2, 11)]
    assert fight.current == 3


def test_a_die_needs_a_modifier() -> None:
    fight = opened("1 heroes Aria")
    assert rules.unrolled(fight) == ()
    with pytest.raises(rules.RuleError, match="initiative-bonus-unknown"):
        rules.RollInitiative({1: 12}).run(fight)


def test_all_totals_are_told_at_once_and_each_once() -> None:
    fight = opened("1 heroes Aria dex+1", "2 foes Goblin dex+2 group=gob", "1 foes Ogre")
    outcome = rules.RollInitiative({1: 12, 2: 7}, {1: 3, 4: None}).run(fight)
    told = [(len(r["who"]), r["total"], r["die"]) for r in outcome.events[0].details["rolls"]]
    assert (len(outcome.events), told) == (1, [(1, 13, 12), (2, 9, 7)])


def test_without_a_total_one_acts_last() -> None:
    fight = with_totals(opened("1 heroes Aria", "1 foes Ogre", "1 foes Orc"), None, -5, 3)
    assert named(fight) == ["Orc", "Ogre", "Aria"]
    with pytest.raises(rules.RuleError) as refusal:
        rules.StartFight().run(fight)
    assert refusal.value.code == "totals-empty"
    assert [who["name"] for who in refusal.value.details["who"]] == ["Aria"]
    begun = rules.StartFight(accept_empty=True).run(fight).fight
    assert (begun.current, named(begun)) == (3, ["Orc", "Ogre", "Aria"])


def test_until_settled_equal_totals_stand_in_order_of_entry() -> None:
    fight = opened("1 heroes A", "1 foes B", "1 heroes C")
    for number in (3, 1, 2):
        fight = rules.RollInitiative(totals={number: 10}).run(fight).fight
    assert named(fight) == ["A", "B", "C"]


def test_a_fight_can_begin_with_an_open_tie() -> None:
    fight = with_totals(opened("1 heroes A", "1 foes B"), 10, 10)
    begun = rules.StartFight().run(fight).fight
    assert begun.current == 1
    assert rules.ties(begun)[0].open


def test_in_an_order_made_by_hand_a_newcomer_stands_as_late_as_it_may() -> None:
    fight = with_totals(opened("1 heroes A dex+0", "1 foes B dex+0"), 10, 5)
    fight = rules.StartFight().run(rules.Reorder(2, before=1).run(fight).fight).fight
    newcomer = rules.Combatant(number=0, name="N", side="foes", initiative_bonus=0)
    assert named(rules.Join((newcomer,), (7,)).run(fight).fight) == ["B", "A", "N"]
