"""Leaks that tell players a fact of a fight or of a combatant, each in what they see anyhow."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import rules
from encounters import player_views, screens
from encounters.models import Campaign
from encounters.screens import PlayerBoard
from encounters.screens import player as screen

Leak = Callable[[pytest.MonkeyPatch], None]


def told_with_the_name(fact: Callable[[rules.Combatant], object]) -> Leak:
    """A leak that adds a fact of a combatant to the name that players see."""
    honest = screen._creature

    def leaky(c: rules.Combatant, lettered: bool, surprised: bool) -> screen.PlayerCreature:
        seen = honest(c, lettered, surprised)
        return replace(seen, name=replace(seen.name, mark=f"{seen.name.mark}{fact(c)}"))

    return lambda patch: patch.setattr(screen, "_creature", leaky)


def on_the_board(patch: pytest.MonkeyPatch, leaky: Callable[..., PlayerBoard]) -> None:
    """Let this make what players see, where it is published and where it is shown."""
    for module in (screens, player_views):
        patch.setattr(module, "player_board", leaky)


def told_on_the_board(change: Callable[[PlayerBoard, rules.Fight], PlayerBoard]) -> Leak:
    """A leak that changes what the board says of a running fight."""
    honest = screen.player_board

    def leaky(campaign: Campaign, fight: rules.Fight | None) -> PlayerBoard:
        board = honest(campaign, fight)
        return change(board, fight) if fight and board.state == "running" else board

    return lambda patch: on_the_board(patch, leaky)


def told_on_the_board_by_campaign(change: Callable[[PlayerBoard, Campaign], PlayerBoard]) -> Leak:
    """A leak that changes what the board says by what the campaign keeps."""
    honest = screen.player_board

    def leaky(campaign: Campaign, fight: rules.Fight | None) -> PlayerBoard:
        return change(honest(campaign, fight), campaign)

    return lambda patch: on_the_board(patch, leaky)


def told_in_the_title(fact: Callable[[rules.Fight], object]) -> Leak:
    return told_on_the_board(
        lambda board, fight: replace(board, campaign=f"{board.campaign} {fact(fight)}")
    )


def is_next(combatant: rules.Combatant, fight: rules.Fight) -> bool:
    return combatant.slot is not None and combatant.slot == rules.next_slot(fight)


FACTS_TOLD: dict[str, Leak] = {
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
    "secret effects": told_with_the_name(
        lambda c: [effect.code for effect in c.effects if effect.secret] or ""
    ),
    "whose doing an effect is": told_with_the_name(
        lambda c: [effect.source for effect in c.effects if effect.source] or ""
    ),
    "from how many an effect is": told_with_the_name(
        lambda c: len(c.effects) - len({(e.code, e.text) for e in c.effects}) or ""
    ),
    "what is left of effects": told_with_the_name(
        lambda c: [(e.ends, e.turns, e.until_round) for e in c.effects if not e.secret] or ""
    ),
    "the order in which effects came": told_with_the_name(
        lambda c: [e.code for e in c.effects if not e.secret and e.code in rules.CONDITIONS] or ""
    ),
    "the save that ends an effect": told_with_the_name(
        lambda c: [(e.save, e.dc) for e in c.effects if e.save] or ""
    ),
    "the spell that is concentrated on": told_with_the_name(
        lambda c: [e.text for e in c.effects if e.code == "concentration" and e.text] or ""
    ),
    "that somebody hidden concentrates": told_in_the_title(
        lambda fight: any(c.has("concentration") for c in fight.combatants if c.unseen)
    ),
    "how death saves stand": told_with_the_name(
        lambda c: f"{c.death_successes}{c.death_failures}" if c.dying else ""
    ),
    "defences": told_with_the_name(lambda c: [d.type for d in c.defences] or ""),
    "saves": told_with_the_name(lambda c: sorted(c.saves.items()) or ""),
    "uses": told_with_the_name(lambda c: [u.left for u in c.uses] or ""),
    "what is due": told_with_the_name(lambda c: [d.kind for d in c.dues] or ""),
    "the gm's own words": told_on_the_board_by_campaign(
        lambda board, campaign: replace(board, campaign=f"{board.campaign} {campaign.own_words}")
    ),
    "exhaustion": told_with_the_name(lambda c: c.level("exhaustion") or ""),
    "movement": told_with_the_name(lambda c: c.moved or ""),
    "speed": told_with_the_name(lambda c: c.speed or ""),
    "other speeds": told_with_the_name(lambda c: sorted(c.speeds.items()) or ""),
    "how it moves": told_with_the_name(lambda c: f"{c.moving}{c.hovers or ''}"),
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
