"""A table that takes any step, and what is true at it at any moment; test_always.py acts at it."""

import json
from dataclasses import asdict, replace
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

import rules
from tests.rules import invariants
from tests.rules.drawing import History
from tests.rules.drawn import NOBODY, anybody, fight_settings, seeds
from tests.rules.second_opinion import SecondOpinion

Value = TypeVar("Value")

MOVES_THE_TURN = (
    rules.StartFight,
    rules.NextTurn,
    rules.PreviousTurn,
    rules.GiveTurn,
)
KEEPS_THE_ORDER = (
    rules.Edit, rules.SetOut, rules.SetHidden, rules.SetLabel, rules.Damage, rules.Heal,
    rules.GiveTemporary,
    rules.Revive, rules.SetHitPoints, rules.ChangeMaximum, rules.DeathSave, rules.Stabilise,
    rules.Settle, rules.Dismiss, rules.SpendUse, rules.SetUse, rules.AddUse, rules.RemoveUse,
    rules.RollDice, rules.Attack,
    rules.Hide, rules.StopHiding, rules.OverrideSurprise, rules.Ally, rules.ChangeSettings,
    rules.AddEffect, rules.RemoveEffect, rules.TakeAction, rules.SetSpent, rules.Move,
    rules.ChooseSpeed,
    rules.StandUp, rules.ReleaseReadied, rules.SetReaction, rules.EndFight, rules.ReopenFight,
)  # fmt: skip
KEEPS_TOTALS = (
    *KEEPS_THE_ORDER, rules.ActFirst, rules.BreakTie, rules.RollOff, rules.Reorder, rules.Split,
    rules.ChangeSide, rules.Wait, rules.ComeBack, rules.GiveTurn, rules.Leave, rules.GiveExtraTurn,
    rules.RemoveExtraTurn,
)  # fmt: skip


GOBLIN = rules.Combatant(
    number=0, name="Goblin", side="foes", creature="goblin", max_hp=7, hp=7, initiative_bonus=1,
    dexterity=14, passive_perception=9, speed=30,
)  # fmt: skip


def running(table: "Table") -> bool:
    return table.fight.state == "running"


def opened(table: "Table") -> bool:
    return table.fight.state in ("rolling", "running")


def on_turn(table: "Table") -> bool:
    return running(table) and table.fight.current is not None


def by_name(effect: rules.Effect) -> tuple[str, str, int]:
    return effect.code, effect.text, effect.source or 0


def state_of(fight: rules.Fight) -> rules.Fight:
    """Everything but the counts of steps and numbers, which are never taken back."""
    ordered = {
        c.number: {"effects": tuple(sorted(c.effects, key=by_name))}
        for c in fight.combatants
        if len(c.effects) > 1
    }
    return replace(fight.with_each(ordered), version=0, last_number=0)


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


class Table(RuleBasedStateMachine):
    """A fight with all that has been, and what every step must leave true."""

    compares = True  # with the second opinion

    def __init__(self) -> None:
        super().__init__()
        self.history = History()
        self.past: list[rules.Fight] = []
        self.future: list[rules.Fight] = []
        self.opinion = SecondOpinion(self.fight)
        self.seen: rules.Fight | None = None  # the last that the invariants have held for

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
            if self.compares:
                self.opinion.refused(command, before, refusal.code)
            return False
        self.past.append(before)
        self.future.clear()
        json.dumps(asdict(command))  # type: ignore[call-overload]
        details = [event.details for event in outcome.events]
        assert through_json(details) == details
        self.check_undo(before, outcome.fight)
        self.check_turn_and_order(command, before)
        if self.compares:
            self.opinion.follow(command, before, outcome.fight)
        return True

    def check_undo(self, before: rules.Fight, after: rules.Fight) -> None:
        changes = rules.difference(before, after)
        assert through_json(changes) == changes
        assert rules.restored(after, changes, after=False) == before
        assert rules.restored(before, changes, after=True) == after

    def check_turn_and_order(self, command: rules.Command, before: rules.Fight) -> None:
        now, left = self.fight, isinstance(command, (rules.Leave, rules.RemoveExtraTurn))
        gone = left and all(slot.number != before.current for slot in now.slots)
        waits = isinstance(command, rules.Wait) and before.home(command.slot) == before.home(
            before.current
        )
        if not (isinstance(command, (*MOVES_THE_TURN, rules.Together)) or gone or waits):
            assert (now.current, now.round) == (before.current, before.round)
        order = [slot.number for slot in now.slots]
        totals = {slot.number: slot.total for slot in before.slots}
        settles_ties = before.state == "rolling" and before.settings.tie_rule != "ask"
        if isinstance(command, KEEPS_THE_ORDER) and not settles_ties:
            assert [n for n in order if n in totals] == list(totals)
        if isinstance(command, KEEPS_TOTALS):
            assert all(s.total == totals[s.number] for s in now.slots if s.number in totals)

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
        dice = rules.initiative_dice(self.fight, blank, lambda: chance.randint(8, 12))
        self.take(rules.RollInitiative(dice))

    @initialize(
        chosen=fight_settings(),
        first=st.lists(anybody(), min_size=2, max_size=6),
        pack=st.integers(0, 4),
        state=st.sampled_from(["running"] * 6 + ["rolling", "preparing"]),
        seed=seeds(),
    )
    def gather(
        self, chosen: rules.Settings, first: list[rules.Combatant], pack: int, state: str, seed: int
    ) -> None:
        self.history = History(rules.Fight(table=chosen))
        self.opinion = SecondOpinion(self.fight)
        if state == "running":  # nothing that the beginning must ask for
            first = [replace(c, passive_perception=c.passive_perception or 10) for c in first]
        self.take(rules.Join((*first, *[GOBLIN] * pack)))
        if state != "preparing":
            self.take(rules.OpenFight())
            self.roll_blank(Random(seed))
        if state == "running":
            self.take(rules.StartFight(accept_empty=True))

    @invariant()
    def all_is_as_it_must_be(self) -> None:
        """Looked at once for each state that the fight comes to."""
        if self.fight is self.seen:
            return
        self.seen = self.fight
        invariants.check(self.fight)
