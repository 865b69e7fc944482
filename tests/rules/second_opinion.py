"""Follows a fight command by command with a ledger of its own, and is held against the product.

The ledger knows who is surprised, the order, whose turn it is, who has had one in this round and
what is to end when. What it only knows from the product it takes as told.
"""

import rules
from tests.rules import book
from tests.rules.ledger import Ledger, Turns

PARTS = (rules.Split, rules.ChangeSide, rules.Edit, rules.Mount, rules.GiveExtraTurn)


class SecondOpinion(Turns):
    def __init__(self, fight: rules.Fight) -> None:
        super().__init__(fight)
        self.past: list[Ledger] = []
        self.future: list[Ledger] = []

    def undo(self) -> None:
        self.future.append(self.ledger)
        self.ledger = self.past.pop()

    def redo(self) -> None:
        self.past.append(self.ledger)
        self.ledger = self.future.pop()

    def refused(self, command: rules.Command, fight: rules.Fight, code: str) -> None:
        """Nobody is kept from what it may do."""
        number = getattr(command, "attacker", getattr(command, "target", None))
        who = next((c for c in fight.combatants if c.number == number), None)
        if who is not None and code in ("turn-is-lost", "cannot-react"):
            reacts = code == "cannot-react"
            assert not (self._may_react(who) if reacts else self._may_act(who)), code
        hurting = any(effect.each for c in fight.combatants for effect in c.effects)
        if isinstance(command, rules.NextTurn) and code == "nobody-can-act" and not hurting:
            assert not any(self._able(fight, p.number, fight.round) for p in fight.slots)

    def follow(self, command: rules.Command, before: rules.Fight, after: rules.Fight) -> None:
        self.past.append(self.ledger)
        self.future.clear()
        self.ledger = self.ledger.snapshot()
        self._acts(command, before)
        if after.state == "running":
            self._run(command, before, after)
        elif after.state == "rolling":
            self._roll(command, before, after)
        self._ends(command, before, after)
        if not isinstance(command, rules.AddEffect):  # the GM may say what cannot be
            assert not set(book.wrongly_held(after)) - set(book.wrongly_held(before))

    # Until it begins

    def _roll(self, command: rules.Command, before: rules.Fight, after: rules.Fight) -> None:
        self._marks(command, before, after)
        self.ledger.order = [place.number for place in after.slots]
        assert book.is_sorted(after, self.ledger.by_hand), "not by total"
        assert book.equals_stand_right(after, self.ledger.by_hand), "not by entry"
        if not any("petrified" in book.codes(c) for c in after.combatants):
            assert {c.number for c in after.combatants if c.surprised} == book.surprised(after)

    def _marks(self, command: rules.Command, before: rules.Fight, after: rules.Fight) -> None:
        """A place moved by hand, or back from waiting, is marked until its own total changes."""
        was = {place.number: place for place in before.slots}
        for place in after.slots:
            old = was.get(place.number) or was.get(place.split_from or 0)
            if old is None or old.total != place.total:
                self.ledger.by_hand.discard(place.number)
            elif old.number in self.ledger.by_hand or (old.by == "mount") > (place.by == "mount"):
                self.ledger.by_hand.add(place.number)
        order = [place.number for place in after.slots]
        if isinstance(command, rules.ComeBack) or (
            isinstance(command, rules.Reorder) and order != self.ledger.order
        ):
            self.ledger.by_hand.add(command.slot)

    # Once it runs

    def _run(self, command: rules.Command, before: rules.Fight, after: rules.Fight) -> None:
        match command:
            case rules.StartFight():
                self._starts(before, after)
            case rules.PreviousTurn() | rules.ReopenFight():
                self._take_as_told(after)
            case rules.NextTurn():
                self._turn_ends(before)
                self._next(before, after, bool(command.dice or command.sides))
            case rules.GiveTurn() if command.slot != self.ledger.current:
                self._turn_ends(before)
                self._begins(command.slot, after)
            case rules.OverrideSurprise():
                self._surprise_told(command, after)
        self._places(command, before, after)
        self._compare(after)

    def _starts(self, before: rules.Fight, after: rules.Fight) -> None:
        found = book.surprised(before)
        self.ledger.order = [place.number for place in after.slots]
        self.ledger.surprised = found if book.setting(before, "edition") == "2014" else set()
        self.ledger.round, self.ledger.acted = 1, set()
        self._next(before, after, False)

    def _surprise_told(self, command: rules.OverrideSurprise, after: rules.Fight) -> None:
        for numbers in (self.ledger.surprised, self.ledger.lost):
            numbers.discard(command.target)
        if command.surprise == "surprised":
            self.ledger.surprised.add(command.target)
            self.ledger.lost.add(command.target)

    def _places(self, command: rules.Command, before: rules.Fight, after: rules.Fight) -> None:
        """Places that have come, gone or moved."""
        mine = self.ledger
        self._marks(command, before, after)
        now = {place.number: place for place in after.slots}
        moved = isinstance(command, (rules.RollInitiative, rules.NextTurn)) and mine.order
        if moved and mine.order != list(now):
            thrown = {*getattr(command, "dice", ()), *getattr(command, "totals", ())}
            self._corrected_stand_right(before, after, thrown)
        gone = [n for n in mine.order if n not in now]
        if mine.current in gone or isinstance(command, rules.Wait):
            self._left(command, before, after)
        new = [n for n in now if n not in mine.order]
        mine.order = list(now)
        if isinstance(command, rules.Join):
            mine.joined |= dict.fromkeys(new, mine.round)
        for number in new:
            if now[number].split_from in mine.acted and not isinstance(command, rules.Join):
                mine.acted.add(number)
        self._newcomers(command, before, after, new)
        if isinstance(command, (*PARTS, rules.Merge, rules.ComeBack, rules.Wait)):
            self._flags_as_told(after)
        mine.acted &= set(now)

    def _left(self, command: rules.Command, before: rules.Fight, after: rules.Fight) -> None:
        """Whoever had the turn has gone: the next begins at once, or nobody has it."""
        mine = self.ledger
        if isinstance(command, rules.Wait) and before.home(command.slot) != before.home(
            mine.current
        ):
            return
        mine.order = [n for n in mine.order if n in {p.number for p in after.slots}]
        if after.current is None:
            assert not any(self._able(after, n, mine.round) for n in mine.order)
            mine.current = None
        else:
            self._next(before, after, False)

    def _newcomers(
        self, command: rules.Command, before: rules.Fight, after: rules.Fight, new: list[int]
    ) -> None:
        """A newcomer acts where its total says: in this round unless its place has passed."""
        mine = self.ledger
        totals = {place.number: place.total for place in before.slots}
        changed = [p.number for p in after.slots if totals.get(p.number, 1000) != p.total]
        told = {p.number for p in after.slots if p.acted_round >= after.round}
        moved = {command.slot} if isinstance(command, rules.Reorder) else set()
        for number in {*new, *changed, *moved}:
            own = {c.number for c in self._members(after, number)}
            if mine.joined.get(number) != mine.round or mine.begun & own:
                continue
            if len(changed) == 1 and self._all_in_sight(after) and self._goes_down(after, number):
                late = any(n in mine.acted for n in mine.order[mine.order.index(number) + 1 :])
            else:
                late = number in told
            mine.acted = mine.acted | {number} if late else mine.acted - {number}

    def _goes_down(self, fight: rules.Fight, newcomer: int) -> bool:
        """Whether the round has gone down the order: nobody has acted behind one who has not."""
        there = [n for n in self.ledger.order if n != newcomer and not self._waits(fight, n)]
        acted = [n in self.ledger.acted for n in there]
        return acted == sorted(acted, reverse=True)

    def _corrected_stand_right(
        self, before: rules.Fight, after: rules.Fight, thrown: set[int]
    ) -> None:
        """Whose total is another stands where that belongs; the others as they stood."""
        was = {place.number: (place.total, place.by) for place in before.slots}
        same = [p.number for p in after.slots if was.get(p.number) == (p.total, p.by)]
        same = [number for number in same if number not in thrown]
        by_rule = book.setting(after, "tie_rule") in ("dexterity", "heroes_first")
        led = {p.number for p in after.slots if p.by in ("mount", "extra", "side")}
        if not (by_rule or led):
            assert [n for n in self.ledger.order if n in same] == same
        apart = self.ledger.by_hand | led
        if book.is_sorted(before, apart) and self._all_in_sight(after):
            assert book.is_sorted(after, apart), "a corrected total stands elsewhere"

    # The questions

    def _compare(self, fight: rules.Fight) -> None:
        mine = self.ledger
        assert (fight.current, fight.round) == (mine.current, mine.round), "whose turn it is"
        assert [place.number for place in fight.slots] == mine.order
        acted = {p.number for p in fight.slots if p.acted_round >= fight.round}
        waits = {p.number for p in fight.slots if self._waits(fight, p.number)}
        assert acted - waits == mine.acted - waits, "who has acted"
        mine.surprised &= {c.number for c in fight.combatants}
        assert {c.number for c in fight.combatants if c.surprised} == mine.surprised
        for c in fight.combatants:
            left = rules.means(c, fight)
            assert (not left.lost_to) == self._may_act(c), "who may act"
            assert left.reaction == self._may_react(c), "who may react"

    def _acts(self, command: rules.Command, before: rules.Fight) -> None:
        """Whoever has acted was able to."""
        people = {c.number: c for c in before.combatants}
        match command:
            case rules.Attack():
                way = getattr(command, "way", "action")
                assert self._may_act(people[command.attacker]), "attacks, and cannot act"
                assert way != "reaction" or self._may_react(people[command.attacker])
            case rules.TakeAction() | rules.StandUp():
                assert command.target not in self.ledger.surprised
            case rules.ReleaseReadied():
                assert self._may_react(people[command.target])
            case rules.SpendUse():
                kinds = {u.kind for u in people[command.target].uses if u.name == command.name}
                assert "legendary" not in kinds or self._may_act(people[command.target])

    def _ends(self, command: rules.Command, before: rules.Fight, after: rules.Fight) -> None:
        """What had to end has ended; what had not, is there."""
        mine = self.ledger
        there = {(c.number, *effect.key) for c in after.combatants for effect in c.effects}
        assert not mine.over & there, "it ought to have ended"
        people = {c.number for c in after.combatants}
        for key in [key for key in mine.clocks if key not in there]:
            early = key not in mine.over and key[0] in people and key[1] == "own"
            assert not (early and isinstance(command, rules.NextTurn)), "it ended too early"
            del mine.clocks[key]
        mine.over = set()
        self._loses_track(command, before, after)
        for one in getattr(command, "commands", (command,)):
            if isinstance(one, rules.AddEffect) and after.state == "running":
                self._sets_clock(one, after)

    def _loses_track(self, command: rules.Command, before: rules.Fight, after: rules.Fight) -> None:
        """Turns given, given up or parted by hand: which of them counts is not for us to say."""
        mine, was = self.ledger, {c.number: c.slot for c in before.combatants}
        moved = {c.number for c in after.combatants if c.slot != was.get(c.number)}
        moved |= was.keys() - {c.number for c in after.combatants}
        if isinstance(command, (rules.GiveTurn, rules.Wait, rules.ComeBack, rules.PreviousTurn)):
            mine.clocks.clear()
        for key in [k for k, c in mine.clocks.items() if c.whose in moved]:
            del mine.clocks[key]

    # Facts

    def _all_in_sight(self, fight: rules.Fight) -> bool:
        return not any(c.hidden or c.awaited for c in fight.combatants)
