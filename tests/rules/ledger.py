"""A ledger of a fight, kept from the plain facts alone: turns, surprise, and what is to end when.

Whose turn comes is worked out place by place, as one would with a finger on a sheet of paper.
"""

from copy import copy
from dataclasses import dataclass, field

import rules
from tests.rules import book

Key = tuple[int, str, str, int | None]  # bearer, code, text and source of an effect


@dataclass
class Clock:
    """When an effect is to end: at this edge of a turn of this one."""

    whose: int
    edge: str
    left: int = 0  # turns to come, if no round is told
    until: int = 0
    skips: bool = False  # the end of the turn that is on does not count


@dataclass
class Ledger:
    order: list[int] = field(default_factory=list)
    by_hand: set[int] = field(default_factory=set)
    acted: set[int] = field(default_factory=set)  # places that had a turn, or that it came by
    begun: set[int] = field(default_factory=set)  # those who have had a turn in this fight
    joined: dict[int, int] = field(default_factory=dict)  # place -> round
    surprised: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)  # whose turn, if it is on, is lost
    current: int | None = None
    round: int = 0
    clocks: dict[Key, Clock] = field(default_factory=dict)
    over: set[Key] = field(default_factory=set)  # what this step has to end

    def snapshot(self) -> "Ledger":
        return Ledger(
            list(self.order), set(self.by_hand), set(self.acted), set(self.begun),
            dict(self.joined), set(self.surprised), set(self.lost), self.current, self.round,
            {key: copy(clock) for key, clock in self.clocks.items()},
        )  # fmt: skip


class Turns:
    """How the ledger goes on from turn to turn."""

    def __init__(self, fight: rules.Fight) -> None:
        self.ledger = Ledger()
        self._take_as_told(fight)

    def _next(self, before: rules.Fight, after: rules.Fight, anew: bool) -> None:
        """To the first that has not acted and is there; past the last, into a new round."""
        mine = self.ledger
        if not self._walk(before, after):
            mine.round, mine.acted = mine.round + 1, set()
            known = {place.number for place in after.slots}  # second turns are over
            told = [place.number for place in after.slots]
            mine.order = told if anew else [n for n in mine.order if n in known]
            assert self._walk(before, after), "nobody is left to act"

    def _walk(self, before: rules.Fight, after: rules.Fight) -> bool:
        mine = self.ledger
        for number in mine.order:
            if number in mine.acted or self._waits(before, number):
                continue
            is_second = self._home(number) != number
            able = [self._able(fight, number, mine.round) for fight in (before, after)]
            told = (after.current, after.round) == (number, mine.round)
            if all(able) or (told and any(able)):  # a turn's own edge may kill or wake
                self._begins(number, after)
                return True
            if not is_second:  # a second turn that is not had is none
                self._edge(before, number, "start")
                self._edge(before, number, "end")
            mine.acted.add(number)
        return False

    def _turn_ends(self, fight: rules.Fight) -> None:
        if self.ledger.current is not None:
            self._edge(fight, self.ledger.current, "end")

    def _begins(self, number: int, fight: rules.Fight) -> None:
        mine = self.ledger
        mine.current = number
        mine.acted.add(number)
        self._edge(fight, number, "start")
        own = {c.number for c in self._members(fight, number)}
        mine.lost = (mine.lost - own) | (mine.surprised & own)
        mine.begun |= own

    def _edge(self, fight: rules.Fight, number: int, edge: str) -> None:
        """What is to end at this edge of a turn of those in this place ends."""
        own = {c.number for c in self._members(fight, number)}
        if edge == "end":
            self.ledger.surprised -= own
        for key, clock in self.ledger.clocks.items():
            if clock.whose in own and clock.edge == edge:
                if clock.skips:
                    clock.skips = False
                elif clock.until:
                    self.ledger.over |= {key} if self.ledger.round >= clock.until else set()
                else:
                    clock.left -= 1
                    self.ledger.over |= set() if clock.left else {key}

    def _sets_clock(self, command: rules.AddEffect, fight: rules.Fight) -> None:
        effect = command.effect
        key = (command.target, *effect.key)
        bearer = next(c for c in fight.combatants if c.number == command.target)
        if effect.key not in {e.key for e in bearer.effects} or effect.hangs:
            self.ledger.clocks.pop(key, None)
            return
        acting = [c.number for c in self._members(fight, self.ledger.current)]
        whose = command.target if effect.whose is None else effect.whose
        if command.rounds:
            first = whose if effect.whose in acting else next(iter(acting), command.target)
            until = max(1, fight.round) + command.rounds
            self.ledger.clocks[key] = Clock(first, "start", until=until)
        elif effect.ends:
            skips = effect.ends == "end" and whose in acting
            clock = Clock(whose, effect.ends, max(1, effect.turns), skips=skips)
            self.ledger.clocks[key] = clock
        else:
            self.ledger.clocks.pop(key, None)

    # Facts

    def _may_act(self, one: rules.Combatant) -> bool:
        lost = one.number in self.ledger.lost and one.slot == self._home(self.ledger.current)
        surprised = one.number in self.ledger.surprised or lost
        return not (surprised or book.is_incapacitated(one))

    def _may_react(self, one: rules.Combatant) -> bool:
        surprised = one.number in self.ledger.surprised
        turned = "turned" in book.codes(one)
        return one.reaction and not (surprised or turned or book.is_incapacitated(one))

    def _home(self, number: int | None) -> int | None:
        return self._homes.get(number or 0, number)

    def _members(self, fight: rules.Fight, number: int | None) -> list[rules.Combatant]:
        self._homes = {p.number: p.extra_of for p in fight.slots if p.extra_of is not None}
        home = self._home(number)
        return [c for c in fight.combatants if home is not None and c.slot == home]

    def _waits(self, fight: rules.Fight, number: int) -> bool:
        self._members(fight, number)
        both = (number, self._home(number))
        return any(p.waiting is not None for p in fight.slots if p.number in both)

    def _able(self, fight: rules.Fight, number: int, in_round: int) -> bool:
        """Whether somebody in this place can have a turn."""
        own = [c for c in self._members(fight, number) if not book.is_away(c, in_round)]
        if number in self._homes:  # a second turn is not for the surprised
            own = [c for c in own if c.number not in self.ledger.surprised | self.ledger.lost]
        for c in [c for c in own if c.is_lair]:
            owner = book.owner(fight, c)
            surprised = owner is not None and owner.number in self.ledger.surprised
            if owner and (
                surprised or book.is_incapacitated(owner) or book.is_away(owner, in_round)
            ):
                own.remove(c)
        return bool(own) and not self._waits(fight, number)

    def _flags_as_told(self, fight: rules.Fight) -> None:
        self.ledger.acted = {p.number for p in fight.slots if p.acted_round >= fight.round}
        self.ledger.surprised &= {c.number for c in fight.combatants if c.surprised}
        self.ledger.lost &= {c.number for c in fight.combatants if c.lost_turn}
        if fight.current is not None:
            self.ledger.begun |= {c.number for c in self._members(fight, fight.current)}

    def _take_as_told(self, fight: rules.Fight) -> None:
        mine = self.ledger
        mine.order = [place.number for place in fight.slots]
        mine.current, mine.round = fight.current, fight.round
        mine.surprised = {c.number for c in fight.combatants if c.surprised}
        mine.lost = {c.number for c in fight.combatants if c.lost_turn}
        mine.begun = {c.number for c in fight.combatants if c.has_acted}
        self._flags_as_told(fight)
