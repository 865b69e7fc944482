"""An effect in words: what it is called, what is left of it, where it is from, what it means."""

from collections.abc import Iterator

from django.utils.functional import lazy
from django.utils.translation import get_language, gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import rules
from bestiary import conditions
from encounters.labels import EFFECTS, Text, in_words, minus, name_of
from encounters.words_of_health import damage_type

NAMED = 3  # observers at most, on a row

COLOURS: dict[str, Text] = {
    "": pgettext_lazy("colour", "none"),
    "blue": _("blue"),
    "green": _("green"),
    "violet": _("violet"),
    "brown": _("brown"),
}

ABILITIES: dict[str, Text] = {
    "str": pgettext_lazy("ability", "STR"),
    "dex": pgettext_lazy("ability", "DEX"),
    "con": pgettext_lazy("ability", "CON"),
    "int": pgettext_lazy("ability", "INT"),
    "wis": pgettext_lazy("ability", "WIS"),
    "cha": pgettext_lazy("ability", "CHA"),
}

DAMAGE_TYPES: dict[str, Text] = {code: lazy(damage_type, str)(code) for code in rules.DAMAGE_TYPES}

EDGES: dict[str, Text] = {
    "start": _("at the start of its turns"),
    "end": _("at the end of its turns"),
}

LASTS: dict[str, Text] = {
    "never": _("no automatic end"),
    "rounds:1": _("1 round"),
    "rounds:10": _("1 minute"),
    "rounds:100": _("10 minutes"),
    "rounds:600": _("1 hour"),
    "turn-end-own": _("end of its turn"),
    "turn-start-own": _("start of its turn"),
    "turn-end-source": _("end of the source’s turn"),
    "turn-start-source": _("start of the source’s turn"),
    "rounds": _("after rounds"),
}  # by what an effect ends; those of turns and of rounds count them

MEANINGS: dict[str, Text] = {
    "concentration": _(
        "Concentrates on a spell. CON save after damage; ends when incapacitated or dead."
    ),
    "dodging": _("Attacks against it have disadvantage; its Dexterity saves have advantage."),
    "disengaged": _("Moving provokes no opportunity attacks this turn."),
    "helping": _("The helped creature has advantage on one check or attack."),
    "readied": _("Readied an action, and takes it with its reaction."),
    "own": _("An effect in the GM’s own words."),
    "unnoticed": _(
        "Attacks with advantage whoever has not noticed it, and is attacked by them with "
        "disadvantage. Any attack of its own ends it."
    ),
    "regeneration": _("Regains hit points at the start of its turns, unless prevented."),
}  # of what is no condition of the book

TURNED: dict[str, Text] = {
    "2014": _(
        "Must flee; no reaction; as its action, only Dash, Dodge or breaking free. Any damage "
        "ends it."
    ),
    "2024": _(
        "Must flee; frightened and incapacitated. Ends with any damage, or when its source is "
        "incapacitated or dies."
    ),
}


def meaning(code: str, edition: str) -> str:
    """What it means in play, in one line; edition is "2014" or "2024"."""
    if code == "turned":
        return str(TURNED[edition])
    if code in MEANINGS:
        return str(MEANINGS[code])
    return conditions.summary(code, edition, (get_language() or "")[:2])


def differs(code: str) -> bool:
    """Whether it means something else in each edition."""
    return code == "turned" or conditions.differs(code)


def called(effect: rules.Effect) -> str:
    """ "prone", "exhaustion 3", "concentration: Bless", or the GM's own words."""
    if effect.code == "own":
        return effect.text
    name = EFFECTS[effect.code]
    if effect.level:
        return f"{name} {effect.level}"
    if effect.code == "concentration" and effect.text:
        return gettext("concentration: %(spell)s") % {"spell": effect.text}
    return str(name)


def rounds_left(effect: rules.Effect, bearer: rules.Combatant, fight: rules.Fight) -> int:
    """How often the turn that ends it is still to begin, this one included; at least 1."""
    whose = _whose(effect, bearer, fight)
    slot = next((s for s in fight.slots if s.number == whose.slot), None)
    to_come = fight.round > 0 and (slot is None or slot.acted_round < fight.round)
    return max(1, effect.until_round - max(fight.round, 1) + to_come)


def lasts(effect: rules.Effect, bearer: rules.Combatant, fight: rules.Fight) -> float:
    """How long it still lasts, to be compared with others: about as many rounds."""
    if not effect.ends:
        return float("inf")
    if effect.until_round:
        return rounds_left(effect, bearer, fight)
    return max(1, effect.turns)


def left(effect: rules.Effect, bearer: rules.Combatant, fight: rules.Fight) -> str:
    """What is left of it: "7 r", "until Bran’s turn ends"; "" of what does not end by itself."""
    if effect.observers:
        who = [str(name_of(c)) for c in fight.combatants if c.number in effect.observers]
        return observed(_some(who))
    if not effect.ends:
        return ""
    if effect.until_round:
        text = pgettext("rounds", "%(n)d r")
        return text % {"n": rounds_left(effect, bearer, fight)}
    whose = _whose(effect, bearer, fight)
    values = {"who": name_of(whose), "n": effect.turns}
    own = whose.number == bearer.number
    if effect.turns > 1:
        own_turns = ngettext("%(n)d turn", "%(n)d turns", effect.turns)
        turns = ngettext("%(n)d turn of %(who)s", "%(n)d turns of %(who)s", effect.turns)
        return (own_turns if own else turns) % values
    return _edge(effect.ends, own=own) % values


def observed(who: str) -> str:
    """ "by Bran", of one who is unnoticed."""
    return pgettext("unnoticed", "by %(who)s") % {"who": who}


def _some(who: list[str]) -> str:
    """ "Aria, Bran and Cleo", "Goblin 1, Goblin 2 and 4 more"."""
    if len(who) <= NAMED:
        return in_words(who)
    rest = len(who) - NAMED + 1
    return in_words([*who[: NAMED - 1], gettext("%(n)s more") % {"n": rest}])


def _edge(ends: str, *, own: bool) -> str:
    if ends == "end":
        return gettext("until its turn ends") if own else gettext("until %(who)s’s turn ends")
    return gettext("until its turn begins") if own else gettext("until %(who)s’s turn begins")


def _whose(effect: rules.Effect, bearer: rules.Combatant, fight: rules.Fight) -> rules.Combatant:
    number = bearer.number if effect.whose is None else effect.whose
    return next((c for c in fight.combatants if c.number == number), bearer)


def origin(effect: rules.Effect, bearer: rules.Combatant, fight: rules.Fight) -> str:
    """ "from Bran"; "" of its bearer's own, and of what is nobody's doing."""
    if effect.source in (None, bearer.number):
        return ""
    found = [c for c in fight.combatants if c.number == effect.source]
    return gettext("from %(who)s") % {"who": name_of(found[0])} if found else ""


def finer(effect: rules.Effect, bearer: rules.Combatant, fight: rules.Fight) -> Iterator[str]:
    """All else that is known of it, in few words each."""
    if effect.code == "readied" and effect.text:
        yield effect.text
    if found := origin(effect, bearer, fight):
        yield found
    if end := left(effect, bearer, fight):
        yield end
    if effect.observers:
        yield gettext("Stealth %(result)s") % {"result": minus(effect.dc)}
    if effect.hangs:
        yield gettext("ends with the concentration")
    if effect.save:
        values = {"ability": ABILITIES[effect.save], "dc": effect.dc, "when": EDGES[effect.save_at]}
        yield gettext("%(ability)s save, DC %(dc)s, %(when)s") % values
    if effect.each:
        yield _each(effect)
    if effect.needs_hp:
        yield gettext("not at 0 hit points")
    if effect.stopped_by:
        types = in_words(str(DAMAGE_TYPES[code]) for code in effect.stopped_by.split(","))
        yield gettext("prevented once by damage: %(types)s") % {"types": types}
    if effect.stopped:
        yield gettext("prevented next time")
    if effect.secret:
        yield gettext("players do not see it")


def _each(effect: rules.Effect) -> str:
    kind = DAMAGE_TYPES.get(effect.each_type, "")
    values = {"amount": effect.each, "type": kind, "when": EDGES[effect.each_at]}
    if effect.heals:
        return gettext("%(amount)s hit points regained, %(when)s") % values
    if not kind:
        return gettext("%(amount)s damage, %(when)s") % values
    return gettext("%(amount)s damage (%(type)s), %(when)s") % values
