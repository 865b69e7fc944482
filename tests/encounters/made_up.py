"""What is made up by chance for twins: hit points behind a word, effects, and all the rest."""

from collections.abc import Callable
from dataclasses import fields, replace
from random import Random
from typing import Any

import rules
from tests.encounters.scenes import Figure, numbers

WORDS: dict[str, tuple[Any, ...]] = {
    "side": ("heroes", "allies", "foes", "third", "fourth"),
    "perception_roll": ("", "advantage", "disadvantage"),
    "stealth_roll": ("", "advantage", "disadvantage"),
    "initiative_roll": rules.INITIATIVE_ROLLS,
    "surprise": ("auto", "surprised", "not-surprised"),
    "settled": ("", "by-hand", "by-players", "by-dice", "by-rule"),
    "by": ("", "typed", "rolled", "advantage", "disadvantage", "score", "side", "mount", "lair"),
    "total": (None, *range(-5, 25)),
}  # of fields that hold one of a few


def hit_points(
    word: str, known: tuple[int | None, int | None] | None, chance: Random
) -> dict[str, Any]:
    """Hit points for a word, those that are known or any; death saves stand as they may."""
    hp, most = known or numbers(word, chance)
    stands = {"dead": word == "dead", "hp": hp, "max_hp": most}
    match word:
        case "down":
            return stands | {"death_saves": False, "stable": False}
        case "dying":
            return stands | {"death_saves": True, "stable": False}
        case "stable":
            return stands | {"stable": True}
        case _:
            return stands


def effects(figure: Figure, chance: Random) -> tuple[rules.Effect, ...]:
    """What players see on it, from any number of sources, and secret effects among them."""
    seen = [
        replace(_effect(chance), code=code, level=level, text=_text(code, text, chance),
                colour="blue" if code == "own" else "", secret=False)
        for code, level, text in figure.effects
        for _ in range(chance.choice([1, 1, 2]))
    ]  # fmt: skip
    unseen = [_unseen(chance) for _ in range(chance.randrange(3))]
    found = [*seen, *unseen]
    chance.shuffle(found)
    return tuple(found)


def _text(code: str, text: str, chance: Random) -> str:
    """Own words are seen; the spell that somebody concentrates on is not."""
    return chance.choice(["", "secret spell"]) if code == "concentration" else text


def _unseen(chance: Random) -> rules.Effect:
    """A secret effect, or one that players never see."""
    effect = _effect(chance)
    never = effect.code in ("disengaged", "helping", "readied")
    return effect if never else replace(effect, secret=True)


def _effect(chance: Random) -> rules.Effect:
    """Any effect, from anybody and for any time."""
    code = chance.choice([*rules.PUT_ON, *rules.REMINDERS])
    return rules.Effect(
        code,
        chance.randrange(1, 7) if code == "exhaustion" else 0,
        f"secret {chance.randrange(99)}" if code in ("readied", "own", "concentration") else "",
        chance.choice(["", "start", "end"]),
        turns=chance.randrange(5),
        until_round=chance.choice([0, 0, chance.randrange(30)]),
        whose=chance.choice([None, chance.randrange(99)]),
        source=chance.choice([None, chance.randrange(99)]),
        hangs=chance.random() < 0.3,
        save=chance.choice(["", *rules.ABILITIES]),
        dc=chance.randrange(30),
        each=chance.choice(["", "1d6"]),
        secret=chance.random() < 0.5,
    )


def _defence(chance: Random) -> rules.Defence:
    return rules.Defence(
        chance.choice(["resistance", "immunity"]), chance.choice(["fire", "prone"])
    )


def _use(chance: Random) -> rules.Use:
    return rules.Use(f"secret {chance.randrange(99)}", 3, chance.randrange(4))


def _due(chance: Random) -> rules.Due:
    return rules.Due(chance.choice(["death", "concentration", "save"]), chance.randrange(30))


LISTS: dict[Any, Callable[[Random], Any]] = {
    tuple[rules.Effect, ...]: _effect,
    tuple[rules.Defence, ...]: _defence,
    tuple[rules.Use, ...]: _use,
    tuple[rules.Due, ...]: _due,
}


def anybody(chance: Random) -> rules.Combatant:
    """A combatant of whom every field is by chance."""
    return rules.Combatant(**{f.name: _by_chance(f, chance) for f in fields(rules.Combatant)})


def slot_by_chance(number: int, chance: Random) -> rules.Slot:
    """A slot of whom every field is by chance, but that it is no second turn of another."""
    values = {f.name: _by_chance(f, chance) for f in fields(rules.Slot)}
    return rules.Slot(**{**values, "number": number, "extra_of": None})


def _by_chance(own: Any, chance: Random) -> Any:
    if own.name in WORDS:
        return chance.choice(WORDS[own.name])
    if own.type is bool:
        return chance.random() < 0.5
    if own.type is int:
        return chance.randrange(30)
    if own.type is float:
        return chance.randrange(60) / 2
    if own.type is str:
        return chance.choice(["", f"secret {chance.randrange(99)}"])
    if own.type in LISTS:
        return tuple(LISTS[own.type](chance) for _ in range(chance.randrange(3)))
    if own.name == "saves":
        return chance.choice([{}, {"con": chance.randrange(9)}])
    if own.name == "speeds":
        return chance.choice([{}, {"fly": chance.randrange(90)}])
    if own.type == tuple[int, ...]:
        return chance.choice([(), (4,), (4, 7)])
    assert own.type == int | None, "a new kind of field needs values of its own here"
    return chance.choice([None, chance.randrange(99)])
