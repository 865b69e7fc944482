"""Hit points: hurt, healed, down, dead, awake."""

from collections.abc import Iterator
from functools import reduce

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from encounters import words_of_health
from encounters.labels import Text, listed, minus
from encounters.telling.base import Sentence, Told, about, thrown


def _damaged(event: Told) -> str:
    """ "11 fire damage to Goblin 2 (of 22; dice 10, 12)"."""
    kinds = (event.get("type", ""), *event.get("types", ()))
    values = {
        "damage": words_of_health.damage(event["amount"], kinds),
        "who": listed(event["who"]),
    }
    return _with(gettext("%(damage)s to %(who)s") % values, _of_damage(event))


def _of_damage(event: Told) -> Iterator[str]:
    if "rolled" in event:
        yield gettext("of %(rolled)s") % {"rolled": minus(event["rolled"])}
    if why := words_of_health.NOTHING.get(event.get("nothing", "")):
        yield str(why)
    yield from _dice(event)


def _healed(event: Told) -> str:
    """ "8 hit points regained by Aria (2 of them too many)"."""
    text = ngettext(
        "%(amount)s hit point regained by %(who)s",
        "%(amount)s hit points regained by %(who)s",
        event["amount"],
    )
    return _with(_amount(event, text), _of_healing(event))


def _of_healing(event: Told) -> Iterator[str]:
    if over := event.get("over"):
        yield ngettext("%(n)s above the maximum", "%(n)s above the maximum", over) % {
            "n": minus(over)
        }
    yield from _dice(event)


def _absorbed(event: Told) -> str:
    text = ngettext(
        "%(amount)s hit point of damage absorbed and regained by %(who)s",
        "%(amount)s hit points of damage absorbed and regained by %(who)s",
        event["amount"],
    )
    return _amount(event, text)


def _stayed_up(event: Told) -> str:
    text = ngettext(
        "%(who)s does not fall: %(n)s hit point",
        "%(who)s does not fall: %(n)s hit points",
        event["hp"],
    )
    return text % {"who": listed(event["who"]), "n": minus(event["hp"])}


def _temporary(event: Told) -> str:
    text = ngettext(
        "%(amount)s temporary hit point for %(who)s",
        "%(amount)s temporary hit points for %(who)s",
        event["amount"],
    )
    return _with(_amount(event, text), _dice(event))


def _set(event: Told) -> str:
    text = ngettext("%(who)s: %(n)s hit point now", "%(who)s: %(n)s hit points now", event["hp"])
    return text % {"who": listed(event["who"]), "n": minus(event["hp"])}


def _amount(event: Told, text: str) -> str:
    return text % {"amount": minus(event["amount"]), "who": listed(event["who"])}


def _dice(event: Told) -> Iterator[str]:
    if event.get("dice"):
        yield thrown(event["dice"])


def _with(said: str, facts: Iterator[str]) -> str:
    """A sentence, and in brackets what stands behind its number, if anything does."""
    more = reduce(_both, facts, "")
    return f"{said} ({more})" if more else said


def _both(one: str, other: str) -> str:
    if not one:
        return other
    return gettext("%(one)s; %(other)s") % {"one": one, "other": other}


def _count(text: Text, field: str) -> Sentence:
    """A sentence about death saves, with how many of three there are."""

    def say(event: Told) -> str:
        return str(text) % {"who": listed(event["who"]), "n": event[field]}

    return say


SENTENCES: dict[str, Sentence] = {
    "damaged": _damaged,
    "healed": _healed,
    "absorbed": _absorbed,
    "stayed-up": _stayed_up,
    "given-temporary": _temporary,
    "hit-points-set": _set,
    "maximum-changed": about(_("%(who)s: maximum now %(maximum)s hit points")),
    "was-defeated": about(_("%(who)s defeated")),
    "went-down": about(_("%(who)s down, at 0 hit points")),
    "knocked-out": about(_("%(who)s knocked out")),
    "died": about(_("%(who)s dead")),
    "woke": about(_("%(who)s conscious again")),
    "revived": about(_("%(who)s back from the dead")),
    "became-stable": about(_("%(who)s stable")),
    "death-save": about(_("Death save of %(who)s: %(die)s")),
    "death-save-made": _count(_("%(who)s: %(n)s of 3 death saves made"), "successes"),
    "death-save-failed": _count(_("%(who)s: %(n)s of 3 death saves failed"), "failures"),
}
