"""Strategies that draw whole fights, every field of them, as rows may hold them."""

from dataclasses import replace

from hypothesis import strategies as st

import rules

SIDES = ("heroes", "allies", "foes", "third", "fourth")
CHECKS = ("", "plain", "advantage", "disadvantage")
EDGES = ("start", "end")


def words(longest: int = 12) -> st.SearchStrategy[str]:
    """Text as a database takes it: any letters, but no NUL and no half pairs."""
    letters = st.characters(codec="utf-8", exclude_characters="\0")
    return st.text(letters, max_size=longest)


def counts(most: int = 99) -> st.SearchStrategy[int]:
    return st.integers(0, most)


def maybe(low: int = -99, high: int = 999) -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(low, high)


def any_effect() -> st.SearchStrategy[rules.Effect]:
    return st.builds(
        rules.Effect,
        code=st.sampled_from([*rules.PUT_ON, *rules.REMINDERS]),
        level=counts(6),
        text=words(),
        ends=st.sampled_from(["", *EDGES]),
        turns=counts(),
        until_round=counts(),
        whose=maybe(1),
        skips=st.booleans(),
        counted=counts(),
        source=maybe(1),
        hangs=st.booleans(),
        save=st.sampled_from(["", *rules.ABILITIES]),
        dc=counts(),
        save_at=st.sampled_from(EDGES),
        each=st.sampled_from(["", "5", "1d6"]),
        each_type=st.sampled_from(["", *rules.DAMAGE_TYPES]),
        each_at=st.sampled_from(EDGES),
        heals=st.booleans(),
        needs_hp=st.booleans(),
        stopped_by=st.sampled_from(["", "fire", "acid,fire"]),
        stopped=st.booleans(),
        offered=st.booleans(),
        colour=st.sampled_from(rules.COLOURS),
        secret=st.booleans(),
        took=counts(),
    )


def any_defence() -> st.SearchStrategy[rules.Defence]:
    return st.builds(
        rules.Defence,
        kind=st.sampled_from(["resistance", "vulnerability", "immunity", "absorption"]),
        type=st.sampled_from([*rules.DAMAGE_TYPES, *rules.CONDITIONS]),
        when=st.sampled_from(["", "nonmagical"]),
    )


def any_use() -> st.SearchStrategy[rules.Use]:
    return st.builds(
        rules.Use,
        name=words(),
        max=counts(),
        left=counts(),
        kind=st.sampled_from(["day", "slots", "rest", "recharge", "legendary", "resistance"]),
        name_fr=words(),
        recharges_from=counts(6),
        spent_at=counts(),
    )


def any_due() -> st.SearchStrategy[rules.Due]:
    return st.builds(
        rules.Due,
        kind=st.sampled_from(["death", "concentration", "save", "recharge", "each"]),
        dc=counts(),
        ability=st.sampled_from(["", *rules.ABILITIES]),
        effect=st.sampled_from(["", *rules.CONDITIONS]),
        text=words(),
        source=maybe(1),
    )


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
        hero_level=maybe(1, 20),
        ac=maybe(),
        max_hp=maybe(1),
        hp=maybe(0),
        temp_hp=counts(),
        initiative_bonus=maybe(),
        dexterity=maybe(),
        passive_perception=maybe(),
        perception_roll=st.sampled_from(CHECKS),
        stealth_bonus=maybe(),
        stealth_roll=st.sampled_from(CHECKS),
        initiative_roll=st.sampled_from(rules.INITIATIVE_ROLLS),
        speed=maybe(),
        speeds=st.dictionaries(st.sampled_from(rules.WAYS[1:]), counts(), max_size=2),
        hovers=st.booleans(),
        moving=st.sampled_from(["", *rules.WAYS]),
        hiding=st.booleans(),
        stealth=maybe(),
        cannot_be_surprised=st.booleans(),
        surprise=st.sampled_from(["auto", "surprised", "not-surprised"]),
        surprised=st.booleans(),
        lost_turn=st.booleans(),
        reaction=st.booleans(),
        moved=counts(),
        dashes=counts(3),
        action_spent=st.booleans(),
        bonus_spent=st.booleans(),
        object_spent=st.booleans(),
        effects=st.lists(any_effect(), max_size=2).map(tuple),
        dead=st.booleans(),
        stable=st.booleans(),
        death_saves=st.booleans(),
        death_successes=counts(2),
        death_failures=counts(2),
        defences=st.lists(any_defence(), max_size=2).map(tuple),
        saves=st.dictionaries(st.sampled_from(rules.ABILITIES), st.integers(-5, 15), max_size=2),
        uses=st.lists(any_use(), max_size=2).map(tuple),
        dues=st.lists(any_due(), max_size=2).map(tuple),
        has_acted=st.booleans(),
        out=st.booleans(),
        arrives=counts(5),
        awaited=st.booleans(),
        rider=maybe(0),
        is_lair=st.booleans(),
        in_lair=st.booleans(),
        owner=maybe(0),
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
        by=st.sampled_from(["", "typed", "rolled", "score", "side", "mount", "extra", "lair"]),
        die=maybe(1, 20),
        dropped=maybe(1, 20),
        modifier=st.integers(-5, 9),
        tie_dice=st.lists(st.integers(1, 20), max_size=2).map(tuple),
        settled=st.sampled_from(["", "by-hand", "by-players", "by-dice", "by-rule"]),
        moved=st.booleans(),
        acted_round=counts(5),
        joined_round=counts(5),
        waiting=maybe(0, 5),
        extra_of=maybe(0, 40),
        split_from=maybe(0, 40),
        parted=st.booleans(),
        merged=st.booleans(),
        given_up=counts(40),
    )


def overrides() -> st.SearchStrategy[dict[str, str | bool]]:
    """What a fight plays otherwise than its campaign."""
    each = {name: st.sampled_from(choices) for name, choices in rules.CHOICES.items()}
    return st.fixed_dictionaries({}, optional=each)


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
        overrides=draw(overrides()),
        allied=draw(st.sampled_from([[], [["allies", "heroes"]], [["foes", "third"]]])),
        state=draw(st.sampled_from(["preparing", "rolling", "running", "ended"])),
        round=draw(counts(5)),
        current=draw(maybe(0)),
        last_number=draw(counts()),
        turn_step=draw(maybe(0)),
        seen_slot=draw(maybe(0)),
        seen_round=draw(counts(5)),
        ordinals_given=draw(given()),
        letters_given=draw(given()),
        verdicts={"reading": draw(st.sampled_from(("", "misses_any_threat")))},
    )
