"""Undo, redo and going back, always: any fight, any way back and forth, field by field."""

from collections.abc import Callable
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import rules
from encounters import history
from encounters.models import Encounter
from tests.encounters.chronicle import go_back, state_of
from tests.encounters.commanding import COMMANDS, Build
from tests.encounters.playing import back, examples, fight_in, fresh, redo, take, undo
from tests.factories import CampaignFactory, EncounterFactory
from tests.rules.drawn import combatants

pytestmark = pytest.mark.django_db

OF_A_TURN = (
    "surprised", "lost_turn", "reaction", "has_acted", "hidden", "awaited", "letter", "moved",
    "dashes", "action_spent", "bonus_spent", "object_spent", "effects", "slot", "dead", "stable",
    "death_successes", "death_failures", "uses", "dues", "hp", "temp_hp", "max_hp",
)  # fmt: skip


def lasting(fight: rules.Fight) -> list[dict[str, Any]]:
    """What a combatant keeps when a turn is taken back."""
    everybody = [asdict(c) for c in fight.combatants]
    return [{k: v for k, v in one.items() if k not in OF_A_TURN} for one in everybody]


class Table(RuleBasedStateMachine):
    """A fight in rows beside a model of it: the states that stand, and those undone."""

    def __init__(self) -> None:
        super().__init__()
        self.database = transaction.atomic()
        self.database.__enter__()
        self.past: list[rules.Fight] = []
        self.future: list[rules.Fight] = []
        self.version = 0

    def teardown(self) -> None:
        try:
            self.all_the_way_back_and_forth()
        finally:
            transaction.set_rollback(True)
            self.database.__exit__(None, None, None)

    @initialize(
        chosen=st.tuples(st.booleans(), st.booleans()),
        first=st.lists(combatants(), min_size=2, max_size=5),
        begun=st.sampled_from([False, True, True]),
    )
    def gather(self, chosen: tuple[bool, bool], first: list[rules.Combatant], begun: bool) -> None:
        campaign = CampaignFactory.create(group_initiative=chosen[0], reveal_on_turn=chosen[1])
        self.encounter: Encounter = EncounterFactory.create(campaign=campaign)
        self.now = state_of(fight_in(self.encounter))
        self.taken(lambda: take(self.encounter, rules.Join(tuple(first))))
        if begun:
            self.taken(lambda: take(self.encounter, rules.StartFight(accept_empty=True)))

    def taken(self, change: Callable[[], Any]) -> bool:
        """Whether a step was taken; the state before it can then be had back, and no other."""
        try:
            after = change().fight
        except rules.RuleError:
            return False
        if after.version != self.version:  # a step, though nothing may differ: a hit of 0
            self.past.append(self.now)
            self.future.clear()
            self.now, self.version = state_of(after), after.version
        return True

    @rule(build=COMMANDS["any"])
    def command(self, build: Build) -> None:
        self.command_of(build)

    @precondition(lambda self: self.now.state == "running")
    @rule(build=COMMANDS["turn"])
    def something_done_on_a_turn(self, build: Build) -> None:
        self.command_of(build)

    @precondition(lambda self: self.now.state == "running")
    @rule(builds=st.lists(COMMANDS["order"], min_size=1, max_size=3))
    def the_order_changed(self, builds: list[Build]) -> None:
        for build in builds:
            self.command_of(build)

    def command_of(self, build: Build) -> None:
        self.taken(lambda: take(self.encounter, build(self.now)))

    @precondition(lambda self: self.now.state == "running")
    @rule()
    def next_turn(self) -> None:
        self.taken(lambda: take(self.encounter, rules.NextTurn()))

    @rule()
    def undo(self) -> None:
        if not self.past:
            with pytest.raises(rules.RuleError, match="nothing-to-undo"):
                undo(self.encounter)
            return
        self.future.append(self.now)
        self.now = self.past.pop()
        self.version += 1
        assert state_of(undo(self.encounter).fight) == self.now

    @rule()
    def redo(self) -> None:
        if not self.future:
            with pytest.raises(rules.RuleError, match="nothing-to-redo"):
                redo(self.encounter)
            return
        self.past.append(self.now)
        self.now = self.future.pop()
        self.version += 1
        assert state_of(redo(self.encounter).fight) == self.now

    @precondition(lambda self: self.now.state == "running")
    @rule()
    def previous_turn(self) -> None:
        before, there = self.now, {slot.number for slot in self.now.slots}
        turn = before
        while turn.current is None or turn is before or turn.current not in there:
            begun_by = self.before_the_turn_of(turn)
            if begun_by is None or begun_by.state != "running" or begun_by.current is None:
                assert not self.taken(lambda: back(self.encounter))
                return
            turn = begun_by
        assert self.taken(lambda: back(self.encounter))
        assert (self.now.current, self.now.round) == (turn.current, turn.round)
        assert lasting(self.now) == lasting(before)

    def before_the_turn_of(self, turn: rules.Fight) -> rules.Fight | None:
        """The state that stood when the turn of this one began."""
        stood = [*self.past, self.now]
        return next(
            (was for was, then in pairwise(stood) if then.turn_step == turn.turn_step), None
        )

    @invariant()
    def the_rows_are_the_state(self) -> None:
        assert state_of(fight_in(self.encounter)) == self.now

    def all_the_way_back_and_forth(self) -> None:
        while self.past:
            self.undo()
        assert not fight_in(self.encounter).combatants
        while self.future:
            self.redo()
        self.the_rows_are_the_state()
        steps = self.encounter.steps.values_list("version", flat=True)
        assert list(steps) == list(range(1, fresh(self.encounter).version + 1))


def test_any_way_back_and_forth_through_a_fight_finds_its_states_again() -> None:
    run_state_machine_as_test(Table, settings=examples(20, steps=25))


class Chronicler(Table):
    """The same table, with ways back; it keeps every state that ever was."""

    def __init__(self) -> None:
        super().__init__()
        self.states: dict[int, rules.Fight] = {}

    @rule(index=st.integers(0, 60))
    def go_back(self, index: int) -> None:
        version = index % fresh(self.encounter).version + 1
        before, was = self.now, self.states[version]
        went = self.taken(lambda: go_back(self.encounter, version))
        assert went == (was != before)
        assert self.now == was

    def taken(self, change: Callable[[], Any]) -> bool:
        taken = super().taken(change)
        self.write_down()
        return taken

    @invariant()
    def write_down(self) -> None:
        self.states[fresh(self.encounter).version] = state_of(fight_in(self.encounter))

    def all_the_way_back_and_forth(self) -> None:
        fight = fight_in(self.encounter)
        for step in history.steps_from(self.encounter, 1):
            assert state_of(fight) == self.states[step.version or 0]
            fight = history.taken_back(fight, [step])
        super().all_the_way_back_and_forth()


def test_every_state_of_any_fight_is_found_again() -> None:
    run_state_machine_as_test(Chronicler, settings=examples(8, steps=15))
