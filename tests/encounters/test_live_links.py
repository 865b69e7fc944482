"""Streams end with the link that opened them, and say when what they show cannot be read."""

from contextlib import ExitStack

import pytest

from tests.encounters.streaming import ENCOUNTER, GM, PLAYER, Browser, Got, ask, showing, until
from tests.encounters.test_live import board

GONE = Got("gone", "", "")


# RELIABILITY L3
@pytest.mark.parametrize("accepted", ["", "gzip"])
def test_a_link_that_is_revoked_closes_its_pages(accepted: str) -> None:
    with showing() as (show, port), ExitStack() as stack:
        players = [
            stack.enter_context(Browser(port, PLAYER, Accept_Encoding=accepted)) for _ in range(20)
        ]
        for player in players:
            player.next()
        assert show.hub.watchers_of_link(7) == 20
        show.table.generation = None
        show.hub.close_link(7)
        for player in players:
            assert player.next() == GONE
            assert player.next() is None
            assert not player.cut_off
        until(lambda: show.hub.watchers_of_link(7) == 0)
        assert ask(port, PLAYER).status == 404


def test_a_link_that_gets_a_new_address_closes_the_pages_of_the_old_one_only() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as old:
        old.next()
        show.table.generation = 2
        with Browser(port, PLAYER) as new:  # before anybody was told
            new.next()
            show.hub.close_link(7)
            assert old.next() == GONE
            show.change("<p>Bran</p>")
            assert new.next() == board("<p>Bran</p>", 2)
        assert show.hub.watchers_of_link(7) in (0, 1)


def test_pages_of_other_links_stay_open() -> None:
    with showing() as (show, port), Browser(port, PLAYER) as lia, Browser(port, GM) as gm:
        lia.next()
        gm.next()
        show.hub.close_link(8)
        show.hub.close_link(7)  # which is still good
        show.change("<p>Bran</p>")
        assert lia.next() == board("<p>Bran</p>", 2)
        assert gm.next() == Got("version", "2", "2")


def test_a_link_that_closes_by_itself_is_noticed() -> None:
    with showing(look_every=0.05) as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        show.table.generation = None
        assert lia.next() == GONE
        assert lia.next() is None


def test_a_phone_that_does_not_read_is_let_go_when_its_link_is_closed() -> None:
    with showing() as (show, port), Browser(port, PLAYER):
        for number in range(40):
            show.change(f"<p>{number}</p>" + "x" * 300_000)
            until(lambda: len(show.table.readings) > number)  # noqa: B023
        show.table.generation = None
        show.hub.close_link(7)
        until(lambda: len(show.hub) == 0)


# What cannot be read


def test_players_keep_their_board_and_hear_that_it_may_be_old_until_it_is_right() -> None:
    with showing(look_every=0.02) as (show, port), ExitStack() as stack:
        browsers = [stack.enter_context(Browser(port, path)) for path in (PLAYER, GM)]
        for browser in browsers:
            browser.next()
        show.table.is_away = True
        for browser in browsers:
            assert browser.next() == Got("stale", "", "")
        show.table.is_away = False
        for browser in browsers:
            assert browser.next() == Got("hb", "", "")
        show.change("<p>Bran</p>")
        assert browsers[0].next() == board("<p>Bran</p>", 2)
        assert browsers[1].next() == Got("version", "2", "2")


def test_a_page_that_may_be_old_is_told_so_again_and_again_instead_of_a_heartbeat() -> None:
    with showing(look_every=0.02, heartbeat=0.02) as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        show.table.is_away = True
        assert next_but(lia, "hb") == Got("stale", "", "")
        assert [lia.next(), lia.next()] == [Got("stale", "", "")] * 2
        show.table.is_away = False
        assert next_but(lia, "stale") == Got("hb", "", "")


def next_but(browser: Browser, name: str) -> Got | None:
    """The next event that has another name."""
    while (got := browser.next()) is not None and got.event == name:
        pass
    return got


def test_a_stream_that_cannot_be_looked_up_is_refused_for_now() -> None:
    with showing() as (show, port):
        show.table.is_away = True
        assert ask(port, PLAYER).status == 503
        assert ask(port, GM).status == 503
        show.table.is_away = False
        with Browser(port, PLAYER) as lia:
            assert lia.next() == board("<p>Lia</p>", 1)
        assert show.hub.figures()["refused"] == 1


def test_looking_finds_what_was_never_announced() -> None:
    with showing(look_every=0.05) as (show, port), ExitStack() as stack:
        lia, gm = (stack.enter_context(Browser(port, path)) for path in (PLAYER, GM))
        lia.next()
        gm.next()
        show.table.board, show.table.rev, show.table.version = "<p>Bran</p>", 2, 5
        assert lia.next() == board("<p>Bran</p>", 2)
        assert gm.next() == Got("version", "5", "5")
        watched = show.table.looks[-1]
        assert (watched.campaigns, watched.encounters, watched.links) == ((1,), (ENCOUNTER,), (7,))


def test_a_database_put_back_from_a_copy_is_shown_though_its_numbers_are_lower() -> None:
    with showing(look_every=0.05) as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        show.table.rev = 9
        assert lia.next() == board("<p>Lia</p>", 9)
        show.table.board, show.table.rev = "<p>as it was</p>", 4
        assert lia.next() == board("<p>as it was</p>", 4)


def test_nothing_is_looked_at_while_nobody_watches() -> None:
    with showing(look_every=0.01) as (show, port):
        with Browser(port, PLAYER) as lia:
            lia.next()
            until(lambda: show.table.looks)
        until(lambda: len(show.hub) == 0)
        seen = len(show.table.looks)
        show.hub.close_link(7)
        with Browser(port, "/j/0THER/live") as nobody:
            assert nobody.answer.status == 404
        assert len(show.table.looks) == seen


# Figures


def test_what_the_live_pages_do_is_counted() -> None:
    with showing(max_streams=2, max_age=0.4) as (show, port), Browser(port, PLAYER) as lia:
        lia.next()
        with Browser(port, PLAYER) as bran:
            bran.next()
            assert ask(port, PLAYER).status == 503
            show.change("<p>Bran</p>")
            lia.next()
            bran.next()
            assert show.hub.figures()["watchers"] == 2
            assert bran.next() is None
        until(lambda: len(show.hub) == 0)
        figures = show.hub.figures()
        counted = {name: figures[name] for name in ("opened", "refused", "aged", "rendered")}
        assert counted == {"opened": 2, "refused": 1, "aged": 2, "rendered": 2}
        assert figures["sent"] == 4
        assert figures["sent_bytes"] > 4 * len("<p>Lia</p>")
        assert figures["lag_count"] == 1
        assert 0 < figures["lag_max"] == figures["lag_sum"]
        assert "bus_up" not in figures
