"""What is due no more, or not so: refused, with nothing changed."""

import pytest
from django.test import Client

import rules
from tests.encounters.owing import (
    BRAN,
    BURNING,
    DRAGON,
    FRIGHTENED,
    GOBLIN,
    board_of,
    due_of,
    go_on,
    lair_fight,
    put,
    refused,
)
from tests.encounters.playing import press_plainly, take, text_of

pytestmark = pytest.mark.django_db


def test_a_save_for_an_effect_that_has_ended_is_refused(gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, BRAN)
    go_on(encounter)
    due = due_of(encounter, BRAN)
    take(encounter, rules.RemoveEffect(BRAN, "frightened"))
    sent = {"target": BRAN, "due": due}
    for result in ("made", "failed", "roll"):
        said = refused(gm_client, encounter, "settle", **sent, result=result)
        assert "This is no longer due." in said
    assert "This is no longer due." in refused(gm_client, encounter, "dismiss", **sent)
    plain = press_plainly(gm_client, encounter, "settle", at="due", **sent, result="made")
    assert plain.status_code == 422
    assert "This is no longer due." in text_of(plain)


def test_a_save_of_somebody_just_removed_is_refused(gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, 3, 4)
    go_on(encounter, 3)
    due = due_of(encounter, GOBLIN)
    take(encounter, rules.Leave((GOBLIN,)))
    for target in ("3", "3,4"):
        sent = {"target": target, "due": due, "result": "roll"}
        assert "has left the fight" in refused(gm_client, encounter, "settle", **sent)


@pytest.mark.parametrize(
    "bad", [{"result": "20"}, {"result": "won"}, {"result": "applied"}, {"due": "save|15"},
            {"due": ""}, {"target": ""}, {"result": ""}],
)  # fmt: skip
def test_what_fits_nothing_that_is_due_is_refused(bad: dict[str, str], gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, BRAN)
    go_on(encounter)
    sent = {"target": BRAN, "due": due_of(encounter, BRAN), "result": "made", **bad}
    assert refused(gm_client, encounter, "settle", **sent)


@pytest.mark.parametrize("amount", ["-1", "x", "1.5", "100000"])
def test_hit_points_that_are_none_are_refused(amount: str, gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, BURNING, BRAN)
    go_on(encounter)
    sent = {"target": BRAN, "due": due_of(encounter, BRAN), "result": "applied", "amount": amount}
    assert refused(gm_client, encounter, "settle", **sent)


def test_once_the_fight_is_over_nothing_is_due(gm_client: Client) -> None:
    encounter = lair_fight()
    go_on(encounter)
    due = due_of(encounter, DRAGON)
    take(encounter, rules.EndFight())
    assert board_of(encounter).due == ()
    sent = {"target": DRAGON, "due": due, "result": "made"}
    assert "The fight is over" in refused(gm_client, encounter, "settle", **sent)
