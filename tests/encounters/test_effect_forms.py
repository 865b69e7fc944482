"""Conditions as the GM puts them on: what is typed, and what comes of it."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

import rules
from encounters.forms import VERBS
from encounters.models import Encounter
from tests.encounters.playing import (
    fight_in,
    fresh,
    ogre_fight,
    press,
    press_plainly,
    pressed,
    take,
    text_of,
)
from tests.factories import EncounterFactory, creature, hero, running

pytestmark = pytest.mark.django_db
BY_VERB = {form.verb: form for form in VERBS}
ARIA, BRAN, OGRE = 1, 2, 3  # Aria has the turn


@pytest.fixture
def fight() -> Encounter:
    return ogre_fight()


def made(fight: Encounter, verb: str = "add-effect", **typed: Any) -> rules.Command:
    """What the form makes of what was typed."""
    bound = BY_VERB[verb]({"key": uuid4(), "seen": 0, "target": OGRE, **typed}, fight)
    assert bound.is_valid(), bound.errors
    return bound.command(fight_in(fight))


def refusals(fight: Encounter, **typed: Any) -> dict[str, Any]:
    bound = BY_VERB["add-effect"](
        {"key": uuid4(), "seen": 0, "target": OGRE, "effect": "prone", **typed}, fight
    )
    return dict(bound.errors)


def on(fight: Encounter, number: int = OGRE) -> list[tuple[str, str]]:
    return [(effect.code, effect.text) for effect in fight_in(fight).combatant(number).effects]


# How it ends


@pytest.mark.parametrize(
    ("lasts", "n", "end"),
    [
        ("never", "", {}),
        ("", "", {}),
        ("turn-end-own", "", {"ends": "end", "turns": 1}),
        ("turn-start-own", "3", {"ends": "start", "turns": 3}),
        ("turn-end-source", "1", {"ends": "end", "turns": 1, "whose": BRAN}),
        ("turn-start-source", "", {"ends": "start", "turns": 1, "whose": BRAN}),
    ],
)
def test_an_effect_ends_as_was_chosen(
    lasts: str, n: str, end: dict[str, Any], fight: Encounter
) -> None:
    command = made(fight, effect="frightened", lasts=lasts, n=n, source=BRAN)
    effect = rules.Effect("frightened", source=BRAN, **end)
    assert command == rules.AddEffect(OGRE, effect)


@pytest.mark.parametrize(
    ("lasts", "n", "rounds"),
    [("rounds", "7", 7), ("rounds", "", 1), ("rounds:10", "", 10), ("rounds:600", "3", 600)],
)
def test_an_effect_lasts_so_many_rounds(lasts: str, n: str, rounds: int, fight: Encounter) -> None:
    command = made(fight, effect="prone", lasts=lasts, n=n)
    assert command == rules.AddEffect(OGRE, rules.Effect("prone"), rounds)


@pytest.mark.parametrize("n", ["0", "-1", "−1", "1000000000", "10000", "1.5", "1,5", "x", "1e3"])
@pytest.mark.parametrize("lasts", ["turn-end-own", "rounds", "never"])
def test_a_number_of_turns_that_is_none_is_refused_beside_its_field(
    n: str, lasts: str, fight: Encounter
) -> None:
    assert list(refusals(fight, lasts=lasts, n=n)) == ["n"]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"effect": "dodging"}, "effect"),
        ({"effect": "zzz"}, "effect"),
        ({"effect": ""}, "effect"),
        ({"lasts": "zzz"}, "lasts"),
        ({"lasts": "turn-end-source"}, "source"),
        ({"hangs": "on"}, "source"),
        ({"source": "0"}, "source"),
        ({"level": "7"}, "level"),
        ({"save": "wis"}, "dc"),
        ({"save": "wis", "dc": "0"}, "dc"),
        ({"save": "wis", "dc": "100"}, "dc"),
        ({"save": "luck"}, "save"),
        ({"each_turn": "lots"}, "each_turn"),
        ({"each_turn": "-5"}, "each_turn"),
        ({"each_turn": "1000000d6"}, "each_turn"),
        ({"each_type": "love"}, "each_type"),
        ({"text": "x" * 81}, "text"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_makes_no_sense_is_refused_beside_its_field(
    typed: dict[str, str], field: str, fight: Encounter
) -> None:
    assert list(refusals(fight, **typed)) == [field]


def test_a_refused_effect_says_why_and_keeps_what_was_typed(
    gm_client: Client, fight: Encounter
) -> None:
    sent = {"target": OGRE, "selected": OGRE, "at": "effects", "effect": "prone", "n": "0",
            "lasts": "turn-end-own", "spell": "Bless"}  # fmt: skip
    answer = press_plainly(gm_client, fight, "add-effect", **sent)
    assert answer.status_code == 422
    assert "A duration goes from 1 to 9999 turns or rounds." in text_of(answer)
    page = answer.content.decode()
    assert 'value="turn-end-own" checked' in page
    assert 'id="n" name="n" inputmode="numeric" size="4" value="0"' in page
    assert 'value="Bless"' in page
    assert 'id="conditions" open' in page


def test_own_words_without_words_are_refused(gm_client: Client, fight: Encounter) -> None:
    for text in ("", "   "):
        answer = press(gm_client, fight, "add-effect", target=OGRE, effect="own", text=text)
        assert (answer.status_code, text_of(answer)) == (422, "Type a name.")
    assert fresh(fight).campaign.own_words == []


def test_a_source_that_has_left_is_refused(gm_client: Client, fight: Encounter) -> None:
    answer = press(gm_client, fight, "add-effect", target=OGRE, effect="prone", source=77)
    assert answer.status_code == 422


# What hangs on it


def test_a_new_concentration_begins_once_for_all_targets_in_one_step(
    gm_client: Client, fight: Encounter
) -> None:
    take(fight, rules.AddEffect(ARIA, rules.Effect("concentration", text="Web")))
    pressed(gm_client, fight, "add-effect", target="1,2,3", effect="own", text="blessed",
          source=ARIA, hangs="on", spell="Bless", lasts="rounds:10")  # fmt: skip
    assert on(fight, ARIA) == [("concentration", "Bless"), ("own", "blessed")]
    assert on(fight, BRAN) == on(fight, OGRE) == [("own", "blessed")]
    assert fresh(fight).version == 2
    pressed(gm_client, fight, "remove-effect", target=ARIA, effect="concentration")
    assert on(fight, ARIA) == on(fight, BRAN) == on(fight, OGRE) == []


def test_the_present_concentration_holds_what_is_put_on_with_it(
    gm_client: Client, fight: Encounter
) -> None:
    take(fight, rules.AddEffect(ARIA, rules.Effect("concentration", text="Web")))
    for spell in ("", "Web"):
        pressed(gm_client, fight, "add-effect", target=OGRE, effect="restrained", source=ARIA,
              hangs="on", spell=spell)  # fmt: skip
    assert on(fight, ARIA) == [("concentration", "Web")]
    take(fight, rules.RemoveEffect(ARIA, "concentration"))
    assert on(fight) == []


def test_a_spell_that_takes_concentration_and_what_it_gives_end_together_and_are_told_once(
    gm_client: Client, fight: Encounter
) -> None:
    pressed(gm_client, fight, "add-effect", target="1,2", effect="own", text="blessed",
          source=ARIA, hangs="on", spell="Bless", lasts="rounds:1")  # fmt: skip
    for _ in range(3):
        pressed(gm_client, fight, "next-turn")
    assert on(fight, ARIA) == on(fight, BRAN) == []
    [last] = fight.steps.order_by("-version")[:1]
    ended = [e["text"] for e in last.events if e["code"] == "effect-ended"]
    assert sorted(ended) == ["Bless", "blessed", "blessed"]


def test_a_save_that_ends_it_and_hit_points_each_turn_go_with_it(fight: Encounter) -> None:
    command = made(
        fight, effect="poisoned", save="con", dc="13", save_at="start", each_turn="1d6",
        each_type="poison", each_at="end", offered="on", secret="on", anyway="on",
    )  # fmt: skip
    effect = rules.Effect(
        "poisoned", save="con", dc=13, save_at="start", each="1d6", each_type="poison",
        each_at="end", offered=True, secret=True,
    )  # fmt: skip
    assert command == rules.AddEffect(OGRE, effect, anyway=True)
    healed = made(fight, effect="own", text="troll", each_turn="10", each_type="healing")
    assert healed == rules.AddEffect(OGRE, rules.Effect("own", text="troll", each="10", heals=True))


def test_what_it_is_immune_to_is_refused_with_its_name_and_put_on_anyway(
    gm_client: Client,
) -> None:
    immune = (rules.Defence("immunity", "poisoned"),)
    ghoul = creature("Ghoul", defences=immune)
    fight = EncounterFactory.create(fight=running(hero("Aria"), ghoul))
    answer = press(gm_client, fight, "add-effect", target="1,2", effect="poisoned")
    assert answer.status_code == 422
    assert text_of(answer).startswith("Immune to this: Ghoul.")
    assert on(fight, 1) == []
    pressed(gm_client, fight, "add-effect", target="1,2", effect="poisoned", anyway="on")
    assert on(fight, 1) == on(fight, 2) == [("poisoned", "")]


# Exhaustion


def test_exhaustion_goes_up_and_down_by_a_level(gm_client: Client, fight: Encounter) -> None:
    def level(number: int = OGRE) -> int:
        return fight_in(fight).combatant(number).level("exhaustion")

    pressed(gm_client, fight, "add-effect", target=OGRE, effect="more-exhaustion")
    pressed(gm_client, fight, "add-effect", target="2,3", effect="more-exhaustion")
    assert (level(BRAN), level()) == (1, 2)
    pressed(gm_client, fight, "add-effect", target="2,3", effect="less-exhaustion")
    assert (level(BRAN), level()) == (0, 1)
    answer = press(gm_client, fight, "add-effect", target=BRAN, effect="less-exhaustion")
    assert answer.status_code == 422
    for _ in range(5):
        pressed(gm_client, fight, "add-effect", target=OGRE, effect="more-exhaustion")
    assert fight_in(fight).combatant(OGRE).dead
    answer = press(gm_client, fight, "add-effect", target=OGRE, effect="more-exhaustion")
    assert (answer.status_code, level()) == (422, 6)


# Own words


def test_own_words_are_remembered_the_last_used_first_and_at_most_thirty(
    gm_client: Client, fight: Encounter
) -> None:
    for text, colour in (("blessed", "blue"), ("marked", ""), ("blessed", "green")):
        pressed(gm_client, fight, "add-effect", target=OGRE, effect="own", text=text, colour=colour)
    assert fresh(fight).campaign.own_words == [
        {"text": "blessed", "colour": "green"},
        {"text": "marked", "colour": ""},
    ]
    answer = press(gm_client, fight, "add-effect", target=BRAN, effect="own:green:blessed")
    assert fight_in(fight).combatant(BRAN).effects[0].colour == "green"
    assert 'value="own:green:blessed"' in answer.content.decode()
    for n in range(40):
        press_plainly(gm_client, fight, "add-effect", target=(OGRE, BRAN)[n % 2], effect="own",
                      text=f"word {n}")  # fmt: skip
    words = [one["text"] for one in fresh(fight).campaign.own_words]
    assert words == [f"word {n}" for n in range(39, 9, -1)]


def test_words_that_were_refused_are_not_remembered(gm_client: Client, fight: Encounter) -> None:
    press(gm_client, fight, "add-effect", target=77, effect="own", text="blessed")
    assert fresh(fight).campaign.own_words == []


def test_a_concentration_that_the_page_begins_is_over_with_what_hangs_on_it(
    gm_client: Client, fight: Encounter
) -> None:
    pressed(gm_client, fight, "add-effect", target=OGRE, effect="frightened", source=ARIA,
          hangs="on", spell="Fear", lasts="turn-end-own")  # fmt: skip
    assert fight_in(fight).combatant(ARIA).has("concentration")
    while fight_in(fight).combatant(OGRE).has("frightened"):
        take(fight, rules.NextTurn())
    assert not fight_in(fight).combatant(ARIA).has("concentration")
