"""A fight that players follow, and what their streams ought to show of it."""

from encounters.models import Campaign, Encounter, PlayerLink
from encounters.player_views import render_screen
from encounters.publishing import publish_campaign
from tests.encounters.streaming import Got
from tests.factories import (
    CampaignFactory,
    EncounterFactory,
    PlayerLinkFactory,
    creature,
    hero,
    running,
)


def followed() -> Encounter:
    """A fight that players follow: Lia's turn, and a goblin that they do not see."""
    campaign = CampaignFactory.create(name="The Reach")
    fight = running(hero("Lia"), creature("Goblin", hidden=True), hero("Bran"))
    encounter: Encounter = EncounterFactory.create(campaign=campaign, fight=fight)
    campaign.shown = encounter
    campaign.save()
    publish_campaign(campaign)
    PlayerLinkFactory.create(campaign=campaign)
    return encounter


def stream(encounter: Encounter, language: str = "en") -> str:
    token = PlayerLink.objects.get(campaign=encounter.campaign).token
    return f"/j/{token}/live?lang={language}"


def screen(encounter: Encounter, language: str = "en") -> Got:
    """What a player's stream ought to show now."""
    rev, html = render_screen(Campaign.objects.get(pk=encounter.campaign_id), language)
    return Got("board", html, str(rev))
