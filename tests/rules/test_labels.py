"""What players call creatures: labels, and the letters that tell those of one name apart."""

import pytest

import rules
from tests.rules.making import fight_of


def called(fight: rules.Fight) -> list[tuple[str, int]]:
    return [(rules.shown_name(c), c.letter) for c in fight.combatants]


def label(fight: rules.Fight, *targets: int, to: str = "Shadow") -> rules.Fight:
    return rules.SetLabel(targets, to).run(fight).fight


def test_creatures_under_one_label_have_letters_of_that_label() -> None:
    fight = label(fight_of("2 foes Goblin", "1 foes Wolf"), 2, 3)
    assert called(fight) == [("Goblin", 1), ("Shadow", 1), ("Shadow", 2)]


def test_a_letter_once_given_is_nobody_elses_after_its_bearer_is_called_otherwise() -> None:
    fight = label(fight_of("2 foes Goblin"), 1)
    fight = label(fight, 1, to="")
    assert called(fight) == [("Goblin", 3), ("Goblin", 2)]


def test_the_same_label_again_changes_nothing() -> None:
    fight = label(fight_of("2 foes Goblin"), 1, 2)
    assert label(fight, 1, 2) == fight
    assert label(fight, 1, 2, to="Shadow") == fight


def test_a_label_like_the_name_itself_takes_no_new_letter() -> None:
    fight = label(fight_of("2 foes Goblin"), 1, to="Goblin")
    assert called(fight) == [("Goblin", 1), ("Goblin", 2)]


def test_a_hidden_creature_is_called_otherwise_without_a_letter() -> None:
    fight = label(fight_of("1 foes Goblin", "1 foes Wolf hidden"), 1, 2)
    assert called(fight) == [("Shadow", 1), ("Shadow", 0)]


def test_a_label_sets_what_editing_would_set() -> None:
    fight = fight_of("2 foes Goblin", "1 foes Wolf")
    for number, to in ((1, "Shadow"), (3, "Goblin"), (1, "")):
        edited = rules.Edit(number, {"label": to}).run(fight).fight
        assert label(fight, number, to=to) == edited
        fight = edited


def test_nobody_is_called_anything_who_is_not_there() -> None:
    with pytest.raises(rules.RuleError, match=r"^no-combatant$"):
        label(fight_of("1 foes Goblin"), 1, 9)
