"""What the GM sees of a fight: the order, the turn panel, ties, and the last steps."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from django.utils.translation import get_language

import rules
from encounters import history, log, timing
from encounters.labels import name_of
from encounters.models import Encounter
from encounters.screens.dice import LastRoll, last_roll
from encounters.screens.difficulty import Meter, meter
from encounters.screens.due import Counted, DueNow, Legend, counted, due_now, legends
from encounters.screens.effects import EffectsPanel, Meaning, effects_panel, meanings
from encounters.screens.foreseen import Foreseen, foreseen
from encounters.screens.just_now import just_now
from encounters.screens.opening import Opening, opening
from encounters.screens.panel import Holder, TurnPanel, held_ready, turn_panel, waiting
from encounters.screens.rows import GmRow, rows
from encounters.screens.together import standing
from encounters.sides import SideInSight, sides_in_sight

LOG_LENGTH = 12  # steps shown beside the board


@dataclass(frozen=True, slots=True)
class GmTie:
    total: int
    kind: str
    slots: tuple[tuple[int, str], ...]  # slot and who acts in it, in the present order


@dataclass(frozen=True, slots=True)
class Alliance:
    """Two sides that are there, and whether they fight together."""

    one: str
    other: str
    allied: bool


@dataclass(frozen=True, slots=True)
class Here:
    """All that the turn panel shows of a board, beside its own."""

    uuid: str
    state: str


@dataclass(frozen=True, slots=True)
class FightInBrief(Here):
    """All that the strip shows of a board, beside its row."""

    early: bool  # the first round, or before it
    surprisable: bool  # being surprised still takes something away
    effects: EffectsPanel


@dataclass(frozen=True, slots=True)
class LogLine:
    version: int
    text: str
    kind: str  # undo | redo | ""


@dataclass(frozen=True, slots=True)
class Note:
    """What the GM has written down about somebody."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class GmBoard:
    uuid: str
    version: int
    name: str
    edition: str
    state: str
    round: int
    seconds: int  # elapsed
    rows: tuple[GmRow, ...]
    effects: EffectsPanel
    meanings: tuple[Meaning, ...]  # of what is on the rows
    current: int | None
    panel: TurnPanel | None
    due: tuple[DueNow, ...]
    legends: tuple[Legend, ...]
    counted: tuple[Counted, ...]  # of those whose turn it is
    until: int  # when its time is over, in ms since 1970; 0 without a timer
    decided: bool  # nobody who stands has an enemy left
    foreseen: Foreseen | None  # the turn to come, None when nobody can act
    held: tuple[Holder, ...]  # ready
    waiting: tuple[Holder, ...]
    alliances: tuple[Alliance, ...]
    sight: tuple[SideInSight, ...]  # of the sides that can be shown or hidden as a whole
    ties: tuple[GmTie, ...]
    opening: Opening | None
    difficulty: Meter | None  # in preparation, as soon as somebody is there
    undo: str  # what *undo* would take back, "" when there is nothing
    redo: str
    log: tuple[LogLine, ...]
    notes: tuple[Note, ...]  # of all who have some: they are printed
    last_roll: LastRoll | None

    @property
    def here(self) -> Here:
        return Here(self.uuid, self.state)

    @property
    def brief(self) -> FightInBrief:
        surprisable = self.state == "rolling" or self.edition == "2014"
        return FightInBrief(self.uuid, self.state, self.round <= 1, surprisable, self.effects)

    @property
    def seconds_in_all(self) -> int:
        """How long the fight lasted, its last round included."""
        return self.round * 6


def gm_board(encounter: Encounter, fight: rules.Fight) -> GmBoard:
    """Everything the GM's page shows of this fight; two queries, and one more with a creature.

    In preparation there is one more for the heroes' levels.
    """
    steps = history.recent(encounter, LOG_LENGTH)
    running = fight.state in ("running", "ended")
    coming = foreseen(fight)
    ties = rules.ties(fight)
    just = just_now(steps, encounter.version)
    found = rows(fight, coming.slot if coming else None, ties, just)
    return GmBoard(
        uuid=str(encounter.uuid),
        version=fight.version,
        name=encounter.name,
        edition=fight.settings.edition,
        state=fight.state,
        round=fight.round,
        seconds=fight.seconds,
        rows=found,
        effects=effects_panel(
            fight, (e for row in found for e in row.removable), encounter.campaign
        ),
        meanings=meanings(_marked(found), fight.settings.edition),
        current=fight.current,
        panel=turn_panel(fight) if running else None,
        due=due_now(fight),
        legends=legends(fight),
        counted=counted(fight) if fight.state == "running" else (),
        until=_until(encounter, fight),
        decided=fight.state == "running" and rules.nobody_left(fight),
        foreseen=coming,
        held=held_ready(fight) if fight.state == "running" else (),
        waiting=waiting(fight) if fight.state == "running" else (),
        alliances=alliances(fight),
        sight=sides_in_sight(fight) if fight.state != "ended" else (),
        ties=_ties(fight, ties),
        opening=opening(fight) if fight.state == "rolling" else None,
        difficulty=meter(fight) if fight.state == "preparing" and fight.combatants else None,
        undo=_headline(steps, encounter.undo_step),
        redo=_headline(steps, encounter.redo_step),
        log=_log(steps, encounter.version),
        notes=_notes(fight),
        last_roll=last_roll(s for s in steps if s.version > encounter.version - LOG_LENGTH),
    )


def _notes(fight: rules.Fight) -> tuple[Note, ...]:
    return tuple(Note(str(name_of(c)), c.notes) for c in fight.combatants if c.notes)


def _marked(found: Iterable[GmRow]) -> Iterator[str]:
    """The codes of what is on the rows."""
    for row in found:
        yield from (mark.code for mark in row.effects)
        if row.surprised:
            yield "surprised"


def _until(encounter: Encounter, fight: rules.Fight) -> int:
    on = fight.state == "running" and fight.current is not None
    return timing.until(encounter.campaign, encounter.turn_began) if on else 0


def alliances(fight: rules.Fight) -> tuple[Alliance, ...]:
    """Every two of the sides that are there."""
    sides = sorted({c.side for c in fight.combatants if not c.is_lair})
    allied = [list(pair) for pair in fight.allied]
    return tuple(Alliance(a, b, [a, b] in allied) for a, b in combinations(sides, 2))


def _ties(fight: rules.Fight, ties: Iterable[rules.Tie]) -> tuple[GmTie, ...]:
    if fight.state not in ("rolling", "running"):
        return ()
    members, language = fight.by_slot(), get_language()
    return tuple(
        _tie(tie, tuple([tuple(members[number]) for number in tie.asked]), language)
        for tie in ties
        if tie.open
    )


@lru_cache(maxsize=500)
def _tie(
    tie: rules.Tie, asked: tuple[tuple[rules.Combatant, ...], ...], _language: str | None
) -> GmTie:
    slots = zip(tie.asked, map(standing, asked), strict=True)
    return GmTie(tie.total, tie.kind, tuple(slots))


def _headline(steps: Sequence[history.Told], version: int | None) -> str:
    told = (step.stored for step in steps if step.version == version)
    return next((_named(stored, get_language()) for stored in told), "")


def _log(steps: Sequence[history.Told], version: int) -> tuple[LogLine, ...]:
    language = get_language()
    return tuple(
        LogLine(
            step.version,
            _said(step.stored, language),
            step.command if step.command in ("undo", "redo") else "",
        )
        for step in steps
        if step.version > version - LOG_LENGTH
    )


@lru_cache(maxsize=500)
def _named(stored: str, _language: str | None) -> str:
    return log.headline(history.read(stored))


@lru_cache(maxsize=500)
def _said(stored: str, _language: str | None) -> str:
    return log.sentence(history.read(stored))
