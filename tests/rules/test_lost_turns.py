"""What surprise and incapacity take from a turn, and give back. Source: SRD 5.1, "Conditions"."""

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import fight_of, opened, started

PAIR = ("1 heroes Lia dex+0 hp9 speed30 pp10", "1 foes Orc dex+0 hp9 speed30 pp9")


def pair(**settings: str | bool) -> History:
    """Lia, whose turn it is, and an orc."""
    return started(*PAIR, **settings)


def left(fight: rules.Fight, number: int = 1) -> rules.Means:
    return rules.means(fight.combatant(number), fight)


def marks(fight: rules.Fight, number: int = 1) -> list[str]:
    return [effect.code for effect in fight.combatant(number).effects]


def ambushed() -> History:
    """X 20 is surprised and has the turn; B 10."""
    history = History(fight_of("1 heroes X dex+0 pp10 speed30", "1 foes B dex+0 stealth14"))
    history.take(rules.StartFight({1: 20, 2: 10}))
    return history


def test_the_surprised_can_do_nothing_on_their_first_turn() -> None:
    history = ambushed()
    assert left(history.fight) == rules.Means(
        0, 0, 0, False, False, False, False, "surprised", "walk", (("walk", 0),)
    )
    for command in (
        rules.TakeAction(1, "dodge"),
        rules.TakeAction(1, "dash", "none"),
        rules.SetSpent(1, "object", True),
        rules.Move(1, 5),
    ):
        with pytest.raises(rules.RuleError, match="turn-is-lost"):
            history.take(command)


def test_movement_and_actions_come_back_when_surprise_is_lifted_during_the_turn() -> None:
    history = ambushed()
    history.take(rules.OverrideSurprise(1, "not-surprised"))
    assert left(history.fight) == rules.Means(
        30, 30, 0, True, True, True, True, "", "walk", (("walk", 30),)
    )


@pytest.mark.parametrize(
    "code", ["incapacitated", "stunned", "paralyzed", "petrified", "unconscious"]
)
def test_incapacity_takes_actions_and_reaction_and_gives_them_back(code: str) -> None:
    history = pair()
    history.take(rules.AddEffect(1, rules.Effect(code)))
    taken = left(history.fight)
    assert (taken.action, taken.bonus, taken.reaction, taken.lost_to) == (
        False, False, False, "incapacitated",
    )  # fmt: skip
    with pytest.raises(rules.RuleError, match="turn-is-lost"):
        history.take(rules.TakeAction(1, "attack"))
    history.take(rules.RemoveEffect(1, code))
    back = left(history.fight)
    assert (back.action, back.bonus, back.reaction, back.lost_to) == (
        True, True, True, "",
    )  # fmt: skip


def test_unconscious_includes_prone_which_stays_after_waking() -> None:
    history = pair()
    history.take(rules.AddEffect(1, rules.Effect("unconscious")))
    assert marks(history.fight) == ["unconscious", "prone"]
    history.take(rules.RemoveEffect(1, "unconscious"))
    assert marks(history.fight) == ["prone"]


def test_the_incapacitated_have_their_turn_all_the_same() -> None:
    history = pair()
    history.take(rules.AddEffect(2, rules.Effect("paralyzed")))
    history.take(rules.NextTurn())
    assert history.fight.current == 2


def test_a_condition_during_the_opening_finds_surprise_anew() -> None:
    fight = opened("1 heroes Lia pp18 hp9", "1 foes Orc pp9 stealth14", "1 foes Wolf pp9")
    fight = rules.AddEffect(1, rules.Effect("unconscious")).run(fight).fight
    assert fight.combatant(1).surprised
    assert not rules.RemoveEffect(1, "unconscious").run(fight).fight.combatant(1).surprised
    assert (
        rules.Damage(1, 9)
        .run(opened(*PAIR[:1], "1 foes Orc stealth9"))
        .fight.combatant(1)
        .surprised
    )
