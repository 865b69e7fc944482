"""What the last step has done to each: felled it, or come to nothing."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from encounters import history
from encounters.felling import felled

NOBODY: Mapping[int, "Just"] = {}


class Just(NamedTuple):
    """What the last step has done to one combatant."""

    felled: bool = False  # brought it to 0 hit points by a hit
    nothing: str = ""  # why a hit has come to 0: immunity | reduction | none


NOTHING_NEW = Just()


def just_now(steps: Sequence[history.Told], version: int) -> Mapping[int, Just]:
    """By number, those to whom the step that led to this version has done something."""
    if not steps or steps[0].version != version:
        return NOBODY
    return _just(steps[0].command, steps[0].stored)


@lru_cache(maxsize=500)
def _just(command: str, stored: str) -> Mapping[int, Just]:
    if command in ("undo", "redo"):
        return NOBODY
    events = history.read(stored)
    found = {number: Just(felled=True) for number in felled(command, events)}
    for event in events:
        if why := event.get("nothing"):
            found |= {one["number"]: Just(nothing=why) for one in event["who"]}
    return found
