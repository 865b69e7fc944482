"""The book read a second time, naively, from what is written down of a fight and nothing else.

It shares no code with `rules`, asks none of its properties and is slow on purpose: the random walks
hold the product against it. Source: RULES of the table; DRS, "Combattre"; SRD 5.1 and 5.2.
"""

from typing import Any, TypeAlias

Fight: TypeAlias = Any  # stored fields alone are read of these
Person: TypeAlias = Any
Place: TypeAlias = Any

INCAPACITATED = {"incapacitated", "paralyzed", "petrified", "stunned", "unconscious"}
HINDERING_CHECKS = {"poisoned", "frightened"}


def setting(fight: Fight, name: str) -> Any:
    return fight.overrides.get(name, getattr(fight.table, name))


def codes(one: Person) -> set[str]:
    return {effect.code for effect in one.effects}


def regenerates(one: Person) -> bool:
    """It gets hit points back as its turn begins, from 0 too."""
    back = [e for e in one.effects if e.heals and e.each and e.each_at == "start"]
    return any(not getattr(effect, "needs_hp", False) for effect in back)


def is_dead(one: Person) -> bool:
    """A creature at 0 hit points is, unless it rolls death saves, was spared or regenerates."""
    lives = one.is_hero or one.death_saves or one.stable or regenerates(one)
    return bool(one.dead) or (one.hp == 0 and not lives)


def is_incapacitated(one: Person) -> bool:
    return bool(one.dead) or one.hp == 0 or bool(codes(one) & INCAPACITATED)


def is_away(one: Person, number_of_round: int) -> bool:
    """The order passes it over."""
    to_come = one.awaited and one.arrives > number_of_round
    return is_dead(one) or one.out or to_come


def owner(fight: Fight, lair: Person) -> Person | None:
    """Whose lair it is: as told, or the one legendary creature's; None for nobody's."""
    if lair.owner is not None:
        return next((c for c in fight.combatants if c.number == lair.owner), None)
    legendary = [c for c in fight.combatants if "legendary" in {use.kind for use in c.uses}]
    return legendary[0] if len(legendary) == 1 else None


def is_unaware(one: Person) -> bool:
    return one.hp == 0 or bool(codes(one) & {"unconscious", "petrified"})


# Surprise


def hostile(fight: Fight, one: Person, other: Person) -> bool:
    apart = {one.side, other.side}
    friends = len(apart) == 1 or any(set(pair) == apart for pair in fight.allied)
    return not (friends or one.is_lair or other.is_lair)


def passive(fight: Fight, one: Person) -> int | None:
    """Advantage is worth 5, disadvantage costs 5, both come to nothing."""
    if one.passive_perception is None:
        return None
    tired = max((e.level for e in one.effects if e.code == "exhaustion"), default=0)
    old = setting(fight, "edition") == "2014"
    hindered = bool(codes(one) & HINDERING_CHECKS) or (old and tired > 0)
    hindered = hindered or one.perception_roll == "disadvantage"
    shift: int = 5 * (one.perception_roll == "advantage") - 5 * hindered
    score: int = one.passive_perception + shift
    return score - (0 if old else 2 * tired)


def notices(fight: Fight, observer: Person, enemy: Person) -> bool:
    if is_unaware(observer):
        return False
    if not hides_well(fight, enemy):
        return True
    score, stealth = passive(fight, observer), enemy.stealth
    tie = setting(fight, "stealth_tie")
    to_observer = tie == "observer" or (tie == "edition" and setting(fight, "edition") == "2024")
    return score is not None and (score > stealth or (score == stealth and to_observer))


def hides(one: Person) -> bool:
    return bool(one.hiding) and one.stealth is not None


def hides_well(fight: Fight, one: Person) -> bool:
    return hides(one) and (setting(fight, "edition") == "2014" or one.stealth >= 15)


def is_surprised(fight: Fight, one: Person) -> bool:
    if one.surprise != "auto":
        return bool(one.surprise == "surprised")
    about = [c for c in fight.combatants if not is_away(c, max(1, fight.round))]
    foes = [c for c in about if hostile(fight, one, c)]
    threats = [c for c in foes if not (c.hp == 0 or "unconscious" in codes(c))]
    if not any(hides(c) for c in threats) or one.cannot_be_surprised:
        return False
    noticed = [notices(fight, one, c) for c in threats]
    any_missed = setting(fight, "surprise_reading") == "misses_any_threat"
    if one.passive_perception is None and not is_unaware(one) and (any_missed or not any(noticed)):
        return False  # not known yet: the fight does not begin before it is
    return not all(noticed) if any_missed else not any(noticed)


def surprised(fight: Fight) -> set[int]:
    """The numbers of those who can still fight and are surprised, were it to begin now."""
    there = [c for c in fight.combatants if not (is_away(c, max(1, fight.round)) or c.is_lair)]
    return {c.number for c in there if is_surprised(fight, c)}


# The order


def height(fight: Fight, place: Place) -> tuple[bool, int, bool]:
    """By total, descending; a lair behind its equals, who has no total last of all."""
    lairs = {c.slot for c in fight.combatants if c.is_lair}
    return place.total is None, -(place.total or 0), place.number in lairs


def is_sorted(fight: Fight, by_hand: set[int]) -> bool:
    """Whether everything stands by total but what a hand has put where it is, and mounts."""
    free = [p for p in fight.slots if p.number not in by_hand and p.by != "mount"]
    heights = [height(fight, place) for place in free]
    return heights == sorted(heights)


def equals_stand_right(fight: Fight, by_hand: set[int]) -> bool:
    """Of equal totals that nobody has settled, the first to come stands first.

    Where all are in sight: who is not moves nobody who is.
    """
    unseen = any(c.hidden or c.awaited for c in fight.combatants)
    if unseen or setting(fight, "tie_rule") in ("dexterity", "heroes_first"):
        return True
    for total in {place.total for place in fight.slots}:
        tied = [p for p in fight.slots if p.total == total]
        asked = all(not p.settled and p.by not in ("mount", "lair", "extra") for p in tied)
        if asked and not by_hand.intersection(p.number for p in tied):
            entered = [p.number for p in tied if p.split_from is None]
            if entered != sorted(entered):
                return False
    return True


# What hangs on whom


def wrongly_held(fight: Fight) -> list[tuple[int, str]]:
    """Effects that ought to have ended with the one whose doing they are."""
    there = {c.number: c for c in fight.combatants}
    held = []
    for bearer in fight.combatants:
        for effect in bearer.effects:
            source = there.get(effect.source)
            gone = source is None or source.out or source.awaited or is_incapacitated(source)
            if effect.code == "grappled" and effect.source is not None and gone:
                held.append((bearer.number, "grappled"))
            if effect.hangs and (source is None or "concentration" not in codes(source)):
                held.append((bearer.number, effect.code))
    return held
