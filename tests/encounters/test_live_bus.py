"""Several processes over one table: what one is told, the pages of the others show."""

import json
import time
from contextlib import ExitStack

import pytest

from encounters.live import bus
from encounters.live.counts import FORGET_AFTER, Counts
from tests.encounters.exchange import Exchange, joined
from tests.encounters.streaming import ENCOUNTER, GM, PLAYER, Browser, Got, until
from tests.encounters.test_live import board


@pytest.fixture
def exchange() -> Exchange:
    return Exchange()


def test_a_step_in_one_process_is_on_the_pages_of_the_others(exchange: Exchange) -> None:
    with joined(exchange, 3) as (one, two, three), ExitStack() as stack:
        players = [stack.enter_context(Browser(p.port, PLAYER)) for p in (one, two)]
        tab = stack.enter_context(Browser(two.port, GM))
        for player in players:
            assert player.next() == board("<p>Lia</p>", 1)
        assert tab.next() == Got("version", "1", "1")
        three.show.change("<p>Bran</p>")  # where nobody watches
        for player in players:
            assert player.next() == board("<p>Bran</p>", 2)
        assert tab.next() == Got("version", "2", "2")


def test_what_processes_tell_each_other_is_ids_and_numbers(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus, "COUNT_EVERY", 0.02)
    with joined(exchange) as (one, two), Browser(one.port, PLAYER) as lia:
        lia.next()
        two.show.change("<p>the secret of the vault</p>")
        lia.next()
        two.show.hub.close_link(7)
        until(lambda: any('"link"' in payload for payload in exchange.payloads))
        until(lambda: any("[[7,1,1]]" in payload for payload in exchange.payloads))
    for payload in exchange.payloads:
        message = json.loads(payload)
        assert message.keys() == {"process", "said"}
        for item in message["said"]:
            names = {"campaign", "encounter", "version", "link", "watchers", "part", "parts"}
            assert item.keys() <= names
            words = [value for value in item.values() if isinstance(value, str)]
            assert words in ([], [ENCOUNTER])


def test_a_change_that_players_cannot_see_sends_nothing_in_any_process(exchange: Exchange) -> None:
    with joined(exchange) as (one, two), Browser(two.port, PLAYER) as lia:
        lia.next()
        one.show.step()
        until(lambda: len(one.show.table.readings) == 2)
        one.show.change("<p>Bran</p>")
        assert lia.next() == board("<p>Bran</p>", 2)


def test_many_steps_at_once_are_told_in_few_messages_and_the_newest_is_shown(
    exchange: Exchange,
) -> None:
    with joined(exchange) as (one, two), Browser(two.port, PLAYER) as lia:
        lia.next()
        for number in range(200):
            one.show.change(f"<p>{number}</p>")
        while (got := lia.next()) and "<p>199</p>" not in got.data:
            pass
        assert one.show.hub.figures()["published"] <= 200


def test_a_link_closed_in_one_process_is_closed_in_all(exchange: Exchange) -> None:
    with joined(exchange) as (one, two), Browser(two.port, PLAYER) as lia:
        lia.next()
        one.show.table.generation = None
        one.show.hub.close_link(7)
        assert lia.next() == Got("gone", "", "")
        assert lia.next() is None


# What gets lost


def test_a_hint_that_is_lost_is_made_good_by_looking(exchange: Exchange) -> None:
    with joined(exchange, look_every=0.05) as (one, two), ExitStack() as stack:
        lia = stack.enter_context(Browser(two.port, PLAYER))
        tab = stack.enter_context(Browser(two.port, GM))
        leaving = stack.enter_context(Browser(one.port, PLAYER))
        for browser in (lia, tab, leaving):
            browser.next()
        exchange.loses_all = True
        one.show.change("<p>Bran</p>")
        assert lia.next() == board("<p>Bran</p>", 2)
        assert tab.next() == Got("version", "2", "2")
        one.show.table.generation = 2  # and nobody says so
        assert lia.next() == Got("gone", "", "")


def test_whoever_hears_again_looks_for_what_was_missed(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bus, "RECONNECT_AFTER", (0.01, 0.01))
    with joined(exchange) as (one, two), Browser(two.port, PLAYER) as lia:
        lia.next()
        exchange.cut()
        until(lambda: not two.show.hub.figures()["bus_up"])
        one.show.change("<p>Bran</p>")
        until(lambda: one.show.hub.figures()["unpublished"])
        until(lambda: exchange.refused > 10)
        exchange.mend()
        assert lia.next() == board("<p>Bran</p>", 2)
        one.show.change("<p>Aria</p>")
        assert lia.next() == board("<p>Aria</p>", 3)
    complaints = [record.getMessage() for record in caplog.records]
    assert len([line for line in complaints if "cannot be reached" in line]) == 3  # 2 hear, 1 says
    assert len([line for line in complaints if "can be heard again" in line]) == 2


def test_a_process_that_nobody_hears_serves_its_own_pages(exchange: Exchange) -> None:
    with joined(exchange) as (one, _two), Browser(one.port, PLAYER) as lia:
        lia.next()
        exchange.cut()
        one.show.change("<p>Bran</p>")
        assert lia.next() == board("<p>Bran</p>", 2)


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"process":"x"}',
        '{"process":"x","said":[7]}',
        '{"process":"x","said":[{"campaign":"all"}]}',
        '{"process":"x","said":[{"watchers":[[1]],"part":0,"parts":1}]}',
        '{"process":"x","said":[{"dance":1}]}',
    ],
)
def test_what_is_not_understood_is_left_out(exchange: Exchange, payload: str) -> None:
    with joined(exchange) as (one, two), Browser(two.port, PLAYER) as lia:
        lia.next()
        exchange.publish(payload)
        one.show.change("<p>Bran</p>")
        assert lia.next() == board("<p>Bran</p>", 2)


def test_nobody_can_be_made_to_believe_a_version_that_is_not(exchange: Exchange) -> None:
    lie = {"campaign": 1, "encounter": ENCOUNTER, "version": 999}
    with joined(exchange) as (one, two), Browser(two.port, GM) as tab:
        assert tab.next() == Got("version", "1", "1")
        exchange.publish(json.dumps({"process": "x", "said": [lie]}))
        one.show.step()
        assert tab.next() == Got("version", "2", "2")


# Who watches


def test_watchers_are_counted_over_all_processes(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus, "COUNT_EVERY", 0.02)
    with joined(exchange) as (one, two), ExitStack() as stack:
        with ExitStack() as leaving:
            for process in (one, two, two):
                leaving.enter_context(Browser(process.port, PLAYER)).next()
            stack.enter_context(Browser(two.port, GM)).next()
            for process in (one, two):
                until(lambda hub=process.show.hub: hub.watchers(1) == 3)  # type: ignore[misc]
                until(lambda hub=process.show.hub: hub.watchers_of_link(7) == 3)  # type: ignore[misc]
                assert process.show.hub.watchers(2) == 0
        for process in (one, two):
            until(lambda hub=process.show.hub: hub.watchers(1) == 0)  # type: ignore[misc]


def test_a_process_that_stops_takes_its_watchers_with_it(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus, "COUNT_EVERY", 0.02)
    with joined(exchange, 1) as (one,), ExitStack() as stack:
        with joined(exchange, 1) as (two,):
            stack.enter_context(Browser(two.port, PLAYER)).next()
            until(lambda: one.show.hub.watchers(1) == 1)
            monkeypatch.setattr(bus, "COUNT_EVERY", 60)
            time.sleep(0.1)  # seconds: from now on it counts no more
        until(lambda: one.show.hub.watchers(1) == 0)


def test_a_process_that_has_died_is_forgotten() -> None:
    now = 0.0
    counts = Counts(lambda: now)
    counts.hear("a", 0, 1, [(7, 1, 3), (8, 1, 2)])
    now = 20.0
    counts.hear("b", 0, 1, [(7, 1, 5)])
    assert (counts.of_campaign(1), counts.of_link(7), counts.of_link(8)) == (10, 8, 2)
    now = FORGET_AFTER
    assert (counts.of_campaign(1), counts.of_link(7), counts.of_link(8)) == (5, 5, 0)
    now = 20.0 + FORGET_AFTER
    assert counts.of_campaign(1) == 0


def test_counts_of_many_links_come_in_parts_and_the_last_word_holds() -> None:
    counts = Counts(lambda: 0.0)
    counts.hear("a", 0, 2, [(7, 1, 3)])
    counts.hear("a", 1, 2, [(8, 1, 2)])
    assert counts.of_campaign(1) == 5
    counts.hear("a", 0, 1, [(7, 1, 4)])
    assert counts.of_campaign(1) == 4


def test_no_message_is_longer_than_postgresql_takes(exchange: Exchange) -> None:
    with joined(exchange, 1) as (one,):
        hub = one.show.hub
        for number in range(1_000):
            uuid = ENCOUNTER.replace("1111", f"{number:04}")
            hub.announce(number, uuid, number)
        until(lambda: sum(payload.count("campaign") for payload in exchange.payloads) == 1_000)
    assert max(len(payload.encode()) for payload in exchange.payloads) < 8_000
