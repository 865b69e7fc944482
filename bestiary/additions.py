"""What a game master types to add to a fight: "6 gob", "Aria, Bran", "loup ×2", "2 goblins, ogre".

Only how it is written; what each name stands for is decided where the fight is known.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from bestiary.folding import fold, singulars

# A lone "x" is a sign only with a space on its side: "6 xorn" are six xorns.
IN_FRONT = re.compile(
    r"([-+\N{MINUS SIGN}]?[0-9]+(?:\.[0-9]+)?)(?:\s*x\s+|\s*[×*]\s*|\s*)([^\d\s].*)", re.IGNORECASE
)
BEHIND = re.compile(r"(.*\S)(?:\s+x\s*|\s*[×*]\s*)([0-9]+)", re.IGNORECASE)
# Hangul fillers and the braille cell without dots
BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
NOBODY = re.compile(r"[-+\N{MINUS SIGN}.0-9×*\s]*")
BETWEEN = re.compile(r"[,;\n\r]|\s(?:and|et)\s", re.IGNORECASE)
QUANTITIES = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "un": 1, "une": 1, "deux": 2,
    "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11,
    "douze": 12, "a": 1, "an": 1,
}  # fmt: skip
ARTICLES = {word for word, quantity in QUANTITIES.items() if quantity == 1}
# Figures behind a name: "baron noir pv 60 ca 17 init +2", "bandit chief AC 15, 45 hp".
FIGURES = {
    "hp": "hp", "pv": "hp", "ac": "ac", "ca": "ac", "init": "initiative",
    "initiative": "initiative",
}  # fmt: skip
WORD, NUMBER = "|".join(FIGURES), r"[-+\N{MINUS SIGN}]?[0-9]+"
FIGURE = re.compile(rf"\s({WORD})(?:\s*[:=])?\s*({NUMBER})(?=\s|$)", re.IGNORECASE)
# All figures that end a text, of either order: after "ca 15 45 pv" nothing is left of them.
EITHER = re.compile(
    rf"\s(?:({WORD})(?:\s*[:=])?\s*({NUMBER})|({NUMBER})\s*({WORD}))(?=\s|$)", re.IGNORECASE
)
LONGEST_ENDING = 100  # characters; so that a long text takes no longer for it
ENDING = re.compile(
    rf"(?:\s(?:(?:{WORD})(?:\s*[:=])?\s*{NUMBER}|{NUMBER}\s*(?:{WORD}))(?=\s|$))+$",
    re.IGNORECASE,
)

# French names with a comma of their own, such as "Dragon rouge, adulte".
AFTER_COMMA = {
    "dragon": {"adulte", "dragonnet", "jeune", "venerable"},
    "sphinx": {"androsphinx", "gynosphinx"},
}


@dataclass(frozen=True, slots=True)
class Part:
    """A quantity and a name, as typed between two commas."""

    quantity: int  # as typed, of any size and sign; 0 of a fraction
    name: str  # one space between words; never empty
    counted: bool = field(default=False, compare=False)  # whether the quantity was typed
    figures: Mapping[str, int] = field(default_factory=dict, compare=False)
    # hp, ac and initiative, as far as they stand behind the name
    typed: str = field(default="", compare=False)  # all of it but the figures: "two Swords"

    @property
    def article(self) -> bool:
        """Whether the quantity is a word that may as well begin a name: "One Eye", "A Lun"."""
        return self.typed.partition(" ")[0].lower() in ARTICLES


def parse_addition(text: str) -> list[Part]:
    """The parts of the text, in their order; parts without a name are left out.

    They stand between commas, semicolons, line breaks, "and" and "et". The quantity is in front
    ("6 gob", "6x gob", "6 × gob", "six gobelins") or behind ("gob x6", "gob ×6"); it is 1 when
    missing. A slash in front, the key that leads into the field, is no part of it. Any text is
    accepted.
    """
    pieces = _pieces(text.lstrip("/ "))
    return [part_of(piece) for piece in pieces if not NOBODY.fullmatch(piece) and is_visible(piece)]


def is_visible(text: str) -> bool:
    """Whether a reader sees anything of it: not only spaces, joiners and marks on nothing."""
    return any(unicodedata.category(x)[0] in "LNPS" and x not in BLANK_LETTERS for x in text)


def part_of(piece: str) -> Part:
    """The part that a text without separating commas stands for."""
    piece = " ".join(piece.split())
    piece, figures = _without_figures(piece)
    word, _, rest = piece.partition(" ")
    if rest and (quantity := QUANTITIES.get(word.lower())):
        return Part(quantity, rest, counted=True, figures=figures, typed=piece)
    if front := IN_FRONT.fullmatch(piece):
        number, name = front.groups()
        number = "0" if "." in number else number
    elif behind := BEHIND.fullmatch(piece):
        name, number = behind.groups()
    else:
        return Part(1, piece, figures=figures, typed=piece)
    return Part(_whole_number(number), name, counted=True, figures=figures, typed=piece)


def _without_figures(piece: str) -> tuple[str, dict[str, int]]:
    """ "baron", {"hp": 60, "ac": 17} of "baron pv 60 ca 17", "baron 60 pv 17 ca"."""
    ending = ENDING.search(piece, max(0, len(piece) - LONGEST_ENDING))
    rest = piece[: ending.start()] if ending else piece
    found = FIGURE.findall(rest)
    for before, after, first, last in EITHER.findall(ending[0] if ending else ""):
        found.append((before or last, after or first))
    figures = {FIGURES[word.lower()]: _whole_number(number) for word, number in found}
    return FIGURE.sub("", rest), figures


def _whole_number(typed: str) -> int:
    """A number of many digits is as good as any that is too large."""
    return int(typed.replace("\N{MINUS SIGN}", "-")[:10])


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for piece in BETWEEN.split(text):
        if pieces and _is_same_name(pieces[-1], piece):
            pieces[-1] += f", {piece}"
        elif pieces and ENDING.fullmatch(f" {' '.join(piece.split())}"):
            pieces[-1] += f" {piece}"
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
