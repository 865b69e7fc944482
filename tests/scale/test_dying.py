"""Servers that are killed, databases that go away and come back: no acknowledged step is lost."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from random import Random
from uuid import uuid4

import pytest

from tests.encounters.streaming import until
from tests.scale.installations import Gm, Installation
from tests.scale.servers import PostgreSQL
from tests.sizes import FULL

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of this kind are Unix's")
GMS = 4
HITS = 20 if FULL else 8  # by whichever thread


class Playing:
    """GMs who hit again and again, and send each hit until it is acknowledged."""

    def __init__(self, installation: Installation) -> None:
        self.acknowledged: list[str] = []
        self.interrupted = 0
        self._installation = installation
        self._over = threading.Event()
        self._gms = [threading.Thread(target=self._play) for _ in range(GMS)]

    def __enter__(self) -> "Playing":
        for gm in self._gms:
            gm.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        for gm in self._gms:
            gm.join()

    def _play(self) -> None:
        key = uuid4().hex
        with self._installation.gm() as gm:
            while not self._over.is_set():
                if self._is_taken(gm, key):
                    self.acknowledged.append(key)
                    key = uuid4().hex

    def _is_taken(self, gm: Gm, key: str) -> bool:
        try:
            return gm.hit(key)[0] == 200
        except (OSError, HTTPException):
            self.interrupted += 1
            time.sleep(0.01)
            return False

    def go_on(self, more: int = 10) -> None:
        """Wait until so many more hits are acknowledged."""
        before = len(self.acknowledged)
        until(lambda: len(self.acknowledged) >= before + more)


def assert_no_step_is_lost_over_kills(installation: Installation, kills: int) -> None:
    chance = Random(4)
    with installation.serving(), Playing(installation) as playing:
        for _ in range(kills):
            playing.go_on()
            time.sleep(chance.uniform(0, 0.02))  # at any moment of a step
            installation.kill()
            installation.serve()
        playing.go_on()
    assert playing.interrupted >= kills
    installation.assert_no_step_is_lost_or_doubled(playing.acknowledged)


def test_a_server_that_is_killed_loses_and_doubles_no_step(installation: Installation) -> None:
    assert_no_step_is_lost_over_kills(installation, kills=100 if FULL else 1)


def test_neither_does_one_on_postgresql(postgresql_installation: Installation) -> None:
    assert_no_step_is_lost_over_kills(postgresql_installation, kills=30 if FULL else 1)


# PostgreSQL away


def hit_and_look(installation: Installation) -> tuple[str, set[int]]:
    """What a step and a page answer to each of several GMs at once; and a key that was sent."""

    def ask(_number: int) -> tuple[str, int, int]:
        with installation.gm() as gm:
            status, key = gm.hit()
            return key, status, gm.look()[0]

    with ThreadPoolExecutor(GMS) as pool:
        answers = list(pool.map(ask, range(GMS)))
    return answers[0][0], {status for _, *both in answers for status in both}


def test_while_postgresql_is_away_it_is_said_and_when_it_is_back_nothing_fails(
    postgresql_installation: Installation, postgresql: PostgreSQL
) -> None:
    table = postgresql_installation
    with table.serving():
        assert hit_and_look(table)[1] == {200}  # every thread has its connection
        for number in range(10 if FULL else 2):
            with postgresql.away(killed=number % 2 == 1):
                key, answers = hit_and_look(table)
                assert answers == {503}
                assert table.ask("/healthz")[0] == 200
                until(lambda: not table.is_ready())
            with table.gm() as gm:
                assert gm.hit(key) == (200, key)
                assert {gm.hit()[0] for _ in range(HITS)} == {200}
                assert gm.hit(key) == (200, key)
            with postgresql.away():
                pass  # and nobody was told
            with table.gm() as gm:
                assert {gm.hit()[0] for _ in range(HITS)} == {200}
            until(table.is_ready)
            assert [taken for taken, _ in table.steps()].count(key) == 1


def test_what_was_half_done_when_postgresql_died_is_not_done(
    postgresql_installation: Installation, postgresql: PostgreSQL
) -> None:
    table = postgresql_installation
    with table.serving():
        with Playing(table) as playing:
            for _ in range(5 if FULL else 2):  # more of it would fill the pipe of what is said
                playing.go_on()
                with postgresql.away(killed=True):
                    pass
            playing.go_on()
        table.stop()
    table.assert_no_step_is_lost_or_doubled(playing.acknowledged)
