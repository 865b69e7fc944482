"""What *Next turn* will do, in words, before it is pressed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext

import rules
from encounters.effect_words import ABILITIES, called
from encounters.labels import minus, name_of
from encounters.screens.due import use_called
from encounters.screens.together import who


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The turn to come."""

    slot: int | None  # None while new dice decide it
    who: str  # "" while new dice decide it
    round: int  # of a new round, 0 in the same one
    loses_turn: bool
    changes: tuple[str, ...]  # what ends, is asked, comes back or arrives


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


def _changes(found: rules.Preview) -> Iterator[str]:
    """What the GM has to do first, then what happens by itself."""
    if found.asked:
        asked = ", ".join(_asked(c, due) for c, due in found.asked)
        yield gettext("due: %(list)s") % {"list": asked}
    if found.hit_points:
        yield gettext("hit points: %(list)s") % {
            "list": ", ".join(_hit_points(c, amount) for c, amount in found.hit_points)
        }
    lost = [c for c, effect in found.effects_end if effect.code == "readied"]
    ends = [gettext("surprise of %(who)s") % {"who": name_of(c)} for c in found.surprise_ends]
    ends += [_effect(c, effect) for c, effect in found.effects_end if effect.code != "readied"]
    if ends:
        yield gettext("ends: %(list)s") % {"list": ", ".join(ends)}
    if lost:
        yield gettext("readied action lost: %(who)s") % {"who": _listed(lost)}
    if found.reactions_return:
        yield gettext("reaction regained: %(who)s") % {"who": _listed(found.reactions_return)}
    if found.legendary_return:
        back = _listed(found.legendary_return)
        yield gettext("legendary actions regained: %(who)s") % {"who": back}
    if found.arrive:
        yield gettext("arrives: %(who)s") % {"who": _listed(found.arrive)}


def _asked(c: rules.Combatant, due: rules.Due) -> str:
    values = {"who": name_of(c), "use": use_called(c, due.text)}
    match due.kind:
        case "death":
            return gettext("death save (%(who)s)") % values
        case "recharge":
            return gettext("recharge of %(use)s (%(who)s)") % values
        case "each":
            return gettext("hit points from %(effect)s (%(who)s)") % {
                **values,
                "effect": called(rules.Effect(due.effect, text=due.text)),
            }
        case _:
            ability = ABILITIES[due.ability]
            return gettext("%(ability)s save (%(who)s)") % {**values, "ability": ability}


def _hit_points(c: rules.Combatant, amount: int) -> str:
    values = {"who": name_of(c), "amount": f"+{amount}" if amount > 0 else minus(amount)}
    return gettext("%(who)s %(amount)s") % values


def _effect(bearer: rules.Combatant, effect: rules.Effect) -> str:
    values = {"effect": called(effect), "who": name_of(bearer)}
    return gettext("%(effect)s (%(who)s)") % values


def _listed(combatants: Iterable[rules.Combatant]) -> str:
    return ", ".join(str(name_of(c)) for c in combatants)
