"""How a slot rolls initiative: with advantage or disadvantage, and why."""

from collections.abc import Sequence

from django.utils.translation import gettext

import rules
from encounters.labels import REASONS, in_words, minus, name_of


def ways(fight: rules.Fight, members: Sequence[rules.Combatant]) -> tuple[str, ...]:
    """A line for each of the slot's members that roll alike; none when there is nothing to say."""
    alike: dict[rules.Mode, list[rules.Combatant]] = {}
    for one in rules.standing(members):
        alike.setdefault(rules.mode(one, fight), []).append(one)
    if len(alike) == 1:
        return tuple(how for mode in alike if (how := mode_in_words(mode)))
    return tuple(
        gettext("%(who)s: %(how)s") % {"who": in_words(str(name_of(c)) for c in own), "how": how}
        for mode, own in alike.items()
        if (how := mode_in_words(mode))
    )


def outdated(fight: rules.Fight, slot: rules.Slot, members: Sequence[rules.Combatant]) -> bool:
    """Whether the slot has rolled otherwise than it would roll now."""
    if slot.total is None or slot.by not in ("rolled", "advantage", "disadvantage", "score"):
        return False
    kinds = {rules.mode(one, fight).kind for one in rules.standing(members)}
    if slot.by == "score":
        shifts = {rules.SCORE_SHIFT[kind] for kind in kinds}
        return shifts != {slot.total - slot.modifier - rules.SCORE}
    return kinds != {slot.by.removeprefix("rolled")}


def check_in_words(mode: rules.Mode, exhaustion: int) -> str:
    """What moves a check, in a line; `exhaustion` is what that takes from it."""
    penalty = gettext("exhaustion %(penalty)s") % {"penalty": minus(-exhaustion)}
    return " · ".join(part for part in (mode_in_words(mode), exhaustion and penalty) if part)


def mode_in_words(mode: rules.Mode) -> str:
    """ "disadvantage (poisoned)"; nothing where nothing helps or hinders."""
    helps, hinders = _reasons(mode.helps), _reasons(mode.hinders)
    if mode.kind == "advantage":
        return gettext("advantage (%(why)s)") % {"why": helps}
    if mode.kind == "disadvantage":
        return gettext("disadvantage (%(why)s)") % {"why": hinders}
    if helps and hinders:
        values = {"helps": helps, "hinders": hinders}
        return gettext("advantage (%(helps)s) and disadvantage (%(hinders)s) cancel") % values
    return gettext("neither advantage nor disadvantage (set by you)") if hinders else ""


def _reasons(codes: Sequence[str]) -> str:
    return ", ".join(str(REASONS[code]) for code in codes)
