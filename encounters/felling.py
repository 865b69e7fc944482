"""A hit that has felled somebody: who fell, and the same hit with something instead of the fall."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import rules
from encounters.models import Step

HITS = ("damage", "attack")  # commands of steps
FALLS = ("was-defeated", "went-down", "died")  # events
OF_THE_HIT = ("attacked", "damaged", "absorbed")


def felled(command: str, events: Iterable[Mapping[str, Any]]) -> frozenset[int]:
    """The numbers of those whom a step has felled."""
    if command not in HITS:
        return frozenset()
    falls = (event["who"] for event in events if event["code"] in FALLS)
    return frozenset(one["number"] for who in falls for one in who)


def hit_again(hit: Step, targets: Iterable[int], instead: str) -> rules.Command | None:
    """The hit of this step, with that instead of falling for those of the targets who fell."""
    fell = felled(hit.command, hit.events).intersection(targets)
    return _again(hit.arguments, fell, instead) if fell else None


def what_it_changes(hit: Step, events: Iterable[rules.Event]) -> list[dict[str, Any]]:
    """What is told of a hit done again: not the hit, nor what it brought the first time, too."""
    told = ({"code": event.code, **event.details} for event in events)
    return [one for one in told if one["code"] not in OF_THE_HIT and one not in hit.events]


def _again(arguments: Mapping[str, Any], fell: frozenset[int], instead: str) -> rules.Command:
    if "commands" in arguments:
        each = (_again(one, fell, instead) for one in arguments["commands"])
        return rules.Together(tuple(each))
    kind = rules.Attack if "attacker" in arguments else rules.Damage
    values = {name: _tuples(value) for name, value in arguments.items()}
    hit: rules.Attack | rules.Damage = kind(**values)
    return replace(hit, instead=instead) if hit.target in fell else hit


def _tuples(value: Any) -> Any:
    """Lists, as JSON gives them, as the tuples that they were."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
