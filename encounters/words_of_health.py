"""Words about hit points: types of damage, defences, and what an amount of damage is called."""

from collections.abc import Iterable

from django.utils.functional import Promise, lazy
from django.utils.translation import gettext, ngettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

import rules
from bestiary import glossary
from encounters.labels import Text, minus


def damage_type(code: str) -> str:
    """ "fire": a type of damage within a sentence."""
    return glossary.term("damage_types", code).lower()


def when(code: str) -> str:
    """ "nonmagical attacks": what a defence depends on."""
    return glossary.term("damage_conditions", code)


DEFENCES: dict[str, Text] = {
    "resistance": _("resistance"),
    "vulnerability": _("vulnerability"),
    "immunity": _("immunity"),
    "absorption": _("absorption"),
}

INSTEAD: dict[str, Text] = {
    "": _("falls"),
    "one": _("stays at 1 HP"),
    "full": _("back to full HP"),
}  # at 0 hit points

NOTHING: dict[str, Text] = {"immunity": _("immune"), "reduction": _("reduced to 0")}
# why a hit has come to nothing

GMS_WORD: dict[str, Text] = {"auto": _("its own"), "plain": _("none")} | DEFENCES

DAMAGE_CONDITIONS: dict[str, Text] = {
    code: lazy(when, str)(code) for code in glossary.words("damage_conditions")
}

STATES_OF_HEALTH: dict[str, Text] = {
    "bloodied": _("bloodied"),
    "dying": _("dying"),
    "stable": _("stable"),
    "knocked-out": _("knocked out"),
    "unconscious": _("unconscious"),
    "defeated": _("defeated"),
    "dead": _("dead"),
}

# Each is a phrase of its own: French has "11 dégâts de feu", but "11 dégâts perforants".
_DAMAGE: dict[str, Promise] = {
    "": ngettext_lazy("%(amount)s damage", "%(amount)s damage", "n"),
    "acid": ngettext_lazy("%(amount)s acid damage", "%(amount)s acid damage", "n"),
    "bludgeoning": ngettext_lazy(
        "%(amount)s bludgeoning damage", "%(amount)s bludgeoning damage", "n"
    ),
    "cold": ngettext_lazy("%(amount)s cold damage", "%(amount)s cold damage", "n"),
    "fire": ngettext_lazy("%(amount)s fire damage", "%(amount)s fire damage", "n"),
    "force": ngettext_lazy("%(amount)s force damage", "%(amount)s force damage", "n"),
    "lightning": ngettext_lazy("%(amount)s lightning damage", "%(amount)s lightning damage", "n"),
    "necrotic": ngettext_lazy("%(amount)s necrotic damage", "%(amount)s necrotic damage", "n"),
    "piercing": ngettext_lazy("%(amount)s piercing damage", "%(amount)s piercing damage", "n"),
    "poison": ngettext_lazy("%(amount)s poison damage", "%(amount)s poison damage", "n"),
    "psychic": ngettext_lazy("%(amount)s psychic damage", "%(amount)s psychic damage", "n"),
    "radiant": ngettext_lazy("%(amount)s radiant damage", "%(amount)s radiant damage", "n"),
    "slashing": ngettext_lazy("%(amount)s slashing damage", "%(amount)s slashing damage", "n"),
    "thunder": ngettext_lazy("%(amount)s thunder damage", "%(amount)s thunder damage", "n"),
}


def damage(amount: int, kinds: Iterable[str]) -> str:
    """ "11 fire damage", "15 damage (fire, piercing)", "8 damage"."""
    named = list(dict.fromkeys(kinds))
    if len(named) == 1:
        return str(_DAMAGE[named[0]] % {"n": amount, "amount": minus(amount)})
    types = ", ".join(damage_type(code) for code in named if code)
    said = ngettext("%(amount)s damage (%(types)s)", "%(amount)s damage (%(types)s)", amount)
    return said % {"amount": minus(amount), "types": types}


def defence(one: rules.Defence) -> str:
    """ "resistance: fire (nonmagical attacks)"."""
    values = {"kind": DEFENCES[one.kind], "type": damage_type(one.type), "when": when(one.when)}
    if one.when:
        return gettext("%(kind)s: %(type)s (%(when)s)") % values
    return gettext("%(kind)s: %(type)s") % values
