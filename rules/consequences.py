"""What follows from a change of a creature's state, whatever has changed it.

The incapacitated lose their concentration, with all that hangs on it, and what they held ready;
they dodge and hide no more, and let go of whom they grapple. Source: DRS, "Lancer des sorts" /
"Concentration", "États"; SRD 5.1, 5.2.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from rules.combatant import UNNOTICED, WALK, Combatant, Effect
from rules.conditions import BRINGS, STUCK
from rules.fight import Event, Fight, Outcome, names
from rules.settings import Settings

HALVED_AT = 4  # level of exhaustion that halves the maximum of HP (2014)
EXHAUSTED_AT = 3  # level that gives attacks and saves disadvantage (2014)


def speed_of(combatant: Combatant, settings: Settings, way: str = "") -> int | None:
    """Feet a turn that way, "" for how it moves now, with what its effects leave of them.

    They bear on every speed alike (SRD 5.1 and 5.2, "Movement"). None when nobody knows it.
    """
    if combatant.down or combatant.has(*STUCK[settings.edition]):
        return 0
    way, exhaustion = way or combatant.way, combatant.level("exhaustion")
    speed = combatant.speed if way == WALK else combatant.speeds.get(way)
    if speed is None or not exhaustion:
        return speed
    if settings.edition == "2024":
        return max(0, speed - 5 * exhaustion)
    return 0 if exhaustion >= 5 else speed // 2 if exhaustion >= 2 else speed


def exhaustion_penalty(combatant: Combatant, settings: Settings) -> int:
    """What exhaustion takes from a d20 roll: 2 a level (2024)."""
    return 2 * combatant.level("exhaustion") if settings.edition == "2024" else 0


def without(combatant: Combatant, *codes: str) -> tuple[Effect, ...]:
    """Its effects but these."""
    return tuple(effect for effect in combatant.effects if effect.code not in codes)


def with_consequences(fight: Fight, numbers: Iterable[int]) -> Outcome:
    """The fight with what follows from the state of these combatants now."""
    events: list[Event] = []
    for number in numbers:
        fight = halved(fight, number)
        who = fight.combatant(number)
        if changes := _outlived(who):
            fight = fight.with_combatant(number, **changes)
            events += [Event("died", {"who": names([who])})] if "dead" in changes else []
            who = fight.combatant(number)
        stopped = who.incapacitated or speed_of(who, fight.settings) == 0
        if stopped and who.has("dodging"):
            fight = fight.with_combatant(number, effects=without(who, "dodging"))
        if who.incapacitated:
            lost = _lost(fight, number)
            fight = lost.fight
            events += lost.events
    return Outcome(fight, tuple(events))


def _lost(fight: Fight, number: int) -> Outcome:
    """One who is incapacitated holds on to nothing, and hides no more."""
    lost = concentration_ended(fight, number)
    let_go = _released(lost.fight, number)
    events = (*lost.events, *let_go.events)
    who = let_go.fight.combatant(number)
    if not who.has("readied"):
        return Outcome(let_go.fight, events)
    free = let_go.fight.with_combatant(number, effects=without(who, "readied"))
    return Outcome(free, (*events, Event("readied-lost", {"who": names([who])})))


def whole_maximum(who: Combatant) -> int:
    """Its maximum of hit points without what exhaustion takes of it; 0 where it is not known."""
    return (who.max_hp or 0) + sum(effect.took for effect in who.effects)


def with_whole_maximum(who: Combatant, maximum: int | None) -> Combatant:
    """This one with another maximum, of which exhaustion has taken nothing yet."""
    effects = tuple(replace(e, took=0) if e.took else e for e in who.effects)
    return replace(who, max_hp=maximum, effects=effects)


def halved(fight: Fight, number: int) -> Fight:
    """The fight with what exhaustion leaves of a maximum: half of it from level 4 on, at least 1.

    Source: SRD 5.1, "Exhaustion"; edition 2024 takes nothing of it.
    """
    who = fight.combatant(number)
    worst = max((e for e in who.effects if e.code == "exhaustion"), key=_level, default=None)
    whole = whole_maximum(who)
    if worst is None or not whole:
        return fight
    halves = worst.level >= HALVED_AT and fight.settings.edition == "2014"
    left = max(1, whole // 2) if halves else whole
    if left == who.max_hp:
        return fight
    took = {worst: whole - left}
    effects = tuple(replace(e, took=took.get(e, 0)) for e in who.effects)
    hp = None if who.hp is None else min(who.hp, left)
    return fight.with_combatant(number, effects=effects, max_hp=left, hp=hp)


def _level(effect: Effect) -> int:
    return effect.level


def _outlived(who: Combatant) -> dict[str, object]:
    """What is over with dying, with lying at 0 hit points, and with a concentration.

    A maximum of 0 hit points kills.
    """
    dead = who.dead or who.max_hp == 0
    dying = who.dying and not dead
    over = {"death": not (dying and who.falls), "concentration": not who.has("concentration")}
    now = {
        "dead": dead,
        "death_successes": who.death_successes if dying else 0,
        "death_failures": who.death_failures if dying else 0,
        "stable": not dead and _still_stable(who),
        "dues": tuple(due for due in who.dues if not over.get(due.kind)),
    }
    return {name: value for name, value in now.items() if value != getattr(who, name)}


def _still_stable(who: Combatant) -> bool:
    """At 0 hit points, or knocked out and not yet awake."""
    return who.stable and (who.hp == 0 or (bool(who.hp) and who.has("unconscious")))


def concentration_ended(fight: Fight, number: int) -> Outcome:
    """One creature concentrates no more: what hung on it is gone everywhere."""
    if not fight.combatant(number).has("concentration"):
        return Outcome(fight)

    def ends(bearer: Combatant, effect: Effect) -> bool:
        own = bearer.number == number and effect.code == "concentration"
        return own or (effect.hangs and effect.source == number)

    ended = effects_ended(fight, ends)
    who = ended.fight.combatant(number)
    dues = tuple(due for due in who.dues if due.kind != "concentration")
    return Outcome(ended.fight.with_combatant(number, dues=dues), ended.events)


def over(fight: Fight, number: int, ended: tuple[Effect, ...], *, by_hand: bool = False) -> Outcome:
    """These effects of a combatant are over, told by hand one by one.

    A concentration among them takes along what hung on it; a spell held ready is one.
    """
    bearer = fight.combatant(number)
    ended = with_what_they_brought(fight, bearer, ended)
    own = tuple(effect for effect in ended if effect.code != "concentration")
    events = _told_by_hand(fight, bearer, own) if by_hand else told_ended(bearer, own)
    fight = lifted(fight, number, own)
    if not any(effect.code == "concentration" or holds_spell(effect) for effect in ended):
        return Outcome(fight, tuple(events))
    lost = concentration_ended(fight, number)
    return Outcome(lost.fight, (*events, *lost.events))


def holds_spell(effect: Effect) -> bool:
    """Whether it is a spell held ready, which takes concentration."""
    return effect.code == "readied" and effect.hangs


def let_go(fight: Fight, numbers: Iterable[int]) -> Outcome:
    """These are gone from where they stood: whom they grappled they grapple no more."""
    gone = set(numbers)
    return effects_ended(fight, lambda _bearer, e: e.code == "grappled" and e.source in gone)


def _released(fight: Fight, number: int) -> Outcome:
    """What ends with one who is incapacitated or dead: grapples, its hiding, in 2024 *turned*."""
    codes = ("grappled", "turned") if fight.settings.edition == "2024" else ("grappled",)

    def ends(bearer: Combatant, effect: Effect) -> bool:
        held = effect.code in codes and effect.source == number
        return held or (effect.code == UNNOTICED and bearer.number == number)

    return effects_ended(fight, ends)


def with_what_they_brought(
    fight: Fight, bearer: Combatant, ended: tuple[Effect, ...]
) -> tuple[Effect, ...]:
    """These effects, and those of its conditions that came with them and end with them."""
    edition = fight.settings.edition
    gone = {(c, e.source) for e in ended for c in BRINGS.get((e.code, edition), ())}
    if not gone:
        return ended
    brought = (e for e in bearer.effects if (e.code, e.source) in gone and not e.text)
    return tuple(dict.fromkeys((*ended, *brought)))


def effects_ended(fight: Fight, ends: Callable[[Combatant, Effect], bool]) -> Outcome:
    """All effects in the fight of which this holds are gone, and with them what is due of them."""
    events: list[Event] = []
    for bearer in fight.combatants:
        ended = tuple(effect for effect in bearer.effects if ends(bearer, effect))
        if ended:
            ended = with_what_they_brought(fight, bearer, ended)
            fight = lifted(fight, bearer.number, ended)
            events += told_ended(bearer, ended)
    return Outcome(fight, tuple(events))


def lifted(fight: Fight, number: int, ended: tuple[Effect, ...]) -> Fight:
    """A combatant without these effects: what they took of its maximum is back.

    One knocked out who is unconscious no more is awake.
    """
    who = fight.combatant(number)
    keys = {effect.key for effect in ended}
    left = tuple(effect for effect in who.effects if effect.key not in keys)
    dues = tuple(d for d in who.dues if (d.effect, d.text, d.source) not in keys)
    took = sum(effect.took for effect in who.effects if effect.key in keys)
    maximum = None if who.max_hp is None else who.max_hp + took
    stable = _still_stable(replace(who, effects=left))
    return fight.with_combatant(number, effects=left, dues=dues, max_hp=maximum, stable=stable)


def told_ended(bearer: Combatant, ended: Iterable[Effect]) -> list[Event]:
    """An event for each effect that is gone, with its last source; own words bring theirs."""
    ended = tuple(ended)
    left = {(e.code, e.text) for e in bearer.effects if e not in ended}
    gone = {(e.code, e.text): e for e in ended if (e.code, e.text) not in left}
    who = names([bearer])
    return [
        Event("effect-ended", {"who": who, "effect": e.code} | wording(e)) for e in gone.values()
    ]


def _told_by_hand(fight: Fight, bearer: Combatant, ended: tuple[Effect, ...]) -> list[Event]:
    """An event for each effect that was taken away; where its like stays, from whom it was."""
    left = {(e.code, e.text) for e in bearer.effects if e not in ended}
    events: list[Event] = []
    for code, text in dict.fromkeys((e.code, e.text) for e in ended):
        alike = [e for e in ended if (e.code, e.text) == (code, text)]
        sources = {e.source for e in alike} if (code, text) in left else set()
        whose = names(c for c in fight.combatants if c.number in sources)
        facts = {"who": names([bearer]), "effect": code} | wording(alike[0])
        events.append(Event("effect-ended", facts | ({"source": whose} if whose else {})))
    return events


def wording(effect: Effect) -> dict[str, str]:
    """The GM's own words of an effect, for an event; nothing where it has none."""
    return {"text": effect.text} if effect.text else {}
