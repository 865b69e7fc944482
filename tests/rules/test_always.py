"""What is true of every fight, whatever happens in it: commands drawn at random."""

from collections.abc import Callable
from dataclasses import asdict, replace
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

import rules
from tests.rules.drawn import combatants, dice, numbers, totals
from tests.rules.table import OF_A_TURN, Table, state_of


class AnyTable(Table):
    """Tries every command, possible or not, and takes steps back and forth."""

    # Who takes part

    @rule(newcomers=st.lists(combatants(), max_size=2), dice=st.lists(dice(), max_size=3))
    def join(self, newcomers: list[rules.Combatant], dice: list[int]) -> None:
        self.take(rules.Join(tuple(newcomers), tuple(dice)))

    @rule(those=st.lists(numbers(), max_size=2))
    def leave(self, those: list[int]) -> None:
        self.take(rules.Leave(tuple(map(self.one, those))))

    @precondition(lambda self: self.fight.current is not None)
    @rule()
    def leave_on_its_turn(self) -> None:
        assert self.fight.current is not None
        members = self.fight.members(self.fight.current)
        self.take(rules.Leave(tuple(c.number for c in members)))

    @rule(
        who=numbers(),
        changes=st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(["Goblin", "Wolf", "Grak"]),
                "label": st.sampled_from(["", "Goblin", "Shadow"]),
                "side": st.sampled_from(["heroes", "foes"]),
                "hp": st.integers(-1, 9) | st.none(),
                "max_hp": st.integers(-1, 9) | st.none(),
                "temp_hp": st.integers(-1, 9),
                "passive_perception": st.integers(8, 16) | st.none(),
                "initiative_bonus": st.integers(-2, 3) | st.none(),
                "letter": st.integers(1, 3),
            },
        ),
    )
    def edit(self, who: int, changes: dict[str, Any]) -> None:
        self.take(rules.Edit(self.one(who), changes))

    @rule(those=st.lists(numbers(), max_size=3), hidden=st.booleans())
    def set_hidden(self, those: list[int], hidden: bool) -> None:
        self.take(rules.SetHidden(tuple(map(self.one, those)), hidden))

    @rule(who=numbers(), out=st.booleans())
    def set_out(self, who: int, out: bool) -> None:
        self.take(rules.SetOut(self.one(who), out))

    # Hit points

    @rule(
        kind=st.sampled_from([rules.Damage, rules.Heal, rules.GiveTemporary]),
        who=numbers(),
        amount=st.integers(-1, 12),
    )
    def change_hit_points(
        self, kind: Callable[[int, int], rules.Command], who: int, amount: int
    ) -> None:
        self.take(kind(self.one(who), amount))

    # Surprise

    @rule(
        stealth=st.dictionaries(numbers(), st.integers(8, 16) | st.just(1000), max_size=3),
        stop=st.lists(numbers(), max_size=1),
    )
    def hide(self, stealth: dict[int, int], stop: list[int]) -> None:
        results = {self.one(who): result for who, result in stealth.items()}
        self.take(rules.Hide(results, stop=tuple(map(self.one, stop))))

    @rule(those=st.lists(numbers(), max_size=2))
    def stop_hiding(self, those: list[int]) -> None:
        self.take(rules.StopHiding(tuple(map(self.one, those))))

    @rule(who=numbers(), word=st.sampled_from(["auto", "surprised", "not-surprised", "?"]))
    def override_surprise(self, who: int, word: str) -> None:
        self.take(rules.OverrideSurprise(self.one(who), word))

    # Initiative

    @rule(
        dice=st.dictionaries(numbers(), dice(), max_size=3),
        given=st.dictionaries(numbers(), totals(), max_size=3),
    )
    def roll_initiative(self, dice: dict[int, int], given: dict[int, int | None]) -> None:
        self.take(rules.RollInitiative(self.at_places(dice), self.at_places(given)))

    @rule(seed=st.integers(0, 99))
    def roll_what_is_blank(self, seed: int) -> None:
        self.roll_blank(Random(seed))

    @rule(order=st.lists(numbers(), max_size=4))
    def break_what_may_be_no_tie(self, order: list[int]) -> None:
        self.take(rules.BreakTie(tuple(map(self.place, order))))

    @precondition(lambda self: bool(rules.ties(self.fight)))
    @rule(seed=st.integers(0, 99), by_hand=st.booleans())
    def settle_a_tie(self, seed: int, by_hand: bool) -> None:
        chance = Random(seed)
        tie = chance.choice(rules.ties(self.fight))
        if by_hand:
            order = tuple(chance.sample(tie.slots, len(tie.slots)))
            settled = self.take(rules.BreakTie(order))
        else:
            tied = rules.contenders(self.fight, tie.total)
            rolled = rules.roll_off(tied, lambda: chance.randint(1, 4))
            order = tuple(sorted(rolled, key=lambda number: rolled[number], reverse=True))
            settled = self.take(rules.RollOff(tie.total, rolled))
        if self.fight.state in ("rolling", "running"):
            assert settled
            assert [s.number for s in self.fight.slots if s.number in order] == list(order)
            assert not any(t.open for t in rules.ties(self.fight) if t.total == tie.total)

    @rule(
        total=st.integers(8, 12),
        rolled=st.dictionaries(numbers(), st.tuples(dice()), max_size=3),
    )
    def roll_off_what_may_be_no_tie(self, total: int, rolled: dict[int, tuple[int, ...]]) -> None:
        self.take(rules.RollOff(total, self.at_places(rolled)))

    @rule(slot=numbers(), before=numbers() | st.none())
    def reorder(self, slot: int, before: int | None) -> None:
        self.take(rules.Reorder(self.place(slot), None if before is None else self.place(before)))

    # Turns

    @precondition(lambda self: self.fight.state == "preparing")
    @rule(dice=st.dictionaries(numbers(), dice(), max_size=2))
    def open_fight(self, dice: dict[int, int]) -> None:
        self.take(rules.OpenFight({self.one(who): die for who, die in dice.items()}))

    @rule(
        dice=st.dictionaries(numbers(), dice(), max_size=2),
        given=st.dictionaries(numbers(), totals(), max_size=2),
        accept_empty=st.booleans(),
    )
    def start_fight(
        self, dice: dict[int, int], given: dict[int, int | None], accept_empty: bool
    ) -> None:
        self.take(rules.StartFight(self.at_places(dice), self.at_places(given), accept_empty))

    @rule()
    def next_turn(self) -> None:
        coming = rules.next_slot(self.fight)
        if self.take(rules.NextTurn()):
            assert self.fight.current == coming

    @rule(slot=numbers())
    def give_turn(self, slot: int) -> None:
        self.take(rules.GiveTurn(self.place(slot)))

    @rule(who=numbers(), available=st.booleans())
    def set_reaction(self, who: int, available: bool) -> None:
        self.take(rules.SetReaction(self.one(who), available))

    @precondition(lambda self: self.fight.state in ("running", "ended"))
    @rule()
    def end_fight_or_reopen(self) -> None:
        assert self.take(rules.EndFight() if self.fight.state == "running" else rules.ReopenFight())

    # Taking back

    @rule()
    def previous_turn(self) -> None:
        before = self.fight
        if not self.take(self.history.previous()):
            return
        for was, now in zip(before.combatants, self.fight.combatants, strict=True):
            changed = {name for name, value in asdict(now).items() if value != getattr(was, name)}
            assert changed <= OF_A_TURN

    @precondition(lambda self: self.fight.state == "running" and self.fight.current is not None)
    @rule(
        kind=st.sampled_from([None, rules.Damage, rules.Heal, rules.GiveTemporary]),
        who=numbers(),
    )
    def next_turn_and_back(
        self, kind: Callable[[int, int], rules.Command] | None, who: int
    ) -> None:
        """As if the turn had never come, but for what was done in between."""
        before, number = self.fight, self.one(who)
        if not self.take(rules.NextTurn()):
            return
        expected = before
        if kind is not None and self.take(kind(number, 3)):
            expected = kind(number, 3).run(before).fight
        assert self.take(self.history.previous())
        letters = {c.number: {"letter": c.letter} for c in self.fight.combatants}
        seen = replace(expected.with_each(letters), letters_given=self.fight.letters_given)
        assert state_of(self.fight) == state_of(seen), "but for letters that players have seen"

    @precondition(lambda self: bool(self.past))
    @rule()
    def undo(self) -> None:
        self.future.append(self.fight)
        self.history.undo()
        assert state_of(self.fight) == state_of(self.past.pop())

    @precondition(lambda self: bool(self.future))
    @rule()
    def redo(self) -> None:
        self.past.append(self.fight)
        self.history.redo()
        assert state_of(self.fight) == state_of(self.future.pop())


TestTable = AnyTable.TestCase
TestTable.settings = settings(max_examples=120, stateful_step_count=40, deadline=None)
