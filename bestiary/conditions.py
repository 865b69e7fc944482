"""What each condition means, in a line: of both editions, in both languages.

Source: SRD 5.1 and 5.2, "Conditions"; DRS, "Gérer la santé du personnage"; in words of our own.
"""

import json
from functools import cache
from pathlib import Path

DATA = Path(__file__).resolve().parent / "data" / "conditions.json"


def summary(code: str, edition: str, language: str) -> str:
    """The meaning of a condition, or of surprise, in edition "2014" or "2024"; "" of others.

    `language` is "fr", or anything else for English.
    """
    facts = _conditions().get(code, {})
    tongue = "fr" if language == "fr" else "en"
    usual = facts.get(f"summary_{tongue}", "")
    return facts.get(f"summary_5_2_{tongue}", usual) if edition == "2024" else usual


def differs(code: str) -> bool:
    """Whether it means something else in each edition."""
    return "summary_5_2_en" in _conditions().get(code, {})


@cache
def _conditions() -> dict[str, dict[str, str]]:
    return {facts["key"]: facts for facts in json.loads(DATA.read_text(encoding="utf-8"))}
