"""Joining, leaving, names and letters, and the facts of a combatant that the GM sets."""

from dataclasses import replace
from typing import Any

import pytest

import rules
from tests.rules.drawing import combatants
from tests.rules.making import fight_of, opened


def joined(fight: rules.Fight, line: str, *dice: int) -> rules.Fight:
    return rules.Join(combatants(tuple(line.split())), dice).run(fight).fight


def numbers_of(fight: rules.Fight) -> list[str]:
    return [f"{c.name} {c.ordinal}" if c.ordinal else c.name for c in fight.combatants]


def letters_of(fight: rules.Fight) -> list[int]:
    return [c.letter for c in fight.combatants]


# Joining


def test_a_newcomer_above_the_turn_acts_from_the_next_round_on() -> None:  # RW-S09
    fight = fight_of("1 heroes A dex+0", "1 foes B dex+0", "1 foes C dex+0")
    fight = rules.StartFight({1: 18, 2: 12, 3: 5}).run(fight).fight
    fight = rules.NextTurn().run(fight).fight
    outcome = rules.Join(combatants(("1", "foes", "X", "dex+0")), (15,)).run(fight)
    assert [event.code for event in outcome.events] == ["joined", "initiative-rolled"]
    fight = outcome.fight
    assert (fight.current, fight.round) == (2, 1)
    acting = []
    for _ in range(5):
        fight = rules.NextTurn().run(fight).fight
        acting.append((fight.round, fight.current))
    assert acting == [(1, 3), (2, 1), (2, 4), (2, 2), (2, 3)]


def test_a_newcomer_of_a_group_takes_its_total_without_a_die() -> None:
    fight = fight_of("1 heroes Lia dex+1", "2 foes Goblin dex+2 group=gob")
    fight = rules.StartFight({1: 5, 2: 10}).run(fight).fight
    fight = joined(fight, "1 foes Goblin dex+2 group=gob", 20)
    assert len(fight.slots) == 2
    assert [c.number for c in fight.members(2)] == [2, 3, 4]


def test_newcomers_without_a_die_wait_at_the_end() -> None:
    fight = fight_of("1 heroes Lia dex+1")
    fight = rules.StartFight({1: 5}).run(fight).fight
    fight = joined(fight, "2 foes Rat dex+0", 19)
    assert [(slot.number, slot.total) for slot in fight.slots] == [(2, 19), (1, 6), (3, None)]


def test_a_fight_has_room_for_200() -> None:
    fight = fight_of("200 foes Rat")
    assert len(fight.combatants) == rules.COMBATANT_LIMIT
    with pytest.raises(rules.RuleError, match="too-many"):
        joined(fight, "1 foes Rat")


def test_nobody_joining_changes_nothing() -> None:
    fight = fight_of("1 foes Rat")
    outcome = rules.Join(()).run(fight)
    assert (outcome.fight, outcome.events) == (fight, ())


# Leaving


def test_leaving_takes_several_at_once_and_their_empty_places() -> None:
    fight = fight_of("1 heroes A dex+0", "2 foes B dex+0 group=b", "1 foes C dex+0")
    fight = rules.StartFight({1: 18, 2: 12, 4: 5}).run(fight).fight
    fight = rules.Leave((1, 2, 4)).run(fight).fight
    assert [c.number for c in fight.combatants] == [3]
    assert [slot.number for slot in fight.slots] == [2]
    assert (fight.current, fight.round) == (2, 1)


def test_the_turn_that_leaving_begins_begins_once() -> None:  # RW-S08
    fight = fight_of("1 heroes A dex+0", "1 foes B dex+0", "1 foes C dex+0")
    fight = rules.StartFight({1: 18, 2: 12, 3: 5}).run(fight).fight
    outcome = rules.Leave((1,)).run(fight)
    assert [event.code for event in outcome.events] == ["left", "turn-began"]
    fight = outcome.fight
    assert (fight.current, fight.round) == (2, 1)
    assert rules.NextTurn().run(fight).fight.current == 3


def test_one_who_is_not_there_cannot_leave() -> None:
    with pytest.raises(rules.RuleError, match="no-combatant"):
        rules.Leave((1, 9)).run(fight_of("1 foes Rat"))


def test_surprise_is_found_anew_when_the_ogre_in_the_open_leaves() -> None:
    fight = fight_of("1 heroes Lia pp10", "1 foes Goblin pp9 stealth14", "1 foes Ogre pp9")
    fight = rules.OpenFight().run(fight).fight
    assert not fight.combatant(1).surprised
    assert rules.Leave((3,)).run(fight).fight.combatant(1).surprised


# Names and numbers


def test_numbers_tell_those_of_one_name_apart() -> None:  # RW-S32
    fight = fight_of("1 foes Goblin")
    assert numbers_of(fight) == ["Goblin"]
    fight = joined(fight, "1 foes Goblin")
    assert numbers_of(fight) == ["Goblin 1", "Goblin 2"]
    fight = rules.Edit(1, {"name": "Grak"}).run(fight).fight
    assert numbers_of(fight) == ["Grak", "Goblin 2"]
    fight = joined(fight, "2 foes Goblin")
    assert numbers_of(fight) == ["Grak", "Goblin 2", "Goblin 3", "Goblin 4"]
    fight = rules.Leave((3,)).run(fight).fight
    assert numbers_of(joined(fight, "1 foes Goblin"))[-1] == "Goblin 5"


def test_a_number_once_given_is_not_given_again() -> None:  # RW-S32
    fight = rules.Leave((2,)).run(fight_of("2 foes Goblin")).fight
    fight = joined(fight, "1 foes Goblin")
    assert numbers_of(fight) == ["Goblin 1", "Goblin 3"]
    fight = rules.Leave((1, 3)).run(fight).fight
    assert numbers_of(joined(fight, "1 foes Goblin")) == ["Goblin 4"]


def test_a_number_that_stands_in_a_name_is_not_given() -> None:  # RW-S32
    fight = fight_of("2 foes Goblin", "1 heroes Lia")
    fight = rules.Edit(3, {"name": "Goblin 3"}).run(fight).fight
    assert numbers_of(joined(fight, "1 foes Goblin")) == [
        "Goblin 1",
        "Goblin 2",
        "Goblin 3",
        "Goblin 4",
    ]


def test_a_letter_once_seen_is_not_given_again() -> None:
    fight = rules.Leave((2,)).run(fight_of("2 foes Goblin")).fight
    assert letters_of(joined(fight, "1 foes Goblin")) == [1, 3]


def test_one_renamed_like_others_gets_a_number_of_its_own() -> None:
    fight = fight_of("2 foes Goblin", "1 foes Rat")
    fight = rules.Edit(3, {"name": "Goblin"}).run(fight).fight
    assert numbers_of(fight) == ["Goblin 1", "Goblin 2", "Goblin 3"]


def test_heroes_have_no_number() -> None:
    assert numbers_of(fight_of("2 heroes Lia", "1 foes Lia")) == ["Lia", "Lia", "Lia 1"]


def test_combatants_numbers_are_never_used_again() -> None:
    fight = rules.Leave((2,)).run(fight_of("2 foes Rat")).fight
    assert [c.number for c in joined(fight, "1 foes Rat").combatants] == [1, 3]


# Players' letters


def test_letters_tell_nothing_of_the_hidden() -> None:  # RW-S24
    fight = fight_of("2 foes Goblin", "2 foes Goblin hidden", "1 foes Goblin")
    assert letters_of(fight) == [1, 2, 0, 0, 3]
    fight = rules.SetHidden((4,), False).run(fight).fight
    assert letters_of(fight) == [1, 2, 0, 4, 3]
    fight = rules.SetHidden((1,), True).run(fight).fight
    assert letters_of(joined(fight, "1 foes Goblin")) == [1, 2, 0, 4, 3, 5]


def test_a_creature_that_acts_comes_into_sight_with_the_next_letter() -> None:
    fight = fight_of("1 foes Goblin dex+0", "1 foes Goblin dex+0 hidden", "1 foes Goblin dex+0")
    fight = rules.StartFight({1: 5, 2: 20, 3: 9}).run(fight).fight
    assert not fight.combatant(2).hidden
    assert letters_of(fight) == [1, 3, 2]


def test_a_table_may_keep_those_who_act_hidden() -> None:
    fight = fight_of("1 foes Goblin dex+0 hidden", reveal_on_turn=False)
    fight = rules.StartFight({1: 5}).run(fight).fight
    assert fight.combatant(1).hidden
    assert fight.seen_slot is None


def test_one_hidden_again_stays_hidden_on_later_turns() -> None:
    fight = fight_of("1 foes Goblin dex+0 hidden")
    fight = rules.StartFight({1: 5}).run(fight).fight
    fight = rules.SetHidden((1,), True).run(fight).fight
    assert rules.NextTurn().run(fight).fight.combatant(1).hidden


def test_letters_follow_the_name_that_players_see() -> None:
    fight = fight_of("2 foes Goblin", "1 foes Wolf")
    assert rules.shown_name(fight.combatant(3)) == "Wolf"
    fight = rules.Edit(3, {"label": "Goblin"}).run(fight).fight
    assert rules.shown_name(fight.combatant(3)) == "Goblin"
    assert letters_of(fight) == [1, 2, 3]
    fight = rules.Edit(1, {"label": "Shadow"}).run(fight).fight
    assert letters_of(fight) == [1, 2, 3]
    fight = rules.Edit(2, {"name": "Shadow"}).run(fight).fight
    assert letters_of(fight) == [1, 2, 3]


def test_the_name_of_a_hidden_creature_costs_no_letter() -> None:
    fight = fight_of("1 foes Goblin", "1 foes Wolf hidden")
    fight = rules.Edit(2, {"label": "Goblin"}).run(fight).fight
    assert letters_of(joined(fight, "1 foes Goblin")) == [1, 0, 2]


def test_a_settled_letter_stays_when_another_fact_is_set() -> None:
    fight = fight_of("2 foes Goblin")
    fight = rules.Edit(1, {"notes": "limps"}).run(fight).fight
    assert letters_of(fight) == [1, 2]


# Facts


def test_facts_are_set_as_the_gm_says() -> None:
    fight = rules.Edit(1, {"ac": 15, "max_hp": 12, "hp": 9}).run(fight_of("1 foes Orc")).fight
    orc = fight.combatant(1)
    assert (orc.ac, orc.max_hp, orc.hp) == (15, 12, 9)


@pytest.mark.parametrize("field", ["number", "slot", "hidden", "letter", "surprised", "wings"])
def test_other_facts_are_not_for_setting(field: str) -> None:
    with pytest.raises(rules.RuleError, match="not-editable"):
        rules.Edit(1, {field: 1}).run(fight_of("1 foes Orc"))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"hp": 10}, "hp-above-maximum"),
        ({"hp": -1}, "hp-above-maximum"),
        ({"max_hp": 8}, "hp-above-maximum"),
        ({"max_hp": None}, "hp-above-maximum"),
        ({"temp_hp": -1}, "amount-out-of-range"),
        ({"temp_hp": rules.AMOUNT_LIMIT + 1}, "amount-out-of-range"),
    ],
)
def test_impossible_hit_points_are_refused(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(rules.RuleError, match=code):
        rules.Edit(1, changes).run(fight_of("1 foes Orc hp9"))


def test_whoever_changes_sides_in_a_fight_leaves_its_group() -> None:
    fight = opened("2 foes Orc group=orc")
    changed = rules.Edit(1, {"side": "beasts"}).run(fight).fight
    assert changed.combatant(1).side == "beasts"
    assert changed.combatant(1).slot != changed.combatant(2).slot


def test_a_corrected_perception_finds_surprise_anew() -> None:
    fight = fight_of("1 heroes Lia pp10", "1 foes Goblin pp9 stealth14")
    fight = rules.OpenFight().run(fight).fight
    assert fight.combatant(1).surprised
    fight = rules.Edit(1, {"passive_perception": 15}).run(fight).fight
    assert not fight.combatant(1).surprised


def test_a_new_name_stands_for_both_languages() -> None:
    fight = fight_of("1 foes Goblin")
    fight = replace(fight, combatants=(replace(fight.combatant(1), name_fr="Gobelin"),))
    assert rules.Edit(1, {"ac": 12}).run(fight).fight.combatant(1).name_fr == "Gobelin"
    assert rules.Edit(1, {"name": "Grak"}).run(fight).fight.combatant(1).name_fr == ""


# Out of the order


def test_one_who_is_out_is_passed_over_and_comes_back_to_its_place() -> None:
    fight = fight_of("1 heroes A dex+0", "1 foes B dex+0", "1 foes C dex+0")
    fight = rules.StartFight({1: 18, 2: 12, 3: 5}).run(fight).fight
    fight = rules.SetOut(2, True).run(fight).fight
    fight = rules.NextTurn().run(fight).fight
    assert fight.current == 3
    fight = rules.SetOut(2, False).run(fight).fight
    fight = rules.NextTurn().run(fight).fight
    assert (fight.current, fight.round) == (1, 2)
    assert rules.NextTurn().run(fight).fight.current == 2


def test_nothing_changes_of_one_who_is_not_there() -> None:
    with pytest.raises(rules.RuleError, match="no-combatant"):
        fight_of("1 foes Rat").with_combatant(9, hp=1)
