"""What a creature has on its turn, what it spends, and what comes back.

Source: DRS, "Combattre" / "Votre tour", "Actions en combat"; SRD 5.1 and 5.2, "Conditions".
"""

from typing import Any

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import fight_of, started

PAIR = ("1 heroes Lia dex+0 hp9 speed30 pp10", "1 foes Orc dex+0 hp9 speed30 pp9")


def pair(**settings: str | bool) -> History:
    """Lia, whose turn it is, and an orc."""
    return started(*PAIR, **settings)


def left(fight: rules.Fight, number: int = 1) -> rules.Means:
    return rules.means(fight.combatant(number), fight)


def on_foot(speed: int, *rest: Any) -> rules.Means:
    """What is left of one who has no other speed."""
    allowed, moved, action, bonus, interaction, reaction, lost_to = rest
    return rules.Means(
        speed, allowed, moved, action, bonus, interaction, reaction, lost_to,
        "walk", (("walk", speed),),
    )  # fmt: skip


def marks(fight: rules.Fight, number: int = 1) -> list[str]:
    return [effect.code for effect in fight.combatant(number).effects]


# The turn


def test_a_turn_has_movement_an_action_a_bonus_action_an_object_and_the_reaction() -> None:
    assert left(pair().fight) == on_foot(30, 30, 0, True, True, True, True, "")


def test_all_that_was_spent_comes_back_at_the_start_of_the_next_own_turn() -> None:
    history = pair()
    history.take(rules.TakeAction(1, "dash"))
    history.take(rules.TakeAction(1, "hide", "bonus"))
    history.take(rules.SetSpent(1, "object", True))
    history.take(rules.Move(1, 40))
    history.take(rules.SetReaction(1, False))
    spent = on_foot(30, 60, 40, False, False, False, False, "")
    assert left(history.fight) == spent
    history.take(rules.NextTurn())
    assert left(history.fight) == spent
    history.take(rules.NextTurn())
    assert left(history.fight) == on_foot(30, 30, 0, True, True, True, True, "")
    history.take(history.previous())
    assert left(history.fight) == spent


def test_what_is_spent_is_spent_once_and_may_be_given_back() -> None:
    history = pair()
    history.take(rules.TakeAction(1, "attack"))
    with pytest.raises(rules.RuleError, match="nothing-left"):
        history.take(rules.TakeAction(1, "dodge"))
    history.take(rules.TakeAction(1, "dodge", "none"))
    history.take(rules.SetSpent(1, "action", False))
    history.take(rules.TakeAction(1, "attack"))
    assert not left(history.fight).action


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (rules.TakeAction(1, "juggle"), "no-such-action"),
        (rules.TakeAction(1, "magic"), "no-such-action"),
        (rules.TakeAction(1, "dash", "soul"), "no-such-choice"),
        (rules.SetSpent(1, "soul", True), "no-such-choice"),
        (rules.Move(1, rules.AMOUNT_LIMIT + 1), "amount-out-of-range"),
        (rules.StandUp(1), "effect-is-gone"),
        (rules.ReleaseReadied(1), "effect-is-gone"),
        (rules.AddEffect(1, rules.Effect("sleepy")), "no-such-effect"),
        (rules.AddEffect(1, rules.Effect("dodging")), "no-such-effect"),
        (rules.AddEffect(1, rules.Effect("exhaustion")), "level-out-of-range"),
        (rules.AddEffect(1, rules.Effect("exhaustion", 7)), "level-out-of-range"),
        (rules.AddEffect(1, rules.Effect("prone", 1)), "level-out-of-range"),
        (rules.RemoveEffect(1, "prone"), "effect-is-gone"),
    ],
)
def test_what_cannot_be_is_refused(command: rules.Command, code: str) -> None:
    with pytest.raises(rules.RuleError, match=code):
        command.run(pair().fight)


# Movement


def test_dash_adds_the_speed_and_does_so_each_time() -> None:
    history = pair()
    history.take(rules.TakeAction(1, "dash"))
    assert left(history.fight).allowed == 60
    history.take(rules.TakeAction(1, "dash", "bonus"))
    assert left(history.fight).allowed == 90


@pytest.mark.parametrize(
    ("facts", "in_2014", "in_2024"),
    [
        ("", 30, 30),
        ("grappled", 0, 0),
        ("restrained", 0, 0),
        ("paralyzed", 0, 0),
        ("petrified", 0, 0),
        ("unconscious", 0, 0),
        ("stunned", 0, 30),
        ("incapacitated", 30, 30),
        ("prone", 30, 30),
        ("exhausted1", 30, 25),
        ("exhausted2", 15, 20),
        ("exhausted4", 15, 10),
        ("exhausted5", 0, 5),
        ("exhausted6", 0, 0),
    ],
)
def test_what_conditions_leave_of_the_speed(facts: str, in_2014: int, in_2024: int) -> None:
    for edition, speed in (("2014", in_2014), ("2024", in_2024)):
        fight = fight_of(f"1 heroes Lia speed30 {facts}", edition=edition)
        assert rules.speed_of(fight.combatant(1), fight.settings) == speed
    unknown = fight_of("1 heroes Lia")
    assert rules.speed_of(unknown.combatant(1), unknown.settings) is None


# The actions


def test_2014_has_ten_actions_and_2024_has_twelve() -> None:
    assert rules.actions(rules.Settings()) == (
        "attack", "cast-a-spell", "dash", "disengage", "dodge", "help", "hide", "ready",
        "search", "use-an-object",
    )  # fmt: skip
    assert rules.actions(rules.Settings(edition="2024")) == (
        "attack", "dash", "disengage", "dodge", "help", "hide", "influence", "magic", "ready",
        "search", "study", "utilize",
    )  # fmt: skip


LEAVES = {"disengage": "disengaged", "dodge": "dodging", "help": "helping", "ready": "readied"}
EVERY = [
    (edition, action)
    for edition in ("2014", "2024")
    for action in rules.actions(rules.Settings(edition=edition))
]


@pytest.mark.parametrize(("edition", "action"), EVERY)
def test_each_action_spends_the_action_and_leaves_its_reminder(edition: str, action: str) -> None:
    history = pair(edition=edition)
    history.take(rules.TakeAction(1, action))
    assert left(history.fight) == on_foot(
        30, 60 if action == "dash" else 30, 0, False, True, True, True, ""
    )
    assert marks(history.fight) == ([LEAVES[action]] if action in LEAVES else [])
    history.take(rules.NextTurn())  # its turn has ended
    assert marks(history.fight) == (
        [LEAVES[action]] if action in ("dodge", "help", "ready") else []
    )
    history.take(rules.NextTurn())  # its next turn has begun
    assert marks(history.fight) == []
    history.take(history.previous())
    assert marks(history.fight) == (
        [LEAVES[action]] if action in ("dodge", "help", "ready") else []
    )


@pytest.mark.parametrize("code", ["stunned", "incapacitated", "grappled", "restrained"])
def test_dodging_ends_with_incapacity_and_at_a_speed_of_0(code: str) -> None:
    history = pair()
    history.take(rules.TakeAction(1, "dodge"))
    history.take(rules.AddEffect(1, rules.Effect("poisoned")))
    assert marks(history.fight) == ["dodging", "poisoned"]
    history.take(rules.AddEffect(1, rules.Effect(code)))
    assert marks(history.fight) == ["poisoned", code]


@pytest.mark.parametrize(
    ("command", "left_on_her"),
    [(rules.Damage(1, 9), ["prone"]), (rules.Edit(1, {"speed": 0}), [])],
)
def test_dodging_ends_with_the_last_hit_point_or_the_speed(
    command: rules.Command, left_on_her: list[str]
) -> None:
    history = pair()
    history.take(rules.TakeAction(1, "dodge"))
    history.take(command)
    assert marks(history.fight) == left_on_her


def test_one_that_cannot_move_dodges_in_vain() -> None:
    history = started("1 heroes Lia dex+0 hp9 speed30 grappled")
    history.take(rules.TakeAction(1, "dodge"))
    assert marks(history.fight) == ["grappled"]


def test_dodging_ends_when_the_other_edition_takes_the_whole_speed() -> None:
    history = started("1 heroes Lia dex+0 hp9 speed30 exhausted5", edition="2024")
    history.take(rules.TakeAction(1, "dodge"))
    history.take(rules.ChangeSettings({"edition": "2014"}))
    assert marks(history.fight) == ["exhaustion"]


def test_a_turn_taken_back_gives_no_dodging_to_one_who_can_dodge_no_more() -> None:
    history = pair()
    history.take(rules.TakeAction(1, "dodge"))
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    history.take(rules.AddEffect(1, rules.Effect("stunned")))
    history.take(history.previous())
    assert marks(history.fight) == ["stunned"]


# Ready and the reaction


def readied() -> History:
    history = pair()
    history.take(rules.TakeAction(1, "ready", text="the door opens"))
    history.take(rules.NextTurn())
    return history


def test_what_is_ready_is_released_with_the_reaction() -> None:
    history = readied()
    outcome = history.take(rules.ReleaseReadied(1))
    assert outcome.events[0].details["text"] == "the door opens"
    assert (left(history.fight).reaction, marks(history.fight)) == (False, [])
    with pytest.raises(rules.RuleError, match="effect-is-gone"):
        history.take(rules.ReleaseReadied(1))


def test_spending_the_reaction_otherwise_loses_what_is_ready() -> None:
    history = readied()
    outcome = history.take(rules.SetReaction(1, False))
    assert [event.code for event in outcome.events] == ["reaction-spent", "readied-lost"]
    assert marks(history.fight) == []


def test_nothing_is_released_without_a_reaction() -> None:
    history = readied()
    history.take(rules.OverrideSurprise(1, "surprised"))
    with pytest.raises(rules.RuleError, match="cannot-react"):
        history.take(rules.ReleaseReadied(1))


# Speeds

EAGLE = ("1 heroes Lia dex+0 hp9 speed30", "1 foes Eagle dex-1 hp26 speed10")


def eagle(**facts: object) -> History:
    """An eagle, whose turn it is."""
    history = started(*EAGLE)
    flying = history.fight.with_combatant(2, **({"speeds": {"fly": 80}} | facts))
    return History(rules.NextTurn().run(flying).fight)


def test_who_is_faster_in_the_air_flies_and_may_walk_what_the_flight_has_left() -> None:
    history = eagle()
    assert (left(history.fight, 2).way, left(history.fight, 2).allowed) == ("fly", 80)
    history.take(rules.Move(2, 60))
    history.take(rules.ChooseSpeed(2, "walk"))
    grounded = left(history.fight, 2)
    assert (grounded.way, grounded.allowed, grounded.moved) == ("walk", 10, 60)
    with pytest.raises(rules.RuleError, match="no-such-choice"):
        history.take(rules.ChooseSpeed(2, "swim"))


@pytest.mark.parametrize(
    ("speed", "speeds", "way"),
    [(30, {"climb": 30, "swim": 90}, "walk"), (0, {"swim": 40}, "swim"), (0, {"fly": 50}, "fly"),
     (30, {"fly": 30}, "walk"), (None, {}, "walk")],
)  # fmt: skip
def test_how_one_moves_unasked(speed: int | None, speeds: dict[str, int], way: str) -> None:
    assert left(eagle(speed=speed, speeds=speeds).fight, 2).way == way


@pytest.mark.parametrize(
    ("effects", "edition", "feet"),
    [((rules.Effect("grappled"),), "2014", (0, 0)),
     ((rules.Effect("exhaustion", 2),), "2014", (5, 40)),
     ((rules.Effect("exhaustion", 1),), "2024", (5, 75)),
     ((rules.Effect("exhaustion", 5),), "2014", (0, 0))],
)  # fmt: skip
def test_what_stops_or_slows_bears_on_every_speed(
    effects: tuple[rules.Effect, ...], edition: str, feet: tuple[int, int]
) -> None:
    history = started(*EAGLE, edition=edition)
    fight = history.fight.with_combatant(2, speeds={"fly": 80}, effects=effects)
    assert left(fight, 2).ways == (("walk", feet[0]), ("fly", feet[1]))


def test_who_lies_crawls_and_stands_up_by_half_its_speed_on_foot() -> None:
    history = eagle(effects=(rules.Effect("prone"),))
    assert left(history.fight, 2).way == "walk"
    history.take(rules.StandUp(2))
    assert (left(history.fight, 2).moved, left(history.fight, 2).way) == (5, "fly")


def test_who_only_swims_keeps_dodging() -> None:
    history = eagle(speed=0, speeds={"swim": 40})
    history.take(rules.TakeAction(2, "dodge"))
    assert marks(history.fight, 2) == ["dodging"]
