"""Legendary actions on others' turns, what is counted, and what the turn to come asks."""

import pytest
from django.test import Client
from django.utils import translation

import rules
from encounters import log
from encounters.models import Encounter
from tests.encounters.owing import (
    BRAN,
    BURNING,
    DRAGON,
    FRIGHTENED,
    LIA,
    board_of,
    go_on,
    lair_fight,
    put,
    refused,
    told,
)
from tests.encounters.playing import fight_in, press, pressed, take, text_of
from tests.encounters.test_secrecy import ambush, unnoticed

pytestmark = pytest.mark.django_db

ACTIONS = {"target": DRAGON, "use": "Legendary actions"}


def left(encounter: Encounter, number: int = DRAGON) -> list[int]:
    return [use.left for use in fight_in(encounter).combatant(number).uses]


# Legendary actions


def test_a_legendary_action_is_taken_on_anothers_turn_and_one_at_a_time(gm_client: Client) -> None:
    encounter = lair_fight()
    [legend] = board_of(encounter).legends
    assert (legend.name, legend.able, legend.costs) == ("Dragon", True, (1, 2, 3))
    assert press(gm_client, encounter, "spend-use", **ACTIONS, cost="2").status_code == 200
    assert told(encounter) == "Dragon: 2 legendary actions taken, 1 of 3 left"
    [legend] = board_of(encounter).legends
    assert (legend.able, legend.costs) == (False, (1,))
    said = refused(gm_client, encounter, "spend-use", **ACTIONS)
    assert "Dragon can take one legendary action" in said


def test_legendary_actions_come_back_with_its_own_turn_on_which_it_has_none(
    gm_client: Client,
) -> None:
    encounter = lair_fight()
    pressed(gm_client, encounter, "spend-use", **ACTIONS, cost="3")
    foreseen = board_of(encounter).foreseen
    assert foreseen
    assert "legendary actions regained: Dragon" in foreseen.changes
    go_on(encounter)
    assert left(encounter)[0] == 3
    assert board_of(encounter).legends == ()
    assert refused(gm_client, encounter, "spend-use", **ACTIONS)


@pytest.mark.parametrize("cost", ["0", "4", "-1", "x", "1.5"])
def test_a_legendary_action_costs_1_to_3(cost: str, gm_client: Client) -> None:
    assert refused(gm_client, lair_fight(), "spend-use", **ACTIONS, cost=cost)


def test_a_stunned_dragon_takes_none(gm_client: Client) -> None:
    encounter = lair_fight()
    put(encounter, rules.Effect("stunned"), DRAGON)
    [legend] = board_of(encounter).legends
    assert not legend.able
    assert refused(gm_client, encounter, "spend-use", **ACTIONS)


def test_a_legendary_resistance_is_used_on_anothers_turn(gm_client: Client) -> None:
    encounter = lair_fight()
    sent = {"target": DRAGON, "use": "Legendary Resistance"}
    for _ in range(2):
        assert press(gm_client, encounter, "spend-use", **sent).status_code == 200
    assert left(encounter)[1] == 0
    assert "Dragon has not enough uses left" in refused(gm_client, encounter, "spend-use", **sent)


# What is counted


def test_those_whose_turn_it_is_show_what_is_counted_of_them() -> None:
    encounter = lair_fight()
    assert board_of(encounter).counted == ()
    go_on(encounter)
    with translation.override("fr"):
        shown = [(str(one.name), one.left, one.max) for one in board_of(encounter).counted]
    assert shown == [
        ("Actions légendaires", 3, 3), ("Résistance légendaire", 2, 3), ("Souffle de feu", 0, 1),
    ]  # fmt: skip


def test_something_more_is_counted_spent_given_back_and_counted_no_longer(
    gm_client: Client,
) -> None:
    encounter = lair_fight()
    pressed(gm_client, encounter, "add-use", target=BRAN, name="Rage", max="2")
    assert told(encounter) == "Bran: new counter, Rage (2)"
    pressed(gm_client, encounter, "spend-use", target=BRAN, use="Rage")
    assert (told(encounter), left(encounter, BRAN)) == ("Bran: Rage used, 1 of 2 left", [1])
    pressed(gm_client, encounter, "set-use", target=BRAN, use="Rage", left="2")
    assert (told(encounter), left(encounter, BRAN)) == ("Bran: Rage, now 2 of 2 left", [2])
    pressed(gm_client, encounter, "remove-use", target=BRAN, use="Rage")
    assert told(encounter) == "Bran: counter removed, Rage"
    assert left(encounter, BRAN) == []


def test_a_recharge_is_added_with_the_die_that_brings_it_back(gm_client: Client) -> None:
    encounter = lair_fight()
    sent = {"target": "3,4", "name": "Net", "kind": "recharge:4"}
    assert press(gm_client, encounter, "add-use", **sent).status_code == 200
    for number in (3, 4):
        [use] = fight_in(encounter).combatant(number).uses
        assert (use.kind, use.recharges_from, use.max) == ("recharge", 4, 1)


@pytest.mark.parametrize(
    ("verb", "typed", "why"),
    [
        ("add-use", {"name": " "}, "Type a name"),
        ("add-use", {"name": "Fire Breath"}, "There is a counter “Fire Breath” already"),
        ("add-use", {"name": "Spell", "max": "100"}, "up to 99"),
        ("add-use", {"name": "Spell", "max": "0"}, "greater than or equal to 1"),
        ("add-use", {"name": "S" * 81}, "at most 80"),
        ("add-use", {"name": "Spell", "kind": "recharge:7"}, "valid choice"),
        ("set-use", {"use": "Fire Breath", "left": "2"}, "up to 1"),
        ("set-use", {"use": "Fire Breath", "left": "-1"}, "greater than or equal to 0"),
        ("set-use", {"use": "Fire Breath", "left": ""}, "required"),
        ("set-use", {"use": "Web", "left": "1"}, "counter is gone"),
        ("spend-use", {"use": "Web"}, "counter is gone"),
        ("spend-use", {"use": "Fire Breath"}, "Dragon has not enough uses left"),
        ("remove-use", {"use": "Web"}, "counter is gone"),
        ("remove-use", {"use": "Web", "target": "99"}, "has left the fight"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    verb: str, typed: dict[str, str], why: str, gm_client: Client
) -> None:
    sent = {"target": DRAGON, **typed}
    assert why in refused(gm_client, lair_fight(), verb, **sent)


def test_forty_things_are_counted_of_one_and_no_more(gm_client: Client) -> None:
    encounter = lair_fight()
    for number in range(40):
        take(encounter, rules.AddUse(BRAN, f"Use {number}", 1))
    said = refused(gm_client, encounter, "add-use", target=BRAN, name="One more")
    assert "At most 40" in said


def test_whoever_acts_shows_its_counters_with_buttons(gm_client: Client) -> None:
    encounter = lair_fight()
    go_on(encounter)
    page = text_of(gm_client.get(f"/e/{encounter.uuid}/"))
    assert "Legendary actions 3 / 3 − +" in page
    assert "Fire Breath spent − +" in page


# What the turn to come asks


def test_next_turn_says_what_it_will_ask_and_who_is_hurt() -> None:
    encounter = lair_fight()
    put(encounter, FRIGHTENED, BRAN)
    put(encounter, rules.Effect("own", text="acid", each="3", each_at="end"), BRAN)
    put(encounter, BURNING, BRAN)
    take(encounter, rules.TakeAction(DRAGON, "ready", cost="none", text="the bell"))
    foreseen = board_of(encounter).foreseen
    assert foreseen
    assert foreseen.changes == (
        "due: WIS save (Bran), hit points from burning (Bran), recharge of Fire Breath (Dragon)",
        "hit points: Bran \N{MINUS SIGN}3",
        "readied action lost: Dragon",
    )


def test_next_turn_says_that_a_death_save_comes() -> None:
    encounter = lair_fight()
    take(encounter, rules.Damage(LIA, 16))
    go_on(encounter, 2)
    foreseen = board_of(encounter).foreseen
    assert foreseen
    assert foreseen.changes == ("due: death save (Lia)",)


def test_what_ends_by_its_own_words_and_of_concentration_is_foreseen() -> None:
    encounter = lair_fight()
    end = {"ends": "end", "turns": 1, "whose": BRAN}
    put(encounter, rules.Effect("concentration", text="Bless", **end), LIA)  # type: ignore[arg-type]
    put(encounter, rules.Effect("own", text="marked", **end), LIA)  # type: ignore[arg-type]
    go_on(encounter, 4)
    foreseen = board_of(encounter).foreseen
    assert foreseen
    assert "ends: concentration: Bless (Lia), marked (Lia)" in foreseen.changes


def test_saves_and_uses_are_found_in_the_log_by_their_kind(gm_client: Client) -> None:
    encounter = lair_fight()
    pressed(gm_client, encounter, "spend-use", **ACTIONS)
    step = encounter.steps.last()
    assert step
    assert log.kinds(step.command, step.events) == {"saves"}


def test_players_notice_nothing_of_what_is_counted_or_due_of_the_hidden() -> None:
    encounter, link = ambush()
    concentration = rules.Due("concentration", 10, "con", "concentration")
    for command in (
        rules.AddUse(3, "Legendary actions", 3, "legendary"),
        rules.SpendUse(3, "Legendary actions", 2),
        rules.SetUse(3, "Legendary actions", 3),
        rules.RemoveUse(3, "Legendary actions"),
        rules.AddEffect(3, rules.Effect("concentration")),
        rules.Damage(3, 1),
        rules.Settle(3, concentration, made=False, dice=(2,), total=2),
    ):
        with unnoticed(link):
            take(encounter, command)
