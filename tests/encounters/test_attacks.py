"""Attacks of the book, rolled in one tap and applied to whom they hit."""

from random import Random

import pytest
from django.test import Client
from django.utils import translation

import rules
from encounters import chance
from encounters.book_attacks import strikes
from encounters.models import Encounter
from tests.encounters.playing import (
    fight_in,
    fresh,
    press,
    press_plainly,
    pressed,
    take,
    text_of,
    undo,
)
from tests.factories import CreatureFactory, EncounterFactory, blow, creature, hero, running

pytestmark = pytest.mark.django_db

GOBLIN, GOBLINS, ARIA = "srd-5.1/goblin", "1,2", 3
SCIMITAR = f"{GOBLIN}:0"
POISONED = {
    "dice": "2d6",
    "bonus": 0,
    "type": "poison",
    "save": "con",
    "dc": 11,
    "half_on_save": True,
}


class Falling(Random):
    """A source of chance whose numbers are known."""

    def __init__(self, *numbers: int) -> None:
        super().__init__()
        self.numbers = list(numbers)

    def randint(self, a: int, b: int) -> int:
        number = self.numbers.pop(0)
        assert a <= number <= b
        return number


@pytest.fixture
def table() -> Encounter:
    """Two Goblins, whose turn it is, and Aria with AC 15 and 20 hit points."""
    book = CreatureFactory.create(facts={"attacks": [blow(), blow("Sting", extra=[POISONED])]}).code
    goblin = creature(creature=book)
    fight = running(goblin, goblin, hero(), creature("Ghost", ac=None))
    encounter: Encounter = EncounterFactory.create(fight=fight)
    return encounter


def attack(client: Client, encounter: Encounter, *dice: int, **fields: object) -> str:
    """The board after an attack of Goblin 1 for which these dice have fallen, all of them."""
    source = Falling(*dice)
    before = chance.use(source)
    try:
        answer = press(
            client,
            encounter,
            "attack",
            **{"target": 1, "strike": SCIMITAR, "victim": ARIA, **fields},
        )
    finally:
        chance.use(before)
    assert not source.numbers, "dice are left over"
    return text_of(answer)


def aria(encounter: Encounter) -> rules.Combatant:
    return fight_in(encounter).combatant(ARIA)


def test_one_tap_rolls_to_hit_and_damage_and_takes_the_hit_points(
    gm_client: Client, table: Encounter
) -> None:
    text = attack(gm_client, table, 12, 3)
    assert aria(table).hp == 15
    assert "Goblin 1, Scimitar at Aria: 16 (d20 12), hits" in text
    assert "5 slashing" in text


def test_a_miss_rolls_no_damage(gm_client: Client, table: Encounter) -> None:
    assert "misses" in attack(gm_client, table, 4)
    assert aria(table).hp == 20


def test_a_critical_hit_doubles_the_dice(gm_client: Client, table: Encounter) -> None:
    attack(gm_client, table, 20, 3, 5)
    assert aria(table).hp == 10  # 3 + 5 + 2


def test_the_gm_says_with_advantage(gm_client: Client, table: Encounter) -> None:
    attack(gm_client, table, 2, 12, 3, mode="advantage")
    assert aria(table).hp == 15


def test_conditions_say_so_by_themselves(gm_client: Client, table: Encounter) -> None:
    pressed(gm_client, table, "add-effect", target=1, effect="poisoned")
    assert "misses" in attack(gm_client, table, 12, 2)


def test_a_whole_group_attacks_at_once(gm_client: Client, table: Encounter) -> None:
    before = fresh(table).version
    attack(gm_client, table, 12, 3, 13, 1, target=GOBLINS)
    assert aria(table).hp == 12
    assert fresh(table).version == before + 1


def test_of_a_group_those_who_are_surprised_do_not_attack_and_are_named(
    gm_client: Client, table: Encounter
) -> None:
    take(table, rules.OverrideSurprise(2, "surprised"))
    page = gm_client.get(f"/e/{table.uuid}/")
    assert "whole group without Goblin 2" in text_of(page)
    assert "Cannot attack: Goblin 2." in text_of(page)
    assert '<option value="2" disabled>' in page.content.decode()
    attack(gm_client, table, 12, 3, target=GOBLINS)
    assert aria(table).hp == 15, "one scimitar"


@pytest.mark.parametrize("target", ["2", GOBLINS])
def test_when_nobody_of_them_can_act_nothing_is_rolled_and_it_says_why(
    target: str, gm_client: Client, table: Encounter
) -> None:
    take(table, rules.OverrideSurprise(2, "surprised"))
    take(table, rules.AddEffect(1, rules.Effect("stunned")))
    answer = press(gm_client, table, "attack", target=target, strike=SCIMITAR, victim=ARIA)
    assert answer.status_code == 422
    who = "Goblin 2" if target == "2" else "Goblin 1 and Goblin 2"
    assert f"{who} can’t act: surprised or incapacitated." in text_of(answer)
    assert aria(table).hp == 20


def test_damage_behind_a_save_is_told_and_not_taken(gm_client: Client, table: Encounter) -> None:
    attack(gm_client, table, 12, 3, strike=f"{GOBLIN}:1")
    assert aria(table).hp == 15


def test_without_a_target_the_roll_is_shown_to_be_applied(
    gm_client: Client, table: Encounter
) -> None:
    text = attack(gm_client, table, 12, 3, victim="")
    assert "Goblin 1, Scimitar: 16 to hit (d20 12)" in text
    assert 'value="5 slashing"' in gm_client.get(f"/e/{table.uuid}/").content.decode()
    assert aria(table).hp == 20


def test_an_unknown_armor_class_leaves_the_word_to_the_gm(
    gm_client: Client, table: Encounter
) -> None:
    assert "to hit" in attack(gm_client, table, 12, 3, victim=4)
    assert fight_in(table).combatant(4).hp == 7


@pytest.mark.parametrize(
    "fields",
    [
        {"strike": f"{GOBLIN}:7"},
        {"strike": f"{GOBLIN}:-1"},
        {"strike": "x"},
        {"victim": 99},
        {"target": 99},
        {"mode": "luck"},
    ],
)
def test_an_attack_that_is_not_there_is_refused(
    fields: dict[str, object], gm_client: Client, table: Encounter
) -> None:
    sent = {"target": 1, "strike": SCIMITAR, "victim": ARIA} | fields
    assert press(gm_client, table, "attack", **sent).status_code == 422
    assert aria(table).hp == 20


def test_the_panel_says_what_a_save_decides(gm_client: Client, table: Encounter) -> None:
    sting = strikes(fight_in(table).combatant(1).creature)[1]
    assert (sting.damage, str(sting.further[0])) == (
        "1d6+2 slashing",
        "2d6 poison, Constitution 11 for half",
    )
    with translation.override("fr"):
        assert sting.damage == "1d6+2 tranchant"


def test_another_way_to_use_a_weapon_is_an_attack_of_its_own() -> None:
    both = {"dice": "1d10", "bonus": 2, "type": "slashing", "when": "two_hands"}
    code = CreatureFactory.create(facts={"attacks": [blow(alternative=both)]}).code
    assert [(str(strike), strike.damage) for strike in strikes(code)] == [
        ("Scimitar", "1d6+2 slashing"),
        ("Scimitar (two hands)", "1d10+2 slashing"),
    ]


def test_a_hit_on_somebody_whose_hit_points_nobody_knows_is_told(
    gm_client: Client, table: Encounter
) -> None:
    take(table, rules.Edit(ARIA, {"hp": None, "max_hp": None}))
    assert aria(table).hp is None
    assert "hits" in attack(gm_client, table, 12, 3)


def test_each_of_two_kinds_who_act_together_makes_its_own_attacks(
    gm_client: Client, table: Encounter
) -> None:
    ogre = CreatureFactory.create(english="Ogre", facts={"attacks": [blow("Greatclub")]}).code
    take(table, rules.Join((creature("Ogre", creature=ogre),), (9,)))
    take(table, rules.Merge((1, 5)))
    page = gm_client.get(f"/e/{table.uuid}/").content.decode()
    assert f'value="{GOBLIN}:0"' in page
    assert f'value="{ogre}:0"' in page
    text = attack(gm_client, table, 12, 3, target="1,2,5", strike=f"{ogre}:0")
    assert "Ogre, Greatclub at Aria" in text
    assert "Scimitar at" not in text


def test_a_weapon_without_magic_meets_the_defences_against_it(
    gm_client: Client, table: Encounter
) -> None:
    stone = (rules.Defence("resistance", "slashing", "nonmagical"),)
    take(table, rules.Edit(ARIA, {"defences": stone}))
    attack(gm_client, table, 12, 4, also=["nonmagical"])
    assert aria(table).hp == 17


def test_a_goblin_attacks_on_arias_turn_with_its_reaction_and_one_undo_takes_it_back(
    gm_client: Client, table: Encounter
) -> None:
    take(table, rules.GiveTurn(aria(table).slot or 0))
    address = f"/e/{table.uuid}/combatant/1/attack/"
    board = gm_client.get(f"/e/{table.uuid}/?selected=1").content.decode()
    assert f'href="{address}"' in board, "from its row when it is selected"
    assert '<select name="by"' in board, "damage is told by whom"
    page = gm_client.get(address).content.decode()
    assert "Attack with Goblin 1" in page
    assert f'<button class="strike" name="strike" value="{SCIMITAR}">' in page
    assert '<select name="way"' in page
    before = fight_in(table)
    sent = {"target": 1, "strike": SCIMITAR, "victim": ARIA, "way": "reaction", "at": "attack-of"}
    answer = press_plainly(gm_client, table, "attack", **sent)
    assert answer.status_code == 302
    assert not fight_in(table).combatant(1).reaction
    again = press_plainly(gm_client, table, "attack", **sent)
    assert again.status_code == 422
    assert "Attack with Goblin 1" in text_of(again)
    undo(table)
    assert fight_in(table).combatants == before.combatants
