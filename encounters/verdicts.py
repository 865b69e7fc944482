"""Why somebody is surprised, in words: the numbers, how the table reads them, and the rule."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from encounters.labels import Text, minus, named
from rules.settings import HIDDEN_FROM

SHOWN = 12  # hiders at most, for one who is surprised

RULES: dict[str, Text] = {
    "notices_no_threat": _("Whoever notices none of its enemies as the fight begins is surprised."),
    "misses_any_threat": _("Your setting: whoever misses even one enemy is surprised."),
}  # by the reading in force

EQUALS: dict[str, Text] = {
    "hider": _("Equal numbers: the hider stays hidden (the book’s rule)."),
    "observer": _("Equal numbers: the observer notices the hider (2024 rules)."),
    "hider-set": _("Equal numbers: the hider stays hidden (your setting)."),
    "observer-set": _("Equal numbers: the observer notices the hider (your setting)."),
}  # by who wins them, and whether the table has set it so


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why one creature is surprised."""

    number: int
    name: str
    why: str


def verdicts(kept: Mapping[str, Any]) -> tuple[Verdict, ...]:
    """Of all who are surprised, from what `rules.verdicts` has kept."""
    return tuple(
        Verdict(one["number"], str(named(one)), " ".join(_why(one, kept)))
        for one in kept.get("surprised", ())
    )


def by_hand() -> str:
    """Why somebody is surprised whom the GM has made so."""
    return gettext("Surprised by your decision.")


def _why(one: Mapping[str, Any], kept: Mapping[str, Any]) -> Iterator[str]:
    if one["reason"] == "by-hand":
        yield by_hand()
        return
    against = kept["against"][one["side"]]
    hiders = [hider for hider in kept["hiders"] if hider["number"] in against]
    passive = one["passive"]
    if one["unconscious"]:
        yield gettext("Unconscious: notices nobody.")
    elif hiders and passive is not None:
        each = [_compared(passive, hider, kept) for hider in hiders[:SHOWN]]
        values = {"list": ", ".join(each + (["…"] if len(hiders) > SHOWN else []))}
        yield gettext("Passive Perception against Stealth: %(list)s.") % values
    yield str(RULES[kept["reading"]])
    if not one["unconscious"] and any(hider["stealth"] == passive for hider in hiders):
        yield str(EQUALS[kept["equal"] + ("" if kept["by_edition"] else "-set")])


def _compared(passive: int, hider: Mapping[str, Any], kept: Mapping[str, Any]) -> str:
    """ "12 < 17 (Goblin 1)"."""
    stealth = hider["stealth"]
    sign = "<" if passive < stealth else "=" if passive == stealth else ">"
    if kept["edition"] == "2024" and stealth < HIDDEN_FROM:
        return gettext("%(stealth)s < 15, not hidden (%(who)s)") % {
            "stealth": minus(stealth),
            "who": named(hider),
        }
    return f"{minus(passive)} {sign} {minus(stealth)} ({named(hider)})"
