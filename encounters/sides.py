"""Whole sides: which of them players see, for what shows or hides all of a side at once."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

import rules
from encounters.labels import SIDES, Text

APART = tuple(side for side in SIDES if side != "heroes")  # heroes are their players' own

SHOW_ALL: dict[str, Text] = {
    "allies": _("Show all allies"),
    "foes": _("Show all foes"),
    "third": _("Show the third side"),
    "fourth": _("Show the fourth side"),
}

HIDE_ALL: dict[str, Text] = {
    "allies": _("Hide all allies"),
    "foes": _("Hide all foes"),
    "third": _("Hide the third side"),
    "fourth": _("Hide the fourth side"),
}


@dataclass(frozen=True, slots=True)
class SideInSight:
    """Those of one side whom players see or not, by their numbers."""

    side: str
    shown: tuple[int, ...]  # also those to come who will be seen when they do
    hidden: tuple[int, ...]  # of those who are there; a lair is shown by itself alone

    @property
    def show_all(self) -> str:
        return str(SHOW_ALL[self.side])

    @property
    def hide_all(self) -> str:
        return str(HIDE_ALL[self.side])


def sight_of(fight: rules.Fight, side: str) -> SideInSight:
    own = [c for c in fight.combatants if c.side == side]
    return SideInSight(
        side,
        shown=tuple(c.number for c in own if not c.hidden),
        hidden=tuple(c.number for c in own if c.hidden and not (c.awaited or c.is_lair)),
    )


def sides_in_sight(fight: rules.Fight) -> tuple[SideInSight, ...]:
    """Every side but the heroes', in the usual order, of which somebody can be shown or hidden."""
    found = (sight_of(fight, side) for side in APART)
    return tuple(one for one in found if one.shown or one.hidden)
