"""What the book says of a creature's defences, saves, uses and regeneration, in rules' values."""

from collections.abc import Iterator, Mapping
from typing import Any

import rules

DEFENCES = {
    "damage_resistances": "resistance",
    "damage_immunities": "immunity",
    "damage_vulnerabilities": "vulnerability",
}
USES = {"recharge_d6": "recharge", "per_day": "day", "recharge_rest": "rest"}


def defences(facts: Mapping[str, Any]) -> tuple[rules.Defence, ...]:
    """What halves, doubles or cancels damage, and the conditions it is immune to."""
    return tuple(_defences(facts))


def _defences(facts: Mapping[str, Any]) -> Iterator[rules.Defence]:
    for name, kind in DEFENCES.items():
        for code in facts.get(name, ()):
            yield rules.Defence(kind, code)
        for some in facts.get(f"{name}_conditional", ()):
            for code in some["types"]:
                yield rules.Defence(kind, code, some["when"])
    for code in facts.get("condition_immunities", ()):
        yield rules.Defence("immunity", code)


def saves(facts: Mapping[str, Any]) -> dict[str, int]:
    """The bonus of each saving throw, by ability."""
    scores: Mapping[str, int] = facts.get("abilities", {})
    plain = {ability: (score - 10) // 2 for ability, score in scores.items()}
    return plain | dict(facts.get("saves", {}))


def speeds(facts: Mapping[str, Any]) -> dict[str, int]:
    """Feet a turn otherwise than on foot, those of another form among them."""
    found: dict[str, int] = {}
    for known in (facts.get("speed", {}), *facts.get("speed_alt", ())):
        found = {way: known[way] for way in rules.WAYS[1:] if way in known} | found
    return found


def effects(facts: Mapping[str, Any]) -> tuple[rules.Effect, ...]:
    """What is on it from the beginning: its regeneration, each turn offered where the GM decides.

    That is where something else than hit points and damage keeps it back, such as sunlight.
    """
    found = facts.get("regeneration")
    if not found:
        return ()
    effect = rules.Effect(
        "regeneration",
        each=str(found["amount"]),
        heals=True,
        needs_hp=found.get("needs_hp", False),
        stopped_by=",".join(found.get("stopped_by", ())),
        offered=bool(found.get("unless")),
    )
    return (effect,)


def uses(facts: Mapping[str, Any]) -> tuple[rules.Use, ...]:
    """Legendary actions and resistances, uses a day and recharges, all of them unspent."""
    found = [_use(use) for use in facts.get("limited_uses", ())]
    actions, resistances = facts.get("legendary_actions"), facts.get("legendary_resistance")
    if resistances:
        more = facts.get("legendary_resistance_in_lair", resistances) - resistances
        names = "Legendary Resistance", "Résistance légendaire"
        found.insert(0, _legendary(*names, "resistance", resistances, more))
    if actions:
        more = facts.get("legendary_actions_in_lair", actions) - actions
        names = "Legendary actions", "Actions légendaires"
        found.insert(0, _legendary(*names, "legendary", actions, more))
    return tuple({use.name: use for use in found}.values())


def _legendary(name: str, french: str, kind: str, count: int, in_lair: int) -> rules.Use:
    return rules.Use(name, count, count, kind, french, in_lair=in_lair)


def _use(facts: Mapping[str, Any]) -> rules.Use:
    count = facts.get("uses") or 1
    kind = USES[facts["kind"]]
    name, french = facts["name_en"], facts["name_fr"] or ""
    return rules.Use(name, count, count, kind, french, recharges_from=facts.get("min") or 0)
