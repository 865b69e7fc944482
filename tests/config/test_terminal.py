"""Words on terminals: in the language of whoever sits there, and with what the terminal has."""

import io
import sys

import pytest

from config import terminal


def test_a_terminal_without_our_spaces_still_shows_the_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding="latin-1"))
    terminal.write_what_it_can()
    print("Prêt\N{NARROW NO-BREAK SPACE}!", flush=True)
    assert shown.getvalue().decode("latin-1").strip() == "Prêt?!"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "fr"}, "fr"),
        ({}, "en"),
    ],
)
def test_the_terminal_s_language_is_asked_in_the_order_of_gettext(
    environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal.language() == expected
