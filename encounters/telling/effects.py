"""Conditions and other effects, and when they end."""

from collections.abc import Iterator

from django.utils.translation import gettext, ngettext

from encounters.labels import EFFECTS, listed
from encounters.telling.base import Sentence, Told


def added(event: Told) -> str:
    """ "Goblin 1 and Goblin 2: frightened (from Bran, 10 rounds)"."""
    finer = ", ".join(_finer(event))
    return f"{_put_on(event)} ({finer})" if finer else _put_on(event)


def _put_on(event: Told) -> str:
    values = {"who": listed(event["who"]), "effect": _called(event)}
    if event["effect"] == "concentration":
        if event.get("text"):
            return gettext("%(who)s: concentration (%(spell)s)") % {
                **values,
                "spell": event["text"],
            }
        return gettext("%(who)s: concentration") % values
    if event.get("level"):
        return gettext("%(who)s: %(effect)s, level %(level)s") % {
            **values,
            "level": event["level"],
        }
    return gettext("%(who)s: %(effect)s") % values


def ended(event: Told) -> str:
    """ "Goblin 1: no longer frightened"."""
    values = {"who": listed(event["who"]), "effect": _called(event), "spell": event.get("text")}
    if event["effect"] == "concentration":
        if event.get("text"):
            return gettext("%(who)s: concentration over (%(spell)s)") % values
        return gettext("%(who)s: concentration over") % values
    if event["effect"] == "unnoticed":
        values["by"] = listed(event.get("source", ()))
        noticed = gettext("%(by)s noticed %(who)s") if event.get("source") else ""
        return (noticed or gettext("%(who)s: no longer unnoticed")) % values
    if event.get("source"):  # another's stays
        values["source"] = listed(event["source"])
        return gettext("%(who)s: %(effect)s from %(source)s ended") % values
    return gettext("%(who)s: %(effect)s ended") % values


def _called(event: Told) -> str:
    own = event["effect"] == "own" and event.get("text")
    return str(own or EFFECTS[event["effect"]])


def _finer(event: Told) -> Iterator[str]:
    if event.get("source"):
        yield gettext("from %(who)s") % {"who": listed(event["source"])}
    if rounds := event.get("rounds"):
        yield ngettext("%(n)d round", "%(n)d rounds", rounds) % {"n": rounds}
    elif event.get("ends"):
        yield _turns(event)


def _turns(event: Told) -> str:
    """ "until the end of its next turn", "for 3 turns of Bran"."""
    turns, end = event["turns"], event["ends"] == "end"
    values = {"n": turns, "who": listed(event.get("whose", ()))}
    if not event.get("whose"):
        if turns > 1:
            return ngettext("for %(n)d turn", "for %(n)d turns", turns) % values
        return gettext("until the next turn ends") if end else gettext("until the next turn begins")
    if turns > 1:
        text = ngettext("for %(n)d turn of %(who)s", "for %(n)d turns of %(who)s", turns)
    elif end:
        text = gettext("until %(who)s’s next turn ends")
    else:
        text = gettext("until %(who)s’s next turn begins")
    return text % values


SENTENCES: dict[str, Sentence] = {"effect-added": added, "effect-ended": ended}
