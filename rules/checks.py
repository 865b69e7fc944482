"""The Dexterity check of initiative: its modifier, and what gives it advantage or disadvantage.

Source: SRD 5.1, "Initiative", "Conditions"; SRD 5.2, "Initiative", "Surprise".
"""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.ability_checks import Mode, combined, hinders
from rules.combatant import Combatant
from rules.consequences import exhaustion_penalty
from rules.fight import Fight
from rules.settings import Settings
from rules.surprise import still_hidden

SCORE = 10  # edition 2024: what stands for the die in an initiative score
SCORE_SHIFT = {"": 0, "advantage": 5, "disadvantage": -5}
GIVEN = ("lair", "mount", "extra")  # where totals are from that nobody rolls
INITIATIVE_ROLLS = ("auto", "plain", "advantage", "disadvantage")


@dataclass(frozen=True, slots=True)
class Part:
    """Members of one slot who roll alike."""

    members: tuple[int, ...]
    kind: str
    modifier: int | None
    scored: bool  # takes its score instead of a die


def modifier(combatant: Combatant, settings: Settings) -> int | None:
    """What it adds to the die; exhaustion costs 2 a level in edition 2024."""
    bonus = combatant.adds_to_initiative
    return None if bonus is None else bonus - exhaustion_penalty(combatant, settings)


def mode(combatant: Combatant, fight: Fight) -> Mode:
    """How it rolls initiative: what its state and the GM's word make of it together."""
    by_2024 = fight.settings.edition == "2024"
    helping = _helps(combatant, fight) if by_2024 else ()
    hindering = hinders(combatant, fight.settings)
    if by_2024:
        hindering = (*hindering, *_hinders_initiative(combatant))
    return combined(combatant.initiative_roll, helping, hindering)


def _helps(combatant: Combatant, fight: Fight) -> tuple[str, ...]:
    invisible = ("invisible",) if combatant.has("invisible") else ()
    return (*invisible, *(("hidden",) if still_hidden(combatant, fight) else ()))


def _hinders_initiative(combatant: Combatant) -> tuple[str, ...]:
    found = {"surprised": combatant.surprised, "incapacitated": combatant.incapacitated}
    return tuple(code for code, holds in found.items() if holds)


def standing(members: Iterable[Combatant]) -> list[Combatant]:
    """Those of a slot who roll: all but the passed over, unless all of them are."""
    members = list(members)
    return [c for c in members if not c.passed_over] or members


def parts(fight: Fight, slot: int) -> tuple[Part, ...]:
    """The members of a slot by how they roll, those who roll best first.

    Whoever is passed over rolls with the first; those whom the GM has put together roll with the
    modifier of the first. None at all: a slot without members.
    """
    members = fight.members(slot)
    able = standing(members)
    scored = fight.settings.scores and not any(c.is_hero for c in members)
    groups: dict[tuple[str, int | None], list[int]] = {}
    merged = fight.slot(slot).merged
    for c in able:
        alike = (mode(c, fight).kind, modifier(able[0] if merged else c, fight.settings))
        groups.setdefault(alike, []).append(c.number)
    ranks = ("advantage", "", "disadvantage")
    ordered = sorted(groups.items(), key=lambda item: ranks.index(item[0][0]))
    return tuple(Part(tuple(n), kind, added, scored) for (kind, added), n in ordered)


def thrown(part: Part, dice: Iterable[int]) -> dict[str, object]:
    """What a slot's check comes to: its total, and the dice behind it."""
    added = part.modifier or 0
    if part.scored:
        total = SCORE + added + SCORE_SHIFT[part.kind]
        return {"total": total, "by": "score", "modifier": added}
    first, *second = tuple(dice)[:2] if part.kind else tuple(dice)[:1]
    die = first
    if second:
        die = max(first, *second) if part.kind == "advantage" else min(first, *second)
    dropped = first + second[0] - die if second else None
    by = part.kind or "rolled"
    return {"total": die + added, "by": by, "die": die, "dropped": dropped, "modifier": added}
