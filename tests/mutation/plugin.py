"""A plugin of pytest that tries mutants instead of the code: `-p tests.mutation.plugin`.

All tests run once, and it is written down which mutants each would meet. Then each mutant lives in
a process of its own, forked with everything imported, and meets its tests, the quickest first,
until one fails. Who meets none that fails has survived.
"""

import functools
import gc
import importlib
import os
import pickle
import resource
import signal
import time
from collections.abc import Callable
from itertools import groupby
from typing import Any, NamedTuple, NoReturn

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase
from hypothesis import settings as hypothesis_settings

from tests.mutation.mutants import MARK, Mutant, marked, mutated, put_in
from tests.mutation.sampling import sample

PATIENCE = 30  # seconds a test has: it is red if it takes longer
WORTH = 60  # seconds of tests, counted without a mutant, that one mutant meets at most
MEMORY = 4 << 30  # bytes
EXAMPLES = 25  # of each property
LEFT_OUT = ("test_small_worlds.py", "test_undo_always.py")  # they take long, few examples or not
SURVIVES, KILLED = 0, 9  # how its process ends, or by a signal


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mutants")
    group.addoption("--mutants", default="200", help="how many, or all")
    group.addoption("--mutants-seed", type=int, default=1)
    group.addoption("--mutants-in", default="", help="only files whose path has this in it")
    group.addoption("--mutants-least", type=float, default=0.0, help="percent; less is a failure")


def pytest_sessionstart() -> None:
    """Properties are tried with few examples, and those that fail are not made simpler."""
    few = {"max_examples": EXAMPLES, "phases": (Phase.explicit, Phase.generate)}
    usual = hypothesis_settings.get_profile("usual")
    hypothesis_settings.register_profile("mutants", usual, **few)
    hypothesis_settings.load_profile("mutants")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if item.path.name not in LEFT_OUT]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    option = session.config.getoption
    number = None if option("--mutants") == "all" else int(option("--mutants"))
    chosen = sample(number, option("--mutants-seed"), option("--mutants-in"))
    _prepare_database(session)
    met = Met(session.items, chosen)
    killed = 0
    for count, mutant in enumerate(chosen, 1):
        tests = met.by(mutant)
        if _lives(mutant, tests):
            killed += 1
        else:
            where = f"{count}/{len(chosen)} survives {len(tests)} tests, line {mutant.line}:"
            print(where, mutant.name, flush=True)
    score = 100 * killed / max(1, len(chosen))
    print(f"{killed} of {len(chosen)} mutants killed: {score:.1f} %")
    session.testsfailed = int(score < option("--mutants-least"))
    return True


def _prepare_database(session: pytest.Session) -> None:
    """Make the tests' database, of which every forked process has its own copy."""
    asks = (item for item in session.items if item.get_closest_marker("django_db"))
    for item in [*asks][:1]:
        assert _is_good(item), f"red before: {item}"


def _is_good(item: pytest.Item) -> bool:
    """Whether a test is green. What the session has made stays for the next one."""
    reports = runtestprotocol(item, log=False, nextitem=item.session)  # type: ignore[arg-type]
    return not any(report.failed for report in reports)


class Ran(NamedTuple):
    """A test that is green in a forked process where no mutant is."""

    item: int
    seconds: float
    passed: set[tuple[str, int]]  # module and number of the mutants it would meet


class Met:
    """Which tests meet which mutants."""

    def __init__(self, items: list[pytest.Item], chosen: list[Mutant]) -> None:
        began = time.monotonic()
        self.items = items
        self.ran = sorted(_in_fork(_all_ran, items, chosen), key=lambda ran: ran.seconds)
        seconds = time.monotonic() - began
        print(f"\n{len(self.ran)} of {len(items)} tests can tell, in {seconds:.0f} s", flush=True)

    def by(self, mutant: Mutant) -> list[pytest.Item]:
        """The quickest first."""
        found, left = [], float(WORTH)
        for ran in self.ran:
            if (mutant.module, mutant.number) in ran.passed and left > 0:
                found.append(self.items[ran.item])
                left -= ran.seconds
        return found


def _all_ran(items: list[pytest.Item], chosen: list[Mutant]) -> list[Ran]:
    passed: set[tuple[str, int]] = set()

    def mark(module: str, numbers: list[int]) -> None:
        passed.update((module, number) for number in numbers)

    for path, some in groupby(chosen, key=lambda mutant: mutant.path):
        mutants = list(some)
        vars(importlib.import_module(mutants[0].module))[MARK] = mark
        put_in(marked(path, mutants), path)
    caches = [held for held in gc.get_objects() if type(held) is functools._lru_cache_wrapper]
    _be_quiet()
    found = []
    for number, item in enumerate(items):
        for cache in caches:  # else only the first test that asks would pass what it asks
            cache.cache_clear()
        passed.clear()
        began = time.perf_counter()
        if _is_good(item):
            found.append(Ran(number, time.perf_counter() - began, set(passed)))
    return found


def _in_fork(work: Callable[..., list[Ran]], *arguments: Any) -> list[Ran]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(writing, "wb") as answer:
            pickle.dump(work(*arguments), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        found: list[Ran] = pickle.load(answer)
    os.waitpid(child, 0)
    return found


def _lives(mutant: Mutant, tests: list[pytest.Item]) -> int:
    """`SURVIVES` or `KILLED`: by a test that fails, or that comes to no end."""
    if not tests:
        return SURVIVES
    child = os.fork()
    if child == 0:
        _live(mutant, tests)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (SURVIVES, KILLED) or code < 0, f"{mutant.name} ended by {code}"
    return code


def _live(mutant: Mutant, tests: list[pytest.Item]) -> NoReturn:
    """In the forked process: the life of a mutant, which ends with it."""
    _be_quiet()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if not put_in(mutated(mutant), mutant.path):
        os._exit(SURVIVES)
    for test in tests:
        signal.alarm(PATIENCE)
        if not _is_good(test):
            os._exit(KILLED)
    os._exit(SURVIVES)


def _be_quiet() -> None:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
