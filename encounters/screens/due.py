"""What is due now, of anybody; what can be done at the end of another's turn; what is counted."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

import rules
from encounters import due_fields, labels
from encounters.effect_words import ABILITIES, DAMAGE_TYPES, called
from encounters.labels import Name, name_of
from encounters.screens.together import together

COSTS = (1, 2, 3)  # of a legendary action


@dataclass(frozen=True, slots=True)
class Share:
    """One of those of whom something is due."""

    target: str  # its number
    who: str
    resistance: str  # legendary resistances left, "" without any


@dataclass(frozen=True, slots=True)
class DueNow:
    """Something that is due of one combatant, or alike of several who act together."""

    who: str
    target: str  # their numbers, with commas
    due: str  # as the form's field says it
    kind: str
    what: str  # "Concentration on Bless, DC 11"
    roll: str  # what is rolled: "d20+3", "2d6"; "" where nothing is
    shares: tuple[Share, ...]

    @property
    def several(self) -> bool:
        return len(self.shares) > 1


@dataclass(frozen=True, slots=True)
class Legend:
    """A legendary creature on the turn of another."""

    number: int
    name: str
    actions: "Counted | None"
    able: bool  # may take one at the end of this turn
    resistances: "Counted | None"

    @property
    def costs(self) -> tuple[int, ...]:
        """What its actions may cost now."""
        left = self.actions.left if self.actions else 0
        return tuple(cost for cost in COSTS if cost <= left)


@dataclass(frozen=True, slots=True)
class Counted:
    """Something that is counted of a combatant."""

    number: int  # the combatant's
    who: str  # "" where there is but one
    use: str  # as the form's field says it
    name: Name
    left: int
    max: int
    kind: str

    @property
    def less(self) -> int:
        return self.left - 1

    @property
    def more(self) -> int:
        return self.left + 1


def due_now(fight: rules.Fight) -> tuple[DueNow, ...]:
    """All that is due, of those whose turn it is first, then in the order."""
    if fight.state != "running":
        return ()
    members = fight.by_slot()
    order = [slot.number for slot in fight.slots if slot.extra_of is None]
    ours = fight.home(fight.current)
    order.sort(key=lambda slot: slot != ours)
    return tuple(one for slot in order for one in _of_slot(members[slot], fight))


def passed_over(fight: rules.Fight) -> str:
    """What is due of those whose turn it is not, and was left so: "Bran: Death save"."""
    ours = {c.number for c in fight.members(fight.current)}
    owing = [c for c in fight.combatants if c.dues and c.number not in ours]
    if not owing or fight.state != "running":
        return ""
    left = [one for one in due_now(fight) if int(one.target.split(",")[0]) not in ours]
    said = gettext("%(who)s: %(what)s")
    return "; ".join(said % {"who": one.who, "what": one.what} for one in left)


def _of_slot(members: list[rules.Combatant], fight: rules.Fight) -> Iterator[DueNow]:
    """What is due alike of several of a group is shown once; what is due twice of one, twice."""
    owing: dict[tuple[rules.Due, str, int], list[rules.Combatant]] = {}
    for c in members:
        for place, due in enumerate(() if c.defeated else c.dues):
            key = (due, _rolled(c, due, fight.settings), c.dues[:place].count(due))
            owing.setdefault(key, []).append(c)
    for (due, roll, _again), who in owing.items():
        yield DueNow(
            who=together(who),
            target=",".join(str(c.number) for c in who),
            due=due_fields.written(due),
            kind=due.kind,
            what=what_is_due(who[0], due, fight),
            roll=roll,
            shares=tuple(map(_share, who)),
        )


def _share(c: rules.Combatant) -> Share:
    use = rules.resistance(c)
    return Share(str(c.number), str(name_of(c)), str(use.left) if use and use.left else "")


def _rolled(c: rules.Combatant, due: rules.Due, settings: rules.Settings) -> str:
    """The dice of its button; "" for none."""
    if due.kind == "recharge":
        return "d6"
    if due.kind == "each":
        text = _effect(c, due).each
        return labels.typed_dice(text) if "d" in text.lower() else ""
    dice = due_fields.save_dice(c, due, settings)
    return labels.typed_dice(dice) if dice else ""


def _effect(c: rules.Combatant, due: rules.Due) -> rules.Effect:
    try:
        return rules.effect_of(c, due)
    except rules.RuleError:
        return rules.Effect(due.effect, text=due.text, source=due.source)


def what_is_due(c: rules.Combatant, due: rules.Due, fight: rules.Fight) -> str:
    """What is asked of it: "WIS save, DC 15, ends frightened (Ogre)"."""
    match due.kind:
        case "death":
            made, failed = c.death_successes, c.death_failures
            text = gettext("Death save (made: %(made)s, failed: %(failed)s)")
            return text % {"made": made, "failed": failed}
        case "concentration":
            spell = next((e.text for e in c.effects if e.code == "concentration"), "")
            if spell:
                values = {"dc": due.dc, "spell": spell}
                return gettext("Concentration on %(spell)s, DC %(dc)s") % values
            return gettext("Concentration, DC %(dc)s") % {"dc": due.dc}
        case "save":
            return gettext("%(ability)s save, DC %(dc)s, ends %(effect)s") % {
                "ability": ABILITIES[due.ability],
                "dc": due.dc,
                "effect": _with_source(_effect(c, due), fight),
            }
        case "recharge":
            return _recharge(c, due)
        case _:
            return _hit_points(_effect(c, due), fight)


def _recharge(c: rules.Combatant, due: rules.Due) -> str:
    values = {"use": use_called(c, due.text), "from": due.dc}
    if due.dc >= 6:
        return gettext("%(use)s recharges on 6") % values
    return gettext("%(use)s recharges on %(from)s–6") % values


def use_called(c: rules.Combatant, name: str) -> str:
    """The name of what is counted, in the reader's language."""
    french = next((use.name_fr for use in c.uses if use.name == name), "")
    return str(Name(name, french or name))


def _hit_points(effect: rules.Effect, fight: rules.Fight) -> str:
    values = {
        "amount": labels.typed_dice(effect.each),
        "type": DAMAGE_TYPES.get(effect.each_type, ""),
        "effect": _with_source(effect, fight),
    }
    if effect.heals:
        return gettext("%(amount)s hit points regained (%(effect)s)") % values
    if not effect.each_type:
        return gettext("%(amount)s damage (%(effect)s)") % values
    return gettext("%(amount)s %(type)s damage (%(effect)s)") % values


def _with_source(effect: rules.Effect, fight: rules.Fight) -> str:
    """ "frightened (Ogre)"."""
    found = [c for c in fight.combatants if c.number == effect.source]
    if not found:
        return called(effect)
    values = {"effect": called(effect), "who": name_of(found[0])}
    return pgettext("whose doing", "%(effect)s (%(who)s)") % values


def legends(fight: rules.Fight) -> tuple[Legend, ...]:
    """Legendary creatures that may act or resist though it is another's turn."""
    if fight.state != "running" or fight.current is None:
        return ()
    ours = fight.home(fight.current)
    others = [c for c in fight.combatants if c.uses and c.slot != ours and not c.passed_over]
    found = [_legend(c, fight) for c in others]
    return tuple(one for one in found if one.actions or one.resistances)


def _legend(c: rules.Combatant, fight: rules.Fight) -> Legend:
    actions, resistances = rules.legendary(c), rules.resistance(c)
    return Legend(
        c.number,
        str(name_of(c)),
        _counted(c, actions) if actions else None,
        rules.can_take_legendary(c, fight),
        _counted(c, resistances) if resistances else None,
    )


def counted(fight: rules.Fight) -> tuple[Counted, ...]:
    """What is counted of those whose turn it is."""
    members = fight.members(fight.current)
    alone = len(members) == 1
    return tuple(
        _counted(c, use, "" if alone else str(name_of(c)))
        for c in members
        if not c.defeated
        for use in c.uses
    )


def _counted(c: rules.Combatant, use: rules.Use, who: str = "") -> Counted:
    name = Name(use.name, use.name_fr or use.name)
    return Counted(c.number, who, use.name, name, use.left, use.max, use.kind)
