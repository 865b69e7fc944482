"""What is made up by chance for twins: hit points behind a word, effects, and what is counted."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import rules
from tests.encounters.scenes import Figure


def hit_points(figure: Figure, chance: Random) -> dict[str, Any]:
    """Hit points for a word; how death saves stand is nobody's business."""
    maximum = chance.randint(3, 400)
    known: dict[str, Any] = {"dead": False, "max_hp": maximum}
    match figure.health:
        case "":
            hp, maximum_known = chance.choice([(None, None), (None, maximum), (maximum, None)])
            return known | {"hp": hp, "max_hp": maximum_known}
        case "dead":
            return known | {"dead": True, "hp": chance.choice([None, 0, 1])}
        case "down":
            return known | {"hp": 0, "death_saves": False, "stable": False}
        case "dying":
            return known | {"hp": 0, "death_saves": True, "stable": False}
        case "stable":
            return known | {"hp": 0, "stable": True}
        case "bloodied":
            return known | {"hp": chance.randint(1, maximum // 2)}
        case "hurt":
            return known | {"hp": chance.randint(maximum // 2 + 1, maximum - 1)}
        case _:
            return known | {"hp": maximum}


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
