"""Fights drawn as text: each `.fight` file is a test, and a failing one shows two boards.

    # a comment
    ! group_initiative=off             settings, before anything else
    + 3 foes Goblin dex+2 hp7          who joins: count, side, name, then key and value
    > roll #1=10 gob=11                a command, with what it is about
      round 1                          indented: the board expected after it
        18 Lia 20/20
      > 13 Goblin 7/7, 0/7 defeated    > has the turn; a group's members in order of entry
    > next
      refused nobody-can-act           or: the refusal expected

Keys of a combatant stand in reading.py. Who a command is about: #3 (a combatant), a group's word,
or a name. Commands stand in `COMMANDS`; `previous`, `undo` and `redo` use the fight's history.
`next gob=12` begins a round of new dice; `do Lia ready bonus`: who, which action, at what cost.
Marks of a combatant: +4 temporary, `-` no reaction left, surprised, defeated, down, out, hidden,
awaited, its conditions and what its actions have left.
Behind a total: `tie`, it is open; `waits`; `second`, the second turn of round 1.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import rules
from tests.rules.reading import Line, lines
from tests.rules.reading import combatants as combatants

# Running


def members(fight: rules.Fight, word: str) -> list[rules.Combatant]:
    if word.startswith("#"):
        return [fight.combatant(int(word[1:]))]
    found = [c for c in fight.combatants if word in (c.creature, c.name)]
    assert found, f"who is {word}?"
    return found


def one(fight: rules.Fight, word: str) -> int:
    return members(fight, word)[0].number


def slot(fight: rules.Fight, word: str) -> int:
    number = members(fight, word)[0].slot
    assert number is not None, f"{word} has no place in the order"
    return number


def all_of(fight: rules.Fight, words: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(c.number for word in words for c in members(fight, word))


def slot_values(fight: rules.Fight, words: tuple[str, ...]) -> dict[int, int]:
    pairs = (word.rsplit("=", 1) for word in words if "=" in word)
    return {slot(fight, who): int(value) for who, value in pairs}


def dice_values(fight: rules.Fight, words: tuple[str, ...]) -> dict[int, int | tuple[int, ...]]:
    """`gob=15` or `gob=15,6`: the d20s of a place."""
    pairs = (word.rsplit("=", 1) for word in words if "=" in word)
    return {slot(fight, who): tuple(map(int, dice.split(","))) for who, dice in pairs}


def side_dice(words: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    pairs = (word.split("=") for word in words)
    return {side: tuple(map(int, dice.split(","))) for side, dice in pairs}


def mount(fight: rules.Fight, words: tuple[str, ...]) -> rules.Mount:
    """`mount Horse Lia`: who is ridden, and by whom; nobody: it goes on its own."""
    return rules.Mount(one(fight, words[0]), one(fight, words[1]) if words[1:] else None)


def take_action(fight: rules.Fight, words: tuple[str, ...]) -> rules.TakeAction:
    who, action, *rest = words
    cost = rest[0] if rest and rest[0] in rules.COSTS else "action"
    text = " ".join(word for word in rest if word not in rules.COSTS)
    return rules.TakeAction(one(fight, who), action, cost, text)


def add_effect(fight: rules.Fight, words: tuple[str, ...]) -> rules.AddEffect:
    level = int(words[2]) if words[2:] else 0
    return rules.AddEffect(one(fight, words[0]), rules.Effect(words[1], level))


def join(fight: rules.Fight, words: tuple[str, ...]) -> rules.Join:
    dice = tuple(int(word[4:]) for word in words if word.startswith("d20="))
    return rules.Join(combatants(tuple(w for w in words if not w.startswith("d20="))), dice)


def hide(fight: rules.Fight, words: tuple[str, ...]) -> rules.Hide:
    pairs = [word.split("=") for word in words]
    return rules.Hide({c.number: int(s) for who, s in pairs for c in members(fight, who)})


def roll_off(fight: rules.Fight, words: tuple[str, ...]) -> rules.RollOff:
    """`rolloff 15 12 12 4 17`: the total, then the dice as they fall, in the order of the tie."""
    total, *falling = (int(word) for word in words)
    dice = rules.roll_off(rules.contenders(fight, total), lambda: falling.pop(0))
    assert not falling, "dice are left over"
    return rules.RollOff(total, dice)


def begin(fight: rules.Fight, words: tuple[str, ...]) -> rules.StartFight:
    """Straight from the preparation, the dice are for the places that opening it will make."""
    opened = rules.OpenFight().run(fight).fight if fight.state == "preparing" else fight
    return rules.StartFight(dice_values(opened, words), accept_empty="empty" in words)


COMMANDS: dict[str, Callable[[rules.Fight, tuple[str, ...]], rules.Command]] = {
    "join": join,
    "leave": lambda fight, words: rules.Leave(all_of(fight, words)),
    "surprise": lambda fight, words: rules.OpenFight(),
    "hide": hide,
    "show": lambda fight, words: rules.StopHiding(all_of(fight, words)),
    "word": lambda fight, words: rules.OverrideSurprise(one(fight, words[0]), words[1]),
    "roll": lambda fight, words: rules.RollInitiative(dice_values(fight, words)),
    "sides": lambda fight, words: rules.RollInitiative(sides=side_dice(words)),
    "total": lambda fight, words: rules.RollInitiative(totals=slot_values(fight, words)),
    "tie": lambda fight, words: rules.BreakTie(tuple(slot(fight, w) for w in words)),
    "rolloff": roll_off,
    "move": lambda fight, words: rules.Reorder(
        slot(fight, words[0]), slot(fight, words[2]) if words[1] == "before" else None
    ),
    "begin": begin,
    "next": lambda fight, words: rules.NextTurn(dice_values(fight, words)),
    "turn": lambda fight, words: rules.GiveTurn(slot(fight, words[0])),
    "spend": lambda fight, words: rules.SetReaction(one(fight, words[0]), False),
    "return": lambda fight, words: rules.SetReaction(one(fight, words[0]), True),
    "damage": lambda fight, words: rules.Damage(one(fight, words[0]), int(words[1])),
    "heal": lambda fight, words: rules.Heal(one(fight, words[0]), int(words[1])),
    "temp": lambda fight, words: rules.GiveTemporary(one(fight, words[0]), int(words[1])),
    "out": lambda fight, words: rules.SetOut(one(fight, words[0]), True),
    "in": lambda fight, words: rules.SetOut(one(fight, words[0]), False),
    "rename": lambda fight, words: rules.Edit(one(fight, words[0]), {"name": words[1]}),
    "ally": lambda fight, words: rules.Ally(words[0], words[1], True),
    "part": lambda fight, words: rules.Ally(words[0], words[1], False),
    "side": lambda fight, words: rules.ChangeSide(all_of(fight, words[1:]), words[0]),
    "split": lambda fight, words: rules.Split(all_of(fight, words)),
    "merge": lambda fight, words: rules.Merge(all_of(fight, words)),
    "mount": mount,
    "extra": lambda fight, words: rules.GiveExtraTurn(one(fight, words[0])),
    "no-extra": lambda fight, words: rules.RemoveExtraTurn(one(fight, words[0])),
    "wait": lambda fight, words: rules.Wait(slot(fight, words[0])),
    "back": lambda fight, words: rules.ComeBack(slot(fight, words[0])),
    "do": take_action,
    "walk": lambda fight, words: rules.Move(one(fight, words[0]), int(words[1])),
    "stand": lambda fight, words: rules.StandUp(one(fight, words[0])),
    "release": lambda fight, words: rules.ReleaseReadied(one(fight, words[0])),
    "add": add_effect,
    "remove": lambda fight, words: rules.RemoveEffect(one(fight, words[0]), words[1]),
    "end": lambda fight, words: rules.EndFight(),
    "reopen": lambda fight, words: rules.ReopenFight(),
}


@dataclass
class History:
    """A fight with its steps: enough of a table to take a turn, or any step, back."""

    fight: rules.Fight = field(default_factory=rules.Fight)
    steps: dict[int, rules.Changes] = field(default_factory=dict)  # version -> what it changed
    undoable: list[rules.Changes] = field(default_factory=list)
    undone: list[rules.Changes] = field(default_factory=list)

    def take(self, command: rules.Command) -> rules.Outcome:
        outcome = command.run(self.fight)
        changes = self._step(outcome.fight)
        self.undoable.append(changes)
        self.undone.clear()
        return outcome

    def previous(self) -> rules.PreviousTurn:
        """The steps that began this turn and, where nobody of them is left, those before."""
        there = {slot.number for slot in self.fight.slots}
        chain: list[rules.Changes] = []
        step, turn = self.fight.turn_step, self.fight.current
        while step is not None and (not chain or turn not in there):
            chain.append(self.steps[step])
            was = {name: pair[0] for name, pair in self.steps[step]["fight"].items()}
            step, turn = was.get("turn_step"), was.get("current", turn)
        return rules.PreviousTurn(tuple(chain))

    def undo(self) -> None:
        changes = self.undoable.pop()
        self._step(rules.restored(self.fight, changes, after=False))
        self.undone.append(changes)

    def redo(self) -> None:
        changes = self.undone.pop()
        self._step(rules.restored(self.fight, changes, after=True))
        self.undoable.append(changes)

    def _step(self, after: rules.Fight) -> rules.Changes:
        changes = rules.difference(self.fight, after)
        self.fight = replace(after, version=self.fight.version + 1)
        self.steps[self.fight.version] = changes
        return changes


def perform(history: History, line: Line) -> None:
    match line.verb:
        case "settings":
            values: dict[str, Any] = dict(word.split("=") for word in line.arguments)
            values = {k: {"on": True, "off": False}.get(v, v) for k, v in values.items()}
            history.fight = replace(history.fight, table=rules.Settings(**values))
        case "undo":
            history.undo()
        case "redo":
            history.redo()
        case "previous":
            history.take(history.previous())
        case verb:
            history.take(COMMANDS[verb](history.fight, line.arguments))


# Drawing


def board(fight: rules.Fight) -> tuple[str, ...]:
    open_ties = {number for tie in rules.ties(fight) if tie.open for number in tie.slots}
    drawn = [f"round {fight.round}" + (" ended" if fight.state == "ended" else "")]
    for place in fight.slots:
        own = fight.members(place.number)
        total = "" if place.total is None else str(place.total)
        words = (
            ">" if place.number == fight.current else "",
            total or "?",
            "tie" if place.number in open_ties else "",
            "waits" if place.waiting is not None else "",
            "second" if place.extra_of is not None else "",
            own[0].name,
            ", ".join(_state(c) for c in own),
        )
        drawn.append(" ".join(word for word in words if word))
    return tuple(drawn)


def _state(c: rules.Combatant) -> str:
    marks = {
        "-": not c.reaction,
        "surprised": c.surprised,
        "defeated": c.defeated,
        "down": c.down,
        "out": c.out,
        "hidden": c.hidden,
        "awaited": c.awaited,
        **{effect.code: True for effect in c.effects},
    }
    temporary = f"+{c.temp_hp}" if c.temp_hp else ""
    hit_points = "?" if c.hp is None else f"{c.hp}/{c.max_hp}{temporary}"
    return " ".join([hit_points, *(word for word, true in marks.items() if true)])


def side_by_side(expected: tuple[str, ...], actual: tuple[str, ...]) -> str:
    width = max(len(line) for line in ("expected", *expected)) + 2
    rows = [f"    {'expected':{width}}| actual"]
    for left, right in zip_longest(expected, actual, fillvalue=""):
        rows.append(f"{'  ' if left == right else '!!'}  {left:{width}}| {right}")
    return "\n".join(rows)


def play(path: Path) -> None:
    """Run a drawing. Raises `AssertionError` with both boards where they differ."""
    history = History()
    for line in lines(path.read_text(encoding="utf-8")):
        try:
            perform(history, line)
            actual = board(history.fight)
        except rules.RuleError as refusal:
            actual = (f"refused {refusal.code}",)
            assert line.expected, f"{path.name}:{line.number} {line.verb}: {actual[0]}"
        if line.expected and line.expected != actual:
            said = " ".join([line.verb, *line.arguments])
            raise AssertionError(
                f"{path.name}:{line.number}  {said}\n{side_by_side(line.expected, actual)}"
            )
