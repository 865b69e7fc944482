"""Whose turn players see when the one they saw goes out of sight while a hidden one acts."""

import pytest

import rules
from encounters.models import Campaign
from encounters.screens import PlayerBoard, player_board

SETTINGS = rules.Settings(reveal_on_turn=False)


def begun(*names: str, hidden: str = "") -> rules.Fight:
    """A running fight in this order; the first has the turn."""
    join = rules.Join(
        tuple(
            rules.Combatant(0, name, "heroes" if name != hidden else "foes", hidden=name == hidden)
            for name in names
        )
    )
    fight = rules.OpenFight().run(join.run(rules.Fight(table=SETTINGS)).fight).fight
    totals = {slot.number: 20 - slot.number for slot in fight.slots}
    return rules.StartFight(totals=totals).run(fight).fight


def seen(fight: rules.Fight) -> PlayerBoard:
    return player_board(Campaign(name="The mill"), fight)


def number(fight: rules.Fight, name: str) -> int:
    return next(c.number for c in fight.combatants if c.name == name)


# RW-S23: the places that players see have no gap
@pytest.mark.parametrize("command", [rules.Leave, lambda who: rules.SetHidden(who, True)])
def test_no_gap_tells_players_that_somebody_hidden_acts(command: type[rules.Leave]) -> None:
    fight = begun("Aria", "Stalker", "Bran", "Cleo", hidden="Stalker")
    twin = begun("Aria", "Bran", "Cleo")
    gone = command((number(fight, "Aria"),)).run(fight).fight
    without = rules.Leave((number(twin, "Aria"),)).run(twin).fight
    assert seen(gone) == seen(without)
    assert seen(gone).now is not None
    while gone.current != number(gone, "Bran"):
        gone = rules.NextTurn().run(gone).fight
        assert seen(gone) == seen(without)


def test_players_wait_when_nobody_is_left_in_sight() -> None:
    fight = begun("Aria", "Stalker", hidden="Stalker")
    left = rules.Leave((number(fight, "Aria"),)).run(fight).fight
    assert seen(left).state == "waiting"
