"""What open pages receive, on the wire: a real server, and a table that stands in for the rows."""

import asyncio
import threading
from contextlib import ExitStack
from typing import Any

import pytest

from tests.encounters.streaming import (
    ENCOUNTER,
    GM,
    PATIENCE,
    PLAYER,
    Browser,
    Got,
    Show,
    in_process,
    showing,
    until,
)


def board(text: str, rev: int, language: str = "en") -> Got:
    return Got("board", f"{text}<p>1 {language}</p>", str(rev))


# Players


def test_a_player_gets_the_board_at_once_and_then_each_change() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia:
        assert lia.next() == board("<p>Lia</p>", 1)
        show.change("<p>Bran</p>")
        assert lia.next() == board("<p>Bran</p>", 2)
        show.change("<p>Aria</p>\r\n<p>Cleo</p>\r<p>Dain</p>")
        assert lia.next() == board("<p>Aria</p>\n<p>Cleo</p>\n<p>Dain</p>", 3)
        assert 500 <= lia.retry <= 2_500  # before its page would say that it is not live


# RW-S23: no frame arrives that players cannot see
def test_a_change_that_players_cannot_see_sends_nothing() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        show.step()
        until(lambda: len(show.table.readings) == 2)
        show.change("<p>Bran</p>")
        assert lia.next() == board("<p>Bran</p>", 2)


def test_a_board_is_read_once_for_all_who_watch_it_in_one_language() -> None:
    with showing() as (show, port), ExitStack() as stack:
        paths = [PLAYER] * 60 + ["/j/T0KEN/live?lang=fr"] * 5
        browsers = [stack.enter_context(Browser(port, path)) for path in paths]
        for browser in browsers:
            browser.next()
        assert sorted(show.table.readings) == ["en", "fr"]
        show.change("<p>Bran</p>")
        for browser in browsers[:60]:
            assert browser.next() == board("<p>Bran</p>", 2)
        for browser in browsers[60:]:
            assert browser.next() == board("<p>Bran</p>", 2, "fr")
        assert sorted(show.table.readings) == ["en", "en", "fr", "fr"]


# RW-S25: versions only grow, and the newest board comes last
def test_many_steps_at_once_end_with_the_newest_board_on_every_screen() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia, Browser(port, PLAYER) as bran:
        threads = [threading.Thread(target=show.change, args=[f"<p>{n}</p>"]) for n in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        show.change("<p>last</p>")
        for browser in (lia, bran):
            revs = []
            while (got := browser.next()) and "last" not in got.data:
                revs.append(int(got.id))
            assert revs == sorted(set(revs))


@pytest.mark.parametrize("accepted", ["gzip", "br, GZIP;q=0.5", "deflate, gzip, br"])
def test_a_browser_that_takes_gzip_gets_each_event_as_soon_as_it_is_sent(accepted: str) -> None:
    with showing() as (show, port), Browser(port, PLAYER, Accept_Encoding=accepted) as lia:
        assert lia.answer.headers["Content-Encoding"] == "gzip"
        assert lia.next() == board("<p>Lia</p>", 1)
        for rev in range(2, 22):
            show.change(f"<p>{'Lia ' * rev}</p>")
            assert lia.next() == board(f"<p>{'Lia ' * rev}</p>", rev)


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "gzip; q=0.0, br"])
def test_a_browser_that_does_not_take_gzip_gets_plain_text(accepted: str) -> None:
    with showing() as (_show, port), Browser(port, PLAYER, Accept_Encoding=accepted) as lia:
        assert "Content-Encoding" not in lia.answer.headers
        assert lia.next() == board("<p>Lia</p>", 1)


# RW-S25: whatever version was missed, the whole board comes
@pytest.mark.parametrize("shown", ["1", "0", "99", "x", "-1", "9" * 40])
def test_a_player_who_comes_back_gets_the_board_unless_it_is_the_one_on_screen(shown: str) -> None:
    with showing() as (show, port), Browser(port, PLAYER, Last_Event_ID=shown) as lia:
        until(lambda: show.table.readings)
        if shown != "1":
            assert lia.next() == board("<p>Lia</p>", 1)
        show.change("<p>Bran</p>")
        assert lia.next() == board("<p>Bran</p>", 2)


# RW-S26: a quiet stream beats, so that silence means a broken line
def test_a_quiet_stream_beats_without_an_id() -> None:
    with showing(heartbeat=0.02) as (_show, port), Browser(port, PLAYER) as lia:
        lia.next()
        assert [lia.next(), lia.next()] == [Got("hb", "", "")] * 2


# RW-S26: a phone that was frozen gets the newest board, not all of them
def test_a_phone_that_does_not_read_holds_one_slot_and_has_the_newest_board_afterwards() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as stalled, Browser(port, PLAYER) as lia:
        stalled.next()
        lia.next()
        for number in range(200):
            show.change(f"<p>{number}</p>" + "x" * 60_000)
            while (got := lia.next()) and f"<p>{number}</p>" not in got.data:
                pass
        seen = 0
        while (got := stalled.next()) and "<p>199</p>" not in got.data:
            seen += 1
        assert seen < 198  # what the sockets held, and then the newest


def test_a_board_that_cannot_be_read_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        show.table.faults = 2
        show.change("<p>Bran</p>")
        while (got := lia.next()) == Got("stale", "", ""):
            pass
        assert got == board("<p>Bran</p>", 2)
        assert lia.next() == Got("hb", "", "")  # what is shown is right again
    assert caplog.text.count("ConnectionError: the database is away") == 1


# Coming and going


# RW-S27: closing tabs frees their streams
def test_streams_that_are_closed_leave_nothing_behind() -> None:
    with showing() as (show, port):
        with ExitStack() as stack:
            for path in [PLAYER] * 20 + [GM] * 10:
                stack.enter_context(Browser(port, path)).next()
            assert len(show.hub) == 30
            assert show.hub.watchers(1) == 20
        until(lambda: len(show.hub) == 0)
        assert show.hub.watchers(1) == 0
        read = len(show.table.readings)
        show.change("<p>Bran</p>")
        with Browser(port, PLAYER) as lia:
            assert lia.next() == board("<p>Bran</p>", 2)
        assert len(show.table.readings) == read + 1


def test_a_stream_grows_old_and_ends() -> None:
    with showing(max_age=0.1) as (show, port), Browser(port, PLAYER) as lia:
        assert lia.next() == board("<p>Lia</p>", 1)
        assert lia.next() is None
        assert not lia.cut_off
        until(lambda: len(show.hub) == 0)


def test_a_stream_that_nobody_reads_grows_old_too(caplog: pytest.LogCaptureFixture) -> None:
    with showing(max_age=0.3) as (show, port), Browser(port, PLAYER):
        until(lambda: len(show.hub) == 1)
        while len(show.hub):
            show.change("x" * 300_000)
    assert caplog.records == []


def test_all_streams_end_before_the_server_stops() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia, Browser(port, GM) as gm:
        lia.next()
        gm.next()
        show.hub.close()
        assert lia.next() is None
        assert gm.next() is None
        assert not lia.cut_off
        until(lambda: len(show.hub) == 0)


def test_a_step_that_nobody_watches_wakes_nobody() -> None:
    show = Show()
    show.step()
    assert show.table.readings == []
    show.executor.shutdown()


def test_a_stream_cancelled_at_any_moment_leaves_nothing_behind() -> None:
    async def cancel_all() -> None:
        for turns in range(30):
            sent: list[Any] = []
            task = asyncio.create_task(in_process(show, PLAYER, "127.0.0.1", sent))
            while turns > 5 and len(sent) < 3:
                await asyncio.sleep(0)
            show.change(f"<p>{turns}</p>")
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert len(show.hub) == 0
        while len(asyncio.all_tasks()) > 2:  # this one and its guard; for ever, if another was left
            await asyncio.sleep(0.001)

    show = Show()
    with show.executor:
        asyncio.run(asyncio.wait_for(cancel_all(), PATIENCE))


# The GM's other tabs


def test_the_gms_tabs_get_the_number_of_each_step_and_never_an_older_one() -> None:
    with showing() as (show, port), Browser(port, GM) as gm:
        assert gm.next() == Got("version", "1", "1")
        show.step()
        assert gm.next() == Got("version", "2", "2")
        show.hub.announce(1, ENCOUNTER, 1)
        show.hub.announce(1, ENCOUNTER.replace("1", "9"), 70)
        with Browser(port, GM) as other:
            assert other.next() == Got("version", "2", "2")
        show.step()
        assert gm.next() == Got("version", "3", "3")


def test_the_gms_stream_ends_soon_after_the_gm_has_left() -> None:
    with showing(heartbeat=0.02) as (show, port), Browser(port, GM) as gm:
        gm.next()
        show.table.gm_is_in = False
        assert [gm.next() for _ in range(20)][-1] is None  # a heartbeat or two were on the way


def test_a_gm_who_has_left_does_not_hear_of_the_next_step() -> None:
    with showing() as (show, port), Browser(port, GM) as gm:
        gm.next()
        show.table.gm_is_in = False
        show.step()
        assert gm.next() is None
