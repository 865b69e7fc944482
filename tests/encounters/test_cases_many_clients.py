"""Twenty actions at once while thirty players read, on the real server and its database."""

import http.client
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from encounters.models import Encounter
from tests.encounters.playing import at_once, ogre_fight, ogres_hp, versions
from tests.encounters.streaming import PATIENCE
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db(transaction=True)

AMOUNTS = range(1, 21)  # of one blow each
PLAYERS, READS = 30, 3
Answer = tuple[int, str]


@pytest.fixture
def port(base_url: str) -> int:
    return int(base_url.rsplit(":", 1)[1])


def asked(port: int, path: str) -> Answer:
    """What a player's page gets."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.status, answer.read().decode()
    connection.close()
    return found


class Gm:
    """A browser that has been let in, and posts straight to the server's port."""

    def __init__(self, port: int, client: Client, encounter: Encounter) -> None:
        self._port = port
        self._address = f"/e/{encounter.uuid}/"
        client.get(self._address)  # which brings the other cookie
        names = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME)
        self._cookies = {name: client.cookies[name].value for name in names}

    def sends(self, verb: str, **typed: object) -> Answer:
        fields = {"key": uuid4(), **typed}
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
            "X-CSRFToken": self._cookies[settings.CSRF_COOKIE_NAME],
            "HX-Request": "true",
        }
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        connection.request("POST", f"{self._address}{verb}/", urlencode(fields), headers)
        answer = connection.getresponse()
        found = answer.status, answer.read().decode()
        connection.close()
        return found


# RW-S30: twenty actions go in, twenty entries of the log come out, and no reader is refused
def test_twenty_actions_at_once_while_thirty_players_read_are_each_applied_once(
    port: int, gm_client: Client
) -> None:
    encounter = ogre_fight()
    link = PlayerLinkFactory.create(campaign=encounter.campaign)
    gm = Gm(port, gm_client, encounter)

    def read() -> list[Answer]:
        paths = (f"/j/{link.token}", f"/j/{link.token}/board")
        return [asked(port, path) for path in paths for _ in range(READS)]

    blows = [partial(gm.sends, "damage", target=3, amount=amount) for amount in AMOUNTS]
    jobs: list[Callable[[], object]] = [*blows, *[read] * PLAYERS]
    answers: list[Any] = at_once(*jobs)
    given, shown = answers[: len(blows)], answers[len(blows) :]
    assert [status for status, _ in given] == [200] * len(blows)
    assert {status for player in shown for status, _ in player} == {200}
    assert ogres_hp(encounter) == 300 - sum(AMOUNTS)
    assert versions(encounter) == list(range(1, len(blows) + 1))
    told = [event["amount"] for step in encounter.steps.all() for event in step.events]
    assert sorted(told) == sorted(AMOUNTS)
