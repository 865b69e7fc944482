"""The command `serve`: what it refuses, what it says, and how it ends."""

import os
import re
import signal
import threading
from contextlib import ExitStack, suppress
from http.client import HTTPException

import pytest

from tests.encounters.streaming import Browser, until
from tests.processes import run_python
from tests.scale.installations import Installation
from tests.sizes import cases

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of this kind are Unix's")
STREAMS = 50


def test_a_second_server_on_the_same_data_is_refused_and_the_first_goes_on(
    installation: Installation,
) -> None:
    with installation.serving():
        refused = installation.manage("serve", "--port", str(installation.port + 1))
        assert refused.returncode == 1
        assert str(installation.data) in refused.stderr
        assert "DATABASE_URL" in refused.stderr
        # Whatever starts the application itself is no exception.
        application = ("-m", "uvicorn", "config.asgi:application", "--port", "0")
        alone = run_python(installation.environment, *application)
        assert alone.returncode != 0
        assert "DATABASE_URL" in alone.stderr
        with installation.gm() as gm:
            assert gm.hit()[0] == 200


# What it says


def test_no_entry_link_is_written_into_the_log_of_a_service(installation: Installation) -> None:
    with installation.serving():
        link = installation.manage("entry_link").stdout.strip()
        path = re.sub(r"http://[^/]+", "", link)
        assert link.startswith(f"http://127.0.0.1:{installation.port}/entry/")
        assert installation.ask(path)[0] == 200
        said = installation.stop()
    assert str(installation.port) in said
    assert "/entry/" not in said


# How it ends


# RELIABILITY V9
@pytest.mark.parametrize("number", cases(signal.SIGTERM, full=[signal.SIGINT]))
def test_it_ends_when_told_to_with_streams_open_and_steps_on_their_way(
    installation: Installation, number: signal.Signals
) -> None:
    acknowledged: list[str] = []

    def play() -> None:
        with suppress(OSError, HTTPException), installation.gm() as gm:
            while True:
                status, key = gm.hit()
                if status == 200:
                    acknowledged.append(key)

    with ExitStack() as stack, installation.serving():
        watchers = [
            stack.enter_context(Browser(installation.port, installation.stream))
            for _ in range(STREAMS)
        ]
        gms = [threading.Thread(target=play) for _ in range(4)]
        for gm in gms:
            gm.start()
        until(lambda: len(acknowledged) >= 20)
        installation.stop(number)
        for gm in gms:
            gm.join()
        for watcher in watchers:
            while watcher.next() is not None:
                pass
            assert not watcher.cut_off
    installation.assert_no_step_is_lost_or_doubled(acknowledged)
