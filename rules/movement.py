"""Moving on a turn, crawling, difficult terrain, and standing up, in feet.

Source: DRS, "Combattre" / "Déplacement et position"; SRD 5.1 and 5.2, "Movement and Position".
"""

from dataclasses import dataclass

from rules.combatant import WALK, Combatant
from rules.consequences import lifted
from rules.damage import AMOUNT_LIMIT
from rules.economy import Means, means
from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.settings import Settings


@dataclass(frozen=True, slots=True)
class Move:
    """Use feet of this turn's movement, or, below 0, give them back.

    A foot costs one more in difficult terrain, and one more for who crawls, as the prone always
    do. Moving further than its speed is allowed, and told. Raises `RuleError`:
    "amount-out-of-range", "turn-is-lost" for the surprised.
    """

    target: int
    feet: int
    crawling: bool = False
    difficult: bool = False

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        cost = self.feet * (1 + (self.crawling or who.has("prone")) + self.difficult)
        if abs(self.feet) > AMOUNT_LIMIT or who.moved + cost > AMOUNT_LIMIT:
            raise RuleError("amount-out-of-range", limit=AMOUNT_LIMIT)
        if means(who, fight).lost_to == "surprised":
            raise RuleError("turn-is-lost", who=names([who]))
        return _walked(fight, who, self.feet, cost)


@dataclass(frozen=True, slots=True)
class ChooseSpeed:
    """Move another way from now on; what it has moved already counts (SRD 5.1, 5.2, "Movement").

    Raises `RuleError`: "no-such-choice" for a way that it does not have.
    """

    target: int
    way: str  # walk | fly | swim | climb | burrow

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        if self.way != WALK and self.way not in who.speeds:
            raise RuleError("no-such-choice")
        if self.way == who.way:
            return Outcome(fight)
        changed = fight.with_combatant(self.target, moving=self.way)
        feet = dict(means(who, fight).ways)[self.way]
        return told(changed, "speed-chosen", who=names([who]), way=self.way, feet=feet)


@dataclass(frozen=True, slots=True)
class StandUp:
    """Get up from prone, for half the speed on foot, or for nothing where the GM says so.

    Half of an odd number of feet is kept as it is in 2014, and rounded down in 2024. Raises
    `RuleError`: "effect-is-gone" when it is not prone, "cannot-stand" at a speed of 0,
    "too-far-to-stand" with less movement left than it takes.
    """

    target: int
    anyway: bool = False  # the GM's word: it costs nothing

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        who = fight.combatant(self.target)
        if not who.has("prone"):
            raise RuleError("effect-is-gone")
        cost = 0.0 if self.anyway else self._cost(fight, who)
        walked = _walked(fight, who, cost, cost)
        prone = tuple(effect for effect in who.effects if effect.code == "prone")
        changed = lifted(walked.fight, self.target, prone)
        return Outcome(changed, (Event("stood-up", {"who": names([who])}), *walked.events))

    def _cost(self, fight: Fight, who: Combatant) -> float:
        left = means(who, fight)
        if _on_foot(left) == 0:
            raise RuleError("cannot-stand", who=names([who]))
        cost = standing_up(left, fight.settings)
        if left.allowed is not None and who.moved + cost > left.allowed:
            raise RuleError("too-far-to-stand", who=names([who]), feet=cost)
        return cost


def standing_up(left: Means, settings: Settings) -> float:
    """Feet that it takes whoever has this left of a turn."""
    speed = _on_foot(left) or 0
    return speed // 2 if settings.edition == "2024" else speed / 2


def _on_foot(left: Means) -> int | None:
    """Its speed, or that of the way it moves where it cannot walk."""
    return left.ways[0][1] or left.speed


def _walked(fight: Fight, who: Combatant, feet: float, cost: float) -> Outcome:
    moved = max(0, who.moved + cost)
    changed = fight.with_combatant(who.number, moved=moved)
    allowed = means(who, fight).allowed
    over = max(0, moved - allowed) if allowed is not None else 0
    facts = {"cost": cost} if cost != feet else {}
    return told(changed, "walked", who=names([who]), feet=feet, moved=moved, over=over, **facts)
