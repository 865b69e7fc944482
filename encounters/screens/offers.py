"""The lines under the add field: whom the typed text may mean. The first is what Enter takes."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import get_language, gettext, ngettext

from encounters import labels
from encounters.typed_names import Reading, Table, choices, read
from rules import RuleError


@dataclass(frozen=True, slots=True)
class Offer:
    """One line: what a press on it sends, and what it says."""

    code: str  # "" for the text as a whole
    title: str
    beside: str = ""  # what tells creatures of one name apart


def offers(text: str, table: Table) -> tuple[Offer, ...]:
    """The lines for this text; of several parts, first what all of them together stand for."""
    try:
        readings = read(text, table)
    except RuleError:  # which adding tells
        return ()
    lines = [_offer(one, table) for one in choices(text, table)]
    if len(readings) < 2 or not lines:
        return tuple(lines)
    return (Offer("", _all(readings)), *lines)


def _offer(one: Reading, table: Table) -> Offer:
    times = f"{one.part.quantity} × " if one.part.quantity > 1 else ""
    if one.hero:
        return Offer(one.code, one.hero.name, _joined(gettext("hero"), *_figures(one)))
    if one.creature is None:
        title = _new(one.is_hero, [one.part.name], one.part.quantity)
        return Offer(one.code, title, _joined(*_figures(one)))
    french = (get_language() or "").startswith("fr")
    name, other = one.creature.name, one.creature.name_fr
    name, other = (other, name) if french else (name, other)
    cr = one.creature.cr
    beside = _joined(
        other if other != name else "",
        gettext("CR %(cr)s") % {"cr": cr} if cr else gettext("your own"),
        *_figures(one, hp=one.creature.hp),
        one.creature.edition,
    )
    return Offer(one.code, f"{times}{name}", beside)


def _figures(one: Reading, *, hp: int | None = None) -> Iterator[str]:
    """The figures it comes with, so that whoever typed them sees them understood."""
    figures = one.part.figures
    if (ac := figures.get("ac")) is not None:
        yield gettext("AC %(ac)s") % {"ac": labels.minus(ac)}
    if (hp := figures.get("hp", hp)) is not None:
        yield gettext("%(hp)s HP") % {"hp": labels.minus(hp)}
    if (bonus := figures.get("initiative")) is not None:
        amount = labels.minus(bonus) if bonus < 0 else f"+{bonus}"
        yield gettext("initiative %(bonus)s") % {"bonus": amount}


def _joined(*facts: str) -> str:
    return " · ".join(fact for fact in facts if fact)


def _new(is_hero: bool, names: list[str], count: int) -> str:
    values = {
        "n": count,
        "names": labels.in_words(gettext("“%(name)s”") % {"name": name} for name in names),
    }
    if is_hero:
        return ngettext("New hero %(names)s", "%(n)d new heroes: %(names)s", count) % values
    return ngettext("New creature %(names)s", "%(n)d new creatures: %(names)s", count) % values


def _all(readings: list[Reading]) -> str:
    """All that a text of several parts adds."""
    known = [
        (f"{one.part.quantity} × " if one.part.quantity > 1 else "")
        + str(labels.Name(one.creature.name, one.creature.name_fr) if one.creature else one.hero)
        for one in readings
        if one.creature or one.hero
    ]
    for is_hero in (True, False):
        new = [o for o in readings if not (o.creature or o.hero) and o.is_hero == is_hero]
        count = sum(one.part.quantity for one in new)
        known += [_new(is_hero, [one.part.name for one in new], count)] if new else []
    return ", ".join(known)
