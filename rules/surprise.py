"""Surprise: who hides, who notices whom, and who is surprised, creature by creature.

Source: DRS, chapter "Combattre" / "Surprise", and "Perception passive"; SRD 5.1, "Surprise";
SRD 5.2, "Surprise" and "Hide".
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from rules.combatant import Combatant
from rules.fight import Fight, Outcome, RuleError, names, told
from rules.settings import HIDDEN_FROM, Settings

SURPRISE_WORDS = ("auto", "surprised", "not-surprised")
STEALTH_RANGE = range(-99, 1_000)


@dataclass(frozen=True, slots=True)
class Notice:
    """Whether an observer notices an enemy, and why."""

    enemy: int  # combatant's number
    noticed: bool
    reason: str  # not-hiding | too-low | unconscious | unknown | noticed | missed
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
    passive = observer.passive
    stealth = enemy.stealth if enemy.hiding else None
    if observer.unconscious:
        return Notice(enemy.number, False, "unconscious", passive, stealth)
    if stealth is None:
        return Notice(enemy.number, True, "not-hiding")
    if settings.edition == "2024" and stealth < HIDDEN_FROM:
        return Notice(enemy.number, True, "too-low", passive, stealth)
    if passive is None:
        return Notice(enemy.number, True, "unknown", passive, stealth)
    noticed = passive > stealth or (passive == stealth and settings.equal_is_noticed)
    return Notice(enemy.number, noticed, "noticed" if noticed else "missed", passive, stealth)


def watches(fight: Fight) -> tuple[Watch, ...]:
    """The notice matrix: a row for each combatant that can still fight."""
    living = [c for c in fight.combatants if not (c.passed_over or c.is_lair)]
    anyone_hides = any(c.hiding and c.stealth is not None for c in living)
    settings = fight.settings
    enemies = {c.side: [e for e in living if fight.enemies(c, e)] for c in living}
    return tuple(_watch(c, enemies[c.side], anyone_hides, settings) for c in living)


def still_hidden(combatant: Combatant, fight: Fight) -> bool:
    """Whether it hides, and no enemy that can still fight has noticed it."""
    if not combatant.hiding or combatant.stealth is None:
        return False
    watching = [c for c in fight.combatants if not c.passed_over and fight.enemies(c, combatant)]
    return not any(notices(c, combatant, fight.settings).noticed for c in watching)


def find_surprised(fight: Fight) -> Fight:
    """The fight with everybody's surprise decided anew from what is known now."""
    found = {watch.observer: watch.surprised for watch in watches(fight)}
    changes = {
        c.number: {"surprised": found.get(c.number, False)}
        for c in fight.combatants
        if c.surprised != found.get(c.number, False)
    }
    return fight.with_each(changes)


def found_again(fight: Fight) -> Fight:
    """The fight with surprise decided anew as long as that is still open."""
    return find_surprised(fight) if fight.state == "rolling" else fight


def _watch(
    observer: Combatant, enemies: list[Combatant], anyone_hides: bool, settings: Settings
) -> Watch:
    seen = tuple(notices(observer, enemy, settings) for enemy in enemies)
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
    if not anyone_hides or (observer.unconscious and not from_it):
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
    in_the_open = any(notice.reason in ("not-hiding", "too-low") for notice in seen)
    if in_the_open and settings.surprise_reading == "notices_no_threat":
        return False
    return any(notice.reason == "unknown" for notice in seen)


def roll_stealth(
    fight: Fight, numbers: Iterable[int], d20: Callable[[], int]
) -> tuple[dict[int, int], dict[int, tuple[int, ...]]]:
    """Stealth results for these combatants, and the d20s behind each.

    Each rolls its own, or identical creatures one for all where the table plays it so. Raises
    `RuleError("stealth-bonus-unknown")`.
    """
    hiders = [fight.combatant(number) for number in numbers]
    unknown = [c for c in hiders if c.stealth_bonus is None]
    if unknown:
        raise RuleError("stealth-bonus-unknown", who=names(unknown))
    shared: dict[object, tuple[int, ...]] = {}
    dice: dict[int, tuple[int, ...]] = {}
    for c in hiders:
        alike = (c.creature, c.name, c.side, c.stealth_bonus, c.stealth_roll)
        one_for_all = fight.settings.group_stealth == "one_die" and c.creature
        group = alike if one_for_all else c.number
        if group not in shared:
            shared[group] = (d20(), d20()) if c.stealth_roll else (d20(),)
        dice[c.number] = shared[group]
    return {c.number: _counted(c, dice[c.number]) + (c.stealth_bonus or 0) for c in hiders}, dice


def _counted(combatant: Combatant, dice: tuple[int, ...]) -> int:
    """The die that counts: with advantage the higher, with disadvantage the lower."""
    return max(dice) if combatant.stealth_roll == "advantage" else min(dice)


@dataclass(frozen=True, slots=True)
class Hide:
    """These combatants try to be discreet, with these results of Dexterity (Stealth).

    Raises `RuleError`: "stealth-out-of-range", "no-combatant", or by the fight's state.
    """

    stealth: Mapping[int, int]  # combatant's number -> result
    dice: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # the d20s, for the log
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
        dice = [list(self.dice.get(c.number, ())) for c in hiders]
        changed = find_surprised(changed)
        return told(changed, "hid", who=names(hiders), results=results, dice=dice)


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

    In a running fight it takes effect at once, and ends with the creature's next turn. Raises
    `RuleError`: "no-such-choice", "surprise-is-over" for one to be surprised in a running fight of
    edition 2024, where surprise counts for the initiative alone.
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
            if surprised and fight.settings.edition == "2024":
                raise RuleError("surprise-is-over")
            lost = surprised and who.slot == fight.home(fight.current)
            changed = changed.with_combatant(self.target, surprised=surprised, lost_turn=lost)
        else:
            changed = find_surprised(changed)
        return told(changed, "surprise-set", who=names([who]), surprise=self.surprise)
