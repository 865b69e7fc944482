"""The state of a fight as plain values, and what a command is.

A command is a frozen value with one method, `run(fight) -> Outcome`; it raises `RuleError` when
the rules refuse it. Source: DRS, chapter "Combattre"; SRD 5.1, "Combat".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, Protocol, TypeVar

from rules.combatant import Combatant, Slot
from rules.settings import Settings

COMBATANT_LIMIT = 200

Value = TypeVar("Value", bound="Combatant | Fight")


class RuleError(Exception):
    """The rules refuse a command: a code in kebab-case, and the facts its sentence needs."""

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


@dataclass(frozen=True, slots=True)
class Fight:
    """A whole fight. The order of `slots` is the order of initiative."""

    combatants: tuple[Combatant, ...] = ()  # in order of entry
    slots: tuple[Slot, ...] = ()
    table: Settings = field(default_factory=Settings)  # how the campaign plays
    overrides: Mapping[str, Any] = field(default_factory=dict)  # what this fight plays otherwise
    allied: Sequence[Sequence[str]] = field(default_factory=lambda: [["allies", "heroes"]])
    # pairs of sides, each in alphabetical order
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
    verdicts: Mapping[str, Any] = field(default_factory=dict)
    # why those surprised at the beginning were, by `verdicts.py`

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

    @property
    def settings(self) -> Settings:
        """How this fight is played."""
        return replace(self.table, **self.overrides) if self.overrides else self.table

    def home(self, slot: int | None) -> int | None:
        """The slot in which those of an extra turn stand; any other slot itself."""
        for other in self.slots:
            if other.number == slot and other.extra_of is not None:
                return other.extra_of
        return slot

    def members(self, slot: int | None) -> tuple[Combatant, ...]:
        """Who acts in a slot."""
        home = self.home(slot)
        return tuple(c for c in self.combatants if home is not None and c.slot == home)

    @property
    def lairs(self) -> set[int]:
        """The slots in which lairs act."""
        return {c.slot for c in self.combatants if c.is_lair and c.slot is not None}

    def owner_of(self, lair: Combatant) -> Combatant | None:
        """Whose lair it is: as told, else the one legendary creature there is; None for nobody's.

        Lair actions are its owner's (SRD 5.1, "Legendary Creatures").
        """
        if lair.owner is not None:
            return next((c for c in self.combatants if c.number == lair.owner), None)
        legendary = [c for c in self.combatants if any(u.kind == "legendary" for u in c.uses)]
        return legendary[0] if len(legendary) == 1 else None

    @property
    def slots_in_sight(self) -> set[int]:
        """The slots in which players see somebody."""
        homes = {c.slot for c in self.combatants if not c.unseen}
        return {s.number for s in self.slots if (s.extra_of or s.number) in homes}

    def by_slot(self) -> dict[int, list[Combatant]]:
        """The members of every slot."""
        members: dict[int, list[Combatant]] = {slot.number: [] for slot in self.slots}
        for combatant in self.combatants:
            if combatant.slot in members:
                members[combatant.slot].append(combatant)
        for slot in self.slots:
            if slot.extra_of is not None:
                members[slot.number] = members.get(slot.extra_of, [])
        return members

    def enemies(self, one: Combatant, other: Combatant) -> bool:
        """Whether two combatants are on sides that are not allied. A lair is nobody's enemy."""
        if one.side == other.side or one.is_lair or other.is_lair:
            return False
        pair = sorted((one.side, other.side))
        return all(list(allied) != pair for allied in self.allied)

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
            _changed(c, changes[c.number]) if c.number in changes else c for c in self.combatants
        )
        return _changed(self, {"combatants": combatants})

    def with_slots(self, change: Callable[[Slot], Slot]) -> "Fight":
        return _changed(self, {"slots": tuple(change(slot) for slot in self.slots)})

    def require(self, *states: str) -> None:
        """Raise `RuleError` unless the fight is in one of these states."""
        if self.state not in states:
            raise RuleError(f"fight-is-{self.state}")


_Reader = tuple[Callable[[Any], tuple[Any, ...]], dict[str, int]]


def _reader(kind: type[Any]) -> _Reader:
    """What reads all fields of such a value, and where each stands among them."""
    names = [f.name for f in fields(kind)]
    return attrgetter(*names), {name: index for index, name in enumerate(names)}


_READERS: dict[type[Any], _Reader] = {kind: _reader(kind) for kind in (Combatant, Fight)}


def _changed(value: Value, changes: Mapping[str, Any]) -> Value:
    """As `dataclasses.replace`, in half the time: no command does anything more often."""
    read, index = _READERS[type(value)]
    values = list(read(value))
    for name, new in changes.items():
        values[index[name]] = new
    return type(value)(*values)


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
    counts: bool = False  # a step even if nothing changes: dice fell


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
