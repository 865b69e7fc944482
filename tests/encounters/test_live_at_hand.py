"""A board that whoever stored it has at hand: sent without a reading, and never out of order."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from encounters.live.boards import Shown
from encounters.live.looking import Found, Watched
from tests.encounters.streaming import ENCOUNTER, PLAYER, Browser, Got, Show, showing, until


def board(rev: int, language: str = "en") -> Got:
    return Got("board", f"<p>{rev} {language}</p>", str(rev))


def at_hand(rev: int) -> Shown:
    return Shown(rev, lambda language: (rev, f"<p>{rev} {language}</p>"))


def announce(show: Show, shown: Shown) -> None:
    """A step of the process that serves, from a thread that is not the server's."""
    show.table.version += 1
    show.hub.announce(1, ENCOUNTER, show.table.version, shown)


@contextmanager
def a_slow_database(show: Show) -> Iterator[None]:
    """What is read is as it was at the beginning, and comes at the end."""
    rendered, known, finished = show.table.render(1, "en"), threading.Event(), threading.Event()

    def slowly(_campaign: int, _language: str) -> tuple[int, str]:
        known.set()
        assert finished.wait(20)
        show.hub._render = show.table.render
        return rendered

    show.hub._render = slowly
    show.hub.announce(1, ENCOUNTER, show.table.version)
    assert known.wait(20)
    yield
    finished.set()


def test_a_board_at_hand_is_sent_in_each_language_without_a_reading() -> None:
    french = PLAYER.replace("lang=en", "lang=fr")
    with showing() as (show, port), Browser(port, PLAYER) as lia, Browser(port, french) as bran:
        lia.next(), bran.next()
        announce(show, at_hand(2))
        assert (lia.next(), bran.next()) == (board(2), board(2, "fr"))
        assert sorted(show.table.readings) == ["en", "fr"]  # as they came


def test_a_step_without_news_for_players_costs_neither_a_reading_nor_a_rendering() -> None:
    def never(_language: str) -> tuple[int, str]:
        raise AssertionError

    with showing() as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        announce(show, Shown(1, never))
        announce(show, at_hand(2))
        assert lia.next() == board(2)
        assert show.table.readings == ["en"]


# RW-S25: versions only grow, and the newest board comes last
def test_of_two_boards_at_hand_that_overtake_each_other_the_newer_one_stays() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        announce(show, at_hand(3))
        show.table.rev, show.table.board = 3, ""
        announce(show, at_hand(2))
        until(lambda: show.table.readings == ["en", "en"])  # for it might be a copy put back
        announce(show, at_hand(4))
        assert [lia.next(), lia.next()] == [board(3), board(4)]


def test_what_was_read_before_a_newer_board_was_sent_is_not_sent_after_it() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        show.table.rev = 2
        with a_slow_database(show):
            announce(show, at_hand(3))
            assert lia.next() == board(3)
            show.table.rev = 3
            show.table.readings.clear()
        until(lambda: show.table.readings == ["en"])  # once more, to be sure
        announce(show, at_hand(4))
        assert lia.next() == board(4)


def test_a_database_put_back_from_a_copy_is_shown_though_its_numbers_are_lower() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        announce(show, at_hand(9))
        lia.next()
        show.table.rev, show.table.board = 2, "<p>Bran</p>"
        announce(show, at_hand(2))
        assert lia.next() == Got("board", "<p>Bran</p><p>1 en</p>", "2")


def test_no_board_overtakes_the_look_at_a_link_that_was_closed() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        asked, answered = threading.Event(), threading.Event()

        def slowly(watched: Watched) -> Found:
            asked.set()
            assert answered.wait(20)
            return show.table.look(watched)

        show.hub.lookout._look = slowly
        show.table.generation = None
        show.hub.close_link(7)
        assert asked.wait(20)
        announce(show, at_hand(2))
        answered.set()
        assert lia.next() == Got("gone", "", "")
        assert lia.next() is None


def test_a_board_that_cannot_be_rendered_is_read(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_language: str) -> tuple[int, str]:
        raise ValueError("broken")

    with showing() as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        show.table.rev, show.table.board = 2, "<p>Bran</p>"
        announce(show, Shown(2, broken))
        assert lia.next() == Got("board", "<p>Bran</p><p>1 en</p>", "2")
    assert "it is read instead" in caplog.text
