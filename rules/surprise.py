"""Surprise: who hides, who notices whom, and who is surprised, creature by creature.

Source: DRS, chapter "Combattre" / "Surprise", and "Perception passive"; SRD 5.1, "Surprise";
SRD 5.2, "Surprise" and "Hide".
"""

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

from rules.ability_checks import passive
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
    reason: str
    # not-hiding | too-low | unconscious | unknown | noticed | missed | no-threat
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
    unconscious notice nobody, and are no threat to be noticed.
    """
    score = passive(observer, settings)
    stealth = enemy.stealth if enemy.hiding else None
    if enemy.unconscious:
        return Notice(enemy.number, False, "no-threat", score, stealth)
    if observer.unconscious:
        return Notice(enemy.number, False, "unconscious", score, stealth)
    if stealth is None:
        return Notice(enemy.number, True, "not-hiding")
    if settings.edition == "2024" and stealth < HIDDEN_FROM:
        return Notice(enemy.number, True, "too-low", score, stealth)
    if score is None:
        return Notice(enemy.number, True, "unknown", score, stealth)
    noticed = score > stealth or (score == stealth and settings.equal_is_noticed)
    return Notice(enemy.number, noticed, "noticed" if noticed else "missed", score, stealth)


def watches(fight: Fight) -> tuple[Watch, ...]:
    """The notice matrix: a row for each combatant that can still fight."""
    settings, found = fight.settings, judged(fight)
    living = [c for c in fight.combatants if c.number in found]
    enemies = _enemies(fight, living, living)
    return tuple(
        Watch(c.number, tuple(notices(c, e, settings) for e in enemies[c.side]), *found[c.number])
        for c in living
    )


def judged(fight: Fight) -> dict[int, tuple[bool, str]]:
    """Whether each combatant that can still fight is surprised, and the reason."""
    living = [c for c in fight.combatants if not (c.passed_over or c.is_lair)]
    settings = fight.settings
    threats = [c for c in living if not c.unconscious]
    foes = {side: _foes(own, settings) for side, own in _enemies(fight, living, threats).items()}
    anyone_hides = any(c.hides for c in threats)
    return {c.number: _judged(c, foes[c.side], anyone_hides, settings) for c in living}


def _enemies(
    fight: Fight, living: list[Combatant], others: list[Combatant]
) -> dict[str, list[Combatant]]:
    """Those of the others whom each side has against it."""
    one_of_each = {c.side: c for c in living}
    return {
        side: [other for other in others if fight.enemies(one, other)]
        for side, one in one_of_each.items()
    }


def still_hidden(combatant: Combatant, fight: Fight) -> bool:
    """Whether it hides, and no enemy that can still fight has noticed it."""
    watching = [c for c in fight.combatants if not c.passed_over and fight.enemies(c, combatant)]
    if fight.state == "running":
        awake = [c.number for c in watching if not c.unconscious]
        return bool(awake) and set(combatant.unnoticed_by).issuperset(awake)
    if not combatant.hides:
        return False
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
    score = passive(observer, settings)
    if score is None and _perception_needed(observer, foes, any_threat):
        return False, "unknown"
    noticed = 0 if observer.unconscious else _noticed(score, foes, settings)
    if noticed == 0:
        return True, "notices-none"
    if noticed < count:
        return any_threat, "misses-some" if any_threat else "notices-some"
    return False, "notices-all"


def _perception_needed(observer: Combatant, foes: _Foes, any_threat: bool) -> bool:
    """Whether surprise turns on a passive Perception that nobody has told yet."""
    if observer.unconscious or not foes.stealths:
        return False
    return any_threat or not foes.in_the_open


def _noticed(score: int | None, foes: _Foes, settings: Settings) -> int:
    """How many of them this passive score notices: the rule of `notices`, for all at once."""
    if score is None:
        return foes.in_the_open
    below = bisect_right if settings.equal_is_noticed else bisect_left
    return foes.in_the_open + below(foes.stealths, score)


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
