"""Moving, crawling, difficult terrain, standing up.

Source: DRS, "Combattre" / "Déplacement et position"; SRD 5.1 and 5.2, "Movement and Position".
"""

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import started


def lia(*facts: str, **settings: str | bool) -> History:
    """Lia alone, on her turn."""
    return started(" ".join(("1 heroes Lia dex+0 hp9", *facts)), **settings)


def moved(history: History) -> float:
    return history.fight.combatant(1).moved


def test_moving_too_far_is_allowed_and_told() -> None:
    history = lia("speed30")
    assert history.take(rules.Move(1, 30)).events[0].details["over"] == 0
    assert history.take(rules.Move(1, 10)).events[0].details["over"] == 10
    assert history.take(rules.Move(1, -50)).events[0].details["moved"] == 0


@pytest.mark.parametrize(
    ("speed", "edition", "cost"),
    [(30, "2014", 15), (25, "2014", 12.5), (25, "2024", 12), (5, "2014", 2.5), (5, "2024", 2)],
)
def test_standing_up_costs_half_the_speed(speed: int, edition: str, cost: float) -> None:
    history = lia(f"speed{speed}", "prone", edition=edition)
    history.take(rules.StandUp(1))
    assert (moved(history), history.fight.combatant(1).effects) == (cost, ())


def test_one_that_cannot_move_cannot_stand_up() -> None:
    with pytest.raises(rules.RuleError, match="cannot-stand"):
        lia("speed30", "prone", "grappled").take(rules.StandUp(1))


def test_without_enough_movement_left_nobody_stands_up_but_by_the_gms_word() -> None:
    history = lia("speed30")
    history.take(rules.Move(1, 20))
    history.take(rules.AddEffect(1, rules.Effect("prone")))
    with pytest.raises(rules.RuleError, match="too-far-to-stand"):
        history.take(rules.StandUp(1))
    history.take(rules.StandUp(1, anyway=True))
    assert (moved(history), history.fight.combatant(1).effects) == (20, ())


def test_a_dash_leaves_enough_to_stand_up_for_half_the_speed() -> None:
    history = lia("speed30")
    history.take(rules.Move(1, 30))
    history.take(rules.AddEffect(1, rules.Effect("prone")))
    history.take(rules.TakeAction(1, "dash"))
    history.take(rules.StandUp(1))
    assert moved(history) == 45


@pytest.mark.parametrize(
    ("facts", "how", "cost"),
    [
        ((), {}, 10),
        ((), {"difficult": True}, 20),
        ((), {"crawling": True}, 20),
        ((), {"crawling": True, "difficult": True}, 30),
        (("prone",), {}, 20),
        (("prone",), {"crawling": True}, 20),
        (("prone",), {"difficult": True}, 30),
    ],
)
def test_crawling_and_difficult_terrain_cost_a_foot_more_each(
    facts: tuple[str, ...], how: dict[str, bool], cost: int
) -> None:
    history = lia("speed30", *facts)
    history.take(rules.Move(1, 10, **how))
    assert moved(history) == cost
    history.take(rules.Move(1, -10, **how))
    assert moved(history) == 0


def test_what_is_moved_in_a_turn_is_bounded() -> None:
    history = lia("speed30")
    history.take(rules.Move(1, rules.AMOUNT_LIMIT))
    with pytest.raises(rules.RuleError, match="amount-out-of-range"):
        rules.Move(1, 1).run(history.fight)
