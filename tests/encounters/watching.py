"""What players get of a campaign, byte by byte, and two fights compared by it."""

from datetime import UTC, datetime
from random import Random
from unittest import mock

from django.test import Client
from django.utils import timezone
from hypothesis import strategies as st

from encounters import player_views, publishing
from encounters.live.frames import Event
from encounters.models import Campaign, Encounter, PlayerLink
from tests.encounters.playing import fight_in, rolled_back
from tests.encounters.scenes import scenes
from tests.encounters.twins import Told, hidden_in, stored
from tests.factories import PlayerLinkFactory

Twins = tuple[Told, Told]
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


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
    with rolled_back(), mock.patch.object(timezone, "now", return_value=NOON):
        link = PlayerLinkFactory.create()
        campaign = Campaign.objects.get(pk=link.campaign_id)
        shown = []
        for told in pair:
            encounter = stored(told, campaign)
            _give_time(encounter, campaign)
            publishing.publish(campaign, encounter, fight_in(encounter))
            shown.append(seen_by_players(link, language))
        assert shown[0] == shown[1]


def _give_time(encounter: Encounter, campaign: Campaign) -> None:
    """A timer; when the turn began that players do not see is by chance, as is the last step."""
    encounter.seen_began, encounter.turn_began = NOON, encounter.used
    encounter.save()
    campaign.turn_seconds = 60
    campaign.save()
