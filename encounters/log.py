"""The log: what a step did, as a sentence in the reader's language."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from encounters.labels import Text
from encounters.sentences import SENTENCES


def sentence(events: Iterable[Mapping[str, Any]]) -> str:
    """What a step did, in one line."""
    said = [said for event in _gathered(events) if (said := _said(event))]
    return " · ".join(said)


def _gathered(events: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The events, where several in a row that befall one each are one that befalls them all."""
    for _what_happened, alike in groupby(events, _what):
        first, *more = alike
        if more:
            first = {**first, "who": [one for event in (first, *more) for one in event["who"]]}
        yield first


def _what(event: Mapping[str, Any]) -> object:
    """What happened, whoever it befell; unlike any other where each is told by itself."""
    if event["code"] not in _TOLD_TOGETHER:
        return id(event)
    return {name: value for name, value in event.items() if name != "who"}


def headline(events: Iterable[Mapping[str, Any]]) -> str:
    """What a step did, as short as an undo button needs it."""
    named = chief(events)
    return _said(named) if named else gettext("a change")


def chief(events: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The event that a step is called after; None when none of them is told."""
    ranked = sorted(events, key=lambda event: _CHIEF.get(event["code"], len(_CHIEF)))
    return next((event for event in ranked if _said(event)), None)


def line(command: str, events: Iterable[Mapping[str, Any]]) -> str:
    """What a step did, in the whole log: undo and redo say that they are one."""
    values = {"step": sentence(events)}
    if command == "undo":
        return gettext("Undone: %(step)s") % values
    if command == "redo":
        return gettext("Redone: %(step)s") % values
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
    maker = SENTENCES.get(event["code"])
    return maker(event) if maker else ""


_TOLD_TOGETHER = frozenset(
    (
        *("surprise-ended", "was-defeated", "went-down", "knocked-out", "died", "woke"),
        *("became-stable", "reaction-returned", "readied-lost", "arrived"),
        *("effect-added", "effect-ended"),
    )
)
_CHIEF = {"waits": 0, "fight-began": 1, "turn-began": 2}  # what a step is called after

KINDS: dict[str, Text] = {
    "turns": _("turns"),
    "hit-points": _("hit points"),
    "rolls": _("dice"),
    "order": _("order and ties"),
    "surprise": _("surprise"),
    "effects": _("conditions"),
    "saves": _("saves and resources"),
    "people": _("who is there"),
    "undo": _("undoing and going back"),
    "others": _("others"),
}
_KIND_OF = {
    code: kind
    for kind, codes in {
        "turns": "opened fight-began round-began turn-began turn-taken-back fight-ended "
        "fight-reopened reaction-spent reaction-returned action-taken spent regained walked "
        "speed-chosen stood-up readied-released readied-lost waits came-back",
        "hit-points": "damaged was-defeated went-down healed given-temporary knocked-out died woke "
        "stayed-up absorbed "
        "revived became-stable hit-points-set maximum-changed death-save death-save-made "
        "death-save-failed",
        "rolls": "rolled attacked",
        "order": "initiative-rolled tie-settled rolled-off moved taken-out taken-in split merged "
        "turn-gone "
        "mounted dismounted extra-turn-given extra-turn-removed settings-changed",
        "surprise": "tried-to-hide searched hid stopped-hiding surprise-set surprise-ended",
        "effects": "effect-added effect-ended",
        "saves": "save-made save-failed recharge-made recharge-failed due-dismissed use-spent "
        "use-set use-added use-removed",
        "people": "joined left edited labelled hidden revealed arrived side-changed sides-allied "
        "sides-parted",
        "undo": "went-back",
    }.items()
    for code in codes.split()
}
