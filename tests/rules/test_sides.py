"""Sides allied and parted, combatants who go over, and a fight's own settings. Source: RULES."""

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import acting, fight_of, opened, order_of, started, with_totals

WATCH = ("1 heroes Lia pp10", "1 foes Goblin pp9 stealth14", "1 guards Guard pp20")


def surprised(fight: rules.Fight) -> list[str]:
    return [c.name for c in fight.combatants if c.surprised]


# Allied sides


def test_different_sides_are_enemies_unless_the_gm_allies_them() -> None:
    fight = opened(*WATCH)
    assert surprised(fight) == [], "she notices the guard, an enemy"
    fight = rules.Ally("heroes", "guards", True).run(fight).fight
    assert surprised(fight) == ["Lia"], "an ally is no enemy"
    fight = rules.Ally("guards", "heroes", False).run(fight).fight
    assert surprised(fight) == []


def test_heroes_and_their_allies_fight_together_from_the_beginning() -> None:
    assert surprised(opened(*WATCH[:2], "1 allies Dain pp20")) == ["Lia"]


def test_an_ally_of_an_ally_is_not_an_ally_by_that() -> None:
    fight = fight_of("1 heroes A", "1 allies B", "1 guards C")
    fight = rules.Ally("allies", "guards", True).run(fight).fight
    a, b, c = fight.combatants
    assert (fight.enemies(a, b), fight.enemies(b, c), fight.enemies(a, c)) == (False, False, True)


def test_two_sides_are_needed_for_an_alliance() -> None:
    with pytest.raises(rules.RuleError, match="one-side-only"):
        rules.Ally("foes", "foes", True).run(fight_of("1 foes A"))


# Going over


def test_whoever_goes_over_leaves_its_group_and_keeps_its_total() -> None:
    fight = with_totals(opened("3 foes Orc dex+0 group=orc", "1 heroes Lia"), 12, 5)
    fight = rules.ChangeSide((2,), "heroes").run(fight).fight
    assert order_of(fight) == [([1, 3], 12), ([2], 12), ([4], 5)]
    assert fight.combatant(2).side == "heroes"
    fight = rules.ChangeSide((1, 3), "heroes").run(fight).fight
    assert order_of(fight) == [([1, 3], 12), ([2], 12), ([4], 5)]


def test_going_over_finds_surprise_anew_while_the_fight_is_opened() -> None:
    fight = opened(*WATCH)
    assert surprised(rules.ChangeSide((3,), "heroes").run(fight).fight) == ["Lia"]


def test_going_over_on_ones_turn_neither_costs_nor_doubles_it() -> None:
    history = started("2 foes Orc dex+0 hp9 group=orc", "1 heroes Lia hp9")
    history.take(rules.ChangeSide((1,), "heroes"))
    assert history.fight.current == 1
    assert acting(history, 3) == [(1, [3]), (2, [2]), (2, [1])]


# A fight's own settings


def test_a_fight_may_be_played_otherwise_than_its_campaign() -> None:
    fight = opened(*WATCH[:2], "1 foes Ogre pp9")
    assert surprised(fight) == []
    strict = rules.ChangeSettings({"surprise_reading": "misses_any_threat"}).run(fight)
    assert surprised(strict.fight) == ["Lia"]
    assert strict.fight.table == fight.table
    back = rules.ChangeSettings({"surprise_reading": None}).run(strict.fight).fight
    assert (surprised(back), dict(back.overrides)) == ([], {})


@pytest.mark.parametrize(
    "changes", [{"wings": True}, {"": None}, {"edition": "1974"}, {"tie_rule": "dexterity", "x": 1}]
)
def test_a_choice_that_does_not_exist_is_refused(changes: dict[str, str | bool | None]) -> None:
    with pytest.raises(rules.RuleError, match="no-such-choice"):
        rules.ChangeSettings(changes).run(fight_of("1 foes A"))


def test_a_setting_that_is_as_it_was_changes_nothing() -> None:
    fight = fight_of("1 foes A")
    assert rules.ChangeSettings({"edition": None}).run(fight) == rules.Outcome(fight)


# The rules for ties


def tied(rule: str, *joining: str) -> rules.Fight:
    fight = opened(*joining, tie_rule=rule)
    return with_totals(fight, *[15] * len(fight.slots))


def shown(fight: rules.Fight) -> tuple[list[str], bool]:
    """The order, and whether it is still asked for."""
    order = [fight.members(s.number)[0].name for s in fight.slots]
    return order, any(tie.open for tie in rules.ties(fight))


@pytest.mark.parametrize(
    ("rule", "joining", "order", "open_"),
    [
        ("ask", ("1 foes Gob score14", "1 heroes Bran score16"), ["Gob", "Bran"], True),
        ("dexterity", ("1 foes Gob score14", "1 heroes Bran score16"), ["Bran", "Gob"], False),
        ("dexterity", ("1 foes A score14", "1 foes B score16"), ["B", "A"], False),
        ("dexterity", ("1 heroes A score14", "1 heroes B score16"), ["B", "A"], False),
        ("dexterity", ("1 foes A score14", "1 heroes B score14"), ["A", "B"], True),
        ("dexterity", ("1 foes A", "1 heroes B score14"), ["A", "B"], True),
        (
            "dexterity",
            ("1 foes A score14", "1 heroes B score14", "1 foes C score16"),
            ["C", "A", "B"],
            True,
        ),
        ("heroes_first", ("1 foes A score20", "1 heroes B"), ["B", "A"], False),
        ("heroes_first", ("1 foes A", "1 foes B"), ["A", "B"], True),
        ("heroes_first", ("1 heroes A", "1 heroes B"), ["A", "B"], True),
        ("heroes_first", ("1 heroes A gm", "1 heroes B"), ["B", "A"], False),
        ("heroes_first", ("1 foes A", "1 heroes B", "1 heroes C"), ["B", "C", "A"], True),
        ("roll_off", ("1 foes A score10", "1 heroes B score18"), ["A", "B"], True),
    ],
)
def test_what_a_rule_for_ties_settles(
    rule: str, joining: tuple[str, ...], order: list[str], open_: bool
) -> None:
    assert shown(tied(rule, *joining)) == (order, open_)


def test_where_the_rule_leaves_heroes_equal_their_players_are_asked() -> None:
    fight = tied("heroes_first", "1 foes A", "1 heroes B", "1 heroes C")
    (tie,) = rules.ties(fight)
    assert (tie.kind, tie.asked) == ("players", (2, 3))


def test_a_tie_settled_stays_settled_when_something_unrelated_changes() -> None:
    fight = tied("dexterity", "1 foes A score14", "1 foes B score14", "1 heroes C score10")
    fight = rules.BreakTie((3, 2, 1)).run(fight).fight
    for command in (
        rules.Edit(1, {"dexterity": 20}),
        rules.SetOut(1, True),
        rules.RollInitiative(totals={1: 15}),
        rules.AddEffect(2, rules.Effect("prone")),
    ):
        fight = command.run(fight).fight
        assert shown(fight) == (["C", "B", "A"], False)


def test_a_newcomer_at_a_total_settled_by_hand_is_asked_about_alone() -> None:
    fight = tied("heroes_first", "1 foes A", "1 heroes B dex+0")
    fight = rules.BreakTie((1, 2)).run(fight).fight
    fight = rules.StartFight().run(fight).fight
    lia = rules.Combatant(number=0, name="Lia", side="heroes", is_hero=True, initiative_bonus=0)
    fight = rules.Join((lia,), (15,)).run(fight).fight
    assert shown(fight) == (["A", "B", "Lia"], True)


def test_a_newcomer_at_a_total_settled_by_the_rule_is_ranked_by_it() -> None:
    fight = rules.StartFight().run(tied("heroes_first", "1 foes A", "1 heroes B")).fight
    lia = rules.Combatant(number=0, name="Lia", side="heroes", is_hero=True, initiative_bonus=0)
    fight = rules.Join((lia,), (15,)).run(fight).fight
    assert shown(fight) == (["B", "Lia", "A"], True)


def test_players_choices_are_recorded_as_theirs() -> None:  # RW-S03
    fight = with_totals(
        opened("1 heroes Aria", "1 heroes Borin", "1 foes X", "1 foes Y"), 9, 9, 5, 5
    )
    fight = rules.BreakTie((2, 1)).run(rules.BreakTie((4, 3)).run(fight).fight).fight
    assert [slot.settled for slot in fight.slots] == ["by-players"] * 2 + ["by-hand"] * 2


def test_an_added_creature_a_name_and_a_new_round_leave_ties_as_they_are() -> None:  # RW-S02
    fight = with_totals(opened("1 foes A", "1 foes B", "1 foes C"), 12, 12, 12)
    history = History(rules.StartFight().run(rules.BreakTie((2, 1, 3)).run(fight).fight).fight)
    acting(history, 3)
    seven = rules.Combatant(number=0, name="D", side="foes", initiative_bonus=0)
    history.take(rules.Join((seven,), (7,)))
    history.take(rules.Edit(1, {"name": "Zed"}))
    assert [slot.number for slot in history.fight.slots] == [2, 1, 3, 4]
    assert not any(tie.open for tie in rules.ties(history.fight))
