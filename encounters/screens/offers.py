"""The lines under the add field: whom the typed text may mean. The first is what Enter takes."""

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
        return Offer(one.code, one.hero.name, gettext("hero"))
    if one.creature is None:
        return Offer(one.code, _new(one.is_hero, [one.part.name], one.part.quantity))
    french = (get_language() or "").startswith("fr")
    name, other = one.creature.name, one.creature.name_fr
    name, other = (other, name) if french else (name, other)
    hp, cr = one.creature.hp, one.creature.cr
    facts = [
        other if other != name else "",
        gettext("CR %(cr)s") % {"cr": cr} if cr else gettext("your own"),
        gettext("%(hp)s HP") % {"hp": labels.minus(hp)} if hp is not None else "",
        one.creature.edition,
    ]
    return Offer(one.code, f"{times}{name}", " · ".join(fact for fact in facts if fact))


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
