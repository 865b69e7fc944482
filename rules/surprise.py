"""Surprise: who hides, who notices whom, and who is surprised, creature by creature.

Source: DRS, chapter "Combattre" / "Surprise", and "Perception passive"; SRD 5.1, "Surprise";
SRD 5.2, "Surprise" and "Hide".
"""

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

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
    settings, found = fight.settings, judged(fight)
    living = [c for c in fight.combatants if c.number in found]
    enemies = _enemies(fight, living)
    return tuple(
        Watch(c.number, tuple(notices(c, e, settings) for e in enemies[c.side]), *found[c.number])
        for c in living
    )


def judged(fight: Fight) -> dict[int, tuple[bool, str]]:
    """Whether each combatant that can still fight is surprised, and the reason."""
    living = [c for c in fight.combatants if not (c.passed_over or c.is_lair)]
    settings = fight.settings
    foes = {side: _foes(own, settings) for side, own in _enemies(fight, living).items()}
    anyone_hides = any(c.hiding and c.stealth is not None for c in living)
    return {c.number: _judged(c, foes[c.side], anyone_hides, settings) for c in living}


def _enemies(fight: Fight, living: list[Combatant]) -> dict[str, list[Combatant]]:
    """Those whom each side has against it."""
    one_of_each = {c.side: c for c in living}
    return {
        side: [other for other in living if fight.enemies(one, other)]
        for side, one in one_of_each.items()
    }


def still_hidden(combatant: Combatant, fight: Fight) -> bool:
    """Whether it hides, and no enemy that can still fight has noticed it."""
    if not combatant.hiding or combatant.stealth is None:
        return False
    watching = [c for c in fight.combatants if not c.passed_over and fight.enemies(c, combatant)]
    settings = fight.settings
    return not any(notices(c, combatant, settings).noticed for c in watching)


def find_surprised(fight: Fight) -> Fight:
    """The fight with everybody's surprise decided anew from what is known now."""
    surprised = {number for number, (surprised, _reason) in judged(fight).items() if surprised}
    return fight.with_each(
        {
            c.number: {"surprised": not c.surprised}
            for c in fight.combatants
            if c.surprised != (c.number in surprised)
        }
    )


def found_again(fight: Fight) -> Fight:
    """The fight with surprise decided anew as long as that is still open."""
    return find_surprised(fight) if fight.state == "rolling" else fight


class BearsOnSurprise(ABC):
    """A command on which surprise hangs as long as that is open: it is found anew after it."""

    __slots__ = ()

    @abstractmethod
    def change(self, fight: Fight) -> Outcome:
        """What the command does itself; raises as the command."""

    def run(self, fight: Fight) -> Outcome:
        changed = self.change(fight)
        return replace(changed, fight=found_again(changed.fight))


@dataclass(frozen=True, slots=True)
class _Foes:
    """What those whom one side has against it are for all who watch on that side."""

    in_the_open: int  # how many do not hide, or too badly
    stealths: list[int]  # the results of the others, in ascending order
    tried: bool  # somebody tries to hide, however badly


def _foes(enemies: list[Combatant], settings: Settings) -> _Foes:
    least = HIDDEN_FROM if settings.edition == "2024" else STEALTH_RANGE.start
    tried = [e.stealth for e in enemies if e.hiding and e.stealth is not None]
    stealths = sorted(stealth for stealth in tried if stealth >= least)
    return _Foes(len(enemies) - len(stealths), stealths, bool(tried))


def _judged(
    observer: Combatant, foes: _Foes, anyone_hides: bool, settings: Settings
) -> tuple[bool, str]:
    if observer.surprise != "auto":
        return observer.surprise == "surprised", "by-hand"
    count = foes.in_the_open + len(foes.stealths)
    if not count:
        return False, "no-enemy"
    if not anyone_hides or (observer.unconscious and not foes.tried):
        return False, "nobody-hides"
    if observer.cannot_be_surprised:
        return False, "cannot"
    any_threat = settings.surprise_reading == "misses_any_threat"
    if _perception_needed(observer, foes, any_threat):
        return False, "unknown"
    noticed = _noticed(observer, foes, settings)
    if noticed == 0:
        return True, "notices-none"
    if noticed < count:
        return any_threat, "misses-some" if any_threat else "notices-some"
    return False, "notices-all"


def _perception_needed(observer: Combatant, foes: _Foes, any_threat: bool) -> bool:
    """Whether surprise turns on a passive Perception that nobody has told yet."""
    if observer.passive is not None or observer.unconscious or not foes.stealths:
        return False
    return any_threat or not foes.in_the_open


def _noticed(observer: Combatant, foes: _Foes, settings: Settings) -> int:
    """How many of them it notices: the rule of `notices`, counted for all at once."""
    if observer.unconscious:
        return 0
    if observer.passive is None:
        return foes.in_the_open
    below = bisect_right if settings.equal_is_noticed else bisect_left
    return foes.in_the_open + below(foes.stealths, observer.passive)


def roll_stealth(
    fight: Fight, numbers: Iterable[int], d20: Callable[[], int]
) -> tuple[dict[int, int], dict[int, tuple[int, ...]]]:
    """Stealth results for these combatants, and the d20s behind each.

    Each rolls its own, or identical creatures one for all where the table plays it so. Raises
    `RuleError("stealth-bonus-unknown")`.
    """
    hiders = [fight.combatant(number) for number in numbers]
    unknown = [c for c in hiders if c.adds_to_stealth is None]
    if unknown:
        raise RuleError("stealth-bonus-unknown", who=names(unknown))
    shared: dict[object, tuple[int, ...]] = {}
    dice: dict[int, tuple[int, ...]] = {}
    for c in hiders:
        alike = (c.creature, c.name, c.side, c.adds_to_stealth, c.stealth_roll)
        one_for_all = fight.settings.group_stealth == "one_die" and c.creature
        group = alike if one_for_all else c.number
        if group not in shared:
            shared[group] = (d20(), d20()) if c.stealth_roll else (d20(),)
        dice[c.number] = shared[group]
    return {c.number: _counted(c, dice[c.number]) + (c.adds_to_stealth or 0) for c in hiders}, dice


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
class OverrideSurprise(BearsOnSurprise):
    """The GM's word on one creature's surprise; it beats everything.

    In a running fight it takes effect at once, and ends with the creature's next turn. Raises
    `RuleError`: "no-such-choice", "surprise-is-over" for one to be surprised in a running fight of
    edition 2024, where surprise counts for the initiative alone.
    """

    target: int
    surprise: str  # auto | surprised | not-surprised

    def change(self, fight: Fight) -> Outcome:
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
        elif fight.state == "preparing":
            changed = find_surprised(changed)
        return told(changed, "surprise-set", who=names([who]), surprise=self.surprise)
