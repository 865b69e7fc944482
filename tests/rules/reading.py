"""Drawings read: the lines of a `.fight` file, and those who join in one.

Keys of a combatant: dex hp ac pp (passive Perception) stealth temp; score (of Dexterity), sneak
(Stealth bonus), speed (feet), exhausted (level), arrives (round), owner (of a lair: a number);
group=WORD makes identical creatures; gm, alert (cannot be surprised), hidden, out, lair; keen and
dull (advantage and disadvantage on its passive score); advantage, disadvantage, plain (its
initiative); resists=fire, immune=fire, weak=fire; saves-death (falls like a hero); legendary3,
resistance3, recharge=Breath5 and day=Rage2 (what is counted); and any condition. Heroes' side is
played by players, unless `gm`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import rules

KEYS = {
    "dex": "initiative_bonus", "hp": "max_hp", "ac": "ac", "pp": "passive_perception",
    "stealth": "stealth", "temp": "temp_hp", "score": "dexterity", "sneak": "stealth_bonus",
    "speed": "speed", "arrives": "arrives", "owner": "owner",
}  # fmt: skip
FLAGS: dict[str, tuple[str, object]] = {
    "alert": ("cannot_be_surprised", True),
    "hidden": ("hidden", True),
    "out": ("out", True),
    "gm": ("is_hero", False),
    "lair": ("is_lair", True),
    "keen": ("perception_roll", "advantage"),
    "dull": ("perception_roll", "disadvantage"),
    "advantage": ("initiative_roll", "advantage"),
    "disadvantage": ("initiative_roll", "disadvantage"),
    "plain": ("initiative_roll", "plain"),
    "saves-death": ("death_saves", True),
}
DEFENCES = {"resists": "resistance", "immune": "immunity", "weak": "vulnerability"}


@dataclass(frozen=True)
class Line:
    """A command of a drawing, and the board or refusal drawn under it."""

    number: int  # in the file
    verb: str
    arguments: tuple[str, ...]
    expected: tuple[str, ...]


def lines(text: str) -> Iterator[Line]:
    verb, board, start = "", [""], 0
    for number, line in enumerate([*text.splitlines(), "> stop"], 1):
        if line.startswith((" ", "\t")) and line.strip():
            board.append(" ".join(line.split()))
        elif line.strip() and not line.startswith("#"):
            if verb:
                words = verb.split()
                yield Line(start, words[0], tuple(words[1:]), tuple(board))
            mark, verb, board, start = line[0], line[1:].strip(), [], number
            verb = {"+": "join ", "!": "settings ", ">": ""}[mark] + verb


def combatants(words: tuple[str, ...]) -> tuple[rules.Combatant, ...]:
    """Those whom a line such as "3 foes Goblin dex+2 hp7" is about."""
    count, side, name, *facts = words
    values: dict[str, Any] = {"is_hero": side == "heroes"}
    effects: list[rules.Effect] = []
    uses: list[rules.Use] = []
    defences: list[rules.Defence] = []
    for fact in facts:
        kind, _, value = fact.partition("=")
        if fact.startswith("group="):
            values["creature"] = fact.removeprefix("group=")
        elif fact in FLAGS:
            field, now = FLAGS[fact]
            values[field] = now
        elif kind in DEFENCES:
            defences.append(rules.Defence(DEFENCES[kind], value))
        elif use := use_of(fact):
            uses.append(use)
        elif fact in rules.CONDITIONS:
            effects.append(rules.Effect(fact))
        elif fact.startswith("exhausted"):
            effects.append(rules.Effect("exhaustion", int(fact.removeprefix("exhausted"))))
        else:
            match = re.fullmatch(rf"({'|'.join(KEYS)})([+-]?\d+)", fact)
            assert match, f"what is {fact}?"
            values[KEYS[match[1]]] = int(match[2])
    values["hp"] = values.get("max_hp")
    values["hiding"] = "stealth" in values
    values |= {"effects": tuple(effects), "uses": tuple(uses), "defences": tuple(defences)}
    return (rules.Combatant(number=0, name=name, side=side, **values),) * int(count)


def use_of(fact: str) -> rules.Use | None:
    """`legendary3`, `resistance3`, `recharge=Breath5` (from this d6) or `day=Rage2`."""
    match = re.fullmatch(r"(legendary|resistance|recharge=|day=)([A-Za-z]*)(\d+)", fact)
    if match is None:
        return None
    kind, name, number = match[1].rstrip("="), match[2] or match[1].capitalize(), int(match[3])
    if kind == "recharge":
        return rules.Use(name, 1, 1, kind, recharges_from=number)
    return rules.Use(name, number, number, kind)
