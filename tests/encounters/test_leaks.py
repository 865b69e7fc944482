"""Leaks of all kinds, switched on one by one: the twins find each of them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.http import HttpRequest, HttpResponse
from hypothesis import given
from hypothesis import strategies as st

import rules
from encounters import player_views, publishing, store
from encounters.labels import Name
from encounters.models import Campaign, PlayerLink
from encounters.screens import PlayerBoard
from encounters.screens import player as screen
from tests.encounters.playing import examples
from tests.encounters.watching import Twins, compare, twins

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:Generating overly large repr"),  # of fights, when they fail
]

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
    "conditions": told_with_the_name(lambda c: [effect.code for effect in c.effects] or ""),
    "how many effects": told_with_the_name(lambda c: "*" * len(c.effects)),
    "what is held ready": told_with_the_name(
        lambda c: next((effect.text for effect in c.effects if effect.code == "readied"), "")
    ),
    "exhaustion": told_with_the_name(lambda c: c.level("exhaustion") or ""),
    "movement": told_with_the_name(lambda c: c.moved or ""),
    "speed": told_with_the_name(lambda c: c.speed or ""),
    "dashes": told_with_the_name(lambda c: c.dashes or ""),
    "what is spent": told_with_the_name(
        lambda c: f"{c.action_spent:d}{c.bonus_spent:d}{c.object_spent:d}"
    ),
    "the round of arrival": told_with_the_name(lambda c: c.arrives or ""),
    "who rides it": told_with_the_name(lambda c: c.rider or ""),
    "whose lair it is": told_with_the_name(lambda c: c.owner or ""),
    "advantage on checks": told_with_the_name(
        lambda c: f"{c.stealth_roll}{c.perception_roll}{c.initiative_roll}"
    ),
    "the dice of initiative": told_in_the_title(
        lambda fight: [(s.die, s.dropped, s.modifier, s.tie_dice) for s in fight.slots]
    ),
    "how ties were settled": told_in_the_title(lambda fight: [s.settled for s in fight.slots]),
    "how totals came about": told_in_the_title(lambda fight: [s.by for s in fight.slots]),
    "whom the gm has moved": told_in_the_title(lambda fight: [s.moved for s in fight.slots]),
    "who was split off or put together": told_in_the_title(
        lambda fight: [(s.split_from, s.merged) for s in fight.slots]
    ),
    "how many are awaited": told_in_the_title(
        lambda fight: sum(c.awaited for c in fight.combatants)
    ),
    "how many places wait": told_in_the_title(
        lambda fight: sum(slot.waiting is not None for slot in fight.slots)
    ),
    "since when a place waits": told_in_the_title(
        lambda fight: [slot.waiting for slot in fight.slots if slot.waiting]
    ),
    "second turns of the hidden": told_in_the_title(
        lambda fight: sum(slot.extra_of is not None for slot in fight.slots)
    ),
    "who is allied": told_in_the_title(lambda fight: fight.allied),
    "the rules of this fight": told_in_the_title(lambda fight: sorted(fight.overrides)),
    "the rules of the campaign": told_in_the_title(lambda fight: fight.settings.edition),
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
def a_frame_for_every_step(patch: pytest.MonkeyPatch) -> None:
    honest = publishing._store

    def leaky(campaign: Campaign, board: PlayerBoard) -> None:
        campaign.public_hash = ""
        honest(campaign, board)

    patch.setattr(publishing, "_store", leaky)


def test_there_are_leaks_enough_to_try() -> None:
    assert len(LEAKS) >= 60


# RW-S22: each kind of leak would be found
@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    @examples(500)
    @given(pair=twins(), language=st.sampled_from(["en", "fr"]))
    def look(pair: Twins, language: str) -> None:
        compare(pair, language)

    LEAKS[name](monkeypatch)
    with pytest.raises(AssertionError):
        look()
