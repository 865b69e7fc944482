"""What follows from a change of how somebody is, whatever has changed it.

Source: RULES of the table, "Hit points", "Conditions and durations"; SRD 5.1, "Conditions".
"""

from dataclasses import replace

import pytest

import rules
from rules import AddEffect, Due, Effect
from tests.rules.drawing import History
from tests.rules.making import started

LIA, OGRE = 1, 2


def table(**facts: object) -> History:
    history = started("1 heroes Lia hp20 speed30", "1 foes Ogre hp59")
    history.fight = history.fight.with_combatant(LIA, **facts)
    return history


def lia(history: History) -> rules.Combatant:
    return history.fight.combatant(LIA)


DYING = {"hp": 0, "death_successes": 1, "death_failures": 2, "dues": (Due("death"),)}


@pytest.mark.parametrize(
    "command",
    [
        rules.Edit(LIA, {"hp": 3}),
        rules.Edit(LIA, {"hp": None}),
        AddEffect(LIA, Effect("exhaustion", 6)),
        rules.ChangeMaximum(LIA, -20),
        rules.Revive(LIA),
    ],
)
def test_death_saves_are_counted_of_the_dying_alone(command: rules.Command) -> None:
    facts = DYING | {"death_successes": 0, "death_failures": 0, "dead": True, "dues": ()}
    history = table(**(facts if isinstance(command, rules.Revive) else DYING))
    history.take(command)
    now = lia(history)
    assert (now.death_successes, now.death_failures, now.dues) == (0, 0, ())
    assert not now.dying


def test_a_villain_who_rolls_no_death_saves_any_more_is_defeated() -> None:
    history = table()
    villain = DYING | {"death_saves": True}
    history.fight = history.fight.with_combatant(OGRE, **villain)
    history.take(rules.Edit(OGRE, {"death_saves": False}))
    ogre = history.fight.combatant(OGRE)
    assert ogre.defeated
    assert (ogre.death_successes, ogre.death_failures, ogre.dues) == (0, 0, ())


@pytest.mark.parametrize("hp", [20, 0])
def test_a_maximum_of_0_kills_and_nobody_is_revived_with_it(hp: int) -> None:
    history = table(hp=hp)
    outcome = history.take(rules.ChangeMaximum(LIA, -20))
    assert [event.code for event in outcome.events] == ["maximum-changed", "died"]
    assert lia(history).dead
    with pytest.raises(rules.RuleError, match="hp-above-maximum"):
        history.take(rules.Revive(LIA))


def test_one_revived_from_exhaustion_has_the_whole_maximum() -> None:
    history = table()
    history.take(AddEffect(LIA, Effect("exhaustion", 6)))
    assert (lia(history).dead, lia(history).max_hp) == (True, 10)
    history.take(rules.Revive(LIA, 15))
    assert (lia(history).dead, lia(history).hp, lia(history).max_hp) == (False, 15, 20)


@pytest.mark.parametrize(
    ("command", "maximum", "rested"),
    [
        (rules.Edit(LIA, {"max_hp": 30, "hp": 10}), 15, 30),
        (rules.Edit(LIA, {"max_hp": 30, "hp": 25}), 15, 30),
        (rules.Edit(LIA, {"max_hp": 10, "hp": 10}), 10, 20),
        (rules.ChangeMaximum(LIA, 5), 12, 25),
        (rules.ChangeMaximum(LIA, -12), 4, 8),
        (rules.ChangeMaximum(LIA, -19), 1, 1),
        (AddEffect(LIA, Effect("exhaustion", 5)), 10, 20),
        (AddEffect(LIA, Effect("exhaustion", 3)), 20, 20),
    ],
)
def test_exhaustion_halves_the_maximum_that_there_would_be(
    command: rules.Command, maximum: int, rested: int
) -> None:
    history = table()
    history.take(AddEffect(LIA, Effect("exhaustion", 4)))
    history.take(command)
    assert (lia(history).max_hp, lia(history).dead) == (maximum, False)
    history.take(rules.RemoveEffect(LIA, "exhaustion"))
    assert lia(history).max_hp == rested


def test_hit_points_rise_by_what_exhaustion_leaves_of_a_raised_maximum() -> None:
    history = table(hp=8)
    history.take(AddEffect(LIA, Effect("exhaustion", 4)))
    history.take(rules.ChangeMaximum(LIA, 10))
    assert (lia(history).hp, lia(history).max_hp) == (13, 15)


def test_exhaustion_leaves_the_maximum_alone_in_2024() -> None:
    history = table()
    history.take(AddEffect(LIA, Effect("exhaustion", 4)))
    before = history.fight
    history.take(rules.ChangeSettings({"edition": "2024"}))
    assert (lia(history).hp, lia(history).max_hp) == (10, 20)
    history.take(rules.ChangeSettings({"edition": "2014"}))
    assert history.fight.combatants == before.combatants


def test_a_maximum_of_1_is_not_halved() -> None:
    history = table(hp=1, max_hp=1)
    history.take(AddEffect(LIA, Effect("exhaustion", 4)))
    assert (lia(history).hp, lia(history).max_hp, lia(history).dead) == (1, 1, False)


def test_a_maximum_told_of_the_exhausted_is_halved() -> None:
    history = table(hp=None, max_hp=None)
    history.take(AddEffect(LIA, Effect("exhaustion", 4)))
    history.take(rules.Edit(LIA, {"hp": 20, "max_hp": 20}))
    assert (lia(history).hp, lia(history).max_hp) == (10, 10)


def test_hit_points_told_of_one_who_had_none_known_mean_that_it_lives() -> None:
    history = table(hp=None, max_hp=None)
    history.take(AddEffect(LIA, Effect("exhaustion", 6)))
    assert lia(history).dead
    history.take(rules.Edit(LIA, {"hp": 5, "max_hp": 20}))
    assert not lia(history).dead


def test_one_knocked_out_while_unconscious_is_so_once() -> None:
    history = started("1 heroes Lia hp20", "1 foes Ogre hp59 unconscious", edition="2024")
    history.take(rules.Damage(OGRE, 99, knock_out=True))
    codes = [effect.code for effect in history.fight.combatant(OGRE).effects]
    assert codes == ["unconscious", "prone"]


@pytest.mark.parametrize("secret", [True, False])
def test_whoever_is_secretly_unconscious_lies_there_secretly(secret: bool) -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("unconscious", secret=secret)))
    on_it = {effect.code: effect.secret for effect in history.fight.combatant(OGRE).effects}
    assert on_it == {"unconscious": secret, "prone": secret}


@pytest.mark.parametrize("secret", [True, False])
def test_a_concentration_that_a_secret_effect_begins_is_secret(secret: bool) -> None:
    history = table()
    history.take(AddEffect(LIA, Effect("charmed", source=OGRE, hangs=True, secret=secret)))
    assert [e.secret for e in history.fight.combatant(OGRE).effects] == [secret]


def test_the_incapacitated_grapple_nobody() -> None:
    history = table()
    history.take(AddEffect(OGRE, Effect("stunned")))
    outcome = history.take(AddEffect(LIA, Effect("grappled", source=OGRE)))
    assert [event.code for event in outcome.events] == ["effect-added", "effect-ended"]
    assert lia(history).effects == ()


def test_a_turn_taken_back_brings_no_grapple_of_one_stunned_since() -> None:
    history = started("1 heroes Lia hp20", "1 foes Ogre hp59", "1 foes Orc hp15")
    history.take(AddEffect(LIA, Effect("grappled", source=3, ends="start", whose=OGRE)))
    history.take(rules.NextTurn())
    assert lia(history).effects == ()
    history.take(AddEffect(3, Effect("stunned")))
    history.take(history.previous())
    assert lia(history).effects == ()


def test_taking_away_one_of_two_sources_is_told_and_its_duration_is_not() -> None:
    history = table()
    for source in (LIA, OGRE):
        history.take(AddEffect(LIA, Effect("poisoned", source=source)))
    (event,) = history.take(rules.RemoveEffect(LIA, "poisoned", source=OGRE)).events
    assert (event.code, event.details["source"][0]["name"]) == ("effect-ended", "Ogre")
    history.take(AddEffect(LIA, Effect("poisoned", source=OGRE, ends="end", whose=OGRE)))
    history.take(rules.NextTurn())
    events = history.take(rules.NextTurn()).events
    assert [e.source for e in lia(history).effects] == [LIA]
    assert "effect-ended" not in [event.code for event in events]
    (event,) = history.take(rules.RemoveEffect(LIA, "poisoned")).events
    assert "source" not in event.details


def test_own_words_taken_away_together_are_each_told() -> None:
    history = table()
    for text in ("marked", "cursed"):
        history.take(AddEffect(LIA, Effect("own", text=text)))
    events = history.take(rules.RemoveEffect(LIA, "own")).events
    assert [event.details["text"] for event in events] == ["marked", "cursed"]


@pytest.mark.parametrize("command", [AddEffect(LIA, Effect("stunned")), rules.Damage(LIA, 20)])
def test_the_incapacitated_hold_nothing_ready(command: rules.Command) -> None:
    history = table()
    history.take(rules.TakeAction(LIA, "ready", text="a blow"))
    outcome = history.take(command)
    assert outcome.events[-1].code == "readied-lost"
    assert not lia(history).has("readied")


def test_who_stands_up_saves_no_more_against_lying_there() -> None:
    due = Due("save", 12, "str", "prone")
    history = table(effects=(Effect("prone", save="str", dc=12),), dues=(due,))
    history.take(rules.StandUp(LIA))
    assert (lia(history).effects, lia(history).dues) == ((), ())


BURNING = Effect("own", text="burning", each="20")
WEB = Effect("restrained", source=LIA, hangs=True, save="str", dc=12, save_at="start")


@pytest.mark.parametrize(
    "effects", [(BURNING, WEB), (BURNING, replace(WEB, each="3")), (replace(WEB, each="20"),)]
)
def test_an_effect_that_ended_with_hit_points_lost_does_and_asks_nothing(
    effects: tuple[Effect, ...],
) -> None:
    history = table(effects=(Effect("concentration"), *effects))
    for _ in range(2):
        history.take(rules.NextTurn())
    assert lia(history).dying
    assert lia(history).death_failures == 0
    assert [due.kind for due in lia(history).dues] == ["death"]


def test_a_further_save_of_the_same_kind_is_foreseen_and_taken_back_alone() -> None:
    effects = (Effect("concentration"), Effect("own", text="burning", each="3"))
    due = Due("concentration", 10, "con", "concentration")
    history = table(effects=effects, dues=(due, due))
    history.take(rules.NextTurn())
    preview = rules.preview(history.fight)
    assert preview is not None
    assert [one for _, one in preview.asked] == [due]
    history.take(rules.NextTurn())
    assert lia(history).dues == (due, due, due)
    history.take(history.previous())
    assert lia(history).dues == (due, due)


def test_the_dead_get_nothing_back_with_a_turn_that_is_taken_back() -> None:
    history = table(effects=(Effect("own", text="burning", each="3"),))
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    history.take(rules.Damage(LIA, 99))
    assert lia(history).dead
    history.take(history.previous())
    assert (lia(history).dead, lia(history).hp) == (True, 0)


def test_one_healed_by_hand_since_has_no_more_than_the_maximum_that_is_back() -> None:
    weak = Effect("exhaustion", 4, ends="start", took=10)
    history = table(max_hp=10, hp=10, effects=(weak,))
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    assert lia(history).max_hp == 20
    history.take(rules.Heal(LIA, 8))
    history.take(history.previous())
    assert (lia(history).hp, lia(history).max_hp) == (10, 10)


def test_a_mount_has_its_riders_total_when_a_round_is_taken_back() -> None:
    history = started(
        "2 foes Rider group=rider hp9 dex+0", "1 foes Wolf hp9 dex+0", "1 heroes Lia hp9 dex+0",
        side_initiative=True, reroll_each_round=True,
    )  # fmt: skip
    history.take(rules.RollInitiative(sides={"foes": (9,), "heroes": (3,)}))
    history.take(rules.Mount(3, 1))
    last = history.fight.slots[-1].number
    while history.fight.current != last:
        history.take(rules.NextTurn())
    history.take(rules.NextTurn(sides={"foes": (12,), "heroes": (2,)}))
    history.take(rules.Split((1,)))
    history.take(history.previous())
    totals = {slot.number: slot.total for slot in history.fight.slots}
    rider, mount = history.fight.combatant(1).slot, history.fight.combatant(3).slot
    assert rider is not None
    assert mount is not None
    assert totals[rider] == totals[mount]
