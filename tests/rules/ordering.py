"""Steps at the table about the order: totals, ties, groups, mounts, second turns, waiting."""

from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

import rules
from tests.rules.drawn import dice, numbers, seeds, totals
from tests.rules.table import on_turn, opened, running
from tests.rules.wounding import Wounding


class Ordering(Wounding):
    # Totals

    @rule(
        dice=st.dictionaries(
            numbers(), st.lists(dice(), max_size=2).map(tuple) | dice(), max_size=3
        ),
        given=st.dictionaries(numbers(), totals(), max_size=3),
    )
    def roll_initiative(
        self, dice: dict[int, int | tuple[int, ...]], given: dict[int, int | None]
    ) -> None:
        self.take(rules.RollInitiative(self.at_places(dice), self.at_places(given)))

    @rule(seed=seeds())
    def roll_what_is_blank(self, seed: int) -> None:
        self.roll_blank(Random(seed))

    @rule(seed=seeds())
    def roll_a_die_for_each_side(self, seed: int) -> None:
        self.take(rules.RollInitiative(sides=self.side_dice(Random(seed))))

    def side_dice(self, chance: Random) -> dict[str, tuple[int, ...]]:
        sides = dict.fromkeys(c.side for c in self.fight.combatants)
        return rules.roll_sides(sides, lambda: chance.randint(1, 3))

    # Ties

    @precondition(opened)
    @rule(order=st.lists(numbers(), max_size=4))
    def break_what_may_be_no_tie(self, order: list[int]) -> None:
        self.take(rules.BreakTie(tuple(map(self.place, order))))

    @precondition(lambda self: bool(rules.ties(self.fight)))
    @rule(seed=seeds(), elsewhere=numbers())
    def say_who_acts_first(self, seed: int, elsewhere: int) -> None:
        chance = Random(seed)
        tie = chance.choice(rules.ties(self.fight))
        asked = tie.asked
        first = self.place(elsewhere) if seed % 3 == 0 else chance.choice(asked)
        if self.take(rules.ActFirst(first)) and first in asked:
            assert self.fight.slot(first).settled
            assert next(s.number for s in self.fight.slots if s.number in asked) == first

    @precondition(lambda self: bool(rules.ties(self.fight)))
    @rule(seed=seeds(), by_hand=st.booleans())
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

    @precondition(opened)
    @rule(
        total=st.integers(8, 12),
        rolled=st.dictionaries(numbers(), st.tuples(dice()), max_size=3),
    )
    def roll_off_what_may_be_no_tie(self, total: int, rolled: dict[int, tuple[int, ...]]) -> None:
        self.take(rules.RollOff(total, self.at_places(rolled)))

    @rule(slot=numbers(), before=numbers() | st.none())
    def reorder(self, slot: int, before: int | None) -> None:
        self.take(rules.Reorder(self.place(slot), None if before is None else self.place(before)))

    # Groups, mounts, second turns, waiting

    @rule(those=st.lists(numbers(), max_size=2))
    def split(self, those: list[int]) -> None:
        self.take(rules.Split(tuple(map(self.one, those))))

    @precondition(opened)
    @rule(first=numbers(), seed=seeds())
    def split_a_group(self, first: int, seed: int) -> None:
        members = [own for own in self.fight.by_slot().values() if len(own) > 1]
        if members:
            own = members[first % len(members)]
            leaving = Random(seed).sample(own, Random(seed).randrange(1, len(own)))
            self.take(rules.Split(tuple(c.number for c in leaving)))

    @precondition(opened)
    @rule(those=st.lists(numbers(), max_size=3))
    def merge(self, those: list[int]) -> None:
        self.take(rules.Merge(tuple(map(self.one, those))))

    def of_one_side(self, seed: int) -> list[int]:
        """The numbers of some who fight together, in any order."""
        chance = Random(seed)
        side = chance.choice(["heroes", "foes", "foes", "beasts"])
        own = [c.number for c in self.fight.combatants if c.side == side and not c.is_lair]
        return chance.sample(own, min(len(own), 2 + seed % 2))

    @precondition(opened)
    @rule(seed=seeds())
    def merge_some_of_a_side(self, seed: int) -> None:
        self.take(rules.Merge(tuple(self.of_one_side(seed))))

    @rule(mount=numbers(), rider=numbers() | st.none())
    def mount(self, mount: int, rider: int | None) -> None:
        self.take(rules.Mount(self.one(mount), None if rider is None else self.one(rider)))

    @rule(seed=seeds())
    def mount_one_of_the_side(self, seed: int) -> None:
        mount, rider, *_ = [*self.of_one_side(seed), 0, 0]
        self.take(rules.Mount(mount, rider))

    @precondition(lambda self: self.fight.round <= 1)
    @rule(who=numbers())
    def give_extra_turn(self, who: int) -> None:
        self.take(rules.GiveExtraTurn(self.one(who)))

    @precondition(opened)
    @rule(who=numbers())
    def remove_extra_turn(self, who: int) -> None:
        second = [s.number for s in self.fight.slots if s.extra_of is not None]
        given = [self.fight.members(number)[0].number for number in second]
        target = given[who % len(given)] if given and who % 3 else self.one(who)
        if self.take(rules.RemoveExtraTurn(target)):
            (gone,) = set(second) - {s.number for s in self.fight.slots}
            assert self.fight.seen_slot != gone

    @precondition(running)
    @rule(slot=numbers())
    def wait(self, slot: int) -> None:
        self.take(rules.Wait(self.place(slot)))

    @precondition(on_turn)
    @rule()
    def wait_on_its_turn(self) -> None:
        assert self.fight.current is not None
        self.take(rules.Wait(self.fight.current))

    @precondition(running)
    @rule(slot=numbers())
    def come_back(self, slot: int) -> None:
        waiting = [s.number for s in self.fight.slots if s.waiting is not None]
        self.take(rules.ComeBack(waiting[0] if waiting else self.place(slot)))
