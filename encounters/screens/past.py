"""What the GM sees of what has been: the whole log, and the board as it stood after a step."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

import rules
from bestiary.folding import fold
from encounters import history, labels, log
from encounters.labels import name_of
from encounters.models import Encounter
from encounters.screens.rows import GmRow, rows
from encounters.screens.together import who
from encounters.store import load_fight
from encounters.verdicts import Verdict, verdicts


@dataclass(frozen=True, slots=True)
class Line:
    """A step in the log."""

    version: int
    text: str
    round: int  # after the step; 0 before the first
    undone: bool  # and has no effect on the fight as it is now
    is_back: bool  # undo, redo or going back
    begins_turn: bool
    kinds: frozenset[str]
    who: frozenset[int]  # numbers of those whom it names
    why: tuple[Verdict, ...]  # of those whom it tells to be surprised


@dataclass(frozen=True, slots=True)
class Sought:
    """What the reader wants to see of the log."""

    kind: str = ""  # of `log.KINDS`, or "" for all
    who: int | None = None  # a combatant's number
    text: str = ""

    def finds(self, line: Line, alike: Set[int]) -> bool:
        """Whether a line is sought; `alike` are the numbers of whoever has the name of `who`."""
        return (
            (not self.kind or self.kind in line.kinds)
            and (self.who is None or not alike.isdisjoint(line.who))
            and fold(self.text) in fold(line.text)
        )


@dataclass(frozen=True, slots=True)
class Round:
    """Lines of the log that follow one another in one round."""

    number: int  # 0 before the first
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class WholeLog:
    lines: tuple[Line, ...]  # those sought, newest first
    count: int  # of all
    people: tuple[tuple[int, str], ...]
    # everybody who was ever there, each name once, with the number of who has it last


@dataclass(frozen=True, slots=True)
class PastRow:
    """A combatant as it was, and what has become of it."""

    row: GmRow
    hp_now: str  # "5/20 +3" where it is another than then, else ""
    left: bool  # is no longer in the fight


@dataclass(frozen=True, slots=True)
class PastBoard:
    """The fight as it stood after a step."""

    version: int
    last: int  # the version of the fight now
    text: str  # what the step did
    state: str
    round: int
    seconds: int  # elapsed
    turn: str  # whose it was, "" outside turns
    rows: tuple[PastRow, ...]
    entered: str  # those who have come since
    next: str  # what the following step did, "" after the last
    differs: bool  # from the fight now


def whole_log(encounter: Encounter, sought: Sought) -> WholeLog:
    """All steps that are sought; two queries, however many there are."""
    records = history.records(encounter)
    lines = _lines(records, encounter)
    names = _names(records, load_fight(encounter))
    own = names.get(sought.who or 0)
    alike = {number for number, name in names.items() if name == own} | {sought.who or 0}
    return WholeLog(
        lines=tuple(line for line in lines if sought.finds(line, alike)),
        count=len(lines),
        people=tuple({name: (number, name) for number, name in sorted(names.items())}.values()),
    )


def by_round(lines: Iterable[Line]) -> list[Round]:
    """The same lines in their order, in rounds."""
    groups = groupby(lines, key=lambda line: line.round)
    return [Round(number, tuple(own)) for number, own in groups]


def past_board(encounter: Encounter, version: int) -> PastBoard | None:
    """The board after the step with this version; None when there is none. Two queries."""
    if not 1 <= version <= encounter.version:
        return None
    now = load_fight(encounter)
    *later, step = history.steps_from(encounter, version)
    then = history.taken_back(now, later)
    following = later[-1] if later else None
    running = then.state == "running"
    return PastBoard(
        version=version,
        last=encounter.version,
        text=log.line(step.command, step.events),
        state=then.state,
        round=then.round,
        seconds=then.seconds,
        turn=who(then, then.current) if running and then.current is not None else "",
        rows=_past_rows(then, now),
        entered=_entered(then, now),
        next=log.line(following.command, following.events) if following else "",
        differs=bool(rules.difference(now, then)),
    )


def _lines(records: Sequence[history.Record], encounter: Encounter) -> list[Line]:
    stands = history.standing(records, encounter.undo_step)
    lines, round_after = [], encounter.round
    for step in records:
        codes = {event["code"] for event in step.events}
        is_back = step.command in ("undo", "redo", "go-back")
        lines.append(
            Line(
                version=step.version,
                text=log.line(step.command, step.events),
                round=round_after,
                undone=step.command != "undo" and (step.of or step.version) not in stands,
                is_back=is_back,
                begins_turn=not is_back and "turn-began" in codes,
                kinds=log.kinds(step.command, step.events),
                who=frozenset(one["number"] for one in log.people(step.events)),
                why=tuple(v for event in step.events for v in verdicts(event.get("verdicts", {}))),
            )
        )
        round_after = step.rounds[0] if step.rounds else round_after
    return lines


def _names(records: Sequence[history.Record], fight: rules.Fight) -> dict[int, str]:
    """Everybody by the latest name; those who are there by their own."""
    names = {}
    for step in reversed(records):
        for one in log.people(step.events):
            names[one["number"]] = str(labels.named(one))
    return names | {c.number: str(name_of(c)) for c in fight.combatants}


def _past_rows(then: rules.Fight, now: rules.Fight) -> tuple[PastRow, ...]:
    upcoming = rules.next_slot(then) if then.state == "running" else None
    today = {c.number: c for c in now.combatants}
    own = {c.number: c for c in then.combatants}
    found = []
    for row in rows(then, upcoming, rules.ties(then)):
        present = today.get(row.number)
        hp, was = present and _hit_points(present), _hit_points(own[row.number])
        found.append(PastRow(row, hp if hp and hp != was else "", present is None))
    return tuple(found)


def _hit_points(combatant: rules.Combatant) -> str:
    if combatant.max_hp is None:
        return "–"
    extra = f" +{combatant.temp_hp}" if combatant.temp_hp else ""
    return f"{combatant.hp}/{combatant.max_hp}{extra}"


def _entered(then: rules.Fight, now: rules.Fight) -> str:
    there = {c.number for c in then.combatants}
    return labels.in_words(str(name_of(c)) for c in now.combatants if c.number not in there)
