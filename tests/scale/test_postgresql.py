"""The same table on PostgreSQL: its own tests hold there, and many GMs at once lose nothing."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import cycle
from threading import Barrier
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.conf import settings

from tests.processes import run_python
from tests.scale.installations import Gm, Installation
from tests.scale.servers import PostgreSQL
from tests.sizes import FULL

GMS = 8
HITS = 500 if FULL else 20  # of each
KEYS = 1_000 if FULL else 10
TURNS = 1_000 if FULL else 24

USUAL = (
    "encounters/test_steps.py",
    "encounters/test_unseen_turns.py::test_what_is_undone_by_hand_changes_no_number",
    "encounters/test_unseen_turns.py::test_an_unseen_turn_costs_one_query_more_and_any_other_none",
    "bestiary/test_search.py",
)


def test_the_tests_of_the_table_hold_on_postgresql(postgresql: PostgreSQL) -> None:
    chosen = ("encounters", "bestiary") if FULL else USUAL
    environment = {**os.environ, "QUI_VIVE_TEST_SIZE": "usual"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
        + [str(settings.BASE_DIR / "tests" / name) for name in chosen],
        cwd=settings.BASE_DIR,
        env=environment | {"QUI_VIVE_TEST_DATABASE_URL": postgresql.new_database()},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5_000:]


@pytest.fixture(scope="module")
def served(
    postgresql: PostgreSQL,
    prepared_on_postgresql: Installation,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Installation]:
    database = postgresql.new_database(prepared_on_postgresql.environment["DATABASE_URL"])
    folder = tmp_path_factory.mktemp("table") / "data"
    with prepared_on_postgresql.moved(folder, DATABASE_URL=database).serving() as table:
        yield table


def test_eight_gms_at_once_lose_nothing(served: Installation) -> None:
    before = len(served.steps())

    def play(_number: int) -> list[tuple[int, str]]:
        with served.gm() as gm:
            return [gm.hit() for _ in range(HITS)]

    with ThreadPoolExecutor(GMS) as pool:
        answers = [answer for answers in pool.map(play, range(GMS)) for answer in answers]
    assert {status for status, _ in answers} == {200}
    assert len(served.steps()) == before + GMS * HITS
    served.assert_no_step_is_lost_or_doubled([key for _, key in answers])


def test_the_same_key_from_several_windows_at_once_counts_once(served: Installation) -> None:
    before = len(served.steps())
    with ExitStack() as stack, ThreadPoolExecutor(5) as pool:
        windows = [stack.enter_context(served.gm()) for _ in range(5)]
        for _ in range(KEYS):
            answers = pool.map(Gm.hit, windows, [uuid4().hex] * len(windows))
            assert {status for status, _ in answers} == {200}
    assert len(served.steps()) == before + KEYS


def test_of_two_changes_at_once_players_see_both(served: Installation) -> None:
    """One GM takes a turn while the other changes whether the initiative is shown."""
    players_see = f"/c/{served.facts['campaign']}/players-see/"
    words = {f"hp_{side}": "word" for side in ("heroes", "allies", "foes", "others")}
    words |= {f"initial-{name}": value for name, value in words.items()}
    together = Barrier(2)

    def change(gm: Gm, shown: bool) -> int:
        box = {"show_initiative": "on"} if shown else {"initial-show_initiative": "True"}
        fields = urlencode(words | box)
        together.wait()
        return gm.send("POST", players_see, fields)[0]

    def press(gm: Gm, seen: int) -> int:
        together.wait()
        return gm.post("next-turn", key=uuid4().hex, seen=seen)[0]

    acting = cycle(["Bran", "Ogre", "Aria"])
    first = len(served.steps())
    with served.gm() as one, served.gm() as other, ThreadPoolExecutor(2) as pool:
        for number in range(first, first + TURNS):
            shown = number % 2 == 1
            both = pool.submit(change, one, shown), pool.submit(press, other, number)
            assert [answer.result() for answer in both] == [200, 200]
            _, board = served.ask(f"/j/{served.facts['token']}/board")
            assert ('class="total"' in board) is shown
            assert f": {next(acting)}" in board.partition("data-spoken=")[2].partition(">")[0]


TIMEOUTS = """
import django
django.setup()
from django.core.management import call_command
from django.db import connection

def timeout():
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return cursor.fetchone()[0]

print(timeout())
call_command("migrate", verbosity=0)
print(timeout())
"""


def test_a_page_is_cut_short_and_a_migration_is_not(
    postgresql_installation: Installation,
) -> None:
    table = postgresql_installation
    environment = table.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    assert run_python(environment, "-c", TIMEOUTS).stdout.split() == ["5s", "0"]


def test_a_postgresql_that_acknowledges_before_it_stores_is_not_served(
    postgresql_installation: Installation,
) -> None:
    table = postgresql_installation
    table.environment["DATABASE_URL"] += "?options=-csynchronous_commit%3Doff"
    refused = table.manage("serve")
    assert refused.returncode == 1
    assert "synchronous_commit is off" in refused.stderr
