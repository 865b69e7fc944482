"""Leaks of all kinds, each to be switched on alone."""

from collections import Counter
from dataclasses import replace

import pytest
from django.http import HttpRequest, HttpResponse

import rules
from encounters import player_views, publishing, store, timing
from encounters.labels import Name
from encounters.models import Campaign, Encounter, PlayerLink
from encounters.screens import PlayerBoard
from encounters.screens import player as screen
from tests.encounters.facts_told import FACTS_TOLD, Leak

LEAKS: dict[str, Leak] = dict(FACTS_TOLD)


def leak(install: Leak) -> Leak:
    LEAKS[install.__name__] = install
    return install


@leak
def hidden_members_of_a_group(patch: pytest.MonkeyPatch) -> None:
    honest = screen._visible_slots

    def leaky(fight: rules.Fight) -> dict[int, screen.PlayerSlot]:
        shown = {c.slot for c in fight.combatants if not c.hidden}
        in_sight = {c.number: {"hidden": False} for c in fight.combatants if c.slot in shown}
        return honest(fight.with_each(in_sight))

    patch.setattr(screen, "_visible_slots", leaky)


@leak
def awaited_creatures(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(screen, "_in_sight", lambda combatant, fight: not combatant.hidden)


@leak
def arrivals_before_a_turn_of_their_round_is_seen(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(screen, "_in_sight", lambda combatant, fight: not combatant.unseen)


@leak
def letters_of_arrivals_not_seen_yet(patch: pytest.MonkeyPatch) -> None:
    def leaky(fight: rules.Fight) -> set[str]:
        return {name for name, given in fight.letters_given.items() if given > 1}

    patch.setattr(screen, "_lettered", leaky)


@leak
def the_count_of_a_group_with_an_awaited_member(patch: pytest.MonkeyPatch) -> None:
    honest = screen._visible_slots

    def leaky(fight: rules.Fight) -> dict[int, screen.PlayerSlot]:
        there = {c.slot for c in fight.combatants if not c.unseen}
        awaited = [c.number for c in fight.combatants if c.awaited and not c.hidden]
        with_its_group = [n for n in awaited if fight.combatant(n).slot in there]
        return honest(fight.with_each({n: {"awaited": False} for n in with_its_group}))

    patch.setattr(screen, "_visible_slots", leaky)


@leak
def when_the_order_comes_by_a_lair(patch: pytest.MonkeyPatch) -> None:
    def leaky(fight: rules.Fight, seen: dict[int, screen.PlayerSlot]) -> set[int]:
        return {s.number for s in fight.slots if s.acted_round >= max(fight.seen_round, 1)}

    patch.setattr(screen, "_acted", leaky)


@leak
def that_the_dead_wait(patch: pytest.MonkeyPatch) -> None:
    honest = screen._visible_slots

    def leaky(fight: rules.Fight) -> dict[int, screen.PlayerSlot]:
        waits = {slot.number: slot.waiting is not None for slot in fight.slots}
        return {n: replace(slot, waiting=waits[n]) for n, slot in honest(fight).items()}

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
        fight = store.shown_fight(link.campaign)
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
def when_the_turn_that_is_on_began(patch: pytest.MonkeyPatch) -> None:
    def leaky(board: PlayerBoard, campaign: Campaign, encounter: Encounter | None) -> PlayerBoard:
        began = encounter.turn_began if encounter and board.now else None
        return replace(board, until=timing.until(campaign, began))

    patch.setattr(player_views, "timed", leaky)


@leak
def a_frame_for_every_step(patch: pytest.MonkeyPatch) -> None:
    honest = publishing._store

    def leaky(campaign: Campaign, board: PlayerBoard) -> None:
        campaign.public_hash = ""
        honest(campaign, board)

    patch.setattr(publishing, "_store", leaky)
