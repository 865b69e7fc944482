"""What each turn asks and does: saves that end an effect, ongoing damage, regeneration.

Source: RULES of the table, "Turns and rounds"; SRD 5.1, "Conditions".
"""

import pytest

import rules
from rules import AddEffect, Due, Effect
from tests.rules.drawing import History
from tests.rules.making import started

LIA, OGRE = 1, 2


def table(**facts: object) -> History:
    """Lia's turn; the ogre has 40 of 59 hit points, or what is told of it."""
    history = started("1 heroes Lia hp20", "1 foes Ogre hp59")
    history.fight = history.fight.with_combatant(OGRE, **({"hp": 40} | facts))
    return history


def ogre(history: History) -> rules.Combatant:
    return history.fight.combatant(OGRE)


def turns(history: History, count: int) -> None:
    for _ in range(count):
        history.take(rules.NextTurn())


FRIGHTENED = Effect("frightened", source=LIA, save="wis", dc=15)
SAVE = Due("save", 15, "wis", "frightened", source=LIA)


@pytest.mark.parametrize(("edge", "asked_after"), [("start", 1), ("end", 2)])
def test_a_save_is_asked_for_at_its_edge_of_the_bearers_turn(edge: str, asked_after: int) -> None:
    history = table()
    effect = Effect("frightened", source=LIA, save="wis", dc=15, save_at=edge)
    history.take(AddEffect(OGRE, effect))
    for turn in (1, 2):
        history.take(rules.NextTurn())
        assert (SAVE in ogre(history).dues) == (turn >= asked_after)


def test_a_made_save_ends_the_effect_and_a_failed_one_is_asked_for_again() -> None:
    history = table()
    history.take(AddEffect(OGRE, FRIGHTENED))
    turns(history, 2)
    history.take(rules.Settle(OGRE, SAVE, False, (3,), 5))
    assert ogre(history).has("frightened")
    assert ogre(history).dues == ()
    turns(history, 2)
    outcome = history.take(rules.Settle(OGRE, SAVE, True, (18,), 20))
    assert [event.code for event in outcome.events] == ["save-made", "effect-ended"]
    assert (ogre(history).effects, ogre(history).dues) == ((), ())


def test_an_effect_taken_away_is_not_saved_against_any_more() -> None:
    history = table()
    history.take(AddEffect(OGRE, FRIGHTENED))
    turns(history, 2)
    history.take(rules.RemoveEffect(OGRE, "frightened"))
    assert ogre(history).dues == ()


def test_what_was_not_settled_is_not_asked_for_twice() -> None:
    history = table()
    history.take(AddEffect(OGRE, FRIGHTENED))
    turns(history, 4)
    assert ogre(history).dues == (SAVE,)


@pytest.mark.parametrize(
    ("heals", "edge", "after_its_start", "after_its_end"),
    [
        (False, "start", 35, 35),
        (False, "end", 40, 35),
        (True, "start", 45, 45),
        (True, "end", 40, 45),
    ],
)
def test_hit_points_of_a_turn_are_applied_at_their_edge(
    heals: bool, edge: str, after_its_start: int, after_its_end: int
) -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("own", text="pulse", each="5", each_at=edge, heals=heals)))
    turns(history, 1)
    assert ogre(history).hp == after_its_start
    turns(history, 1)
    assert ogre(history).hp == after_its_end


def test_ongoing_damage_has_a_type_that_is_resisted() -> None:
    history = table(defences=(rules.Defence("resistance", "fire"),))
    history.take(AddEffect(OGRE, Effect("own", text="burning", each="5", each_type="fire")))
    turns(history, 1)
    assert ogre(history).hp == 38


@pytest.mark.parametrize("effect", [{"each": "5", "offered": True}, {"each": "1d6"}])
def test_what_is_offered_or_rolled_waits_for_the_gm(effect: dict[str, object]) -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("own", text="burning", **effect)))  # type: ignore[arg-type]
    turns(history, 1)
    due = Due("each", effect="own", text="burning")
    assert (ogre(history).hp, ogre(history).dues) == (40, (due,))
    history.take(rules.Settle(OGRE, due, True, total=4))
    assert (ogre(history).hp, ogre(history).dues) == (36, ())
    turns(history, 2)
    history.take(rules.Dismiss(OGRE, due))
    assert (ogre(history).hp, ogre(history).dues) == (36, ())


@pytest.mark.parametrize(
    ("facts", "effect"),
    [
        ({"hp": 59}, Effect("regeneration", each="10", heals=True)),
        ({"hp": 59}, Effect("regeneration", each="10", heals=True, offered=True)),
        (
            {"hp": 0, "stable": True},
            Effect("regeneration", each="10", heals=True, offered=True, needs_hp=True),
        ),
    ],
)
def test_where_there_is_nothing_to_regain_nothing_is_told_or_asked(
    facts: dict[str, object], effect: Effect
) -> None:
    history = table(**facts, effects=(effect,))
    outcome = rules.NextTurn().run(history.fight)
    assert [event.code for event in outcome.events] == ["turn-began"]
    assert not outcome.fight.combatant(OGRE).dues


def test_nothing_is_done_to_those_who_are_passed_over() -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("own", text="pulse", each="5", heals=True)))
    history.take(AddEffect(OGRE, FRIGHTENED))
    history.take(rules.SetOut(OGRE, True))
    turns(history, 1)
    assert (ogre(history).hp, ogre(history).dues) == (40, ())


def test_a_turn_taken_back_gives_a_difference_and_leaves_other_hit_points() -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("own", text="pulse", each="5", heals=True)))
    turns(history, 1)
    history.take(rules.Damage(OGRE, 12))
    history.take(history.previous())
    assert ogre(history).hp == 28  # 40 + 5 − 12 − 5


def test_ongoing_damage_that_drops_a_hero_is_taken_back_with_all_that_followed() -> None:
    history = table()
    turns(history, 1)
    spell = Effect("own", text="blessed", source=LIA, hangs=True)
    history.take(AddEffect(OGRE, spell))
    history.take(AddEffect(LIA, Effect("own", text="burning", each="20")))
    before = history.fight
    turns(history, 1)
    lia = history.fight.combatant(LIA)
    assert (lia.dying, lia.has("concentration"), ogre(history).effects) == (True, False, ())
    history.take(history.previous())
    assert history.fight.combatants == before.combatants


def test_the_dead_of_a_group_are_asked_for_nothing_while_the_others_act() -> None:
    history = started("1 heroes Lia hp20", "2 foes Hound group=hound hp9 recharge=Breath5")
    for number in (2, 3):
        history.take(rules.SpendUse(number, "Breath"))
    history.take(rules.Damage(3, 9))
    turns(history, 1)
    asked = {c.number: [due.kind for due in c.dues] for c in history.fight.combatants}
    assert asked == {1: [], 2: ["recharge"], 3: []}


def with_bran() -> History:
    """Lia, the ogre, Bran."""
    return started("1 heroes Lia hp20", "1 foes Ogre hp59", "1 heroes Bran hp20")


def test_a_turn_given_up_to_wait_goes_on_and_does_not_start_twice() -> None:
    history = with_bran()
    uses = (rules.Use("Breath", 1, 0, "recharge", recharges_from=5),)
    history.fight = history.fight.with_combatant(OGRE, uses=uses)
    history.take(AddEffect(OGRE, Effect("own", text="burning", each="5", turns=3, ends="start")))
    turns(history, 1)
    asked = Due("recharge", 5, text="Breath")
    history.take(rules.Settle(OGRE, asked, False, (2,)))
    history.take(rules.Wait(OGRE))
    history.take(rules.GiveTurn(OGRE))
    assert (history.fight.round, history.fight.current) == (1, OGRE)
    (burning,) = ogre(history).effects
    assert (ogre(history).hp, ogre(history).dues, burning.turns) == (54, (), 2)
    turns(history, 3)
    assert (history.fight.round, history.fight.current) == (2, OGRE)
    assert (ogre(history).hp, ogre(history).dues) == (49, (asked,))


def test_a_turn_waited_for_into_the_next_round_starts_anew() -> None:
    history = with_bran()
    history.take(AddEffect(OGRE, Effect("own", text="burning", each="5")))
    turns(history, 1)
    history.take(rules.Wait(OGRE))
    turns(history, 1)
    assert (history.fight.round, history.fight.current) == (2, LIA)
    history.take(rules.ComeBack(OGRE))
    turns(history, 1)
    assert (history.fight.current, ogre(history).hp) == (OGRE, 49)


def test_acid_still_burns_at_the_end_with_which_it_is_over() -> None:
    history = table()
    acid = Effect(
        "own", text="acid", ends="end", turns=1, each="5", each_type="acid", each_at="end"
    )
    history.take(AddEffect(OGRE, acid))
    turns(history, 2)
    assert ogre(history).hp == 35
    assert not ogre(history).has("own")


def test_a_condition_from_two_sources_is_told_to_be_over_with_the_last() -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("poisoned", source=LIA, ends="end", turns=1)))
    history.take(AddEffect(OGRE, Effect("poisoned", ends="end", turns=2)))
    told = [
        [event.code for event in history.take(rules.NextTurn()).events].count("effect-ended")
        for _ in range(4)
    ]
    assert told == [0, 0, 0, 1]
    assert not ogre(history).has("poisoned")


@pytest.mark.parametrize("each", ["60000+60000", "99999+1d6", "-5", "1d4-9"])
def test_hit_points_of_a_turn_beyond_the_bounds_are_refused(each: str) -> None:
    with pytest.raises(rules.RuleError, match="amount-out-of-range"):
        table().take(AddEffect(OGRE, Effect("own", text="burning", each=each)))


def test_dice_of_a_turn_that_come_to_less_than_0_hurt_nobody() -> None:
    history = table()
    burning = Effect("own", text="burning", each="1d4-2")
    history.take(AddEffect(OGRE, burning))
    turns(history, 1)
    due = Due("each", effect="own", text="burning")
    (event,) = history.take(rules.Settle(OGRE, due, True, (1,), -1)).events
    assert (event.code, event.details["amount"]) == ("damaged", 0)
    assert (ogre(history).hp, ogre(history).dues) == (40, ())


@pytest.mark.parametrize(
    ("made", "total", "left"), [(True, 5, 35), (False, 5, 40), (True, None, 40)]
)
def test_hit_points_of_a_turn_count_once_they_are_known_and_not_when_they_are_dismissed(
    made: bool, total: int | None, left: int
) -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("own", text="burning", each="2d6", each_at="start")))
    turns(history, 1)
    (due,) = ogre(history).dues
    history.take(rules.Settle(OGRE, due, made, total=total))
    assert (ogre(history).hp, ogre(history).dues) == (left, ())


def test_whose_hit_points_nobody_knows_loses_none_by_a_turn() -> None:
    history = table(hp=None, max_hp=None)
    history.take(AddEffect(OGRE, Effect("own", text="burning", each="5", each_at="start")))
    turns(history, 1)
    assert ogre(history).hp is None


def test_an_effect_may_take_nothing_each_turn_but_no_less() -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("own", text="still", each="0", each_at="start")))
    with pytest.raises(rules.RuleError, match="amount-out-of-range"):
        AddEffect(OGRE, Effect("own", text="odd", each="-1", each_at="start")).run(history.fight)
