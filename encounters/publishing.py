"""Whether what the players see has changed, and telling the open pages.

`Campaign.public_rev` rises only when the players' projection differs, so that neither its value
nor its timing tells of anything hidden.
"""

from functools import partial

from django.db import transaction

import rules
from encounters import live, player_views, screens, statements
from encounters.lingering import as_seen
from encounters.models import Campaign, Encounter
from encounters.screens.published import dumped
from encounters.store import shown_fight


def publish(campaign: Campaign, encounter: Encounter, fight: rules.Fight) -> None:
    """Store what a step on this encounter has changed for the players, inside its transaction."""
    if campaign.shown_id != encounter.pk:
        return
    board = screens.player_board(campaign, as_seen(encounter, fight))
    board = screens.timed(board, campaign, encounter)
    if campaign.public_rev or board.state != "waiting":  # all that a new campaign shows
        _store(campaign, board)


@transaction.atomic
def publish_campaign(campaign: Campaign) -> None:
    """Store what a change of the campaign itself has changed for the players.

    Call it in the transaction of the change: the campaign is read again, under its lock.
    """
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    board = screens.player_board(campaign, shown_fight(campaign))
    _store(campaign, screens.timed(board, campaign, campaign.shown))


def announce(encounter: Encounter) -> None:
    """Tell the open pages of a committed step; never raises, the database is the truth."""
    campaign = encounter.campaign
    live.announce(campaign.pk, str(encounter.uuid), encounter.version, at_hand(campaign))


def at_hand(campaign: Campaign) -> live.Shown:
    """What players see of a campaign whose row is as it was just stored."""
    return live.Shown(campaign.public_rev, partial(player_views.render_screen, campaign))


def announce_campaign(campaign: Campaign) -> None:
    """Tell the players' pages that the campaign itself has changed."""
    live.announce(campaign.pk, "", 0)


def _store(campaign: Campaign, board: screens.PlayerBoard) -> None:
    text = dumped(board)
    if text != campaign.public_board:
        campaign.public_board = text
        campaign.public_rev += 1
        values = {"public_board": text, "public_rev": campaign.public_rev}
        statements.update(campaign, values)
