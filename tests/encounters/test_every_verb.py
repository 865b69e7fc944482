"""Every verb over HTTP: one step, undone and redone field by field, once for each key."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import rules
from encounters.book_attacks import strikes
from encounters.forms import VERBS
from encounters.labels import name_of
from encounters.models import Encounter
from tests.encounters.playing import (
    HTMX,
    fight_in,
    form,
    fresh,
    press,
    pressed,
    redo,
    take,
    text_of,
    undo,
)
from tests.encounters.uses import ARIA, GOBLIN, OGRE, PEOPLE, USES, table
from tests.factories import creature, hero
from tests.sizes import FULL

pytestmark = pytest.mark.django_db

BY_VERB = {verb.verb: verb for verb in VERBS}
ORDERED = sorted(verb.verb for verb in VERBS if verb.ordered)
RELATIVE = sorted(verb.verb for verb in VERBS if not verb.ordered)
MANY = PEOPLE + 3  # combatants
QUERY_LIMIT = 10
TOLD_ALONE = {"roll-dice", "attack"}  # steps that change nothing in the fight
ALSO = {"join": 3}  # to find a creature in the book, and the campaign it joins


def state_of(encounter: Encounter) -> rules.Fight:
    """Everything but the count of steps."""
    return replace(fight_in(encounter), version=0)


def test_every_verb_has_its_use_here() -> None:
    assert set(USES) == set(BY_VERB)


# RW-S28: any request sent again has one effect and the same answer
@pytest.mark.parametrize("verb", sorted(USES))
def test_a_verb_sent_twice_with_one_key_is_one_step_that_is_undone_and_redone_field_by_field(
    verb: str, gm_client: Client
) -> None:
    encounter = table(USES[verb].state)
    before, version = state_of(encounter), fresh(encounter).version
    sent = form(encounter, **USES[verb].fields)
    address = f"/e/{encounter.uuid}/{verb}/"
    first = gm_client.post(address, sent, headers=HTMX)
    after = state_of(encounter)
    again = gm_client.post(address, sent, headers=HTMX)
    assert (first.status_code, again.status_code) == (200, 200), text_of(first)
    assert text_of(first) == text_of(again)
    assert state_of(encounter) == after
    assert (after == before) == (verb in TOLD_ALONE)
    assert fresh(encounter).version == version + 1
    there, back = (redo, undo) if verb == "undo" else (undo, redo)
    there(encounter)
    assert state_of(encounter) == before
    back(encounter)
    assert state_of(encounter) == after


@pytest.mark.parametrize("verb", ORDERED)
def test_what_depends_on_the_order_is_stopped_on_an_old_page(verb: str, gm_client: Client) -> None:
    encounter = table(USES[verb].state)
    before, version = fight_in(encounter), fresh(encounter).version
    none_of_them = [version + 1, -1, ""] if FULL or verb == "next-turn" else []  # all read alike
    for seen in (version - 1, *none_of_them):
        answer = press(gm_client, encounter, verb, seen=seen, **USES[verb].fields)
        assert answer.status_code == 409
        assert "Not applied" in text_of(answer)
        assert answer.context["board"].version == version  # type: ignore[attr-defined]
    assert fight_in(encounter) == before


@pytest.mark.parametrize("verb", RELATIVE)
def test_what_adds_up_is_done_on_a_page_of_any_age(verb: str, gm_client: Client) -> None:
    encounter = table(USES[verb].state)
    version = fresh(encounter).version
    pressed(gm_client, encounter, verb, seen=1, **USES[verb].fields)
    assert fresh(encounter).version == version + 1


@pytest.mark.parametrize("verb", sorted(USES))
def test_a_verb_answers_with_as_few_queries_for_many_as_for_few(
    verb: str, gm_client: Client
) -> None:
    gm_client.get("/about/")  # the first visit of a day is written down
    counts = [_queries(gm_client, verb, people) for people in (PEOPLE, MANY)]
    assert counts[0] == counts[1]
    assert counts[0] <= QUERY_LIMIT + ALSO.get(verb, 0)


def _queries(client: Client, verb: str, people: int) -> int:
    encounter = table(USES[verb].state, people)
    for code in {one.creature for one in fight_in(encounter).combatants}:
        strikes(code)  # what the book knows of attacks is kept
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert press(client, encounter, verb, **USES[verb].fields).status_code == 200
    own = [one["sql"] for one in queries if "SAVEPOINT" not in one["sql"]]
    return len(own) - 2  # `press` itself asks for the version


def test_the_turn_before_round_two_may_be_somebodys_second_one(gm_client: Client) -> None:
    encounter = table("begun")
    take(encounter, rules.GiveExtraTurn(ARIA))
    take(encounter, rules.RollInitiative(totals={ARIA: 5}))
    while fight_in(encounter).round == 1:
        before = state_of(encounter)
        pressed(gm_client, encounter, "next-turn")
    assert before.home(before.current) == ARIA != before.current
    pressed(gm_client, encounter, "previous-turn")
    assert state_of(encounter) == before


def test_next_turn_does_what_the_board_said_it_would(gm_client: Client) -> None:
    encounter = table("begun")
    take(encounter, rules.TakeAction(GOBLIN, "dodge", cost="none"))
    take(encounter, rules.OverrideSurprise(GOBLIN, "surprised"))
    take(encounter, rules.SetReaction(OGRE, False))
    take(encounter, rules.Join((creature("Bear", arrives=2), hero("Elin", arrives=3)), (20, 9)))
    for _ in range(2 * len(fight_in(encounter).slots)):
        fight = fight_in(encounter)
        told = rules.preview(fight)
        assert told
        board = gm_client.get(f"/e/{encounter.uuid}/").context["board"]
        answer = press(gm_client, encounter, "next-turn")
        after = fight_in(encounter)
        assert board.foreseen.slot == after.current == told.slot
        assert board.foreseen.round == (after.round if after.round > fight.round else 0)
        assert board.foreseen.who == answer.context["board"].panel.who  # type: ignore[attr-defined]
        pairs = list(zip(fight.combatants, after.combatants, strict=True))
        ended = [a for a, b in pairs if a.surprised and not b.surprised]
        back = [a for a, b in pairs if b.reaction and not a.reaction]
        came = [a for a, b in pairs if a.awaited and not b.awaited]
        gone = [(a, e) for a, b in pairs for e in a.effects if e not in b.effects]
        assert (ended, back, came) == (
            list(told.surprise_ends), list(told.reactions_return), list(told.arrive),
        )  # fmt: skip
        assert gone == list(told.effects_end)
        said = " ".join(board.foreseen.changes)
        for who in (*ended, *back, *came, *(one for one, _ in gone)):
            assert str(name_of(who)) in said
        others = told.asked or told.hit_points or told.legendary_return
        assert bool(board.foreseen.changes) == bool(ended or back or came or gone or others)
    assert fight_in(encounter).round >= 2
