"""The GM's board in HTTP: who may press its buttons, and what comes back."""

import re
from collections.abc import Callable
from itertools import cycle
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

import rules
from encounters.access import new_entry_path
from encounters.forms import VERBS
from encounters.models import Encounter
from encounters.screens.gm import GmBoard
from tests.encounters.addresses import addresses
from tests.encounters.playing import (
    HTMX,
    fight_in,
    form,
    fresh,
    press,
    press_plainly,
    pressed,
    take,
    text_of,
)
from tests.factories import (
    EncounterFactory,
    HeroFactory,
    creature,
    fight_of,
    hero,
)

pytestmark = pytest.mark.django_db

ORDERED = {verb.verb for verb in VERBS if verb.ordered}
RELATIVE = {
    "join", "add-lair", "set-hidden", "set-out", "set-reaction", "damage", "heal", "move",
    "give-temporary", "take-action", "choose-speed", "set-spent", "stand-up", "release-readied",
    "add-effect", "remove-effect", "settle", "dismiss", "spend-use", "add-use", "remove-use",
    "roll-dice", "attack", "revive", "stabilise", "change-maximum", "set-side-hidden", "set-label",
}  # fmt: skip


def refused(answer: Any) -> str:
    assert answer.status_code == 422
    return text_of(answer)


def shown(answer: Any) -> GmBoard:
    """The board that an answer was made of."""
    board: GmBoard = answer.context["board"]
    return board


# Addresses


NOBODYS = {
    "uuid": uuid4(), "kind": "hero", "pk": 1, "number": 1, "secret": "x", "token": "x",
}  # fmt: skip
FOR_ANYBODY = {"robots.txt", "set_language", "theme", "entry", "enter", "leave-entry", "tv"}
FOR_PLAYERS = {"player", "player-board", "player-capitals", "player-board-capitals"}
PAGES = {
    "about", "home", "campaign", "settings", "board", "rename-encounter", "fight-settings",
    "suggestions", "combatant", "attack-with", "log", "past", "log-text", "log-markdown", "summary",
    "link-card", "players-panel", "players-code",
}  # fmt: skip


def test_every_verb_of_a_fight_has_its_own_address() -> None:
    names = addresses(NOBODYS)
    for verb in VERBS:
        assert names[verb.verb].endswith(f"/{verb.verb}/")
    assert len({verb.verb for verb in VERBS}) == len(VERBS)


def test_the_gms_addresses_open_to_nobody_else(client: Client) -> None:
    for name, path in addresses(NOBODYS).items():
        if name in FOR_ANYBODY | FOR_PLAYERS:
            continue
        answer = client.get(path)
        assert (answer.status_code, answer["Location"]) == (302, "/entry/"), name
        for method in ("post", "put", "patch", "delete"):
            assert getattr(client, method)(path).status_code == 403, name
        assert client.post(path, headers=HTMX)["HX-Redirect"] == "/entry/", name


def test_nothing_changes_by_looking(gm_client: Client, running: Encounter) -> None:
    before = fight_in(running)
    for name, path in addresses(NOBODYS).items():
        if name in PAGES | FOR_ANYBODY | FOR_PLAYERS:
            continue
        own = re.sub(r"[0-9a-f-]{36}", str(running.uuid), path)
        for method in ("get", "head", "put", "patch", "delete"):
            assert getattr(gm_client, method)(own).status_code == 405, name
    assert fight_in(running) == before


def test_pages_take_no_other_method(gm_client: Client, running: Encounter) -> None:
    for path in ("", "creatures/", "combatant/1/"):
        for method in ("post", "put", "delete"):
            address = f"/e/{running.uuid}/{path}"
            assert getattr(gm_client, method)(address).status_code == 405


def test_a_form_from_another_site_changes_nothing(running: Encounter) -> None:
    strict = Client(SERVER_NAME="127.0.0.1", enforce_csrf_checks=True)
    entry = new_entry_path()
    strict.get(entry)
    token = next(iter(strict.cookies.values())).value
    strict.post(entry, {"csrfmiddlewaretoken": token})
    assert strict.get(f"/e/{running.uuid}/").status_code == 200
    before = fight_in(running)
    for verb in VERBS:
        for headers in ({}, HTMX, {"Origin": "https://evil.example"}):
            answer = strict.post(f"/e/{running.uuid}/{verb.verb}/", form(running), headers=headers)
            assert answer.status_code == 403, verb.verb
    assert fight_in(running) == before
    token = strict.cookies[next(name for name in strict.cookies if "csrf" in name)].value
    sent = form(running, csrfmiddlewaretoken=token)
    assert strict.post(f"/e/{running.uuid}/next-turn/", sent).status_code == 302


# Answers


def test_next_turn_answers_a_script_with_the_board_alone(
    gm_client: Client, running: Encounter
) -> None:
    answer = press(gm_client, running, "next-turn", selected=2)
    assert answer.status_code == 200
    page = answer.content.decode().strip()
    assert page.startswith('<div id="board"')
    assert "<html" not in page
    assert 'data-version="2"' in page
    assert 'data-selected="2"' in page
    assert '<h2 id="now">Bran</h2>' in page


def test_next_turn_without_scripts_leads_back_to_the_page(
    gm_client: Client, running: Encounter
) -> None:
    answer = press_plainly(gm_client, running, "next-turn", selected=2)
    assert answer.status_code == 302
    assert answer["Location"] == f"/e/{running.uuid}/?selected=2"
    page = gm_client.get(answer["Location"])
    assert "<html" in page.content.decode()
    assert '<h2 id="now">Bran</h2>' in page.content.decode()


# RW-S28: the late request gets the same calm answer
def test_the_same_form_sent_twice_gets_the_same_answer(
    gm_client: Client, running: Encounter
) -> None:
    sent = form(running)
    answers = [
        gm_client.post(f"/e/{running.uuid}/next-turn/", sent, headers=HTMX) for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert text_of(answers[0]) == text_of(answers[1])
    assert fight_in(running).current == 2


def test_the_fragment_is_what_the_page_holds(gm_client: Client, running: Encounter) -> None:
    def without_keys(page: str) -> str:
        return re.sub(r' name="(key|csrfmiddlewaretoken)" value="[^"]*"', "", page)

    address = f"/e/{running.uuid}/?selected=3"
    page = without_keys(gm_client.get(address).content.decode())
    fragment = without_keys(gm_client.get(address, headers=HTMX).content.decode())
    assert fragment.strip() in page


def test_each_form_of_a_page_has_a_key_of_its_own(gm_client: Client, running: Encounter) -> None:
    page = gm_client.get(f"/e/{running.uuid}/").content.decode()
    keys = re.findall(r'name="key" value="([^"]+)"', page)
    assert len(keys) == len(set(keys)) > 5


def test_only_what_adds_up_takes_a_page_of_any_age() -> None:
    assert {verb.verb for verb in VERBS} - ORDERED == RELATIVE


def test_a_press_that_changes_nothing_leaves_undo_and_redo_as_they_were(
    gm_client: Client, running: Encounter
) -> None:
    pressed(gm_client, running, "damage", target=3, amount="7")
    assert shown(press(gm_client, running, "heal", target=1, amount="5")).undo == "7 damage to Ogre"
    pressed(gm_client, running, "undo", seen=fresh(running).version)
    assert shown(press(gm_client, running, "heal", target=1, amount="5")).redo == "7 damage to Ogre"


# RW-S28: an old page gets the present state, not an error page
def test_an_old_page_says_so_without_scripts_too(gm_client: Client, running: Encounter) -> None:
    answer = press_plainly(gm_client, running, "next-turn", seen=0)
    assert answer.status_code == 409
    assert "<html" in answer.content.decode()
    assert "Not applied" in text_of(answer)


# RW-S29: 30 - 5 - 7 = 18, and the old 29 is stopped
def test_two_browsers_blows_add_up_whatever_they_show(
    gm_client: Client, running: Encounter
) -> None:
    """30 - 5 - 7 = 18, and a set to 29 from an old form is stopped."""
    take(running, rules.Edit(3, {"hp": 30}))
    old = {"seen": fresh(running).version, "target": 3}
    pressed(gm_client, running, "damage", **old, amount="5")
    pressed(gm_client, running, "damage", **old, amount="7")
    gm_client.post(f"/e/{running.uuid}/rename/", {"name": "At the ford"})
    assert (fight_in(running).combatant(3).hp, fresh(running).name) == (18, "At the ford")
    facts = {"name": "Ogre", "side": "foes", "initiative_roll": "auto", "hp": 29, "max_hp": 59}
    late = press(gm_client, running, "edit", **old, **facts)
    assert late.status_code == 409
    assert shown(late).rows[2].hp == 18
    assert fight_in(running).combatant(3).hp == 18


# Markup and words

MARKUP = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>"


def test_markup_in_any_text_is_shown_and_never_run(gm_client: Client) -> None:
    HeroFactory.create(campaign__name=MARKUP[:80], name=MARKUP[:80], player=MARKUP[:80])
    drawn = fight_of(
        hero(MARKUP[:80], notes=MARKUP),
        creature(MARKUP[:79], name_fr=MARKUP[:78], label=MARKUP[:77], notes=MARKUP, hiding=True,
                 stealth=19),
        creature("Ogre", passive_perception=None),
    )  # fmt: skip
    encounter = EncounterFactory.create(name=MARKUP[:80], fight=drawn, campaign__name=MARKUP[:80])
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: take(encounter, rules.OpenFight()),
        lambda: press(gm_client, encounter, "set-passive", target=3, passive_perception=9),
        lambda: take(encounter, rules.StartFight(totals={1: 9, 2: 9, 3: 9})),
        lambda: take(encounter, rules.Damage(2, 50)),
        lambda: take(encounter, rules.EndFight()),
    ]
    for step, language in zip(steps, cycle(("en", "fr")), strict=False):
        step()
        gm_client.cookies["qv_language"] = language
        pages: list[Any] = [
            gm_client.get(f"/e/{encounter.uuid}/?selected=2"),
            gm_client.get(f"/e/{encounter.uuid}/combatant/2/"),
            gm_client.get(f"/e/{encounter.uuid}/rename/"),
            gm_client.get(f"/c/{encounter.campaign.uuid}/"),
            gm_client.get("/"),
            press(gm_client, encounter, "next-turn", seen=0),
            press_plainly(gm_client, encounter, "damage", target=2, amount=MARKUP, at="strip"),
            press_plainly(gm_client, encounter, "join", text=f"-3 {MARKUP}", at="add"),
        ]
        for page in pages:
            written = page.content.decode()
            assert "<script>alert" not in written
            assert "<img src=x" not in written
    assert "alert(1)" in text_of(gm_client.get(f"/e/{encounter.uuid}/"))


def test_the_board_says_what_undo_and_redo_would_do(gm_client: Client, running: Encounter) -> None:
    said = "7 damage to Ogre"
    struck = press(gm_client, running, "damage", target=3, amount="7")
    assert (shown(struck).undo, shown(struck).redo, shown(struck).rows[2].hp) == (said, "", 52)
    undone = press(gm_client, running, "undo")
    assert [line.kind for line in shown(undone).log[:2]] == ["undo", ""]
    assert (shown(undone).redo, shown(undone).rows[2].hp) == (said, 59)
    again = press(gm_client, running, "redo")
    assert (shown(again).undo, shown(again).redo, shown(again).rows[2].hp) == (said, "", 52)
    assert [line.text for line in shown(again).log[:3]] == [said] * 3
    for answer in (struck, undone, again):
        assert said in text_of(answer)


def test_a_way_back_that_hides_somebody_says_that_players_have_seen_it(gm_client: Client) -> None:
    encounter = EncounterFactory.create(
        fight=fight_of(hero("Aria"), creature("Ogre", hidden=True), creature("Wolf", hidden=True))
    )
    take(encounter, rules.SetHidden((2,), False))
    said = "Hidden again: Ogre. Players may have seen it already."
    assert said in text_of(press(gm_client, encounter, "undo"))
    for verb in ("redo", "set-hidden"):
        answer = press(gm_client, encounter, verb, target=2, hidden="1")
        assert "sight again" not in text_of(answer)
