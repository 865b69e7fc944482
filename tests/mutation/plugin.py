"""A plugin of pytest that tries mutants after the tests: `-p tests.mutation.plugin --mutants 300`.

All tests run once, and it is written down which lines of the targets each passes. Then each mutant
lives in a process of its own, forked with everything imported, and meets the tests that pass its
line, the quickest first, until one fails. Who meets none that fails has survived.
"""

import importlib
import os
import random
import signal
import sys
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import Mutant, mutants, mutated, put_in

ROOT = Path(__file__).parents[2]
TARGETS = (
    "rules/**/*.py", "encounters/steps.py", "encounters/screens/player*.py",
    "encounters/screens/published.py", "encounters/lingering.py",
)  # fmt: skip
LIMIT = 30  # seconds a mutant has; one that loops is told by that
SLOW = 3.0  # seconds: tests that take longer are met only with --mutants-thorough, and
WALKS = ("test_always.py", "test_small_worlds.py", "test_undo_always.py")  # these


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mutants")
    group.addoption("--mutants", default="300", help="how many, drawn at random, or all")
    group.addoption("--mutants-seed", type=int, default=1)
    group.addoption("--mutants-thorough", action="store_true", help="the slow tests, too")
    group.addoption("--mutants-in", default="", help="only files whose path has this in it")


def targets() -> list[Path]:
    found = {path for pattern in TARGETS for path in ROOT.glob(pattern)}
    return sorted(path.relative_to(ROOT) for path in found)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--mutants-thorough"):
        items[:] = [item for item in items if item.path.name not in WALKS]


class Lines:
    """Which lines of the targets each test passes, and how long it takes."""

    def __init__(self) -> None:
        self.files = {str(ROOT / path): path for path in targets()}
        self.tests: dict[tuple[Path, int], set[int]] = defaultdict(set)
        self.seconds: dict[int, float] = {}
        self.number = 0
        self.unfit: set[int] = set()  # tests that fail in a forked process whatever the code is

    def of(self, number: int, item: pytest.Item, nextitem: pytest.Item) -> bool:
        """Run a test and write down its lines; whether it is good."""
        self.number = number
        began = time.perf_counter()
        sys.settrace(self._called)
        try:
            good = _is_good(item, nextitem)
        finally:
            sys.settrace(None)
        self.seconds[number] = time.perf_counter() - began
        return good

    def _called(self, frame: FrameType, event: str, arg: Any) -> Any:
        path = self.files.get(frame.f_code.co_filename)
        return None if path is None else self._line

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        path = self.files[frame.f_code.co_filename]
        self.tests[path, frame.f_lineno].add(self.number)
        return self._line

    def passing(self, mutant: Mutant, *, thorough: bool) -> list[int]:
        """The tests that pass a mutant's line, the quickest first."""
        found = sorted(self.tests[mutant.path, mutant.line], key=lambda n: self.seconds[n])
        fit = [n for n in found if n not in self.unfit]
        return [n for n in fit if thorough or self.seconds[n] < SLOW]


def _is_good(item: pytest.Item, nextitem: pytest.Item) -> bool:
    if hasattr(item, "_request"):
        item._initrequest()  # type: ignore[attr-defined]  # as those do who run a test again
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    return not any(report.failed for report in reports)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    lines, items = Lines(), session.items
    for number, item in enumerate(items):
        assert lines.of(number, item, items[(number + 1) % len(items)]), f"red before: {item}"
    lines.unfit = _unfit(items)
    chosen = _chosen(session.config)
    survivors = []
    for count, mutant in enumerate(chosen, 1):
        met = lines.passing(mutant, thorough=session.config.getoption("--mutants-thorough"))
        if not _is_killed(mutant, [items[n] for n in met]):
            survivors.append(mutant)
            print(f"{count}/{len(chosen)} survives, {len(met)} tests: {mutant}", flush=True)
    killed = len(chosen) - len(survivors)
    print(f"{killed} of {len(chosen)} mutants killed: {killed / max(1, len(chosen)):.1%}")
    return True


def _chosen(config: pytest.Config) -> list[Mutant]:
    within = config.getoption("--mutants-in")
    every = [m for path in targets() if within in str(path) for m in mutants(path)]
    number = config.getoption("--mutants")
    if number == "all":
        return every
    return random.Random(config.getoption("--mutants-seed")).sample(
        every, min(int(number), len(every))
    )


def _is_killed(mutant: Mutant, items: list[pytest.Item]) -> bool:
    """Whether one of these tests fails, or comes to no end."""
    if not items:
        return False
    name = ".".join(mutant.path.with_suffix("").parts).removesuffix(".__init__")
    module = importlib.import_module(name)
    code = mutated(mutant, module.__file__ or "")
    child = os.fork()
    if child == 0:
        _live(code, module, items)
    _, status = os.waitpid(child, 0)
    return status != 0


def _unfit(items: list[pytest.Item]) -> set[int]:
    """The tests that fail in a forked process though nothing is changed: they need threads."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _be_quiet()
        for number, item in enumerate(items):
            if not _is_good(item, items[(number + 1) % len(items)]):
                os.write(writing, f"{number}\n".encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        found = {int(line) for line in said}
    os.waitpid(child, 0)
    return found


def _be_quiet() -> None:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)


def _live(code: Any, module: Any, items: list[pytest.Item]) -> None:
    """In the forked process: the life of a mutant, which ends with it."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LIMIT)
    _be_quiet()
    put_in(code, module)
    survives = all(_is_good(item, items[(n + 1) % len(items)]) for n, item in enumerate(items))
    os._exit(0 if survives else 1)
