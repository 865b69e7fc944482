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

Who a command is about: #3 (a combatant), a group's word, or a name. Keys of a combatant stand in
reading.py, the commands in verbs.py and harming.py; `previous`, `undo` and `redo` use the fight's
history. `next gob=12` begins a round of new dice; `do Lia ready bonus`: who, which action, at what
cost (`spell`: a spell is held ready).

    > damage #3 22 fire and 8 cold half      crit; spare (knock out); less=5
    > revive #3 4 / hp #3 9 / maximum #3 -5 / temp #3 8 / heal #3 5 / stabilise Lia
    > death Lia 9                            a death save: the d20
    > add Ogre stunned source=Lia ends=end whose=Lia turns=1
    > add Lia own text=blessed source=Cleo hangs rounds=10
    > add Ogre frightened save=wis15         save-at=start; level of exhaustion; anyway
    > add Ogre own text=burning each=5 fire  each-at=end; heals; offered
    > remove Ogre stunned source=Lia         text=
    > settle Ogre save made frightened       failed; a number: the hit points of a turn (each)
    > dismiss Lia death
    > legendary Dragon 1 / recharge Dragon 5 / use Dragon Resistance

Marks of a combatant: +4 temporary, `-` no reaction left, surprised, dead, defeated, down, stable,
1:2 (death saves made and failed), out, hidden, awaited; its effects with what is left of them:
`stunned(end Lia 1)` one end of a turn of Lia, `dazed(start round 13)` the start of its bearer's
turn then, `frightened(save wis15)`; own words alone; `Breath 0/1`, counted and not full; what is
due: !death, !con12, !save:frightened, !each:burning, !recharge:Breath.
Behind a total: `tie`, it is open; `waits`; `second`, the second turn of round 1.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import rules
from tests.rules.boards import board, side_by_side
from tests.rules.harming import HARM
from tests.rules.reading import Line, lines
from tests.rules.reading import combatants as combatants
from tests.rules.verbs import ORDER

COMMANDS = ORDER | HARM


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
