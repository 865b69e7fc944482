"""What a turn has changed that players have not seen begin.

For players a turn lasts until they see the next one. Hit points that are lost, effects that end
or come, and dice that fall while somebody hidden begins a turn are no news as long: else they
would tell of that turn.
"""

from collections.abc import Iterator

import rules
from encounters.models import Encounter, Step


def as_seen(encounter: Encounter, fight: rules.Fight) -> rules.Fight:
    """The fight as players still see it; one query while somebody hidden acts."""
    if fight.state != "running" or fight.seen_slot in (None, fight.current):
        return fight
    for changes in _unseen_turns(encounter, fight):
        fight = rules.as_before(fight, changes)
    return fight


def _unseen_turns(encounter: Encounter, fight: rules.Fight) -> Iterator[rules.Changes]:
    """What the steps changed that began turns since the one that players see, the last first."""
    version, seen = fight.turn_step or 0, fight.seen_slot
    began = {"version__lte": version, "changes__fight__turn_step__isnull": False}
    steps = Step.objects.filter(encounter=encounter, **began).order_by("-version")
    for number, changes in steps.values_list("version", "changes").iterator(chunk_size=10):
        if number != version:  # undone, or taken back
            continue
        if _is_seen(changes, seen):
            return
        yield changes
        facts = changes["fight"]
        version, (seen, _) = facts["turn_step"][0], facts.get("seen_slot", (seen, seen))


def _is_seen(changes: rules.Changes, seen: int | None) -> bool:
    """Whether players see the turn that a step began, or another than before it.

    `seen` is the place whose turn they see after it. A second turn may give way to its own place.
    """
    facts = changes["fight"]
    before, after = facts.get("seen_slot", (None, None))
    homes = {s["number"]: s.get("extra_of") for s in changes.get("slots", ([],))[0]}
    moved = before != after and homes.get(before) != after
    began = facts.get("current", (None, None))[1] == seen
    return moved or began or not facts.keys().isdisjoint(("state", "seen_round"))
