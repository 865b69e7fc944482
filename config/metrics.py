"""What the server has done and holds, in the text format that Prometheus reads.

One scrape reaches one process of several. Each therefore leaves its figures in the data
directory now and then, and whoever is asked tells those of all, labelled by process.
"""

import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
METHODS = ("GET", "HEAD", "POST")
ACTIONS = "/e/"  # what is posted below it changes a fight
LEFT_EVERY = 5.0  # seconds
FORGOTTEN_AFTER = 60.0  # seconds without news of a process

# Those of the live pages that go up and down; the others only grow.
GAUGES = {"watchers", "gm_streams", "database_away", "bus_up", "lag_max"}

Labels = tuple[tuple[str, str], ...]


class Sample(NamedTuple):
    """One line of the answer."""

    family: str
    kind: str  # counter, gauge or histogram
    suffix: str
    labels: Labels
    value: float


class Metrics:
    """The figures of this process; `live` gives those of its live pages."""

    def __init__(self, live: Callable[[], dict[str, float]], folder: Path) -> None:
        self._live = live
        self._folder = folder
        self._file = folder / f"{os.getpid()}.json"
        self._requests: Counter[Labels] = Counter()
        self._buckets = [0] * len(BUCKETS)
        self._seconds, self._actions = 0.0, 0

    def answered(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count an answer of a page."""
        known = method if method in METHODS else "other"
        self._requests[(("method", known), ("status", str(status)))] += 1
        if method == "POST" and path.startswith(ACTIONS):
            self._actions += 1
            self._seconds += seconds
            for place, limit in enumerate(BUCKETS):
                self._buckets[place] += seconds <= limit

    def text(self) -> str:
        """All figures, of all processes that share the data directory."""
        own = {str(os.getpid()): list(self._samples())}
        return "".join(_lines((own | _left_by_others(self._folder, self._file)).items()))

    def leave(self) -> None:
        """Write this process's figures down for the others."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        draft = self._file.with_suffix(".draft")
        draft.write_text(json.dumps(list(self._samples())), encoding="ascii")
        draft.replace(self._file)

    def forget(self) -> None:
        """Take them away again, as before the process ends."""
        with suppress(OSError):
            self._file.unlink()

    def _samples(self) -> Iterator[Sample]:
        for labels, count in sorted(self._requests.items()):
            yield Sample("quivive_requests", "counter", "_total", labels, count)
        for limit, count in zip((*BUCKETS, "+Inf"), (*self._buckets, self._actions), strict=True):
            yield _action("_bucket", count, (("le", str(limit)),))
        yield _action("_sum", self._seconds)
        yield _action("_count", self._actions)
        for name, value in self._live().items():
            kind, suffix = ("gauge", "") if name in GAUGES else ("counter", "_total")
            yield Sample(f"quivive_live_{name}", kind, suffix, (), value)
        yield Sample("quivive_threads", "gauge", "", (), threading.active_count())
        if (memory := _memory()) is not None:
            yield Sample("process_resident_memory_bytes", "gauge", "", (), memory)


def forget(folder: Path, process: int) -> None:
    """Take away the figures of a process that has ended."""
    with suppress(OSError):
        (folder / f"{process}.json").unlink()


def _action(suffix: str, value: float, labels: Labels = ()) -> Sample:
    return Sample("quivive_action_seconds", "histogram", suffix, labels, value)


def _memory() -> int | None:
    """Bytes of memory in use; None where the system does not say."""
    if sys.platform != "linux":
        return None
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _left_by_others(folder: Path, own: Path) -> dict[str, list[Sample]]:
    found: dict[str, list[Sample]] = {}
    for path in folder.glob("*.json"):
        with suppress(OSError, ValueError):  # it ends just now
            if time.time() - path.stat().st_mtime > FORGOTTEN_AFTER:
                path.unlink()
            elif path != own:
                rows = json.loads(path.read_text(encoding="ascii"))
                found[path.stem] = [Sample(*row) for row in rows]
    return found


def _lines(processes: Iterable[tuple[str, list[Sample]]]) -> Iterator[str]:
    """The samples by family, as the format wants them."""
    placed = [(sample, process) for process, samples in processes for sample in samples]
    placed.sort(key=lambda one: one[0].family)  # a stable order: buckets stay as they are
    for family, group in groupby(placed, key=lambda one: one[0].family):
        members = list(group)
        kind = members[0][0].kind
        named = f"{family}_total" if kind == "counter" else family
        yield f"# TYPE {named} {kind}\n"
        for sample, process in members:
            labels = [*sample.labels, ("process", process)]
            inside = ",".join(f'{name}="{value}"' for name, value in labels)
            yield f"{family}{sample.suffix}{{{inside}}} {sample.value!r}\n"
