"""Two real servers on one PostgreSQL: what one is told, the pages of the other show.

Redis carries the hints, or PostgreSQL itself; either may die, and what they lose is found.
"""

from collections.abc import Iterator
from contextlib import ExitStack

import psycopg
import pytest

from tests.encounters.streaming import Browser, until
from tests.scale.installations import TOKEN, Installation
from tests.scale.servers import PostgreSQL, RedisServer
from tests.sizes import FULL, cases

BUSES = ["redis", "notify"]
Pair = tuple[Installation, Installation]  # two servers of one table


@pytest.fixture(scope="module", params=BUSES)
def pair(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgresql: PostgreSQL,
    prepared_on_postgresql: Installation,
    redis_server: RedisServer,
) -> Iterator[Pair]:
    redis = {"REDIS_URL": redis_server.url} if request.param == "redis" else {}
    database = postgresql.new_database(prepared_on_postgresql.environment["DATABASE_URL"])
    folder = tmp_path_factory.mktemp("table") / "data"
    own = {"DATABASE_URL": database, "QUI_VIVE_METRICS_TOKEN": TOKEN, **redis}
    one = prepared_on_postgresql.moved(folder, **own)
    two = one.beside()
    with one.started(), two.started():
        until(lambda: one.is_ready() and two.is_ready())
        until(lambda: one.is_linked() and two.is_linked())
        yield one, two


def test_a_turn_pressed_at_one_server_is_on_the_pages_of_the_other(pair: Pair) -> None:
    one, two = pair
    with two.watch(one.link()) as lia:
        assert lia.news().startswith("board: ")
        heard = two.figure("quivive_live_heard_total")
        for _ in range(5):
            assert one.press() == 200
            assert lia.news() == f"board: {two.shown()}"
        assert two.figure("quivive_live_heard_total") > heard


@pytest.mark.parametrize("pair", cases("notify", full=["redis"]), indirect=True)
def test_what_no_server_was_told_is_found_by_looking(pair: Pair) -> None:
    one, two = pair
    with ExitStack() as stack:
        lia = stack.enter_context(two.watch(one.link()))
        last = one.link()
        bran = stack.enter_context(two.watch(last))
        for player in (lia, bran):
            player.news()
        one.meddle(
            "from encounters.publishing import publish_campaign\n"
            "campaign = Campaign.objects.get()\n"
            "campaign.name = 'The Marches'\n"
            "campaign.save()\n"
            "publish_campaign(campaign)\n"
            f"PlayerLink.of_token('{last[3:]}').delete()\n"
        )
        assert "The Marches" in lia.news()
        assert bran.news("board") == "gone: "
        assert bran.next() is None
        assert two.press() == 200
        assert lia.news().startswith("board: ")


def test_watchers_are_counted_over_both_servers(pair: Pair) -> None:
    one, two = pair
    link = one.link()
    with ExitStack() as stack:
        for server in (one, two, two):
            stack.enter_context(server.watch(link)).news()
        for server in (one, two):
            with server.gm() as gm:
                until(lambda gm=gm: "3 watching" in gm.look()[1])  # type: ignore[misc]


# RELIABILITY D5
@pytest.mark.parametrize("pair", ["redis"], indirect=True)
def test_a_redis_that_dies_and_comes_back_keeps_nobody_waiting(
    pair: Pair, redis_server: RedisServer
) -> None:
    one, two = pair
    with two.watch(one.link()) as lia:
        lia.news()
        for _ in range(2 if FULL else 1):
            redis_server.kill()
            try:
                for _turn in range(3):
                    assert one.press() == 200
                until_shown(two, lia)
            finally:
                redis_server.start()
            until(lambda: one.is_linked() and two.is_linked())
            heard = two.figure("quivive_live_heard_total")
            for _turn in range(20):
                assert one.press() == 200
            until_shown(two, lia)
            assert two.figure("quivive_live_heard_total") > heard


# RELIABILITY V10
def test_players_hold_no_connection_to_the_database(pair: Pair, postgresql: PostgreSQL) -> None:
    one, _two = pair
    link = one.link()
    with ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(one.watch(link)).next()
        assert one.press() == 200
        # Four threads for pages and one for streams; one connection to hear and one to speak.
        assert connections(postgresql) <= 2 * (4 + 1 + 2)


# RELIABILITY D5
@pytest.mark.parametrize("pair", ["notify"], indirect=True)
def test_players_are_told_while_postgresql_is_away_and_right_again_when_it_is_back(
    pair: Pair, postgresql: PostgreSQL
) -> None:
    one, two = pair
    link = one.link()
    with two.watch(link) as lia:
        lia.news()
        postgresql.kill()
        try:
            assert lia.news() == "stale: "
            assert one.press() == 503
            assert two.ask(f"{link}/live")[0] == 503
        finally:
            postgresql.start()
        until(lambda: one.is_linked() and two.is_linked())
        for _ in range(20):
            assert one.press() == 200
        until_shown(two, lia)


def connections(postgresql: PostgreSQL) -> int:
    """How many connections others hold."""
    with psycopg.connect(postgresql.url) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        found = connection.execute(query).fetchone()
    assert found is not None
    return int(found[0]) - 1


def until_shown(server: Installation, player: Browser) -> None:
    """Read a player's events until they have what a new page of this server shows."""
    right = f"board: {server.shown()}"
    while player.news("stale") != right:
        pass
