"""What a fight leaves behind: blows, those who are gone, and hit points to carry to the heroes.

All of it comes from the steps that still stand, so that nothing undone is counted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

import rules
from encounters.history import Record
from encounters.models import Encounter, Hero, Step
from encounters.store import load_fight
from rules.plain import combatant_from_plain


@dataclass(frozen=True, slots=True)
class Blow:
    """Hit points that one combatant lost at once."""

    round: int  # 0 before the first
    target: int  # combatant's number
    by: int | None  # number of the one who dealt it; None when nobody has said
    amount: int


@dataclass(frozen=True, slots=True)
class Carried:
    """A hero of the campaign who has fought, and the hit points that can go along."""

    hero: Hero
    number: int  # as a combatant
    fought: (
        int | None
    )  # hit points at the end of the fight; None when nobody knows, and of the dead

    @property
    def carried(self) -> int | None:
        """What the campaign keeps: None when unhurt."""
        if self.fought is None or self.hero.max_hp is None or self.fought >= self.hero.max_hp:
            return None
        return self.fought

    @property
    def is_known(self) -> bool:
        """Whether there is something to carry: both numbers are known."""
        return self.fought is not None and self.hero.max_hp is not None

    @property
    def differs(self) -> bool:
        """Whether the campaign has other hit points than the fight has left."""
        return self.is_known and self.hero.hp != self.carried


def blows(records: Sequence[Record], stands: set[int]) -> tuple[Blow, ...]:
    """Every damage of these steps, newest first as `history.records` gives them, in its round.

    What a turn did by itself is taken back with the turn.
    """
    found: dict[int, list[Blow]] = {}
    turns: list[int] = []  # versions of the steps that began one
    before = 0
    for step in reversed(records):
        if step.version in stands:
            codes = {event["code"] for event in step.events}
            if "turn-taken-back" in codes and turns:
                found.pop(turns.pop(), None)
            elif "turn-began" in codes:
                turns.append(step.version)
            found[step.version] = list(_blows_of(step, before))
        before = step.rounds[1] if step.rounds else before
    return tuple(blow for own in found.values() for blow in own)


def _blows_of(step: Record, round: int) -> Iterable[Blow]:
    """What a step dealt; within *next turn*, a new round begins between two blows."""
    for event in step.events:
        if event["code"] in ("fight-began", "round-began") and step.rounds:
            round = step.rounds[1]
        elif event["code"] == "damaged":
            lost, by = event.get("lost", event["amount"]), event.get("by")
            dealer = by[0]["number"] if by else None
            yield from (Blow(round, one["number"], dealer, lost) for one in event["who"] if lost)


def opening(records: Iterable[Record], stands: set[int]) -> int | None:
    """The version of the step that opened the fight, or began it at once; None before that."""
    codes = {"opened", "fight-began"}
    opened = [s.version for s in records if codes & {event["code"] for event in s.events}]
    return min((version for version in opened if version in stands), default=None)


def gone(
    encounter: Encounter, records: Iterable[Record], stands: set[int]
) -> tuple[rules.Combatant, ...]:
    """Those who were taken out of the fight, as they were then."""
    left = [
        step.version
        for step in records
        if step.version in stands and any(event["code"] == "left" for event in step.events)
    ]
    steps = Step.objects.filter(encounter=encounter, version__in=left) if left else ()
    rows = [row for step in steps for row in step.changes.get("combatants", {}).values()]
    return tuple(combatant_from_plain(r[0]) for r in rows if isinstance(r, list) and r[1] is None)


def carried(encounter: Encounter, fight: rules.Fight) -> tuple[Carried, ...]:
    """The campaign's heroes who are in this fight, those in the bin left aside; one query."""
    heroes = encounter.campaign.heroes.filter(deleted=None).in_bulk()
    fought = [(heroes.get(c.hero or 0), c) for c in fight.combatants]
    return tuple(
        Carried(hero, c.number, None if c.dead else c.hp) for hero, c in fought if hero is not None
    )


@transaction.atomic
def carry_hit_points(encounter: Encounter) -> None:
    """Give the campaign's heroes the hit points that this fight has left them."""
    for one in carried(encounter, load_fight(encounter)):
        if one.differs:
            Hero.objects.filter(pk=one.hero.pk).update(hp=one.carried)
