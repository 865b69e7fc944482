"""What happens to those in sight while somebody hidden acts is no news until the next turn."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import example, given

import rules
from encounters.models import Encounter, PlayerLink
from tests.encounters.facts_told import Leak
from tests.encounters.playing import examples, redo, take, undo
from tests.encounters.test_secrecy import board_of, fought, unnoticed
from tests.encounters.unseen_turns import ARIA, BRAN, Script, compare_played, scripts
from tests.factories import creature, hero

pytestmark = pytest.mark.django_db


POISONED = rules.Effect("poisoned", ends="end", turns=2)
PARTED = Script(  # by a new round's dice, from one who comes with that round
    hp=(20,) * 4, effects=((3, POISONED), (4, POISONED)), turns=((),) * 6, hidden=(18, 30),
    anew=True, second=False,
)  # fmt: skip


# RW-S23: whether somebody hidden acts or not, players get the same
@examples(12)
@example(script=PARTED)
@given(script=scripts())
def test_whether_somebody_hidden_acts_between_turns_players_get_the_same(script: Script) -> None:
    compare_played(script)


def told_at_once(*names: str) -> Leak:
    """A leak that shows what a step has changed of these, though it began an unseen turn."""
    honest = rules.as_before

    def leaky(fight: rules.Fight, changes: Mapping[str, Any]) -> rules.Fight:
        each = changes.get("combatants", {})
        kept = {n: {k: v for k, v in c.items() if k not in names} for n, c in each.items()}
        rest = {name: value for name, value in changes.items() if name not in names}
        return honest(fight, {**rest, "combatants": kept})

    return lambda patch: patch.setattr(rules, "as_before", leaky)


def played(**facts: Any) -> Script:
    """Seven turns of the healthy with nothing done by hand, and one hidden at 22."""
    usual: dict[str, Any] = {
        "hp": (20,) * 4, "effects": (), "turns": ((),) * 7, "hidden": (22,), "anew": False,
        "second": False,
    }  # fmt: skip
    return Script(**{**usual, **facts})


def with_effect(number: int, code: str, **facts: Any) -> Script:
    return played(effects=((number, rules.Effect(code, **facts)),))


BURNS: dict[str, Any] = {"text": "burning", "each_at": "end"}
LEAKS: dict[str, tuple[Leak, Script]] = {
    "all that an unseen turn changes": (
        lambda patch: patch.setattr(rules, "as_before", lambda fight, _: fight),
        with_effect(ARIA, "own", each="12", **BURNS),
    ),
    "hit points lost": (told_at_once("hp"), with_effect(ARIA, "own", each="12", **BURNS)),
    "temporary hit points lost": (
        told_at_once("temp_hp"),
        replace(with_effect(ARIA, "own", each="12", **BURNS), temporary=(5, 0, 0, 0)),
    ),
    "who has died": (told_at_once("hp", "dead"), with_effect(ARIA, "own", each="40", **BURNS)),
    "effects that end": (
        told_at_once("effects"), with_effect(BRAN, "poisoned", ends="end", whose=ARIA)
    ),
    "effects that come": (told_at_once("effects"), with_effect(ARIA, "own", each="20", **BURNS)),
    "the maximum that is back": (
        told_at_once("max_hp"), with_effect(ARIA, "exhaustion", level=4, ends="end")
    ),
    "the order that is rolled anew": (told_at_once("slots"), played(anew=True)),
    "who arrives in the group that is seen acting": (
        told_at_once("awaited"), played(hidden=(30,))
    ),
    "that a second turn is over": (told_at_once("fight"), played(hidden=(30,), second=True)),
}  # fmt: skip


# RW-S22: each kind of leak would be found
@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_of_an_unseen_turn_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leak, script = LEAKS[name]
    compare_played(script)
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        compare_played(script)


# What is done by hand during an unseen turn


def hurt(by: int, *commands: rules.Command, temporary: int = 0) -> tuple[Encounter, PlayerLink]:
    """Aria of 20 hit points has lost so many as a hidden Stalker's turn began; then these."""
    encounter, link = fought(
        hero("Aria", temp_hp=temporary), creature("Stalker", hidden=True), hero("Bran"),
        totals={1: 20, 2: 15, 3: 10}, hp_heroes="exact",
    )  # fmt: skip
    take(encounter, rules.AddEffect(1, rules.Effect("own", each=str(by), **BURNS)))
    take(encounter, rules.NextTurn())
    for command in commands:
        take(encounter, command)
    return encounter, link


def aria(link: PlayerLink) -> tuple[str, list[str]]:
    now = board_of(link).now
    assert now
    return now.members[0].health, [effect.code for effect in now.members[0].effects]


@pytest.mark.parametrize(
    ("by", "commands", "seen"),
    [
        (5, (), ("healthy", ["own"])),
        (5, (rules.Damage(1, 9),), ("hurt", ["own"])),
        (5, (rules.Damage(1, 10),), ("bloodied", ["own"])),
        (15, (rules.Damage(1, 5),), ("dying", ["prone", "own"])),
        (15, (rules.Damage(1, 60),), ("dead", ["own"])),
        (20, (), ("healthy", ["own"])),
        (20, (rules.Damage(1, 60),), ("dead", ["prone", "own"])),
        (20, (rules.Stabilise(1),), ("stable", ["prone", "own"])),
        (5, (rules.AddEffect(1, rules.Effect("blinded")),), ("healthy", ["blinded", "own"])),
    ],
)
def test_what_the_game_master_does_meanwhile_is_shown_at_once(
    by: int, commands: tuple[rules.Command, ...], seen: tuple[str, list[str]]
) -> None:
    _, link = hurt(by, *commands)
    assert aria(link) == seen


@pytest.mark.parametrize(
    ("temporary", "commands", "seen"),
    [
        (0, (), (20, 0)),
        (4, (), (20, 4)),
        (0, (rules.Damage(1, 3),), (17, 0)),
        (4, (rules.Damage(1, 3),), (20, 1)),
        (4, (rules.Damage(1, 9),), (15, 0)),
        (13, (rules.Damage(1, 9),), (20, 4)),
        (4, (rules.GiveTemporary(1, 5),), (20, 5)),
        (13, (rules.GiveTemporary(1, 9),), (20, 13)),
        (13, (rules.GiveTemporary(1, 2, exactly=True),), (20, 2)),
        (4, (rules.GiveTemporary(1, 5), rules.Damage(1, 7)), (18, 0)),
        (4, (rules.Damage(1, 7), rules.Heal(1, 2), rules.GiveTemporary(1, 5)), (19, 5)),
        (0, (rules.SetHitPoints(1, 9),), (9, 0)),
        (4, (rules.Edit(1, {"hp": 9}), rules.Damage(1, 1)), (9, 3)),
        (4, (rules.Damage(1, 9), rules.AddEffect(1, rules.Effect("prone"))), (15, 0)),
        (0, (rules.ChangeMaximum(1, -12),), (8, 0)),
        (0, (rules.Edit(1, {"max_hp": 16}),), (16, 0)),
        (0, (rules.Damage(1, 15),), (0, 0)),
    ],
)
def test_numbers_are_what_they_would_be_without_the_unseen_turn(
    temporary: int, commands: tuple[rules.Command, ...], seen: tuple[int, int]
) -> None:
    _, link = hurt(5, *commands, temporary=temporary)
    now = board_of(link).now
    assert now
    assert (now.members[0].hp, now.members[0].temp_hp) == seen


def test_one_whom_an_unseen_turn_has_healed_is_not_shown_falling_while_it_stands() -> None:
    encounter, link = fought(
        hero("Aria", hp=5), creature("Stalker", hidden=True), totals={1: 20, 2: 15},
        hp_heroes="exact",
    )  # fmt: skip
    take(encounter, rules.AddEffect(1, rules.Effect("own", each="4", heals=True, **BURNS)))
    take(encounter, rules.NextTurn())
    assert take(encounter, rules.Damage(1, 6)).fight.combatant(1).hp == 3
    now = board_of(link).now
    assert now
    assert (now.members[0].hp, now.members[0].health) == (1, "bloodied")


def test_what_is_undone_by_hand_changes_no_number() -> None:
    encounter, link = hurt(5, rules.Damage(1, 3), rules.Damage(1, 4), temporary=4)

    def told() -> tuple[int | None, int]:
        now = board_of(link).now
        assert now
        return now.members[0].hp, now.members[0].temp_hp

    seen = [told()]
    for step in (undo, undo, redo):
        step(encounter)
        seen.append(told())
    assert seen == [(17, 0), (20, 1), (20, 4), (20, 1)]


def test_who_falls_by_hand_keeps_what_an_unseen_turn_has_ended() -> None:
    encounter, link = hurt(5)
    undo(encounter)
    take(encounter, rules.AddEffect(1, rules.Effect("poisoned", ends="end")))
    take(encounter, rules.NextTurn())
    take(encounter, rules.Damage(1, 15))
    assert aria(link) == ("dying", ["poisoned", "prone", "own"])


def test_all_is_shown_with_the_next_turn_that_players_see() -> None:
    encounter, link = hurt(12)
    take(encounter, rules.NextTurn())
    assert [one.health for slot in board_of(link).later for one in slot.members] == ["bloodied"]


def test_moving_somebody_hidden_does_not_show_the_order_that_is_rolled_anew() -> None:
    encounter, link = fought(
        hero("Aria"), hero("Bran"), creature("Stalker", hidden=True), creature("Ogre"),
        totals={1: 20, 2: 15, 3: 10, 4: 5},
    )  # fmt: skip
    take(encounter, rules.ChangeSettings({"reroll_each_round": True}))
    for _ in range(3):
        take(encounter, rules.NextTurn())
    with unnoticed(link):
        dice = {1: 5, 2: 15, 3: 20, 4: 10}
        assert take(encounter, rules.NextTurn(dice)).fight.current == 3
        take(encounter, rules.Reorder(3, None))
    take(encounter, rules.NextTurn())
    assert [slot.title for slot in board_of(link).coming] == ["Ogre", "Aria"]


def test_an_unseen_turn_costs_one_query_more_and_any_other_none() -> None:
    encounter, _ = hurt(5)
    take(encounter, rules.NextTurn())
    counts = []
    for hidden in (False, True, False, False, True):
        with CaptureQueriesContext(connection) as asked:
            fight = take(encounter, rules.NextTurn()).fight
        assert (fight.current == 2) == hidden
        steps = [q for q in asked if "SELECT" in q["sql"] and "encounters_step" in q["sql"]]
        assert len(steps) == hidden
        counts.append(len(asked))
    assert max(counts) <= 10
