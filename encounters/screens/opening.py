"""What the GM sees before a fight begins: who hides, who notices whom, and the initiative."""

from dataclasses import dataclass

import rules
from encounters.labels import Name, name_of


@dataclass(frozen=True, slots=True)
class Column:
    """A hiding enemy, or, with number 0, all those who do not hide."""

    number: int
    name: str
    stealth: int | None


@dataclass(frozen=True, slots=True)
class Cell:
    reason: str  # not-hiding | unconscious | unknown | noticed | missed | "" for one's own side
    passive: int | None
    stealth: int | None


@dataclass(frozen=True, slots=True)
class Observer:
    number: int
    name: Name
    side: str
    passive: int | None
    cells: tuple[Cell, ...]
    surprised: bool
    reason: str
    choice: str  # auto | surprised | not-surprised

    @property
    def field(self) -> str:
        """What its fields' names end in."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Hider:
    """Somebody who may hide, with the result of its Stealth check."""

    number: int
    name: Name
    stealth: int | None

    @property
    def field(self) -> str:
        """What its fields' names end in."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Party:
    side: str
    hiding: bool  # anybody of it
    hiders: tuple[Hider, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """A slot's initiative."""

    slot: int
    name: str
    side: str
    is_hero: bool
    bonus: int | None
    total: int | None
    die: int | None

    @property
    def field(self) -> str:
        """What its fields' names end in."""
        return str(self.slot)


@dataclass(frozen=True, slots=True)
class Opening:
    parties: tuple[Party, ...]
    columns: tuple[Column, ...]
    observers: tuple[Observer, ...]
    surprised: tuple[Name, ...]
    checks: tuple[Check, ...]  # heroes first, in the order of entry
    rollable: bool  # some total can still be rolled


def opening(fight: rules.Fight) -> Opening:
    """The opening of a fight whose slots are made."""
    watches = [w for w in rules.watches(fight) if any(n.stealth is not None for n in w.notices)]
    hiders = [c for c in fight.combatants if c.hiding and not c.passed_over]
    columns = tuple(Column(c.number, str(name_of(c)), c.stealth) for c in hiders)
    if hiders and any(n.reason == "not-hiding" for watch in watches for n in watch.notices):
        columns = (*columns, Column(0, "", None))
    return Opening(
        parties=_parties(fight),
        columns=columns,
        observers=tuple(_observer(fight, watch, columns) for watch in watches) if hiders else (),
        surprised=tuple(name_of(c) for c in fight.combatants if c.surprised),
        checks=_checks(fight),
        rollable=bool(rules.unrolled(fight)),
    )


def _parties(fight: rules.Fight) -> tuple[Party, ...]:
    sides = dict.fromkeys(c.side for c in fight.combatants)
    return tuple(
        Party(
            side,
            any(c.hiding for c in fight.combatants if c.side == side),
            tuple(
                Hider(c.number, name_of(c), c.stealth if c.hiding else None)
                for c in fight.combatants
                if c.side == side and not c.passed_over
            ),
        )
        for side in sides
    )


def _observer(fight: rules.Fight, watch: rules.Watch, columns: tuple[Column, ...]) -> Observer:
    observer = fight.combatant(watch.observer)
    by_enemy = {notice.enemy: notice for notice in watch.notices}
    plain = [n for n in watch.notices if n.reason == "not-hiding"]
    cells = [by_enemy.get(column.number) for column in columns if column.number]
    if columns and columns[-1].number == 0:
        cells.append(plain[0] if plain else None)
    return Observer(
        number=observer.number,
        name=name_of(observer),
        side=observer.side,
        passive=observer.passive_perception,
        cells=tuple(_cell(notice) for notice in cells),
        surprised=watch.surprised,
        reason=watch.reason,
        choice=observer.surprise,
    )


def _cell(notice: rules.Notice | None) -> Cell:
    if notice is None:
        return Cell("", None, None)
    return Cell(notice.reason, notice.passive, notice.stealth)


def _checks(fight: rules.Fight) -> tuple[Check, ...]:
    members = fight.by_slot()
    checks = []
    for slot in sorted(fight.slots, key=lambda slot: slot.number):
        first, count = members[slot.number][0], len(members[slot.number])
        name = name_of(first)
        if count > 1:
            name = Name(first.name, first.name_fr or first.name, f"×{count}")
        checks.append(
            Check(
                slot.number,
                str(name),
                first.side,
                first.is_hero,
                first.initiative_bonus,
                slot.total,
                slot.die,
            )
        )
    return tuple(sorted(checks, key=lambda check: not check.is_hero))
