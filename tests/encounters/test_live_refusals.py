"""Who gets no stream, and what an answer of the streams' door carries."""

import asyncio
from collections import Counter
from contextlib import ExitStack
from typing import Any

import pytest

from config.headers import GM_HEADERS, PLAYER_HEADERS
from tests.encounters.streaming import (
    GM,
    PATIENCE,
    PLAYER,
    Browser,
    Show,
    ask,
    in_process,
    showing,
    until,
)


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "OPTIONS"])
def test_a_stream_is_only_read(method: str) -> None:
    with showing() as (show, port):
        for path in (PLAYER, GM):
            answer = ask(port, path, method)
            assert (answer.status, answer.headers["Allow"]) == (405, "GET")
        assert len(show.hub) == 0


def test_a_link_that_never_was_opens_no_stream() -> None:
    with showing() as (show, port):
        assert ask(port, "/j/0THER/live").status == 404
        assert len(show.hub) == 0


def test_over_the_limit_players_are_sent_to_polling_and_the_gm_is_not() -> None:
    with showing(max_streams=2) as (show, port), ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(Browser(port, PLAYER)).next()
        assert ask(port, PLAYER).status == 503
        assert stack.enter_context(Browser(port, GM)).answer.status == 200
        stack.pop_all().close()
        until(lambda: len(show.hub) == 0)
        with Browser(port, PLAYER) as lia:
            assert lia.answer.status == 200


def test_one_address_may_have_forty_streams_but_this_computer_has_no_limit() -> None:
    async def statuses(show: Show, address: str) -> Counter[int]:
        sent: list[list[Any]] = [[] for _ in range(41)]
        tasks = [
            asyncio.create_task(in_process(show, PLAYER, address, messages)) for messages in sent
        ]
        while not all(sent):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return Counter(messages[0]["status"] for messages in sent)

    for address, expected in {
        "127.0.0.1": {200: 41},
        "::1": {200: 41},
        "192.0.2.7": {200: 40, 503: 1},
        "2001:db8::7": {200: 40, 503: 1},
    }.items():
        show = Show()
        with show.executor:
            answers = asyncio.wait_for(statuses(show, address), PATIENCE)
            assert asyncio.run(answers) == expected


def test_a_stream_says_what_middleware_says_elsewhere_and_sets_no_cookie() -> None:
    with showing() as (_show, port), Browser(port, PLAYER) as lia, Browser(port, GM) as gm:
        for name, value in PLAYER_HEADERS.items() - {("Cache-Control", "private, no-store")}:
            assert lia.answer.headers[name] == value
        for name, value in GM_HEADERS.items() - {("Cache-Control", "no-store")}:
            assert gm.answer.headers[name] == value
        for browser in (lia, gm):
            assert browser.answer.headers["Content-Type"] == "text/event-stream"
            assert browser.answer.headers["Cache-Control"] == "private, no-store, no-transform"
            assert browser.answer.headers["X-Accel-Buffering"] == "no"
            assert "Set-Cookie" not in browser.answer.headers
        refused = ask(port, "/j/0THER/live")
        for name, value in PLAYER_HEADERS.items():
            assert refused.headers[name] == value


def test_only_the_gm_gets_the_gms_stream() -> None:
    with showing() as (show, port):
        show.table.gm_is_in = False
        assert ask(port, GM).status == 403
        assert len(show.hub) == 0
