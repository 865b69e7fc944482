"""What each condition says, clause by clause.

Source: DRS, "Gérer la santé" / "États"; SRD 5.1 and 5.2, "Conditions", "Turn Undead", "Dodge".
"""

from dataclasses import replace

import pytest

import rules
from rules import AddEffect, Effect
from rules.conditions import TABLE
from tests.rules.drawing import History
from tests.rules.making import started

LIA, OGRE = 1, 2

# what the bearer's state is: o it can act, O it can react, m it can move, S its saves of strength
# fail; then how it attacks and how it is attacked, from near and from afar: + well, - badly, = as
# ever; ! a hit from near is critical
CLAUSES = {
    "blinded": ("o O m . - + + .", "o O m . - + + ."),
    "charmed": ("o O m . = = = .", "o O m . = = = ."),
    "deafened": ("o O m . = = = .", "o O m . = = = ."),
    "frightened": ("o O m . - = = .", "o O m . - = = ."),
    "grappled": ("o O . . = = = .", "o O . . = = = ."),
    "incapacitated": (". . m . = = = .", ". . m . = = = ."),
    "invisible": ("o O m . + - - .", "o O m . + - - ."),
    "paralyzed": (". . . S = + + !", ". . . S = + + !"),
    "petrified": (". . . S = + + .", ". . . S = + + ."),
    "poisoned": ("o O m . - = = .", "o O m . - = = ."),
    "prone": ("o O m . - + - .", "o O m . - + - ."),
    "restrained": ("o O . . - + + .", "o O . . - + + ."),
    "stunned": (". . . S = + + .", ". . m S = + + ."),
    "unconscious": (". . . S - + = !", ". . . S - + = !"),  # and prone
    "turned": ("o . m . = = = .", ". . m . - = = ."),
}  # 2014, 2024


def table(code: str, edition: str = "2014", **facts: object) -> History:
    """Lia's turn; this is on her, from the ogre."""
    history = started("1 heroes Lia hp20 speed30", "1 foes Ogre hp59 ac11", edition=edition)
    history.take(AddEffect(LIA, Effect(code, **({"source": OGRE} | facts))))  # type: ignore[arg-type]
    return history


def lia(history: History) -> rules.Combatant:
    return history.fight.combatant(LIA)


def said(history: History) -> str:
    """The clauses of a table's line."""
    fight, who, ogre = history.fight, lia(history), history.fight.combatant(OGRE)
    signs = {"advantage": "+", "disadvantage": "-", "plain": "="}
    settings = fight.settings
    left = rules.means(who, fight)
    return " ".join((
        "o" if left.action and left.bonus and not who.incapacitated else ".",
        "O" if left.reaction else ".",
        "m" if left.speed else ".",
        "S" if rules.save_roll(who, "str", settings)[1] == "fails" else ".",
        signs[rules.attack_mode(who, ogre, settings, melee=True)],
        signs[rules.attack_mode(ogre, who, settings, melee=True)],
        signs[rules.attack_mode(ogre, who, settings, melee=False)],
        "!" if rules.certain_critical(who, melee=True) else ".",
    ))  # fmt: skip


@pytest.mark.parametrize("edition", ["2014", "2024"])
@pytest.mark.parametrize("code", CLAUSES)
def test_a_condition_does_what_it_says(code: str, edition: str) -> None:
    assert said(table(code, edition)) == CLAUSES[code][edition == "2024"]


def test_every_condition_stands_in_the_table_once_an_edition() -> None:
    for edition in ("2014", "2024"):
        named = [c.name for c in TABLE if c.edition in ("", edition)]
        assert sorted(named) == sorted({*rules.CONDITIONS, "turned", "dodging"})


@pytest.mark.parametrize(("code", "fate"), [("petrified", "is-immune"), ("stunned", "")])
def test_stone_cannot_be_poisoned(code: str, fate: str) -> None:
    history = table(code)
    if fate:
        with pytest.raises(rules.RuleError, match=fate):
            history.take(AddEffect(LIA, Effect("poisoned")))
        history.take(AddEffect(LIA, Effect("poisoned"), anyway=True))
    else:
        history.take(AddEffect(LIA, Effect("poisoned")))
    assert lia(history).has("poisoned")


@pytest.mark.parametrize(("edition", "modes"), [
    ("2014", ["plain", "plain"]), ("2024", ["plain", "disadvantage"]),
])  # fmt: skip
def test_the_grappled_attack_others_than_their_grappler_badly_in_2024(
    edition: str, modes: list[str]
) -> None:
    history = table("grappled", edition)
    history.take(rules.Join((rules.Combatant(0, "Wolf", "foes", hp=5, max_hp=5),)))
    fight = history.fight
    found = [
        rules.attack_mode(lia(history), fight.combatant(n), fight.settings, melee=True)
        for n in (OGRE, 3)
    ]
    assert found == modes


# Turned


def test_the_turned_of_2014_only_flee_dodge_or_escape() -> None:
    history = table("turned")
    for action in ("attack", "cast-a-spell", "ready", "help"):
        with pytest.raises(rules.RuleError, match="is-turned"):
            history.take(rules.TakeAction(LIA, action))
    sword = rules.Attack(LIA, "Sword", 5, (15,), "plain", ((3, "slashing"),), target=OGRE)
    with pytest.raises(rules.RuleError, match="is-turned"):
        history.take(sword)
    with pytest.raises(rules.RuleError, match="cannot-react"):
        history.take(rules.SetReaction(LIA, False))
    history.take(rules.TakeAction(LIA, "dash"))
    history.take(rules.SetSpent(LIA, "action", False))
    history.take(rules.TakeAction(LIA, "dodge"))
    history.take(rules.SetSpent(LIA, "action", False))
    history.take(rules.SetSpent(LIA, "action", True))  # to get free of a grapple


def test_the_turned_of_2024_are_frightened_and_incapacitated_for_as_long() -> None:
    history = table("turned", "2024", ends="start", turns=2, secret=True)
    assert [(e.code, e.source, e.turns, e.secret) for e in lia(history).effects] == [
        ("turned", OGRE, 2, True), ("frightened", OGRE, 2, True), ("incapacitated", OGRE, 2, True),
    ]  # fmt: skip
    for _ in range(4):
        history.take(rules.NextTurn())
    assert lia(history).effects == ()


def test_one_who_cannot_be_frightened_is_turned_all_the_same() -> None:
    history = started("1 foes Ghoul hp22", "1 heroes Lia hp20", edition="2024")
    immune = (rules.Defence("immunity", "frightened"),)
    history.fight = history.fight.with_combatant(1, defences=immune)
    history.take(AddEffect(1, Effect("turned", source=OGRE)))
    assert [e.code for e in history.fight.combatant(1).effects] == ["turned", "incapacitated"]


@pytest.mark.parametrize("edition", ["2014", "2024"])
@pytest.mark.parametrize(
    "end",
    [
        rules.Damage(LIA, 1),
        rules.RemoveEffect(LIA, "turned"),
        rules.Settle(LIA, rules.Due("save", 12, "wis", "turned", source=OGRE), made=True),
    ],
)
def test_whatever_ends_turned_ends_all_of_it(end: rules.Command, edition: str) -> None:
    history = table("turned", edition, save="wis", dc=12)
    due = rules.Due("save", 12, "wis", "turned", source=OGRE)
    history.fight = history.fight.with_combatant(LIA, dues=(due,))
    outcome = history.take(end)
    assert (lia(history).effects, lia(history).dues) == ((), ())
    ended = [e.details["effect"] for e in outcome.events if e.code == "effect-ended"]
    brought = ["frightened", "incapacitated"] if edition == "2024" else []
    assert ended == ["turned", *brought]


@pytest.mark.parametrize(("edition", "stays"), [("2014", True), ("2024", False)])
@pytest.mark.parametrize("fate", [AddEffect(OGRE, Effect("stunned")), rules.Damage(OGRE, 59)])
def test_turned_ends_in_2024_when_the_cleric_is_incapacitated_or_dies(
    edition: str, fate: rules.Command, stays: bool
) -> None:
    history = table("turned", edition)
    history.take(fate)
    assert bool(lia(history).effects) == stays


# Whoever hangs on another


@pytest.mark.parametrize(
    "way",
    [
        rules.Leave((OGRE,)),
        rules.SetOut(OGRE, True),
        rules.Edit(OGRE, {"arrives": 5}),
        rules.Edit(OGRE, {"hp": 0}),
        rules.SetHitPoints(OGRE, 0),
        rules.ChangeMaximum(OGRE, -59),
        rules.Damage(OGRE, 59),
        rules.Damage(OGRE, 59, knock_out=True),
        *(
            AddEffect(OGRE, Effect(code))
            for code in ("incapacitated", "paralyzed", "petrified", "stunned", "unconscious")
        ),
        AddEffect(OGRE, Effect("exhaustion", 6)),
    ],
    ids=str,
)
@pytest.mark.parametrize("edition", ["2014", "2024"])
def test_a_grapple_ends_whenever_the_grappler_goes(way: rules.Command, edition: str) -> None:
    history = table("grappled", edition)
    assert rules.means(lia(history), history.fight).speed == 0
    outcome = history.take(way)
    assert lia(history).effects == ()
    assert rules.means(lia(history), history.fight).speed == 30
    assert [e.code for e in outcome.events].count("effect-ended") == 1


def test_one_who_leaves_with_its_grappler_is_not_told_to_be_free() -> None:
    outcome = rules.Leave((LIA, OGRE)).run(table("grappled").fight)
    assert [event.code for event in outcome.events] == ["left"]


def test_what_a_condition_brings_lasts_as_long_and_asks_for_no_save_of_its_own() -> None:
    turned = Effect("turned", source=OGRE, turns=10, ends="start", save="wis", dc=15)
    history = table("turned", "2024", turns=10, ends="start", save="wis", dc=15)
    alone = replace(turned, save="", dc=0)
    brought = [replace(alone, code=code) for code in ("frightened", "incapacitated")]
    assert [e for e in lia(history).effects if e.code != "turned"] == brought
