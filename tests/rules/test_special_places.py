"""Mounts and lairs. Source: DRS, "Combat monté", "Actions d'antre"; SRD 5.1."""

from dataclasses import replace

import pytest

import rules
from tests.rules.drawing import History, combatants
from tests.rules.making import (
    acting,
    fight_of,
    named,
    opened,
    order_of,
    rolled_off,
    with_totals,
)

# Mounts


def riding(*others: str) -> rules.Fight:
    """Lia on her horse, an orc, and others; all with a total."""
    fight = opened("1 heroes Lia dex+0", "1 foes Orc dex+0", "1 heroes Horse dex+4 gm", *others)
    fight = with_totals(fight, 12, 9, 20, *range(8, 8 - len(others), -1))
    return rules.Mount(3, 1).run(fight).fight


def test_a_mount_takes_its_riders_total_right_behind_it() -> None:
    fight = riding()
    assert order_of(fight) == [([1], 12), ([3], 12), ([2], 9)]
    assert rules.ties(fight) == ()


def test_a_mount_follows_every_later_total_of_its_rider() -> None:
    fight = rules.RollInitiative(totals={1: 5}).run(riding()).fight
    assert order_of(fight) == [([2], 9), ([1], 5), ([3], 5)]
    fight = rules.Reorder(1, 2).run(fight).fight
    assert order_of(fight) == [([1], 5), ([3], 5), ([2], 9)]


def test_the_gms_hand_on_a_mount_holds_until_its_rider_has_another_total() -> None:
    fight = rules.Reorder(3, 1).run(riding()).fight
    assert order_of(fight) == [([3], 12), ([1], 12), ([2], 9)]
    fight = rules.RollInitiative(totals={2: 10}).run(fight).fight
    assert order_of(fight) == [([3], 12), ([1], 12), ([2], 10)]
    fight = rules.RollInitiative(totals={1: 11}).run(fight).fight
    assert order_of(fight) == [([1], 11), ([3], 11), ([2], 10)]


def test_a_total_typed_for_a_mount_is_its_own() -> None:
    fight = rules.RollInitiative(totals={3: 4}).run(riding()).fight
    fight = rules.RollInitiative(totals={1: 15}).run(fight).fight
    assert order_of(fight) == [([1], 15), ([2], 9), ([3], 4)]


def test_two_mounts_of_one_rider_keep_their_order() -> None:
    fight = rules.Mount(4, 1).run(riding("1 heroes Mule dex+0 gm")).fight
    expected = [([1], 12), ([3], 12), ([4], 12), ([2], 9)]
    assert order_of(fight) == expected
    for total in (3, 4, 3, 30):
        fight = rules.RollInitiative(totals={2: total}).run(fight).fight
        mounted = [place for place in order_of(fight) if place[0] != [2]]
        assert mounted == expected[:3]
    fight = rules.RollInitiative(totals={1: 2}).run(fight).fight
    assert order_of(fight) == [([2], 30), ([1], 2), ([3], 2), ([4], 2)]


def test_the_gms_hand_orders_the_mounts_of_one_rider() -> None:
    fight = rules.Mount(4, 1).run(riding("1 heroes Mule dex+0 gm")).fight
    fight = rules.Reorder(3, 2).run(fight).fight
    assert order_of(fight) == [([1], 12), ([4], 12), ([3], 12), ([2], 9)]


def test_a_dismounted_or_riderless_mount_keeps_its_place() -> None:
    for command in (rules.Mount(3, None), rules.Leave((1,))):
        fight = command.run(riding()).fight
        assert ([3], 12) in order_of(fight)
        assert fight.combatant(3).rider is None
        assert fight.slot(3).by == "typed"


def test_a_mount_in_a_group_leaves_it() -> None:
    fight = opened("1 foes Rider dex+0", "2 foes Wolf dex+2 group=wolf")
    fight = rules.Mount(3, 1).run(with_totals(fight, 15, 8)).fight
    assert order_of(fight) == [([1], 15), ([3], 15), ([2], 8)]


def test_mounts_before_the_fight_and_in_it_take_the_total_when_there_is_one() -> None:
    fight = fight_of("1 foes Rider dex+0", "1 foes Wolf dex+9")
    fight = rules.StartFight({1: 12}).run(rules.Mount(2, 1).run(fight).fight).fight
    assert order_of(fight) == [([1], 12), ([2], 12)]
    horse = replace(combatants(("1", "foes", "Horse", "dex+9"))[0], rider=1)
    fight = rules.Join((horse,), (20,)).run(fight).fight
    assert order_of(fight) == [([1], 12), ([2], 12), ([3], 12)]


def test_a_mount_put_together_with_others_follows_nobody_any_more() -> None:
    fight = rules.Merge((1, 3)).run(riding()).fight
    assert order_of(fight) == [([1, 3], 12), ([2], 9)]
    assert fight.combatant(3).rider is None


def moved(fight: rules.Fight, *steps: str) -> list[int]:
    """The order after steps such as "2 up"."""
    for step in steps:
        number, way = step.split()
        turn = rules.one_up if way == "up" else rules.one_down
        fight = turn(fight, int(number)).run(fight).fight
    return [slot.number for slot in fight.slots]


@pytest.mark.parametrize("who", [1, 3])
def test_a_mount_follows_no_rider_of_another_side(who: int) -> None:
    outcome = rules.ChangeSide((who,), "foes").run(riding())
    assert [event.code for event in outcome.events] == ["side-changed", "dismounted"]
    assert (outcome.fight.combatant(3).rider, outcome.fight.slot(3).by) == (None, "typed")
    edited = rules.Edit(who, {"side": "foes"}).run(riding()).fight
    assert edited.combatant(3).rider is None
    both = rules.ChangeSide((1, 3), "foes").run(riding()).fight
    assert both.combatant(3).rider == 1


@pytest.mark.parametrize(
    ("steps", "order"),
    [
        (("2 up",), [2, 1, 3, 4]),
        (("2 up", "2 down"), [1, 3, 2, 4]),
        (("1 down",), [2, 1, 3, 4]),
        (("4 up", "4 up"), [4, 1, 3, 2]),
        (("1 up",), [1, 3, 2, 4]),
        (("4 down",), [1, 3, 2, 4]),
        (("3 up",), [3, 1, 2, 4]),
        (("3 up", "1 down"), [3, 2, 1, 4]),
        (("3 down",), [1, 2, 3, 4]),
    ],
)
def test_a_step_up_or_down_is_over_a_rider_with_its_mounts(
    steps: tuple[str, ...], order: list[int]
) -> None:
    assert moved(riding("1 heroes Bran"), *steps) == order


def test_a_second_turn_is_stepped_over_by_itself() -> None:
    fight = rules.GiveExtraTurn(1).run(riding("1 heroes Bran")).fight
    second = fight.last_number
    assert moved(fight) == [1, 3, 2, 4, second]
    assert moved(fight, "1 down", "1 down") == [2, 4, 1, 3, second]


def test_the_places_at_the_ends_step_nowhere() -> None:
    fight = riding()
    assert rules.one_up(fight, 1).run(fight) == rules.Outcome(fight)
    assert rules.one_down(fight, 2).run(fight) == rules.Outcome(fight)


def test_a_mount_goes_with_its_rider_when_a_tie_is_settled() -> None:
    fight = rules.RollInitiative(totals={2: 12}).run(riding()).fight
    for command in (rules.BreakTie((2, 1)), rules.ActFirst(2)):
        settled = command.run(fight).fight
        assert [slot.number for slot in settled.slots] == [2, 1, 3]
    assert [s.number for s in rolled_off(fight, 12, 3, 15).slots] == [2, 1, 3]


@pytest.mark.parametrize(
    ("mount", "rider", "code"),
    [
        (3, 3, "rides-itself"),
        (1, 3, "rides-itself"),
        (4, 3, "rides-itself"),
        (4, 5, "rides-itself"),
        (1, 4, "cannot-be-ridden"),
        (2, 1, "merge-of-two-sides"),
        (9, 1, "no-combatant"),
        (3, 9, "no-combatant"),
        (5, 1, "cannot-be-ridden"),
    ],
    ids=[
        "itself", "its-mount", "a-mount", "lair-as-rider", "hero-as-mount", "two-sides",
        "no-mount", "no-rider", "lair",
    ],
)  # fmt: skip
def test_who_cannot_be_mount_or_rider(mount: int, rider: int, code: str) -> None:
    fight = riding("1 heroes Mule dex+0 gm", "1 heroes Den gm lair")
    with pytest.raises(rules.RuleError, match=code):
        rules.Mount(mount, rider).run(fight)


def test_one_who_rides_carries_nobody() -> None:
    fight = opened("1 foes A", "1 foes B", "1 foes C")
    fight = rules.Mount(2, 1).run(fight).fight
    with pytest.raises(rules.RuleError, match="cannot-be-ridden"):
        rules.Mount(1, 3).run(fight)


# Lairs


def test_a_lair_acts_on_count_20_after_every_creature_there() -> None:  # RW-S03
    fight = opened("1 foes Den lair", "1 foes Drake dex+0", "1 heroes Aria dex+0")
    fight = with_totals(fight, 20, 20, 20)
    assert named(fight) == ["Drake", "Aria", "Den"]
    (tie,) = rules.ties(fight)
    assert (tie.slots, tie.kind) == ((2, 3), "mixed")
    fight = rules.StartFight().run(fight).fight
    fight = rules.Join(combatants(("1", "foes", "N", "dex+0")), (20,)).run(fight).fight
    assert named(fight) == ["Drake", "Aria", "N", "Den"]
    assert rules.ties(fight)[0].slots == (2, 3, 4)


def test_a_lair_whose_total_is_told_still_loses_every_tie_and_rolls_nothing() -> None:
    fight = opened("1 foes Den lair dex+3", "1 foes Drake dex+0", "1 heroes Aria dex+0")
    fight = with_totals(fight, 15, 15, 15)
    assert named(fight) == ["Drake", "Aria", "Den"]
    assert rules.ties(fight)[0].slots == (2, 3)
    fight = rules.StartFight().run(fight).fight
    fight = rules.Join(combatants(("1", "foes", "N", "dex+0")), (15,)).run(fight).fight
    assert named(fight) == ["Drake", "Aria", "N", "Den"]
    assert rules.RollInitiative({1: 12}).run(fight).fight.slot(1).total == 15
    sides = {"foes": (18,), "heroes": (3,)}
    assert rules.RollInitiative(sides=sides).run(fight).fight.slot(1).total == 15
    emptied = rules.RollInitiative(totals={1: None}).run(fight).fight
    assert rules.unrolled(emptied) == ()


def test_a_lair_rolls_nothing_and_is_nobodys_enemy() -> None:
    fight = opened("1 foes Den lair dex+3", "1 heroes Lia pp9", "1 foes Orc stealth20")
    assert 1 not in rules.unrolled(fight)
    assert fight.slot(1).total == 20
    assert fight.combatant(2).surprised, "a lair is no threat to notice"


def test_a_lair_alone_is_no_fight() -> None:
    with pytest.raises(rules.RuleError, match="nobody-fights"):
        rules.OpenFight().run(fight_of("1 foes Den lair"))


def test_the_lair_of_a_surprised_creature_does_nothing_until_its_first_turn_has_ended() -> None:
    # A 22, lair 20, surprised dragon 18, B 10: no lair action in round 1.
    fight = fight_of(
        "1 heroes A dex+0 stealth19", "1 foes Dragon dex+0 pp15", "1 heroes B dex+0 stealth17",
        "1 foes Den lair",
    )  # fmt: skip
    fight = rules.Edit(4, {"owner": 2}).run(fight).fight
    history = History(rules.StartFight({1: 22, 2: 18, 3: 10}).run(fight).fight)
    assert named(history.fight) == ["A", "Den", "Dragon", "B"]
    assert acting(history, 4) == [(1, [2]), (1, [3]), (2, [1]), (2, [4])]


def test_a_lair_acts_in_round_1_when_the_first_turn_of_its_creature_came_before() -> None:
    fight = fight_of("1 heroes A dex+0 stealth19", "1 foes Dragon dex+0 pp15", "1 foes Den lair")
    fight = rules.Edit(3, {"owner": 2}).run(fight).fight
    history = History(rules.StartFight({1: 9, 2: 25}).run(fight).fight)
    assert acting(history, 2) == [(1, [3]), (1, [1])]


def test_a_lair_is_the_one_legendary_creatures_unless_told_otherwise() -> None:
    fight = fight_of("1 foes Dragon", "2 foes Orc", "1 foes Den lair")
    assert fight.owner_of(fight.combatant(4)) is None, "nobody there is legendary"
    legendary = (rules.Use("Legendary actions", 3, 3, "legendary"),)
    fight = fight.with_combatant(1, uses=legendary)
    assert fight.owner_of(fight.combatant(4)) == fight.combatant(1)
    nobodys = rules.Edit(4, {"owner": 0}).run(fight).fight
    assert nobodys.owner_of(nobodys.combatant(4)) is None
    told = rules.Edit(4, {"owner": 3}).run(fight).fight
    assert told.owner_of(told.combatant(4)) == fight.combatant(3)
    two = fight.with_combatant(2, uses=legendary)
    assert two.owner_of(two.combatant(4)) is None, "either may be meant"


def test_the_lair_of_a_dead_or_absent_creature_does_nothing() -> None:
    fight = fight_of("1 foes Dragon dex+0 hp9", "1 heroes A dex+0", "1 foes Den lair")
    fight = rules.Edit(3, {"owner": 1}).run(fight).fight
    fight = rules.StartFight({1: 22, 2: 18}).run(fight).fight
    for gone in (rules.Damage(1, 9), rules.SetOut(1, True)):
        assert rules.next_slot(gone.run(fight).fight) == 2
