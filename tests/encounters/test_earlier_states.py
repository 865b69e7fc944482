"""Looking at an earlier state of a fight."""

import re
from uuid import uuid4

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from encounters.screens.past import PastBoard
from tests.encounters.chronicle import Chronicle
from tests.encounters.playing import fight_in, take, text_of, versions
from tests.factories import EncounterFactory, hero

pytestmark = pytest.mark.django_db


def looked_at(client: Client, encounter: Encounter, version: int) -> PastBoard:
    answer = client.get(f"/e/{encounter.uuid}/at/{version}/")
    assert answer.status_code == 200
    board: PastBoard = answer.context["board"]
    return board


def test_every_earlier_state_is_shown_as_it_was(gm_client: Client) -> None:
    told = Chronicle()
    for version in range(1, told.last + 1):
        board, was = looked_at(gm_client, told.encounter, version), told.states[version]
        assert (board.state, board.round) == (was.state, was.round)
        shown = {past.row.number: (past.row.hp, past.row.hidden) for past in board.rows}
        assert shown == {c.number: (c.hp, c.hidden) for c in was.combatants}
        acting = {past.row.slot for past in board.rows if past.row.acting}
        assert acting == ({was.current} if was.state == "running" else set())
        totals = [past.row.total for past in board.rows if past.row.leads and past.row.total]
        assert totals == [str(slot.total) for slot in was.slots if slot.total is not None]


def test_an_earlier_state_tells_turn_step_and_what_came_next(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.NextTurn())
    page = gm_client.get(f"/e/{running.uuid}/at/2/")
    said = text_of(page)
    assert "Step 2 of 3" in said
    assert "7 damage to Ogre" in said
    assert "Round 1" in said
    assert re.search(r"Aria has the turn", said)
    assert "What happened next: Turn: Bran" in said
    links = re.findall(rf'href="/e/{running.uuid}/at/(\d+)/"', page.content.decode())
    assert sorted(set(links)) == ["1", "3"]


def test_an_earlier_state_tells_what_has_become_of_everybody(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.GiveTemporary(3, 4))
    take(running, rules.Leave((2,)))
    take(running, rules.Join((hero("Cleo"),)))
    board = looked_at(gm_client, running, 1)
    assert [(past.hp_now, past.left) for past in board.rows] == [
        ("", False), ("", True), ("52/59 +4", False),
    ]  # fmt: skip
    assert board.entered == "Cleo"


def test_an_earlier_state_shows_the_marks_of_then(gm_client: Client, running: Encounter) -> None:
    take(running, rules.AddEffect(3, rules.Effect("exhaustion", 2)))
    take(running, rules.RemoveEffect(3, "exhaustion"))
    said = [text_of(gm_client.get(f"/e/{running.uuid}/at/{version}/")) for version in (1, 2, 3)]
    assert ["exhaustion 2" in one for one in said] == [False, True, False]


def test_looking_changes_nothing_and_offers_nothing_but_going_back(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    before = fight_in(running)
    page = gm_client.get(f"/e/{running.uuid}/at/1/").content.decode()
    forms = re.findall(rf'action="/e/{running.uuid}/([^"]*)"', page)
    assert forms == ["go-back/"]
    assert (fight_in(running), versions(running)) == (before, [1, 2])


def test_the_present_offers_no_way_back_to_itself(gm_client: Client, running: Encounter) -> None:
    page = gm_client.get(f"/e/{running.uuid}/at/1/").content.decode()
    assert "go-back/" not in page
    assert "This is how the fight stands now." in page


@pytest.mark.parametrize("version", ["0", "2", "99", "9" * 30, "-1", "x", ""])
def test_a_version_that_never_was_is_404(
    version: str, gm_client: Client, running: Encounter
) -> None:
    assert gm_client.get(f"/e/{running.uuid}/at/{version}/").status_code == 404


def test_an_encounter_that_is_gone_has_no_past(gm_client: Client, running: Encounter) -> None:
    gone = EncounterFactory.create(deleted=running.created, version=1)
    for uuid in (uuid4(), gone.uuid):
        for path in ("log/", "at/1/"):
            assert gm_client.get(f"/e/{uuid}/{path}").status_code == 404
