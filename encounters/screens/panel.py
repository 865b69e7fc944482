"""The turn panel: those whose turn it is, what they have left, and who holds something ready."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import rules
from encounters import labels
from encounters.book_attacks import Strike, strikes
from encounters.labels import Name, name_of
from encounters.screens.together import together, who
from encounters.screens.why import found_surprised, why_surprised
from encounters.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Doer:
    """One of those whose turn it is, with what is left of it."""

    number: int
    name: Name
    left: rules.Means
    prone: bool
    hovers: bool
    short: bool  # lies there with less movement left than standing up takes

    @property
    def stuck(self) -> bool:
        """It cannot stand up: no way of moving is left."""
        return not any(feet is None or feet for _, feet in self.left.ways)

    @property
    def field(self) -> str:
        """What its form's name ends in."""
        return str(self.number)

    @property
    def percent(self) -> int:
        """Movement used, of a hundred."""
        return (
            min(100, round(100 * self.left.moved / self.left.allowed)) if self.left.allowed else 0
        )

    @property
    def over(self) -> float:
        """Feet moved beyond what it has."""
        return max(0, self.left.moved - self.left.allowed) if self.left.allowed is not None else 0


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who can act on another's turn: what is held ready, or a place that waits."""

    number: int
    name: str
    text: str
    able: bool  # has its reaction

    @property
    def field(self) -> str:
        """What its form's name ends in."""
        return str(self.number)


class Striking(NamedTuple):
    """An attack, and whose it is where several kinds of creatures act together."""

    strike: Strike
    who: str


class Victim(NamedTuple):
    """Somebody who may be attacked."""

    number: int
    name: Name


@dataclass(frozen=True, slots=True)
class TurnPanel:
    """Those whose turn it is, with their numbers from the book."""

    slot: int
    who: str
    side: str
    surprised: str  # those who lose this turn, "" when nobody does
    why: tuple[Verdict, ...]  # of each of them that is still surprised
    incapacitated: str
    doers: tuple[Doer, ...]
    idle: bool  # none of them can act
    left_out: str  # those who cannot, where others can; "" when nobody
    all: str  # their numbers, with commas
    actions: tuple[str, ...]
    costs: tuple[str, ...]
    ac: int | None
    passive_perception: int | None
    strikes: tuple[Striking, ...]  # the attacks of each kind of creature among them
    conditions: tuple[str, ...]  # on which a defence of somebody to be attacked depends
    victims: tuple[Victim, ...]  # whom it may attack, enemies first
    notes: str
    lair: bool = False  # none of what creatures do on their turns
    owner: str = ""  # whose lair it is

    @property
    def ways(self) -> tuple[str, ...]:
        """Every way of moving that one of them has."""
        has = {way for doer in self.doers for way, _ in doer.left.ways}
        return tuple(way for way in rules.WAYS if way in has)


def turn_panel(fight: rules.Fight) -> TurnPanel | None:
    """The panel of the current turn, or None when nobody has it."""
    members = fight.members(fight.current)
    if fight.current is None or not members:
        return None
    able = rules.standing(members)
    first = able[0]
    doers = tuple(_doer(c, fight) for c in able)
    idle = all(one.left.lost_to for one in doers)
    lost = {word: _names(doers, word) for word in ("surprised", "incapacitated")}
    return TurnPanel(
        slot=fight.current,
        who=who(fight, fight.current),
        side=first.side,
        surprised=lost["surprised"],
        why=tuple(_why(c, fight) for c in able if c.surprised),
        incapacitated=lost["incapacitated"],
        doers=doers,
        idle=idle,
        left_out="" if idle else labels.in_words(str(d.name) for d in doers if d.left.lost_to),
        all=",".join(str(c.number) for c in able),
        actions=rules.actions(fight.settings),
        costs=rules.COSTS,
        ac=first.ac,
        passive_perception=rules.passive(first, fight.settings),
        strikes=() if idle else _strikes(able),
        conditions=_conditions(fight),
        victims=_victims(fight, first),
        notes=first.notes,
        lair=first.is_lair,
        owner=_owner(first, fight),
    )


def _owner(lair: rules.Combatant, fight: rules.Fight) -> str:
    owner = fight.owner_of(lair) if lair.is_lair else None
    return str(name_of(owner)) if owner else ""


def _why(c: rules.Combatant, fight: rules.Fight) -> Verdict:
    return Verdict(c.number, str(name_of(c)), why_surprised(c, found_surprised(fight)))


@dataclass(frozen=True, slots=True)
class Outside:
    """The attacks of one whose turn it may not be, as a page of their own offers them."""

    number: int
    strikes: tuple[Striking, ...]
    conditions: tuple[str, ...]
    victims: tuple[Victim, ...]
    ways: tuple[str, ...]  # what they may be made as now


def attacks_of(fight: rules.Fight, attacker: rules.Combatant) -> Outside:
    """Its attacks, and what it has to make them with."""
    acts = attacker.slot is not None and attacker.slot == fight.home(fight.current)
    free = [
        way
        for way in rules.ATTACK_WAYS
        if not rules.kept_from_attacking(attacker, fight, way)
        and (way != "readied" or attacker.has("readied"))
    ]
    free.sort(key=lambda way: (way == "action") is not acts)  # out of turn the action stands last
    strikes = _strikes([attacker])
    return Outside(
        attacker.number, strikes, _conditions(fight), _victims(fight, attacker), tuple(free)
    )


def _doer(c: rules.Combatant, fight: rules.Fight) -> Doer:
    left, prone = rules.means(c, fight), c.has("prone")
    cost = rules.standing_up(left, fight.settings) if prone else 0
    short = left.allowed is not None and left.moved + cost > left.allowed
    return Doer(c.number, name_of(c), left, prone, c.hovers, short and prone)


def _strikes(able: Iterable[rules.Combatant]) -> tuple[Striking, ...]:
    kinds = {c.creature: str(Name(c.name, c.name_fr or c.name)) for c in able}
    return tuple(
        Striking(strike, who if len(kinds) > 1 else "")
        for code, who in kinds.items()
        for strike in strikes(code)
    )


def _conditions(fight: rules.Fight) -> tuple[str, ...]:
    return tuple(sorted({d.when for c in fight.combatants for d in c.defences if d.when}))


def _victims(fight: rules.Fight, attacker: rules.Combatant) -> tuple[Victim, ...]:
    others = [
        c
        for c in fight.combatants
        if c.slot != attacker.slot and not (c.is_lair or c.dead or c.passed_over)
    ]
    of_each_side = {c.side: c for c in others}
    friendly = {side: not fight.enemies(attacker, c) for side, c in of_each_side.items()}
    others.sort(key=lambda c: friendly[c.side])
    return tuple(map(_victim, others))


@lru_cache(maxsize=4_000)
def _victim(combatant: rules.Combatant) -> Victim:
    return Victim(combatant.number, name_of(combatant))


def _names(doers: tuple[Doer, ...], lost_to: str) -> str:
    return labels.in_words(str(one.name) for one in doers if one.left.lost_to == lost_to)


def held_ready(fight: rules.Fight) -> tuple[Holder, ...]:
    """Those who hold an action ready, and what."""
    return tuple(
        Holder(c.number, str(name_of(c)), effect.text, c.can_react)
        for c in fight.combatants
        for effect in c.effects
        if effect.code == "readied" and not c.passed_over
    )


def waiting(fight: rules.Fight) -> tuple[Holder, ...]:
    """The places that wait, by one of those who stand there."""
    members = fight.by_slot()
    return tuple(
        Holder(own[0].number, together(own), "", True)
        for slot in fight.slots
        for own in (members[slot.number],)
        if slot.waiting is not None and own
    )
