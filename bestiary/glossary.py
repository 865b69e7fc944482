"""The game's terms for the codes of the data files, in the reader's language."""

import json
from functools import cache
from pathlib import Path

from django.utils.translation import get_language

DATA = Path(__file__).parent / "data" / "glossary.json"


def term(section: str, code: str) -> str:
    """The word for a code, such as "two_hands" in the section "when"; the code, if it has none."""
    entry = _sections()[section].get(code, {})
    language = "fr" if (get_language() or "").startswith("fr") else "en"
    return (entry.get(language) or code).replace("'", "’")


def codes(section: str) -> frozenset[str]:
    """The codes that this section has words for."""
    return frozenset(_sections()[section])


@cache
def words(section: str) -> dict[str, tuple[str, str]]:
    """The words of this section in English and French, by code."""
    return {code: (entry["en"], entry["fr"]) for code, entry in _sections()[section].items()}


@cache
def _sections() -> dict[str, dict[str, dict[str, str]]]:
    sections: dict[str, dict[str, dict[str, str]]] = json.loads(DATA.read_text("utf-8"))
    return sections
