"""Typed text becomes commands; and whatever is typed, no verb ever breaks."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import translation

import rules
from encounters.forms import VERBS, EditForm
from encounters.models import Encounter
from tests.encounters.playing import (
    fight_in,
    pressed,
    take,
)
from tests.factories import EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db
BY_VERB = {form.verb: form for form in VERBS}


def command(verb: str, encounter: Encounter, **typed: Any) -> rules.Command:
    """What a verb's form makes of what was typed."""
    bound = BY_VERB[verb]({"key": uuid4(), "seen": 0, **typed}, encounter)
    assert bound.is_valid(), bound.errors
    return bound.command(fight_in(encounter))


# Hit points


@pytest.mark.parametrize(
    ("verb", "typed", "kind", "amount"),
    [
        ("damage", "8", rules.Damage, 8),
        ("damage", " 8 ", rules.Damage, 8),
        ("damage", "-8", rules.Damage, 8),
        ("damage", "−8", rules.Damage, 8),
        ("damage", "–8", rules.Damage, 8),
        ("damage", "+5", rules.Heal, 5),
        ("damage", "0", rules.Damage, 0),
        ("heal", "5", rules.Heal, 5),
        ("give-temporary", "5", rules.GiveTemporary, 5),
        ("give-temporary", "+5", rules.GiveTemporary, 5),
        ("damage", "1-5", rules.Damage, 0),
        ("damage", "99999", rules.Damage, 99_999),
    ],
)
def test_an_amount_is_read_with_its_sign(
    verb: str, typed: str, kind: type, amount: int, running: Encounter
) -> None:
    made = command(verb, running, target=3, amount=typed)
    assert isinstance(made, kind)
    assert (made.target, made.amount) == (3, amount)  # type: ignore[attr-defined]


def test_dice_are_rolled_once_and_kept_with_the_command(running: Encounter) -> None:
    made = command("damage", running, target=3, amount="2d6+3")
    assert isinstance(made, rules.Damage)
    assert len(made.dice) == 2
    assert made.amount == sum(made.dice) + 3


def test_one_blow_makes_one_line_of_the_log_that_says_what_came_of_it(
    gm_client: Client, running: Encounter
) -> None:
    pressed(gm_client, running, "damage", target=2, amount="25")
    [line] = running.steps.filter(version=2)
    assert [event["code"] for event in line.events] == ["damaged", "went-down"]
    assert fight_in(running).combatant(2).hp == 0


# Initiative


def opened(*bonuses: int | None) -> Encounter:
    party = [hero(f"Hero {i}", initiative_bonus=bonus) for i, bonus in enumerate(bonuses)]
    encounter: Encounter = EncounterFactory.create(fight=fight_of(*party))
    take(encounter, rules.OpenFight())
    return encounter


def test_typed_totals_are_kept_and_the_blank_are_rolled() -> None:
    made = command("roll-initiative", opened(2, 2, None), total_1="17", total_2="", total_3="")
    assert isinstance(made, rules.RollInitiative)
    assert made.totals == {1: 17, 3: None}
    assert set(made.dice) == {2}


def begun_with(totals: dict[int, int | None]) -> rules.Command:
    """The totals that were called out, and then the first turn."""
    return rules.Together((rules.RollInitiative(totals=totals), rules.StartFight()))


def test_a_fight_begins_with_the_totals_typed_and_rolls_nothing() -> None:
    made = command("start-fight", opened(2, 2), total_1="−3", total_2="")
    assert made == begun_with({1: -3, 2: None})


def test_totals_of_places_that_are_gone_are_passed_over() -> None:
    made = command("start-fight", opened(2), total_1="4", total_9="5", total_x="6", total_="7")
    assert made == begun_with({1: 4})


def test_a_move_up_or_down_is_by_one_place(gm_client: Client, running: Encounter) -> None:
    def order() -> list[int]:
        return [slot.number for slot in fight_in(running).slots]

    for target, move, after in (
        (3, "up", [1, 3, 2]),
        (1, "down", [3, 1, 2]),
        (2, "down", [3, 1, 2]),
        (3, "up", [3, 1, 2]),
        (1, "down", [3, 2, 1]),
    ):
        pressed(gm_client, running, "reorder", target=target, move=move)
        assert order() == after


def test_a_tie_is_settled_by_saying_who_is_first() -> None:
    encounter = opened(2, 2, 2)
    take(encounter, rules.RollInitiative(totals={1: 9, 2: 9, 3: 8}))
    assert command("break-tie", encounter, first="2") == rules.ActFirst(2)
    take(encounter, rules.RollInitiative(totals={3: 9}))
    rolled = command("roll-off", encounter, total="9")
    assert isinstance(rolled, rules.RollOff)
    assert set(rolled.dice) == {1, 2, 3}


# Surprise


def test_a_whole_side_hides_and_each_rolls_its_own_stealth() -> None:
    encounter = EncounterFactory.create(
        fight=fight_of(hero("Aria"), creature(), creature(), creature(hp=0))
    )
    made = command("hide-side", encounter, side="foes")
    assert isinstance(made, rules.Hide)
    assert made.stealth == {number: die + 6 for number, (die,) in made.dice.items()}
    assert set(made.dice) == {2, 3}


def test_who_has_a_result_hides_and_who_has_none_does_not() -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria"), creature(), creature()))
    made = command("hide", encounter, stealth_2="17", stealth_3="")
    assert made == rules.Hide({2: 17}, stop=(3,))


def test_a_side_with_an_unknown_stealth_bonus_is_asked_for_results() -> None:
    encounter = EncounterFactory.create(fight=fight_of(creature(stealth_bonus=None)))
    with pytest.raises(rules.RuleError) as refusal:
        command("hide-side", encounter, side="foes")
    assert refusal.value.code == "stealth-bonus-unknown"


# Facts


def edited(encounter: Encounter, **typed: Any) -> rules.Combatant:
    ogre = fight_in(encounter).combatant(3)
    kept = {name: "" if (was := getattr(ogre, name)) is None else was for name in rules.EDITABLE}
    take(encounter, command("edit", encounter, target=3, **{**kept, **typed}))
    return fight_in(encounter).combatant(3)


def test_an_empty_number_is_unknown(running: Encounter) -> None:
    ogre = edited(running, ac="", hp="", max_hp="", passive_perception="")
    assert (ogre.ac, ogre.hp, ogre.max_hp, ogre.passive_perception) == (None, None, None, None)
    assert edited(running, max_hp="30").hp == 30, "whose hit points were unknown is unhurt"


def test_saving_the_french_name_as_it_stands_does_not_rename(running: Encounter) -> None:
    take(running, rules.Join((creature("Wolf", name_fr="Loup"),), (3,)))
    wolf = fight_in(running).combatant(4)
    with translation.override("fr"):
        sent = {"target": 4, "name": "Loup", "side": "foes", "initiative_roll": "auto"}
        made = command("edit", running, **sent)
    assert isinstance(made, rules.Edit)
    assert made.changes["name"] == wolf.name


@pytest.mark.parametrize(("typed", "feet"), [("9", 30), ("9,5", 32), ("10.5", 35), ("", None)])
def test_a_speed_typed_in_french_is_in_metres(
    typed: str, feet: int | None, running: Encounter
) -> None:
    with translation.override("fr"):
        assert edited(running, speed=typed).speed == feet


@pytest.mark.parametrize("typed", ["x", "NaN", "Infinity", "1e9", "1e999999", "-1", "9" * 5_000])
def test_a_speed_that_is_none_is_refused_in_either_language(typed: str, running: Encounter) -> None:
    for language in ("en", "fr"):
        with translation.override(language):
            bound = EditForm({"key": uuid4(), "seen": 0, "speed": typed}, running)
            assert bound.errors["speed"], language
