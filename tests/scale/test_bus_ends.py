"""A server that is told to stop while everybody watches and the GM goes on."""

import threading
from contextlib import ExitStack
from http.client import HTTPException
from pathlib import Path

from tests.encounters.streaming import Browser
from tests.processes import HANG
from tests.scale.tables import Server, Table


def ends(browser: Browser) -> bool:
    """Whether a stream comes to its proper end."""
    while browser.next() is not None:
        pass
    return not browser.cut_off


# RELIABILITY V9
def test_a_server_that_is_stopped_loses_nothing_it_has_acknowledged(tmp_path: Path) -> None:
    table = Table(tmp_path)
    acknowledged: list[int] = []

    def press_until_it_is_gone(server: Server) -> None:
        try:
            while table.press(server) == 200:
                acknowledged.append(table.version)
        except (OSError, HTTPException):
            pass

    with table.served() as server, ExitStack() as stack:
        link = table.link()
        players = [stack.enter_context(server.watch(link)) for _ in range(50)]
        for player in players:
            assert player.next() is not None
        pressing = threading.Thread(target=press_until_it_is_gone, args=[server])
        pressing.start()
        while len(acknowledged) < 20:
            assert pressing.is_alive()
        server.process.terminate()
        server.process.wait(HANG)
        pressing.join(HANG)
        assert all(ends(player) for player in players)
    assert acknowledged == sorted(set(acknowledged))
    stored = int(table.meddle("print(Encounter.objects.get().version)"))
    assert acknowledged[-1] <= stored <= acknowledged[-1] + 1
