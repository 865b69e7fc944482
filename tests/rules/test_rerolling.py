"""New dice at the start of every round, where the table plays so. Source: RULES."""

import rules
from tests.rules.drawing import History
from tests.rules.making import started


def totals_of(fight: rules.Fight) -> list[tuple[str, int | None]]:
    return [(fight.members(s.number)[0].name, s.total) for s in fight.slots]


def rerolling(*joining: str, **settings: str | bool) -> History:
    return started(*joining, reroll_each_round=True, hero_rolls="rolled", **settings)


def test_the_order_is_rolled_anew_with_every_round() -> None:
    history = rerolling("1 heroes A dex+1", "1 foes B dex+0", "1 foes C dex+0")
    assert rules.rolls_anew(history.fight) == ()
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    before = history.fight
    assert rules.rolls_anew(before) == (1, 2, 3)
    told = rules.preview(before)
    assert told is not None
    assert (told.slot, told.round, told.new_round) == (None, 2, True)
    history.take(rules.NextTurn({1: 4, 2: 15, 3: 9}))
    assert totals_of(history.fight) == [("B", 15), ("C", 9), ("A", 5)]
    assert (history.fight.current, history.fight.round) == (2, 2)
    history.take(history.previous())
    assert (history.fight.slots, history.fight.current) == (before.slots, 3)


def test_heroes_whose_players_roll_keep_their_totals_until_they_call_new_ones() -> None:
    history = started("1 heroes A dex+1", "1 foes B dex+0", reroll_each_round=True)
    history.take(rules.NextTurn())
    assert rules.rolls_anew(history.fight) == (2,)


def test_a_member_poisoned_since_takes_a_place_of_its_own_and_previous_turn_takes_it_back() -> None:
    history = rerolling("2 foes Goblin dex+2 group=gob", "1 heroes A dex+0")
    history.take(rules.NextTurn())
    history.take(rules.AddEffect(2, rules.Effect("poisoned")))
    before = history.fight
    history.take(rules.NextTurn({1: (15, 6), 3: 12}))
    assert totals_of(history.fight) == [("Goblin", 17), ("A", 12), ("Goblin", 8)]
    history.take(history.previous())
    assert history.fight.slots == before.slots
    assert [c.slot for c in history.fight.combatants] == [1, 1, 3]


def test_the_poisoned_rejoin_their_group_with_a_new_rounds_dice_and_previous_turn_parts_them() -> (
    None
):
    history = rerolling("2 foes Goblin dex+2 group=gob", "1 heroes A dex+0")
    history.take(rules.NextTurn())
    history.take(rules.AddEffect(2, rules.Effect("poisoned")))
    history.take(rules.NextTurn({1: (15, 6), 3: 12}))
    history.take(rules.RemoveEffect(2, "poisoned"))
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    before = history.fight
    anew = rules.rolls_anew(before)
    assert len(anew) == 3
    history.take(rules.NextTurn(dict.fromkeys(anew, 11)))
    assert totals_of(history.fight) == [("Goblin", 13), ("A", 11)]
    assert (history.fight.current, history.fight.seen_slot) == (1, 1)
    history.take(history.previous())
    assert history.fight.slots == before.slots
    assert history.fight.combatants == before.combatants
    assert (history.fight.current, history.fight.seen_slot) == (before.current, before.seen_slot)


def test_where_every_round_is_rolled_anew_the_new_ties_are_rolled_off_before_anybody_acts() -> None:
    history = started("1 heroes Lia dex+0", "1 foes Orc dex+0", reroll_each_round=True)
    history.take(rules.NextTurn())
    rolled = rules.NextTurn({1: 12, 2: 12}, roll_offs={12: {1: (3,), 2: (17,)}})
    fight = history.take(rolled).fight
    assert (fight.round, fight.current) == (2, 2)
    assert [(slot.total, slot.settled) for slot in fight.slots] == [(12, "by-dice")] * 2
    back = history.take(history.previous()).fight
    assert (back.round, [slot.total for slot in back.slots]) == (1, [49, 48])


def test_a_place_does_not_roll_whose_first_comes_with_the_round_and_has_no_modifier() -> None:
    history = rerolling("1 foes B hp9 arrives2", "1 foes A hp9 dex+0", "1 heroes C hp9 dex+0")
    history.take(rules.Merge((1, 2)))
    history.take(rules.NextTurn())
    assert history.fight.current == 3
    anew = rules.rolls_anew(history.fight)
    assert anew == (3,)
    dice = rules.initiative_dice(rules.until_the_dice(history.fight), anew, lambda: 4)
    history.take(rules.NextTurn(dice))
    assert history.fight.round == 2
