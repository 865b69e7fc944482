"""A whole side is shown to the players or hidden from them, and creatures are called otherwise."""

import re
from typing import Any

import pytest
from django.test import Client

import rules
from encounters import adding
from encounters.models import Encounter
from encounters.screens import player_board
from tests.encounters.playing import (
    fight_in,
    fresh,
    press,
    press_plainly,
    pressed,
    take,
    text_of,
    undo,
)
from tests.factories import EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

ARIA, ORC, SHAMAN, SPY, GUARD, AMBUSH, LAIR = range(1, 8)


@pytest.fixture
def night() -> Encounter:
    """Aria has the turn; of three hidden foes one is to come in round 3; a hidden guard; a lair."""
    unseen = [creature(name, hidden=True) for name in ("Orc", "Shaman")]
    party = [
        hero("Aria"),
        *unseen,
        creature("Spy"),
        creature("Guard", side="third", hidden=True),
        creature("Ambush", hidden=True, arrives=3),
        adding.lair(),
    ]
    encounter: Encounter = EncounterFactory.create(fight=fight_of(*party))
    take(encounter, rules.StartFight(totals={n: 30 - n for n in range(ARIA, LAIR)}))
    return encounter


def hidden(encounter: Encounter) -> set[int]:
    return {c.number for c in fight_in(encounter).combatants if c.hidden}


def seen(encounter: Encounter) -> list[str]:
    """Whom players see, in order."""
    board = player_board(fresh(encounter).campaign, fight_in(encounter))
    slots = [*([board.now] if board.now else []), *board.coming, *board.later]
    return [str(one.name) for slot in slots for one in slot.members]


def buttons(answer: Any) -> dict[str, bool]:
    """The buttons that show or hide a side, and whether they can be pressed."""
    group = re.search(r'id="sight".*?</div>', answer.content.decode(), re.DOTALL)
    found = re.findall(r"<button([^>]*)>([^<]*)</button>", group[0] if group else "")
    return {words: "disabled" not in given for given, words in found}


def test_one_tap_shows_all_foes_and_one_undo_hides_them_again(
    gm_client: Client, night: Encounter
) -> None:
    assert seen(night) == ["Aria", "Spy"]
    pressed(gm_client, night, "set-side-hidden", side="foes")
    assert seen(night) == ["Aria", "Orc", "Shaman", "Spy"]
    undo(night)
    assert seen(night) == ["Aria", "Spy"]


def test_a_shown_side_leaves_others_those_to_come_and_the_lair_hidden(
    gm_client: Client, night: Encounter
) -> None:
    pressed(gm_client, night, "set-side-hidden", side="foes")
    assert hidden(night) == {GUARD, AMBUSH, LAIR}
    pressed(gm_client, night, "set-side-hidden", side="third")
    assert hidden(night) == {AMBUSH, LAIR}


def test_one_tap_hides_all_foes_and_those_who_would_be_seen_when_they_come(
    gm_client: Client, night: Encounter
) -> None:
    take(night, rules.SetHidden((AMBUSH, LAIR, GUARD), False))
    pressed(gm_client, night, "set-side-hidden", side="foes", hidden="1")
    assert hidden(night) == {ORC, SHAMAN, SPY, AMBUSH, LAIR}
    assert seen(night) == ["Aria", "Guard"]


def test_whoever_has_joined_since_the_page_was_made_is_of_the_side(
    gm_client: Client, night: Encounter
) -> None:
    before = fresh(night).version
    take(night, rules.Join((creature("Wolf", hidden=True),), (10,)))
    pressed(gm_client, night, "set-side-hidden", side="foes", seen=before)
    assert "Wolf" in seen(night)


def test_the_board_offers_for_each_side_what_can_be_done(
    gm_client: Client, night: Encounter
) -> None:
    board = f"/e/{night.uuid}/"
    both = {"Show all foes": True, "Hide all foes": True}
    third = {"Show the third side": True, "Hide the third side": False}
    assert buttons(gm_client.get(board)) == both | third
    answer = press(gm_client, night, "set-side-hidden", side="foes")
    assert buttons(answer) == {"Show all foes": False, "Hide all foes": True} | third
    take(night, rules.EndFight())
    assert buttons(gm_client.get(board)) == {}


@pytest.mark.parametrize("state", ["preparing", "rolling"])
def test_a_side_is_shown_before_the_fight_as_well(state: str, gm_client: Client) -> None:
    fight = fight_of(hero(), creature("Orc", hidden=True))
    encounter = EncounterFactory.create(fight=fight)
    if state == "rolling":
        take(encounter, rules.OpenFight())
    page = gm_client.get(f"/e/{encounter.uuid}/")
    assert buttons(page) == {"Show all foes": True, "Hide all foes": False}
    answer = press_plainly(gm_client, encounter, "set-side-hidden", side="foes")
    assert answer["Location"] == f"/e/{encounter.uuid}/"
    assert hidden(encounter) == set()


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"side": "allies"}, "All of them are shown to players already."),
        ({"side": "third", "hidden": "1"}, "All of them are hidden from players already."),
        ({"side": "heroes", "hidden": "1"}, "heroes is not one of the available choices"),
        ({"side": ""}, "This field is required."),
    ],
)
def test_what_cannot_be_shown_or_hidden_is_refused_with_its_reason(
    sent: dict[str, str], why: str, gm_client: Client, night: Encounter
) -> None:
    before = fight_in(night)
    answer = press(gm_client, night, "set-side-hidden", **sent)
    assert answer.status_code == 422
    assert why in text_of(answer)
    plainly = press_plainly(gm_client, night, "set-side-hidden", **sent, at="sight-third")
    assert why in text_of(plainly)
    assert fight_in(night) == before


# What players call them


def test_several_are_called_otherwise_in_one_step_which_the_log_names(
    gm_client: Client, night: Encounter
) -> None:
    pressed(gm_client, night, "set-side-hidden", side="foes")
    answer = press(gm_client, night, "set-label", target="2,3", label="Hooded figure")
    assert seen(night) == ["Aria", "Hooded figure A", "Hooded figure B", "Spy"]
    assert "Orc and Shaman: players see “Hooded figure”" in text_of(answer)
    pressed(gm_client, night, "set-label", target=GUARD, label="Statue")
    answer = press(gm_client, night, "set-label", target=GUARD, label="")
    assert "Guard: players see the real name" in text_of(answer)
    pressed(gm_client, night, "set-side-hidden", side="third")
    assert "Guard" in seen(night)


def test_the_strip_holds_the_name_that_players_see(gm_client: Client, night: Encounter) -> None:
    take(night, rules.SetLabel((SPY,), "The “miller”"))
    for number, label in ((SPY, "The “miller”"), (ORC, "")):
        page = gm_client.get(f"/e/{night.uuid}/?selected={number}").content.decode()
        field = re.search(r'<input id="label-text"[^>]*>', page)
        assert field
        assert f'value="{label}"' in field[0]


def test_a_name_too_long_for_players_is_refused_and_stays_typed(
    gm_client: Client, night: Encounter
) -> None:
    sent = {"target": SPY, "selected": SPY, "label": "N" * 81, "at": "label"}
    assert "at most 80 characters" in text_of(press(gm_client, night, "set-label", **sent))
    answer = press_plainly(gm_client, night, "set-label", **sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f'value="{"N" * 81}"' in page
    assert '<details class="more" id="naming" open>' in page
