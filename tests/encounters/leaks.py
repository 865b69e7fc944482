"""Leaks of all kinds, each to be switched on alone."""

from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest

import rules
from encounters import player_views, screens, timing
from encounters.models import Campaign, Encounter
from encounters.screens import PlayerBoard
from encounters.screens import player as screen
from tests.encounters.facts_told import FACTS_TOLD, Leak
from tests.encounters.leaks_beside import BESIDE

LEAKS: dict[str, Leak] = {**FACTS_TOLD, **BESIDE}


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
    honest = screen._creature

    def leaky(c: rules.Combatant, lettered: bool, surprised: bool) -> screen.PlayerCreature:
        seen = honest(c, lettered, surprised)
        return replace(seen, name=replace(seen.name, fr=c.name_fr or c.name))

    patch.setattr(screen, "_creature", leaky)


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

    for module in (screens, player_views):
        patch.setattr(module, "timed", leaky)


def shown_anyhow(*names: str, but: str = "") -> Leak:
    """A leak that shows these facts of a creature or slot whatever the campaign says."""
    honest = screen.shown

    def leaky(slot: screen.PlayerSlot, campaign: Campaign) -> screen.PlayerSlot:
        hp = getattr(campaign, screen.HP_SEEN.get(slot.side, "hp_others"))
        told = honest(slot, campaign)
        if hp == but:
            return told
        members = tuple(map(_told_of, slot.members, told.members))
        seen: screen.PlayerSlot = _told_of(slot, told)
        return replace(seen, members=members)

    def _told_of(one: Any, seen: Any) -> Any:
        own = {f.name for f in fields(one)}.intersection(names)
        return replace(seen, **{name: getattr(one, name) for name in own})

    return lambda patch: patch.setattr(screen, "shown", leaky)


LEAKS |= {
    "numbers of hit points where a word is shown": shown_anyhow(
        "hp", "max_hp", "temp_hp", but="nothing"
    ),
    "hit points that are lost, where a word is shown": shown_anyhow("hp", but="nothing"),
    "the maximum where a word is shown": shown_anyhow("max_hp", but="nothing"),
    "temporary hit points where a word is shown": shown_anyhow("temp_hp", but="nothing"),
    "a word where nothing of hit points is shown": shown_anyhow("health"),
    "armor class where it is not shown": shown_anyhow("ac"),
    "initiative where it is not shown": shown_anyhow("initiative"),
    "conditions where they are not shown": shown_anyhow("effects"),
}


@leak
def the_place_in_the_whole_order_as_initiative(patch: pytest.MonkeyPatch) -> None:
    honest = screen._visible_slots

    def leaky(fight: rules.Fight) -> dict[int, screen.PlayerSlot]:
        place = {slot.number: index for index, slot in enumerate(fight.slots)}
        seen = honest(fight)
        return {n: replace(slot, initiative=place[n]) for n, slot in seen.items()}

    patch.setattr(screen, "_visible_slots", leaky)


@leak
def the_highest_hit_points_of_a_group_with_its_hidden(patch: pytest.MonkeyPatch) -> None:
    honest = screen._visible_slots

    def leaky(fight: rules.Fight) -> dict[int, screen.PlayerSlot]:
        most = {
            n: max((c.max_hp or 0 for c in own), default=0) for n, own in fight.by_slot().items()
        }
        return {
            n: replace(slot, members=tuple(replace(one, max_hp=most[n]) for one in slot.members))
            for n, slot in honest(fight).items()
        }

    patch.setattr(screen, "_visible_slots", leaky)


@leak
def heroes_by_a_hidden_one_among_them(patch: pytest.MonkeyPatch) -> None:
    honest = screen._visible_slots

    def leaky(fight: rules.Fight) -> dict[int, screen.PlayerSlot]:
        with_hero = {c.slot for c in fight.combatants if c.is_hero}
        return {
            n: replace(
                slot, members=tuple(replace(one, is_hero=n in with_hero) for one in slot.members)
            )
            for n, slot in honest(fight).items()
        }

    patch.setattr(screen, "_visible_slots", leaky)


@leak
def more_than_the_names_of_the_gone_and_waiting(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(screen, "_named", lambda slot: slot)
