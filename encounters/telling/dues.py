"""What was due and how it came out; what is counted."""

from collections.abc import Callable

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from encounters.effect_words import ABILITIES
from encounters.labels import EFFECTS, Name, Text, listed, minus
from encounters.telling.base import Sentence, Told, with_dice

SAVES: dict[str, tuple[Text, Text]] = {
    "save-made": (
        _("%(who)s: %(ability)s save made, DC %(dc)s (%(effect)s)"),
        _("%(who)s: %(ability)s save made with %(total)s, DC %(dc)s (%(effect)s; d20 %(dice)s)"),
    ),
    "save-failed": (
        _("%(who)s: %(ability)s save failed, DC %(dc)s (%(effect)s)"),
        _("%(who)s: %(ability)s save failed with %(total)s, DC %(dc)s (%(effect)s; d20 %(dice)s)"),
    ),
}  # as the table told it, and with the die that was rolled here
RESULTS: dict[str, Text] = {
    "save-made": pgettext_lazy("save", "made"),
    "save-failed": pgettext_lazy("save", "failed"),
    "recharge-made": pgettext_lazy("recharge", "back"),
    "recharge-failed": pgettext_lazy("recharge", "not back"),
}
DISMISSED: dict[str, Text] = {
    "death": _("Skipped: death save (%(who)s)"),
    "concentration": _("Skipped: concentration save (%(who)s)"),
    "save": _("Skipped: save to end %(effect)s (%(who)s)"),
    "recharge": _("Skipped: recharge of %(use)s (%(who)s)"),
    "each": _("Skipped: hit points from %(effect)s (%(who)s)"),
}


def _save(event: Told) -> str:
    told, rolled = SAVES[event["code"]]
    values = {
        "who": listed(event["who"]),
        "ability": ABILITIES[event["ability"]],
        "dc": event["dc"],
        "effect": _effect(event),
    }
    if not event["dice"]:
        return str(told) % values
    dice = ", ".join(map(str, event["dice"]))
    return str(rolled) % {**values, "total": minus(event["total"]), "dice": dice}


def _effect(event: Told) -> str:
    own = event["effect"] == "own" and event["text"]
    return str(own or EFFECTS.get(event["effect"], ""))


def use_name(event: Told) -> Name:
    """What is counted, by the name that the event tells."""
    name = event.get("use") or event.get("text", "")
    return Name(name, event.get("use_fr") or event.get("text_fr") or name)


def asked(event: Told) -> str:
    """What was rolled for: "WIS save, DC 15", "Fire Breath"."""
    if event["kind"] == "recharge":
        return str(use_name(event))
    values = {"ability": ABILITIES[event["ability"]], "dc": event["dc"]}
    return gettext("%(ability)s save, DC %(dc)s") % values


def _recharged(text: Text) -> Sentence:
    def say(event: Told) -> str:
        said = str(text) % {"who": listed(event["who"]), "use": use_name(event)}
        return with_dice(said, event["dice"])

    return say


def _dismissed(event: Told) -> str:
    values = {"who": listed(event["who"]), "effect": _effect(event), "use": use_name(event)}
    return str(DISMISSED[event["kind"]]) % values


def _spent(event: Told) -> str:
    values = {name: event[name] for name in ("left", "max", "cost")}
    values |= {"who": listed(event["who"]), "use": use_name(event)}
    if event["kind"] != "legendary":
        return gettext("%(who)s: %(use)s used, %(left)s of %(max)s left") % values
    text = ngettext(
        "%(who)s: %(cost)d legendary action taken, %(left)s of %(max)s left",
        "%(who)s: %(cost)d legendary actions taken, %(left)s of %(max)s left",
        event["cost"],
    )
    return text % values


def _counted(text: Text) -> Callable[[Told], str]:
    def say(event: Told) -> str:
        values = {"who": listed(event["who"]), "use": use_name(event)}
        return str(text) % {**values, "left": event["left"], "max": event["max"]}

    return say


SENTENCES: dict[str, Sentence] = {
    "save-made": _save,
    "save-failed": _save,
    "recharge-made": _recharged(_("%(who)s: %(use)s is back")),
    "recharge-failed": _recharged(_("%(who)s: %(use)s is not back")),
    "due-dismissed": _dismissed,
    "use-spent": _spent,
    "use-set": _counted(_("%(who)s: %(use)s, now %(left)s of %(max)s left")),
    "use-added": _counted(_("%(who)s: new counter, %(use)s (%(max)s)")),
    "use-removed": _counted(_("%(who)s: counter removed, %(use)s")),
}
