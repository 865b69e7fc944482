"""Words for codes, in the reader's language: names, sides, health, conditions, actions, settings.

The rules speak codes. Sentences made of these words are in `sentences.py` (the log),
`refusals.py`, `settings_words.py` and the screens; all else that people read is in the templates.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import rules
from encounters.models import Campaign
from encounters.names import written
from encounters.refusals import REFUSALS

Text = str | Promise
MINUS = "\N{MINUS SIGN}"


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
        return written(self.typed)

    @property
    def typed(self) -> str:
        """As somebody typed it, for the field where it is changed."""
        return self.fr if (get_language() or "").startswith("fr") else self.en


@lru_cache(maxsize=4_000)
def name_of(combatant: rules.Combatant) -> Name:
    """What the GM calls it: "Goblin 3"."""
    french = combatant.name_fr or combatant.name
    return Name(combatant.name, french, str(combatant.ordinal or ""))


SIDES: dict[str, Text] = {
    "heroes": _("heroes"),
    "allies": _("allies"),
    "foes": _("foes"),
    "third": _("third side"),
    "fourth": _("fourth side"),
}

HIDERS: dict[str, Text] = {
    "heroes": _("Heroes are hiding"),
    "allies": _("Allies are hiding"),
    "foes": _("Foes are hiding"),
    "third": _("The third side is hiding"),
    "fourth": _("The fourth side is hiding"),
}  # by side

HEALTH: dict[str, Text] = {
    "healthy": _("healthy"),
    "hurt": _("hurt"),
    "bloodied": _("bloodied"),
    "down": _("down"),
    "dying": _("dying"),
    "stable": _("stable"),
    "dead": _("dead"),
    "": "",
}

STATES: dict[str, Text] = {
    "preparing": _("in preparation"),
    "rolling": _("surprise & initiative"),
    "running": _("running"),
    "ended": _("over"),
}

TIE_KINDS: dict[str, Text] = {
    "gm": _("between creatures: you decide"),
    "players": _("between heroes: the players decide"),
    "mixed": _("between heroes and creatures: you decide, or a roll-off"),
}

ATTACK_MODES: dict[str, Text] = {
    "auto": _("automatic (from conditions)"),
    "plain": pgettext_lazy("roll", "normal"),
    "advantage": _("advantage"),
    "disadvantage": _("disadvantage"),
}

WATCHES: dict[str, Text] = {
    "no-enemy": _("no enemy who could act"),
    "nobody-hides": _("nobody hides"),
    "cannot": _("cannot be surprised"),
    "by-hand": _("set by you"),
    "unknown": _("passive Perception unknown"),
    "notices-none": _("notices no enemy"),
    "misses-some": _("fails to notice an enemy"),
    "notices-some": _("notices some of them"),
    "notices-all": _("notices all of them"),
}

NOTICES: dict[str, Text] = {
    "not-hiding": _("not hiding"),
    "too-low": _("noticed: below 15"),
    "unconscious": _("unconscious: notices nothing"),
    "no-threat": _("no threat: at 0 HP or unconscious"),
    "unknown": _("passive Perception unknown"),
    "noticed": _("noticed"),
    "missed": _("not noticed"),
}

SURPRISE: dict[str, Text] = {
    "auto": _("by the rule"),
    "surprised": _("surprised"),
    "not-surprised": _("not surprised"),
}

ROLLS: dict[str, Text] = {
    "": _("automatic (from conditions)"),
    "plain": _("neither advantage nor disadvantage"),
    "advantage": _("advantage"),
    "disadvantage": _("disadvantage"),
}

INITIATIVE_ROLLS: dict[str, Text] = {
    "auto": _("automatic (from conditions)"),
    "plain": _("neither advantage nor disadvantage"),
    "advantage": _("advantage"),
    "disadvantage": _("disadvantage"),
}

REASONS: dict[str, Text] = {
    "hidden": _("still hidden"),
    "invisible": _("invisible"),
    "surprised": _("surprised"),
    "incapacitated": _("incapacitated"),
    "poisoned": _("poisoned"),
    "frightened": _("frightened"),
    "exhaustion": _("exhaustion"),
    "by-hand": _("set by you"),
}

CONDITIONS: dict[str, Text] = {
    "blinded": _("blinded"),
    "charmed": _("charmed"),
    "deafened": _("deafened"),
    "exhaustion": _("exhaustion"),
    "frightened": _("frightened"),
    "grappled": _("grappled"),
    "incapacitated": _("incapacitated"),
    "invisible": _("invisible"),
    "paralyzed": _("paralyzed"),
    "petrified": _("petrified"),
    "poisoned": _("poisoned"),
    "prone": _("prone"),
    "restrained": _("restrained"),
    "stunned": _("stunned"),
    "unconscious": _("unconscious"),
}

EFFECTS: dict[str, Text] = CONDITIONS | {
    "unnoticed": _("unnoticed"),
    "regeneration": _("regeneration"),
    "turned": _("turned"),
    "concentration": _("concentration"),
    "own": _("custom effect"),
    "dodging": _("dodging"),
    "disengaged": _("disengaged"),
    "helping": _("helping"),
    "readied": _("readied action"),
}

ACTIONS: dict[str, Text] = {
    "attack": _("Attack"),
    "cast-a-spell": _("Cast a spell"),
    "dash": _("Dash"),
    "disengage": _("Disengage"),
    "dodge": _("Dodge"),
    "help": _("Help"),
    "hide": _("Hide"),
    "influence": _("Influence"),
    "magic": _("Magic"),
    "ready": _("Ready"),
    "search": _("Search"),
    "study": _("Study"),
    "use-an-object": _("Use an object"),
    "utilize": _("Utilize"),
}

COSTS: dict[str, Text] = {
    "action": _("the action"),
    "bonus": _("the bonus action"),
    "none": _("nothing"),
}

USE_KINDS: dict[str, Text] = {
    "day": _("per day"),
    "rest": _("per rest"),
    "slots": _("spell slots"),
    "recharge:6": _("recharge on 6"),
    "recharge:5": _("recharge on 5–6"),
    "recharge:4": _("recharge on 4–6"),
    "legendary": _("legendary actions"),
    "resistance": _("legendary resistances"),
}  # of what is counted; a recharge with the lowest d6 that brings it back

WAYS: dict[str, Text] = {
    "walk": _("Walk"),
    "fly": _("Fly"),
    "swim": _("Swim"),
    "climb": _("Climb"),
    "burrow": _("Burrow"),
}

ATTACK_WAYS: dict[str, Text] = {
    "action": _("action"),
    "reaction": _("reaction"),
    "readied": _("readied action"),
    "legendary": _("legendary action"),
}

SPENT: dict[str, Text] = {
    "action": _("action"),
    "bonus": _("bonus action"),
    "object": _("object interaction"),
}


def refusal(error: rules.RuleError) -> str:
    """The sentence that tells why the rules refuse something."""
    sentence = REFUSALS.get(error.code) or _("The rules do not allow this.")
    details: dict[str, Any] = {
        k: minus(v) if isinstance(v, int) else v for k, v in error.details.items()
    }
    if "who" in details:
        details["who"] = listed(details["who"])
    if "what" in details:
        details["what"] = SPENT[details["what"]]
    if "effect" in details:
        details["effect"] = EFFECTS[details["effect"]]
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


def metres(feet: float) -> str:
    """Feet as French tables write them: "9", "4,5", "3,75" (5 feet are 1.5 m)."""
    return f"{feet * 3 / 10:.2f}".rstrip("0").rstrip(".").replace(".", ",")


def length(feet: float) -> str:
    """A distance with its unit: "30 ft", "9 m"; a real minus below 0."""
    amount = metres(feet) if reads_metres() else f"{feet:.6g}"
    unit = "m" if reads_metres() else "ft"
    return f"{amount.replace('-', MINUS)}\N{NO-BREAK SPACE}{unit}"


def minus(number: int) -> str:
    """A whole number as it is read: "62,750" (in French with a narrow space), "−4"."""
    said = str(number) if -1_000 < number < 1_000 else f"{number:,}".replace(",", _thousands())
    return said.replace("-", MINUS)


def _thousands() -> str:
    return "\N{NARROW NO-BREAK SPACE}" if (get_language() or "").startswith("fr") else ","


def typed_dice(expression: str) -> str:
    """Dice as a reader would type them: "2d6−1", "d20+5 adv" (in French "d20+5 av")."""
    dice, _, mode = expression.replace("-", MINUS).partition(" ")
    if mode == "adv":
        return gettext("%(dice)s adv") % {"dice": dice}
    if mode == "dis":
        return gettext("%(dice)s dis") % {"dice": dice}
    return dice


def setting_in_words(name: str, value: str | bool | None) -> str:
    """ "ties: ask", as the page of settings calls them."""
    field: Any = Campaign._meta.get_field(name)
    values = {"setting": field.verbose_name, "choice": choice_in_words(name, value)}
    return gettext("%(setting)s: %(choice)s") % values


def choice_in_words(name: str, value: str | bool | None) -> str:
    """One choice of a setting: "ask", "yes"."""
    field: Any = Campaign._meta.get_field(name)
    if value is None:
        return gettext("as in the campaign")
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(dict(field.choices)[value])


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
