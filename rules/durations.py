"""What the beginning and the end of a turn do to effects: counting, ending, asking, hurting.

An effect names whose turns count and which edge of them; a turn that was on when it was put on
never counts. Source: DRS, "Combattre" / "Ordre de jeu"; SRD 5.1, "Duration".
"""

from collections.abc import Iterable
from dataclasses import replace

from rules.combatant import Combatant, Due, Effect, few
from rules.consequences import over
from rules.damage import Damage, Heal
from rules.dice import roll
from rules.dying import not_regenerated
from rules.fight import Event, Fight, Outcome, RuleError


def edge_passed(fight: Fight, members: Iterable[Combatant], edge: str, *, acting: bool) -> Outcome:
    """The "start" or the "end" of these combatants' turn, which may be one they do not have.

    `acting` of those who have it: they are asked for saves, hurt and healed. What has counted in
    this round without the turn does not count again with it.
    """
    own = {c.number for c in members}
    bearers = [c for c in fight.combatants if c.effects]
    if not acting:
        return _counted(fight, bearers, own, edge, without=fight.round)
    turning = [c.number for c in bearers if c.number in own and not c.passed_over]
    if edge == "end":  # the last turn still hurts
        turned = _turns_of(fight, turning, edge)
        counted = _counted(turned.fight, bearers, own, edge)
        return Outcome(counted.fight, (*turned.events, *counted.events))
    counted = _counted(fight, bearers, own, edge)
    turned = _turns_of(counted.fight, turning, edge)
    return Outcome(turned.fight, (*counted.events, *turned.events))


def _turns_of(fight: Fight, numbers: Iterable[int], edge: str) -> Outcome:
    events: list[Event] = []
    for number in numbers:
        turned = _turn_of(fight, number, edge)
        fight = turned.fight
        events += turned.events
    return Outcome(fight, tuple(events))


def _counted(
    fight: Fight, bearers: list[Combatant], own: set[int], edge: str, *, without: int = 0
) -> Outcome:
    """Effects that wait for this edge have a turn less, or are over.

    `without`: the round, where nobody has this turn.
    """
    events: list[Event] = []
    for bearer in bearers:
        now_on = fight.combatant(bearer.number).effects  # a concentration's end may have come first
        meant = [e for e in now_on if waits_for(e, bearer, own, edge)]
        ended = tuple(e for e in meant if _over(e, fight.round))
        if meant:
            less = {e: _with_less(e, fight.round, without) for e in meant}
            now = tuple(less[e] if e in less and e not in ended else e for e in now_on)
            fight = fight.with_combatant(bearer.number, effects=now)
        if ended:
            gone = over(fight, bearer.number, ended)
            fight = gone.fight
            events += gone.events
    return Outcome(fight, tuple(events))


def waits_for(effect: Effect, bearer: Combatant, own: set[int], edge: str) -> bool:
    """Whether this edge of the turn of one of these counts for an effect."""
    whose = bearer.number if effect.whose is None else effect.whose
    return effect.ends == edge and whose in own


def _over(effect: Effect, now: int) -> bool:
    if effect.skips or effect.counted == now:
        return False
    return now >= effect.until_round if effect.until_round else effect.turns <= 1


def _with_less(effect: Effect, now: int, without: int) -> Effect:
    fewer = 0 if effect.skips or effect.until_round or effect.counted == now else 1
    return replace(effect, skips=False, counted=without, turns=effect.turns - fewer)


def _turn_of(fight: Fight, number: int, edge: str) -> Outcome:
    """What its own turn's edge brings a bearer: saves to make, hit points lost or regained."""
    events: list[Event] = []
    for effect in fight.combatant(number).effects:
        if effect not in fight.combatant(number).effects:  # gone with what another has done
            continue
        asked: list[Due] = []
        if effect.save and effect.save_at == edge:
            asked.append(_due("save", effect, effect.dc, effect.save))
        if effect.stopped and effect.each_at == edge:
            fight = _works_again(fight, number, effect)
        elif effect.each and effect.each_at == edge and not _idle(fight.combatant(number), effect):
            if effect.offered or "d" in effect.each.lower():  # dice are for the GM to roll
                asked.append(_due("each", effect))
            else:
                applied = each_turn(fight, number, effect, roll(effect.each, _no_die).total)
                fight = applied.fight
                events += applied.events
        if effect in fight.combatant(number).effects:
            fight = with_dues(fight, number, *asked)
    ended = _regenerated(fight, number, edge)
    return Outcome(ended.fight, (*events, *ended.events))


def _idle(who: Combatant, effect: Effect) -> bool:
    """Whether there is nothing to regain: it is unhurt, or at 0 where that is too late."""
    return effect.heals and (who.hp == who.max_hp or (effect.needs_hp and not who.hp))


def _works_again(fight: Fight, number: int, effect: Effect) -> Fight:
    """What was kept back once is so no more."""
    effects = fight.combatant(number).effects
    free = tuple(replace(e, stopped=False) if e.key == effect.key else e for e in effects)
    return fight.with_combatant(number, effects=free)


def _regenerated(fight: Fight, number: int, edge: str) -> Outcome:
    """Whoever lies at 0 as its turn has begun is dead, unless its hit points are still due."""
    due = {(d.effect, d.text, d.source) for d in fight.combatant(number).dues if d.kind == "each"}
    waits = any(e.heals and e.key in due for e in fight.combatant(number).effects)
    return Outcome(fight) if edge == "end" or waits else not_regenerated(fight, number)


def _no_die(_sides: int) -> int:
    """The chance of a number without dice."""
    raise AssertionError


def _due(kind: str, effect: Effect, dc: int = 0, ability: str = "") -> Due:
    return Due(kind, dc, ability, effect.code, effect.text, effect.source)


def with_dues(fight: Fight, number: int, *asked: Due) -> Fight:
    """These are due of a combatant; what is due already is not due twice."""
    dues = fight.combatant(number).dues
    new = tuple(due for due in asked if due not in dues)
    return fight.with_combatant(number, dues=few((*dues, *new))) if new else fight


def each_turn(
    fight: Fight, number: int, effect: Effect, amount: int, dice: tuple[int, ...] = ()
) -> Outcome:
    """An effect's hit points of a turn, lost or regained; nothing where they are not known.

    Dice may come to less than 0, which is none.
    """
    amount = max(0, amount)
    try:
        if effect.heals:
            if effect.needs_hp and not fight.combatant(number).hp:
                return Outcome(fight)
            return Heal(number, amount, dice).change(fight)
        return Damage(number, amount, dice, effect.each_type, by=effect.source).change(fight)
    except RuleError:
        return Outcome(fight)
