"""What *Next turn* will do, in words, before it is pressed."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

import rules
from encounters import labels
from encounters.labels import name_of
from encounters.screens.rows import who


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The turn to come."""

    slot: int | None  # None while new dice decide it
    who: str  # "" while new dice decide it
    round: int  # of a new round, 0 in the same one
    loses_turn: bool
    changes: tuple[str, ...]  # what ends, comes back or arrives


def foreseen(fight: rules.Fight) -> Foreseen | None:
    """The turn to come, or None when nobody can act."""
    found = rules.preview(fight) if fight.state == "running" else None
    if found is None:
        return None
    return Foreseen(
        slot=found.slot,
        who=who(fight, found.slot) if found.slot is not None else "",
        round=found.round if found.new_round else 0,
        loses_turn=found.loses_turn,
        changes=tuple(_changes(found)),
    )


def _changes(found: rules.Preview) -> Iterable[str]:
    ends = [gettext("surprise of %(who)s") % {"who": name_of(c)} for c in found.surprise_ends]
    ends += [_effect(c, effect) for c, effect in found.effects_end]
    if ends:
        yield gettext("ends: %(list)s") % {"list": ", ".join(ends)}
    if found.reactions_return:
        yield gettext("reaction back: %(who)s") % {"who": _listed(found.reactions_return)}
    if found.arrive:
        yield gettext("arrives: %(who)s") % {"who": _listed(found.arrive)}


def _effect(bearer: rules.Combatant, effect: rules.Effect) -> str:
    values = {"effect": labels.EFFECTS[effect.code], "who": name_of(bearer)}
    return gettext("%(effect)s (%(who)s)") % values


def _listed(combatants: Iterable[rules.Combatant]) -> str:
    return ", ".join(str(name_of(c)) for c in combatants)
