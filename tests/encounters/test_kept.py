"""Fragments of the GM's board that are rendered once for all that they show."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

import rules
from encounters.models import Encounter
from encounters.screens import gm_board
from encounters.store import load_fight
from encounters.templatetags.words import OPEN_PLACE
from tests.encounters.playing import fresh, ogre_fight, press, take
from tests.factories import EncounterFactory, creature, fight_of, hero, running

pytestmark = pytest.mark.django_db

KEY = re.compile(r'name="key" value="([^"]+)"')
MARK = re.compile(r'(?<=data-part)="\w+"')


def html_of(encounter: Encounter, **context: Any) -> str:
    """The board in one line, as its template makes it."""
    encounter = fresh(encounter)
    board = gm_board(encounter, load_fight(encounter))
    context = {"board": board, "csrf_token": "token", "selected": "1", **context}
    return " ".join(render_to_string("encounters/gm/_board.html", context).split())


def strip_of(encounter: Encounter) -> str:
    """The strip under the first row, from its template and all of the board."""
    encounter = fresh(encounter)
    board = gm_board(encounter, load_fight(encounter))
    row = next(row for row in board.rows if row.number == 1)
    everything = SimpleNamespace(
        **{name: getattr(each, name) for each in (board, board.brief) for name in each.__slots__}
    )
    shown = {"board": everything, "selected": "1", "row": row, "targets": ((1, row.name),)}
    context = {**shown, "csrf_token": "token"}
    strip = render_to_string("encounters/gm/_strip.html", context)
    return KEY.sub("", " ".join(strip.split()))


def tied_fight() -> rules.Fight:
    """Aria and Bran share a total, and so do two creatures of different kinds."""
    fighters = hero("Aria"), hero("Bran"), creature("Ogre"), creature("Goblin")
    return running(*fighters, totals=(12, 12, 9, 9))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("state", ["preparing", "rolling", "running", "ended"])
def test_a_board_of_kept_fragments_shows_what_a_fresh_one_does(state: str, language: str) -> None:
    fight = tied_fight() if state in ("running", "ended") else fight_of(hero("Aria"), creature())
    if state == "rolling":
        fight = rules.OpenFight().run(fight).fight
    if state == "ended":
        fight = rules.EndFight().run(fight).fight
    encounter = EncounterFactory.create(fight=fight)
    with translation.override(language):
        once, again = html_of(encounter), html_of(encounter)
        assert strip_of(encounter) in MARK.sub("", KEY.sub("", once))
    assert KEY.sub("", once) == KEY.sub("", again)
    assert OPEN_PLACE not in once


def test_a_kept_fragment_follows_what_it_shows(gm_client: Client) -> None:
    encounter = ogre_fight()
    assert 'data-when="shown" hidden' not in html_of(encounter)
    take(encounter, rules.SetHidden((1,), True))
    assert 'data-when="shown" hidden' in html_of(encounter)


def test_every_form_of_every_board_has_a_key_of_its_own(gm_client: Client) -> None:
    encounter = EncounterFactory.create(fight=tied_fight())
    answers = [press(gm_client, encounter, "next-turn", selected=3) for _ in range(2)]
    keys = [key for answer in answers for key in KEY.findall(answer.content.decode())]
    assert len(set(keys)) == len(keys) > 16
    assert all(
        answer.content.count(b'name="seen" value="%d"' % version) == len(keys) // 2
        for version, answer in enumerate(answers, 1)
    )
