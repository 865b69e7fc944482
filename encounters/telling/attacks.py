"""Attack rolls: who attacked whom, with what the dice gave."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bestiary import glossary
from encounters.labels import Name, Text, listed, minus
from encounters.telling.base import Sentence, Told

RESULTS: dict[str, Text] = {
    "hit": _("hits"),
    "critical": _("critical hit"),
    "miss": _("misses"),
    "rolled": _("to hit"),
}


def name(event: Told) -> Name:
    """What the attack is called."""
    return Name(event["name"], event["name_fr"] or event["name"])


def damage(parts: Iterable[Sequence[Any]]) -> str:
    """ "5 slashing + 3 fire"."""
    return " + ".join(
        f"{minus(amount)} {glossary.term('damage_types', kind).lower()}" for amount, kind in parts
    )


def typed(parts: Iterable[Sequence[Any]]) -> str:
    """The same as it would be typed into the field of damage, in codes."""
    return " + ".join(f"{amount} {kind}" for amount, kind in parts)


def _attacked(event: Told) -> str:
    """ "Goblin 2, Scimitar: 17 to hit (d20 13) at Bran: hits"."""
    values = {
        "who": listed(event["who"]),
        "attack": name(event),
        "total": minus(event["total"]),
        "dice": ", ".join(map(str, event["d20s"])),
        "at": listed(event["at"]),
        "result": RESULTS[event["result"]],
    }
    if not event["at"]:
        return gettext("%(who)s, %(attack)s: %(total)s to hit (d20 %(dice)s)") % values
    return gettext("%(who)s, %(attack)s at %(at)s: %(total)s (d20 %(dice)s), %(result)s") % values


SENTENCES: dict[str, Sentence] = {"attacked": _attacked}
