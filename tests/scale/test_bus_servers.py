"""Two real servers on one PostgreSQL: what one is told, the pages of the other show.

Redis carries the hints, or PostgreSQL itself; either may die, and what they lose is found.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

import psycopg
import pytest

from tests.encounters.streaming import Browser, until
from tests.scale.servers import PostgreSQL, RedisServer
from tests.scale.tables import Server, Table, news, two_servers

BUSES = ["redis", "notify"]


class Pair(NamedTuple):
    """A table and two servers on it."""

    table: Table
    one: Server
    two: Server


@pytest.fixture(scope="module", params=BUSES)
def pair(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgresql: PostgreSQL,
    redis_server: RedisServer,
) -> Iterator[Pair]:
    redis = {"REDIS_URL": redis_server.url} if request.param == "redis" else {}
    folder = tmp_path_factory.mktemp("table")
    table = Table(folder, DATABASE_URL=postgresql.new_database(), **redis)
    with two_servers(table) as servers:
        yield Pair(table, *servers)


def test_a_turn_pressed_at_one_server_is_on_the_pages_of_the_other(pair: Pair) -> None:
    table, one, two = pair
    with two.watch(table.link()) as lia:
        assert news(lia).startswith("board: ")
        heard = two.figure("quivive_live_heard_total")
        for _ in range(5):
            assert table.press(one) == 200
            assert news(lia) == f"board: {table.shown(two)}"
        assert two.figure("quivive_live_heard_total") > heard


def test_what_no_server_was_told_is_found_by_looking(pair: Pair) -> None:
    table, _one, two = pair
    with ExitStack() as stack:
        lia = stack.enter_context(two.watch(table.link()))
        last = table.link()
        bran = stack.enter_context(two.watch(last))
        for player in (lia, bran):
            news(player)
        table.meddle(
            "from encounters.publishing import publish_campaign\n"
            "campaign = Campaign.objects.get()\n"
            "campaign.name = 'The Marches'\n"
            "campaign.save()\n"
            "publish_campaign(campaign)\n"
            f"PlayerLink.of_token('{last[3:]}').delete()\n"
        )
        assert "The Marches" in news(lia)
        assert news(bran, "board") == "gone: "
        assert bran.next() is None
        assert table.press(two) == 200
        assert news(lia).startswith("board: ")


def test_watchers_are_counted_over_both_servers(pair: Pair) -> None:
    table, one, two = pair
    link = table.link()
    with ExitStack() as stack:
        for server in (one, two, two):
            news(stack.enter_context(server.watch(link)))
        for server in (one, two):
            until(lambda server=server: "3 watching" in table.board(server))  # type: ignore[misc]


# RELIABILITY D5
@pytest.mark.parametrize("pair", ["redis"], indirect=True)
def test_a_redis_that_dies_and_comes_back_keeps_nobody_waiting(
    pair: Pair, redis_server: RedisServer
) -> None:
    table, one, two = pair
    with two.watch(table.link()) as lia:
        news(lia)
        for _ in range(2):
            redis_server.kill()
            try:
                for _turn in range(3):
                    assert table.press(one) == 200
                until_shown(pair, lia)
            finally:
                redis_server.start()
            until(lambda: one.is_linked() and two.is_linked())
            heard = two.figure("quivive_live_heard_total")
            for _turn in range(20):
                assert table.press(one) == 200
            until_shown(pair, lia)
            assert two.figure("quivive_live_heard_total") > heard


# RELIABILITY V10
def test_players_hold_no_connection_to_the_database(pair: Pair, postgresql: PostgreSQL) -> None:
    table, one, _two = pair
    link = table.link()
    with ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(one.watch(link)).next()
        assert table.press(one) == 200
        # Four threads for pages and one for streams; one connection to hear and one to speak.
        assert connections(postgresql) <= 2 * (4 + 1 + 2)


# RELIABILITY D5
@pytest.mark.parametrize("pair", ["notify"], indirect=True)
def test_players_are_told_while_postgresql_is_away_and_right_again_when_it_is_back(
    pair: Pair, postgresql: PostgreSQL
) -> None:
    table, one, two = pair
    link = table.link()
    with two.watch(link) as lia:
        news(lia)
        postgresql.kill()
        try:
            assert news(lia) == "stale: "
            assert table.press(one) == 503
            assert two.ask("GET", f"{link}/live", {})[0] == 503
        finally:
            postgresql.start()
        until(lambda: one.is_linked() and two.is_linked())
        for _ in range(20):
            assert table.press(one) == 200
        until_shown(pair, lia)


def connections(postgresql: PostgreSQL) -> int:
    """How many connections others hold."""
    with psycopg.connect(postgresql.url) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        found = connection.execute(query).fetchone()
    assert found is not None
    return int(found[0]) - 1


def until_shown(pair: Pair, player: Browser) -> None:
    """Read the events of a player of the second server until they have what a new page shows."""
    right = f"board: {pair.table.shown(pair.two)}"
    while news(player, "stale") != right:
        pass
