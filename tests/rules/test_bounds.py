"""How much can be on one combatant: effects, and what is due. Source: RULES of the table."""

import pytest

import rules
from rules import AddEffect, Due, Effect
from tests.rules.drawing import History
from tests.rules.making import started

LIA, OGRE = 1, 2


def table(marks: int) -> History:
    """Lia with so many words of the GM's on her."""
    history = started("1 heroes Lia hp2000", "1 foes Ogre hp59")
    words = tuple(Effect("own", text=f"mark {n}") for n in range(marks))
    history.fight = history.fight.with_combatant(LIA, effects=words)
    return history


@pytest.mark.parametrize(
    ("marks", "effect"),
    [
        (30, AddEffect(LIA, Effect("poisoned"))),
        (29, AddEffect(LIA, Effect("unconscious"))),  # and prone
        (30, AddEffect(OGRE, Effect("charmed", source=LIA, hangs=True))),  # a concentration
    ],
)
def test_there_are_no_more_than_30_effects_on_one_combatant(marks: int, effect: AddEffect) -> None:
    with pytest.raises(rules.RuleError, match="too-many-effects") as refusal:
        table(marks).take(effect)
    assert refusal.value.details == {"limit": 30}
    table(28).take(effect)


def test_one_of_30_may_be_put_on_anew_and_all_of_31_too() -> None:
    for marks in (30, 31):
        history = table(marks)
        history.take(AddEffect(LIA, Effect("own", text="mark 3", ends="end")))
        assert len(history.fight.combatant(LIA).effects) == marks


def test_of_more_than_30_that_are_due_the_oldest_concentration_save_is_not() -> None:
    history = table(0)
    history.take(AddEffect(LIA, Effect("concentration")))
    first = Due("save", 12, "wis", "frightened")
    history.fight = history.fight.with_combatant(LIA, dues=(first,))
    for amount in range(30, 90, 2):
        history.take(rules.Damage(LIA, amount))
    dues = history.fight.combatant(LIA).dues
    assert dues[0] == first
    assert [due.dc for due in dues[1:]] == list(range(16, 45))


def test_what_is_due_of_a_turn_takes_the_room_of_concentration_saves() -> None:
    history = table(0)
    history.take(AddEffect(LIA, Effect("concentration")))
    history.take(AddEffect(LIA, Effect("frightened", save="wis", dc=12, save_at="start")))
    breath = rules.Use("Breath", 1, 0, "recharge", recharges_from=5)
    held = Due("concentration", 10, "con", "concentration")
    history.fight = history.fight.with_combatant(LIA, dues=(held,) * 30, uses=(breath,))
    history.take(rules.GiveTurn(OGRE))
    history.take(rules.GiveTurn(LIA))
    kinds = [due.kind for due in history.fight.combatant(LIA).dues]
    assert kinds == ["concentration"] * 28 + ["save", "recharge"]
