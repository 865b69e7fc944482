"""Why a place stands where it does in the order: its dice, and who settled its ties.

And why somebody is surprised.
"""

from collections.abc import Mapping
from functools import lru_cache

from django.utils.translation import gettext

import rules
from encounters.labels import minus, name_of
from encounters.verdicts import by_hand, verdicts


def why(
    fight: rules.Fight, slot: rules.Slot, *, equals: bool, tie_rule: str, language: str | None
) -> str:
    """How the slot came to its total, and to its place among equals, if it has any.

    In the language of this thread, which is asked for once for all rows.
    """
    rider = _rider(fight, slot) if slot.by == "mount" else ""
    return _why(slot, equals, rider, tie_rule, language)


@lru_cache(maxsize=2_000)
def _why(slot: rules.Slot, equals: bool, rider: str, tie_rule: str, _language: str | None) -> str:
    parts = [_total(slot, rider), _among_equals(slot, tie_rule) if equals else ""]
    if slot.moved:
        parts.append(gettext("moved by hand"))
    return " · ".join(part for part in parts if part)


def _total(slot: rules.Slot, rider: str) -> str:
    if slot.total is None:
        return ""
    values = {"total": minus(slot.total), "die": slot.die, "other": slot.dropped}
    values["modifier"] = _added(slot.modifier)
    match slot.by:
        case "rolled":
            return gettext("d20 %(die)s %(modifier)s = %(total)s") % values
        case "advantage":
            return gettext("advantage: d20 %(die)s (%(other)s) %(modifier)s = %(total)s") % values
        case "disadvantage":
            text = gettext("disadvantage: d20 %(die)s (%(other)s) %(modifier)s = %(total)s")
            return text % values
        case "score":
            return gettext("initiative score %(total)s") % values
        case "side":
            return gettext("side die: %(total)s") % values
        case "mount":
            return gettext("with its rider, %(who)s") % {"who": rider}
        case "extra":
            return gettext("second turn of round 1, at 10 less")
        case "lair":
            return gettext("a lair acts on initiative count 20 and loses ties")
        case _:
            return gettext("total typed in: %(total)s") % values


def _added(modifier: int) -> str:
    return f"+ {modifier}" if modifier >= 0 else f"\N{MINUS SIGN} {-modifier}"


def _rider(fight: rules.Fight, slot: rules.Slot) -> str:
    riders = {c.rider for c in fight.members(slot.number)}
    return ", ".join(str(name_of(c)) for c in fight.combatants if c.number in riders)


def _among_equals(slot: rules.Slot, tie_rule: str) -> str:
    if slot.total is None or slot.by in ("lair", "mount", "side"):
        return ""
    match slot.settled:
        case "by-hand":
            return gettext("tie settled by you")
        case "by-players":
            return gettext("tie settled by the players")
        case "by-dice":
            dice = " → ".join(map(str, slot.tie_dice))
            return gettext("tie settled by a roll-off: %(dice)s") % {"dice": dice}
        case "by-rule" if tie_rule == "heroes_first":
            return gettext("tie settled by the rule: heroes first")
        case "by-rule":
            return gettext("tie settled by the Dexterity score")
        case _:
            return gettext("open tie: in the order of entry")


def found_surprised(fight: rules.Fight) -> dict[int, str]:
    """Why those were surprised who were when the fight began; nothing once nobody is any more."""
    if fight.state == "rolling" or not any(c.surprised for c in fight.combatants):
        return {}
    return {one.number: one.why for one in verdicts(fight.verdicts)}


def why_surprised(combatant: rules.Combatant, found: Mapping[int, str]) -> str:
    """Why one who is surprised is so; `found` is that of the fight."""
    told = combatant.surprise == "surprised"
    return by_hand() if told else found.get(combatant.number, "")
