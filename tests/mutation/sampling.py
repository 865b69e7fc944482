"""Which mutants are tried: of each file its share, by a number that hangs on the change alone.

So the same seed draws the same mutants of a function, whatever has been changed elsewhere.
"""

from math import ceil
from pathlib import Path
from zlib import crc32

from tests.mutation.mutants import ROOT, Mutant, mutants

TARGETS = (
    "rules/**/*.py", "encounters/steps.py", "encounters/publishing.py", "encounters/lingering.py",
    "encounters/screens/player*.py", "encounters/screens/published.py",
)  # fmt: skip
SAME = Path(__file__).with_name("same.txt")  # mutants that do what the code does, each with why


def targets() -> list[Path]:
    found = {path for pattern in TARGETS for path in ROOT.glob(pattern)}
    return sorted(path.relative_to(ROOT) for path in found)


def sample(number: int | None, seed: int, within: str) -> list[Mutant]:
    """So many (None: all) of the files whose path has `within` in it; none that `SAME` names."""
    same = explained()
    of_files = [mutants(path) for path in targets() if within in str(path)]
    every = sum(map(len, of_files))
    chosen: list[Mutant] = []
    for some in of_files:
        drawn = sorted(some, key=lambda mutant: crc32(f"{seed} {mutant.name}".encode()))
        share = len(some) if number is None else ceil(number * len(some) / every)
        chosen += [mutant for mutant in drawn[:share] if mutant.name not in same]
    return chosen


def explained() -> dict[str, str]:
    """The mutants that cannot be told from the code: a line each, and behind it why."""
    lines = [line.strip() for line in SAME.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    return dict(zip(lines[::2], lines[1::2], strict=True))
