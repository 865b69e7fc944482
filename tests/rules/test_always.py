"""What is true of every fight, whatever happens in it: commands drawn at random."""

from collections import Counter
from dataclasses import fields
from pathlib import Path
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

import rules
from tests.rules.drawn import NOBODY, dice, numbers, seeds, totals
from tests.rules.ordering import Ordering
from tests.rules.table import on_turn, running, state_of, through_json

OF_A_TURN = {
    "surprised", "lost_turn", "reaction", "has_acted", "hidden", "awaited", "moved", "dashes",
    "action_spent", "bonus_spent", "object_spent", "effects", "slot", "letter", "dues", "uses",
    "dead", "stable", "death_successes", "death_failures", "hp", "temp_hp", "max_hp",
}  # fmt: skip


OF_ONE_HURT = ("hp", "temp_hp", "max_hp", "effects", "dues", "uses", "dead", "stable")


def acting(fight: rules.Fight) -> list[int]:
    """Those whose turn it is, unless it is one of those second turns of round 1."""
    if fight.current is None or fight.home(fight.current) != fight.current:
        return []
    return [c.number for c in fight.members(fight.current) if not c.passed_over]


def touched(before: rules.Fight, after: rules.Fight, number: int) -> bool:
    """Whether a turn has itself changed how this one is."""
    was, now = before.combatant(number), after.combatant(number)
    return any(getattr(was, name) != getattr(now, name) for name in OF_ONE_HURT)


def others(fight: rules.Fight, number: int) -> list[rules.Combatant]:
    return [c for c in fight.combatants if c.number != number]


class AnyTable(Ordering):
    """Tries every command, possible or not, and takes steps back and forth."""

    # Rounds and turns

    @precondition(lambda self: self.fight.state == "preparing")
    @rule(dice=st.dictionaries(numbers(), dice(), max_size=2))
    def open_fight(self, dice: dict[int, int]) -> None:
        self.take(rules.OpenFight({self.one(who): die for who, die in dice.items()}))

    @precondition(lambda self: self.fight.state in ("preparing", "rolling"))
    @rule(
        dice=st.dictionaries(numbers(), dice(), max_size=2),
        given=st.dictionaries(numbers(), totals(), max_size=2),
        accept_empty=st.booleans(),
    )
    def start_fight(
        self, dice: dict[int, int], given: dict[int, int | None], accept_empty: bool
    ) -> None:
        dealt = {number: (die,) for number, die in self.at_places(dice).items()}
        self.take(rules.StartFight(dealt, self.at_places(given), accept_empty))

    def coming(self, seed: int) -> rules.NextTurn:
        """The next turn, with the dice that it may need."""
        chance = Random(seed)
        anew = rules.rolls_anew(self.fight)
        if not anew:
            return rules.NextTurn()
        if self.fight.settings.side_initiative:
            return rules.NextTurn(sides=self.side_dice(chance))
        begun = rules.until_the_dice(self.fight)
        return rules.NextTurn(rules.initiative_dice(begun, anew, lambda: chance.randint(8, 12)))

    @rule(seed=seeds())
    def next_turn(self, seed: int) -> None:
        before, coming = self.fight, rules.next_slot(self.fight)
        told = rules.preview(before) if before.state == "running" else None
        anew = bool(rules.rolls_anew(before))
        if self.take(self.coming(seed)):
            assert told is not None
            assert anew or self.fight.current == coming
            self.check_preview(told, before, anew)
        else:
            assert told is None

    def check_preview(self, told: rules.Preview, before: rules.Fight, anew: bool) -> None:
        """It has said just what has come; of new dice, what they could not change."""
        after = self.fight
        now = {c.number: c for c in after.combatants}
        assert told.slot == (None if anew else after.current)
        assert (told.round, told.new_round) == (after.round, after.round > before.round)
        ended = {(c.number, e.key) for c in before.combatants for e in c.effects}
        ended -= {(c.number, e.key) for c in after.combatants for e in c.effects}
        found = (
            [c.number for c in before.combatants if c.surprised and not now[c.number].surprised],
            [c.number for c in before.combatants if now[c.number].reaction and not c.reaction],
            [c.number for c in before.combatants if c.awaited and not now[c.number].awaited],
        )
        said = tuple(
            [c.number for c in those]
            for those in (told.surprise_ends, told.reactions_return, told.arrive)
        )
        effects = {(c.number, effect.key) for c, effect in told.effects_end}
        asked = Counter((c.number, due) for c in after.combatants for due in c.dues)
        asked -= Counter((c.number, due) for c in before.combatants for due in c.dues)
        points = [(c.number, (now[c.number].hp or 0) - (c.hp or 0)) for c in before.combatants]
        if anew:
            assert effects <= ended
            assert all(set(one) <= set(other) for one, other in zip(said, found, strict=True))
        else:
            assert (said, effects) == (found, ended)
            assert Counter((c.number, due) for c, due in told.asked) == asked
            said_points = [(c.number, points) for c, points in told.hit_points]
            assert said_points == [(number, change) for number, change in points if change]
            own = acting(after) or [c.number for c in after.members(after.current)]
            lost = [now[n].surprised for n in own if not now[n].passed_over]
            assert told.loses_turn == (bool(lost) and all(lost))

    @precondition(running)
    @rule(seed=seeds())
    def a_round_of_turns(self, seed: int) -> None:
        for _ in self.fight.slots:
            self.next_turn(seed)

    @precondition(running)
    @rule(slot=numbers())
    def give_turn(self, slot: int) -> None:
        self.take(rules.GiveTurn(self.place(slot)))

    @precondition(running)
    @rule(seed=seeds())
    def end_fight_and_reopen(self, seed: int) -> None:
        assert self.take(rules.EndFight())
        if seed % 5 == 0:
            self.next_turn(seed)
        assert self.take(rules.ReopenFight())

    # On a turn

    @precondition(running)
    @rule(
        who=numbers(),
        action=st.sampled_from(["dash", "disengage", "dodge", "help", "ready", "magic", "search"]),
        cost=st.sampled_from([*rules.COSTS, "soul"]),
        spell=st.booleans(),
    )
    def take_action(self, who: int, action: str, cost: str, spell: bool) -> None:
        self.take(rules.TakeAction(self.one(who), action, cost, "the door opens", spell))

    @precondition(running)
    @rule(who=numbers(), what=st.sampled_from(["action", "bonus", "object", "?"]))
    def set_spent(self, who: int, what: str) -> None:
        self.take(rules.SetSpent(self.one(who), what, who % 2 == 0))

    @precondition(running)
    @rule(who=numbers(), feet=st.sampled_from([-10, 5, 30, 100_000]))
    def move(self, who: int, feet: int) -> None:
        self.take(rules.Move(self.one(who), feet))

    @precondition(running)
    @rule(who=numbers(), way=st.sampled_from(["walk", "fly"]))
    def choose_speed(self, who: int, way: str) -> None:
        self.take(rules.ChooseSpeed(self.one(who), way))

    @precondition(running)
    @rule(who=numbers(), falls=st.booleans())
    def stand_up(self, who: int, falls: bool) -> None:
        if falls:
            self.take(rules.AddEffect(self.one(who), rules.Effect("prone")))
        self.take(rules.StandUp(self.one(who)))

    @precondition(running)
    @rule(who=numbers(), later=st.booleans(), seed=seeds(), spell=st.booleans())
    def release_what_is_ready(self, who: int, later: bool, seed: int, spell: bool) -> None:
        self.take(rules.TakeAction(self.one(who), "ready", "none", "the door opens", spell))
        if later:
            self.next_turn(seed)
        self.take(rules.ReleaseReadied(self.one(who)))

    @rule(who=numbers(), available=st.booleans())
    def set_reaction(self, who: int, available: bool) -> None:
        self.take(rules.SetReaction(self.one(who), available))

    @rule(who=numbers(), other=numbers())
    def both_or_neither(self, who: int, other: int) -> None:
        one, two = rules.SetOut(self.one(who), True), rules.Damage(self.one(other), 3)
        self.take(rules.Together((one, two)))

    # Taking back

    @precondition(on_turn)
    @rule()
    def previous_turn(self) -> None:
        before = self.fight
        if not self.take(self.history.previous()):
            return
        for was, now in zip(before.combatants, self.fight.combatants, strict=True):
            names = (field.name for field in fields(now))
            assert {name for name in names if getattr(now, name) != getattr(was, name)} <= OF_A_TURN

    @precondition(on_turn)
    @rule(
        kind=st.sampled_from(["", "", "damage", "heal", "temporary", "add", "remove", "use"]),
        who=numbers(),
        seed=seeds(),
    )
    def next_turn_and_back(self, kind: str, who: int, seed: int) -> None:
        """As if the turn had never come, but for what was done in between."""
        before, number = self.fight, self.one(who)
        if not self.take(self.coming(seed)):
            return
        begun = self.fight
        command = self.in_between(kind, number)
        done = command is not None and self.take(command)
        stages = [fight.combatant(number) for fight in (before, begun, self.fight) if done]
        assert self.take(self.history.previous())
        expected = state_of(command.run(before).fight if command and done else before)
        if any(c.incapacitated for c in stages) and touched(before, begun, number):
            return  # what was done to somebody who was down then is not what it would have been
        if done and touched(before, begun, number):
            assert others(expected, number) == others(state_of(self.fight), number)
            if all(0 < (c.hp or 0) < (c.max_hp or 0) and not c.temp_hp for c in stages):
                assert self.fight.combatant(number).hp == expected.combatant(number).hp
        else:
            assert not rules.difference(expected, state_of(self.fight))

    @precondition(lambda self: on_turn(self) and rules.next_slot(self.fight) is not None)
    @rule(
        edge=st.sampled_from(["start", "end"]),
        each=st.sampled_from(["1", "3", "9"]),
        heals=st.booleans(),
        kind=st.sampled_from(["", "damage", "heal", "temporary"]),
        seed=seeds(),
    )
    def hurt_or_heal_by_the_next_turn(
        self, edge: str, each: str, heals: bool, kind: str, seed: int
    ) -> None:
        slot = self.fight.current if edge == "end" else rules.next_slot(self.fight)
        members = self.fight.members(slot)
        number = members[seed % len(members)].number
        effect = rules.Effect("own", text="pulse", each=each, each_at=edge, heals=heals)
        if self.take(rules.AddEffect(number, effect)):
            self.next_turn_and_back(kind, seed % NOBODY, seed)
            self.next_turn(seed)

    def in_between(self, kind: str, number: int) -> rules.Command | None:
        """Something done on the turn that is then taken back."""
        effects = [e for c in self.fight.combatants if c.number == number for e in c.effects]
        effect = effects[0] if effects else rules.Effect("prone")
        commands: dict[str, rules.Command] = {
            "damage": rules.Damage(number, 3),
            "heal": rules.Heal(number, 3),
            "temporary": rules.GiveTemporary(number, 3),
            "add": rules.AddEffect(number, rules.Effect("turned", text="back")),
            "remove": rules.RemoveEffect(number, effect.code, effect.text, effect.source),
            "use": rules.SetUse(number, "Breath", 1),
        }
        return commands.get(kind)

    @precondition(lambda self: bool(self.past))
    @rule()
    def undo(self) -> None:
        self.future.append(self.fight)
        self.history.undo()
        if self.compares:
            self.opinion.undo()
        assert state_of(self.fight) == state_of(self.past.pop())

    @precondition(lambda self: bool(self.future))
    @rule()
    def redo(self) -> None:
        self.past.append(self.fight)
        self.history.redo()
        if self.compares:
            self.opinion.redo()
        assert state_of(self.fight) == state_of(self.future.pop())

    @rule()
    def write_down_and_read(self) -> None:
        """The whole fight as JSON, and back."""
        empty = rules.Fight(table=self.fight.table, version=self.fight.version)
        written = through_json(rules.difference(empty, self.fight))
        assert rules.restored(empty, written, after=True) == self.fight


TestTable = AnyTable.TestCase
TestTable.settings = settings(max_examples=2 * settings().max_examples, stateful_step_count=50)


def test_the_table_tries_every_command() -> None:
    here = Path(__file__).parent
    files = ("test_always.py", "gathering.py", "ordering.py", "wounding.py")
    tried = "".join((here / name).read_text(encoding="utf-8") for name in files)
    public = {name for name in rules.__all__ if hasattr(getattr(rules, name), "run")}
    missing = {n for n in public - {"Command", "PreviousTurn"} if f"rules.{n}" not in tried}
    assert not missing
