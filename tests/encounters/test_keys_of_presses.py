"""A key is one wish: one verb with one content, done once, told once, and never swallowed."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from encounters.models import Encounter, Step
from tests.encounters.playing import (
    HTMX,
    fight_in,
    ogre_fight,
    ogres_hp,
    press,
    press_plainly,
    text_of,
    versions,
)

pytestmark = pytest.mark.django_db

HIT = {"target": 3, "amount": "4"}
Wish = tuple[str, dict[str, Any]]


def test_the_same_wish_sent_again_is_answered_by_the_board_and_done_once(gm_client: Client) -> None:
    encounter, key = ogre_fight(), str(uuid4())
    for page in (
        {"selected": "3"},
        {"seen": 0, "selected": ""},
    ):  # from a page that is newer by now
        answer = press(gm_client, encounter, "damage", key=key, **HIT, **page)
        assert answer.status_code == 200
    assert (ogres_hp(encounter), versions(encounter)) == (296, [1])


@pytest.mark.parametrize(
    "other",
    [
        ("damage", {"target": 3, "amount": "6"}),
        ("damage", {"target": 1, "amount": "4"}),
        ("damage", {"target": 3, "amount": "4", "saved": ["3"]}),
        ("heal", {"target": 3, "amount": "4"}),
        ("undo", {}),
        ("next-turn", {}),
        ("damage", {"target": 9, "amount": "4"}),  # which would be refused
    ],
)
def test_another_wish_under_the_same_key_is_told_what_had_arrived(
    gm_client: Client, other: Wish
) -> None:
    encounter, key = ogre_fight(), str(uuid4())
    press(gm_client, encounter, "damage", key=key, **HIT)
    verb, typed = other
    answer = press(gm_client, encounter, verb, key=key, **typed)
    assert answer.status_code == 409
    assert "Not applied: what you had sent before arrived after all: 4 damage to Ogre" in text_of(
        answer
    )
    assert key not in answer.content.decode()
    assert (ogres_hp(encounter), versions(encounter)) == (296, [1])


def test_without_scripts_a_page_sent_again_is_taken_once_and_another_wish_is_told(
    gm_client: Client,
) -> None:
    encounter, key = ogre_fight(), str(uuid4())
    sent = [HIT, HIT, {"target": 3, "amount": "6"}]
    answers = [press_plainly(gm_client, encounter, "damage", key=key, **typed) for typed in sent]
    assert [answer.status_code for answer in answers] == [302, 302, 409]
    assert "arrived after all" in text_of(answers[-1])
    assert ogres_hp(encounter) == 296


def test_a_press_that_changes_nothing_has_had_its_turn(gm_client: Client) -> None:
    encounter, key = ogre_fight(), str(uuid4())
    healed: dict[str, Any] = {"target": 3, "amount": "5", "key": key}
    for then in ({}, {"target": 3, "amount": "6"}):
        if then:
            press(gm_client, encounter, "damage", **then)
        assert press(gm_client, encounter, "heal", **healed).status_code == 200
    assert (ogres_hp(encounter), versions(encounter)) == (294, [1])
    assert press(gm_client, encounter, "damage", key=key, **HIT).status_code == 409
    assert press(gm_client, encounter, "undo").status_code == 200
    assert ogres_hp(encounter) == 300


def test_what_was_refused_may_be_mended_under_its_key(gm_client: Client) -> None:
    encounter, key = ogre_fight(), str(uuid4())
    wrong = press(gm_client, encounter, "damage", key=key, target=3, amount="four")
    assert wrong.status_code == 422
    assert press(gm_client, encounter, "damage", key=key, **HIT).status_code == 200
    assert ogres_hp(encounter) == 296


def test_a_step_of_before_there_were_digests_is_taken_for_the_same_wish(gm_client: Client) -> None:
    encounter, key = ogre_fight(), str(uuid4())
    press(gm_client, encounter, "damage", key=key, **HIT)
    Step.objects.update(asked="")
    assert press(gm_client, encounter, "damage", key=key, **HIT).status_code == 200
    assert ogres_hp(encounter) == 296


def refreshed(client: Client, encounter: Encounter, *keys: str) -> str:
    headers = {**HTMX, "Board-Unanswered": " ".join(keys)}
    return client.get(f"/e/{encounter.uuid}/", headers=headers).content.decode()


def test_a_page_that_waits_in_vain_is_told_which_of_its_presses_have_arrived(
    gm_client: Client,
) -> None:
    encounter, key, lost = ogre_fight(), str(uuid4()), str(uuid4())
    press(gm_client, encounter, "damage", key=key, **HIT)
    board = refreshed(gm_client, encounter, key, lost, "no-key")
    assert f'data-arrived="{key}"' in board
    assert "It had arrived: " in board
    assert "data-arrived" not in refreshed(gm_client, encounter, lost)
    assert "data-arrived" not in refreshed(gm_client, ogre_fight(), key)
    assert fight_in(encounter).version == 1
