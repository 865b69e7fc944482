"""Surprise: who hides, who notices whom, and who is surprised, creature by creature.

Source: DRS, chapter "Combattre" / "Surprise", and "Perception passive"; SRD 5.1, "Surprise".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.fight import Combatant, Fight, Outcome, RuleError, Settings, names, told

SURPRISE_WORDS = ("auto", "surprised", "not-surprised")
STEALTH_RANGE = range(-99, 1_000)


@dataclass(frozen=True, slots=True)
class Notice:
    """Whether an observer notices an enemy, and why."""

    enemy: int  # combatant's number
    noticed: bool
    reason: str  # not-hiding | unconscious | unknown | noticed | missed
    passive: int | None = None
    stealth: int | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """What one observer notices of each enemy, and whether that leaves it surprised."""

    observer: int
    notices: tuple[Notice, ...]
    surprised: bool
    reason: str
    # no-enemy | nobody-hides | cannot | by-hand | unknown | notices-none | misses-some
    # | notices-some | notices-all


def notices(observer: Combatant, enemy: Combatant, settings: Settings) -> Notice:
    """Whether `observer` notices `enemy`: not hiding, or passive Perception beats Stealth.

    On equal numbers the hider stays hidden, unless the table plays it the other way. The
    unconscious notice nobody.
    """
    passive = observer.passive_perception
    stealth = enemy.stealth if enemy.hiding else None
    if observer.down:
        return Notice(enemy.number, False, "unconscious", passive, stealth)
    if stealth is None:
        return Notice(enemy.number, True, "not-hiding")
    if passive is None:
        return Notice(enemy.number, True, "unknown", passive, stealth)
    noticed = passive > stealth or (passive == stealth and settings.stealth_tie == "observer")
    return Notice(enemy.number, noticed, "noticed" if noticed else "missed", passive, stealth)


def watches(fight: Fight) -> tuple[Watch, ...]:
    """The notice matrix: a row for each combatant that can still fight."""
    living = [c for c in fight.combatants if not c.passed_over]
    anyone_hides = any(c.hiding and c.stealth is not None for c in living)
    return tuple(_watch(c, living, anyone_hides, fight.settings) for c in living)


def find_surprised(fight: Fight) -> Fight:
    """The fight with everybody's surprise decided anew from what is known now."""
    found = {watch.observer: watch.surprised for watch in watches(fight)}
    changes = {
        c.number: {"surprised": found.get(c.number, False)}
        for c in fight.combatants
        if c.surprised != found.get(c.number, False)
    }
    return fight.with_each(changes)


def _watch(
    observer: Combatant, living: list[Combatant], anyone_hides: bool, settings: Settings
) -> Watch:
    seen = tuple(notices(observer, c, settings) for c in living if c.side != observer.side)
    surprised, reason = _judged(observer, seen, anyone_hides, settings)
    return Watch(observer.number, seen, surprised, reason)


def _judged(
    observer: Combatant, seen: tuple[Notice, ...], anyone_hides: bool, settings: Settings
) -> tuple[bool, str]:
    if observer.surprise != "auto":
        return observer.surprise == "surprised", "by-hand"
    if not seen:
        return False, "no-enemy"
    from_it = any(notice.stealth is not None for notice in seen)
    if not anyone_hides or (observer.down and not from_it):
        return False, "nobody-hides"
    if observer.cannot_be_surprised:
        return False, "cannot"
    if _perception_needed(seen, settings):
        return False, "unknown"
    count = sum(notice.noticed and notice.reason != "unknown" for notice in seen)
    if count == 0:
        return True, "notices-none"
    if count < len(seen):
        return settings.surprise_reading == "misses_any_threat", (
            "misses-some" if settings.surprise_reading == "misses_any_threat" else "notices-some"
        )
    return False, "notices-all"


def _perception_needed(seen: tuple[Notice, ...], settings: Settings) -> bool:
    """Whether surprise turns on a passive Perception that nobody has told yet."""
    in_the_open = any(notice.reason == "not-hiding" for notice in seen)
    if in_the_open and settings.surprise_reading == "notices_no_threat":
        return False
    return any(notice.reason == "unknown" for notice in seen)


@dataclass(frozen=True, slots=True)
class Hide:
    """These combatants try to be discreet, with these results of Dexterity (Stealth).

    Raises `RuleError`: "stealth-out-of-range", "no-combatant", or by the fight's state.
    """

    stealth: Mapping[int, int]  # combatant's number -> result
    dice: Mapping[int, int] = field(default_factory=dict)  # the d20s behind them, for the log
    stop: tuple[int, ...] = ()  # these no longer do

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling")
        if any(result not in STEALTH_RANGE for result in self.stealth.values()):
            raise RuleError("stealth-out-of-range")
        hiders = [fight.combatant(number) for number in self.stealth]
        changed = fight.with_each(
            {fight.combatant(n).number: {"hiding": False, "stealth": None} for n in self.stop}
            | {number: {"hiding": True, "stealth": s} for number, s in self.stealth.items()}
        )
        results = [self.stealth[c.number] for c in hiders]
        return told(find_surprised(changed), "hid", who=names(hiders), results=results)


@dataclass(frozen=True, slots=True)
class StopHiding:
    """These combatants no longer try to be discreet."""

    targets: tuple[int, ...]

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling")
        who = [fight.combatant(number) for number in self.targets]
        changed = fight.with_each({n: {"hiding": False, "stealth": None} for n in self.targets})
        return told(find_surprised(changed), "stopped-hiding", who=names(who))


@dataclass(frozen=True, slots=True)
class OverrideSurprise:
    """The GM's word on one creature's surprise; it beats everything.

    In a running fight it takes effect at once, and ends with the creature's next turn.
    """

    target: int
    surprise: str  # auto | surprised | not-surprised

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        if self.surprise not in SURPRISE_WORDS:
            raise RuleError("no-such-choice")
        who = fight.combatant(self.target)
        changed = fight.with_combatant(self.target, surprise=self.surprise)
        if fight.state == "running":
            surprised = self.surprise == "surprised"
            lost = surprised and who.slot == fight.current
            changed = changed.with_combatant(self.target, surprised=surprised, lost_turn=lost)
        else:
            changed = find_surprised(changed)
        return told(changed, "surprise-set", who=names([who]), surprise=self.surprise)
