"""Concentration: when a save is asked for, what ends it, and all that ends with it.

Source: DRS, "Lancer des sorts" / "Concentration"; SRD 5.1 and 5.2, "Concentration".
"""

import pytest

import rules
from rules import AddEffect, Damage, Due, Effect
from tests.rules.drawing import History
from tests.rules.making import started

CLEO, ALLIES, OGRE = 1, (2, 3, 4), 5
BLESS = Effect("concentration", text="bless")
BLESSED = Effect("own", text="blessed", source=CLEO, hangs=True)


def table(temporary: int = 0, edition: str = "2014", **facts: object) -> History:
    """Cleo, whose turn it is, holds a blessing on three allies."""
    joining = ("1 heroes Cleo hp90", "3 heroes Guard hp20 gm group=guard", "1 foes Ogre hp59")
    history = started(*joining, edition=edition)
    history.fight = history.fight.with_combatant(CLEO, temp_hp=temporary, **facts)
    cast = (AddEffect(ally, BLESSED) for ally in ALLIES)
    history.take(rules.Together((AddEffect(CLEO, BLESS), *cast)))
    return history


def cleo(history: History) -> rules.Combatant:
    return history.fight.combatant(CLEO)


def asked(history: History) -> list[int]:
    assert all(due.kind == "concentration" for due in cleo(history).dues)
    return [due.dc for due in cleo(history).dues]


def blessed(history: History) -> list[int]:
    return [c.number for c in history.fight.combatants if c.has("own")]


@pytest.mark.parametrize(
    ("edition", "amount", "dcs"),
    [
        ("2014", 0, []),
        ("2014", 1, [10]),
        ("2014", 21, [10]),
        ("2014", 22, [11]),
        ("2014", 23, [11]),
        ("2014", 62, [31]),
        ("2024", 60, [30]),
        ("2024", 62, [30]),
    ],
)
def test_the_dc_is_half_the_damage_and_at_least_10(
    edition: str, amount: int, dcs: list[int]
) -> None:
    history = table(edition=edition)
    history.take(Damage(CLEO, amount))
    assert asked(history) == dcs


def test_a_buffer_saves_hit_points_and_no_concentration() -> None:  # RW-S21
    history = table(temporary=30)
    for amount in (30, 22, 21, 4, 4, 4):
        history.take(Damage(CLEO, amount))
    assert asked(history) == [15, 11, 10, 10, 10, 10]
    assert cleo(history).hp == 90 - 22 - 21 - 12


def test_the_save_is_about_the_damage_after_resistance_and_before_temporary_hit_points() -> None:
    history = table(temporary=20, defences=(rules.Defence("resistance", "fire"),))
    history.take(Damage(CLEO, 40, type="fire"))
    assert asked(history) == [10]
    assert (cleo(history).hp, cleo(history).temp_hp) == (90, 0)


def test_damage_of_several_types_is_one_source() -> None:
    history = table()
    history.take(Damage(CLEO, 14, type="fire", more=((10, "cold"),)))
    assert asked(history) == [12]


def test_damage_that_an_immunity_cancels_asks_for_nothing() -> None:
    history = table(defences=(rules.Defence("immunity", "poison"),))
    history.take(Damage(CLEO, 40, type="poison"))
    assert asked(history) == []


def test_nobody_else_is_asked() -> None:
    history = table()
    history.take(Damage(2, 4))
    assert history.fight.combatant(2).dues == ()


@pytest.mark.parametrize(("made", "held"), [(True, list(ALLIES)), (False, [])])
def test_a_failed_save_ends_the_spell_everywhere(made: bool, held: list[int]) -> None:  # RW-S21
    history = table()
    for _ in range(2):
        history.take(Damage(CLEO, 4))
    due = Due("concentration", 10, "con", "concentration")
    before = history.fight
    history.take(rules.Settle(CLEO, due, made))
    assert blessed(history) == held
    assert asked(history) == ([10] if made else [])
    history.undo()
    assert history.fight.combatants == before.combatants


@pytest.mark.parametrize(
    "command",
    [
        Damage(CLEO, 90),
        Damage(CLEO, 999),
        AddEffect(CLEO, Effect("stunned")),
        AddEffect(CLEO, Effect("exhaustion", 6)),
        rules.SetHitPoints(CLEO, 0),
        rules.Edit(CLEO, {"hp": 0}),
        rules.RemoveEffect(CLEO, "concentration"),
        AddEffect(CLEO, Effect("concentration", text="web")),
        rules.TakeAction(CLEO, "ready", text="a bolt", spell=True),
        rules.Leave((CLEO,)),
    ],
)
def test_the_spell_ends_in_one_step_and_one_undo_brings_all_back(
    command: rules.Command,
) -> None:  # RW-S21
    history = table()
    before = history.fight
    history.take(command)
    assert blessed(history) == []
    for who in history.fight.combatants:
        assert not any(due.kind == "concentration" for due in who.dues)
        assert not any(e.text == "bless" for e in who.effects)
    history.undo()
    assert history.fight.combatants == before.combatants


def test_what_follows_the_end_of_a_spell_is_told() -> None:
    outcome = table().take(Damage(CLEO, 90))
    ended = [e.details["effect"] for e in outcome.events if e.code == "effect-ended"]
    assert ended == ["concentration", "own", "own", "own"]


@pytest.mark.parametrize("code", ["prone", "restrained", "poisoned", "grappled"])
def test_other_conditions_leave_it(code: str) -> None:
    history = table()
    history.take(AddEffect(CLEO, Effect(code)))
    assert blessed(history) == list(ALLIES)


def test_an_effect_that_hangs_begins_the_concentration_of_its_source() -> None:
    history = started("1 heroes Cleo hp90", "1 heroes Lia hp20")
    history.take(AddEffect(2, BLESSED))
    assert cleo(history).has("concentration")
    history.take(rules.RemoveEffect(CLEO, "concentration"))
    assert not history.fight.combatant(2).effects


def test_nothing_hangs_on_one_who_cannot_concentrate() -> None:
    history = started("1 heroes Cleo hp90 stunned", "1 heroes Lia hp20")
    history.take(AddEffect(2, BLESSED))
    assert not cleo(history).has("concentration")
    assert not history.fight.combatant(2).effects


def test_the_incapacitated_begin_none() -> None:
    history = started("1 heroes Cleo hp90 stunned")
    history.take(AddEffect(CLEO, BLESS))
    assert not cleo(history).has("concentration")


def test_the_spell_of_one_ally_taken_away_stays_on_the_others() -> None:
    history = table()
    history.take(rules.RemoveEffect(3, "own", "blessed"))
    assert blessed(history) == [2, 4]
    assert cleo(history).has("concentration")


def test_a_turn_taken_back_hangs_nothing_on_a_spell_that_is_over() -> None:
    history = table()
    history.take(AddEffect(2, Effect("own", text="marked", source=CLEO, hangs=True, ends="start")))
    history.take(rules.NextTurn())
    assert [e.text for e in history.fight.combatant(2).effects] == ["blessed"]
    history.take(rules.RemoveEffect(CLEO, "concentration"))
    history.take(history.previous())
    assert history.fight.combatant(2).effects == ()


def test_a_turn_taken_back_brings_no_second_concentration() -> None:
    history = table()
    history.take(rules.RemoveEffect(CLEO, "concentration"))
    history.take(AddEffect(CLEO, Effect("concentration", text="bless", ends="end", whose=OGRE)))
    history.take(AddEffect(2, BLESSED))
    history.take(rules.GiveTurn(OGRE))
    history.take(rules.NextTurn())
    assert cleo(history).effects == ()
    history.take(AddEffect(CLEO, Effect("concentration", text="web")))
    history.take(history.previous())
    assert [e.text for e in cleo(history).effects] == ["web"]
    assert blessed(history) == []


def test_a_concentration_that_a_spell_begins_is_over_with_its_minute() -> None:
    history = table()
    history.take(rules.RemoveEffect(CLEO, "concentration"))
    web = Effect("restrained", source=CLEO, hangs=True)
    history.take(AddEffect(OGRE, web, rounds=10))
    assert cleo(history).has("concentration")
    while history.fight.round < 11:
        history.take(rules.NextTurn())
    assert not history.fight.combatant(OGRE).has("restrained")
    assert not cleo(history).has("concentration")


@pytest.mark.parametrize(
    "command",
    [
        rules.RemoveEffect(CLEO, "readied"),
        rules.TakeAction(CLEO, "ready", cost="none", text="a blow"),
        rules.SetReaction(CLEO, False),
        rules.ReleaseReadied(CLEO),
    ],
)
def test_a_spell_held_ready_no_more_is_not_concentrated_on(command: rules.Command) -> None:
    history = table()
    history.take(rules.TakeAction(CLEO, "ready", text="a bolt", spell=True))
    history.take(command)
    assert not cleo(history).has("concentration")
    assert not any(effect.hangs for effect in cleo(history).effects)


def test_a_concentration_saved_against_takes_along_what_hung_on_it() -> None:
    history = table()
    history.take(rules.RemoveEffect(CLEO, "concentration"))
    history.take(AddEffect(CLEO, Effect("concentration", save="wis", dc=12)))
    history.take(AddEffect(2, BLESSED))
    history.take(Damage(CLEO, 4))
    history.take(rules.GiveTurn(OGRE))
    history.take(rules.GiveTurn(CLEO))
    history.take(rules.NextTurn())
    save = next(due for due in cleo(history).dues if due.kind == "save")
    outcome = history.take(rules.Settle(CLEO, save, True))
    assert [e.code for e in outcome.events] == ["save-made", "effect-ended", "effect-ended"]
    assert (cleo(history).effects, cleo(history).dues, blessed(history)) == ((), (), [])
