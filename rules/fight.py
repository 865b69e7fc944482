"""The state of a fight as plain values: combatants, the slots they act in, and what a command is.

A command is a frozen value with one method, `run(fight) -> Outcome`; it raises `RuleError` when
the rules refuse it. Source: DRS, chapter "Combattre"; SRD 5.1, "Combat".
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

COMBATANT_LIMIT = 200


class RuleError(Exception):
    """The rules refuse a command: a code in kebab-case, and the facts its sentence needs."""

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


@dataclass(frozen=True, slots=True)
class Settings:
    """How this table plays; RULES.md names each choice."""

    stealth_tie: str = "hider"  # hider | observer: who wins equal Stealth and passive Perception
    surprise_reading: str = "notices_no_threat"  # or misses_any_threat
    group_initiative: bool = True  # identical creatures roll one die and act together
    reveal_on_turn: bool = True  # players see a hidden creature from its first turn on


@dataclass(frozen=True, slots=True)
class Combatant:
    """One hero or creature in one fight. A number that nobody has told yet is None."""

    number: int  # 1, 2, 3 … in order of entry; never reused
    name: str
    side: str  # "heroes", "foes" or another code; different sides are enemies
    name_fr: str = ""  # French name, when it has one of its own
    ordinal: int = 0  # "Goblin 3" for the GM; 0 when there is only one
    is_hero: bool = False  # played by a player, and goes down instead of dying at 0 HP
    creature: str = ""  # code of the bestiary entry, "" without one
    hero: int | None = None  # the campaign's hero this is
    ac: int | None = None
    max_hp: int | None = None
    hp: int | None = None  # 0 … max_hp
    temp_hp: int = 0
    initiative_bonus: int | None = None
    dexterity: int | None = None  # score
    passive_perception: int | None = None
    stealth_bonus: int | None = None
    speed: int | None = None  # feet a turn
    hiding: bool = False  # tries to be discreet; not the same as hidden from players
    stealth: int | None = None  # result of the Dexterity (Stealth) check, while hiding
    cannot_be_surprised: bool = False
    surprise: str = "auto"  # the GM's word: auto | surprised | not-surprised
    surprised: bool = False
    lost_turn: bool = False  # its turn, if it has it, is lost to surprise
    reaction: bool = True  # still has it
    has_acted: bool = False  # has begun a turn in this fight
    out: bool = False  # passed over because the GM says so
    hidden: bool = False  # players see no trace of it
    label: str = ""  # the name players see instead of the real one
    letter: int = 0  # 1 for "A" …: players' lettering by order of appearance; 0 before it
    notes: str = ""
    slot: int | None = None  # the slot it acts in; None before the fight is opened

    @property
    def defeated(self) -> bool:
        """A creature at 0 HP; a hero is down instead."""
        return self.hp == 0 and not self.is_hero

    @property
    def down(self) -> bool:
        return self.hp == 0 and self.is_hero

    @property
    def passed_over(self) -> bool:
        return self.defeated or self.out

    @property
    def can_react(self) -> bool:
        """Not before its first turn has ended when surprised (DRS, Combattre / Surprise)."""
        return self.reaction and not (self.surprised or self.down or self.defeated)

    @property
    def health(self) -> str:
        """healthy | hurt | bloodied (at or below half) | down, or "" when HP are unknown."""
        if self.hp is None or self.max_hp is None:
            return ""
        if self.hp == 0:
            return "down"
        if self.hp * 2 <= self.max_hp:
            return "bloodied"
        return "healthy" if self.hp >= self.max_hp else "hurt"


@dataclass(frozen=True, slots=True)
class Slot:
    """What acts together in the order: a group of identical creatures, or one combatant."""

    number: int  # that of its first member
    total: int | None = None  # of the Dexterity check; None before it is known
    die: int | None = None  # the d20 behind the total; None when the total was typed
    tie_dice: tuple[int, ...] = ()  # its d20s in roll-offs
    settled: str = ""  # how its place among equal totals was decided: "" | by-hand | by-dice
    acted_round: int = 0  # the last round in which its turn began or its place came by
    joined_round: int = 0  # the round in which it came to a running fight


@dataclass(frozen=True, slots=True)
class Fight:
    """A whole fight. The order of `slots` is the order of initiative."""

    combatants: tuple[Combatant, ...] = ()  # in order of entry
    slots: tuple[Slot, ...] = ()
    settings: Settings = field(default_factory=Settings)
    state: str = "preparing"  # preparing | rolling | running | ended
    round: int = 0  # 1 during the first
    current: int | None = None  # the slot whose turn it is
    last_number: int = 0  # the highest number given to a combatant so far
    version: int = 0  # steps taken
    turn_step: int | None = None  # version of the step that began the current turn
    seen_slot: int | None = None  # the last slot whose turn players saw
    seen_round: int = 0  # and the round it was in
    ordinals_given: Mapping[str, int] = field(default_factory=dict)  # the highest of each name
    letters_given: Mapping[str, int] = field(default_factory=dict)

    def combatant(self, number: int) -> Combatant:
        """Raises `RuleError("no-combatant")` when nobody has this number."""
        for combatant in self.combatants:
            if combatant.number == number:
                return combatant
        raise RuleError("no-combatant")

    def slot(self, number: int) -> Slot:
        """Raises `RuleError("no-slot")` when there is none."""
        for slot in self.slots:
            if slot.number == number:
                return slot
        raise RuleError("no-slot")

    def members(self, slot: int) -> tuple[Combatant, ...]:
        return tuple(c for c in self.combatants if c.slot == slot)

    def by_slot(self) -> dict[int, list[Combatant]]:
        """The members of every slot."""
        members: dict[int, list[Combatant]] = {slot.number: [] for slot in self.slots}
        for combatant in self.combatants:
            if combatant.slot in members:
                members[combatant.slot].append(combatant)
        return members

    @property
    def seconds(self) -> int:
        """Time elapsed at the start of the current round: a round is 6 seconds."""
        return max(0, self.round - 1) * 6

    def with_combatant(self, number: int, **changes: Any) -> "Fight":
        self.combatant(number)
        return self.with_each({number: changes})

    def with_each(self, changes: Mapping[int, Mapping[str, Any]]) -> "Fight":
        """The fight with these fields of these combatants changed."""
        if not changes:
            return self
        combatants = tuple(
            replace(c, **changes[c.number]) if c.number in changes else c for c in self.combatants
        )
        return replace(self, combatants=combatants)

    def with_slots(self, change: Callable[[Slot], Slot]) -> "Fight":
        return replace(self, slots=tuple(change(slot) for slot in self.slots))

    def require(self, *states: str) -> None:
        """Raise `RuleError` unless the fight is in one of these states."""
        if self.state not in states:
            raise RuleError(f"fight-is-{self.state}")


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in codes and numbers; `labels.py` makes a sentence of it."""

    code: str  # past tense, kebab-case: "turn-began"
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command makes of a fight, and what there is to tell about it."""

    fight: Fight
    events: tuple[Event, ...] = ()


class Command(Protocol):
    """Anything that changes a fight."""

    def run(self, fight: Fight) -> Outcome: ...


def told(fight: Fight, code: str, **details: Any) -> Outcome:
    """An outcome with a single event."""
    return Outcome(fight, (Event(code, details),))


def names(combatants: Iterable[Combatant]) -> list[dict[str, Any]]:
    """How an event names combatants, so that the log can still name those who are gone."""
    return [
        {"number": c.number, "name": c.name, "name_fr": c.name_fr, "ordinal": c.ordinal}
        for c in combatants
    ]
