"""Strategies that draw whole fights, every field of them, as rows may hold them."""

from dataclasses import replace

from hypothesis import strategies as st

import rules

SIDES = ("heroes", "foes", "third")


def words(longest: int = 12) -> st.SearchStrategy[str]:
    """Text as a database takes it: any letters, but no NUL and no half pairs."""
    letters = st.characters(codec="utf-8", exclude_characters="\0")
    return st.text(letters, max_size=longest)


def counts(most: int = 99) -> st.SearchStrategy[int]:
    return st.integers(0, most)


def maybe(low: int = -99, high: int = 999) -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(low, high)


def any_combatant() -> st.SearchStrategy[rules.Combatant]:
    """Somebody with every field drawn; its number and slot are the fight's to give."""
    return st.builds(
        rules.Combatant,
        number=st.just(0),
        name=words(),
        side=st.sampled_from(SIDES),
        name_fr=words(),
        ordinal=counts(),
        is_hero=st.booleans(),
        creature=st.sampled_from(["", "srd-5.1/goblin"]),
        hero=maybe(1),
        ac=maybe(),
        max_hp=maybe(1),
        hp=maybe(0),
        temp_hp=counts(),
        initiative_bonus=maybe(),
        dexterity=maybe(),
        passive_perception=maybe(),
        stealth_bonus=maybe(),
        speed=maybe(),
        hiding=st.booleans(),
        stealth=maybe(),
        cannot_be_surprised=st.booleans(),
        surprise=st.sampled_from(["auto", "surprised", "not-surprised"]),
        surprised=st.booleans(),
        lost_turn=st.booleans(),
        reaction=st.booleans(),
        has_acted=st.booleans(),
        out=st.booleans(),
        hidden=st.booleans(),
        label=words(),
        letter=counts(30),
        notes=words(),
    )


def any_slot(number: int) -> st.SearchStrategy[rules.Slot]:
    return st.builds(
        rules.Slot,
        number=st.just(number),
        total=maybe(),
        die=maybe(1, 20),
        tie_dice=st.lists(st.integers(1, 20), max_size=2).map(tuple),
        settled=st.sampled_from(["", "by-hand", "by-dice"]),
        acted_round=counts(5),
    )


def given() -> st.SearchStrategy[dict[str, int]]:
    return st.dictionaries(words(), counts(), max_size=2)


@st.composite
def any_fight(draw: st.DrawFn, most: int = 5) -> rules.Fight:
    """A fight in any state, sensible or not."""
    numbers = sorted(draw(st.sets(st.integers(1, 40), max_size=most)))
    slots = draw(st.permutations(numbers))
    combatants = tuple(
        replace(
            draw(any_combatant()),
            number=number,
            slot=draw(st.none() | st.sampled_from(numbers)),
        )
        for number in numbers
    )
    return rules.Fight(
        combatants=combatants,
        slots=tuple(draw(any_slot(number)) for number in slots),
        state=draw(st.sampled_from(["preparing", "rolling", "running", "ended"])),
        round=draw(counts(5)),
        current=draw(maybe(0)),
        last_number=draw(counts()),
        turn_step=draw(maybe(0)),
        seen_slot=draw(maybe(0)),
        seen_round=draw(counts(5)),
        ordinals_given=draw(given()),
        letters_given=draw(given()),
    )
