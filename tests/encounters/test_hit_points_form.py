"""Hit points as a GM types them: signs, dice, types in both languages, ticks; and bad input."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import translation

import rules
from encounters import chance
from encounters.forms import VERBS
from encounters.models import Encounter
from encounters.words_of_health import damage_type
from tests.encounters.playing import fight_in, fresh, press, pressed, take, text_of
from tests.factories import EncounterFactory, creature, hero, running

pytestmark = pytest.mark.django_db
BY_VERB = {form.verb: form for form in VERBS}
ARIA, BRAN, FIRST, SECOND, SKELETON, WOLF = range(1, 7)


@pytest.fixture
def fight(db: None) -> Encounter:
    """Aria, whose turn it is, Bran, two goblins, a skeleton and a werewolf's wolf."""
    bones = (rules.Defence("vulnerability", "bludgeoning"), rules.Defence("immunity", "poison"))
    hide = (rules.Defence("immunity", "slashing", "nonmagical_not_silvered"),)
    ranger = hero("Aria", max_hp=20, hp=14)
    singed = (rules.Defence("resistance", "fire"),)
    goblins = [creature(creature="a/goblin", defences=singed, max_hp=30)] * 2
    others = (creature("Skeleton", max_hp=13, defences=bones),
              creature("Wolf", max_hp=58, defences=hide))  # fmt: skip
    made: Encounter = EncounterFactory.create(
        fight=running(ranger, hero("Bran"), *goblins, *others)
    )
    return made


def form(encounter: Encounter, verb: str, **typed: Any) -> Any:
    return BY_VERB[verb]({"key": uuid4(), "seen": fresh(encounter).version, **typed}, encounter)


def command(encounter: Encounter, verb: str, **typed: Any) -> Any:
    """What a verb's form makes of what was typed."""
    bound = form(encounter, verb, **typed)
    assert bound.is_valid(), bound.errors
    return bound.command(fight_in(encounter))


def hp(encounter: Encounter, number: int) -> tuple[int | None, int]:
    one = fight_in(encounter).combatant(number)
    return one.hp, one.temp_hp


@pytest.mark.parametrize(
    ("verb", "typed", "made"),
    [
        ("damage", "=12", rules.SetHitPoints(SECOND, 12)),
        ("heal", "=0", rules.SetHitPoints(SECOND, 0)),
        ("damage", "= 10 + 2", rules.SetHitPoints(SECOND, 12)),
        ("heal", "5", rules.Heal(SECOND, 5)),
        ("damage", "+5", rules.Heal(SECOND, 5)),
        ("give-temporary", "10", rules.GiveTemporary(SECOND, 10)),
        ("give-temporary", "=10", rules.GiveTemporary(SECOND, 10, exactly=True)),
        ("change-maximum", "5", rules.ChangeMaximum(SECOND, 5)),
        ("change-maximum", "+5", rules.ChangeMaximum(SECOND, 5)),
        ("change-maximum", "−5", rules.ChangeMaximum(SECOND, -5)),
        ("change-maximum", "=20", rules.ChangeMaximum(SECOND, -10)),
        ("damage", "22", rules.Damage(SECOND, 22)),
    ],
)
def test_a_sign_says_what_happens(
    verb: str, typed: str, made: rules.Command, fight: Encounter
) -> None:
    assert command(fight, verb, target=SECOND, amount=typed) == made


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("22 fire", [(22, "fire")]),
        ("22 feu", [(22, "fire")]),
        ("22fire", [(22, "fire")]),
        ("-22 FEU", [(22, "fire")]),
        ("22 fi", [(22, "fire")]),
        ("22 fe", [(22, "fire")]),
        ("5 nécrotique", [(5, "necrotic")]),
        ("5 necrotique", [(5, "necrotic")]),
        ("5 NÉC", [(5, "necrotic")]),
        ("5 foudre", [(5, "lightning")]),
        ("5 tonnerre", [(5, "thunder")]),
        ("5 tranchant", [(5, "slashing")]),
        ("5 force", [(5, "force")]),
        ("5 poison", [(5, "poison")]),
        ("22 fire damage", [(22, "fire")]),
        ("22 dégâts de feu", [(22, "fire")]),
        ("22 dégâts d’acide", [(22, "acid")]),
        ("10 fire + 5 piercing", [(10, "fire"), (5, "piercing")]),
        ("10 feu+5 perforant", [(10, "fire"), (5, "piercing")]),
        ("10 fire, 5 cold + 3", [(10, "fire"), (5, "cold"), (3, "")]),
        ("2 + 3 fire", [(5, "fire")]),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_types_are_read_in_both_languages_by_their_beginning(
    typed: str, parts: list[tuple[int, str]], language: str, fight: Encounter
) -> None:
    with translation.override(language):
        made = command(fight, "damage", target=SECOND, amount=typed)
    assert [(made.amount, made.type), *made.more] == parts


@pytest.mark.parametrize("code", rules.DAMAGE_TYPES)
def test_every_type_is_known_by_its_name_in_both_languages(code: str, fight: Encounter) -> None:
    for language in ("en", "fr"):
        with translation.override(language):
            typed = f"3 {damage_type(code)}"
        assert command(fight, "damage", target=SECOND, amount=typed).type == code


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "letters": ({"amount": "lots"}, "neither a number nor dice"),
    "nothing": ({"amount": ""}, "required"),
    "a sign alone": ({"amount": "="}, "neither a number nor dice"),
    "no type of ours": ({"amount": "22 plasma"}, "No type of damage begins with “plasma”."),
    "force or foudre": ({"amount": "22 fo"}, "“fo” may be several: force and lightning."),
    "a type before its number": ({"amount": "fire 22"}, "neither a number nor dice"),
    "one type less another": ({"amount": "10 fire - 5 cold"}, "Put a + between"),
    "a chip that is no type": ({"amount": "2", "type": "plasma"}, "Select a valid choice"),
    "half of a reduction": ({"amount": "2", "reduction": "1.5"}, "whole number"),
    "a reduction below nothing": ({"amount": "2", "reduction": "-1"}, "greater than or equal to 0"),
    "a word of another": ({"amount": "2", "defence": "luck"}, "Select a valid choice"),
    "a condition of nobody": ({"amount": "2", "also": "at_night"}, "Select a valid choice"),
    "a save of nobody": ({"amount": "2", "saved": "x"}, "does not exist"),
    "too much of the second": ({"amount": "2 fire + 99999 cold + 99999 d 1"}, "At most 1,000 dice"),
    "more than the maximum": ({"amount": "=31"}, "from 0 to the maximum"),
    "too long": ({"amount": "1+" * 60 + "1"}, "at most 100 characters"),
}


@pytest.mark.parametrize("fields", BAD.values(), ids=BAD)
def test_bad_input_is_refused_with_a_sentence_and_changes_nothing(
    fields: tuple[dict[str, Any], str], gm_client: Client, fight: Encounter
) -> None:
    typed, sentence = fields
    before = fight_in(fight)
    answer = press(gm_client, fight, "damage", target=SECOND, **typed)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert fight_in(fight) == before


@pytest.mark.parametrize("verb", ["heal", "give-temporary", "change-maximum"])
def test_only_damage_has_a_type(verb: str, gm_client: Client, fight: Encounter) -> None:
    answer = press(gm_client, fight, verb, target=SECOND, amount="5 fire")
    assert (answer.status_code, text_of(answer)) == (422, "Only damage has a type.")


@pytest.mark.parametrize("verb", ["damage", "heal", "give-temporary", "change-maximum"])
def test_setting_a_number_needs_the_newest_page(
    verb: str, gm_client: Client, fight: Encounter
) -> None:
    take(fight, rules.Damage(SECOND, 1))
    sent = {"target": SECOND, "amount": "=12", "seen": 0}
    assert press(gm_client, fight, verb, **sent).status_code == 409
    assert hp(fight, SECOND) == (29, 0)
    assert press(gm_client, fight, verb, **{**sent, "amount": "12"}).status_code == 200


def test_dice_fall_once_for_all_and_the_saved_take_half(fight: Encounter) -> None:
    both = {"target": f"{FIRST},{SECOND},{SKELETON}", "amount": "8d6", "type": "fire"}
    made = command(fight, "damage", **both, saved=f"{SECOND},{WOLF}")
    first, second, third = made.commands
    assert len(first.dice) == 8
    assert first.dice == second.dice == third.dice
    assert [one.half for one in made.commands] == [False, True, False]
    assert {one.type for one in made.commands} == {"fire"}


def test_a_chip_is_the_type_of_what_has_none(fight: Encounter) -> None:
    made = command(fight, "damage", target=SECOND, amount="10 cold + 5", type="fire")
    assert (made.amount, made.type, made.more) == (10, "cold", ((5, "fire"),))


def test_a_critical_hit_doubles_the_dice_and_not_the_rest(fight: Encounter) -> None:
    before = chance.use(_Sixes())
    try:
        sent = {"target": SECOND, "amount": "2d6+3 fire + 1d6 cold", "critical": "1"}
        made = command(fight, "damage", **sent)
    finally:
        chance.use(before)
    assert made.critical
    assert (made.amount, made.more) == (27, ((12, "cold"),))
    assert made.dice == (6,) * 6


class _Sixes(Random):
    def randint(self, a: int, b: int) -> int:
        return b


def test_ticks_come_along(fight: Encounter) -> None:
    sent = {"knock_out": "1", "reduction": "5", "defence": "plain", "also": ["nonmagical"]}
    made = command(fight, "damage", target=SECOND, amount="9", **sent)
    assert (made.knock_out, made.reduction, made.defence) == (True, 5, "plain")
    assert made.also == ("nonmagical",)


def test_a_defence_that_depends_on_something_holds_when_the_gm_says_so(
    gm_client: Client, fight: Encounter
) -> None:
    sent = {"target": WOLF, "amount": "8 slashing"}
    pressed(gm_client, fight, "damage", **sent, also="nonmagical_not_silvered")
    assert hp(fight, WOLF) == (58, 0)
    pressed(gm_client, fight, "damage", **sent)
    assert hp(fight, WOLF) == (50, 0)


@pytest.mark.parametrize(
    ("by", "target", "dealer"),
    [
        ("", SECOND, None),  # nobody knows
        ("0", SECOND, None),
        (f"acting-{ARIA}", SECOND, ARIA),  # the page's own word, against enemies alone
        (f"acting-{ARIA}", BRAN, None),
        (f"acting-{ARIA}", ARIA, None),
        (str(ARIA), BRAN, ARIA),  # chosen
        (str(BRAN), SECOND, BRAN),
    ],
)
def test_damage_is_credited_to_whom_the_page_names_and_on_its_own_side_if_chosen_alone(
    fight: Encounter, by: str, target: int, dealer: int | None
) -> None:
    assert command(fight, "damage", target=target, amount="3", by=by).by == dealer


def test_damage_is_credited_to_nobody_who_is_not_there(gm_client: Client, fight: Encounter) -> None:
    for by in ("77", "acting-77", "acting-", "-1", "Aria"):
        answer = press(gm_client, fight, "damage", target=SECOND, amount="3", by=by)
        assert answer.status_code == 422


# Cases: RW-S17, RW-S19, RW-S20


def test_temporary_hit_points_go_first_and_never_add_up(
    gm_client: Client, fight: Encounter
) -> None:  # RW-S17
    pressed(gm_client, fight, "damage", target=ARIA, amount="=6")
    pressed(gm_client, fight, "give-temporary", target=ARIA, amount="7")
    pressed(gm_client, fight, "damage", target=ARIA, amount="4")
    assert hp(fight, ARIA) == (6, 3)
    pressed(gm_client, fight, "heal", target=ARIA, amount="2")
    assert hp(fight, ARIA) == (8, 3)
    pressed(gm_client, fight, "damage", target=ARIA, amount="11")
    assert hp(fight, ARIA) == (0, 0)
    pressed(gm_client, fight, "give-temporary", target=ARIA, amount="5")
    assert hp(fight, ARIA) == (0, 5)
    assert fight_in(fight).combatant(ARIA).dying
    pressed(gm_client, fight, "give-temporary", target=ARIA, amount="12")
    pressed(gm_client, fight, "give-temporary", target=ARIA, amount="10")
    assert hp(fight, ARIA) == (0, 12)
    pressed(gm_client, fight, "give-temporary", target=ARIA, amount="=10")
    assert hp(fight, ARIA) == (0, 10)


@pytest.mark.parametrize(
    ("fields", "lost"),
    [
        ({"saved": str(SKELETON)}, 12),
        ({"amount": "1", "saved": str(SKELETON)}, 0),
        ({"defence": "resistance"}, 12),
        ({"defence": "resistance", "reduction": "5"}, 10),
        ({"defence": "resistance", "saved": str(SKELETON)}, 6),
        ({"defence": "immunity"}, 0),
        ({"defence": "vulnerability"}, 50),
    ],
)
def test_halving_rounds_down_at_each_step(
    fields: dict[str, str], lost: int, gm_client: Client, fight: Encounter
) -> None:  # RW-S19
    take(fight, rules.ChangeMaximum(SKELETON, 87))
    pressed(gm_client, fight, "damage", **{"target": SKELETON, "amount": "25", **fields})
    assert hp(fight, SKELETON) == (100 - lost, 0)


def test_healing_stops_at_the_maximum_and_says_how_much_was_too_much(
    gm_client: Client, fight: Encounter
) -> None:  # RW-S20
    answer = press(gm_client, fight, "heal", target=ARIA, amount="8")
    assert hp(fight, ARIA) == (20, 0)
    assert "8 hit points regained by Aria (2 above the maximum)" in text_of(answer)
    pressed(gm_client, fight, "change-maximum", target=ARIA, amount="=13")
    aria = fight_in(fight).combatant(ARIA)
    assert (aria.hp, aria.max_hp) == (13, 13)


def test_healing_wakes_and_clears_death_saves_and_nothing_else(
    gm_client: Client, fight: Encounter
) -> None:  # RW-S20
    take(fight, rules.AddEffect(BRAN, rules.Effect("poisoned")))
    pressed(gm_client, fight, "damage", target=BRAN, amount="20")
    pressed(gm_client, fight, "damage", target=BRAN, amount="1", critical="1")
    assert fight_in(fight).combatant(BRAN).death_failures == 2
    pressed(gm_client, fight, "heal", target=BRAN, amount="8")
    bran = fight_in(fight).combatant(BRAN)
    assert (bran.hp, bran.death_failures, bran.down) == (8, 0, False)
    assert {e.code for e in bran.effects} == {"poisoned", "prone"}


def test_the_dead_are_refused_with_a_pointer_to_revive_and_passed_over_among_others(
    gm_client: Client, fight: Encounter
) -> None:  # RW-S20
    pressed(gm_client, fight, "damage", target=f"{FIRST},{SECOND}", amount="30")
    answer = press(gm_client, fight, "heal", target=FIRST, amount="8")
    assert answer.status_code == 422
    assert "Revive" in text_of(answer)
    pressed(gm_client, fight, "heal", target=f"{FIRST},{ARIA}", amount="3")
    assert (hp(fight, FIRST), hp(fight, ARIA)) == ((0, 0), (17, 0))
    pressed(gm_client, fight, "revive", target=f"{FIRST},{ARIA}", amount="4")
    assert (hp(fight, FIRST), hp(fight, ARIA)) == ((4, 0), (17, 0))
    pressed(gm_client, fight, "revive", target=SECOND, amount="")
    assert hp(fight, SECOND) == (1, 0)


def test_the_dying_are_stabilised(gm_client: Client, fight: Encounter) -> None:
    pressed(gm_client, fight, "damage", target=BRAN, amount="20")
    pressed(gm_client, fight, "stabilise", target=f"{ARIA},{BRAN}")
    assert fight_in(fight).combatant(BRAN).stable
    assert press(gm_client, fight, "stabilise", target=ARIA).status_code == 422


@pytest.mark.parametrize("verb", ["heal", "give-temporary"])
def test_a_minus_sign_with_what_heals_is_refused(
    verb: str, fight: Encounter, gm_client: Client
) -> None:
    answer = press(gm_client, fight, verb, target=ARIA, amount="-5")
    assert answer.status_code == 422
    assert "To heal, type the number without a minus sign" in text_of(answer)
    assert fight_in(fight).combatant(ARIA).hp == 14


def test_a_reduction_may_be_of_one_type_alone(fight: Encounter) -> None:
    sent = {"amount": "5 fire + 5 cold", "reduction": "15", "reduction_type": "fire"}
    made = command(fight, "damage", target=str(ARIA), **sent)
    assert made.run(fight_in(fight)).fight.combatant(ARIA).hp == 9
