"""What conditions mean, in a line."""

import re

import pytest

import rules
from bestiary import conditions

TOLD = (*rules.CONDITIONS, "surprised")


@pytest.mark.parametrize("edition", ["2014", "2024"])
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("code", TOLD)
def test_every_condition_has_a_line_of_its_own(code: str, language: str, edition: str) -> None:
    line = conditions.summary(code, edition, language)
    others = [conditions.summary(other, edition, language) for other in TOLD if other != code]
    assert line.endswith(".")
    assert len(line) <= 125
    assert line not in others
    assert "'" not in line
    if language == "fr":
        assert not re.search(r" [;:?!]|\d m\b", line)


def test_a_line_follows_the_edition_where_the_editions_differ() -> None:
    different = {
        code
        for code in TOLD
        if conditions.summary(code, "2014", "en") != conditions.summary(code, "2024", "en")
    }
    assert different == {code for code in TOLD if conditions.differs(code)}
    assert "exhaustion" in different
    assert "blinded" not in different


def test_what_is_no_condition_has_no_line() -> None:
    assert conditions.summary("own", "2014", "en") == ""
