"""The roll that was made last, as it is shown to the table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext

from encounters import labels
from encounters.history import Told
from encounters.telling import attacks, dues, hit_points


@dataclass(frozen=True, slots=True)
class LastRoll:
    who: str  # that rolled, or ""
    expression: str  # as the reader would type it
    total: str
    dice: tuple[int, ...]  # those that count
    dropped: tuple[int, ...]  # those that do not
    outcome: str = ""  # of an attack: "hits Bran: 5 slashing"
    apply: str = ""  # its damage, as it would be typed, where it has not been applied
    critical: bool = False

    @property
    def many(self) -> bool:
        """More dice than fit beside the total: they are scrolled through."""
        return len(self.dice + self.dropped) > 30


def last_roll(steps: Iterable[Told]) -> LastRoll | None:
    """The last roll of this turn among these steps, newest first, that was not taken back.

    Its damage is there to be applied until anything else is done.
    """
    undone = 0  # further steps that an undo has taken back
    since = False  # something has been done since
    for step in steps:
        if step.command == "undo":
            undone += 1
        elif undone:
            undone -= 1
        elif any(event["code"] == "went-back" for event in step.events):
            return None  # perhaps to before the rolls that follow
        elif any(event["code"] == "turn-began" for event in step.events):
            return None  # it went with its turn
        elif roll := _of(step.events):
            return replace(roll, apply="") if since else roll
        else:
            since = True
    return None


def _of(events: Sequence[Mapping[str, Any]]) -> LastRoll | None:
    """What was rolled in a step."""
    for event in events:
        if event["code"] == "rolled":
            return _shown(event)
    if made := [event for event in events if event["code"] == "attacked"]:
        return _attacks(made)
    if settled := [e for e in events if e["code"] in dues.RESULTS and e["dice"]]:
        return _settled(settled)
    saves = [pair for pair in pairwise(events) if pair[0]["code"] == "death-save"]
    rolled = [(save, result) for save, result in saves if save.get("dice")]
    return _death_saves(rolled) if rolled else None


def _shown(event: Mapping[str, Any]) -> LastRoll:
    return LastRoll(
        who=labels.listed(event["who"]),
        expression=labels.typed_dice(event["expression"]),
        total=labels.minus(event["total"]),
        dice=tuple(event["dice"]),
        dropped=tuple(event["dropped"]),
    )


def _attacks(events: Sequence[Mapping[str, Any]]) -> LastRoll:
    """One attack, or those of a group together: how many hit, or what each would hit."""
    first, makers = events[0], [one for event in events for one in event["who"]]
    landed = sum(len(e["who"]) for e in events if e["result"] in ("hit", "critical"))
    open_ones = [e for e in events if e["result"] == "rolled"]
    totals = ", ".join(labels.minus(e["total"]) for e in events for _ in e["who"])
    several = len(makers) > 1 and not open_ones
    d20s = [
        sorted(e["d20s"], reverse=e["mode"] != "disadvantage") for e in events for _ in e["who"]
    ]
    parts = [p for e in events if e["result"] != "miss" for _ in e["who"] for p in e["parts"]]
    result = str(attacks.RESULTS[first["result"]]) if len(makers) == 1 else ""
    return LastRoll(
        who=labels.grouped(makers),
        expression=str(attacks.name(first)),
        total=f"{landed}/{len(makers)}" if several else totals,
        dice=tuple(d20[0] for d20 in d20s),
        dropped=tuple(die for d20 in d20s for die in d20[1:]),
        outcome=_outcome(result, attacks.damage(parts)),
        apply=attacks.typed(first["parts"]) if open_ones and len(makers) == 1 else "",
        critical=d20s[0][0] == 20,
    )


def _outcome(result: str, damage: str) -> str:
    """ "hits: 5 slashing"; the one of them that there is, where the other is ""."""
    if result and damage:
        return gettext("%(result)s: %(damage)s") % {"result": result, "damage": damage}
    return result or damage


def _settled(events: Sequence[Mapping[str, Any]]) -> LastRoll:
    """A save or a recharge that was rolled, or how many of a group made it."""
    every = [event for event in events for _ in event["who"]]
    made = sum(event["code"].endswith("-made") for event in every)
    first = every[0]
    total = first["dice"][0] if first["total"] is None else first["total"]
    several = len(every) > 1
    return LastRoll(
        who=labels.grouped([one for event in events for one in event["who"]]),
        expression=dues.asked(first),
        total=f"{made}/{len(every)}" if several else labels.minus(total),
        dice=tuple(event["dice"][0] for event in every),
        dropped=(),
        outcome="" if several else str(dues.RESULTS[first["code"]]),
    )


def _death_saves(rolled: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> LastRoll:
    """A death save and what became of it, or the dice of several."""
    dice = tuple(save["die"] for save, _result in rolled)
    several, result = len(rolled) > 1, rolled[0][1]
    return LastRoll(
        who=labels.grouped([one for save, _result in rolled for one in save["who"]])
        if several
        else "",  # the outcome says it
        expression=labels.typed_dice("d20"),
        total=", ".join(map(str, dice)),
        dice=dice,
        dropped=(),
        outcome="" if several else hit_points.SENTENCES[result["code"]](result),
    )
