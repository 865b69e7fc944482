"""A fight in which much is due, and what its forms send."""

from typing import Any

from django.test import Client

import rules
from encounters import due_fields, log
from encounters.models import Encounter
from encounters.screens import gm_board
from encounters.screens.gm import GmBoard
from tests.encounters.playing import fight_in, fresh, press, take, text_of
from tests.factories import EncounterFactory, creature, fight_of, hero

BRAN, DRAGON, GOBLIN, LIA = 1, 2, 3, 6  # Goblins 3, 4 and 5
FRIGHTENED = rules.Effect("frightened", source=DRAGON, save="wis", dc=15)
BURNING = rules.Effect("own", text="burning", each="2d4", each_type="fire", each_at="end")
MENDING = rules.Effect("own", text="mending", each="5", heals=True, offered=True, each_at="end")
USES = (
    rules.Use("Legendary actions", 3, 3, "legendary", "Actions légendaires"),
    rules.Use("Legendary Resistance", 3, 2, "resistance", "Résistance légendaire"),
    rules.Use("Fire Breath", 1, 0, "recharge", "Souffle de feu", recharges_from=5),
)


def lair_fight(**campaign: Any) -> Encounter:
    """Bran 20, a dragon 15, three goblins 10 and Lia 5; Bran has the turn."""
    party = [
        hero("Bran", max_hp=30, saves={}),
        creature("Dragon", name_fr="Dragonne", max_hp=200, uses=USES, saves={"wis": 7, "con": 9}),
        *[creature(creature="gob", max_hp=20, saves={"wis": -1, "con": 0})] * 3,
        hero("Lia", max_hp=16),
    ]
    facts = {f"campaign__{name}": value for name, value in campaign.items()}
    encounter: Encounter = EncounterFactory.create(fight=fight_of(*party), **facts)
    take(encounter, rules.StartFight(totals={BRAN: 20, DRAGON: 15, GOBLIN: 10, LIA: 5}))
    return encounter


def put(encounter: Encounter, effect: rules.Effect, *numbers: int) -> None:
    for number in numbers:
        take(encounter, rules.AddEffect(number, effect))


def go_on(encounter: Encounter, turns: int = 1) -> None:
    for _ in range(turns):
        take(encounter, rules.NextTurn())


def due_of(encounter: Encounter, number: int, kind: str = "") -> str:
    """What the form's field says of what is due of this combatant."""
    dues = fight_in(encounter).combatant(number).dues
    [found] = [due for due in dues if kind in ("", due.kind)]
    return due_fields.written(found)


def board_of(encounter: Encounter) -> GmBoard:
    return gm_board(fresh(encounter), fight_in(encounter))


def settle(
    client: Client, encounter: Encounter, number: int | str, due: str, result: str, **more: object
) -> str:
    """Press the button; the sentence that the log tells of it."""
    typed = {"target": number, "due": due, "result": result, **more}
    answer = press(client, encounter, "settle", **typed)
    assert answer.status_code == 200, text_of(answer)
    return told(encounter)


def told(encounter: Encounter) -> str:
    step = encounter.steps.last()
    assert step
    return log.sentence(step.events)


def refused(client: Client, encounter: Encounter, verb: str, **typed: object) -> str:
    before = fight_in(encounter)
    answer = press(client, encounter, verb, **typed)
    assert answer.status_code == 422
    assert fight_in(encounter) == before
    return text_of(answer)


def dues(encounter: Encounter, number: int) -> list[str]:
    return [due.kind for due in fight_in(encounter).combatant(number).dues]


def codes(encounter: Encounter, number: int) -> list[str]:
    return [effect.code for effect in fight_in(encounter).combatant(number).effects]


def dying_fight() -> Encounter:
    """Lia lies dying, and it is her turn."""
    encounter = lair_fight()
    take(encounter, rules.Damage(LIA, 16))
    go_on(encounter, 3)
    return encounter
