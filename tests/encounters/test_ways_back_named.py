"""What a way back is called: by where it leads."""

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from tests.encounters.chronicle import Chronicle, go_back
from tests.encounters.playing import press, take, text_of, undo
from tests.factories import EncounterFactory, hero

pytestmark = pytest.mark.django_db


def last_line(client: Client, encounter: Encounter) -> str:
    [first, *_] = client.get(f"/e/{encounter.uuid}/log/").context["page"]
    return str(first.text)


def test_a_way_back_is_named_by_where_it_leads(gm_client: Client, running: Encounter) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.NextTurn())
    undone = press(gm_client, running, "go-back", version=2)
    said = "Back to round 1, after “7 damage to Ogre”"
    assert last_line(gm_client, running) == said
    assert undone.context["board"].undo == said  # type: ignore[attr-defined]
    assert press(gm_client, running, "undo").context["board"].redo == said  # type: ignore[attr-defined]
    assert last_line(gm_client, running) == f"Undone: {said}"


def test_a_way_back_to_a_turn_is_named_by_whose_it_is(
    gm_client: Client, running: Encounter
) -> None:
    for _ in range(4):
        take(running, rules.NextTurn())
    go_back(running, 4)
    assert last_line(gm_client, running) == "Back to round 2, after “Turn: Aria”"


def test_a_way_back_to_an_undo_is_named_by_the_step_that_stood_then(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.NextTurn())
    undo(running)
    take(running, rules.Damage(1, 3))
    go_back(running, 4)
    assert last_line(gm_client, running) == "Back to round 1, after “7 damage to Ogre”"


def test_a_way_back_to_a_way_back_says_where_that_led(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.NextTurn())
    go_back(running, 2)
    take(running, rules.Damage(1, 3))
    go_back(running, 4)
    assert last_line(gm_client, running) == "Back to round 1, after “7 damage to Ogre”"


def test_a_way_back_to_before_the_fight_says_so(gm_client: Client) -> None:
    told = Chronicle()
    go_back(told.encounter, 1)
    assert last_line(gm_client, told.encounter).startswith("Back to before the fight, after “Aria")


def test_a_way_back_to_nobody_says_so(gm_client: Client) -> None:
    encounter: Encounter = EncounterFactory.create()
    take(encounter, rules.Join((hero("Aria"),)))
    undo(encounter)
    take(encounter, rules.Join((hero("Bran"),)))
    go_back(encounter, 2)
    assert last_line(gm_client, encounter) == "Back to an empty fight"
    assert "Nobody was there." in text_of(gm_client.get(f"/e/{encounter.uuid}/at/4/"))
