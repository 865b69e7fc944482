"""The log: what a step did, as a sentence in the reader's language."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from encounters.labels import SURPRISE, Text, grouped, in_words, listed, named


def sentence(events: Iterable[Mapping[str, Any]]) -> str:
    """What a step did, in one line."""
    said = [said for event in events if (said := _said(event))]
    return " · ".join(said)


def headline(events: Iterable[Mapping[str, Any]]) -> str:
    """What a step did, as short as an undo button needs it."""
    return next((said for event in events if (said := _said(event))), gettext("a change"))


def line(command: str, events: Iterable[Mapping[str, Any]]) -> str:
    """What a step did, in the whole log: undo and redo say that they are one."""
    values = {"step": sentence(events)}
    if command == "undo":
        return gettext("Undone: %(step)s") % values
    if command == "redo":
        return gettext("Done again: %(step)s") % values
    return values["step"]


def kinds(command: str, events: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Of which of the `KINDS` a step is; what was undone is of its own kind as well."""
    found = {_KIND_OF.get(event["code"], "others") for event in events}
    return frozenset(found | {"undo"} if command in ("undo", "redo") else found)


def people(events: Any) -> Iterator[Mapping[str, Any]]:
    """Every combatant that events name, wherever in them it stands."""
    if isinstance(events, Mapping):
        if "number" in events and "name" in events:
            yield events
        events = events.values()
    elif not isinstance(events, list):
        return
    for part in events:
        yield from people(part)


def _said(event: Mapping[str, Any]) -> str:
    maker = _SENTENCES.get(event["code"])
    return maker(event) if maker else ""


def _about(text: Text) -> Callable[[Mapping[str, Any]], str]:
    """A sentence about those whom the event names."""

    def say(event: Mapping[str, Any]) -> str:
        values = {k: v for k, v in event.items() if isinstance(v, int | str)}
        return str(text) % {**values, "who": listed(event.get("who", ()))}

    return say


def _amount(event: Mapping[str, Any], text: str) -> str:
    said = text % {"amount": event["amount"], "who": listed(event["who"])}
    return f"{said} ({_dice(event['dice'])})" if event.get("dice") else said


def _dice(dice: Sequence[int]) -> str:
    text = ngettext("die %(dice)s", "dice %(dice)s", len(dice))
    return text % {"dice": ", ".join(map(str, dice))}


def _damaged(event: Mapping[str, Any]) -> str:
    text = ngettext("%(amount)d damage to %(who)s", "%(amount)d damage to %(who)s", event["amount"])
    return _amount(event, text)


def _healed(event: Mapping[str, Any]) -> str:
    text = ngettext(
        "%(amount)d hit point regained by %(who)s",
        "%(amount)d hit points regained by %(who)s",
        event["amount"],
    )
    return _amount(event, text)


def _temporary(event: Mapping[str, Any]) -> str:
    text = ngettext(
        "%(amount)d temporary hit point for %(who)s",
        "%(amount)d temporary hit points for %(who)s",
        event["amount"],
    )
    return _amount(event, text)


def _hid(event: Mapping[str, Any]) -> str:
    each = zip(event["who"], event["results"], strict=True)
    return gettext("Hiding, with Stealth: %(list)s") % {
        "list": ", ".join(f"{named(who)} {result}" for who, result in each)
    }


def _initiative(event: Mapping[str, Any]) -> str:
    each = ", ".join(_one_roll(roll) for roll in event["rolls"])
    return gettext("Initiative: %(list)s") % {"list": each}


def _one_roll(roll: Mapping[str, Any]) -> str:
    """ "Aria 17", "Goblin ×4 15 (d20 13)"."""
    total = "–" if roll["total"] is None else roll["total"]
    text = f"{grouped(roll['who'])} {total}"
    return text if roll["die"] is None else f"{text} (d20\N{NO-BREAK SPACE}{roll['die']})"


def _order(event: Mapping[str, Any]) -> str:
    return in_words(grouped(who) for who in event["order"])


def _rolled_off(event: Mapping[str, Any]) -> str:
    each = zip(event["order"], event["dice"], strict=True)
    rolls = ", ".join(f"{grouped(who)} {' → '.join(map(str, dice))}" for who, dice in each)
    return gettext("Roll-off at %(total)s: %(rolls)s") % {"total": event["total"], "rolls": rolls}


def _tie_settled(event: Mapping[str, Any]) -> str:
    values = {"total": event["total"], "order": _order(event)}
    return gettext("Tie at %(total)s settled: %(order)s") % values


def _began(event: Mapping[str, Any]) -> str:
    if not event["surprised"]:
        return gettext("The fight begins")
    return gettext("The fight begins; surprised: %(who)s") % {"who": listed(event["surprised"])}


def _ended(event: Mapping[str, Any]) -> str:
    rounds = event["rounds"]
    text = ngettext("The fight ends after %(n)d round", "The fight ends after %(n)d rounds", rounds)
    return text % {"n": rounds}


def _surprise_set(event: Mapping[str, Any]) -> str:
    values = {"who": listed(event["who"]), "word": SURPRISE[event["surprise"]]}
    return gettext("Surprise for %(who)s: %(word)s") % values


def _joined(event: Mapping[str, Any]) -> str:
    """ "Aria and Goblin ×4 joined": like creatures as one."""
    alike: dict[str, list[Mapping[str, Any]]] = {}
    for one in event["who"]:
        alike.setdefault(one["name"], []).append(one)
    return gettext("%(who)s joined") % {"who": in_words(map(grouped, alike.values()))}


def _turn_began(event: Mapping[str, Any]) -> str:
    return gettext("Turn: %(who)s") % {"who": grouped(event["who"])}


def _went_back(event: Mapping[str, Any]) -> str:
    """ "Back to round 2, after “7 damage to Goblin 2”"."""
    if not event["after"]:
        return gettext("Back to before anybody was there")
    values = {"round": event["round"], "step": headline(event["after"])}
    if not event["round"]:
        return gettext("Back to before the fight, after “%(step)s”") % values
    return gettext("Back to round %(round)s, after “%(step)s”") % values


_SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "joined": _joined,
    "left": _about(_("%(who)s removed")),
    "edited": _about(_("%(who)s edited")),
    "hidden": _about(_("%(who)s hidden from players")),
    "revealed": _about(_("%(who)s shown to players")),
    "taken-out": _about(_("%(who)s out of the order")),
    "taken-in": _about(_("%(who)s back in the order")),
    "hid": _hid,
    "stopped-hiding": _about(_("No longer hiding: %(who)s")),
    "surprise-set": _surprise_set,
    "opened": _about(_("Surprise and initiative")),
    "initiative-rolled": _initiative,
    "tie-settled": _tie_settled,
    "rolled-off": _rolled_off,
    "moved": _about(_("%(who)s moved in the order")),
    "fight-began": _began,
    "round-began": _about(_("Round %(round)s")),
    "turn-began": _turn_began,
    "turn-taken-back": _about(_("Back to the turn: %(who)s")),
    "reaction-spent": _about(_("%(who)s: reaction spent")),
    "reaction-returned": _about(_("%(who)s: reaction back")),
    "damaged": _damaged,
    "was-defeated": _about(_("%(who)s defeated")),
    "went-down": _about(_("%(who)s down, at 0 hit points")),
    "healed": _healed,
    "given-temporary": _temporary,
    "fight-ended": _ended,
    "fight-reopened": _about(_("The fight goes on")),
    "went-back": _went_back,
}

KINDS: dict[str, Text] = {
    "turns": _("turns"),
    "hit-points": _("hit points"),
    "order": _("order and ties"),
    "surprise": _("surprise"),
    "people": _("who is there"),
    "undo": _("undo and going back"),
    "others": _("others"),
}
_KIND_OF = {
    code: kind
    for kind, codes in {
        "turns": "opened fight-began round-began turn-began turn-taken-back fight-ended "
        "fight-reopened reaction-spent reaction-returned",
        "hit-points": "damaged was-defeated went-down healed given-temporary",
        "order": "initiative-rolled tie-settled rolled-off moved taken-out taken-in",
        "surprise": "hid stopped-hiding surprise-set",
        "people": "joined left edited hidden revealed",
        "undo": "went-back",
    }.items()
    for code in codes.split()
}
