"""Going back to an earlier state of a fight in one step that can be undone."""

import random
import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

import rules
from encounters import live, steps
from encounters.models import Encounter
from tests.encounters.chronicle import Chronicle, go_back, state_of
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
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db


def test_going_back_brings_every_state_again_and_undo_what_was_left() -> None:
    told = Chronicle()
    left = state_of(told.states[-1])
    random.Random(5).shuffle(order := list(range(1, told.last)))
    for version in order:
        if state_of(told.states[version]) == left:
            continue
        taken = go_back(told.encounter, version)
        assert state_of(taken.fight) == state_of(told.states[version])
        assert state_of(fight_in(told.encounter)) == state_of(told.states[version])
        undo(told.encounter)
        assert state_of(fight_in(told.encounter)) == left
        redo(told.encounter)
        assert state_of(fight_in(told.encounter)) == state_of(told.states[version])
        undo(told.encounter)


def test_states_before_a_way_back_are_found_again_across_it() -> None:
    told = Chronicle()
    told.then(lambda encounter: go_back(encounter, 4))
    told.take(rules.Damage(5, 3))
    told.then(lambda encounter: go_back(encounter, 12))
    told.then(undo)
    for version in (2, 4, 12, told.last - 3, told.last - 1):
        if state_of(told.states[version]) != state_of(fight_in(told.encounter)):
            assert state_of(go_back(told.encounter, version).fight) == state_of(
                told.states[version]
            )


def test_going_back_is_one_step_and_undo_goes_on_behind_it(running: Encounter) -> None:
    for _ in range(3):
        take(running, rules.Damage(3, 5))
    go_back(running, 2)
    assert (versions(running), fight_in(running).combatant(3).hp) == ([1, 2, 3, 4, 5], 54)
    undo(running)
    assert fight_in(running).combatant(3).hp == 44
    undo(running)
    assert fight_in(running).combatant(3).hp == 49


def test_going_back_ends_what_could_be_redone(running: Encounter) -> None:
    take(running, rules.Damage(3, 5))
    take(running, rules.Damage(3, 5))
    undo(running)
    go_back(running, 1)
    with pytest.raises(rules.RuleError, match="nothing-to-redo"):
        redo(running)


def test_the_fight_goes_on_from_where_it_went_back_to(running: Encounter) -> None:
    for _ in range(4):
        take(running, rules.NextTurn())
    go_back(running, 2)
    assert fight_in(running).current == 2
    assert back(running).fight.current == 1
    undo(running)
    assert take(running, rules.NextTurn()).fight.current == 3


def test_the_same_way_back_sent_twice_is_gone_once(running: Encounter) -> None:
    take(running, rules.Damage(3, 5))
    key = uuid4()
    for _ in range(2):
        steps.go_back(running.uuid, key, 2, 1)
    assert versions(running) == [1, 2, 3]


def test_an_old_page_goes_nowhere(gm_client: Client, running: Encounter) -> None:
    take(running, rules.Damage(3, 5))
    take(running, rules.NextTurn())
    answer = press_plainly(gm_client, running, "go-back", version=1, seen=2)
    assert answer.status_code == 409
    assert "Last step: Turn: Bran" in text_of(answer)
    assert versions(running) == [1, 2, 3]


def test_going_back_to_what_is_now_is_refused_with_a_sentence(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 5))
    undo(running)
    for version in (1, 3):
        answer = press_plainly(gm_client, running, "go-back", version=version, at="undo")
        assert answer.status_code == 422
        assert "Nothing to restore: the fight is already in that state" in text_of(answer)
    assert versions(running) == [1, 2, 3]


@pytest.mark.parametrize("version", ["", "0", "-1", "4", "x", "9" * 30])
def test_a_way_back_to_nowhere_is_refused(
    version: str, gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 5))
    answer = press(gm_client, running, "go-back", version=version)
    assert answer.status_code == 422
    assert versions(running) == [1, 2]


def test_going_back_without_scripts_leads_to_the_board(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 5))
    page = gm_client.get(f"/e/{running.uuid}/at/1/").content.decode()
    start = page.index(f'action="/e/{running.uuid}/go-back/"')
    sent = dict(
        re.findall(r'name="(\w+)" value="([^"]*)"', page[start : page.index("</form>", start)])
    )
    answer: Any = gm_client.post(f"/e/{running.uuid}/go-back/", sent)
    assert (answer.status_code, answer["Location"]) == (302, f"/e/{running.uuid}/")
    assert fight_in(running).combatant(3).hp == 59


# The players


def test_the_players_page_follows_back(
    client: Client,
    running: Encounter,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    link = PlayerLinkFactory.create(campaign=running.campaign)
    take(running, rules.NextTurn())
    told: list[int] = []
    monkeypatch.setattr(live, "announce", lambda *news: told.append(news[2]))
    rev = fresh(running).campaign.public_rev
    with django_capture_on_commit_callbacks(execute=True):
        go_back(running, 1)
    assert told == [3]
    assert fresh(running).campaign.public_rev == rev + 1
    assert re.search(r"now Aria", text_of(client.get(f"/j/{link.token}")), re.IGNORECASE)


def test_a_hidden_creature_is_hidden_again_from_players(client: Client) -> None:
    told = Chronicle()
    link = PlayerLinkFactory.create(campaign=told.encounter.campaign)
    undo(told.encounter)  # the end of the fight
    assert "goblin" in client.get(f"/j/{link.token}").content.decode().lower()
    go_back(told.encounter, 4)
    assert "goblin" not in client.get(f"/j/{link.token}").content.decode().lower()
