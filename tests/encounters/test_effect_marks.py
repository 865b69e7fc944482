"""What is on a combatant: its marks, taking them away, and the log."""

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from encounters.screens import gm_board
from encounters.screens.rows import GmRow
from tests.encounters.playing import (
    fight_in,
    fresh,
    ogre_fight,
    press,
    pressed,
    take,
    text_of,
    undo,
)

pytestmark = pytest.mark.django_db
ARIA, BRAN, OGRE = 1, 2, 3  # Aria has the turn


@pytest.fixture
def fight() -> Encounter:
    return ogre_fight()


def on(fight: Encounter, number: int = OGRE) -> list[tuple[str, str]]:
    return [(effect.code, effect.text) for effect in fight_in(fight).combatant(number).effects]


def row(fight: Encounter, number: int = OGRE) -> GmRow:
    board = gm_board(fresh(fight), fight_in(fight))
    return next(one for one in board.rows if one.number == number)


# What is on them, and taking it away


def test_a_mark_says_what_is_left(fight: Encounter) -> None:
    for effect, rounds in (
        (rules.Effect("own", text="blessed", source=BRAN), 10),
        (rules.Effect("prone", ends="end"), 0),
        (rules.Effect("frightened", ends="start", whose=ARIA, turns=2), 0),
        (rules.Effect("grappled", ends="end", whose=BRAN, source=BRAN), 0),
        (rules.Effect("concentration", text="Web"), 0),
        (rules.Effect("blinded", save="con", dc=12), 0),
    ):
        take(fight, rules.AddEffect(OGRE, effect, rounds))
    assert [(mark.name, mark.left) for mark in row(fight).effects] == [
        ("blessed", "10 r"),
        ("prone", "until its turn ends"),
        ("frightened", "2 turns of Aria"),
        ("grappled", "until Bran’s turn ends"),
        ("concentration: Web", ""),
        ("blinded", ""),
    ]
    finer = [mark.finer for mark in row(fight).effects]
    assert finer[0] == "from Bran · 10 r"
    assert finer[-1] == "CON save, DC 12, at the end of its turns"


def test_the_rounds_left_count_down_with_the_turns_of_who_put_it_on(fight: Encounter) -> None:
    take(fight, rules.AddEffect(OGRE, rules.Effect("prone"), rounds=2))
    seen = []
    while row(fight).effects:
        seen.append((fight_in(fight).round, row(fight).effects[0].left))
        take(fight, rules.NextTurn())
    assert seen == [(1, "2 r")] * 3 + [(2, "1 r")] * 3
    assert fight_in(fight).round == 3


def test_the_same_from_two_sources_is_shown_once_with_what_lasts_longer(fight: Encounter) -> None:
    take(fight, rules.AddEffect(OGRE, rules.Effect("frightened", source=ARIA), rounds=3))
    take(fight, rules.AddEffect(OGRE, rules.Effect("frightened", source=BRAN), rounds=9))
    [mark] = row(fight).effects
    assert (mark.left, mark.finer) == ("9 r", "from Bran · 9 r")
    take(fight, rules.AddEffect(OGRE, rules.Effect("frightened", source=OGRE)))
    [mark] = row(fight).effects
    assert mark.left == ""
    offered = [(one.value, one.finer) for one in row(fight).removable]
    assert offered == [
        ("frightened:1", "from Aria"),
        ("frightened:2", "from Bran"),
        ("frightened:3", ""),
        ("frightened", "all"),
    ]


def test_the_same_on_several_is_taken_away_by_one_button_however_long_it_lasts(
    fight: Encounter,
) -> None:
    for number, rounds in ((BRAN, 3), (OGRE, 9)):
        take(fight, rules.AddEffect(number, rules.Effect("frightened", source=ARIA), rounds))
    take(fight, rules.AddEffect(OGRE, rules.Effect("concentration", text="Web")))
    take(fight, rules.AddEffect(BRAN, rules.Effect("concentration", text="Bless")))
    offered = gm_board(fresh(fight), fight_in(fight)).effects.removable
    assert sorted((one.value, one.name) for one in offered) == [
        ("concentration", "concentration: Bless"),
        ("concentration", "concentration: Web"),
        ("frightened:1", "frightened"),
    ]


def test_one_of_several_or_all_are_taken_away(gm_client: Client, fight: Encounter) -> None:
    for source in (ARIA, BRAN, None):
        take(fight, rules.AddEffect(OGRE, rules.Effect("prone", source=source)))
    for text in ("blessed", "marked: twice"):
        take(fight, rules.AddEffect(OGRE, rules.Effect("own", text=text)))
    pressed(gm_client, fight, "remove-effect", target="2,3", effect="prone:2")
    assert len(on(fight)) == 4
    pressed(gm_client, fight, "remove-effect", target=OGRE, effect="own::marked: twice")
    assert on(fight) == [("prone", ""), ("prone", ""), ("own", "blessed")]
    pressed(gm_client, fight, "remove-effect", target=OGRE, effect="prone")
    assert on(fight) == [("own", "blessed")]
    undo(fight)
    assert len(on(fight)) == 3


@pytest.mark.parametrize(
    "effect", ["", "zzz", "prone:x", "prone:-1", "prone:²", "prone:9999999999"]
)
def test_what_cannot_be_on_anybody_is_not_taken_away(
    effect: str, gm_client: Client, fight: Encounter
) -> None:
    take(fight, rules.AddEffect(OGRE, rules.Effect("prone")))
    answer = press(gm_client, fight, "remove-effect", target=OGRE, effect=effect)
    assert answer.status_code == 422
    assert on(fight) == [("prone", "")]


def test_a_spell_held_ready_takes_concentration(gm_client: Client, fight: Encounter) -> None:
    pressed(gm_client, fight, "take-action", target=ARIA, action="ready", text="Web", spell="on")
    assert on(fight, ARIA) == [("readied", "Web"), ("concentration", "Web")]
    pressed(gm_client, fight, "next-turn")
    pressed(gm_client, fight, "take-action", target=BRAN, action="dodge", spell="on")
    assert on(fight, BRAN) == [("dodging", "")]


# The log


def test_the_log_tells_how_long_and_from_whom(gm_client: Client, fight: Encounter) -> None:
    for typed, said in (
        ({"effect": "frightened", "lasts": "rounds:10", "source": BRAN},
         "Ogre: frightened (from Bran, 10 rounds)"),
        ({"effect": "prone", "lasts": "turn-end-own"}, "Ogre: prone (until the next turn ends)"),
        ({"effect": "grappled", "lasts": "turn-start-source", "n": "2", "source": BRAN},
         "Ogre: grappled (from Bran, for 2 turns of Bran)"),
        ({"effect": "own", "text": "blessed"}, "Ogre: blessed"),
        ({"effect": "concentration", "text": "Web"}, "Ogre: concentration (Web)"),
    ):  # fmt: skip
        answer = press(gm_client, fight, "add-effect", target=OGRE, **typed)
        assert said in text_of(answer)
    answer = press(gm_client, fight, "remove-effect", target=OGRE, effect="concentration")
    assert "Ogre: concentration over (Web)" in text_of(answer)
    answer = press(gm_client, fight, "remove-effect", target=OGRE, effect="own::blessed")
    assert "Ogre: blessed ended" in text_of(answer)
