"""What players see: a pure function of what is public.

Hidden combatants leave no trace in it: neither a gap nor a count nor a turn.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

import rules
from encounters import timing
from encounters.labels import Name, letters
from encounters.models import Campaign, Encounter
from encounters.screens.player_effects import (
    PlayerEffect,
    effects_in_sight,
    health_in_sight,
    meant,
)
from encounters.screens.together import counted, in_runs

HP_SEEN = {"heroes": "hp_heroes", "allies": "hp_allies", "foes": "hp_foes"}  # others: "hp_others"


@dataclass(frozen=True, slots=True)
class PlayerCreature:
    name: Name
    health: str
    # healthy | hurt | bloodied | down | dying | stable | dead | "" when nobody knows or shall
    surprised: bool
    effects: tuple[PlayerEffect, ...] = ()
    is_hero: bool = False  # a player may say: "that is me"
    hp: int | None = None  # None where numbers are not shown; with temporary ones in `temp_hp`
    max_hp: int | None = None
    temp_hp: int = 0
    ac: int | None = None

    def __hash__(self) -> int:
        """By few of many fields, as a combatant's."""
        return hash((self.name.en, self.name.mark, self.health, self.hp))


class Alike(NamedTuple):
    """Members of a group that are in one state."""

    called: str  # their letters, "A–C, E"; "" where it is all of the group, or nobody else is there
    one: PlayerCreature  # any of them


@dataclass(frozen=True, slots=True)
class PlayerSlot:
    """Those who act together, as far as players see them."""

    side: str
    members: tuple[PlayerCreature, ...]
    gone: bool  # all of them are out of the fight
    waiting: bool = False  # out of the order until the game master puts it back
    second: bool = False  # a second turn in round 1: of the order alone, nobody is shown it
    initiative: int | None = None  # None where it is not shown

    @property
    def several(self) -> bool:
        return len(self.members) > 1

    @property
    def title(self) -> str:
        """Who acts: "Bran", "Goblin B", "Goblin ×3", "Cleo + Dain"."""
        if not self.several:
            return str(self.members[0].name)
        return counted(one.name.alone for one in self.members)

    @property
    def long(self) -> bool:
        """Whether its name, or a word of it, is too long for the largest letters."""
        return len(self.title) > 20 or any(len(word) > 10 for word in self.title.split())

    @property
    def ac(self) -> int | None:
        """The AC that all of them have; None where they differ, or where it is not shown."""
        found = {one.ac for one in self.members}
        return found.pop() if len(found) == 1 else None

    @property
    def alike(self) -> tuple[Alike, ...]:
        """The members by the state they are in; each hero alone, for whom a player may look."""
        if not self.several:
            return tuple(Alike("", one) for one in self.members)
        found: dict[PlayerCreature, list[str]] = {}
        of_one_kind = len({one.name.alone for one in self.members}) == 1
        for one in self.members:
            state = one if one.is_hero else replace(one, name=Name("", ""))
            mark = of_one_kind and one.name.mark
            found.setdefault(state, []).append(mark or str(one.name))
        if len(found) == 1:
            return (Alike("", self.members[0]),)
        return tuple(Alike(in_runs(marks), state) for state, marks in found.items())


@dataclass(frozen=True, slots=True)
class PlayerBoard:
    campaign: str
    state: str  # waiting | running | over
    round: int = 0
    now: PlayerSlot | None = None  # whose turn it is
    coming: tuple[PlayerSlot, ...] = ()  # those still to act in this round
    later: tuple[PlayerSlot, ...] = ()  # those who act in the next one
    waiting: tuple[PlayerSlot, ...] = ()
    gone: tuple[PlayerSlot, ...] = ()
    meant: tuple[str, ...] = ()  # codes of effects that are seen
    edition: str = ""  # where one of those means something else in each
    until: int = 0  # when the time of that turn is over, in ms since 1970; 0 without a timer

    @property
    def next_round(self) -> int:
        return self.round + 1


def player_board(campaign: Campaign, fight: rules.Fight | None) -> PlayerBoard:
    """What the players of this campaign see of the fight they follow, if there is one.

    They wait for its first turn that they see: whoever acts before that is hidden from them.
    """
    if fight is not None and fight.state == "ended":
        return PlayerBoard(campaign.name, "over")
    if fight is None or fight.state != "running" or fight.seen_slot is None:
        return PlayerBoard(campaign.name, "waiting")
    seen = {n: shown(slot, campaign) for n, slot in _visible_slots(fight).items()}
    now = seen.get(fight.seen_slot)
    acted = _acted(fight, seen)
    # whoever acts stands at the top alone: as well in a second turn, which ends unseen with round 1
    acting = (fight.seen_slot, fight.home(fight.seen_slot))
    rest = [(n, slot) for n, slot in seen.items() if n not in acting]
    here = [(n, slot) for n, slot in rest if not (slot.gone or slot.waiting)]
    told, edition = meant(_codes([*([now] if now else []), *(slot for _, slot in here)]), fight)
    return PlayerBoard(
        campaign.name,
        "running",
        round=max(fight.seen_round, 1),
        now=_acting(now) if now else None,
        coming=tuple(_alike(slot) for n, slot in here if n not in acted),
        later=tuple(slot for n, slot in here if n in acted and not slot.second),
        waiting=tuple(_named(slot) for _, slot in rest if slot.waiting),
        gone=tuple(_named(slot) for _, slot in rest if slot.gone and not slot.second),
        meant=told,
        edition=edition,
    )


def shown(slot: PlayerSlot, campaign: Campaign) -> PlayerSlot:
    """Of a slot in sight, what the campaign lets players see."""
    hp = getattr(campaign, HP_SEEN.get(slot.side, "hp_others"))
    effects, ac = campaign.show_effects, campaign.show_ac
    return PlayerSlot(
        slot.side,
        tuple([_shown(one, hp, effects=effects, ac=ac) for one in slot.members]),
        slot.gone,
        slot.waiting,
        slot.second,
        slot.initiative if campaign.show_initiative else None,
    )


@lru_cache(maxsize=4_000)
def _shown(one: PlayerCreature, hp: str, *, effects: bool, ac: bool) -> PlayerCreature:
    exact = hp == "exact"
    return PlayerCreature(
        one.name,
        "" if hp == "nothing" else one.health,
        one.surprised,
        one.effects if effects else (),
        one.is_hero,
        one.hp if exact else None,
        one.max_hp if exact else None,
        one.temp_hp if exact else 0,
        one.ac if ac else None,
    )


def _codes(slots: Iterable[PlayerSlot]) -> Iterator[str]:
    """Of all effects that are shown, surprise among them."""
    for slot in slots:
        for one in slot.members:
            yield from (effect.code for effect in one.effects)
            if one.surprised:
                yield "surprised"


def timed(board: PlayerBoard, campaign: Campaign, encounter: Encounter | None) -> PlayerBoard:
    """The board with the end of the turn that players see, and of no other."""
    if encounter is None or board.now is None:
        return board
    return replace(board, until=timing.until(campaign, encounter.seen_began))


def _acting(slot: PlayerSlot) -> PlayerSlot:
    """Whoever has the turn that is seen keeps it until the next one, whatever becomes of them."""
    return replace(slot, gone=False, waiting=False, second=False)


def _alike(slot: PlayerSlot) -> PlayerSlot:
    """A turn that is still to come: players are not told whether it is a first or a second one."""
    return replace(slot, second=False) if slot.second else slot


def _named(slot: PlayerSlot) -> PlayerSlot:
    """Nothing but its name: what else changes of a place beside the order must send no news."""
    members = tuple(PlayerCreature(one.name, "", False) for one in slot.members)
    return PlayerSlot("", members, gone=False)


def _acted(fight: rules.Fight, seen: Iterable[int]) -> set[int]:
    """The slots that have acted in the round which players see.

    The order may come by a lair whose owner is surprised on a hidden creature's turn, which must
    not be told: in round 1 a lair has had its turn once the turn that is seen stands behind it.
    """
    acted = {s.number for s in fight.slots if s.acted_round >= max(fight.seen_round, 1)}
    if fight.seen_round > 1:
        return acted
    before = set(takewhile(lambda number: number != fight.seen_slot, seen))
    lairs = {c.slot for c in fight.combatants if c.is_lair and not c.unseen}
    return (acted - lairs) | (before & lairs)


def _in_sight(combatant: rules.Combatant, fight: rules.Fight) -> bool:
    """Whether players see it. Whoever arrives does so with the first turn of the round they see.

    Else an arrival without a turn would tell that somebody hidden begins the round.
    """
    here = combatant.arrives <= max(fight.seen_round, 1)
    return not combatant.unseen and (here or combatant.slot == fight.home(fight.seen_slot))


def _visible_slots(fight: rules.Fight) -> dict[int, PlayerSlot]:
    """The slots of which players see anybody, in order."""
    lettered = _lettered(fight)
    by_slot = fight.by_slot()
    waiting = {slot.number for slot in fight.slots if slot.waiting is not None}
    acting = fight.home(fight.seen_slot)
    slots: dict[int, PlayerSlot] = {}
    for slot in fight.slots:
        members = [c for c in by_slot[slot.number] if _in_sight(c, fight)]
        second = slot.extra_of is not None
        comes = not (slot.extra_of in waiting or any(c.surprised or c.lost_turn for c in members))
        if not members or (second and not comes and slot.number != fight.seen_slot):
            continue
        creatures = tuple(
            [
                _creature(c, rules.shown_name(c) in lettered, _seen_surprised(c, acting))
                for c in members
            ]
        )
        gone = all(c.passed_over for c in members)
        waits = slot.number in waiting and not gone
        slots[slot.number] = PlayerSlot(members[0].side, creatures, gone, waits, second, slot.total)
    return slots


def _lettered(fight: rules.Fight) -> set[str]:
    """The names that several have borne in the players' sight."""
    to_come = Counter(
        rules.shown_name(c)
        for c in fight.combatants
        if c.letter and not (c.unseen or _in_sight(c, fight))
    )
    return {name for name, given in fight.letters_given.items() if given - to_come[name] > 1}


def _seen_surprised(combatant: rules.Combatant, acting: int | None) -> bool:
    """Surprise ends with the turn, but for players the turn lasts until they see the next one."""
    if combatant.slot == acting:
        return combatant.lost_turn
    return combatant.surprised


@lru_cache(maxsize=4_000)
def _creature(c: rules.Combatant, lettered: bool, surprised: bool) -> PlayerCreature:
    """The same value for the same facts: most have not changed since the last step."""
    french = c.label or c.name_fr or c.name
    return PlayerCreature(
        Name(rules.shown_name(c), french, letters(c.letter) if lettered else ""),
        health_in_sight(c),
        surprised,
        effects_in_sight(c),
        c.is_hero,
        c.hp,
        c.max_hp,
        c.temp_hp,
        c.ac,
    )
