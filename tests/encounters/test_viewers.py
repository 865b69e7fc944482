"""Somebody watches live while the GM is busy: nothing of the hidden is sent, all else once."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

import rules
from encounters.models import Encounter
from tests.encounters.busy import ANYBODY, HIDDEN, about, in_the_dark
from tests.encounters.playing import fight_in, fresh, redo, rolled_back, take, undo
from tests.encounters.test_secrecy import NUMBERS, ambush
from tests.encounters.viewer import watching
from tests.encounters.watching import frames, seen_by_players
from tests.sizes import FULL

pytestmark = pytest.mark.django_db

RUNS, COMMANDS = (200, 50) if FULL else (24, 15)
PARTS = 4
SEEN: list[dict[str, Any]] = [{}, NUMBERS, {"hp_heroes": "nothing", "show_effects": False}]


def runs(part: int) -> Iterator[Random]:
    for number in range(part, RUNS, PARTS):
        with rolled_back():
            yield Random(number)


def done(
    encounter: Encounter, chance: Random, who: range, allowed: Callable[..., bool]
) -> Encounter:
    """Something that the rules and `allowed` let the GM do; the encounter after it."""
    act = chance.choice(["undo", "redo", *["command"] * 5])
    try:
        with transaction.atomic():
            if act == "undo" and fresh(encounter).undo_step != 1:
                undo(encounter)
            elif act == "redo":
                redo(encounter)
            elif allowed(fight_in(encounter), command := about(who, chance)):
                take(encounter, command)
    except rules.RuleError:
        pass
    return fresh(encounter)


# RW-S23: however long the hidden are busy, a stream brings nothing, and the page stays as it is
@pytest.mark.parametrize("part", range(PARTS))
def test_while_the_hidden_are_busy_a_viewer_gets_nothing(part: int) -> None:
    for chance in runs(part):
        encounter, link = ambush(**chance.choice(SEEN))
        before = seen_by_players(link, "en")
        with watching(link, afar=chance.random() < 0.5) as viewer:
            assert viewer.frames == list(dict(frames(link.campaign_id)).values())
            for _ in range(COMMANDS):
                now = done(encounter, chance, HIDDEN, in_the_dark)
                assert viewer.told(now) == [], now.steps.last()
        assert seen_by_players(link, "en") == before


# RW-S23: a frame brings news, with the next number, and holds the page's own board
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_the_gm_does_a_viewer_gets_each_news_once(part: int) -> None:
    for chance in runs(part):
        encounter, link = ambush(**chance.choice(SEEN))
        shown = dict(frames(link.campaign_id))
        with watching(link, afar=chance.random() < 0.5) as viewer:
            assert viewer.frames == list(shown.values())
            for _ in range(COMMANDS):
                now = done(encounter, chance, ANYBODY, lambda *_: True)
                sent, last, shown = viewer.told(now), shown, dict(frames(link.campaign_id))
                assert sent == ([] if shown == last else list(shown.values()))
                assert all(_board(shown[n]) != _board(last[n]) for n in shown if sent)
                assert all(_rev(shown[n]) == _rev(last[n]) + bool(sent) for n in shown)


def _rev(frame: object) -> int:
    assert isinstance(frame, bytes)
    return int(frame.split(b"\n", 1)[0].removeprefix(b"id: "))


def _board(frame: object) -> bytes:
    assert isinstance(frame, bytes)
    return frame.split(b"\n", 1)[1]


# RW-S23: what the GM is shown as the players' view is theirs, byte by byte
@pytest.mark.parametrize("address", ["", "?view=tv", "?view=overlay", "?lang=fr", "/board"])
def test_the_gm_sees_the_very_bytes_that_players_see(
    client: Client, gm_client: Client, address: str
) -> None:
    _encounter, link = ambush(**NUMBERS)
    theirs, own = (c.get(f"/j/{link.token}{address}") for c in (client, gm_client))
    assert own.content == theirs.content
    assert own.headers == theirs.headers
    assert not own.cookies
