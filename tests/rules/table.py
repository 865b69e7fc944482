"""A table that takes any step, and what is true at it at any moment; test_always.py acts at it."""

import json
from dataclasses import asdict, replace
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

import rules
from tests.rules.drawing import History
from tests.rules.drawn import NOBODY, anybody, fight_settings, seeds
from tests.rules.rounds import Rounds

Value = TypeVar("Value")

MOVES_THE_TURN = (
    rules.StartFight,
    rules.NextTurn,
    rules.PreviousTurn,
    rules.GiveTurn,
)
KEEPS_THE_ORDER = (
    rules.Edit, rules.SetOut, rules.SetHidden, rules.Damage, rules.Heal, rules.GiveTemporary,
    rules.Hide, rules.StopHiding, rules.OverrideSurprise, rules.Ally, rules.ChangeSettings,
    rules.AddEffect, rules.RemoveEffect, rules.TakeAction, rules.SetSpent, rules.Move,
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


def state_of(fight: rules.Fight) -> rules.Fight:
    """Everything but the counts of steps and numbers, which are never taken back."""
    ordered = {
        c.number: {"effects": tuple(sorted(c.effects, key=lambda effect: effect.code))}
        for c in fight.combatants
        if len(c.effects) > 1
    }
    return replace(fight.with_each(ordered), version=0, last_number=0)


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


class Table(RuleBasedStateMachine):
    """A fight with all that has been, and what every step must leave true."""

    def __init__(self) -> None:
        super().__init__()
        self.history = History()
        self.past: list[rules.Fight] = []
        self.future: list[rules.Fight] = []
        self.rounds = Rounds()
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
            return False
        self.past.append(before)
        self.future.clear()
        json.dumps(asdict(command))  # type: ignore[call-overload]
        details = [event.details for event in outcome.events]
        assert through_json(details) == details
        self.check_undo(before, outcome.fight)
        self.check_turn_and_order(command, before)
        if outcome.fight.state == "running":
            began = any(event.code == "turn-began" for event in outcome.events)
            self.rounds.follow(command, before, outcome.fight, began)
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
        if isinstance(command, KEEPS_THE_ORDER):
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
        everybody_has_a_place_once_the_fight_is_opened(self.fight)
        places_stand_as_their_kind_says(self.fight)
        the_turn_is_a_place_of_the_order(self.fight)
        numbers_and_bounds_are_kept(self.fight)
        effects_are_those_that_there_are(self.fight)
        what_players_see_is_lettered_and_no_two_alike(self.fight)


def everybody_has_a_place_once_the_fight_is_opened(fight: rules.Fight) -> None:
    slots = [slot.number for slot in fight.slots]
    homes = {c.slot for c in fight.combatants if c.slot is not None}
    assert len(slots) == len(set(slots))
    assert {slot.extra_of or slot.number for slot in fight.slots} == homes
    if fight.state == "preparing":
        assert slots == []
    else:
        assert all(c.slot is not None for c in fight.combatants)


def places_stand_as_their_kind_says(fight: rules.Fight) -> None:
    totals = {slot.number: slot.total for slot in fight.slots}
    members = fight.by_slot()
    by_number = {c.number: c for c in fight.combatants}
    for slot in fight.slots:
        assert len({c.side for c in members[slot.number]}) == 1, "a place of two sides"
        if slot.by == "mount":
            (mount,) = members[slot.number]
            assert mount.rider is not None
            rider = by_number[mount.rider]
            assert rider.slot is not None
            assert slot.total == totals[rider.slot], "a mount has its rider's total"
    second = [slot.extra_of for slot in fight.slots if slot.extra_of is not None]
    assert len(second) == len(set(second))
    assert not second or fight.round <= 1, "second turns are for round 1"


def the_turn_is_a_place_of_the_order(fight: rules.Fight) -> None:
    begun = fight.state in ("running", "ended")
    assert fight.current is None or fight.current in {slot.number for slot in fight.slots}
    assert begun or fight.current is None
    assert fight.round >= 1 if begun else fight.round == 0


def numbers_and_bounds_are_kept(fight: rules.Fight) -> None:
    entered = [c.number for c in fight.combatants]
    assert entered == sorted(set(entered))
    assert all(number <= fight.last_number for number in entered)
    for c in fight.combatants:
        assert c.hp is None or 0 <= c.hp <= (c.max_hp or 0)
        assert c.temp_hp >= 0
        assert min(c.moved, c.dashes) >= 0
        left = rules.means(c, fight)
        assert not (left.lost_to and (left.action or left.bonus or left.object))
        assert not (left.lost_to == "incapacitated" and left.reaction)


def effects_are_those_that_there_are(fight: rules.Fight) -> None:
    for c in fight.combatants:
        codes = [effect.code for effect in c.effects]
        assert len(codes) == len(set(codes))
        for effect in c.effects:
            assert effect.code in (*rules.CONDITIONS, *rules.REMINDERS)
            assert (1 <= effect.level <= 6) == (effect.code == "exhaustion")
            assert bool(effect.ends) == (effect.code in rules.REMINDERS)
        if "dodging" in codes:
            assert not c.incapacitated
            assert rules.speed_of(c, fight.settings) != 0


def what_players_see_is_lettered_and_no_two_alike(fight: rules.Fight) -> None:
    shown = [c for c in fight.combatants if not (c.unseen or c.is_hero)]
    assert all(c.letter for c in shown)
    lettered = [(rules.shown_name(c), c.letter) for c in fight.combatants if c.letter]
    assert len(lettered) == len(set(lettered))
    named = [(c.name, c.ordinal) for c in fight.combatants if not c.is_hero]
    assert len(named) == len(set(named)), "two creatures of one name and number"
