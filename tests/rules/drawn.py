"""Strategies that draw combatants, fights and the numbers that commands are about."""

from hypothesis import strategies as st

import rules

NOBODY = 9


def numbers() -> st.SearchStrategy[int]:
    """Which of those who are there, or NOBODY."""
    return st.integers(0, NOBODY)


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
    return st.builds(
        rules.Settings,
        stealth_tie=st.sampled_from(["hider", "observer"]),
        surprise_reading=st.sampled_from(["notices_no_threat", "misses_any_threat"]),
        group_initiative=st.booleans(),
        reveal_on_turn=st.booleans(),
    )


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
