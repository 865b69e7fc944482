"""What *next turn* would do, told before it is pressed."""

from dataclasses import dataclass

from rules.combatant import Combatant, Due, Effect
from rules.fight import Fight, RuleError
from rules.turns import NextTurn, rolls_anew, until_the_dice
from rules.uses import legendary


@dataclass(frozen=True, slots=True)
class Preview:
    """The turn to come, and what ends or comes back with it."""

    slot: int | None  # None while new dice decide it
    round: int  # in which that turn is
    new_round: bool
    surprise_ends: tuple[Combatant, ...]
    effects_end: tuple[tuple[Combatant, Effect], ...]
    asked: tuple[tuple[Combatant, Due], ...]  # what will be due
    hit_points: tuple[tuple[Combatant, int], ...]  # regained, or below 0 lost
    reactions_return: tuple[Combatant, ...]
    legendary_return: tuple[Combatant, ...]  # whose legendary actions come back
    arrive: tuple[Combatant, ...]
    loses_turn: bool  # all of those whose turn it will be are surprised


def preview(fight: Fight) -> Preview | None:
    """What *next turn* would change, or None when nobody can act; nothing is changed."""
    anew = bool(rolls_anew(fight))
    try:
        after = until_the_dice(fight) if anew else NextTurn().run(fight).fight
    except RuleError:
        return None
    pairs = zip(fight.combatants, after.combatants, strict=True)
    changed = [(was, now) for was, now in pairs if was is not now]
    acting = [] if anew else [c for c in after.members(after.current) if not c.passed_over]
    return Preview(
        slot=None if anew else after.current,
        round=after.round,
        new_round=after.round > fight.round,
        surprise_ends=tuple(was for was, now in changed if was.surprised and not now.surprised),
        effects_end=tuple(pair for was, now in changed for pair in _ended(was, now)),
        asked=tuple((was, due) for was, now in changed for due in _asked(was, now)),
        hit_points=tuple((was, hp) for was, now in changed if (hp := _regained(was, now))),
        reactions_return=tuple(was for was, now in changed if now.reaction and not was.reaction),
        legendary_return=tuple(
            was for was, now in changed if _legendary_left(now) > _legendary_left(was)
        ),
        arrive=tuple(was for was, now in changed if was.awaited and not now.awaited),
        loses_turn=bool(acting) and all(c.surprised for c in acting),
    )


def _ended(was: Combatant, now: Combatant) -> list[tuple[Combatant, Effect]]:
    left = {effect.key for effect in now.effects}
    return [(was, effect) for effect in was.effects if effect.key not in left]


def _regained(was: Combatant, now: Combatant) -> int:
    """Hit points more than before, or below 0 fewer."""
    return 0 if was.hp is None or now.hp is None else now.hp - was.hp


def _legendary_left(who: Combatant) -> int:
    use = legendary(who)
    return use.left if use else 0


def _asked(was: Combatant, now: Combatant) -> list[Due]:
    """What is due now and was not; of the same twice what is more."""
    asked = list(now.dues)
    for due in was.dues:
        if due in asked:
            asked.remove(due)
    return asked
