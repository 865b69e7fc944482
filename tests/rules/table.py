"""A table that takes any step, and what is true at it at any moment; test_always.py acts at it."""

import json
from dataclasses import asdict, replace
from random import Random
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

import rules
from tests.rules.drawing import History
from tests.rules.drawn import NOBODY, combatants, fight_settings

Value = TypeVar("Value")

MOVES_THE_TURN = {
    rules.StartFight,
    rules.NextTurn,
    rules.PreviousTurn,
    rules.GiveTurn,
    rules.Leave,
}
MOVES_SLOTS = {
    rules.Join,
    rules.Leave,
    rules.OpenFight,
    rules.StartFight,
    rules.RollInitiative,
    rules.BreakTie,
    rules.RollOff,
    rules.Reorder,
}
GIVES_TOTALS = MOVES_SLOTS - {rules.BreakTie, rules.RollOff, rules.Reorder}
OF_A_TURN = {"surprised", "lost_turn", "reaction", "has_acted", "hidden"}


def state_of(fight: rules.Fight) -> rules.Fight:
    """Everything but the count of steps, which undo does not take back."""
    return replace(fight, version=0)


def slot_totals(fight: rules.Fight) -> dict[int, int | None]:
    return {slot.number: slot.total for slot in fight.slots}


class Table(RuleBasedStateMachine):
    """A fight with all that has been, and what every step must leave true."""

    def __init__(self) -> None:
        super().__init__()
        self.history = History()
        self.past: list[rules.Fight] = []
        self.future: list[rules.Fight] = []

    @property
    def fight(self) -> rules.Fight:
        return self.history.fight

    def take(self, command: rules.Command) -> bool:
        """Whether the rules allow it. No error but theirs may come."""
        before = self.fight
        try:
            outcome = self.history.take(command)
        except rules.RuleError as refusal:
            json.dumps(refusal.details)
            assert self.fight is before
            return False
        self.past.append(before)
        self.future.clear()
        json.dumps(asdict(command))  # type: ignore[call-overload]
        details = [event.details for event in outcome.events]
        assert json.loads(json.dumps(details)) == details
        self.check_undo(before, outcome.fight)
        self.check_turn_and_order(type(command), before)
        return True

    def check_undo(self, before: rules.Fight, after: rules.Fight) -> None:
        changes = rules.difference(before, after)
        assert json.loads(json.dumps(changes)) == changes
        assert rules.restored(after, changes, after=False) == before
        assert rules.restored(before, changes, after=True) == after

    def check_turn_and_order(self, kind: type, before: rules.Fight) -> None:
        there = {slot.number for slot in self.fight.slots}
        if kind not in MOVES_THE_TURN or (kind is rules.Leave and before.current in there):
            assert self.fight.current == before.current
            assert self.fight.round == before.round
        if kind not in MOVES_SLOTS:
            assert [s.number for s in self.fight.slots] == [s.number for s in before.slots]
        if kind not in GIVES_TOTALS:
            assert slot_totals(self.fight) == slot_totals(before)

    def one(self, index: int) -> int:
        """The number of somebody who is there; or of nobody."""
        there = self.fight.combatants
        return there[index % len(there)].number if index != NOBODY and there else 0

    def place(self, index: int) -> int:
        there = self.fight.slots
        return there[index % len(there)].number if index != NOBODY and there else 0

    def at_places(self, values: dict[int, Value]) -> dict[int, Value]:
        return {self.place(index): value for index, value in values.items()}

    def roll_blank(self, chance: Random) -> None:
        blank = rules.unrolled(self.fight)
        self.take(rules.RollInitiative({number: chance.randint(8, 12) for number in blank}))

    @initialize(
        chosen=fight_settings(),
        first=st.lists(combatants(), min_size=2, max_size=6),
        state=st.sampled_from(["preparing", "rolling", "running", "running"]),
        seed=st.integers(0, 99),
    )
    def gather(
        self, chosen: rules.Settings, first: list[rules.Combatant], state: str, seed: int
    ) -> None:
        self.history = History(rules.Fight(table=chosen))
        self.take(rules.Join(tuple(first)))
        if state != "preparing":
            self.take(rules.OpenFight())
            self.roll_blank(Random(seed))
        if state == "running":
            self.take(rules.StartFight(accept_empty=True))

    # At any moment

    @invariant()
    def everybody_has_a_place_once_the_fight_is_opened(self) -> None:
        slots = [slot.number for slot in self.fight.slots]
        assert len(slots) == len(set(slots))
        assert set(slots) == {c.slot for c in self.fight.combatants if c.slot is not None}
        if self.fight.state == "preparing":
            assert slots == []
        else:
            assert all(c.slot is not None for c in self.fight.combatants)

    @invariant()
    def the_turn_is_a_place_of_the_order(self) -> None:
        fight = self.fight
        begun = fight.state in ("running", "ended")
        assert fight.current is None or fight.current in {slot.number for slot in fight.slots}
        assert begun or fight.current is None
        assert fight.round >= 1 if begun else fight.round == 0

    @invariant()
    def numbers_are_those_of_entry(self) -> None:
        entered = [c.number for c in self.fight.combatants]
        assert entered == sorted(set(entered))
        assert all(number <= self.fight.last_number for number in entered)

    @invariant()
    def hit_points_stay_within_their_bounds(self) -> None:
        for c in self.fight.combatants:
            assert c.hp is None or 0 <= c.hp <= (c.max_hp or 0)
            assert c.temp_hp >= 0

    @invariant()
    def what_players_see_is_lettered_and_no_two_alike(self) -> None:
        shown = [c for c in self.fight.combatants if not (c.hidden or c.is_hero)]
        assert all(c.letter for c in shown)
        lettered = [(rules.shown_name(c), c.letter) for c in self.fight.combatants if c.letter]
        assert len(lettered) == len(set(lettered))

    @invariant()
    def no_two_creatures_have_one_name_and_number(self) -> None:
        named = [(c.name, c.ordinal) for c in self.fight.combatants if not c.is_hero]
        assert len(named) == len(set(named))
