"""Legendary actions, recharges and other counts. Source: SRD 5.1, "Legendary Creatures"."""

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import started

ACTIONS = "Legendary actions"
DRAGON, A, B, LAIR = 2, 1, 3, 4


def table(*, surprised: bool = False, lair: bool = False, **settings: str | bool) -> History:
    """A 22, the dragon 18, B 10 and, if wanted, its lair at 20."""
    joining = ["1 heroes A hp9", "1 foes Dragon hp99", "1 heroes B hp9"]
    history = started(*joining, *(["1 foes Lair lair"] if lair else []), **settings)
    uses = (rules.Use(ACTIONS, 3, 3, "legendary"), rules.Use("Breath", 1, 0, "recharge", "", 5))
    history.fight = history.fight.with_combatant(DRAGON, uses=uses, surprised=surprised)
    if lair:
        history.take(rules.Edit(LAIR, {"owner": DRAGON}))
    totals = {A: 22, DRAGON: 18, B: 10} | ({LAIR: 20} if lair else {})
    history.take(rules.RollInitiative(totals=totals))
    return history


def left(history: History, name: str = ACTIONS) -> int:
    return next(use.left for use in history.fight.combatant(DRAGON).uses if use.name == name)


def spend(history: History, cost: int = 1) -> None:
    history.take(rules.SpendUse(DRAGON, ACTIONS, cost))


def test_a_surprised_dragon_has_neither_lair_nor_legendary_actions_before_its_turn() -> None:
    # RULES: A 22, lair 20, surprised dragon 18 (3 legendary uses), B 10
    history = table(surprised=True, lair=True)
    assert history.fight.current == A
    with pytest.raises(rules.RuleError, match="no-legendary-now"):
        spend(history)
    history.take(rules.NextTurn())
    assert history.fight.current == DRAGON  # no lair action in round 1
    history.take(rules.NextTurn())
    assert history.fight.current == B
    spend(history)
    assert left(history) == 2
    acted = []
    for _ in range(3):
        history.take(rules.NextTurn())
        acted.append(history.fight.current)
    assert acted == [A, LAIR, DRAGON]
    assert left(history) == 3


def test_legendary_actions_are_spent_one_at_a_time() -> None:
    history = table()
    spend(history, 2)
    with pytest.raises(rules.RuleError, match="no-legendary-now"):
        spend(history)
    assert left(history) == 1


def test_a_cost_above_what_is_left_is_refused() -> None:
    history = table()
    spend(history, 3)
    for _ in range(2):
        history.take(rules.NextTurn())
    assert left(history) == 3  # its own turn has been between
    spend(history, 2)
    assert left(history) == 1
    history.take(rules.NextTurn())
    with pytest.raises(rules.RuleError, match="no-use-left"):
        spend(history, 2)


def test_no_legendary_action_ends_the_dragons_own_turn() -> None:
    history = table()
    history.take(rules.NextTurn())
    assert history.fight.current == DRAGON
    assert not rules.can_take_legendary(history.fight.combatant(DRAGON), history.fight)


def test_no_legendary_action_follows_a_lair() -> None:
    history = table(lair=True)
    history.take(rules.NextTurn())
    assert history.fight.current == LAIR
    with pytest.raises(rules.RuleError, match="no-legendary-now"):
        spend(history)


def test_an_incapacitated_dragon_takes_none() -> None:
    history = table()
    history.take(rules.AddEffect(DRAGON, rules.Effect("stunned")))
    with pytest.raises(rules.RuleError, match="no-legendary-now"):
        spend(history)


def test_a_lair_of_the_dead_is_passed_over() -> None:
    history = table(lair=True)
    history.take(rules.Damage(DRAGON, 99))
    history.take(rules.NextTurn())
    assert history.fight.current == B


def test_the_breath_is_asked_for_at_the_start_of_the_turn_and_comes_back() -> None:
    history = table()
    history.take(rules.NextTurn())
    due = rules.Due("recharge", 5, text="Breath")
    assert history.fight.combatant(DRAGON).dues == (due,)
    history.take(rules.Settle(DRAGON, due, True, (6,)))
    assert left(history, "Breath") == 1
    assert not history.fight.combatant(DRAGON).dues


def test_a_breath_that_failed_to_recharge_is_asked_for_again() -> None:
    history = table()
    due = rules.Due("recharge", 5, text="Breath")
    for _ in range(2):
        while history.fight.current != DRAGON or due not in history.fight.combatant(DRAGON).dues:
            history.take(rules.NextTurn())
        history.take(rules.Settle(DRAGON, due, False, (2,)))
        assert left(history, "Breath") == 0


def test_what_is_not_due_is_not_settled() -> None:
    due = rules.Due("recharge", 5, text="Breath")
    for command in (rules.Settle(DRAGON, due, True), rules.Dismiss(DRAGON, due)):
        with pytest.raises(rules.RuleError, match="nothing-due"):
            command.run(table().fight)


def test_the_previous_turn_takes_back_what_was_regained() -> None:
    history = table()
    spend(history, 2)
    history.take(rules.NextTurn())
    assert left(history) == 3
    history.take(history.previous())
    assert left(history) == 1
    assert not history.fight.combatant(DRAGON).dues


def test_the_gm_counts_what_she_likes() -> None:
    fight = table().fight
    fight = rules.AddUse(1, "Rage", 3).run(fight).fight
    fight = rules.SpendUse(1, "Rage").run(fight).fight
    assert fight.combatant(1).uses == (rules.Use("Rage", 3, 2),)
    fight = rules.SetUse(1, "Rage", 3).run(fight).fight
    assert fight.combatant(1).uses == (rules.Use("Rage", 3, 3),)
    assert rules.RemoveUse(1, "Rage").run(fight).fight.combatant(1).uses == ()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (rules.AddUse(1, " ", 3), "words-missing"),
        (rules.AddUse(1, "x" * 81, 3), "name-too-long"),
        (rules.AddUse(1, "Rage", 0), "use-out-of-range"),
        (rules.AddUse(1, "Rage", 100), "use-out-of-range"),
        (rules.AddUse(1, "Rage", 3, "luck"), "no-such-choice"),
        (rules.AddUse(1, "Rage", 1, "recharge", 7), "no-such-choice"),
        (rules.AddUse(DRAGON, "Breath", 1), "has-use-already"),
        (rules.SpendUse(1, "Rage"), "no-such-use"),
        (rules.SpendUse(DRAGON, "Breath"), "no-use-left"),
        (rules.SpendUse(DRAGON, ACTIONS, 0), "amount-out-of-range"),
        (rules.SetUse(DRAGON, "Breath", 2), "use-out-of-range"),
        (rules.RemoveUse(1, "Rage"), "no-such-use"),
    ],
)
def test_counts_out_of_reason_are_refused(command: rules.Command, code: str) -> None:
    with pytest.raises(rules.RuleError, match=code):
        command.run(table().fight)


def test_a_combatant_has_so_many_counts_and_no_more() -> None:
    fight = table().fight
    for number in range(40):
        fight = rules.AddUse(1, f"Scroll {number}", 1).run(fight).fight
    with pytest.raises(rules.RuleError, match="too-many-uses"):
        rules.AddUse(1, "One more", 1).run(fight)


# In its lair (SRD 5.2)


def at_home(*, lair: bool = False) -> History:
    """The dragon, whose lair gives one more of both, and its lair if wanted."""
    history = started(
        "1 heroes A hp9", "1 foes Dragon hp99", *(["1 foes Lair lair"] if lair else [])
    )
    uses = (
        rules.Use(ACTIONS, 3, 3, "legendary", in_lair=1),
        rules.Use("Resistance", 3, 1, "resistance", in_lair=1),
        rules.Use("Breath", 1, 0, "recharge", "", 5),
    )
    history.fight = history.fight.with_combatant(DRAGON, uses=uses)
    return history


def counts(history: History) -> list[tuple[int, int]]:
    return [(use.left, use.max) for use in history.fight.combatant(DRAGON).uses]


ELSEWHERE, IN_ITS_LAIR = [(3, 3), (1, 3), (0, 1)], [(4, 4), (2, 4), (0, 1)]


def test_in_its_lair_a_dragon_has_one_legendary_action_and_one_resistance_more() -> None:
    history = at_home()
    history.take(rules.Edit(DRAGON, {"in_lair": True}))
    assert counts(history) == IN_ITS_LAIR
    history.take(rules.Edit(DRAGON, {"in_lair": False}))
    assert counts(history) == ELSEWHERE


def test_the_owner_of_a_lair_is_at_home_while_the_lair_is_in_the_fight() -> None:
    history = at_home(lair=True)
    for owner, found in ((DRAGON, IN_ITS_LAIR), (0, ELSEWHERE), (None, IN_ITS_LAIR)):
        history.take(rules.Edit(3, {"owner": owner}))
        assert counts(history) == found
    history.take(rules.AddUse(1, "Will", 1, "legendary"))
    assert counts(history) == ELSEWHERE, "two are legendary: the lair is nobody's"
    history.take(rules.RemoveUse(1, "Will"))
    assert counts(history) == IN_ITS_LAIR
    history.take(rules.Leave((3,)))
    assert counts(history) == ELSEWHERE


@pytest.mark.parametrize(("there", "elsewhere"), [(4, 3), (3, 2), (1, 0), (0, 0)])
def test_what_is_spent_in_its_lair_is_spent_elsewhere_too(there: int, elsewhere: int) -> None:
    history = at_home()
    history.take(rules.Edit(DRAGON, {"in_lair": True}))
    history.take(rules.SetUse(DRAGON, "Resistance", there))
    history.take(rules.Edit(DRAGON, {"in_lair": False}))
    assert counts(history)[1] == (elsewhere, 3)
