"""Several processes behind one address: all serve, one that dies is replaced, all end together."""

import os
import re
import signal
from contextlib import ExitStack

import pytest

from tests.encounters.streaming import until
from tests.scale.installations import TOKEN, Installation

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of this kind are Unix's")


def processes(table: Installation) -> set[int]:
    """The processes that tell their figures, whichever was asked."""
    _, text = table.ask("/metrics", Authorization=f"Bearer {TOKEN}")
    return {int(number) for number in re.findall(r'quivive_threads\{process="(\d+)"\}', text)}


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_that_dies_is_replaced_while_the_others_serve_and_all_end_together(
    postgresql_installation: Installation,
) -> None:
    table = postgresql_installation
    table.environment["QUI_VIVE_METRICS_TOKEN"] = TOKEN
    with table.serving("--processes", "2"), ExitStack() as stack:
        until(lambda: len(processes(table)) == 2)
        first, second = processes(table)
        os.kill(first, signal.SIGKILL)
        until(lambda: processes(table) - {first, second})
        gms = [stack.enter_context(table.gm()) for _ in range(8)]
        taken = [gm.hit() for gm in gms for _ in range(3)]
        assert {status for status, _ in taken} == {200}
        running = processes(table) - {first}
        table.stop()
        assert not any(map(is_alive, running))
    table.assert_no_step_is_lost_or_doubled([key for _, key in taken])
    assert not list((table.data / "figures").glob("*.json"))  # the dead one had no time for it
