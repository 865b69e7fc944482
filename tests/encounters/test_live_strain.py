"""Many who come and go, phones that do not read, and a whole table that loses its line at once."""

import gc
import socket
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from django.http import HttpRequest

from encounters.live.boards import Board
from encounters.live.rooms import Seat, Watcher
from tests.encounters.streaming import (
    GM,
    PATIENCE,
    PLAYER,
    Browser,
    Show,
    showing,
    until,
)
from tests.encounters.test_live import board
from tests.sizes import FULL

REQUEST = f"GET {PLAYER} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n".encode()
MEBIBYTE = 2**20


def memory() -> int:
    """Bytes of memory that this process has, or 0 where the system does not say."""
    if sys.platform != "linux":
        return 0
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def come_and_go(port: int, times: int) -> None:
    """Open a stream and leave it, at whatever point it is."""
    for number in range(times):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as phone:
            phone.sendall(REQUEST)
            if number % 3:
                phone.recv(65_536)


def kept() -> int:
    """How many watchers and boards there are in this process, whoever holds them."""
    gc.collect()
    return sum(type(thing) in (Watcher, Board) for thing in gc.get_objects())


def held(show: Show) -> list[object]:
    """What the show holds of those who watch it."""
    hub, streams = show.hub, show.streams
    all_of_it = (hub._boards, hub._versions, hub._links, streams._addresses, streams._taken)
    return [thing for thing in all_of_it if thing]


# RELIABILITY V2
def test_players_who_come_and_go_leave_nothing_behind() -> None:
    first, rest = (1_000, 5_000) if FULL else (200, 400)
    others = kept()
    with showing() as (show, port):
        come_and_go(port, first)
        until(lambda: len(show.hub) == 0)
        before = memory()
        come_and_go(port, rest)
        until(lambda: len(show.hub) == 0)
        assert memory() - before <= 5 * MEBIBYTE
        until(lambda: not held(show))
        until(lambda: kept() <= others)


# RELIABILITY V3
def test_phones_that_do_not_read_hold_little_and_are_let_go_when_they_leave() -> None:
    changes = 1_000 if FULL else 400  # of 60 kB, to each of 20
    with showing() as (show, port), Browser(port, PLAYER) as lia, ExitStack() as stack:
        stalled = [stack.enter_context(Browser(port, PLAYER)) for _ in range(20)]
        for browser in (lia, *stalled):
            browser.next()
        before = memory()
        for number in range(changes):
            show.change(f"<p>{number}</p>" + "x" * 60_000)
            while (got := lia.next()) and f"<p>{number}</p>" not in got.data:
                pass
        assert memory() - before <= 20 * MEBIBYTE
        last = f"<p>{changes - 1}</p>"
        while (got := stalled[0].next()) and last not in got.data:
            pass  # who reads again has the newest
        assert got is not None
        stack.close()
        until(lambda: len(show.hub) == 1)


# RELIABILITY V6
def test_a_whole_table_that_loses_its_line_is_back_while_the_fight_goes_on() -> None:
    many = 200 if FULL else 60
    with showing() as (show, port), ExitStack() as stack:
        before = [stack.enter_context(Browser(port, PLAYER)) for _ in range(many)]
        gm = stack.enter_context(Browser(port, GM))
        for browser in before:
            browser.next()
        over = threading.Event()

        def act() -> None:
            while not over.wait(0.002):
                show.change(f"<p>turn {show.table.rev}</p>")

        acting = threading.Thread(target=act)
        acting.start()
        try:
            for browser in before:
                browser.socket.shutdown(socket.SHUT_RDWR)
            back = [
                stack.enter_context(Browser(port, PLAYER, Last_Event_ID="1")) for _ in range(many)
            ]
        finally:
            over.set()
            acting.join()
        show.change("<p>the last turn</p>")
        for browser in back:
            while (got := browser.next()) and "the last turn" not in got.data:
                pass
            assert got == board("<p>the last turn</p>", show.table.rev)
        while (seen := gm.next()) and seen.id != str(show.table.version):
            pass
        assert seen is not None
        until(lambda: show.hub.watchers(1) == many)


def test_boards_do_not_wait_for_a_crowd_that_comes_at_once() -> None:
    with showing() as (show, port), ExitStack() as stack:
        lia = stack.enter_context(Browser(port, PLAYER))
        lia.next()
        seat, all_may_sit = show.table.seat, threading.Event()

        def slow(request: HttpRequest, token: str) -> Seat:
            all_may_sit.wait(0.01)
            return seat(request, token)

        show.streams._seat = slow
        for _ in range(100):
            phone = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            stack.enter_context(phone).sendall(REQUEST)
        show.change("<p>Bran</p>")
        assert lia.next() == board("<p>Bran</p>", 2)
        assert len(show.hub) < 101  # most of the crowd still stands in line
        all_may_sit.set()
        until(lambda: len(show.hub) == 101)


# RELIABILITY V1
def test_a_crowd_is_told_of_each_change_and_costs_no_thread_and_little_memory() -> None:
    changes, pause = (300, 0.2) if FULL else (10, 0)
    with showing() as (show, port), ExitStack() as stack:
        stack.enter_context(Browser(port, PLAYER)).next()
        threads, before = threading.active_count(), memory()
        crowd = [stack.enter_context(Browser(port, PLAYER)) for _ in range(200)]
        for browser in crowd:
            browser.next()
        for number in range(changes):
            show.change(f"<p>turn {number}</p>")
            time.sleep(pause)
        for browser in crowd:
            seen = [1]
            while seen[-1] < show.table.rev:
                got = browser.next()
                assert got is not None
                seen.append(int(got.id))
            assert seen == sorted(set(seen))
            assert got == board(f"<p>turn {changes - 1}</p>", show.table.rev)
        assert len(show.hub) == 201
        assert threading.active_count() == threads
        assert memory() - before <= 30 * MEBIBYTE
        stack.close()
        until(lambda: len(show.hub) == 0)
        assert threading.active_count() == threads
