"""Steps at the table about people: who takes part, on which side, how they are and who hides."""

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

import rules
from tests.rules.drawn import anybody, dice, numbers, seeds
from tests.rules.table import Table

SIDES = ["heroes", "foes", "beasts"]
EDITS: dict[str, st.SearchStrategy[Any]] = {
    "name": st.sampled_from(["Goblin", "Wolf", "Grak"]),
    "label": st.sampled_from(["", "Goblin", "Shadow"]),
    "side": st.sampled_from(SIDES),
    "hp": st.integers(-1, 9) | st.none(),
    "max_hp": st.integers(-1, 9) | st.none(),
    "temp_hp": st.integers(-1, 9),
    "passive_perception": st.integers(8, 16) | st.none(),
    "initiative_bonus": st.integers(-2, 3) | st.none(),
    "initiative_roll": st.sampled_from(["auto", "plain", "disadvantage", "?"]),
    "speed": st.sampled_from([None, 0, 30]),
    "arrives": st.integers(0, 4),
    "owner": st.integers(1, 3),
    "in_lair": st.booleans(),
    "death_saves": st.booleans(),
    "letter": st.integers(1, 3),
}


class Gathering(Table):
    # Who takes part

    @rule(newcomers=st.lists(anybody(), max_size=2), dice=st.lists(dice(), max_size=3))
    def join(self, newcomers: list[rules.Combatant], dice: list[int]) -> None:
        self.take(rules.Join(tuple(newcomers), tuple(dice)))

    @rule(those=st.lists(numbers(), max_size=2))
    def leave(self, those: list[int]) -> None:
        self.take(rules.Leave(tuple(map(self.one, those))))

    @precondition(lambda self: self.fight.current is not None and len(self.fight.slots) > 2)
    @rule()
    def leave_on_its_turn(self) -> None:
        assert self.fight.current is not None
        members = self.fight.members(self.fight.current)
        self.take(rules.Leave(tuple(c.number for c in members)))

    @rule(
        who=numbers(),
        names=st.lists(st.sampled_from(sorted(EDITS)), max_size=2, unique=True),
        data=st.data(),
    )
    def edit(self, who: int, names: list[str], data: st.DataObject) -> None:
        changes = {name: data.draw(EDITS[name], name) for name in names}
        self.take(rules.Edit(self.one(who), changes))

    @rule(those=st.lists(numbers(), max_size=3), hidden=st.booleans())
    def set_hidden(self, those: list[int], hidden: bool) -> None:
        self.take(rules.SetHidden(tuple(map(self.one, those)), hidden))

    @rule(those=st.lists(numbers(), max_size=3), label=st.sampled_from(["", "Rat", "Shadow"]))
    def set_label(self, those: list[int], label: str) -> None:
        self.take(rules.SetLabel(tuple(map(self.one, those)), label))

    @rule(who=numbers(), out=st.booleans())
    def set_out(self, who: int, out: bool) -> None:
        self.take(rules.SetOut(self.one(who), out))

    # How they are

    @rule(
        kind=st.sampled_from([rules.Damage, rules.Heal, rules.GiveTemporary]),
        who=numbers(),
        amount=st.integers(-1, 12),
    )
    def change_hit_points(
        self, kind: Callable[[int, int], rules.Command], who: int, amount: int
    ) -> None:
        self.take(kind(self.one(who), amount))

    @rule(
        who=numbers(),
        code=st.sampled_from((*rules.CONDITIONS, "exhaustion", "exhaustion", "dodging")),
        level=st.sampled_from([0, 0, 1, 5, 7]),
    )
    def add_effect(self, who: int, code: str, level: int) -> None:
        self.take(rules.AddEffect(self.one(who), rules.Effect(code, level)))

    @rule(who=numbers(), which=numbers())
    def remove_effect(self, who: int, which: int) -> None:
        there = [c for c in self.fight.combatants if c.number == self.one(who)]
        codes = ["prone", *(effect.code for c in there for effect in c.effects)]
        self.take(rules.RemoveEffect(self.one(who), codes[which % len(codes)]))

    # Sides

    @rule(one=st.sampled_from(SIDES), other=st.sampled_from(SIDES), allied=st.booleans())
    def ally(self, one: str, other: str, allied: bool) -> None:
        self.take(rules.Ally(one, other, allied))

    @rule(those=st.lists(numbers(), max_size=3), side=st.sampled_from(SIDES))
    def change_side(self, those: list[int], side: str) -> None:
        self.take(rules.ChangeSide(tuple(map(self.one, those)), side))

    @rule(name=st.sampled_from([*rules.CHOICES, "wings"]), which=numbers())
    def change_settings(self, name: str, which: int) -> None:
        values = (None, "?", *rules.CHOICES.get(name, ()))
        self.take(rules.ChangeSettings({name: values[which % len(values)]}))

    # Surprise

    @precondition(lambda self: self.fight.state in ("preparing", "rolling"))
    @rule(
        stealth=st.dictionaries(numbers(), st.integers(8, 16) | st.just(1000), max_size=3),
        stop=st.lists(numbers(), max_size=1),
    )
    def hide(self, stealth: dict[int, int], stop: list[int]) -> None:
        results = {self.one(who): result for who, result in stealth.items()}
        self.take(rules.Hide(results, stop=tuple(map(self.one, stop))))

    @precondition(lambda self: self.fight.state in ("preparing", "rolling"))
    @rule(seed=seeds())
    def roll_for_those_who_hide(self, seed: int) -> None:
        chance = Random(seed)
        able = [c.number for c in self.fight.combatants if c.stealth_bonus is not None]
        results, rolled = rules.roll_stealth(self.fight, able, lambda: chance.randint(1, 20))
        self.take(rules.Hide(results, rolled))

    @precondition(lambda self: self.fight.state in ("preparing", "rolling"))
    @rule(those=st.lists(numbers(), max_size=2))
    def stop_hiding(self, those: list[int]) -> None:
        self.take(rules.StopHiding(tuple(map(self.one, those))))

    @rule(who=numbers(), word=st.sampled_from(["auto", "surprised", "not-surprised", "?"]))
    def override_surprise(self, who: int, word: str) -> None:
        self.take(rules.OverrideSurprise(self.one(who), word))
