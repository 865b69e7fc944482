"""The whole log: every step in the reader's words, by rounds, and what the GM looks for in it."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import rules
from encounters import log
from encounters.models import Encounter
from encounters.screens.past import Line
from encounters.sentences import SENTENCES
from tests.encounters.playing import fresh, pressed, redo, take, text_of, undo
from tests.factories import EncounterFactory, StepFactory, creature, hero

pytestmark = pytest.mark.django_db

GOBLINS = [creature(creature="srd-5.1/goblin", name_fr="Gobelin")] * 2


@pytest.fixture
def evening() -> Encounter:
    """Aria and two goblins who act together; a round and a turn long."""
    encounter: Encounter = EncounterFactory.create(name="At the ford")
    take(encounter, rules.Join((hero("Aria"), *GOBLINS)))
    take(encounter, rules.StartFight(dice={2: 9}, totals={1: 20}))
    take(encounter, rules.Damage(3, 4, dice=(4,)))
    take(encounter, rules.NextTurn())
    take(encounter, rules.NextTurn())
    take(encounter, rules.Heal(3, 2))
    return encounter


def seen(client: Client, encounter: Encounter, **asked: Any) -> Any:
    answer = client.get(f"/e/{encounter.uuid}/log/", asked)
    assert answer.status_code == 200
    return answer


def lines(client: Client, encounter: Encounter, **asked: Any) -> list[Line]:
    """The lines that the page shows, from top to bottom."""
    rounds = seen(client, encounter, **asked).context["rounds"]
    return [line for round in rounds for line in round.lines]


def found(client: Client, encounter: Encounter, **asked: Any) -> list[int]:
    return [line.version for line in lines(client, encounter, **asked)]


# All of it


def test_the_log_tells_every_step_with_its_dice_newest_first(
    gm_client: Client, evening: Encounter
) -> None:
    die = "d20\N{NO-BREAK SPACE}9"
    assert [line.text for line in lines(gm_client, evening)] == [
        "2 hit points regained by Goblin 2",
        "Round 2 · Turn: Aria",
        "Turn: Goblin ×2",
        "4 damage to Goblin 2 (die 4)",
        f"Initiative: Aria: 20, Goblin ×2: 11 ({die}) · The fight begins · Turn: Aria",
        "Aria and Goblin ×2 joined",
    ]


def test_the_log_stands_under_its_rounds(gm_client: Client, evening: Encounter) -> None:
    rounds = seen(gm_client, evening).context["rounds"]
    assert [(r.number, [line.version for line in r.lines]) for r in rounds] == [
        (2, [6, 5]), (1, [4, 3, 2]), (0, [1]),
    ]  # fmt: skip
    page = seen(gm_client, evening).content.decode()
    headings = re.findall(r"<h2[^>]*>([^<]*)</h2>", page)
    assert headings == ["Round 2", "Round 1", "Before the first round"]


def test_undone_steps_are_struck_through_and_say_so(gm_client: Client, evening: Encounter) -> None:
    undo(evening)
    assert [(line.version, line.undone) for line in lines(gm_client, evening)][:3] == [
        (7, False), (6, True), (5, False),
    ]  # fmt: skip
    page = seen(gm_client, evening).content.decode()
    assert re.findall(r"<s>(.*?)</s>", page) == ["2 hit points regained by Goblin 2"]
    assert "Undone: 2 hit points regained by Goblin 2" in text_of(seen(gm_client, evening))
    redo(evening)
    assert [line.undone for line in lines(gm_client, evening)] == [False] * 8


def test_what_was_undone_redone_and_undone_again_is_undone(
    gm_client: Client, evening: Encounter
) -> None:
    for change in (undo, redo, undo):
        change(evening)
    undone = [line.version for line in lines(gm_client, evening) if line.undone]
    assert undone == [8, 6]  # the healing, and its doing again


def test_going_back_strikes_what_it_went_back_over(gm_client: Client, evening: Encounter) -> None:
    undo(evening)
    pressed(gm_client, evening, "go-back", version=3)
    assert [line.version for line in lines(gm_client, evening) if line.undone] == [6, 5, 4]
    undo(evening)
    assert [line.version for line in lines(gm_client, evening) if line.undone] == [8, 6]
    redo(evening)
    assert [line.version for line in lines(gm_client, evening) if line.undone] == [6, 5, 4]


def test_going_back_to_after_an_undo_leaves_it_undone(
    gm_client: Client, evening: Encounter
) -> None:
    undo(evening)
    take(evening, rules.NextTurn())
    pressed(gm_client, evening, "go-back", version=7)
    assert [line.version for line in lines(gm_client, evening) if line.undone] == [8, 6]


def test_steps_that_lead_back_into_a_round_stand_under_it(
    gm_client: Client, evening: Encounter
) -> None:
    undo(evening)
    undo(evening)
    rounds = seen(gm_client, evening).context["rounds"]
    assert [(r.number, [line.version for line in r.lines]) for r in rounds][:3] == [
        (1, [8]), (2, [7, 6, 5]), (1, [4, 3, 2]),
    ]  # fmt: skip


def test_the_log_speaks_the_reader_s_language(gm_client: Client, evening: Encounter) -> None:
    gm_client.cookies["qv_language"] = "fr"
    assert "4 dégâts à Gobelin 2 (dé 4)" in text_of(seen(gm_client, evening))


def test_each_line_leads_to_the_board_as_it_stood(gm_client: Client, evening: Encounter) -> None:
    page = seen(gm_client, evening).content.decode()
    addresses = re.findall(rf'href="(/e/{evening.uuid}/at/\d+/)"', page)
    assert len(addresses) == 6
    assert {gm_client.get(address).status_code for address in addresses} == {200}


def test_the_boards_log_leads_to_the_whole_one(gm_client: Client, evening: Encounter) -> None:
    board = gm_client.get(f"/e/{evening.uuid}/").content.decode()
    assert f'href="/e/{evening.uuid}/log/"' in board


def test_a_fight_without_steps_says_so(gm_client: Client) -> None:
    empty = EncounterFactory.create()
    assert "Nothing has happened yet." in text_of(seen(gm_client, empty))


# What is looked for


@pytest.mark.parametrize(
    ("kind", "versions"),
    [
        ("", [6, 5, 4, 3, 2, 1]),
        ("turns", [5, 4, 2]),
        ("hit-points", [6, 3]),
        ("order", [2]),
        ("people", [1]),
        ("surprise", []),
        ("undo", []),
        ("others", []),
        ("nonsense", [6, 5, 4, 3, 2, 1]),
    ],
)
def test_the_log_is_sifted_by_kind(
    kind: str, versions: list[int], gm_client: Client, evening: Encounter
) -> None:
    assert found(gm_client, evening, kind=kind) == versions


def test_undo_and_going_back_are_found_as_such_and_as_what_they_undid(
    gm_client: Client, evening: Encounter
) -> None:
    undo(evening)
    pressed(gm_client, evening, "go-back", version=2)
    assert found(gm_client, evening, kind="undo") == [8, 7]
    assert found(gm_client, evening, kind="hit-points") == [7, 6, 3]


def test_every_step_is_of_some_kind() -> None:
    """An event that nobody has sorted yet is among the others, and none is lost."""
    for code in [*SENTENCES, "not-yet-known"]:
        assert log.kinds("any", [{"code": code}]) <= set(log.KINDS)
        assert log.kinds("any", [{"code": code}])
    assert set(log._KIND_OF) <= set(SENTENCES)


def test_the_log_is_sifted_by_a_combatants_number_never_by_its_name(
    gm_client: Client, evening: Encounter
) -> None:
    assert found(gm_client, evening, who=3) == [6, 4, 3, 2, 1]
    assert found(gm_client, evening, who=1) == [5, 2, 1]
    take(evening, rules.Edit(3, {"name": "Aria"}))
    assert found(gm_client, evening, who=3) == [7, 6, 4, 3, 2, 1]
    assert found(gm_client, evening, who=1) == [5, 2, 1]
    for nobody in ("", "x", "-1", "²", "9" * 5_000):
        assert len(found(gm_client, evening, who=nobody)) == 7


def test_those_who_have_left_are_still_found(gm_client: Client, evening: Encounter) -> None:
    take(evening, rules.Leave((3,)))
    take(evening, rules.Edit(1, {"name": "Cleo"}))
    page = seen(gm_client, evening)
    assert page.context["log"].people == ((1, "Cleo"), (2, "Goblin 1"), (3, "Goblin 2"))
    assert found(gm_client, evening, who=3) == [7, 6, 4, 3, 2, 1]


def test_the_log_is_sifted_by_text_whatever_its_accents(
    gm_client: Client, evening: Encounter
) -> None:
    take(evening, rules.Edit(1, {"name": "Éloïse"}))
    take(evening, rules.Damage(1, 1))
    assert found(gm_client, evening, text="eloise") == [8, 7]
    assert found(gm_client, evening, text="damage to goblin") == [3]
    assert found(gm_client, evening, text="goblin", kind="hit-points", who=3) == [6, 3]


def test_the_log_counts_what_it_shows(gm_client: Client, evening: Encounter) -> None:
    assert "6 steps" in text_of(seen(gm_client, evening))
    assert "3 of 6 steps" in text_of(seen(gm_client, evening, kind="turns"))
    nothing = text_of(seen(gm_client, evening, text="dragon"))
    assert "0 of 6 steps" in nothing
    assert "No step matches." in nothing


def test_the_form_keeps_what_was_asked(gm_client: Client, evening: Encounter) -> None:
    page = seen(gm_client, evening, kind="turns", who=3, text='"gob').content.decode()
    assert '<option value="turns" selected>' in page
    assert '<option value="3" selected>Goblin 2' in page
    assert 'name="text" value="&quot;gob"' in page


# Long fights


def long_fight(steps: int) -> Encounter:
    encounter: Encounter = EncounterFactory.create(version=steps, undo_step=steps)
    who = [{"number": 1, "name": "Aria", "name_fr": "", "ordinal": 0}]
    for number in range(1, steps + 1):
        event = {"code": "damaged", "amount": number, "who": who, "dice": []}
        StepFactory.create(encounter=encounter, version=number, events=[event])
    return encounter


def test_a_long_log_comes_in_pages_that_keep_the_question(gm_client: Client) -> None:
    encounter = long_fight(405)
    first = seen(gm_client, encounter, kind="hit-points")
    assert found(gm_client, encounter) == list(range(405, 205, -1))
    [older] = re.findall(r'href="(\?[^"]*)"[^>]*>Older', first.content.decode())
    assert older == "?kind=hit-points&amp;page=2"
    assert found(gm_client, encounter, page=2)[0] == 205
    assert found(gm_client, encounter, page=3) == [5, 4, 3, 2, 1]
    assert "401 to 405 of 405" in text_of(seen(gm_client, encounter, page=3))
    for odd in ("0", "x", "99", "9" * 5_000):
        assert seen(gm_client, encounter, page=odd)


def test_five_hundred_steps_ask_the_database_as_often_as_one(
    gm_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    short, long = long_fight(1), long_fight(500)
    seen(gm_client, short)  # the first visit of the day renews the session
    for encounter in (short, long):
        with django_assert_num_queries(4):  # session, encounter, steps, combatants
            seen(gm_client, encounter)
        with django_assert_num_queries(4):
            gm_client.get(f"/e/{encounter.uuid}/at/1/")


# Who may look


def test_only_the_gm_reads_the_log(client: Client, evening: Encounter) -> None:
    for path in ("log/", "at/1/"):
        assert client.get(f"/e/{evening.uuid}/{path}")["Location"] == "/entry/"


def test_the_log_only_shows(gm_client: Client, evening: Encounter) -> None:
    before = fresh(evening).version
    for path in ("log/", "at/1/"):
        for method in ("post", "put", "delete"):
            assert getattr(gm_client, method)(f"/e/{evening.uuid}/{path}").status_code == 405
    assert fresh(evening).version == before


def test_one_who_left_and_came_back_is_named_once_and_found_as_one(gm_client: Client) -> None:
    encounter = EncounterFactory.create()
    for command in (rules.Join((hero("Aria"),)), rules.Leave((1,)), rules.Join((hero("Aria"),))):
        take(encounter, command)
    take(encounter, rules.Damage(2, 3))
    assert seen(gm_client, encounter).context["log"].people == ((2, "Aria"),)
    assert len(lines(gm_client, encounter, who=2)) == 4
