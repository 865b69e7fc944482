"""The difficulty meter of a fight in preparation, by its heroes' levels and its creatures' XP."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy

import rules
from bestiary.models import Creature
from encounters import labels
from encounters.screens.together import together

WORDS: dict[str, Promise] = {
    "trivial": pgettext_lazy("difficulty", "trivial"),
    "easy": pgettext_lazy("difficulty", "easy"),
    "medium": pgettext_lazy("difficulty", "medium"),
    "hard": pgettext_lazy("difficulty", "hard"),
    "deadly": pgettext_lazy("difficulty", "deadly"),
    "low": pgettext_lazy("difficulty", "low"),
    "moderate": pgettext_lazy("difficulty", "moderate"),
    "high": pgettext_lazy("difficulty", "high"),
    "beyond": pgettext_lazy("difficulty", "beyond high"),
}
SLIVER = 4  # of a hundred: what is filled of the band where the fight stands, at the least


@dataclass(frozen=True, slots=True)
class Band:
    """One difficulty on the meter."""

    code: str
    word: str
    limit: str  # the XP from which on, or up to which, it is; "" without one
    here: bool  # this is how hard the fight is
    percent: int  # how much of it is filled


@dataclass(frozen=True, slots=True)
class Meter:
    """How hard the fight is, in words and on a scale."""

    code: str  # "" while it cannot be told
    verdict: str
    reckoning: tuple[str, ...]  # "4 heroes", "6 creatures", "300 XP × 2 = 600 XP"
    bands: tuple[Band, ...]  # () while no hero's level is known
    unknown: tuple[str, ...]  # whose level or XP nobody has told


def meter(fight: rules.Fight) -> Meter:
    """The meter of this fight; one query for creatures not met before."""
    heroes, creatures = rules.opponents(fight)
    worth = _worth(creatures)
    known = [c.hero_level for c in heroes if c.hero_level]
    told = [worth[c.creature][c.at_home] for c in creatures if c.creature in worth]
    found = rules.difficulty(fight.settings.edition, known, told)
    return Meter(
        code=found.code,
        verdict=_verdict(found.code, bool(heroes), bool(creatures)),
        reckoning=_reckoning(found, len(known), len(told)),
        bands=_bands(found, fight.settings.edition) if known else (),
        unknown=_unknown(
            [c for c in heroes if not c.hero_level],
            [c for c in creatures if c.creature not in worth],
        ),
    )


_known_xp: dict[str, tuple[int, int]] = {}
# Neither the book changes while we run, nor a creature of the GM's own.


def _worth(creatures: Iterable[rules.Combatant]) -> dict[str, tuple[int, int]]:
    """The XP of these creatures, elsewhere and in their lairs, by code.

    One query for all that were not met before.
    """
    codes = {c.creature for c in creatures if c.creature}
    if new := codes - _known_xp.keys():
        sources, _slashes, keys = zip(*(code.partition("/") for code in new), strict=True)
        found = Creature.objects.filter(source__in=sources, key__in=keys, xp__isnull=False)
        columns = ("source", "key", "xp", "facts__xp_in_lair")
        for source, key, xp, in_lair in found.values_list(*columns):
            _known_xp[f"{source}/{key}"] = xp or 0, in_lair or xp or 0
    return {code: _known_xp[code] for code in codes if code in _known_xp}


def _verdict(code: str, heroes: bool, creatures: bool) -> str:
    if code:
        return str(WORDS[code])
    if not creatures:
        return gettext("no enemy yet")
    return pgettext("difficulty", "unknown") if heroes else gettext("no hero yet")


def _reckoning(found: rules.Difficulty, heroes: int, creatures: int) -> tuple[str, ...]:
    if not creatures:
        return ()
    party = ngettext("%(n)d hero", "%(n)d heroes", heroes) % {"n": heroes}
    horde = ngettext("%(n)d creature", "%(n)d creatures", creatures) % {"n": creatures}
    worth = gettext("%(xp)s XP") % {"xp": labels.minus(found.xp)}
    if found.multiplier != 1:
        worth = gettext("%(xp)s XP × %(multiplier)s = %(weight)s XP") % {
            "xp": labels.minus(found.xp),
            "multiplier": number_format(f"{found.multiplier:g}"),
            "weight": labels.minus(found.weight),
        }
    return (party, horde, worth) if heroes else (horde, worth)


def _bands(found: rules.Difficulty, edition: str) -> tuple[Band, ...]:
    codes = rules.DIFFICULTIES[edition]
    edges = (0, *found.limits, 2 * found.limits[-1])  # the last band has no end of its own
    return tuple(
        Band(
            code,
            str(WORDS[code]),
            _limit(edges[place], edges[place + 1], edition, last=place == len(codes) - 1),
            here=code == found.code,
            percent=_filled(found, edges[place], edges[place + 1], here=code == found.code),
        )
        for place, code in enumerate(codes)
    )


def _limit(begins: int, ends: int, edition: str, *, last: bool) -> str:
    if edition == "2014":
        return f"≥ {labels.minus(begins)}" if begins else ""
    return "" if last else f"≤ {labels.minus(ends)}"


def _filled(found: rules.Difficulty, begins: int, ends: int, *, here: bool) -> int:
    share = round(100 * (found.weight - begins) / (ends - begins))
    return max(SLIVER if here else 0, min(100, share))


def _unknown(heroes: list[rules.Combatant], creatures: list[rules.Combatant]) -> tuple[str, ...]:
    lines = []
    if heroes:
        who = labels.in_words(str(labels.name_of(c)) for c in heroes)
        lines.append(gettext("Level of %(who)s unknown: not counted") % {"who": who})
    if creatures:
        lines.append(gettext("XP of %(who)s unknown: not counted") % {"who": together(creatures)})
    return tuple(lines)
