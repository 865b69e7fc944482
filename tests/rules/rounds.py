"""Who has had a turn in this round: the simple count that the order is held against."""

from collections import Counter

import rules

TAKES_BACK = (rules.PreviousTurn,)


def can_act(fight: rules.Fight) -> set[int]:
    """The numbers of those whose turn has to come in this round."""
    waiting = {slot.number for slot in fight.slots if slot.waiting is not None}
    unable = {c.number for c in fight.combatants if c.surprised or c.incapacitated or c.passed_over}
    return {
        c.number
        for c in fight.combatants
        if not (c.passed_over or c.slot in waiting or (c.is_lair and _owner(fight, c) in unable))
    }


def _owner(fight: rules.Fight, lair: rules.Combatant) -> int | None:
    owner = fight.owner_of(lair)
    return owner.number if owner else None


def acting(fight: rules.Fight) -> list[int]:
    """Those whose turn it is, unless it is one of those second turns of round 1."""
    if fight.current is None or fight.home(fight.current) != fight.current:
        return []
    return [c.number for c in fight.members(fight.current) if not c.passed_over]


class Rounds:
    """Counts the turns of a round. What is taken back makes it blind until the next round."""

    def __init__(self) -> None:
        self.blind = True
        self.turns: Counter[int] = Counter()
        self.able: set[int] = set()  # all the time since the round began
        self.given: set[int] = set()  # got a turn from the GM's hand

    def lose_count(self) -> None:
        self.blind = True

    def follow(
        self, command: rules.Command, before: rules.Fight, after: rules.Fight, began: bool
    ) -> None:
        """A command has run; `began`: a turn began with it."""
        if isinstance(command, rules.Wait) and before.home(command.slot) == before.current:
            self.turns.subtract(acting(before))  # given up, to be had later
            self.able -= set(acting(before))
        if isinstance(command, rules.Merge):
            self._merged(command, before, after)
        if isinstance(command, TAKES_BACK):
            self.lose_count()
        elif after.round > before.round:
            self._round_ended(after)
        self.able &= can_act(after)
        if began and not self.blind:
            self._count(acting(after), isinstance(command, rules.GiveTurn))

    def _count(self, numbers: list[int], by_hand: bool) -> None:
        self.turns.update(numbers)
        self.given.update(numbers if by_hand else ())
        for number in numbers:
            assert self.turns[number] == 1 or number in self.given, "a turn is doubled"

    def _merged(self, command: rules.Merge, before: rules.Fight, after: rules.Fight) -> None:
        """Whoever is put together with others acts when they do, or has acted with them."""
        slot = after.combatant(command.targets[0]).slot
        own = [c.number for c in after.members(slot)]
        self.able -= set(own)
        if slot == after.home(after.current):
            for number in own:
                self.turns[number] = max(1, self.turns[number])

    def _round_ended(self, fight: rules.Fight) -> None:
        there = {c.number for c in fight.combatants}
        missed = {n for n in self.able & there if not self.turns[n]}
        assert self.blind or not missed, f"{missed} missed the whole round"
        self.blind = False
        self.turns.clear()
        self.given.clear()
        self.able = can_act(fight)
