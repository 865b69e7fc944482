"""What the GM sees of a fight: the order, the turn panel, ties, and the last steps."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

import rules
from bestiary.models import Creature
from encounters import labels, log
from encounters.labels import Name, letters, name_of
from encounters.models import Encounter, Step
from encounters.screens.opening import Opening, opening

LOG_LENGTH = 12  # steps shown beside the board


@dataclass(frozen=True, slots=True)
class GmRow:
    """One combatant in the order."""

    number: int
    name: Name
    side: str
    ac: int | None
    hp: int | None
    max_hp: int | None
    temp_hp: int
    health: str
    surprised: bool
    can_react: bool
    hidden: bool
    defeated: bool
    out: bool
    label: str
    letter: str  # by which players tell it apart, "" while they need none
    slot: int | None
    total: str  # "" before it is known, and on the further rows of a group
    leads: bool  # the first row of its slot
    group: int  # how many share the slot
    tied: bool  # an open tie
    acting: bool
    comes_next: bool  # after those who act now
    acted: bool  # its slot has had its turn of this round

    @property
    def percent(self) -> int:
        """Hit points left, of a hundred."""
        return round(100 * (self.hp or 0) / self.max_hp) if self.max_hp else 0


@dataclass(frozen=True, slots=True)
class GmTie:
    total: int
    kind: str
    slots: tuple[tuple[int, str], ...]  # slot and who acts in it, in the present order


@dataclass(frozen=True, slots=True)
class TurnPanel:
    """Those whose turn it is, with their numbers from the book."""

    slot: int
    who: str
    side: str
    is_hero: bool
    surprised: str  # those who lose this turn, "" when nobody does
    speed: int | None  # feet
    ac: int | None
    passive_perception: int | None
    attacks: tuple["Attack", ...]
    notes: str


@dataclass(frozen=True, slots=True)
class Attack:
    en: str
    fr: str
    to_hit: int | None
    damage: str  # "1d6+2 + 2d6"

    def __str__(self) -> str:
        return str(Name(self.en, self.fr or self.en))


@dataclass(frozen=True, slots=True)
class LogLine:
    version: int
    text: str
    kind: str  # undo | redo | ""


@dataclass(frozen=True, slots=True)
class GmBoard:
    uuid: str
    version: int
    name: str
    state: str
    round: int
    seconds: int  # elapsed
    rows: tuple[GmRow, ...]
    current: int | None
    panel: TurnPanel | None
    next: str  # who acts next
    ties: tuple[GmTie, ...]
    opening: Opening | None
    undo: str  # what *undo* would take back, "" when there is nothing
    redo: str
    log: tuple[LogLine, ...]

    @property
    def seconds_in_all(self) -> int:
        """How long the fight lasted, its last round included."""
        return self.round * 6


def gm_board(encounter: Encounter, fight: rules.Fight) -> GmBoard:
    """Everything the GM's page shows of this fight; two queries, and one more with a creature."""
    steps = _steps(encounter)
    running = fight.state in ("running", "ended")
    upcoming = rules.next_slot(fight) if fight.state == "running" else None
    return GmBoard(
        uuid=str(encounter.uuid),
        version=fight.version,
        name=encounter.name,
        state=fight.state,
        round=fight.round,
        seconds=fight.seconds,
        rows=_rows(fight, upcoming),
        current=fight.current,
        panel=_panel(fight) if running else None,
        next=_who(fight, upcoming) if upcoming is not None else "",
        ties=_ties(fight),
        opening=opening(fight) if fight.state == "rolling" else None,
        undo=_headline(steps, encounter.undo_step),
        redo=_headline(steps, encounter.redo_step),
        log=_log(steps, encounter.version),
    )


def _rows(fight: rules.Fight, upcoming: int | None) -> tuple[GmRow, ...]:
    if fight.state == "preparing":
        own = fight.combatants
        return tuple(_row(c, fight, None, None, leads=True, group=1, tied=False) for c in own)
    tied = {slot for tie in rules.ties(fight) if tie.open for slot in tie.slots}
    members = fight.by_slot()
    return tuple(
        _row(c, fight, slot, upcoming, leads=i == 0, group=len(own), tied=slot.number in tied)
        for slot in fight.slots
        for own in (members[slot.number],)
        for i, c in enumerate(own)
    )


def _row(
    c: rules.Combatant,
    fight: rules.Fight,
    slot: rules.Slot | None,
    upcoming: int | None,
    *,
    leads: bool,
    group: int,
    tied: bool,
) -> GmRow:
    return GmRow(
        number=c.number,
        name=name_of(c),
        side=c.side,
        ac=c.ac,
        hp=c.hp,
        max_hp=c.max_hp,
        temp_hp=c.temp_hp,
        health=c.health,
        surprised=c.surprised,
        can_react=c.can_react,
        hidden=c.hidden,
        defeated=c.defeated,
        out=c.out,
        label=c.label,
        letter=letters(c.letter) if fight.letters_given.get(rules.shown_name(c), 0) > 1 else "",
        slot=c.slot,
        total="" if slot is None or slot.total is None or not leads else str(slot.total),
        leads=leads,
        group=group,
        tied=tied,
        acting=slot is not None and fight.state == "running" and slot.number == fight.current,
        comes_next=slot is not None and slot.number == upcoming != fight.current,
        acted=slot is not None and fight.round > 0 and slot.acted_round >= fight.round,
    )


def _who(fight: rules.Fight, slot: int) -> str:
    """Those who act in a slot, as one name: "Goblin ×3"."""
    members = [c for c in fight.members(slot) if not c.passed_over] or fight.members(slot)
    if not members:
        return ""
    if len(members) == 1:
        return str(name_of(members[0]))
    first = members[0]
    return f"{Name(first.name, first.name_fr or first.name)} ×{len(members)}"


def _ties(fight: rules.Fight) -> tuple[GmTie, ...]:
    if fight.state not in ("rolling", "running"):
        return ()
    return tuple(
        GmTie(
            tie.total,
            tie.kind,
            tuple((slot, _who(fight, slot)) for slot in rules.asked(fight, tie)),
        )
        for tie in rules.ties(fight)
        if tie.open
    )


def _panel(fight: rules.Fight) -> TurnPanel | None:
    members = fight.members(fight.current) if fight.current is not None else ()
    if fight.current is None or not members:
        return None
    first = next((c for c in members if not c.passed_over), members[0])
    surprised = [str(name_of(c)) for c in members if c.surprised and not c.passed_over]
    return TurnPanel(
        slot=fight.current,
        who=_who(fight, fight.current),
        side=first.side,
        is_hero=first.is_hero,
        surprised=labels.in_words(surprised),
        speed=first.speed,
        ac=first.ac,
        passive_perception=first.passive_perception,
        attacks=_attacks(first.creature),
        notes=first.notes,
    )


_known_attacks: dict[str, tuple[Attack, ...]] = {}  # the book does not change while we run


def _attacks(code: str) -> tuple[Attack, ...]:
    if not code:
        return ()
    if code not in _known_attacks:
        source, _, key = code.partition("/")
        facts = Creature.objects.filter(source=source, key=key).values_list("facts", flat=True)
        found = next(iter(facts), {"attacks": ()})
        _known_attacks[code] = tuple(_attack(attack) for attack in found["attacks"])
    return _known_attacks[code]


def _attack(facts: dict[str, object]) -> Attack:
    damages = [facts["damage"], *facts["extra"]]  # type: ignore[misc]
    texts = [_damage(damage) for damage in damages if isinstance(damage, dict)]
    to_hit = facts["to_hit"]
    return Attack(
        str(facts["name_en"]),
        str(facts["name_fr"] or ""),
        to_hit if isinstance(to_hit, int) else None,
        " + ".join(texts),
    )


def _damage(damage: dict[str, object]) -> str:
    dice, bonus = damage["dice"], damage["bonus"]
    if not dice:
        return str(bonus)
    return f"{dice}{bonus:+d}".replace("-", "\N{MINUS SIGN}") if bonus else str(dice)


def _steps(encounter: Encounter) -> Sequence[Step]:
    """The last steps, and those that *undo* and *redo* speak of, newest first; one query."""
    wanted = Q(version__gt=encounter.version - LOG_LENGTH)
    wanted |= Q(version__in=[encounter.undo_step or 0, encounter.redo_step or 0])
    steps = Step.objects.filter(wanted, encounter=encounter).order_by("-version")
    return list(steps.only("version", "command", "events"))


def _headline(steps: Sequence[Step], version: int | None) -> str:
    return next((log.headline(s.events) for s in steps if s.version == version), "")


def _log(steps: Sequence[Step], version: int) -> tuple[LogLine, ...]:
    return tuple(
        LogLine(
            step.version,
            log.sentence(step.events),
            step.command if step.command in ("undo", "redo") else "",
        )
        for step in steps
        if step.version > version - LOG_LENGTH
    )
