"""What makes two spellings of a name the same: letters without case, accents or punctuation."""

from __future__ import annotations

import unicodedata

# Letters that Unicode does not take apart by itself.
LETTERS = str.maketrans(
    {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def unaccented(text: str) -> str:
    """The text in small letters without accents, its spaces and punctuation as they were."""
    # Capitals first: small letters alone keep apart what capitals write alike, as "ß" and "ss".
    plain = unicodedata.normalize("NFKD", text).upper().casefold()
    kept = (letter for letter in plain if not unicodedata.category(letter).startswith("M"))
    return "".join(kept).translate(LETTERS)


def fold(text: str) -> str:
    """Small letters without accents, in words with one space between: "Œil d'Été" -> "oeil d ete".

    Apostrophes, hyphens and every other sign separate words.
    """
    plain = unaccented(text)
    return " ".join("".join(x if x.isalnum() else " " for x in plain).split())


def singulars(word: str) -> list[str]:
    """What a folded word may be the plural of, in English or French; empty when of nothing.

    Some of the answers are no words ("wolves" may be of "wolf", "wolv" or "wolve"):
    compare them with whole words only.
    """
    endings = (
        ("ves", "f"),
        ("ies", "y"),
        ("aux", "al"),
        ("es", ""),
        ("s", ""),
        ("x", ""),
    )
    if len(word) < 4:  # "os", "des": too short to be cut
        return []
    return [word.removesuffix(end) + new for end, new in endings if word.endswith(end)]
