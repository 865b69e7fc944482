"""Strategies that draw combatants, fights and the numbers that commands are about."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

import rules

NOBODY = 9


def numbers() -> st.SearchStrategy[int]:
    """Which of those who are there, or NOBODY."""
    return st.integers(0, NOBODY)


def seeds() -> st.SearchStrategy[int]:
    """For dice and choices whose order does not matter to how a fight shrinks."""
    return st.integers(0, 99)


def _known(low: int, high: int) -> st.SearchStrategy[int | None]:
    """A number that is mostly known."""
    return st.integers(0, 7).flatmap(
        lambda chance: st.none() if chance == 7 else st.integers(low, high)
    )


def dice() -> st.SearchStrategy[int]:
    return st.integers(8, 12)  # few, so that ties come up


def totals() -> st.SearchStrategy[int | None]:
    return st.integers(8, 12) | st.none() | st.just(1000)


def fight_settings() -> st.SearchStrategy[rules.Settings]:
    """A table that plays in any way it may."""
    chosen: dict[str, st.SearchStrategy[Any]] = {
        name: st.sampled_from(values) for name, values in rules.CHOICES.items()
    }
    return st.builds(rules.Settings, **chosen)


@st.composite
def combatants(draw: st.DrawFn) -> rules.Combatant:
    """Somebody about to join: few names, so that groups and namesakes come up."""
    is_hero = draw(st.booleans())
    maximum = draw(_known(1, 9))
    hiding = draw(st.booleans())
    return rules.Combatant(
        number=0,
        name=draw(st.sampled_from(["Goblin", "Wolf"])),
        side="heroes" if is_hero else draw(st.sampled_from(["foes", "beasts", "heroes"])),
        is_hero=is_hero,
        creature="" if is_hero else draw(st.sampled_from(["", "goblin"])),
        max_hp=maximum,
        hp=maximum,
        initiative_bonus=draw(_known(-1, 1)),
        passive_perception=draw(_known(8, 16)),
        hiding=hiding,
        stealth=draw(st.integers(8, 16)) if hiding else None,
        cannot_be_surprised=draw(st.booleans()),
        hidden=draw(st.booleans()),
    )


PECULIARITIES: tuple[dict[str, Any], ...] = (
    {},
    {"speed": 30, "dexterity": 10, "stealth_bonus": 2},
    {"speed": 25, "dexterity": 14, "stealth_bonus": 0, "stealth_roll": "advantage"},
    {"effects": (rules.Effect("poisoned"),), "dexterity": 14},
    {"speed": 10, "speeds": {"fly": 80, "burrow": 5}, "hovers": True, "moving": "burrow"},
    {"effects": (rules.Effect("invisible"),), "perception_roll": "disadvantage"},
    {"effects": (rules.Effect("exhaustion", 2),), "speed": 30, "initiative_roll": "advantage"},
    {"effects": (rules.Effect("unconscious"), rules.Effect("prone"))},
    {"arrives": 2},
    {"arrives": 3, "dexterity": 10},
    {"rider": 1, "is_hero": False},
    {"is_lair": True, "is_hero": False, "owner": 1, "hiding": False, "stealth": None},
    {"death_saves": True, "is_hero": False, "max_hp": 9, "hp": 4, "temp_hp": 3},
    {
        "is_hero": False,
        "max_hp": 9,
        "hp": 9,
        "defences": (
            rules.Defence("resistance", "fire"),
            rules.Defence("vulnerability", "fire", "nonmagical"),
            rules.Defence("immunity", "cold"),
            rules.Defence("immunity", "poisoned"),
        ),
        "saves": {"wis": 2, "con": 3},
    },
    {
        "is_hero": False,
        "uses": (
            rules.Use("Legend", 3, 3, "legendary", in_lair=1),
            rules.Use("Breath", 1, 0, "recharge", recharges_from=5),
        ),
    },
)


def anybody() -> st.SearchStrategy[rules.Combatant]:
    """Somebody with what may be peculiar to one."""
    return st.builds(
        lambda one, other: replace(one, **other), combatants(), st.sampled_from(PECULIARITIES)
    )
