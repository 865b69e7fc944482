"""A fight changes by steps: each once, whole or not at all, whoever else is at it."""

from collections.abc import Callable
from functools import partial
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

import rules
from encounters import live, publishing, steps
from encounters.models import Combatant, Encounter, Step
from tests.encounters.playing import (
    back,
    fight_in,
    ogre_fight,
    ogres_hp,
    redo,
    take,
    undo,
    versions,
)
from tests.factories import EncounterFactory, creature, fight_of, hero

once = pytest.mark.django_db
with_threads = pytest.mark.django_db(transaction=True)


def everything(encounter: Encounter) -> tuple[object, ...]:
    """All that the database holds of an encounter and of its campaign."""
    return (
        Encounter.objects.filter(pk=encounter.pk).values().get(),
        list(Combatant.objects.filter(encounter=encounter).values()),
        list(Step.objects.filter(encounter=encounter).values()),
        type(encounter.campaign).objects.filter(pk=encounter.campaign_id).values().get(),
    )


# The same key


# RW-S28: one turn, one step, and the same answer
@once
def test_a_double_click_on_next_turn_moves_one_turn_on() -> None:
    encounter, key = ogre_fight(), uuid4()
    first = take(encounter, rules.NextTurn(), key=key, seen=0)
    second = take(encounter, rules.NextTurn(), key=key, seen=0)
    assert fight_in(encounter).current == 2
    assert versions(encounter) == [1]
    assert (first.repeated, second.repeated) == (False, True)
    assert second.fight == first.fight


@once
def test_the_same_undo_pressed_twice_takes_back_one_step() -> None:
    encounter, key = ogre_fight(), uuid4()
    take(encounter, rules.Damage(3, 5))
    take(encounter, rules.Damage(3, 7))
    for _ in range(2):
        steps.undo_step(encounter.uuid, key, seen=2)
    assert ogres_hp(encounter) == 295


@once
@pytest.mark.parametrize(
    "command",
    [rules.Damage(3, 5), rules.Leave((3,)), rules.SetHidden((3,), True), rules.GiveTurn(3)],
    ids=lambda command: type(command).__name__,
)
def test_what_is_sent_again_has_no_effect_whatever_it_would_do_now(command: rules.Command) -> None:
    encounter, key = ogre_fight(), uuid4()
    take(encounter, command, key=key)
    assert take(encounter, command, key=key).repeated
    undo(encounter)
    before = everything(encounter)
    assert take(encounter, command, key=key).repeated
    assert everything(encounter) == before


# RW-S28: two presses made on purpose move two turns on
@once
def test_two_presses_on_purpose_move_two_turns_on() -> None:
    encounter = ogre_fight()
    take(encounter, rules.NextTurn(), seen=0)
    take(encounter, rules.NextTurn(), seen=1)
    assert fight_in(encounter).current == 3


@once
def test_one_key_may_serve_in_two_encounters() -> None:
    key = uuid4()
    for encounter in (ogre_fight(), ogre_fight()):
        assert not take(encounter, rules.Damage(3, 5), key=key).repeated
        assert ogres_hp(encounter) == 295


# The version seen


@once
def test_what_depends_on_the_order_is_refused_on_an_old_page() -> None:
    encounter = ogre_fight()
    take(encounter, rules.Damage(3, 5))
    before = everything(encounter)
    stale: list[Callable[[], object]] = [
        partial(take, encounter, rules.NextTurn(), seen=0),
        partial(take, encounter, rules.NextTurn(), seen=2),
        partial(take, encounter, rules.NextTurn(), seen=-1),
        partial(steps.undo_step, encounter.uuid, uuid4(), seen=0),
        partial(steps.redo_step, encounter.uuid, uuid4(), seen=0),
        partial(steps.previous_turn, encounter.uuid, uuid4(), seen=0),
    ]
    for change in stale:
        with pytest.raises(steps.Stale):
            change()
    assert everything(encounter) == before


# RW-S29: blows add up whatever a page shows
@once
def test_what_adds_up_works_on_a_page_of_any_age() -> None:
    encounter = ogre_fight()
    take(encounter, rules.Damage(3, 5))
    take(encounter, rules.NextTurn(), seen=1)
    take(encounter, rules.Damage(3, 7))
    assert ogres_hp(encounter) == 288
    assert versions(encounter) == [1, 2, 3]


# Refused


@once
@pytest.mark.parametrize(
    "command",
    [
        rules.Damage(9, 5),
        rules.Damage(3, 100_000),
        rules.OpenFight(),
        rules.Leave((1, 9)),
        rules.Edit(3, {"hp": 301}),
        rules.RollInitiative(totals={1: 5, 2: 1_000}),
        rules.Join(tuple(creature() for _ in range(198))),
    ],
    ids=lambda command: type(command).__name__,
)
def test_what_the_rules_refuse_leaves_no_row_changed(command: rules.Command) -> None:
    encounter = ogre_fight()
    take(encounter, rules.NextTurn(), seen=0)
    before = everything(encounter)
    with pytest.raises(rules.RuleError):
        take(encounter, command)
    assert everything(encounter) == before


@once
def test_what_was_made_on_the_way_to_a_refusal_is_gone() -> None:
    encounter = ogre_fight()

    def build(fight: rules.Fight) -> rules.Command:
        encounter.campaign.heroes.create(name="Cleo")
        return rules.Damage(9, 5)

    with pytest.raises(rules.RuleError):
        steps.take_step(encounter.uuid, uuid4(), "damage", build)
    assert not encounter.campaign.heroes.exists()


@once
def test_an_encounter_that_is_not_there_takes_no_step() -> None:
    with pytest.raises(Encounter.DoesNotExist):
        steps.take_step(uuid4(), uuid4(), "next-turn", lambda _: rules.NextTurn())


@once
def test_an_encounter_in_the_bin_takes_no_step() -> None:
    encounter = ogre_fight()
    Encounter.objects.update(deleted=timezone.now())
    with pytest.raises(Encounter.DoesNotExist):
        take(encounter, rules.NextTurn(), seen=0)
    assert versions(encounter) == []


@once
def test_what_changes_nothing_is_no_step() -> None:
    encounter = ogre_fight()
    before = everything(encounter)
    for command in (rules.Heal(3, 5), rules.SetHidden((3,), False), rules.GiveTurn(1)):
        taken = take(encounter, command)
        assert taken.fight == fight_in(encounter)
    assert everything(encounter) == before


@once
def test_there_is_nothing_to_take_back_where_nothing_was_done() -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria")))
    for change, code in ((undo, "nothing-to-undo"), (redo, "nothing-to-redo")):
        with pytest.raises(rules.RuleError) as refusal:
            change(encounter)
        assert refusal.value.code == code
    take(encounter, rules.StartFight(totals={1: 12}))
    with pytest.raises(rules.RuleError) as refusal:
        back(encounter)
    assert refusal.value.code == "no-previous-turn"
    assert versions(encounter) == [1]


# What a step tells


@once
def test_a_step_keeps_what_was_asked_and_what_came_of_it() -> None:
    encounter = ogre_fight()
    take(encounter, rules.Damage(3, 5, (5,), "fire", ((2, "cold"),)))
    step = encounter.steps.get()
    assert (step.version, step.command) == (1, "Damage")
    asked = {"target": 3, "amount": 5, "dice": [5], "type": "fire", "more": [[2, "cold"]]}
    assert {name: step.arguments[name] for name in asked} == asked
    assert [event["code"] for event in step.events] == ["damaged"]
    assert step.changes == {"combatants": {"3": {"hp": [300, 293]}}}


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str, int]]:
    """What is told to the open pages."""
    told: list[tuple[int, str, int]] = []
    monkeypatch.setattr(live, "announce", lambda *news: told.append(news[:3]))
    return told


@once
def test_open_pages_are_told_once_of_each_step_and_only_after_its_commit(
    announced: list[tuple[int, str, int]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    encounter, key = ogre_fight(), uuid4()
    with django_capture_on_commit_callbacks() as waiting:
        take(encounter, rules.Damage(3, 5), key=key)
        undo(encounter)
        redo(encounter)
        assert announced == []
    for callback in waiting:
        callback()
    place = (encounter.campaign_id, str(encounter.uuid))
    assert announced == [(*place, 1), (*place, 2), (*place, 3)]


@once
def test_open_pages_are_told_nothing_of_what_was_refused_repeated_or_void(
    announced: list[tuple[int, str, int]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    encounter, key = ogre_fight(), uuid4()
    take(encounter, rules.Damage(3, 5), key=key)
    with django_capture_on_commit_callbacks(execute=True):
        take(encounter, rules.Damage(3, 5), key=key)
        take(encounter, rules.Heal(1, 5))
        with pytest.raises(rules.RuleError):
            take(encounter, rules.Damage(9, 5))
        with pytest.raises(steps.Stale):
            take(encounter, rules.NextTurn(), seen=0)
    assert announced == []


@with_threads
def test_a_step_that_breaks_at_its_very_end_is_neither_kept_nor_told(
    announced: list[tuple[int, str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    encounter = ogre_fight()
    before = everything(encounter)

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(publishing, "publish", broken)
    with pytest.raises(ZeroDivisionError):
        take(encounter, rules.NextTurn(), seen=0)
    assert everything(encounter) == before
    assert announced == []
