"""The end of a fight: rounds, time, experience, damage, and who may see them."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

import rules
from bestiary.models import Creature
from encounters import history
from encounters import summary as ending
from encounters.models import Encounter, Step
from encounters.screens.summary import Summary
from tests.encounters.ended import ARIA, BRAN, DOG, GOBLIN_1, GOBLIN_2, amounts, ended, fought
from tests.encounters.playing import (
    back,
    fight_in,
    fresh,
    pressed,
    redo,
    take,
    text_of,
    undo,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def over() -> Encounter:
    return ended()


def seen(client: Client, encounter: Encounter) -> Any:
    answer = client.get(f"/e/{encounter.uuid}/summary/")
    assert answer.status_code == 200
    return answer


def summary(client: Client, encounter: Encounter) -> Summary:
    found: Summary = seen(client, encounter).context["summary"]
    return found


# The way there


def test_the_board_of_a_fight_that_is_over_leads_to_its_summary(
    gm_client: Client, over: Encounter
) -> None:
    assert f'href="/e/{over.uuid}/summary/"' in gm_client.get(f"/e/{over.uuid}/").content.decode()


def test_a_fight_that_goes_on_has_no_summary_but_its_board(
    gm_client: Client, over: Encounter
) -> None:
    pressed(gm_client, over, "reopen-fight")
    board = f"/e/{over.uuid}/"
    assert gm_client.get(f"{board}summary/")["Location"] == board
    assert gm_client.post(f"{board}carry-hit-points/")["Location"] == board
    assert "/summary/" not in gm_client.get(board).content.decode()


def test_only_the_gm_sees_the_summary(client: Client, over: Encounter) -> None:
    assert client.get(f"/e/{over.uuid}/summary/")["Location"] == "/entry/"
    for verb in ("carry-hit-points", "duplicate"):
        assert client.post(f"/e/{over.uuid}/{verb}/").status_code == 403


def test_a_fight_in_the_bin_has_no_summary(gm_client: Client, over: Encounter) -> None:
    gm_client.post(f"/bin/encounter/{over.pk}/throw-away/")
    assert gm_client.get(f"/e/{over.uuid}/summary/").status_code == 404


# Rounds and time


def test_a_round_is_six_seconds(gm_client: Client, over: Encounter) -> None:
    shown = summary(gm_client, over)
    assert (shown.rounds, shown.seconds) == (2, 12)
    assert "12 s" in text_of(seen(gm_client, over))


# Experience


def test_experience_is_shared_and_the_page_says_who_counts(
    gm_client: Client, over: Encounter
) -> None:
    said = text_of(seen(gm_client, over))
    assert "50 XP shared among 2 heroes: 25 for each." in said
    assert "Heroes with a share: Aria and Bran." in said
    assert "left over" not in said
    assert "no book" not in said


def test_heroes_marked_out_get_no_share(gm_client: Client, over: Encounter) -> None:
    pressed(gm_client, over, "reopen-fight")
    take(over, rules.SetOut(BRAN, True))
    take(over, rules.EndFight())
    said = text_of(seen(gm_client, over))
    assert "50 XP for one hero." in said
    assert "Skipped in initiative, without a share: Bran." in said


def test_creatures_of_no_book_are_named_and_not_counted(gm_client: Client) -> None:
    encounter = fought()
    for number in (GOBLIN_1, GOBLIN_2, DOG):
        take(encounter, rules.Damage(number, 99))
    take(encounter, rules.EndFight())
    said = text_of(seen(gm_client, encounter))
    assert "Goblin ×2 50 XP each" in said
    assert "100 XP shared among 2 heroes" in said
    assert "No XP known for: Dog." in said


def test_a_creature_whose_book_is_gone_is_not_counted_either(
    gm_client: Client, over: Encounter
) -> None:
    Creature.objects.all().delete()
    assert "No XP known for: Goblin 1." in text_of(seen(gm_client, over))


def test_those_taken_off_the_board_after_their_defeat_count(gm_client: Client) -> None:
    encounter = fought()
    take(encounter, rules.Damage(GOBLIN_1, 7))
    take(encounter, rules.Leave((GOBLIN_1,)))
    take(encounter, rules.Leave((GOBLIN_2,)))  # it has fled
    take(encounter, rules.EndFight())
    assert summary(gm_client, encounter).experience.points == 50


def test_one_who_was_taken_off_by_mistake_counts_once(gm_client: Client) -> None:
    encounter = fought()
    take(encounter, rules.Damage(GOBLIN_1, 7))
    take(encounter, rules.Leave((GOBLIN_1,)))
    undo(encounter)
    take(encounter, rules.EndFight())
    assert summary(gm_client, encounter).experience.points == 50


def test_a_fight_without_a_blow_says_so(gm_client: Client) -> None:
    encounter = fought()
    take(encounter, rules.EndFight())
    said = text_of(seen(gm_client, encounter))
    assert "No foe was defeated." in said
    assert "Nobody was hurt." in said
    assert "XP" not in said


# Damage


def test_damage_is_counted_by_whom_to_whom_and_in_which_round(
    gm_client: Client, over: Encounter
) -> None:
    shown = summary(gm_client, over)
    assert amounts(shown.dealt) == {"Aria": [4, 3], "Goblin 2": [0, 6], "Unknown": [0, 1]}
    assert amounts(shown.taken) == {"Goblin 1": [4, 3], "Aria": [0, 6], "Bran": [0, 1]}
    assert shown.dealt.sums == shown.taken.sums == (4, 10)


def test_hit_points_beyond_the_last_one_are_not_counted(gm_client: Client) -> None:
    encounter = fought()
    take(encounter, rules.Damage(GOBLIN_1, 5_000))
    take(encounter, rules.Damage(GOBLIN_2, 0))
    take(encounter, rules.EndFight())
    assert amounts(summary(gm_client, encounter).taken) == {"Goblin 1": [7]}


def test_several_hit_at_once_are_counted_each(gm_client: Client) -> None:
    encounter = fought()
    pressed(gm_client, encounter, "damage", target=f"{GOBLIN_1},{GOBLIN_2}", amount="5")
    take(encounter, rules.EndFight())
    assert amounts(summary(gm_client, encounter).taken) == {"Goblin 1": [5], "Goblin 2": [5]}


def test_what_is_undone_hurts_nobody_and_done_again_it_does(gm_client: Client) -> None:
    encounter = fought()
    take(encounter, rules.Damage(GOBLIN_1, 4))
    undo(encounter)
    take(encounter, rules.EndFight())
    assert summary(gm_client, encounter).taken.total == 0
    undo(encounter)
    take(encounter, rules.Damage(GOBLIN_1, 5))
    undo(encounter)
    redo(encounter)
    take(encounter, rules.EndFight())
    assert summary(gm_client, encounter).taken.total == 5


def test_what_the_fight_went_back_over_is_not_counted(gm_client: Client) -> None:
    encounter = fought()
    take(encounter, rules.Damage(GOBLIN_1, 4))
    pressed(gm_client, encounter, "go-back", version=2)
    take(encounter, rules.Damage(GOBLIN_2, 2))
    take(encounter, rules.EndFight())
    assert amounts(summary(gm_client, encounter).taken) == {"Goblin 2": [2]}


def test_damage_before_the_first_round_stands_apart(gm_client: Client) -> None:
    encounter = fought()
    pressed(gm_client, encounter, "go-back", version=1)
    take(encounter, rules.Damage(ARIA, 3))
    take(encounter, rules.StartFight(dice={GOBLIN_1: 9, DOG: 1}, totals={ARIA: 20, BRAN: 15}))
    take(encounter, rules.Damage(ARIA, 2))
    take(encounter, rules.EndFight())
    taken = summary(gm_client, encounter).taken
    assert taken.rounds == (0, 1)
    assert amounts(taken) == {"Aria": [3, 2]}
    assert "Before the first round" in text_of(seen(gm_client, encounter))


WHO = [{"number": ARIA, "name": "Aria", "name_fr": "", "ordinal": 0}]
BURNT = {"code": "damaged", "who": WHO, "amount": 2, "dice": []}
ROUND, TURN = {"code": "round-began", "round": 2}, {"code": "turn-began", "who": WHO}


def told(version: int, *events: Any, rounds: list[int] | None = None) -> history.Record:
    """A step of which the log knows this."""
    return history.Record(version, "next-turn", None, version - 1, list(events), rounds)


def blows(*steps: history.Record) -> list[tuple[int, int]]:
    """Round and amount of each, when all these steps stand; oldest first."""
    records = list(reversed(steps))
    return [(b.round, b.amount) for b in ending.blows(records, {s.version for s in steps})]


BEGAN = told(1, {"code": "fight-began"}, TURN, rounds=[0, 1])


def test_what_burns_each_turn_is_counted_in_the_round_of_that_turn() -> None:
    at_the_end = told(2, BURNT, ROUND, TURN, rounds=[1, 2])
    at_the_start = told(2, ROUND, TURN, BURNT, rounds=[1, 2])
    assert blows(BEGAN, at_the_end) == [(1, 2)]
    assert blows(BEGAN, at_the_start) == [(2, 2)]


def test_a_turn_taken_back_takes_back_what_burnt_in_it_and_no_more() -> None:
    next_turn, hit = told(2, TURN, BURNT), told(3, {**BURNT, "amount": 5})
    taken_back = told(4, {"code": "turn-taken-back", "who": WHO})
    assert blows(BEGAN, next_turn, hit, taken_back) == [(1, 5)]
    assert blows(BEGAN, next_turn, hit, taken_back, told(5, TURN, BURNT)) == [(1, 5), (1, 2)]


@pytest.mark.parametrize(("turns", "lost"), [(4, {"Aria": [0, 2]}), (3, {})])
def test_a_burning_hero_is_hurt_by_nobody(
    turns: int, lost: dict[str, list[int]], gm_client: Client
) -> None:
    encounter = fought()
    take(encounter, rules.AddEffect(ARIA, rules.Effect("own", text="burning", each="2")))
    for _ in range(4):
        take(encounter, rules.NextTurn())
    if turns == 3:
        back(encounter)
    take(encounter, rules.EndFight())
    shown = summary(gm_client, encounter)
    assert amounts(shown.taken) == lost
    assert set(amounts(shown.dealt)) == ({"Unknown"} if lost else set())
    assert fight_in(encounter).combatant(ARIA).hp == 20 - shown.taken.total


def test_names_are_the_latest_and_in_the_readers_language(
    gm_client: Client, over: Encounter
) -> None:
    pressed(gm_client, over, "reopen-fight")
    take(over, rules.Edit(ARIA, {"name": "<b>Aria</b>"}))
    take(over, rules.Leave((GOBLIN_1,)))
    take(over, rules.EndFight())
    gm_client.cookies["qv_language"] = "fr"
    assert list(amounts(summary(gm_client, over).taken)) == ["Gobelin 1", "<b>Aria</b>", "Bran"]
    page = seen(gm_client, over).content.decode()
    assert "<b>Aria" not in page
    assert "&lt;b&gt;Aria&lt;/b&gt;" in page


def test_charts_write_numbers_as_svg_does_in_every_language(
    gm_client: Client, over: Encounter
) -> None:
    gm_client.cookies["qv_language"] = "fr"
    page = seen(gm_client, over).content.decode()
    assert 'width="42.86%"' in page  # 3 of 7
    assert "style=" not in page


def test_a_long_fight_asks_the_database_as_often_as_a_short_one(
    gm_client: Client, over: Encounter, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    long = fought()
    for _ in range(100):
        take(long, rules.Damage(ARIA, 1))
    take(long, rules.Damage(GOBLIN_1, 9))
    take(long, rules.EndFight())
    seen(gm_client, over)  # the first visit of the day renews the session
    for encounter in (over, long):
        with django_assert_num_queries(6):  # session, encounter, fight, steps, book, heroes
            seen(gm_client, encounter)


def test_nothing_changes_by_looking(gm_client: Client, over: Encounter) -> None:
    before = fresh(over).version, Step.objects.count()
    seen(gm_client, over)
    for method in ("post", "put", "delete"):
        assert getattr(gm_client, method)(f"/e/{over.uuid}/summary/").status_code == 405
    assert (fresh(over).version, Step.objects.count()) == before


@pytest.mark.parametrize(("language", "shared"), [("en", "62,750 XP"), ("fr", "62 750 PX")])
def test_thousands_of_experience_points_are_grouped(
    language: str, shared: str, gm_client: Client, over: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "encounters.screens.summary._points", lambda codes: dict.fromkeys(codes, (62_750, 62_750))
    )
    answer = gm_client.get(f"/e/{over.uuid}/summary/", headers={"Accept-Language": language})
    assert shared in " ".join(text_of(answer).split())
