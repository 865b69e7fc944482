"""Dice of one's own: told in the log, shown in the turn panel, and taken back like any step."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

import rules
from encounters import history, labels, log
from encounters.models import Encounter
from encounters.screens import gm_board
from encounters.screens.dice import LastRoll
from tests.encounters.chronicle import go_back, state_of
from tests.encounters.opening import Told
from tests.encounters.playing import (
    back,
    fight_in,
    fresh,
    press,
    press_plainly,
    redo,
    take,
    text_of,
    undo,
    versions,
)
from tests.encounters.test_secrecy import fought, unnoticed
from tests.factories import hero

pytestmark = pytest.mark.django_db

OGRE = 3


def last(encounter: Encounter) -> LastRoll | None:
    encounter = fresh(encounter)
    return gm_board(encounter, fight_in(encounter)).last_roll


def roll(client: Client, encounter: Encounter, dice: str, **typed: Any) -> str:
    answer = press(client, encounter, "roll-dice", dice=dice, **typed)
    assert answer.status_code == 200
    return text_of(answer)


def test_a_roll_is_told_with_its_dice_and_its_total(
    gm_client: Client, running: Encounter, dice: Told
) -> None:
    dice.values = [6, 3, 5, 4]
    said = roll(gm_client, running, "4d6kh3 + 2")
    assert "Rolled 4d6kh3+2: 17 (dice 6, 5, 4; dropped: 3)" in said
    assert last(running) == LastRoll("", "4d6kh3+2", "17", (6, 5, 4), (3,))


def test_a_roll_names_who_made_it(gm_client: Client, running: Encounter, dice: Told) -> None:
    dice.values = [20, 19]
    said = roll(gm_client, running, "d20−30 dsv", who=OGRE)
    assert "Ogre rolled d20−30 dis: −11 (die 19; dropped: 20)" in said
    shown = last(running)
    assert shown
    assert (shown.who, shown.total) == ("Ogre", "−11")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("expression", ["d20+5 adv", "d20-1 dis", "4d6kh3-1", "2d6"])
def test_dice_are_written_as_they_can_be_typed_again(language: str, expression: str) -> None:
    with translation.override(language):
        written = labels.typed_dice(expression)
    assert rules.roll(written, lambda sides: sides).expression == expression


def test_a_roll_is_one_step_that_changes_nothing_and_is_undone_as_any(running: Encounter) -> None:
    take(running, rules.Damage(OGRE, 5))
    before = state_of(fight_in(running))
    take(running, rules.RollDice("d20", (7,), 7))
    assert (versions(running), state_of(fight_in(running))) == ([1, 2, 3], before)
    undo(running)
    assert (state_of(fight_in(running)), last(running)) == (before, None)
    redo(running)
    assert (state_of(fight_in(running)), last(running)) == (
        before,
        LastRoll("", "d20", "7", (7,), ()),
    )
    undo(running)
    undo(running)
    assert fight_in(running).combatant(OGRE).hp == 59


def test_a_roll_is_struck_out_in_the_log_once_it_is_undone(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.RollDice("d20", (7,), 7))
    take(running, rules.RollDice("d20", (8,), 8))
    undo(running)

    def undone() -> dict[int, bool]:
        page = gm_client.get(f"/e/{running.uuid}/log/", {"kind": "rolls"}).context["page"]
        return {line.version: line.undone for line in page.object_list}

    assert undone() == {4: False, 3: True, 2: False}
    assert history.standing(history.records(running), fresh(running).undo_step) == {1, 2}
    redo(running)
    assert undone() == {5: False, 4: False, 3: False, 2: False}


def test_the_turn_before_leaves_rolls_as_they_are(running: Encounter) -> None:
    take(running, rules.RollDice("d20", (6,), 6))
    take(running, rules.NextTurn())
    take(running, rules.RollDice("d20", (7,), 7))
    first = fight_in(running).slots[0].number
    back(running)
    assert fight_in(running).current == first
    assert last(running) == LastRoll("", "d20", "7", (7,), ())


def test_going_back_over_rolls_alone_is_going_nowhere(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(OGRE, 5))
    take(running, rules.RollDice("d20", (7,), 7))
    with pytest.raises(rules.RuleError, match="nothing-to-go-back"):
        go_back(running, 2)
    past = gm_client.get(f"/e/{running.uuid}/at/3/")
    assert "Rolled d20: 7 (die 7)" in text_of(past)
    assert not past.context["board"].differs


def test_going_back_over_a_roll_takes_it_from_the_table(running: Encounter) -> None:
    take(running, rules.Damage(OGRE, 5))
    take(running, rules.RollDice("d20", (7,), 7))
    take(running, rules.Damage(OGRE, 5))
    go_back(running, 2)
    assert last(running) is None
    assert history.standing(history.records(running), fresh(running).undo_step) == {1, 2, 5}
    undo(running)
    assert last(running) == LastRoll("", "d20", "7", (7,), ())


def test_a_state_after_a_roll_is_named_by_it(running: Encounter) -> None:
    take(running, rules.RollDice("d20", (7,), 7))
    take(running, rules.Damage(OGRE, 5))
    go_back(running, 2)
    step = running.steps.order_by("-version").first()
    assert step
    assert "after “Rolled d20: 7 (die 7)”" in log.sentence(step.events)


def test_players_notice_nothing_of_a_roll() -> None:
    encounter, link = fought(hero("Aria"), hero("Bran"), totals={1: 20, 2: 10})
    with unnoticed(link):
        take(encounter, rules.RollDice("d20", (7,), 7, who=1))


def test_the_same_roll_sent_twice_falls_once(gm_client: Client, running: Encounter) -> None:
    sent = {"key": "6a2f41a3-c54c-4d8d-9f1f-0f6c1f9f7a11"}
    said = [roll(gm_client, running, "d20", **sent) for _ in range(2)]
    assert said[0] == said[1]
    assert versions(running) == [1, 2]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "This field is required."),
        ("many", "This is neither a number nor dice such as 2d6+3."),
        ("12", "Type some dice, such as 2d6+3."),
        ("1001d6", "At most 1,000 dice of 1,000 sides."),
        ("2d6kh3", "Keep at least one of the dice rolled, and at most all of them."),
        ("2d6 adv", "Advantage and disadvantage are for one d20."),
        ("d20+100000", "Type a number from 0 to 99,999."),
    ],
)
def test_what_is_no_dice_is_refused_beside_the_field_and_stays_there(
    gm_client: Client, running: Encounter, typed: str, why: str
) -> None:
    answer = press(gm_client, running, "roll-dice", dice=typed, at="dice")
    assert (answer.status_code, text_of(answer)) == (422, why)
    page = press_plainly(gm_client, running, "roll-dice", dice=typed, at="dice")
    assert page.status_code == 422
    html = page.content.decode()
    form = html[html.index('<form class="own-dice"') :].partition("</form>")[0]
    assert f'name="dice" maxlength="100" size="8" value="{typed}"' in form
    assert why in form
    assert versions(running) == [1]


def test_a_roll_is_shown_without_any_further_query(gm_client: Client, running: Encounter) -> None:
    board = f"/e/{running.uuid}/"
    gm_client.get(board)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            gm_client.get(board)
        counts.append(len(queries))
        take(running, rules.RollDice("d20", (7,), 7))
    assert counts[0] == counts[1]


# Damage that was rolled against nobody


def only_rolled(encounter: Encounter) -> None:
    """An attack against nobody: its damage waits for somebody to be applied to."""
    parts = ((5, "slashing"),)
    take(encounter, rules.Attack(OGRE, "Greatclub", 6, (11,), "plain", parts, dice=(2,)))


def to_apply(encounter: Encounter) -> str:
    roll = last(encounter)
    return roll.apply if roll else "no roll"


def test_damage_is_there_to_be_applied_until_it_has_been(running: Encounter) -> None:
    only_rolled(running)
    assert to_apply(running) == "5 slashing"
    take(running, rules.Damage(1, 5, type="slashing"))
    assert to_apply(running) == ""
    undo(running)
    assert to_apply(running) == "5 slashing"
    redo(running)
    assert to_apply(running) == ""


def test_a_roll_is_not_kept_for_a_later_turn(running: Encounter) -> None:
    only_rolled(running)
    take(running, rules.NextTurn())
    assert last(running) is None
