"""A table at which every verb can succeed, and what each verb's form sends then."""

from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from django.db import connection
from django.db.models import Model
from django.db.models.base import ModelState

import rules
from encounters import adding, steps
from encounters.models import Campaign, Combatant, Encounter, Step
from tests.encounters.playing import take, undo
from tests.factories import CreatureFactory, EncounterFactory, blow, creature, fight_of, hero

ARIA, BRAN, GOBLIN, OGRE, WOLF, CLEO, DAIN, LAIR = 1, 2, 3, 6, 7, 8, 9, 10  # Goblins 3, 4 and 5
TOTALS = {ARIA: 25, BRAN: 22, GOBLIN: 12, OGRE: 12, WOLF: 8, CLEO: 7, DAIN: 6}
PEOPLE = 10  # around the table
CONCENTRATION = "concentration|10|con|concentration||"  # what is due of the Ogre
COUNTED = (
    rules.Use("Legendary actions", 3, 3, "legendary"),
    rules.Use("Fire Breath", 1, 1, "recharge", "Souffle de feu", recharges_from=5),
)  # of the Ogre


Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Use:
    """A fight's state, and fields of a form that change something in it."""

    state: str  # prepared | opened | begun | felled | fallen | undone | over
    fields: dict[str, Any]


USES: dict[str, Use] = {
    "join": Use("begun", {"text": "goblin", "arrives": "3"}),
    "add-lair": Use("begun", {}),
    "leave": Use("begun", {"target": "4,7"}),
    "edit": Use(
        "begun",
        {"target": OGRE, "name": "Grak", "side": "third", "initiative_roll": "plain", "hp": 5,
         "max_hp": 9, "arrives": 4, "notes": "sly"},
    ),
    "set-hidden": Use("begun", {"target": "3,6", "hidden": "1"}),
    "set-side-hidden": Use("begun", {"side": "foes", "hidden": "1"}),
    "set-label": Use("begun", {"target": "3,6", "label": "Stranger"}),
    "set-out": Use("begun", {"target": "3,6", "out": "1"}),
    "change-side": Use("begun", {"target": "3,4", "side": "third"}),
    "ally": Use("begun", {"one": "foes", "other": "third", "allied": "1"}),
    "set-owner": Use("begun", {"target": LAIR, "owner": OGRE}),
    "set-roll": Use("begun", {"target": OGRE, "what": "stealth_roll", "roll": "advantage"}),
    "change-settings": Use("begun", {"tie_rule": "roll_off", "reveal_on_turn": "False"}),
    "open-fight": Use("prepared", {}),
    "hide": Use("opened", {"stealth_6": "", "stealth_7": "17"}),
    "hide-side": Use("opened", {"side": "foes"}),
    "stop-hiding": Use("opened", {"side": "foes"}),
    "override-surprise": Use("begun", {"target": "3,6", "surprise": "surprised"}),
    "set-passive": Use("opened", {"target": OGRE, "passive_perception": "13"}),
    "roll-initiative": Use("opened", {"total_1": "17"}),
    "set-total": Use("begun", {"target": WOLF, "total": "24"}),
    "start-fight": Use("opened", {"total_1": "17", "accept_empty": "1"}),
    "break-tie": Use("begun", {"first": OGRE}),
    "roll-off": Use("begun", {"total": 12}),
    "reorder": Use("begun", {"target": WOLF, "before": str(ARIA)}),
    "split": Use("begun", {"target": "3,4"}),
    "merge": Use("begun", {"target": "6,7"}),
    "mount": Use("begun", {"target": WOLF, "rider": OGRE}),
    "give-extra-turn": Use("begun", {"target": ARIA}),
    "remove-extra-turn": Use("begun", {"target": CLEO}),
    "wait": Use("begun", {"target": BRAN}),
    "come-back": Use("begun", {"target": DAIN}),
    "next-turn": Use("begun", {}),
    "previous-turn": Use("begun", {}),
    "give-turn": Use("begun", {"target": OGRE}),
    "set-reaction": Use("begun", {"target": "1,2"}),
    "release-readied": Use("begun", {"target": BRAN}),
    "take-action": Use("begun", {"target": "3,4,5", "action": "dash", "cost": "bonus"}),
    "set-spent": Use("begun", {"target": "3,4", "tick": "object-spent"}),
    "move": Use("begun", {"target": "3,4", "distance": "15"}),
    "choose-speed": Use("begun", {"target": OGRE, "way": "fly"}),
    "stand-up": Use("begun", {"target": BRAN}),
    "add-effect": Use(
        "begun",
        {"target": "3,4,6", "effect": "frightened", "lasts": "rounds:10", "source": BRAN,
         "hangs": "on", "spell": "Fear"},
    ),
    "remove-effect": Use("begun", {"target": "2,3", "effect": "prone"}),
    "damage": Use("begun", {"target": "3,4,6", "amount": "2d6+3"}),
    "stay-up": Use("felled", {"target": "3,6", "instead": "one"}),
    "heal": Use("begun", {"target": "3,6", "amount": "1"}),
    "attack": Use("begun", {"target": "3,4", "strike": "srd-5.1/goblin:0"}),
    "settle": Use("begun", {"target": OGRE, "due": CONCENTRATION, "result": "failed"}),
    "dismiss": Use("begun", {"target": OGRE, "due": CONCENTRATION}),
    "spend-use": Use("begun", {"target": OGRE, "use": "Legendary actions", "cost": "2"}),
    "set-use": Use("begun", {"target": OGRE, "use": "Fire Breath", "left": "0"}),
    "add-use": Use("begun", {"target": "1,2", "name": "Rage", "max": "3", "kind": "day"}),
    "remove-use": Use("begun", {"target": OGRE, "use": "Fire Breath"}),
    "roll-dice": Use("begun", {"dice": "4d6kh3 + 2", "who": OGRE}),
    "give-temporary": Use("begun", {"target": "3,4,6", "amount": "5"}),
    "change-maximum": Use("begun", {"target": "3,4,6", "amount": "+5"}),
    "revive": Use("fallen", {"target": "3,4,6", "amount": "5"}),
    "stabilise": Use("fallen", {"target": "1,6,8"}),
    "end-fight": Use("begun", {}),
    "reopen-fight": Use("over", {}),
    "undo": Use("begun", {}),
    "redo": Use("undone", {}),
    "go-back": Use("begun", {"version": "2"}),
}  # fmt: skip


class Rows(NamedTuple):
    """The rows of a table, as the commands left them; those of many as the database has them."""

    campaign: Campaign
    encounter: Encounter
    many: dict[type[Combatant | Step], list[list[Any]]]


_rows: dict[tuple[str, int], Rows] = {}


def table(state: str, people: int = PEOPLE) -> Encounter:
    """Heroes 1, 2, 8 and 9, Goblins 3 to 5 in a group, an Ogre, a Wolf, a lair; in this state.

    In a running fight Bran has the turn: he is prone and holds something ready. Dain waits; the
    Goblins and the Ogre, who is hurt, have the same total; the Ogre has legendary actions, and is
    asked to keep its concentration. Cleo has a second turn. In a fallen one, Aria and Cleo are
    dying, and two Goblins and the Ogre are defeated. In a felled one the first Goblin is, by the
    last step.

    Commands lead there once; from then on copies of their rows are laid out.
    """
    CreatureFactory.create(facts={"attacks": [blow()]})
    if (state, people) not in _rows:
        one = Encounter.objects.select_related("campaign").get(pk=_played(state, people).pk)
        many = {model: _read(model, one.pk) for model in (Combatant, Step)}
        _rows[state, people] = Rows(one.campaign, one, many)
    return _laid_out(_rows[state, people])


def _laid_out(rows: Rows) -> Encounter:
    campaign = _copy(rows.campaign, uuid=uuid4(), shown_id=None)
    campaign.save()
    encounter = _copy(rows.encounter, campaign=campaign)
    if Encounter.objects.filter(uuid=encounter.uuid).exists():
        encounter.uuid = uuid4()  # else the same address, of which fragments are kept already
    encounter.save()
    if rows.campaign.shown_id is not None:
        campaign.shown = encounter
        campaign.save()
    for model, many in rows.many.items():
        _write(model, encounter.pk, many)
    return encounter


# Models would be built and compiled for each of some thousand tables.


def _columns(model: type[Model]) -> str:
    """All but the primary key; the encounter's is the first."""
    names = [str(one.column) for one in model._meta.concrete_fields if not one.primary_key]
    names.sort(key=lambda name: name != "encounter_id")
    return ", ".join(map(connection.ops.quote_name, names))


def _read(model: type[Model], encounter: int) -> list[list[Any]]:
    """The encounter's rows, without the encounter."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        where = "WHERE encounter_id = %s ORDER BY id"
        cursor.execute(f"SELECT {_columns(model)} FROM {table} {where}", [encounter])
        return [[connection.ops.adapt_unknown_value(v) for v in row[1:]] for row in cursor]


def _write(model: type[Model], encounter: int, rows: list[list[Any]]) -> None:
    if rows:
        values = ", ".join(["%s"] * (1 + len(rows[0])))
        insert = f"INSERT INTO {model._meta.db_table} ({_columns(model)}) VALUES ({values})"
        with connection.cursor() as cursor:
            cursor.executemany(insert, [[encounter, *row] for row in rows])


def _copy(row: Row, **changes: object) -> Row:
    copied = copy(row)
    copied.pk, copied._state = None, ModelState()
    for name, value in changes.items():
        setattr(copied, name, value)
    return copied


def _played(state: str, people: int) -> Encounter:
    book = CreatureFactory.create(facts={"attacks": [blow()]}).code
    goblin = creature(creature=book, speed=30)
    party = [
        *(hero(name, speed=30) for name in ("Aria", "Bran")),
        *[goblin] * 3,
        creature("Ogre", max_hp=59, speed=40, uses=COUNTED, speeds={"fly": 30}),
        creature("Wolf", speed=40),
        *(hero(name, speed=30) for name in ("Cleo", "Dain")),
        adding.lair(),
    ]
    others = [creature(f"Guard {n}", side="third", speed=30) for n in range(people - PEOPLE)]
    encounter: Encounter = EncounterFactory.create(fight=fight_of(*party, *others))
    if state == "prepared":
        return encounter
    take(encounter, rules.OpenFight())
    if state == "opened":
        take(encounter, rules.Hide({OGRE: 15}))
        return encounter
    _begin(encounter, people)
    if state == "fallen":
        for number in (ARIA, CLEO, GOBLIN, GOBLIN + 1, OGRE):
            take(encounter, rules.SetHitPoints(number, 0))
    if state == "felled":  # by its form, whose name its step has
        hit = rules.Damage(GOBLIN, 40)
        steps.take_step(encounter.uuid, uuid4(), "damage", lambda _: hit)
    if state == "undone":
        undo(encounter)
    if state == "over":
        take(encounter, rules.EndFight())
    return encounter


def _begin(encounter: Encounter, people: int) -> None:
    rest = {number: -number for number in range(PEOPLE + 1, people + 1)}
    take(encounter, rules.StartFight(totals={**TOTALS, **rest}))
    for command in (
        rules.AddEffect(OGRE, rules.Effect("concentration")),
        rules.Damage(OGRE, 9),
        rules.Damage(GOBLIN, 3),
        rules.NextTurn(),
        rules.AddEffect(BRAN, rules.Effect("prone")),
        rules.TakeAction(BRAN, "ready", text="the door opens"),
        rules.Wait(DAIN),
        rules.GiveExtraTurn(CLEO),
    ):
        take(encounter, command)
