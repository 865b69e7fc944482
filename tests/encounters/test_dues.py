"""What is due: how a tap settles it, and what the GM is shown of it."""

import pytest
from django.test import Client
from django.utils import translation

import rules
from encounters import due_fields
from tests.encounters.opening import Told
from tests.encounters.owing import (
    BRAN,
    BURNING,
    DRAGON,
    FRIGHTENED,
    LIA,
    MENDING,
    board_of,
    codes,
    due_of,
    dues,
    dying_fight,
    go_on,
    lair_fight,
    put,
    refused,
    settle,
    told,
)
from tests.encounters.playing import fight_in, press, take, text_of, undo

pytestmark = pytest.mark.django_db


# Death saves


@pytest.mark.parametrize(
    ("result", "successes", "failures", "hp"),
    [("made", 1, 0, 0), ("failed", 0, 1, 0), ("1", 0, 2, 0), ("20", 0, 0, 1)],
)
def test_a_death_save_is_told_by_one_tap(
    result: str, successes: int, failures: int, hp: int, gm_client: Client
) -> None:
    encounter = dying_fight()
    settle(gm_client, encounter, LIA, due_of(encounter, LIA), result)
    lia = fight_in(encounter).combatant(LIA)
    assert (lia.death_successes, lia.death_failures, lia.hp) == (successes, failures, hp)
    assert lia.dues == ()


def test_a_death_save_is_rolled_here_and_its_die_is_told(gm_client: Client, dice: Told) -> None:
    encounter = dying_fight()
    dice.values = [1]
    settle(gm_client, encounter, LIA, due_of(encounter, LIA), "roll")
    assert fight_in(encounter).combatant(LIA).death_failures == 2
    [rolled] = [e for e in encounter.steps.last().events if e["code"] == "death-save"]  # type: ignore[union-attr]
    assert rolled["die"] == 1


# Saves


@pytest.mark.parametrize(("die", "made"), [(7, False), (8, True)])
def test_a_save_is_rolled_with_the_creatures_bonus(
    die: int, made: bool, gm_client: Client, dice: Told
) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, DRAGON)
    go_on(encounter, 2)
    dice.values = [die]
    said = settle(gm_client, encounter, DRAGON, due_of(encounter, DRAGON, "save"), "roll")
    assert ("frightened" in codes(encounter, DRAGON)) is not made
    assert f"save {'made' if made else 'failed'} with {die + 7}, DC 15 (frightened; d20 {die})" in (
        said
    )


def test_a_save_of_the_table_is_told_without_dice(gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, BRAN)
    go_on(encounter)
    said = settle(gm_client, encounter, BRAN, due_of(encounter, BRAN), "failed")
    assert said == "Bran: WIS save failed, DC 15 (frightened)"
    assert codes(encounter, BRAN) == ["frightened"]
    assert dues(encounter, BRAN) == []


def test_a_lost_concentration_ends_what_hangs_on_it(gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, rules.Effect("concentration", text="Bless"), LIA)
    put(encounter, rules.Effect("own", text="blessed", source=LIA, hangs=True), BRAN)
    take(encounter, rules.Damage(LIA, 3))
    [row] = board_of(encounter).due
    assert (row.who, row.what, row.roll) == ("Lia", "Concentration on Bless, DC 10", "d20")
    settle(gm_client, encounter, LIA, due_of(encounter, LIA), "failed")
    assert codes(encounter, LIA) == codes(encounter, BRAN) == []
    undo(encounter)
    assert dues(encounter, LIA) == ["concentration"]


def test_each_of_a_group_rolls_for_itself(gm_client: Client, dice: Told) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, 3, 4, 5)
    go_on(encounter, 3)
    row = board_of(encounter).due[1]
    assert (row.who, row.target, row.roll) == ("Goblin ×3", "3,4,5", "d20\N{MINUS SIGN}1")
    assert [share.who for share in row.shares] == ["Goblin 1", "Goblin 2", "Goblin 3"]
    dice.values = [16, 15, 20]
    settle(gm_client, encounter, row.target, row.due, "roll")
    assert [codes(encounter, n) for n in (3, 4, 5)] == [[], ["frightened"], []]
    assert [one.kind for one in board_of(encounter).due] == ["recharge"]


def test_of_a_group_those_who_have_been_settled_do_not_roll_again(
    gm_client: Client, dice: Told
) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, 3, 4, 5)
    go_on(encounter, 3)
    due = due_of(encounter, 3)
    settle(gm_client, encounter, 4, due, "failed")
    dice.values = [20, 20]
    settle(gm_client, encounter, "3,4,5", due, "roll")
    assert [codes(encounter, n) for n in (3, 4, 5)] == [[], ["frightened"], []]


def test_a_legendary_resistance_turns_a_failure_into_a_success(gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, DRAGON)
    go_on(encounter, 2)
    [row] = [one for one in board_of(encounter).due if one.kind == "save"]
    assert row.shares[0].resistance == "2"
    said = settle(gm_client, encounter, DRAGON, row.due, "resisted")
    dragon = fight_in(encounter).combatant(DRAGON)
    assert (dragon.uses[1].left, codes(encounter, DRAGON)) == (1, [])
    assert said.startswith("Dragon: Legendary Resistance used, 1 of 3 left · ")


def test_without_legendary_resistances_none_is_used(gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, BRAN)
    go_on(encounter)
    sent = {"target": BRAN, "due": due_of(encounter, BRAN), "result": "resisted"}
    assert "Bran has not enough uses left" in refused(gm_client, encounter, "settle", **sent)


# Recharges, and hit points of a turn


@pytest.mark.parametrize(("die", "left"), [(4, 0), (5, 1)])
def test_a_recharge_is_rolled_with_a_d6(die: int, left: int, gm_client: Client, dice: Told) -> None:
    encounter = lair_fight()
    go_on(encounter)
    [row] = board_of(encounter).due
    assert (row.what, row.roll) == ("Fire Breath recharges on 5–6", "d6")
    dice.values = [die]
    said = settle(gm_client, encounter, DRAGON, row.due, "roll")
    assert fight_in(encounter).combatant(DRAGON).uses[2].left == left
    assert said == f"Dragon: Fire Breath is {'' if left else 'not '}back (die {die})"
    with translation.override("fr"):
        assert "Souffle de feu" in told(encounter)


def test_a_recharge_is_told_without_dice(gm_client: Client) -> None:
    encounter = lair_fight()
    go_on(encounter)
    settle(gm_client, encounter, DRAGON, due_of(encounter, DRAGON), "made")
    assert fight_in(encounter).combatant(DRAGON).uses[2].left == 1


def test_fire_burns_by_its_dice_or_by_what_is_typed(gm_client: Client, dice: Told) -> None:
    encounter = lair_fight()
    put(encounter, BURNING, BRAN)
    go_on(encounter)
    [row, _recharge] = sorted(board_of(encounter).due, key=lambda one: one.kind)
    assert (row.what, row.roll) == ("2d4 fire damage (burning)", "2d4")
    sent = {"target": BRAN, "due": row.due, "result": "applied"}
    assert "Type the hit points" in refused(gm_client, encounter, "settle", **sent)
    settle(gm_client, encounter, BRAN, row.due, "applied", amount="3")
    assert fight_in(encounter).combatant(BRAN).hp == 27
    undo(encounter)
    dice.values = [4, 2]
    said = settle(gm_client, encounter, BRAN, row.due, "roll")
    assert fight_in(encounter).combatant(BRAN).hp == 24
    assert "dice 4, 2" in said


def test_hit_points_that_are_offered_are_applied_as_they_are_or_left_aside(
    gm_client: Client,
) -> None:
    encounter = lair_fight()
    take(encounter, rules.Damage(BRAN, 20))
    put(encounter, MENDING, BRAN)
    go_on(encounter)
    row = board_of(encounter).due[-1]
    assert (row.what, row.roll) == ("5 hit points regained (mending)", "")
    settle(gm_client, encounter, BRAN, row.due, "applied")
    assert fight_in(encounter).combatant(BRAN).hp == 15
    undo(encounter)
    assert press(gm_client, encounter, "dismiss", target=BRAN, due=row.due).status_code == 200
    assert fight_in(encounter).combatant(BRAN).hp == 10
    assert dues(encounter, BRAN) == []
    assert told(encounter) == "Skipped: hit points from mending (Bran)"


# What the GM is shown


def test_what_is_due_of_those_whose_turn_it_is_comes_first() -> None:
    encounter = lair_fight()
    take(encounter, rules.Damage(LIA, 16))
    put(encounter, rules.Effect("concentration"), BRAN)
    go_on(encounter, 3)
    take(encounter, rules.Damage(BRAN, 25))
    board = board_of(encounter)
    assert [(one.who, one.kind) for one in board.due] == [
        ("Lia", "death"), ("Bran", "concentration"), ("Dragon", "recharge"),
    ]  # fmt: skip
    assert board.due[1].what == "Concentration, DC 12"


def test_two_blows_ask_twice_to_keep_concentration(gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, rules.Effect("concentration"), LIA)
    for _ in range(2):
        take(encounter, rules.Damage(LIA, 3))
    assert [(one.who, one.target) for one in board_of(encounter).due] == [("Lia", "6")] * 2
    settle(gm_client, encounter, LIA, board_of(encounter).due[0].due, "made")
    assert dues(encounter, LIA) == ["concentration"]


def test_a_defeated_creature_owes_nothing(gm_client: Client) -> None:
    encounter = lair_fight()
    go_on(encounter)
    assert board_of(encounter).due
    take(encounter, rules.Damage(DRAGON, 200))
    assert board_of(encounter).due == ()


def test_nothing_due_is_said_and_what_is_due_is_counted(gm_client: Client) -> None:
    encounter = lair_fight()
    page = text_of(gm_client.get(f"/e/{encounter.uuid}/"))
    assert "Nothing is due." in page
    go_on(encounter)
    page = text_of(gm_client.get(f"/e/{encounter.uuid}/"))
    assert "1 due" in page
    assert "Dragon Fire Breath recharges on 5–6 Roll d6 Back Not back" in page


def test_a_save_heeds_what_conditions_make_of_it(gm_client: Client, dice: Told) -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, DRAGON)
    take(encounter, rules.AddEffect(DRAGON, rules.Effect("exhaustion", 3)))
    go_on(encounter, 2)
    dice.values = [18, 4]
    said = settle(gm_client, encounter, DRAGON, due_of(encounter, DRAGON, "save"), "roll")
    assert "save failed with 11" in said


def test_exhaustion_counts_where_the_bonus_is_not_known() -> None:
    tired = rules.Combatant(1, "Lia", "heroes", effects=(rules.Effect("exhaustion", 2),))
    due = rules.Due("save", 15, "wis", "frightened")
    dice = [due_fields.save_dice(tired, due, rules.Settings(edition=e)) for e in ("2014", "2024")]
    assert dice == ["d20", "d20-4"]
