"""The one source of chance: the operating system's; tests put a seeded one in its place."""

from random import Random
from secrets import SystemRandom

_source: Random = SystemRandom()


def die(sides: int) -> int:
    """A number from 1 to `sides`."""
    return _source.randint(1, sides)


def d20() -> int:
    return die(20)


def use(source: Random) -> Random:
    """Roll with this source from now on, and return the one before it."""
    global _source
    before, _source = _source, source
    return before
