"""Words for codes, in the reader's language: names, sides, health, refusals, and the log.

The rules speak codes; only this module and the templates speak words.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import get_language, gettext
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
    "stealth-out-of-range": _("A Stealth result goes from −99 to 999."),
    "stealth-bonus-unknown": _("The Stealth bonus of %(who)s is not known: type the result."),
    "initiative-out-of-range": _("An initiative total goes from −99 to 999."),
    "initiative-bonus-unknown": _("The initiative bonus of %(who)s is not known: type the total."),
    "passive-perception-unknown": _("The passive Perception of %(who)s is needed first."),
    "totals-empty": _("No initiative yet: %(who)s."),
    "nobody-fights": _("Add somebody first: nobody is in this fight."),
    "nobody-can-act": _("Nobody can act: everybody is defeated or out."),
    "nobody-named": _("Type a name, or a quantity and a creature."),
    "already-there": _("In this fight already: %(who)s."),
    "no-creature": _("No creature is called “%(name)s”."),
    "no-previous-turn": _("There is no earlier turn to go back to."),
    "nothing-to-undo": _("There is nothing to undo."),
    "nothing-to-redo": _("There is nothing to redo."),
    "nothing-to-go-back": _("The fight stands now as it stood then: there is no way back to go."),
    "not-a-tie": _("This tie is already gone."),
    "not-a-roll-off": _("This tie has changed: look again."),
    "no-combatant": _("This combatant has left the fight."),
    "no-slot": _("This place in the order is gone."),
    "no-such-choice": _("This choice does not exist."),
    "name-too-long": _("A name has at most %(limit)s characters."),
    "not-dice": _("This is neither a number nor dice such as 2d6+3."),
    "too-many-dice": _("At most %(limit)s dice of %(limit)s sides."),
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


def letters(number: int) -> str:
    """A, B … Z, AA, AB … for 1, 2 … 26, 27, 28 …; nothing for 0."""
    text = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def reads_metres() -> bool:
    """Whether the reader's language measures in metres; it does in French."""
    return (get_language() or "").startswith("fr")


def metres(feet: int) -> str:
    """Feet as French tables write them: "9", "4,5" (5 feet are 1.5 m)."""
    return f"{feet * 3 / 10:.1f}".removesuffix(".0").replace(".", ",")


def listed(who: Iterable[Mapping[str, Any]]) -> str:
    """ "Aria, Bran and Goblin 2", from names as events hold them."""
    return in_words(str(named(one)) for one in who)


def grouped(who: Sequence[Mapping[str, Any]]) -> str:
    """ "Bran", "Goblin ×3": those who act together."""
    one = named(who[0])
    return str(one) if len(who) == 1 else f"{one.alone} ×{len(who)}"


def in_words(items: Iterable[str]) -> str:
    """ "Aria, Bran and Cleo"."""
    return get_text_list(list(items), gettext("and"))


def named(one: Mapping[str, Any]) -> Name:
    return Name(one["name"], one["name_fr"] or one["name"], str(one["ordinal"] or ""))
