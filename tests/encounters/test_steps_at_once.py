"""Two GMs, double clicks and repeated requests, all in the same moment."""

from functools import partial
from uuid import uuid4

import pytest
from django.db import connection

import rules
from encounters import steps
from tests.encounters.playing import (
    at_once,
    fight_in,
    fresh,
    ogre_fight,
    ogres_hp,
    take,
    versions,
)

pytestmark = pytest.mark.django_db(transaction=True)


# RW-S28: a request that is sent again has no second effect
@pytest.mark.parametrize(
    ("command", "seen"), [(rules.NextTurn(), 0), (rules.Damage(3, 5), None)], ids=["next", "damage"]
)
def test_one_key_eight_times_at_once_has_one_effect(command: rules.Command, seen: int) -> None:
    encounter, key = ogre_fight(), uuid4()
    taken = at_once(*[partial(take, encounter, command, key=key, seen=seen)] * 8)
    assert all(isinstance(one, steps.Taken) for one in taken)
    assert [one.fight for one in taken if isinstance(one, steps.Taken)] == [fight_in(encounter)] * 8
    assert versions(encounter) == [1]
    fight = fight_in(encounter)
    assert (fight.current, fight.combatant(3).hp) == ((2, 300) if seen == 0 else (1, 295))


# RW-S28: two GMs in the same moment move one turn on
def test_two_gms_who_press_next_in_the_same_moment_move_one_turn_on() -> None:
    encounter = ogre_fight()
    answers = at_once(*[lambda: take(encounter, rules.NextTurn(), seen=0)] * 4)
    assert sorted(type(answer).__name__ for answer in answers) == ["Stale"] * 3 + ["Taken"]
    assert fight_in(encounter).current == 2


# RW-S29: the blows of two GMs all count
def test_the_blows_of_two_gms_all_count() -> None:
    encounter = ogre_fight()

    def blows() -> None:
        for _ in range(100):
            take(encounter, rules.Damage(3, 1))

    assert at_once(blows, blows) == [None, None]
    assert ogres_hp(encounter) == 100
    assert versions(encounter) == list(range(1, 201))
    assert fresh(encounter).version == 200


def test_undo_against_a_racing_blow_never_takes_back_the_wrong_one() -> None:
    for _ in range(10):
        encounter = ogre_fight()
        take(encounter, rules.Damage(3, 100))
        undone, struck = at_once(
            partial(steps.undo_step, encounter.uuid, uuid4(), seen=1),
            partial(take, encounter, rules.Damage(3, 5)),
        )
        assert isinstance(struck, steps.Taken)
        assert ogres_hp(encounter) == (195 if isinstance(undone, steps.Stale) else 295)


# RW-S30: a writer waits for the lock instead of failing
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL's writers wait anyway")
def test_the_database_waits_its_turn_instead_of_failing() -> None:
    with connection.cursor() as cursor:
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("busy_timeout", 5000)):
            cursor.execute(f"PRAGMA {pragma}")
            assert cursor.fetchone() == (value,)
