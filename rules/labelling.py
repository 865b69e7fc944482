"""What tells like creatures apart: the GM's numbers, and the players' letters.

Letters follow the order in which players come to see the creatures, and never change, so that
they tell nothing of how many are still hidden.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.combatant import Combatant
from rules.fight import Fight, Outcome, names, told


def shown_name(combatant: Combatant) -> str:
    """What players call it, before its letter."""
    return combatant.label or combatant.name


def lettered(fight: Fight) -> Fight:
    """The fight with a letter for every creature that players see."""
    given = dict(fight.letters_given)
    changes: dict[int, dict[str, int]] = {}
    for c in fight.combatants:
        if not (c.unseen or c.is_hero or c.letter):
            given[shown_name(c)] = given.get(shown_name(c), 0) + 1
            changes[c.number] = {"letter": given[shown_name(c)]}
    return replace(fight.with_each(changes), letters_given=given) if changes else fight


def numbered(fight: Fight) -> Fight:
    """The fight with a number for every creature that shares, or shared, its name with another.

    A number is given once: neither again after its bearer has left, nor beside a "Goblin 9" whom
    somebody has named so.
    """
    given = dict(fight.ordinals_given)
    count = Counter(c.name for c in fight.combatants)
    changes: dict[int, dict[str, int]] = {}
    for c in fight.combatants:
        if not (c.is_hero or c.ordinal) and (count[c.name] > 1 or c.name in given):
            given[c.name] = given.get(c.name, 0) + 1
            while f"{c.name} {given[c.name]}" in count:
                given[c.name] += 1
            changes[c.number] = {"ordinal": given[c.name]}
    return replace(fight.with_each(changes), ordinals_given=given) if changes else fight


def revealed(fight: Fight, targets: Iterable[int]) -> Fight:
    """The fight with these combatants in the players' sight."""
    return lettered(fight.with_each({number: {"hidden": False} for number in targets}))


@dataclass(frozen=True, slots=True)
class SetLabel:
    """What players call combatants from now on; "" for their own names.

    Under another name they take new letters, since theirs may be others' there.
    """

    targets: tuple[int, ...]
    label: str

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = [fight.combatant(number) for number in self.targets]
        others = {
            c.number for c in who if shown_name(replace(c, label=self.label)) != shown_name(c)
        }
        changes = {
            c.number: {"label": self.label} | ({"letter": 0} if c.number in others else {})
            for c in who
        }
        changed = lettered(fight.with_each(changes))
        return told(changed, "labelled", who=names(who), label=self.label)
