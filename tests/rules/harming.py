"""The commands of drawings about hit points, effects, what is due and what is counted.

drawing.py tells of all of them.
"""

from typing import Any

import rules
from tests.rules.verbs import Verb, Words, one

EFFECT_KEYS = {
    "text": "text", "ends": "ends", "turns": "turns", "whose": "whose", "source": "source",
    "each": "each", "each-at": "each_at", "save-at": "save_at",
}  # fmt: skip
EFFECT_FLAGS = {"hangs": "hangs", "heals": "heals", "offered": "offered"}
DAMAGE_FLAGS = {"half": "half", "crit": "critical", "spare": "knock_out"}


def add_effect(fight: rules.Fight, words: Words) -> rules.AddEffect:
    who, code, *facts = words
    rounds, values = 0, dict[str, Any]()
    for fact in facts:
        key, _, value = fact.partition("=")
        if key == "rounds":
            rounds = int(value)
        elif key == "save":
            values |= {"save": value[:3], "dc": int(value[3:])}
        elif key in ("whose", "source"):
            values[key] = one(fight, value)
        elif key in EFFECT_KEYS:
            values[EFFECT_KEYS[key]] = int(value) if key == "turns" else value
        elif fact in EFFECT_FLAGS:
            values[EFFECT_FLAGS[fact]] = True
        elif fact in rules.DAMAGE_TYPES:
            values["each_type"] = fact
        elif fact != "anyway":
            values["level"] = int(fact)
    effect = rules.Effect(code, **values)
    return rules.AddEffect(one(fight, who), effect, rounds, anyway="anyway" in facts)


def remove_effect(fight: rules.Fight, words: Words) -> rules.RemoveEffect:
    who, code, *facts = words
    told = dict(fact.split("=") for fact in facts)
    source = one(fight, told["source"]) if "source" in told else None
    return rules.RemoveEffect(one(fight, who), code, told.get("text"), source)


def damage(fight: rules.Fight, words: Words) -> rules.Damage:
    """`damage #3 22 fire and 8 cold half`: parts of one blow, and what is done to it."""
    who, *facts = words
    parts: list[tuple[int, str]] = []
    values: dict[str, Any] = {}
    for fact in facts:
        key, _, value = fact.partition("=")
        if fact.isdigit():
            parts.append((int(fact), ""))
        elif fact in rules.DAMAGE_TYPES:
            parts[-1] = (parts[-1][0], fact)
        elif fact in DAMAGE_FLAGS:
            values[DAMAGE_FLAGS[fact]] = True
        elif key == "less":
            values["reduction"] = int(value)
        else:
            assert fact == "and", f"what is {fact}?"
    (amount, kind), *more = parts
    return rules.Damage(one(fight, who), amount, type=kind, more=tuple(more), **values)


def due(fight: rules.Fight, who: str, kind: str, about: str = "") -> rules.Due:
    """The first of this kind that is due, of an effect or a use if that is told."""
    dues = [d for d in fight.combatant(one(fight, who)).dues if d.kind == kind]
    meant = [d for d in dues if not about or about in (d.effect, d.text)]
    return meant[0] if meant else rules.Due(kind)


def settle(fight: rules.Fight, words: Words) -> rules.Settle:
    """`settle Lia save made frightened`; hit points of a turn are told instead of "made"."""
    who, kind, result, *about = words
    total = int(result) if result.isdigit() else None
    made = result == "made" or total is not None
    return rules.Settle(one(fight, who), due(fight, who, kind, *about), made, total=total)


def recharge(fight: rules.Fight, words: Words) -> rules.Settle:
    """`recharge Dragon 5`: the d6."""
    who, die, *about = words
    asked = due(fight, who, "recharge", *about)
    return rules.Settle(one(fight, who), asked, int(die) >= asked.dc, (int(die),))


def take_legendary(fight: rules.Fight, words: Words) -> rules.SpendUse:
    """`legendary Dragon 2`: at this cost."""
    who, cost = words
    use = rules.legendary(fight.combatant(one(fight, who)))
    return rules.SpendUse(one(fight, who), use.name if use else "", int(cost))


def revive(fight: rules.Fight, words: Words) -> rules.Revive:
    return rules.Revive(one(fight, words[0]), *map(int, words[1:]))


HARM: dict[str, Verb] = {
    "damage": damage,
    "heal": lambda fight, words: rules.Heal(one(fight, words[0]), int(words[1])),
    "temp": lambda fight, words: rules.GiveTemporary(one(fight, words[0]), int(words[1])),
    "revive": revive,
    "hp": lambda fight, words: rules.SetHitPoints(one(fight, words[0]), int(words[1])),
    "maximum": lambda fight, words: rules.ChangeMaximum(one(fight, words[0]), int(words[1])),
    "death": lambda fight, words: rules.DeathSave(one(fight, words[0]), int(words[1])),
    "stabilise": lambda fight, words: rules.Stabilise(one(fight, words[0])),
    "add": add_effect,
    "remove": remove_effect,
    "settle": settle,
    "dismiss": lambda fight, words: rules.Dismiss(one(fight, words[0]), due(fight, *words)),
    "recharge": recharge,
    "legendary": take_legendary,
    "use": lambda fight, words: rules.SpendUse(one(fight, words[0]), words[1]),
}
