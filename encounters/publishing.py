"""Whether what the players see has changed, and telling the open pages.

`Campaign.public_rev` rises only when the players' projection differs, so that neither its value
nor its timing tells of anything hidden.
"""

import hashlib
import json
from dataclasses import asdict

import rules
from encounters import live, screens
from encounters.models import Campaign, Encounter
from encounters.store import load_fight


def publish(campaign: Campaign, encounter: Encounter, fight: rules.Fight) -> None:
    """Store what a step on this encounter has changed for the players, inside its transaction."""
    if campaign.shown_id == encounter.pk:
        _store(campaign, screens.player_board(campaign, fight))


def publish_campaign(campaign: Campaign) -> None:
    """Store what a change of the campaign itself has changed for the players."""
    fight = load_fight(campaign.shown) if campaign.shown else None
    _store(campaign, screens.player_board(campaign, fight))


def announce(encounter: Encounter) -> None:
    """Tell the open pages of a committed step; never raises, the database is the truth."""
    live.announce(encounter.campaign_id, str(encounter.uuid), encounter.version)


def _store(campaign: Campaign, board: screens.PlayerBoard) -> None:
    projection = json.dumps(asdict(board), sort_keys=True)
    digest = hashlib.sha256(projection.encode()).hexdigest()
    if digest == campaign.public_hash and campaign.shown_id == campaign.stored_shown_id:
        return
    if digest != campaign.public_hash:
        campaign.public_hash = digest
        campaign.public_rev += 1
    campaign.save(update_fields=["public_hash", "public_rev", "shown"])
