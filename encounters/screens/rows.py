"""The rows of the GM's order: what each combatant shows of itself."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from django.utils.translation import get_language

import rules
from encounters.labels import Name, letters, minus, name_of
from encounters.screens import effects as on_it
from encounters.screens.effects import Mark, Removable
from encounters.screens.just_now import NOTHING_NEW, Just
from encounters.screens.shares import Share, share_of
from encounters.screens.together import together
from encounters.screens.why import found_surprised, why, why_surprised


@dataclass(frozen=True, slots=True)
class GmRow:
    """One combatant in the order, or, with `second`, the second turn that it has in round 1."""

    number: int
    name: Name
    side: str
    ac: int | None
    hp: int | None
    max_hp: int | None
    temp_hp: int
    health: str
    state: str  # dead | defeated | dying | stable | knocked-out | unconscious | bloodied, or ""
    saves_made: int  # death saves, as are the next
    saves_failed: int
    conditions: tuple[str, ...]  # what its defences depend on, by codes of the glossary
    surprised: bool
    why_surprised: str
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
    moved: bool  # stands elsewhere than its total says, since the GM has put it there
    acting: bool
    comes_next: bool  # after those who act now
    acted: bool  # its slot has had its turn of this round
    waiting: bool
    arrives: int  # the round that it is awaited in, 0 when it is there
    second: bool
    twice: bool  # it has a second turn, on a row of its own
    is_lair: bool
    rider: str  # who rides it, "" without one
    effects: tuple[Mark, ...]
    removable: tuple[Removable, ...]  # its effects, to be taken away
    why: str  # why its slot stands where it does; on its first row
    all: str  # numbers of the whole group with commas, on its first row
    called: str  # the group's name, "Goblin ×3", on its first row
    shares: tuple[Share, ...]  # of the whole group, on its first row
    just: Just  # what the last step has done to it

    def __hash__(self) -> int:
        """By few of many fields: a row is looked up on every board, and mostly the same one."""
        return hash((self.number, self.slot, self.hp, self.acting, self.comes_next))

    @property
    def percent(self) -> int:
        """Hit points left, of a hundred."""
        return round(100 * (self.hp or 0) / self.max_hp) if self.max_hp else 0

    @property
    def able(self) -> int:
        """How many of the group can still fight."""
        return sum(one.hp != 0 for one in self.shares)

    @property
    def reactions(self) -> int:
        """How many of the group have their reaction."""
        return sum(one.reacts for one in self.shares)

    @property
    def shared(self) -> list[tuple[str, str, int]]:
        """The states of the group, what they are called, and how many are in each."""
        count = Counter(state for one in self.shares for state in one.states)
        return [(code, name, number) for (code, name), number in count.items()]

    @property
    def tokens(self) -> tuple[str, ...]:
        """Of the effects that can be taken from it."""
        return tuple(one.token for one in self.removable)

    @property
    def fields(self) -> str:
        """What its state is, for the verbs that fit it."""
        return " ".join(
            (
                "hidden" if self.hidden else "shown",
                "ready" if self.can_react else "spent",
                "out" if self.out else "in",
                "surprised" if self.surprised else "alert",
                "waiting" if self.waiting else "ordered",
                *(["grouped"] if self.group > 1 else []),
                *(["lair"] if self.is_lair else []),
                "second" if self.second else "whole twice" if self.twice else "whole once",
                *(["defeated"] if self.defeated else []),
                *(["dying"] if self.state == "dying" else []),
                *(["felled"] if self.just.felled else []),
                *(f"when-{code}" for code in self.conditions),
                *(["exhausted"] if any(e.code == "exhaustion" for e in self.effects) else []),
                *self.tokens,
            )
        )


class Around(NamedTuple):
    """What a row shows of the fight around its combatant."""

    own: tuple[rules.Combatant, ...] = ()  # the whole slot, on its first row
    group: int = 1
    tied: bool = False
    moved: bool = False
    acting: bool = False
    comes_next: bool = False
    acted: bool = False
    twice: bool = False
    why: str = ""


ALONE = Around()  # before there is an order


def rows(
    fight: rules.Fight,
    upcoming: int | None,
    ties: Iterable[rules.Tie],
    just: Mapping[int, Just] = MappingProxyType({}),
) -> tuple[GmRow, ...]:
    """The rows in the order of initiative, or of entry before there is one; `ties` are its own."""
    lettered = {name for name, given in fight.letters_given.items() if given > 1}
    language = get_language()
    riders = {c.number: c for c in fight.combatants}
    found = found_surprised(fight)
    return tuple(
        _row(
            c,
            slot,
            around,
            rules.shown_name(c) in lettered,
            riders.get(c.rider) if c.rider else None,
            *_on(c, fight),
            just.get(c.number, NOTHING_NEW),
            why_surprised(c, found) if c.surprised else "",
            language,
        )
        for c, slot, around in _placed(fight, upcoming, ties, language)
    )


def _placed(
    fight: rules.Fight, upcoming: int | None, ties: Iterable[rules.Tie], language: str | None
) -> Iterator[tuple[rules.Combatant, rules.Slot | None, Around]]:
    """Each combatant at its place, a second turn by the first of its slot."""
    if fight.state == "preparing":
        yield from ((c, None, ALONE) for c in fight.combatants)
        return
    for slot, around in _slots(fight, upcoming, ties, language):
        first, *others = around.own
        yield first, slot, around
        if others and slot.extra_of is None:
            behind = around._replace(own=(), why="")
            yield from ((c, slot, behind) for c in others)


def _slots(
    fight: rules.Fight, upcoming: int | None, ties: Iterable[rules.Tie], language: str | None
) -> Iterator[tuple[rules.Slot, Around]]:
    """The slots in order, with what is the same on all rows of each."""
    members = fight.by_slot()
    tied = {slot for tie in ties if tie.open for slot in tie.slots}
    lairs = fight.lairs  # they lose all ties
    totals = Counter(slot.total for slot in fight.slots if slot.number not in lairs)
    twice = {slot.extra_of for slot in fight.slots}
    rule, running = fight.settings.tie_rule, fight.state == "running"
    for slot in fight.slots:
        own = tuple(members[slot.number])
        yield (
            slot,
            Around(
                own=own,
                group=len(own) if slot.extra_of is None else 1,
                tied=slot.number in tied,
                moved=slot.moved and not rules.in_place(fight, slot),
                acting=running and slot.number == fight.current,
                comes_next=slot.number == upcoming != fight.current,
                acted=fight.round > 0 and slot.acted_round >= fight.round,
                twice=slot.number in twice,
                why=why(
                    fight,
                    slot,
                    equals=slot.number not in lairs and totals[slot.total] > 1,
                    tie_rule=rule,
                    language=language,
                ),
            ),
        )


def _on(c: rules.Combatant, fight: rules.Fight) -> tuple[tuple[Mark, ...], tuple[Removable, ...]]:
    """Its effects in words, which change with the round, too."""
    return (on_it.marks(c, fight), on_it.removable(c, fight)) if c.effects else ((), ())


@lru_cache(maxsize=4_000)
def _row(
    c: rules.Combatant,
    slot: rules.Slot | None,
    around: Around,
    lettered: bool,
    rider: rules.Combatant | None,
    effects: tuple[Mark, ...],
    removable: tuple[Removable, ...],
    just: Just,
    surprise: str,
    _language: str | None,
) -> GmRow:
    """Made once for what it shows: most rows have not changed since the last board."""
    leads = slot is None or bool(around.own)
    heads = leads and around.group > 1
    return GmRow(
        number=c.number,
        name=name_of(c),
        side=c.side,
        ac=c.ac,
        hp=c.hp,
        max_hp=c.max_hp,
        temp_hp=c.temp_hp,
        health=c.health,
        state=_state(c),
        saves_made=c.death_successes,
        saves_failed=c.death_failures,
        conditions=tuple(dict.fromkeys(d.when for d in c.defences if d.when)),
        surprised=c.surprised,
        why_surprised=surprise,
        can_react=c.can_react,
        hidden=c.hidden,
        defeated=c.defeated,
        out=c.out,
        label=c.label,
        letter=letters(c.letter) if lettered else "",
        slot=slot.number if slot else None,
        total="" if slot is None or slot.total is None or not leads else minus(slot.total),
        leads=leads,
        group=around.group,
        tied=around.tied,
        moved=around.moved,
        acting=around.acting,
        comes_next=around.comes_next,
        acted=around.acted,
        waiting=slot is not None and slot.waiting is not None,
        arrives=c.arrives if c.awaited else 0,
        second=slot is not None and slot.extra_of is not None,
        twice=around.twice,
        is_lair=c.is_lair,
        rider=str(name_of(rider)) if rider else "",
        effects=effects,
        removable=removable,
        why=around.why,
        all=",".join(str(one.number) for one in around.own) if heads else "",
        called=together(around.own) if heads else "",
        shares=tuple(map(share_of, around.own)) if heads else (),
        just=just,
    )


def _state(c: rules.Combatant) -> str:
    """How bad it is."""
    if c.defeated:
        return "dead" if c.dead else "defeated"
    if c.down:
        if not (c.falls or c.stable):
            return "unconscious"
        return "dying" if c.dying else "stable" if c.falls else "knocked-out"
    return "bloodied" if c.health == "bloodied" else ""
