"""What a game master types to add to a fight: "6 gob", "Aria, Bran", "loup ×2", "2 goblins, ogre".

Only how it is written; what each name stands for is decided where the fight is known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bestiary.folding import fold, singulars

# A lone "x" is a sign only with a space on its side: "6 xorn" are six xorns.
IN_FRONT = re.compile(r"([0-9]{1,9})(?:\s*x\s+|\s*[×*]\s*|\s*)([^\d\s].*)", re.IGNORECASE)
BEHIND = re.compile(r"(.*\S)(?:\s+x\s*|\s*[×*]\s*)([0-9]{1,9})", re.IGNORECASE)
NOBODY = re.compile(r"[0-9×*\s]*")

# French names with a comma of their own, such as "Dragon rouge, adulte".
AFTER_COMMA = {
    "dragon": {"adulte", "dragonnet", "jeune", "venerable"},
    "sphinx": {"androsphinx", "gynosphinx"},
}


@dataclass(frozen=True, slots=True)
class Part:
    """A quantity and a name, as typed between two commas."""

    quantity: int  # as typed, 0 or more
    name: str  # one space between words; never empty
    counted: bool = field(default=False, compare=False)  # whether the quantity was typed


def parse_addition(text: str) -> list[Part]:
    """The parts of the text between commas, in their order; parts without a name are left out.

    The quantity is in front ("6 gob", "6x gob", "6 × gob") or behind ("gob x6", "gob ×6"); it is
    1 when missing. Any text is accepted.
    """
    return [part_of(piece) for piece in _pieces(text) if not NOBODY.fullmatch(piece)]


def part_of(piece: str) -> Part:
    """The part that a text without separating commas stands for."""
    piece = " ".join(piece.split())
    if front := IN_FRONT.fullmatch(piece):
        quantity, name = front.groups()
    elif behind := BEHIND.fullmatch(piece):
        name, quantity = behind.groups()
    else:
        return Part(1, piece)
    return Part(int(quantity), name, counted=True)


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for piece in text.split(","):
        if pieces and _is_same_name(pieces[-1], piece):
            pieces[-1] += f", {piece}"
        else:
            pieces.append(piece)
    return pieces


def _is_same_name(before: str, after: str) -> bool:
    ending = _with_singulars(fold(part_of(after).name))
    return any(
        not ending.isdisjoint(AFTER_COMMA.get(word, ()))
        for typed in fold(before).split()
        for word in _with_singulars(typed)
    )


def _with_singulars(word: str) -> set[str]:
    return {word, *singulars(word)}
