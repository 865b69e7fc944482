"""Words for codes, in the reader's language: names, sides, health, refusals, and the log.

The rules speak codes; only this module and the templates speak words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

import rules

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Name:
    """A combatant's name in both languages, with the number or letter that tells it apart."""

    en: str
    fr: str
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.alone} {self.mark}" if self.mark else self.alone

    @property
    def alone(self) -> str:
        """Without the number or letter."""
        return self.fr if (get_language() or "").startswith("fr") else self.en


def name_of(combatant: rules.Combatant) -> Name:
    """What the GM calls it: "Goblin 3"."""
    french = combatant.name_fr or combatant.name
    return Name(combatant.name, french, str(combatant.ordinal or ""))


SIDES: dict[str, Text] = {
    "heroes": _("heroes"),
    "foes": _("foes"),
    "third": _("third side"),
    "fourth": _("fourth side"),
}

HEALTH: dict[str, Text] = {
    "healthy": _("healthy"),
    "hurt": _("hurt"),
    "bloodied": _("bloodied"),
    "down": _("down"),
    "": "",
}

STATES: dict[str, Text] = {
    "preparing": _("in preparation"),
    "rolling": _("being opened"),
    "running": _("running"),
    "ended": _("over"),
}

TIE_KINDS: dict[str, Text] = {
    "gm": _("creatures only: you decide"),
    "players": _("heroes only: the players decide"),
    "mixed": _("heroes and creatures: you decide, or a roll-off"),
}

WATCHES: dict[str, Text] = {
    "no-enemy": _("no enemy"),
    "nobody-hides": _("nobody hides"),
    "cannot": _("cannot be surprised"),
    "by-hand": _("your decision"),
    "unknown": _("passive Perception unknown"),
    "notices-none": _("notices no enemy"),
    "misses-some": _("misses an enemy"),
    "notices-some": _("notices some of them"),
    "notices-all": _("notices all of them"),
}

NOTICES: dict[str, Text] = {
    "not-hiding": _("not hiding"),
    "unconscious": _("missed: unconscious"),
    "unknown": _("passive Perception unknown"),
    "noticed": _("noticed"),
    "missed": _("missed"),
}

SURPRISE: dict[str, Text] = {
    "auto": _("by the rule"),
    "surprised": _("surprised"),
    "not-surprised": _("not surprised"),
}

REFUSALS: dict[str, Text] = {
    "amount-out-of-range": _("Type a number from 0 to %(limit)s."),
    "hp-unknown": _("The hit points of %(who)s are not known yet: set them first."),
    "hp-above-maximum": _("Hit points go from 0 to the maximum."),
    "stealth-out-of-range": _("A Stealth result goes from -99 to 999."),
    "stealth-bonus-unknown": _("The Stealth bonus of %(who)s is not known: type the result."),
    "initiative-out-of-range": _("An initiative total goes from -99 to 999."),
    "initiative-bonus-unknown": _("The initiative bonus of %(who)s is not known: type the total."),
    "passive-perception-unknown": _("The passive Perception of %(who)s is needed first."),
    "totals-empty": _("No initiative yet: %(who)s."),
    "nobody-fights": _("Add somebody first: nobody is in this fight."),
    "nobody-can-act": _("Nobody can act: everybody is defeated or out."),
    "nobody-named": _("Type a name, or a quantity and a creature."),
    "no-creature": _("No creature is called “%(name)s”."),
    "no-previous-turn": _("There is no earlier turn to go back to."),
    "nothing-to-undo": _("There is nothing to undo."),
    "nothing-to-redo": _("There is nothing to redo."),
    "not-a-tie": _("This tie is already gone."),
    "not-a-roll-off": _("This tie has changed: look again."),
    "no-combatant": _("This combatant has left the fight."),
    "no-slot": _("This place in the order is gone."),
    "no-such-choice": _("This choice does not exist."),
    "name-too-long": _("A name has at most %(limit)s characters."),
    "not-dice": _("This is neither a number nor dice such as 2d6+3."),
    "too-many-dice": _("At most %(limit)s dice and sides."),
    "too-many": _("At most %(limit)s combatants can be in a fight."),
    "cannot-react": _("%(who)s has no reaction to spend."),
    "side-is-settled": _("The side can no longer change once the order is made."),
    "fight-is-preparing": _("The fight is still in preparation."),
    "fight-is-rolling": _("The fight has not begun yet."),
    "fight-is-running": _("The fight is already running."),
    "fight-is-ended": _("The fight is over."),
}


def refusal(error: rules.RuleError) -> str:
    """The sentence that tells why the rules refuse something."""
    sentence = REFUSALS.get(error.code) or _("The rules do not allow this.")
    details = dict(error.details)
    if "who" in details:
        details["who"] = listed(details["who"])
    return str(sentence) % details if details else str(sentence)


def listed(who: Iterable[Mapping[str, Any]]) -> str:
    """ "Aria, Bran and Goblin 2", from names as events hold them."""
    return in_words(str(_named(one)) for one in who)


def grouped(who: Sequence[Mapping[str, Any]]) -> str:
    """ "Bran", "Goblin ×3": those who act together."""
    one = _named(who[0])
    return str(one) if len(who) == 1 else f"{one.alone} ×{len(who)}"


def in_words(items: Iterable[str]) -> str:
    """ "Aria, Bran and Cleo"."""
    return get_text_list(list(items), gettext("and"))


def _named(one: Mapping[str, Any]) -> Name:
    return Name(one["name"], one["name_fr"] or one["name"], str(one["ordinal"] or ""))


# The log


def sentence(events: Iterable[Mapping[str, Any]]) -> str:
    """What a step did, in one line."""
    said = [said for event in events if (said := _said(event))]
    return gettext("; ").join(said)


def headline(events: Iterable[Mapping[str, Any]]) -> str:
    """What a step did, as short as an undo button needs it."""
    return next((said for event in events if (said := _said(event))), gettext("a change"))


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


def _dice(dice: Iterable[int]) -> str:
    return gettext("dice %(dice)s") % {"dice": ", ".join(map(str, dice))}


def _damaged(event: Mapping[str, Any]) -> str:
    text = ngettext("%(amount)d damage to %(who)s", "%(amount)d damage to %(who)s", event["amount"])
    return _amount(event, text)


def _healed(event: Mapping[str, Any]) -> str:
    text = ngettext(
        "%(who)s regains %(amount)d hit point",
        "%(who)s regains %(amount)d hit points",
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
        "list": ", ".join(f"{_named(who)} {result}" for who, result in each)
    }


def _initiative(event: Mapping[str, Any]) -> str:
    each = ", ".join(_one_roll(roll) for roll in event["rolls"])
    return gettext("Initiative: %(list)s") % {"list": each}


def _one_roll(roll: Mapping[str, Any]) -> str:
    """ "Aria 17", "Goblin ×4 15 (d20: 13)"."""
    total = "–" if roll["total"] is None else roll["total"]
    text = f"{grouped(roll['who'])} {total}"
    return text if roll["die"] is None else f"{text} ({_dice([roll['die']])})"


def _order(event: Mapping[str, Any]) -> str:
    return in_words(grouped(who) for who in event["order"])


def _rolled_off(event: Mapping[str, Any]) -> str:
    each = zip(event["order"], event["dice"], strict=True)
    rolls = "; ".join(f"{grouped(who)} {', '.join(map(str, dice))}" for who, dice in each)
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
    return gettext("Surprise of %(who)s: %(word)s") % values


def _turn_began(event: Mapping[str, Any]) -> str:
    return gettext("Turn of: %(who)s") % {"who": grouped(event["who"])}


_SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "joined": _about(_("%(who)s: joined")),
    "left": _about(_("%(who)s: removed")),
    "edited": _about(_("%(who)s: edited")),
    "hidden": _about(_("%(who)s: hidden from players")),
    "revealed": _about(_("%(who)s: shown to players")),
    "taken-out": _about(_("%(who)s: out of the order")),
    "taken-in": _about(_("%(who)s: back in the order")),
    "hid": _hid,
    "stopped-hiding": _about(_("No longer hiding: %(who)s")),
    "surprise-set": _surprise_set,
    "opened": _about(_("Surprise and initiative")),
    "initiative-rolled": _initiative,
    "tie-settled": _tie_settled,
    "rolled-off": _rolled_off,
    "moved": _about(_("%(who)s: moved in the order")),
    "fight-began": _began,
    "round-began": _about(_("Round %(round)s")),
    "turn-began": _turn_began,
    "turn-taken-back": _about(_("Back to the turn of: %(who)s")),
    "reaction-spent": _about(_("%(who)s: reaction spent")),
    "reaction-returned": _about(_("%(who)s: reaction back")),
    "damaged": _damaged,
    "was-defeated": _about(_("%(who)s: defeated")),
    "went-down": _about(_("%(who)s: down, at 0 hit points")),
    "healed": _healed,
    "given-temporary": _temporary,
    "fight-ended": _ended,
    "fight-reopened": _about(_("The fight goes on")),
}
