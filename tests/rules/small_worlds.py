"""Small fights and every sequence of a few commands, breadth first; no state is worked out twice.

States that are equal but for the count of steps are one. People and places that are the same value
are numbered once, so that the key of a fight is a handful of small numbers.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

import rules
from rules import Command, Fight
from tests.rules import invariants

HERO, ONE, OTHER, LAIR = 1, 2, 3, 4

PEOPLE = (
    rules.Combatant(
        0, "Lia", "heroes", is_hero=True, max_hp=4, hp=4, initiative_bonus=1, speed=30,
        dexterity=12, passive_perception=12,
    ),
    *[
        rules.Combatant(
            0, "Goblin", "foes", creature="goblin", max_hp=3, hp=3, initiative_bonus=2, speed=30,
            dexterity=14, passive_perception=9, hiding=True, stealth=stealth,
        )
        for stealth in (16, 9)
    ],
    rules.Combatant(0, "Lair", "foes", is_lair=True, owner=ONE),
)  # fmt: skip


class Known:
    """One value for all that are equal, and its number; found by identity where it can be.

    What cannot be hashed (bonuses of saves, speeds) no command here changes.
    """

    def __init__(self, kind: type, new: Callable[[Any], None] = lambda _: None) -> None:
        names = (f.name for f in fields(kind) if f.default_factory is not dict)
        self.facts = attrgetter(*names)
        self.by_facts: dict[Any, tuple[int, Any]] = {}
        self.by_identity: dict[int, tuple[int, Any]] = {}  # of those kept alone
        self.new = new

    def __call__(self, value: Any) -> tuple[int, Any]:
        found = self.by_identity.get(id(value))
        if found is None:
            facts = self.facts(value)
            found = self.by_facts.get(facts)
            if found is None:
                found = self.by_facts[facts] = len(self.by_facts), value
                self.by_identity[id(value)] = found
                self.new(value)
        return found


class World:
    """Everything that can become of a fight with so many commands."""

    def __init__(self, first: Fight) -> None:
        self.people = Known(rules.Combatant, invariants.check_one)
        self.places = Known(rules.Slot)
        self.first = first
        self.met: set[int] = set()  # hashes of states

    def explore(self, commands: Callable[[Fight], Iterator[Command]], depth: int) -> int:
        """Try all of them in every state, `depth` times over; each new state is looked at.

        Returns how many different states there are.
        """
        frontier = list(self._new(self.first))
        for left in reversed(range(depth)):
            reached: list[Fight] = []
            for fight in frontier:
                for command in commands(fight):
                    new = self._next(fight, command)
                    reached += new if left else ()
            frontier = reached
        return len(self.met)

    def _next(self, fight: Fight, command: Command) -> tuple[Fight, ...]:
        try:
            after = command.run(fight).fight
        except rules.RuleError:
            return ()
        return self._new(after)

    def _new(self, fight: Fight) -> tuple[Fight, ...]:
        """The fight with values that are known, if it has not been met."""
        people = [self.people(c) for c in fight.combatants]
        places = [self.places(slot) for slot in fight.slots]
        key = hash((
            fight.state, fight.round, fight.current, fight.last_number, fight.seen_slot,
            tuple(number for number, _ in people), tuple(number for number, _ in places),
        ))  # fmt: skip
        if key in self.met:
            return ()
        self.met.add(key)
        invariants.check_all(fight)
        known = tuple(c for _, c in people), tuple(slot for _, slot in places)
        return (replace(fight, combatants=known[0], slots=known[1]),)


def gathered(edition: str) -> Fight:
    """Lia, two goblins of whom one hides well, and their lair."""
    fight = rules.Fight(table=rules.Settings(edition=edition))
    return rules.OpenFight().run(rules.Join(PEOPLE).run(fight).fight).fight


def begun(edition: str) -> Fight:
    fight = rules.RollInitiative(totals={HERO: 15, ONE: 12}).run(gathered(edition)).fight
    return rules.StartFight().run(fight).fight


GRIP = rules.Effect("grappled", source=HERO)
DAZE = rules.Effect("stunned", ends="end", turns=1)
SPELL = rules.Effect("own", text="cursed", source=HERO, hangs=True, ends="start", turns=2)
VENOM = rules.Effect("poisoned")


def of_an_opening(fight: Fight) -> Iterator[Command]:
    """What is done until a fight begins, and its first turns."""
    if fight.state == "running":
        yield rules.NextTurn()
        yield rules.RollInitiative(totals={ONE: 18})
        return
    yield rules.StartFight(accept_empty=True)
    for number, total in ((HERO, 20), (ONE, 20), (ONE, 14)):
        yield rules.RollInitiative(totals={number: total})
    yield rules.RollInitiative(dice={ONE: (8, 17)})
    yield rules.Reorder(LAIR, HERO)
    yield rules.Reorder(HERO, None)
    yield rules.BreakTie((HERO, ONE))
    yield rules.ActFirst(ONE)
    yield rules.Hide({OTHER: 15})
    yield rules.StopHiding((OTHER,))
    yield rules.OverrideSurprise(OTHER, "surprised")
    yield rules.AddEffect(HERO, VENOM)
    yield rules.Damage(HERO, 4)
    yield rules.Leave((OTHER,))
    yield rules.Split((OTHER,))


def of_a_fight(fight: Fight) -> Iterator[Command]:
    """The main commands of a running fight."""
    people = [c.number for c in fight.combatants]
    yield rules.NextTurn()
    for number in people[:3]:
        yield rules.Damage(number, 3)
    for slot in fight.slots[:2]:
        yield rules.Wait(slot.number) if slot.waiting is None else rules.ComeBack(slot.number)
    if HERO in people:
        yield rules.Heal(HERO, 2)
        yield rules.TakeAction(HERO, "dodge")
        yield rules.Move(HERO, 10)
        yield rules.SetReaction(HERO, False)
    if ONE in people:
        yield rules.AddEffect(ONE, DAZE)
        yield rules.SetReaction(ONE, False)
        yield rules.GiveTemporary(ONE, 2)
        yield rules.SetLabel((ONE,), "Shadow")
    if OTHER in people:
        yield rules.Move(OTHER, 10)
        yield rules.SetHidden((OTHER,), True)
        yield rules.SetOut(OTHER, not fight.combatant(OTHER).out)
        yield rules.Leave((OTHER,))
    if {OTHER, HERO}.issubset(people):
        yield rules.AddEffect(OTHER, GRIP)
        yield rules.AddEffect(OTHER, SPELL)
    yield rules.Split((OTHER,))
    yield rules.Merge((ONE, OTHER))


def of_a_long_fight(fight: Fight) -> Iterator[Command]:
    """These and others."""
    yield from of_a_fight(fight)
    for slot in fight.slots[2:]:
        yield rules.Wait(slot.number) if slot.waiting is None else rules.ComeBack(slot.number)
    for slot in fight.slots:
        yield rules.GiveTurn(slot.number)
        yield rules.Reorder(slot.number, None)
    for number in [c.number for c in fight.combatants][:3]:
        yield rules.OverrideSurprise(number, "surprised")
        yield rules.DeathSave(number, 9)
        yield rules.SetHitPoints(number, 1)
        yield rules.RemoveEffect(number, "stunned")
        yield rules.ChangeSide((number,), "heroes")
        yield rules.RollInitiative(totals={number: 17})
        yield rules.TakeAction(number, "ready", spell=True)
        yield rules.SetHidden((number,), True)
        yield rules.Leave((number,))
        yield rules.Heal(number, 2)
        yield rules.AddEffect(number, DAZE)
    yield rules.GiveExtraTurn(HERO)
    yield rules.Mount(OTHER, ONE)
    yield rules.Join(PEOPLE[2:3], (11,))
