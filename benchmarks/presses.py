"""What a press costs: *Next turn*, damage and a condition, with 10, 30, 100 and 200 combatants.

Queries, time and bytes of the answer, the growth of the time from 10 to 100 at the end. The sizes
take turns, ten presses each: a machine whose speed changes meanwhile is as fast for all of them.

The whole way through Django with the test client, as a browser with scripts asks: session, form,
step, commit on SQLite with `synchronous=FULL`, and what the page does not have of the board's
fragment, compressed. Run from the project's
root, inside its virtual environment, on a machine with nothing else to do:

    python benchmarks/presses.py [--profile]

The data lie in a directory that ends with the run.
"""

import argparse
import cProfile
import gzip
import os
import pstats
import re
import sys
import tempfile
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import uuid4

if TYPE_CHECKING:
    import rules

SIZES = (
    10,
    30,
    100,
    200,
)  # combatants; a fifth are heroes, the others single or in groups of three
WARM, TURNS = 30, 300  # presses before and while measuring
IN_A_ROW = 10  # presses of one size, then it is another's turn
PRESSES: dict[str, list[dict[str, object]]] = {  # verb -> what its form sends, in turn
    "next-turn": [{}],
    "damage": [{"target": 3, "amount": "-1"}, {"target": 3, "amount": "+1"}],
    "add-effect": [{"target": 3, "effect": code} for code in ("poisoned", "prone", "deafened")],
}
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", action="store_true", help="say where the time goes at 30")
    profiled = parser.parse_args().profile
    with tempfile.TemporaryDirectory(prefix="qui-vive-") as data:
        _set_up(data)
        print("verb        combatants  queries  median ms  p95 ms  of it CPU    bytes")
        for verb in PRESSES:
            medians = _measured({size: Table(size, verb) for size in SIZES})
            print(f"{verb:<12}from 10 to 100: {medians[100] / medians[10]:.1f} ×")
        if profiled:
            _profile(Table(30))
        _close()


def _measured(tables: "dict[int, Table]") -> dict[int, float]:
    """The median of a press of each size in milliseconds, printed with all else."""
    for table in tables.values():
        for _ in range(WARM):
            table.press()
    times: dict[int, list[float]] = {size: [] for size in tables}
    cpu = dict.fromkeys(tables, 0.0)
    for _ in range(TURNS // IN_A_ROW):
        for size, table in tables.items():
            begun = process_time()
            times[size] += [table.press() for _ in range(IN_A_ROW)]
            cpu[size] += process_time() - begun
    for size, table in tables.items():
        answer, queries = table.counted()
        middle, late = median(times[size]), sorted(times[size])[int(TURNS * 0.95)]
        row = (table.verb, size, queries, middle, late, cpu[size] * 1_000 / TURNS, len(answer))
        print("{:<12} {:>9} {:>8} {:>10.2f} {:>7.2f} {:>10.2f} {:>8}".format(*row))
    return {size: median(took) for size, took in times.items()}


def _set_up(data: str) -> None:
    """The project over an empty database in this directory."""
    for name in [name for name in os.environ if name.startswith("QUI_VIVE_")]:
        del os.environ[name]
    os.environ.update(QUI_VIVE_DATA=data, DJANGO_SETTINGS_MODULE="config.settings")
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from config.serving import settle

    settle()  # as every server does


def _close() -> None:
    from django.db import connections

    connections.close_all()


class Table:
    """A running fight and its GM's browser."""

    def __init__(self, size: int, verb: str = "next-turn") -> None:
        from django.test import Client

        import rules
        from encounters import steps
        from encounters.access import new_entry_path
        from encounters.models import Campaign, Encounter

        campaign = Campaign.objects.create(name="The mill")
        self.encounter = Encounter.objects.create(campaign=campaign, name=f"{size} combatants")
        opened = steps.take_step(
            self.encounter.uuid, uuid4(), "join", lambda _: rules.Join(_crowd(size))
        )
        opened = steps.take_step(self.encounter.uuid, uuid4(), "open", lambda _: rules.OpenFight())
        dice = {number: 1 + number % 20 for number in rules.unrolled(opened.fight)}
        steps.take_step(self.encounter.uuid, uuid4(), "start", lambda _: rules.StartFight(dice))
        self.size, self.verb, self.version = size, verb, 3
        self.presses = cycle(PRESSES[verb])
        self.parts = ""  # that the page has
        headers = {"HX-Request": "true", "Accept-Encoding": "gzip"}
        self.client = Client(SERVER_NAME="127.0.0.1", headers=headers)
        self.client.post(new_entry_path())
        self.address = f"/e/{self.encounter.uuid}/{verb}/"

    def press(self) -> float:
        """Press on the newest board; the time it took, in milliseconds."""
        fields = {"key": str(uuid4()), "seen": self.version, "selected": "3", "at": "strip"}
        sent, kind = urlencode(fields | next(self.presses)), "application/x-www-form-urlencoded"
        headers = {"Board-Parts": self.parts}
        begun = perf_counter()
        self.answer = self.client.post(self.address, sent, content_type=kind, headers=headers)
        took = (perf_counter() - begun) * 1_000
        if self.answer.status_code != 200:
            raise SystemExit(f"refused: {self.answer.status_code}")
        self.parts = parts_of(self.answer.content)
        self.version += 1
        return took

    def counted(self) -> tuple[bytes, int]:
        """Press once more: the answer, and the queries without those of the transaction."""
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        with CaptureQueriesContext(connection) as asked:
            self.press()
        own = [q for q in asked.captured_queries if not q["sql"].startswith(TRANSACTION)]
        return self.answer.content, len(own)


def parts_of(answer: bytes) -> str:
    """What the page says that it has, once it shows this compressed answer."""
    marks = re.findall(rb' data-(?:part|same)="(\w+)"', gzip.decompress(answer))
    return b" ".join(marks).decode()


def _crowd(size: int) -> "tuple[rules.Combatant, ...]":
    import rules

    heroes = size // 5
    return tuple(
        rules.Combatant(
            number=0,
            name=f"Hero {i}" if i < heroes else f"Foe {i // 3}",
            side="heroes" if i < heroes else "foes",
            is_hero=i < heroes,
            creature="" if i < heroes or i % 2 else f"book/{i // 3}",
            ac=15,
            max_hp=20,
            hp=20 - i % 20,
            initiative_bonus=i % 5,
            passive_perception=12,
            hidden=i >= heroes and i % 4 == 0,
        )
        for i in range(size)
    )


def _profile(table: Table) -> None:
    for _ in range(WARM):
        table.press()
    watch = cProfile.Profile()
    watch.enable()
    for _ in range(TURNS):
        table.press()
    watch.disable()
    pstats.Stats(watch).sort_stats("cumulative").print_stats(60)


if __name__ == "__main__":
    main()
