"""The log reads well in both languages, whoever it is about and however many."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation

from encounters import log

GOBLIN = {"name": "Goblin", "name_fr": "Gobelin", "ordinal": 2}
ARIA = {"name": "Aria", "name_fr": "", "ordinal": None}


@pytest.fixture(params=["en", "fr"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    with translation.override(request.param):
        yield request.param


def said(code: str, **details: Any) -> str:
    """The sentence, with plain spaces."""
    spaces = str.maketrans("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}", "  ")
    return log.sentence([{"code": code, **details}]).translate(spaces)


@pytest.mark.parametrize(
    ("amount", "english", "french"),
    [
        (0, "0 damage to Goblin 2", "0 dégât à Gobelin 2"),
        (1, "1 damage to Goblin 2", "1 dégât à Gobelin 2"),
        (7, "7 damage to Goblin 2", "7 dégâts à Gobelin 2"),
    ],
)
def test_damage_is_counted_as_each_language_counts(
    language: str, amount: int, english: str, french: str
) -> None:
    expected = {"en": english, "fr": french}[language]
    assert said("damaged", amount=amount, who=[GOBLIN], dice=[]) == expected


def test_dice_are_shown_with_what_they_did(language: str) -> None:
    assert (
        said("damaged", amount=8, who=[ARIA, GOBLIN], dice=[3, 5])
        == {
            "en": "8 damage to Aria and Goblin 2 (dice 3, 5)",
            "fr": "8 dégâts à Aria et Gobelin 2 (dés 3, 5)",
        }[language]
    )
    assert (
        said("healed", amount=1, who=[ARIA], dice=[1])
        == {
            "en": "1 hit point regained by Aria (die 1)",
            "fr": "1 PV regagné par Aria (dé 1)",
        }[language]
    )


def test_a_vowel_at_the_start_of_a_name_disturbs_no_sentence(language: str) -> None:
    assert (
        said("turn-began", who=[ARIA]) == {"en": "Turn: Aria", "fr": "Au tour de : Aria"}[language]
    )
    assert (
        said("surprise-set", who=[ARIA], surprise="surprised")
        == {
            "en": "Aria marked surprised",
            "fr": "Aria : surpris (décision du MJ)",
        }[language]
    )


def test_what_happened_in_one_step_stands_in_one_line(language: str) -> None:
    events: list[dict[str, Any]] = [
        {"code": "damaged", "amount": 7, "who": [GOBLIN], "dice": []},
        {"code": "was-defeated", "who": [GOBLIN]},
    ]
    line = log.sentence(events).replace("\N{NO-BREAK SPACE}", " ")
    assert (
        line
        == {
            "en": "7 damage to Goblin 2 · Goblin 2 defeated",
            "fr": "7 dégâts à Gobelin 2 · Hors de combat : Gobelin 2",
        }[language]
    )


def test_rolling_again_shows_each_die_in_turn(language: str) -> None:
    order, dice = [[ARIA], [GOBLIN, GOBLIN]], [[12, 17], [12, 4]]
    assert (
        said("rolled-off", total=15, order=order, dice=dice)
        == {
            "en": "Roll-off at 15: Aria: 12 → 17, Goblin ×2: 12 → 4",
            "fr": "Départage à 15 : Aria : 12 → 17, Gobelin ×2 : 12 → 4",
        }[language]
    )


def test_what_befalls_several_alike_is_said_once(language: str) -> None:
    other = {**GOBLIN, "ordinal": 3}
    ended = [{"code": "surprise-ended", "who": [one]} for one in (GOBLIN, other)]
    hurt = [{"code": "damaged", "amount": 5, "who": [one], "dice": []} for one in (GOBLIN, other)]
    assert [log.sentence(ended).replace("\N{NO-BREAK SPACE}", " "), log.sentence(hurt)] == {
        "en": [
            "No longer surprised: Goblin 2 and Goblin 3",
            "5 damage to Goblin 2 · 5 damage to Goblin 3",
        ],
        "fr": [
            "Fin de la surprise : Gobelin 2 et Gobelin 3",
            "5 dégâts à Gobelin 2 · 5 dégâts à Gobelin 3",
        ],
    }[language]
