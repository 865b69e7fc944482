"""What happened, as a sentence in the reader's language: one for each event of the rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from encounters.labels import (
    ACTIONS,
    SIDES,
    SPENT,
    WAYS,
    Text,
    grouped,
    in_words,
    length,
    listed,
    minus,
    named,
    setting_in_words,
    typed_dice,
)
from encounters.telling import attacks, dues, effects, hit_points
from encounters.telling.base import about, thrown


def _rolled(event: Mapping[str, Any]) -> str:
    """ "Rolled 4d6kh3: 15 (dice 6, 5, 4; dropped: 2)"."""
    values = {
        "expression": typed_dice(event["expression"]),
        "total": minus(event["total"]),
        "who": listed(event["who"]),
        "dice": thrown(event["dice"]),
        "dropped": ", ".join(map(str, event["dropped"])),
    }
    said = gettext("Rolled %(expression)s: %(total)s") % values
    if event["who"]:
        said = gettext("%(who)s rolled %(expression)s: %(total)s") % values
    if event["dropped"]:
        values["dice"] = gettext("%(dice)s; dropped: %(dropped)s") % values
    return f"{said} ({values['dice']})"


def _hid(event: Mapping[str, Any]) -> str:
    dice = event.get("dice") or [()] * len(event["who"])
    each = zip(event["who"], event["results"], dice, strict=True)
    said = gettext("Stealth: %(list)s") % {
        "list": ", ".join(
            f"{_told(str(named(who)), minus(n))}{_thrown(d20s)}" for who, n, d20s in each
        )
    }
    if event.get("unknown"):
        unknown = gettext("Stealth bonus unknown: %(who)s") % {"who": listed(event["unknown"])}
        said = f"{said} · {unknown}"
    return said


def _told(who: str, number: str) -> str:
    """ "Goblin 1: 8"."""
    return gettext("%(who)s: %(number)s") % {"who": who, "number": number}


def _thrown(d20s: Sequence[int]) -> str:
    """ " (d20 15, 6)", or nothing where no die was thrown."""
    return f" (d20\N{NO-BREAK SPACE}{', '.join(map(str, d20s))})" if d20s else ""


def _initiative(event: Mapping[str, Any]) -> str:
    each = ", ".join(_one_roll(roll) for roll in event["rolls"])
    return gettext("Initiative: %(list)s") % {"list": each}


def _one_roll(roll: Mapping[str, Any]) -> str:
    """ "Aria: 17", "Goblin ×4: 15 (d20 13)", "Bran: 8 (d20 6, 15)"."""
    total = "–" if roll["total"] is None else minus(roll["total"])
    d20s = [die for die in (roll["die"], roll.get("dropped")) if die is not None]
    return f"{_told(grouped(roll['who']), total)}{_thrown(d20s)}"


def _order(event: Mapping[str, Any]) -> str:
    return in_words(grouped(who) for who in event["order"])


def _rolled_off(event: Mapping[str, Any]) -> str:
    each = zip(event["order"], event["dice"], strict=True)
    rolls = ", ".join(_told(grouped(who), " → ".join(map(str, dice))) for who, dice in each)
    return gettext("Roll-off at %(total)s: %(rolls)s") % {"total": event["total"], "rolls": rolls}


def _tie_settled(event: Mapping[str, Any]) -> str:
    values = {"total": event["total"], "order": _order(event)}
    if event.get("kind") == "players":
        return gettext("Tie at %(total)s settled by the players: %(order)s") % values
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
    return str(SURPRISE_SET[event["surprise"]]) % {"who": listed(event["who"])}


def _joined(event: Mapping[str, Any]) -> str:
    """ "Aria and Goblin ×4 joined": like creatures as one."""
    alike: dict[str, list[Mapping[str, Any]]] = {}
    for one in event["who"]:
        alike.setdefault(one["name"], []).append(one)
    return gettext("%(who)s joined") % {"who": in_words(map(grouped, alike.values()))}


def _labelled(event: Mapping[str, Any]) -> str:
    values = {"who": listed(event["who"]), "label": event["label"]}
    if not event["label"]:
        return gettext("%(who)s: players see the real name") % values
    return gettext("%(who)s: players see “%(label)s”") % values


def _turn_began(event: Mapping[str, Any]) -> str:
    return gettext("Turn: %(who)s") % {"who": grouped(event["who"])}


def _went_back(event: Mapping[str, Any]) -> str:
    """ "Back to round 2, after “7 damage to Goblin 2”"."""
    if not event["after"]:
        return gettext("Back to an empty fight")
    first = event["after"][0]
    values = {"round": event["round"], "step": SENTENCES[first["code"]](first)}
    if not event["round"]:
        return gettext("Back to before the fight, after “%(step)s”") % values
    return gettext("Back to round %(round)s, after “%(step)s”") % values


def _action_taken(event: Mapping[str, Any]) -> str:
    values = {"who": listed(event["who"]), "action": ACTIONS[event["action"]]}
    if event["cost"] == "bonus":
        said = gettext("%(who)s: %(action)s, as a bonus action") % values
    else:
        said = gettext("%(who)s: %(action)s") % values
    return f"{said} ({event['text']})" if event["text"] else said


def _spent(event: Mapping[str, Any]) -> str:
    values = {"who": listed(event["who"]), "what": capfirst(str(SPENT[event["what"]]))}
    if event["code"] == "spent":
        return gettext("%(what)s used: %(who)s") % values
    return gettext("%(what)s regained: %(who)s") % values


def _walked(event: Mapping[str, Any]) -> str:
    values = {"who": listed(event["who"]), "distance": length(event["feet"])}
    if event["over"]:
        values["over"] = length(event["over"])
        said = gettext("%(who)s moved %(distance)s: %(over)s too far") % values
    else:
        said = gettext("%(who)s moved %(distance)s") % values
    if "cost" not in event:
        return said
    return gettext("%(said)s (cost: %(cost)s)") % {"said": said, "cost": length(event["cost"])}


def _speed_chosen(event: Mapping[str, Any]) -> str:
    values = {"who": listed(event["who"]), "way": str(WAYS[event["way"]]).lower()}
    if event["feet"] is None:
        return gettext("%(who)s changes movement: %(way)s") % values
    values["distance"] = length(event["feet"])
    return gettext("%(who)s changes movement: %(way)s %(distance)s") % values


def _released(event: Mapping[str, Any]) -> str:
    said = gettext("%(who)s used its readied action") % {"who": listed(event["who"])}
    return f"{said} ({event['text']})" if event["text"] else said


def _side_changed(event: Mapping[str, Any]) -> str:
    values = {"who": listed(event["who"]), "side": SIDES[event["side"]]}
    return gettext("%(who)s changed sides: %(side)s") % values


def _sides(text: Text) -> Callable[[Mapping[str, Any]], str]:
    def say(event: Mapping[str, Any]) -> str:
        pair = {name: SIDES.get(event[name], event[name]) for name in ("one", "other")}
        return str(text) % pair

    return say


def _settings_changed(event: Mapping[str, Any]) -> str:
    changes = " · ".join(setting_in_words(*pair) for pair in event["changes"].items())
    return gettext("Rules of this fight, from the next roll on: %(changes)s") % {"changes": changes}


SURPRISE_SET: dict[str, Text] = {
    "auto": _("%(who)s: surprise follows the rules again"),
    "surprised": _("%(who)s marked surprised"),
    "not-surprised": _("%(who)s marked not surprised"),
}


def _tried_to_hide(event: Mapping[str, Any]) -> str:
    """ "Aria: Stealth 17 (d20 12), unnoticed by Goblin 1"."""
    values = {"who": listed(event["who"]), "result": minus(event["result"])}
    values |= {"dice": _thrown(event["dice"]), "by": listed(event["by"])}
    if event["low"]:
        return gettext("%(who)s: Stealth %(result)s%(dice)s, below 15: not hidden") % values
    if not event["by"]:
        return gettext("%(who)s: Stealth %(result)s%(dice)s, noticed by all") % values
    return gettext("%(who)s: Stealth %(result)s%(dice)s, unnoticed by %(by)s") % values


def _searched(event: Mapping[str, Any]) -> str:
    values = {"who": listed(event["who"]), "result": minus(event["result"])}
    values |= {"dice": _thrown(event["dice"]), "found": listed(event["found"])}
    if not event["found"]:
        return gettext("%(who)s: Perception %(result)s%(dice)s, finds nobody") % values
    return gettext("%(who)s: Perception %(result)s%(dice)s, finds %(found)s") % values


SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "joined": _joined,
    "left": about(_("%(who)s removed")),
    "edited": about(_("%(who)s edited")),
    "labelled": _labelled,
    "hidden": about(_("%(who)s hidden from players")),
    "revealed": about(_("%(who)s shown to players")),
    "taken-out": about(_("%(who)s skipped in initiative")),
    "taken-in": about(_("%(who)s returned to initiative")),
    "hid": _hid,
    "tried-to-hide": _tried_to_hide,
    "searched": _searched,
    "stopped-hiding": about(_("No longer hiding: %(who)s")),
    "surprise-set": _surprise_set,
    "opened": about(_("Surprise and initiative")),
    "initiative-rolled": _initiative,
    "tie-settled": _tie_settled,
    "rolled-off": _rolled_off,
    "moved": about(_("%(who)s moved in the order")),
    "fight-began": _began,
    "round-began": about(_("Round %(round)s")),
    "turn-began": _turn_began,
    "turn-taken-back": about(_("Back to the turn of %(who)s")),
    "reaction-spent": about(_("Reaction used: %(who)s")),
    "reaction-returned": about(_("Reaction regained: %(who)s")),
    "rolled": _rolled,
    "fight-ended": _ended,
    "fight-reopened": about(_("The fight goes on")),
    "went-back": _went_back,
    "surprise-ended": about(_("No longer surprised: %(who)s")),
    "arrived": about(_("%(who)s arrived")),
    "action-taken": _action_taken,
    "spent": _spent,
    "regained": _spent,
    "walked": _walked,
    "speed-chosen": _speed_chosen,
    "stood-up": about(_("%(who)s stood up")),
    "readied-released": _released,
    "readied-lost": about(_("%(who)s lost its readied action")),
    "waits": about(_("Delaying: %(who)s")),
    "came-back": about(_("No longer delaying: %(who)s")),
    "split": about(_("Split off: %(who)s")),
    "merged": about(_("Acting together: %(who)s")),
    "turn-gone": about(_("No turn left this round: %(who)s")),
    "mounted": about(_("Mount and rider: %(who)s")),
    "dismounted": about(_("No longer ridden: %(who)s")),
    "extra-turn-given": about(_("%(who)s: a second turn in round 1")),
    "extra-turn-removed": about(_("%(who)s’s second turn is taken away")),
    "side-changed": _side_changed,
    "sides-allied": _sides(_("Allied: %(one)s and %(other)s")),
    "sides-parted": _sides(_("No longer allied: %(one)s and %(other)s")),
    "settings-changed": _settings_changed,
    **hit_points.SENTENCES,
    **effects.SENTENCES,
    **dues.SENTENCES,
    **attacks.SENTENCES,
}
