"""Nothing that the GM hides reaches a player: twins look the same, and leaks are found."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

import rules
from encounters import player_views, publishing
from encounters.labels import Name
from encounters.live.frames import Event
from encounters.models import Campaign, PlayerLink
from encounters.screens import PlayerBoard
from encounters.screens import player as screen
from tests.encounters.playing import examples, fight_in, fresh, redo, rolled_back, take, undo
from tests.encounters.twins import Told, hidden_in, scenes, stored
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

Twins = tuple[Told, Told]


def twins() -> st.SearchStrategy[Twins]:
    """Two fights that look the same."""
    chances = st.integers(0, 9_999).map(Random)
    return st.builds(
        lambda scene, one, other: (hidden_in(scene, one), hidden_in(scene, other)),
        scenes(), chances, chances,
    )  # fmt: skip


def seen_by_players(link: PlayerLink, language: str) -> dict[str, object]:
    """Every byte that players get of a campaign: pages, fragments, headers and frames."""
    client = Client(SERVER_NAME="127.0.0.1")
    seen: dict[str, object] = {}
    for path in ("", "/board"):
        answer = client.get(f"/j/{link.token}{path}?lang={language}")
        seen[path] = (answer.status_code, sorted(answer.headers.items()), answer.content)
    for tongue in ("en", "fr"):
        rev, html = player_views.render_screen(link.campaign_id, tongue)
        seen[tongue] = Event.of("board", html, rev).plain
    return seen


def compare(pair: Twins, language: str) -> None:
    """Show the players one twin after the other: nothing may tell them apart."""
    with rolled_back():
        link = PlayerLinkFactory.create()
        campaign = Campaign.objects.get(pk=link.campaign_id)
        shown = []
        for told in pair:
            encounter = stored(told, campaign)
            publishing.publish(campaign, encounter, fight_in(encounter))
            shown.append(seen_by_players(link, language))
        assert shown[0] == shown[1]


@examples(200)
@given(pair=twins(), language=st.sampled_from(["en", "fr"]))
def test_two_fights_with_the_same_outside_give_players_the_same_bytes(
    pair: Twins, language: str
) -> None:
    compare(pair, language)


# Leaks, switched on one by one: each must be found

Leak = Callable[[pytest.MonkeyPatch], None]
LEAKS: dict[str, Leak] = {}


def leak(install: Leak) -> Leak:
    LEAKS[install.__name__] = install
    return install


def told_with_the_name(fact: Callable[[rules.Combatant], object]) -> Leak:
    """A leak that adds a fact of a combatant to the name that players see."""
    honest = screen._public_name

    def leaky(combatant: rules.Combatant, lettered: set[str]) -> Name:
        name = honest(combatant, lettered)
        return replace(name, mark=f"{name.mark}{fact(combatant)}")

    return lambda patch: patch.setattr(screen, "_public_name", leaky)


def told_on_the_board(change: Callable[[PlayerBoard, rules.Fight], PlayerBoard]) -> Leak:
    """A leak that changes what the board says of a running fight."""
    honest = screen.player_board

    def leaky(campaign: Campaign, fight: rules.Fight | None) -> PlayerBoard:
        board = honest(campaign, fight)
        return change(board, fight) if fight and board.state == "running" else board

    return lambda patch: patch.setattr(player_views, "player_board", leaky)


def told_in_the_title(fact: Callable[[rules.Fight], object]) -> Leak:
    return told_on_the_board(
        lambda board, fight: replace(board, campaign=f"{board.campaign} {fact(fight)}")
    )


def is_next(combatant: rules.Combatant, fight: rules.Fight) -> bool:
    return combatant.slot is not None and combatant.slot == rules.next_slot(fight)


LEAKS |= {
    "how many there are": told_in_the_title(lambda fight: len(fight.combatants)),
    "how many slots there are": told_in_the_title(lambda fight: len(fight.slots)),
    "whether a hidden creature is surprised": told_in_the_title(
        lambda fight: any(c.surprised for c in fight.combatants if c.hidden)
    ),
    "that a hidden creature is next": told_in_the_title(
        lambda fight: all(c.hidden for c in fight.combatants if is_next(c, fight))
    ),
    "the gaps in the order": told_in_the_title(
        lambda fight: [
            index
            for index, slot in enumerate(fight.slots)
            if any(not c.hidden for c in fight.members(slot.number))
        ]
    ),
    "open ties": told_in_the_title(lambda fight: len(rules.ties(fight))),
    "the step": told_in_the_title(lambda fight: fight.version),
    "the last number given": told_in_the_title(lambda fight: fight.last_number),
    "the round in which a hidden creature acts": told_on_the_board(
        lambda board, fight: replace(board, round=max(1, fight.round))
    ),
    "the turn of a hidden creature": told_on_the_board(
        lambda board, fight: board if fight.current == fight.seen_slot else replace(board, now=None)
    ),
    "hit points": told_with_the_name(lambda c: c.hp),
    "how hurt, in percent": told_with_the_name(
        lambda c: round(100 * (c.hp or 0) / c.max_hp) if c.max_hp else ""
    ),
    "temporary hit points": told_with_the_name(lambda c: c.temp_hp or ""),
    "armor class": told_with_the_name(lambda c: c.ac),
    "the gm's number": told_with_the_name(lambda c: c.ordinal or ""),
    "the number of entry, as a row's id": told_with_the_name(lambda c: c.number),
    "the slot, as a row's id": told_with_the_name(lambda c: c.slot),
    "the real name behind a label": told_with_the_name(lambda c: c.name if c.label else ""),
    "the entry of the book": told_with_the_name(lambda c: c.creature),
    "notes": told_with_the_name(lambda c: c.notes),
    "who hides": told_with_the_name(lambda c: "~" if c.hiding else ""),
    "reactions": told_with_the_name(lambda c: "" if c.reaction else "–"),
    "who is out": told_with_the_name(lambda c: "x" if c.out else ""),
}  # fmt: skip


@leak
def hidden_members_of_a_group(patch: pytest.MonkeyPatch) -> None:
    honest = screen._visible_slots

    def leaky(fight: rules.Fight) -> dict[int, screen.PlayerSlot]:
        shown = {c.slot for c in fight.combatants if not c.hidden}
        in_sight = {c.number: {"hidden": False} for c in fight.combatants if c.slot in shown}
        return honest(fight.with_each(in_sight))

    patch.setattr(screen, "_visible_slots", leaky)


@leak
def the_french_name_behind_a_label(patch: pytest.MonkeyPatch) -> None:
    honest = screen._public_name

    def leaky(combatant: rules.Combatant, lettered: set[str]) -> Name:
        return replace(honest(combatant, lettered), fr=combatant.name_fr or combatant.name)

    patch.setattr(screen, "_public_name", leaky)


@leak
def letters_that_count_the_hidden(patch: pytest.MonkeyPatch) -> None:
    honest = screen._visible_slots

    def leaky(fight: rules.Fight) -> dict[int, screen.PlayerSlot]:
        entered = [c.number for c in fight.combatants]
        return honest(fight.with_each({n: {"letter": entered.index(n) + 1} for n in entered}))

    patch.setattr(screen, "_visible_slots", leaky)


@leak
def letters_once_a_namesake_hides(patch: pytest.MonkeyPatch) -> None:
    honest = screen._visible_slots

    def leaky(fight: rules.Fight) -> dict[int, screen.PlayerSlot]:
        borne = Counter(rules.shown_name(c) for c in fight.combatants)
        return honest(replace(fight, letters_given=borne))

    patch.setattr(screen, "_visible_slots", leaky)


@leak
def surprise_that_ends_when_a_hidden_turn_begins(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(screen, "_seen_surprised", lambda combatant, fight: combatant.surprised)


@leak
def the_version_as_etag(patch: pytest.MonkeyPatch) -> None:
    def tagged(request: HttpRequest, link: PlayerLink, response: HttpResponse) -> HttpResponse:
        assert link.campaign.shown
        response["ETag"] = f'"{link.campaign.shown.version}"'
        return response

    patch.setattr(player_views, "_tagged", tagged)


@leak
def the_time_of_the_last_step_as_a_header(patch: pytest.MonkeyPatch) -> None:
    def tagged(request: HttpRequest, link: PlayerLink, response: HttpResponse) -> HttpResponse:
        assert link.campaign.shown
        response["Last-Modified"] = str(link.campaign.shown.used)
        return response

    patch.setattr(player_views, "_tagged", tagged)


@leak
def a_blank_for_each_hidden_row(patch: pytest.MonkeyPatch) -> None:
    def padded(request: HttpRequest, link: PlayerLink, response: HttpResponse) -> HttpResponse:
        fight = publishing.shown_fight(link.campaign)
        response.content += b" " * sum(c.hidden for c in fight.combatants if fight)  # type: ignore[union-attr]
        return response

    patch.setattr(player_views, "_tagged", padded)


@leak
def the_encounters_name(patch: pytest.MonkeyPatch) -> None:
    honest = player_views._board

    def leaky(campaign: Campaign) -> PlayerBoard:
        return replace(honest(campaign), campaign=str(campaign.shown))

    patch.setattr(player_views, "_board", leaky)


@leak
def a_frame_for_every_step(patch: pytest.MonkeyPatch) -> None:
    honest = publishing._store

    def leaky(campaign: Campaign, board: PlayerBoard) -> None:
        campaign.public_hash = ""
        honest(campaign, board)

    patch.setattr(publishing, "_store", leaky)


def test_there_are_leaks_enough_to_try() -> None:
    assert len(LEAKS) >= 30


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    @examples(150)
    @given(pair=twins(), language=st.sampled_from(["en", "fr"]))
    def look(pair: Twins, language: str) -> None:
        compare(pair, language)

    LEAKS[name](monkeypatch)
    with pytest.raises(AssertionError):
        look()


# What only concerns the hidden


@contextmanager
def unnoticed(link: PlayerLink) -> Iterator[None]:
    """What is done inside changes no byte of the players' screens, and sends them no frame."""
    before = seen_by_players(link, "en")
    yield
    assert seen_by_players(link, "en") == before


def ambush() -> tuple[Any, PlayerLink]:
    """Aria 20, a hidden Stalker 15, Bran 10, two hidden Goblins 5; Aria has the turn."""
    link = PlayerLinkFactory.create(campaign__reveal_on_turn=False)
    lurkers = [creature("Stalker", hidden=True), *[creature(creature="gob", hidden=True)] * 2]
    encounter = EncounterFactory.create(
        campaign=link.campaign, fight=fight_of(hero("Aria"), hero("Bran"), *lurkers)
    )
    take(encounter, rules.StartFight(totals={1: 20, 2: 10, 3: 15, 4: 5}))
    return encounter, link


HIDDEN_ONLY: dict[str, rules.Command] = {
    "its turn": rules.NextTurn(),
    "a wound": rules.Damage(3, 5),
    "its death": rules.Damage(3, 50),
    "temporary hit points": rules.GiveTemporary(3, 9),
    "its facts": rules.Edit(3, {"name": "Assassin", "notes": "poison", "label": "Aria"}),
    "one more": rules.Join((creature(hidden=True, creature="gob"),), (20,)),
    "an ogre": rules.Join((creature("Ogre", hidden=True),), (20,)),
    "one less": rules.Leave((3,)),
    "its place": rules.Reorder(3, None),
    "their places": rules.Reorder(4, 3),
    "its initiative": rules.RollInitiative(totals={3: 1}),
    "passing it over": rules.SetOut(3, True),
    "its surprise": rules.OverrideSurprise(3, "surprised"),
    "the turn given to it": rules.GiveTurn(4),
    "its reaction": rules.SetReaction(3, False),
    "a hero's hit points within one word": rules.GiveTemporary(1, 4),
    "a hero's notes": rules.Edit(1, {"notes": "cursed", "ac": 30}),
}


@pytest.mark.parametrize("about", HIDDEN_ONLY)
def test_players_do_not_notice_what_happens_to_the_hidden(about: str) -> None:
    encounter, link = ambush()
    with unnoticed(link):
        assert take(encounter, HIDDEN_ONLY[about]).fight.version == 2
    with unnoticed(link):
        undo(encounter)
    with unnoticed(link):
        redo(encounter)
    assert fresh(encounter).version == 4


def hidden_commands() -> st.SearchStrategy[Callable[[rules.Fight], rules.Command]]:
    """Any command that is about hidden combatants alone."""
    who, amount = st.integers(3, 6), st.integers(0, 9)
    return st.one_of(
        st.builds(lambda n, hp: lambda _: rules.Damage(n, hp), who, amount),
        st.builds(lambda n, hp: lambda _: rules.Heal(n, hp), who, amount),
        st.builds(lambda n, on: lambda _: rules.SetOut(n, on), who, st.booleans()),
        st.builds(lambda n, label: lambda _: rules.Edit(n, {"label": label}), who, st.just("Bran")),
        st.builds(lambda n, total: lambda _: rules.RollInitiative(totals={n: total}), who, amount),
        st.builds(lambda n, b: lambda _: rules.Reorder(n, b), who, st.integers(1, 5)),
        st.builds(lambda n: lambda _: rules.GiveTurn(n), who),
        st.just(lambda _: rules.Join((creature(hidden=True),), (1,))),
        st.just(lambda _: rules.NextTurn()),
    )


def concerns_the_hidden_alone(fight: rules.Fight, command: rules.Command) -> bool:
    if not isinstance(command, rules.NextTurn):
        return True
    coming = rules.next_slot(fight)
    return coming is not None and all(c.hidden for c in fight.members(coming))


@examples(25)
@given(done=st.lists(hidden_commands() | st.sampled_from(["undo", "redo"]), max_size=8))
def test_however_long_the_hidden_are_busy_players_notice_nothing(
    done: list[Callable[[rules.Fight], rules.Command] | str],
) -> None:
    with rolled_back():
        encounter, link = ambush()
        with unnoticed(link):
            for act in done:
                fight = fight_in(encounter)
                try:
                    if act == "redo":
                        redo(encounter)
                    elif isinstance(act, str):
                        if fresh(encounter).undo_step != 1:
                            undo(encounter)
                    elif concerns_the_hidden_alone(fight, act(fight)):
                        with transaction.atomic():
                            take(encounter, act(fight))
                except rules.RuleError:
                    continue


def test_when_a_hidden_creature_begins_the_fight_players_still_wait() -> None:
    link = PlayerLinkFactory.create(campaign__reveal_on_turn=False)
    prepared = fight_of(creature("Stalker", hidden=True), hero("Aria"))
    encounter = EncounterFactory.create(campaign=link.campaign, fight=prepared)
    with unnoticed(link):
        take(encounter, rules.StartFight(totals={1: 20, 2: 10}))
    take(encounter, rules.NextTurn())
    assert b"Aria" in seen_by_players(link, "en")["en"]  # type: ignore[operator]


def test_a_hidden_turn_keeps_the_marker_where_it_was_then_moves_on() -> None:
    encounter, link = ambush()

    def acting() -> str:
        board = player_views._board(Campaign.objects.get(pk=link.campaign_id))
        return board.now.title if board.now else ""

    marked = []
    for _ in range(5):
        marked.append(acting())
        take(encounter, rules.NextTurn())
    assert marked == ["Aria", "Aria", "Bran", "Bran", "Aria"]
