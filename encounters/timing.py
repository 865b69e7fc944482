"""How long a turn may take, where the table plays with a timer: instants, never in the rules."""

from datetime import datetime, timedelta

from django.utils import timezone

import rules
from encounters.models import Campaign, Encounter


def note_turns(encounter: Encounter, before: rules.Fight, after: rules.Fight) -> None:
    """Set (not save) when the turn that is on began, and the one that players see."""
    if before.turn_step != after.turn_step:
        encounter.turn_began = timezone.now()
    if not rules.same_turn_in_sight(before, after):
        encounter.seen_began = timezone.now()


def until(campaign: Campaign, began: datetime | None) -> int:
    """When the time of a turn is over, in milliseconds since 1970; 0 without a timer."""
    if began is None or not campaign.turn_seconds:
        return 0
    return _milliseconds(began + timedelta(seconds=campaign.turn_seconds))


def now(campaign: Campaign) -> int:
    """The server's own time, by which a browser sets its clock right; 0 without a timer."""
    return _milliseconds(timezone.now()) if campaign.turn_seconds else 0


def _milliseconds(instant: datetime) -> int:
    return int(instant.timestamp() * 1_000)
