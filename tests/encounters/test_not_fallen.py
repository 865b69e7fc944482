"""Something instead of a fall, told with the hit or right after it; hits that come to nothing."""

from html import unescape
from typing import Any

import pytest
from django.test import Client

import rules
from encounters import history
from encounters.models import Encounter
from tests.encounters.playing import fight_in, fresh, press, take, text_of, undo
from tests.factories import EncounterFactory, creature, hero, running

pytestmark = pytest.mark.django_db
ARIA, ZOMBIE, SECOND, GOLEM = 1, 2, 3, 4


@pytest.fixture
def fight(db: None) -> Encounter:
    """Aria, who concentrates and has marked a golem immune to poison, and two zombies."""
    zombie = creature("Zombie", max_hp=22, creature="a/zombie")
    golem = creature("Golem", max_hp=90, defences=(rules.Defence("immunity", "poison"),))
    made: Encounter = EncounterFactory.create(
        fight=running(hero("Aria", max_hp=20), zombie, zombie, golem)
    )
    marked = rules.Effect("own", text="marked", source=ARIA, hangs=True)
    take(made, rules.AddEffect(GOLEM, marked))
    return made


def who(encounter: Encounter, number: int) -> rules.Combatant:
    return fight_in(encounter).combatant(number)


def sent(client: Client, encounter: Encounter, verb: str, **typed: Any) -> str:
    """A verb, and the board that answers it."""
    return unescape(press(client, encounter, verb, **typed).content.decode())


def test_a_zombie_stays_at_1_by_a_word_told_with_the_hit(
    fight: Encounter, gm_client: Client
) -> None:
    sent(gm_client, fight, "damage", target=ZOMBIE, amount="30", instead="one")
    assert (who(fight, ZOMBIE).hp, who(fight, ZOMBIE).effects) == (1, ())


def test_the_choice_is_offered_right_after_the_hit_and_no_longer(
    fight: Encounter, gm_client: Client
) -> None:
    offered = 'data-when="felled" id="stay-up-one"'
    board = sent(gm_client, fight, "damage", target=ZOMBIE, amount="30", selected=ZOMBIE)
    assert offered in board
    board = sent(gm_client, fight, "stay-up", target=ZOMBIE, instead="one", selected=ZOMBIE)
    assert who(fight, ZOMBIE).hp == 1
    assert offered not in board
    sent(gm_client, fight, "undo")
    assert who(fight, ZOMBIE).hp == 0


def test_a_hero_kept_up_after_the_hit_has_her_concentration_and_what_hangs_on_it(
    fight: Encounter, gm_client: Client
) -> None:
    sent(gm_client, fight, "damage", target=ARIA, amount="25")
    assert who(fight, ARIA).has("prone")
    assert not who(fight, GOLEM).effects
    sent(gm_client, fight, "stay-up", target=ARIA, instead="one")
    aria = who(fight, ARIA)
    assert (aria.hp, aria.has("prone"), aria.has("concentration")) == (1, False, True)
    assert [(due.kind, due.dc) for due in aria.dues] == [("concentration", 12)]
    assert who(fight, GOLEM).has("own")


def test_of_several_who_fell_together_only_the_chosen_stand(
    fight: Encounter, gm_client: Client
) -> None:
    sent(gm_client, fight, "damage", target="1,2,3", amount="30")
    sent(gm_client, fight, "stay-up", target="3,4", instead="full")
    assert [who(fight, number).hp for number in (ARIA, ZOMBIE, SECOND, GOLEM)] == [0, 0, 22, 90]


def test_the_hit_counts_once_among_the_damage_dealt(fight: Encounter, gm_client: Client) -> None:
    sent(gm_client, fight, "damage", target=ZOMBIE, amount="30")
    sent(gm_client, fight, "stay-up", target=ZOMBIE, instead="one")
    codes = [event["code"] for record in history.records(fresh(fight)) for event in record.events]
    assert (codes.count("damaged"), codes.count("stayed-up")) == (1, 1)


@pytest.mark.parametrize("between", [rules.NextTurn(), rules.Heal(ARIA, 1), rules.SetOut(4, True)])
def test_after_another_step_it_is_refused(
    fight: Encounter, gm_client: Client, between: rules.Command
) -> None:
    sent(gm_client, fight, "damage", target="1,2", amount="19")
    take(fight, rules.Damage(ZOMBIE, 30))
    take(fight, between)
    answer = press(gm_client, fight, "stay-up", target=ZOMBIE, instead="one")
    assert answer.status_code == 422
    assert "brought none of those selected to 0" in text_of(answer)
    assert who(fight, ZOMBIE).hp == 0


def test_one_who_did_not_fall_is_not_kept_up(fight: Encounter, gm_client: Client) -> None:
    sent(gm_client, fight, "damage", target=ZOMBIE, amount="30")
    answer = press(gm_client, fight, "stay-up", target=GOLEM, instead="one")
    assert answer.status_code == 422


# What comes to nothing


@pytest.mark.parametrize(
    ("typed", "mark", "line"),
    [
        ({"amount": "10 poison"}, "immune: 0", "0 poison damage to Golem (of 10; immune)"),
        ({"amount": "9", "reduction": "9"}, "reduced: 0", "0 damage to Golem (of 9; reduced to 0)"),
        ({"amount": "0"}, "damage: 0", "0 damage to Golem"),
    ],
)
def test_a_hit_that_comes_to_0_is_told_and_undone_like_any(
    typed: dict[str, str], mark: str, line: str, fight: Encounter, gm_client: Client
) -> None:
    version = fresh(fight).version
    board = sent(gm_client, fight, "damage", target=GOLEM, **typed)
    assert (f">{mark}<" in board, line in board) == (True, True)
    assert fresh(fight).version == version + 1
    undo(fight)
    assert line in board_of(gm_client, fight)


def board_of(client: Client, encounter: Encounter) -> str:
    return unescape(client.get(f"/e/{encounter.uuid}/").content.decode())


# Regeneration


def test_regeneration_is_put_on_with_what_prevents_it(fight: Encounter, gm_client: Client) -> None:
    typed = {"effect": "own", "text": "Regeneration", "each_turn": "10", "each_type": "healing"}
    sent(gm_client, fight, "add-effect", target=GOLEM, **typed, stopped_by="acid or fire")
    sent(gm_client, fight, "add-effect", target=ZOMBIE, **typed, needs_hp="1")
    found = [who(fight, number).effects[-1] for number in (GOLEM, ZOMBIE)]
    assert [(e.stopped_by, e.needs_hp) for e in found] == [("acid,fire", False), ("", True)]
    board = sent(gm_client, fight, "damage", target=GOLEM, amount="1 fire")
    assert "prevented once by damage: acid and fire · prevented next time" in board


def test_a_type_that_nobody_knows_prevents_nothing(fight: Encounter, gm_client: Client) -> None:
    typed = {"effect": "own", "text": "R", "each_turn": "10", "each_type": "healing"}
    answer = press(gm_client, fight, "add-effect", target=GOLEM, **typed, stopped_by="spoons")
    assert answer.status_code == 422
    assert "No type of damage begins with" in text_of(answer)
