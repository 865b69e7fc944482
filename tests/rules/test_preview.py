"""What *next turn* would do, told before it is pressed; test_always.py holds it against the deed.

Source: PRODUCT of the table: "Next: Bran. Ends: goblin 2's surprise".
"""

import rules
from tests.rules.drawing import History
from tests.rules.making import fight_of, started


def told(history: History) -> rules.Preview:
    preview = rules.preview(history.fight)
    assert preview is not None
    return preview


def test_a_preview_names_the_next_and_what_ends_and_comes_back() -> None:
    history = History(fight_of("2 foes Gob dex+0 pp9 group=gob", "1 heroes Bran dex+0 stealth14"))
    history.take(rules.StartFight({1: 20, 3: 10}))
    history.take(rules.SetReaction(3, False))
    history.take(rules.TakeAction(3, "dodge"))
    before = history.fight
    preview = told(history)
    assert history.fight is before, "nothing has been changed"
    assert (preview.slot, preview.round, preview.new_round) == (3, 1, False)
    assert [c.number for c in preview.surprise_ends] == [1, 2]
    assert [(c.number, effect.code) for c, effect in preview.effects_end] == [(3, "dodging")]
    assert [c.number for c in preview.reactions_return] == [3]
    assert (preview.arrive, preview.loses_turn) == ((), False)


def test_a_preview_tells_that_a_turn_will_be_lost() -> None:
    history = History(fight_of("1 foes Gob dex+0 pp9", "1 heroes Bran dex+0 stealth14 pp9"))
    history.take(rules.StartFight({1: 10, 2: 20}))
    assert told(history).loses_turn
    history.take(rules.OverrideSurprise(1, "not-surprised"))
    assert not told(history).loses_turn


def test_a_group_of_which_one_can_act_does_not_lose_its_turn() -> None:
    history = History(fight_of("2 foes Gob dex+0 pp9 group=gob", "1 heroes Bran dex+0 stealth14"))
    history.take(rules.OverrideSurprise(2, "not-surprised"))
    history.take(rules.StartFight({1: 10, 3: 20}))
    assert not told(history).loses_turn


def test_what_new_dice_decide_is_not_told() -> None:
    history = started("1 foes A hp9 dex+0", "1 foes B hp9 dex+0", reroll_each_round=True)
    history.take(rules.TakeAction(1, "dodge"))
    history.take(rules.SetReaction(1, False))
    history.take(rules.NextTurn())
    history.take(rules.TakeAction(2, "disengage"))
    preview = told(history)
    assert (preview.slot, preview.round, preview.new_round) == (None, 2, True)
    assert [effect.code for _, effect in preview.effects_end] == ["disengaged"]
    assert preview.reactions_return == ()


def test_there_is_nothing_to_tell_when_nobody_can_act_or_the_fight_is_not_on() -> None:
    history = started("1 foes A hp9")
    history.take(rules.Damage(1, 9))
    assert rules.preview(history.fight) is None
    assert rules.preview(fight_of("1 foes A hp9")) is None


def test_of_hit_points_that_nobody_knows_nothing_is_told() -> None:
    history = started("1 heroes Bran hp9", "1 foes Ghost")
    history.take(rules.SetReaction(2, False))
    assert [c.name for c in told(history).reactions_return] == ["Ghost"]
    assert (history.fight.combatant(2).hp, told(history).hit_points) == (None, ())
