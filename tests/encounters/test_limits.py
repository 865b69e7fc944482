"""What a step costs, and how much fits into a fight."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import rules
from encounters.models import Encounter
from encounters.screens import gm_board
from tests.encounters.playing import fight_in, fresh, press, take
from tests.factories import CreatureFactory, EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

MOST_QUERIES = 10
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def crowd(size: int) -> Encounter:
    """A running fight of heroes, single creatures and groups, some of them hidden."""
    CreatureFactory.create()
    party = [hero(f"Hero {i}") for i in range(size // 5)]
    foes = [
        creature(f"Foe {i // 3}", creature="srd-5.1/goblin" if i % 2 else "", hidden=i % 4 == 0)
        for i in range(size - len(party))
    ]
    encounter: Encounter = EncounterFactory.create(fight=fight_of(*party, *foes))
    opened = take(encounter, rules.OpenFight()).fight
    dice = {number: 1 + number % 20 for number in rules.unrolled(opened)}
    take(encounter, rules.StartFight(dice))
    return encounter


def queries(client: Client, encounter: Encounter, verb: str, **typed: object) -> int:
    """How many statements a press of a verb's button takes, those of transactions aside."""
    with CaptureQueriesContext(connection) as asked:
        assert press(client, encounter, verb, **typed).status_code == 200
    own = [q["sql"] for q in asked.captured_queries if not q["sql"].startswith(TRANSACTION)]
    return len(own) - 1  # the one by which the test itself reads the version


@pytest.mark.parametrize(
    ("verb", "typed"),
    [
        ("next-turn", {}),
        ("damage", {"target": 7, "amount": "1"}),
        ("set-hidden", {"target": 7, "hidden": "1"}),
        ("set-hidden", {"target": 7}),
    ],
)
def test_a_press_takes_few_queries_and_no_more_with_a_hundred_combatants(
    verb: str, typed: dict[str, object], gm_client: Client
) -> None:
    counts = []
    for size in (10, 30, 100):
        encounter = crowd(size)
        take(encounter, rules.SetHidden((7,), not typed.get("hidden")))
        gm_client.get(f"/e/{encounter.uuid}/")
        counts.append(queries(gm_client, encounter, verb, **typed))
    assert counts[0] == counts[1] == counts[2] <= MOST_QUERIES


def test_the_gms_page_is_read_by_the_same_queries_at_any_size(gm_client: Client) -> None:
    counts = set()
    for size in (10, 100):
        encounter = crowd(size)
        gm_client.get(f"/e/{encounter.uuid}/")
        with CaptureQueriesContext(connection) as asked:
            gm_client.get(f"/e/{encounter.uuid}/")
        counts.add(len(asked))
    [count] = counts
    assert count <= MOST_QUERIES


def test_the_board_shows_the_last_steps_and_what_undo_takes_back() -> None:
    encounter = crowd(10)
    for _ in range(20):
        take(encounter, rules.Damage(1, 0))
        take(encounter, rules.NextTurn())
    board = gm_board(fresh(encounter), fight_in(encounter))
    versions = [line.version for line in board.log]
    assert versions == sorted(versions, reverse=True)
    assert len(versions) == 12
    assert board.undo == board.log[0].text.partition(" · ")[0]


def test_two_hundred_combatants_fight_on_one_page(gm_client: Client) -> None:
    encounter = crowd(200)
    answer = press(gm_client, encounter, "next-turn")
    assert answer.content.count(b'data-number="') == 200
    assert len(answer.content) < 500_000
    with pytest.raises(rules.RuleError, match="too-many"):
        take(encounter, rules.Join((creature(),)))
