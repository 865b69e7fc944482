"""Turns that players do not see: until they see the next one, all stays for them as it was.

Source: RULES of the table for what players see.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.combatant import Combatant
from rules.fight import Fight
from rules.labelling import shown_name
from rules.previous import changes_back, lettered_unseen

_OF_ITS_PLACE = ("slot", "awaited", "letter")
_OF_FALLING = ("hp", "temp_hp", "dead", "stable", "death_successes", "death_failures")


def as_before(fight: Fight, changes: Mapping[str, Any]) -> Fight:
    """The fight as players still see it, without what the step that began a turn has changed.

    `changes` are those of that step, as `plain.difference` gives them. Whose turn it is stays,
    and so does whatever was changed by hand since: of hit points, the difference.
    """
    each = changes.get("combatants", {})
    fell = {str(c.number) for c in fight.combatants if _fell_by_hand(c, each.get(str(c.number)))}
    kept = {n: _of_the_fallen(change) if n in fell else change for n, change in each.items()}
    back = changes_back(_places_in_sight(fight, each), {**changes, "combatants": kept})
    before, after = changes.get("fight", {}).get("seen_slot", (None, None))
    if after is not None and after == fight.seen_slot:  # a second turn was over
        back = replace(back, seen_slot=before)
    return _not_arrived(back, changes)


def _places_in_sight(fight: Fight, each: Mapping[str, Any]) -> Fight:
    """The fight without places of which players see nobody: to move one is no news of the order.

    A place that somebody in sight has just left, as by a roll, is where they see them.
    """
    came = {n for n, change in each.items() if isinstance(change, Mapping) and "awaited" in change}
    here = [c for c in fight.combatants if not (c.unseen or str(c.number) in came)]
    changed = [each.get(str(c.number)) for c in here]
    left = {one["slot"][0] for one in changed if isinstance(one, Mapping) and "slot" in one}
    seen = {c.slot for c in here} | left
    return replace(fight, slots=tuple(s for s in fight.slots if (s.extra_of or s.number) in seen))


def _fell_by_hand(combatant: Combatant, change: Mapping[str, Any] | None) -> bool:
    """Whether it lies there, or is as it lies there, by what was done by hand since.

    Then it is shown as it is: a difference would have it stand again.
    """
    if not isinstance(change, Mapping) or "hp" not in change or combatant.hp != 0:
        return False
    left = [change.get(name, (False, False))[1] for name in ("dead", "stable")]
    return change["hp"][1] != 0 or left != [combatant.dead, combatant.stable]


def _of_the_fallen(change: Mapping[str, Any]) -> dict[str, Any]:
    """What is no news of somebody who is shown lying there: of one who fell by hand, all else."""
    if change["hp"][1] == 0:
        return {name: change[name] for name in _OF_ITS_PLACE if name in change}
    return {name: change[name] for name in change if name not in _OF_FALLING}


def _not_arrived(fight: Fight, changes: Mapping[str, Any]) -> Fight:
    """Whoever came with the turn has no letter yet, and has cost its name none."""
    own = lettered_unseen(fight, changes)
    if not own:
        return fight
    given = Counter(fight.letters_given)
    given.subtract(map(shown_name, own))
    fight = fight.with_each({c.number: {"letter": 0} for c in own})
    return replace(fight, letters_given=dict(given))
