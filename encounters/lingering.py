"""Effects that have ended with a turn that players have not seen begin.

For players a turn lasts until they see the next one. An effect that ends while somebody hidden
begins a turn stays in their sight as long: else its end would tell them of that turn.
"""

from collections.abc import Iterator
from typing import Any

import rules
from encounters.models import Encounter, Step

Changes = dict[str, Any]


def as_seen(encounter: Encounter, fight: rules.Fight) -> rules.Fight:
    """The fight with the effects that players still see; one query while somebody hidden acts."""
    if fight.state != "running" or fight.seen_slot in (None, fight.current):
        return fight
    ended: dict[int, dict[str, Any]] = {}
    for changes in _unseen_turns(encounter, fight):
        for number, effects in _ended(changes, fight):
            there = ended.get(number, {}).get("effects", fight.combatant(number).effects)
            keys = {effect.key for effect in there}
            left = tuple(effect for effect in effects if effect.key not in keys)
            ended[number] = {"effects": (*there, *left)}
    return fight.with_each(ended) if ended else fight


def _unseen_turns(encounter: Encounter, fight: rules.Fight) -> Iterator[Changes]:
    """What the steps changed that began turns since the one that players see, the last first."""
    version = fight.turn_step or 0
    began = {"version__lte": version, "changes__fight__turn_step__isnull": False}
    steps = Step.objects.filter(encounter=encounter, **began).order_by("-version")
    for number, changes in steps.values_list("version", "changes").iterator(chunk_size=10):
        if number != version:  # undone, or taken back
            continue
        facts = changes["fight"]
        seen = {"seen_slot", "seen_round"} & facts.keys()
        if seen or facts.get("current", [None, None])[1] == fight.seen_slot:
            return
        yield changes
        version = facts["turn_step"][0]


def _ended(changes: Changes, fight: rules.Fight) -> Iterator[tuple[int, tuple[rules.Effect, ...]]]:
    """The effects that a step has taken from those who are still there."""
    there = {c.number for c in fight.combatants}
    for key, facts in changes.get("combatants", {}).items():
        if int(key) in there and isinstance(facts, dict) and "effects" in facts:
            before, after = (rules.list_from_plain("effects", rows) for rows in facts["effects"])
            keys = {effect.key for effect in after}
            yield int(key), tuple(effect for effect in before if effect.key not in keys)
