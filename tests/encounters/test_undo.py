"""Undo, redo and the previous turn in stories that happen at a table."""

from dataclasses import replace

import pytest

import rules
from encounters.models import Encounter
from tests.encounters.playing import back, fight_in, fresh, redo, take, undo
from tests.factories import EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db


def state_of(fight: rules.Fight) -> rules.Fight:
    """Everything but the count of steps, which undo does not take back."""
    return replace(fight, version=0)


def begun() -> Encounter:
    """Two heroes against goblins, of whom two act together; a fight in its first turn."""
    goblins = [creature(creature="srd-5.1/goblin", name_fr="Gobelin", notes="sly")] * 2
    encounter: Encounter = EncounterFactory.create()
    take(encounter, rules.Join((hero("Aria"), hero("Bran"), *goblins, creature("Ogre"))))
    take(encounter, rules.StartFight(totals={1: 20, 2: 15, 3: 15, 5: 10}))
    return encounter


def test_undo_brings_back_whoever_left_with_all_that_it_was() -> None:
    encounter = begun()
    for command in (
        rules.Damage(4, 3),
        rules.GiveTemporary(4, 5),
        rules.SetHidden((4,), True),
        rules.OverrideSurprise(4, "surprised"),
        rules.SetOut(4, True),
        rules.BreakTie((3, 2)),
    ):
        take(encounter, command)
    before = fight_in(encounter)
    take(encounter, rules.Leave((4, 5)))
    assert len(fight_in(encounter).combatants) == 3
    undo(encounter)
    assert state_of(fight_in(encounter)) == state_of(before)


def test_undo_of_the_beginning_leads_back_to_the_preparation() -> None:
    encounter: Encounter = EncounterFactory.create()
    take(encounter, rules.Join((hero("Aria"), creature(hidden=True))))
    prepared = fight_in(encounter)
    take(encounter, rules.StartFight(dice={1: 9, 2: 9}))
    running = fight_in(encounter)
    undo(encounter)
    assert state_of(fight_in(encounter)) == state_of(prepared)
    redo(encounter)
    assert state_of(fight_in(encounter)) == state_of(running)


def test_redo_brings_the_same_dice() -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria"), creature()))
    take(encounter, rules.OpenFight({1: 17, 2: 4}))
    undo(encounter)
    redo(encounter)
    assert [slot.die for slot in fight_in(encounter).slots] == [17, 4]


def test_a_new_step_ends_what_could_be_redone() -> None:
    encounter = begun()
    take(encounter, rules.Damage(1, 5))
    undo(encounter)
    take(encounter, rules.Damage(2, 5))
    with pytest.raises(rules.RuleError, match="nothing-to-redo"):
        redo(encounter)


def test_sixty_steps_can_all_be_undone() -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria", max_hp=99)))
    for _ in range(60):
        take(encounter, rules.Damage(1, 1))
    for _ in range(60):
        undo(encounter)
    assert fight_in(encounter).combatant(1).hp == 99
    assert fresh(encounter).version == 120


def test_turns_before_a_goblin_was_removed_come_back_as_they_were() -> None:
    """Next is pressed, a goblin is removed; undo twice, and next does as the first time."""
    encounter = begun()
    before = fight_in(encounter)
    take(encounter, rules.NextTurn())
    after = fight_in(encounter)
    take(encounter, rules.Leave((4,)))
    undo(encounter)
    assert state_of(fight_in(encounter)) == state_of(after)
    undo(encounter)
    assert state_of(fight_in(encounter)) == state_of(before)
    again = take(encounter, rules.NextTurn()).fight
    assert replace(state_of(again), turn_step=0) == replace(state_of(after), turn_step=0)


def test_previous_turn_keeps_the_wounds_of_the_turn_it_takes_back() -> None:
    encounter = begun()
    take(encounter, rules.NextTurn())
    take(encounter, rules.Damage(5, 3))
    fight = back(encounter).fight
    assert (fight.current, fight.round, fight.combatant(5).hp) == (1, 1, 4)
    undo(encounter)
    assert fight_in(encounter).current == 2


def test_previous_turn_after_undo_and_redo_goes_one_turn_back() -> None:
    encounter = begun()
    for _ in range(2):
        take(encounter, rules.NextTurn())
    undo(encounter)
    redo(encounter)
    assert fight_in(encounter).current == 3
    assert back(encounter).fight.current == 2
    undo(encounter)
    assert back(encounter).fight.current == 2
    assert back(encounter).fight.current == 1


def test_previous_turn_passes_over_turns_of_those_who_have_left() -> None:
    encounter = begun()
    for _ in range(2):
        take(encounter, rules.NextTurn())
    take(encounter, rules.Leave((2,)))
    fight = back(encounter).fight
    assert (fight.current, fight.round) == (1, 1)
