"""A server that is told to stop while everybody watches and the GM goes on."""

import threading
from contextlib import ExitStack, suppress
from http.client import HTTPException

from tests.encounters.streaming import Browser
from tests.processes import HANG
from tests.scale.installations import Installation


def ends(browser: Browser) -> bool:
    """Whether a stream comes to its proper end."""
    while browser.next() is not None:
        pass
    return not browser.cut_off


# RELIABILITY V9
def test_a_server_that_is_stopped_loses_nothing_it_has_acknowledged(
    installation: Installation,
) -> None:
    acknowledged: list[int] = []

    def press_until_it_is_gone() -> None:
        with suppress(OSError, HTTPException):
            while installation.press() == 200:
                acknowledged.append(installation.facts["version"])

    with installation.serving(), ExitStack() as stack:
        link = installation.link()
        players = [stack.enter_context(installation.watch(link)) for _ in range(50)]
        for player in players:
            assert player.next() is not None
        pressing = threading.Thread(target=press_until_it_is_gone)
        pressing.start()
        while len(acknowledged) < 20:
            assert pressing.is_alive()
        installation.stop()
        pressing.join(HANG)
        assert all(ends(player) for player in players)
    assert acknowledged == sorted(set(acknowledged))
    [(stored,)] = installation.rows("SELECT version FROM encounters_encounter")
    assert acknowledged[-1] <= stored <= acknowledged[-1] + 1
