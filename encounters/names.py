"""How a name is written among other words, whatever letters somebody has put into it."""

import re
import unicodedata
from functools import lru_cache

ISOLATED = "\N{FIRST STRONG ISOLATE}%s\N{POP DIRECTIONAL ISOLATE}"
DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # what turns the words behind it around
LEFTWARD = {"R", "AL", "AN"}  # Hebrew, Arabic and the like
MOST_MARKS = 3  # over or under one letter: no language needs more


@lru_cache(maxsize=4_000)
def written(name: str) -> str:
    """The name as it stands in a row or a sentence.

    One that runs from right to left is set apart, as `bdi` does it, so that numbers beside it keep
    their place; marks that are heaped on a letter are few enough to stay in its line.
    """
    if name.isascii():
        return name
    plain = _with_few_marks(DIRECTIONS.sub("", name))
    turns = any(unicodedata.bidirectional(letter) in LEFTWARD for letter in plain)
    return ISOLATED % plain if turns else plain


def _with_few_marks(name: str) -> str:
    kept: list[str] = []
    marks = 0
    for letter in name:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)
