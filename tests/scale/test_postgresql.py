"""The same table on PostgreSQL: its own tests hold there, and many GMs at once lose nothing."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from uuid import uuid4

from django.conf import settings

from tests.processes import run_python
from tests.scale.installations import Gm, Installation
from tests.scale.servers import PostgreSQL
from tests.sizes import FULL

GMS = 8
HITS = 500 if FULL else 20  # of each
KEYS = 1_000 if FULL else 10
TURNS = 200 if FULL else 10

# Steps, undo, dice that must not fall twice, searching: what asks the database for most.
USUAL = ("encounters/test_steps.py", "encounters/test_steps_at_once.py", "bestiary/test_search.py")


def test_the_tests_of_the_table_hold_on_postgresql(postgresql: PostgreSQL) -> None:
    chosen = ("encounters", "bestiary") if FULL else USUAL
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
        + [str(settings.BASE_DIR / "tests" / name) for name in chosen],
        cwd=settings.BASE_DIR,
        env={**os.environ, "QUI_VIVE_TEST_DATABASE_URL": postgresql.new_database()},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5_000:]


def test_eight_gms_at_once_lose_nothing(postgresql_installation: Installation) -> None:
    table = postgresql_installation

    def play(_number: int) -> list[tuple[int, str]]:
        with table.gm() as gm:
            return [gm.hit() for _ in range(HITS)]

    with table.serving(), ThreadPoolExecutor(GMS) as pool:
        answers = [answer for answers in pool.map(play, range(GMS)) for answer in answers]
    assert {status for status, _ in answers} == {200}
    assert len(table.steps()) == 1 + GMS * HITS
    table.assert_no_step_is_lost_or_doubled([key for _, key in answers])


def test_the_same_key_from_several_windows_at_once_counts_once(
    postgresql_installation: Installation,
) -> None:
    table = postgresql_installation
    with table.serving(), ExitStack() as stack, ThreadPoolExecutor(5) as pool:
        windows = [stack.enter_context(table.gm()) for _ in range(5)]
        for _ in range(KEYS):
            answers = pool.map(Gm.hit, windows, [uuid4().hex] * len(windows))
            assert {status for status, _ in answers} == {200}
    assert len(table.steps()) == 1 + KEYS


PUBLISHED = """
import django
django.setup()
from encounters.models import Campaign
from encounters.publishing import publish_campaign
before = Campaign.objects.get()
publish_campaign(before)
after = Campaign.objects.get()
print(before.public_rev, before.public_hash == after.public_hash)
"""


def test_what_players_see_is_never_published_from_half_of_two_changes_at_once(
    postgresql_installation: Installation,
) -> None:
    """One GM takes turns while the other changes what of it is shown."""
    table = postgresql_installation

    def change(number: int) -> int:
        with table.gm() as gm:
            path = f"/c/{table.facts['campaign']}/players-see/"
            shown = "&show_initiative=on" if number % 2 else ""
            fields = "&".join(f"hp_{side}=word" for side in ("heroes", "allies", "foes", "others"))
            return gm.send("POST", path, fields + shown)[0]

    def press(_number: int) -> int:
        with table.gm() as gm:
            seen = table.steps()[-1][1]
            return gm.post("next-turn", key=uuid4().hex, seen=seen)[0]

    with table.serving(), ThreadPoolExecutor(2) as pool:
        for number in range(TURNS):
            both = pool.submit(change, number), pool.submit(press, number)
            assert [one.result() for one in both] == [200, 200]
    environment = table.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    told = run_python(environment, "-c", PUBLISHED)
    assert told.stdout.split()[1] == "True", told.stderr


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
