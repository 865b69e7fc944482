"""Who in a running fight has not noticed whom, since the beginning or by the action *Hide*.

One effect on the hider names those who have not noticed it, with the Stealth result as its DC.
Source: DRS, "Combattre" / "Se cacher", "Attaquants et cibles invisibles"; SRD 5.1, "Hiding",
"Unseen Attackers and Targets"; SRD 5.2, "Hide", "Search".
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from rules.ability_checks import perception_mode
from rules.combatant import UNNOTICED, Combatant, Effect
from rules.consequences import exhaustion_penalty
from rules.fight import Fight, Outcome, RuleError, names, told
from rules.settings import HIDDEN_FROM
from rules.surprise import STEALTH_RANGE, notices


def who_misses(hider: Combatant, fight: Fight, stealth: int) -> tuple[int, ...]:
    """The numbers of its enemies who do not notice it with this result of Stealth."""
    trying, settings = replace(hider, hiding=True, stealth=stealth), fight.settings
    return tuple(
        c.number
        for c in fight.combatants
        if not (c.passed_over or c.unconscious)
        and fight.enemies(c, hider)
        and notices(c, trying, settings).reason == "missed"
    )


def hidden(fight: Fight, number: int, stealth: int) -> Fight:
    """The fight with this one unnoticed by those who miss it, and by nobody else."""
    who = fight.combatant(number)
    others = tuple(e for e in who.effects if e.code != UNNOTICED)
    missing = who_misses(who, fight, stealth)
    state = (Effect(UNNOTICED, dc=stealth, observers=missing),) if missing else ()
    return fight.with_combatant(number, effects=(*others, *state))


def hidden_at_first(fight: Fight) -> Fight:
    """The fight that begins, with all who hide unnoticed by those who miss them."""
    for c in fight.combatants:
        if c.hides and not (c.passed_over or c.incapacitated or c.is_lair):
            fight = hidden(fight, c.number, c.stealth or 0)
    return fight


def met(fight: Fight, newcomers: Iterable[int]) -> Fight:
    """The fight in which these, who have just come, miss whose Stealth beats their Perception."""
    new = set(newcomers)
    for hider in fight.combatants:
        state = next((e for e in hider.effects if e.code == UNNOTICED), None)
        if state is None:
            continue
        missing = new.intersection(who_misses(hider, fight, state.dc)).difference(state.observers)
        if missing:
            more = replace(state, observers=(*state.observers, *sorted(missing)))
            effects = tuple(more if e is state else e for e in hider.effects)
            fight = fight.with_combatant(hider.number, effects=effects)
    return fight


def found(fight: Fight, number: int, observer: int | None = None) -> Fight:
    """The fight with a hider noticed by this one, or by all."""
    who = fight.combatant(number)
    state = next((e for e in who.effects if e.code == UNNOTICED), None)
    if state is None:
        return fight
    left = tuple(n for n in state.observers if observer is not None and n != observer)
    kept = (replace(state, observers=left),) if left else ()
    others = tuple(e for e in who.effects if e.code != UNNOTICED)
    return fight.with_combatant(number, effects=(*others, *kept))


def revealed_by_attacking(fight: Fight, number: int) -> Outcome:
    """An attack tells where it came from, whether it hits or not."""
    who = fight.combatant(number)
    if not who.has(UNNOTICED):
        return Outcome(fight)
    return told(found(fight, number), "effect-ended", who=names([who]), effect=UNNOTICED)


def checked(
    fight: Fight, number: int, action: str, check: int | None, dice: tuple[int, ...]
) -> Outcome:
    """What a check of Stealth by *Hide*, or of Perception by *Search*, brings.

    Raises `RuleError("stealth-out-of-range")`.
    """
    if check is None or action not in ("hide", "search"):
        return Outcome(fight)
    if check not in STEALTH_RANGE:
        raise RuleError("stealth-out-of-range")
    who = names([fight.combatant(number)])
    facts = {"who": who, "result": check, "dice": list(dice)}
    if action == "search":
        seen = [c for c in unnoticed_enemies(fight, number) if _finds(check, c, fight)]
        for c in seen:
            fight = found(fight, c.number, number)
        return told(fight, "searched", **facts, found=names(seen))
    fight = hidden(fight, number, check)
    missing = fight.combatant(number).unnoticed_by
    by = names(c for c in fight.combatants if c.number in missing)
    low = fight.settings.edition == "2024" and check < HIDDEN_FROM
    return told(fight, "tried-to-hide", **facts, by=by, low=low)


def unnoticed_enemies(fight: Fight, observer: int) -> list[Combatant]:
    """Those whom this one has not noticed."""
    return [c for c in fight.combatants if observer in c.unnoticed_by]


def _finds(check: int, hider: Combatant, fight: Fight) -> bool:
    dc = next(e.dc for e in hider.effects if e.code == UNNOTICED)
    return check > dc or (check == dc and fight.settings.equal_is_noticed)


def perception_check(
    who: Combatant, fight: Fight, d20: Callable[[], int]
) -> tuple[int, tuple[int, ...]] | None:
    """A Wisdom (Perception) check with its d20s, by its passive score; None where nobody knows it.

    Its advantage or disadvantage on the passive score stands for that on the check.
    """
    if who.passive_perception is None:
        return None
    kind = perception_mode(who, fight.settings).kind
    dice = (d20(), d20()) if kind else (d20(),)
    die = max(dice) if kind == "advantage" else min(dice)
    added = who.passive_perception - 10 - exhaustion_penalty(who, fight.settings)
    return die + added, dice
