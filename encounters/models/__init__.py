"""The rows of a table: campaigns, heroes, encounters, combatants and the steps of a fight."""

from encounters.models.campaign import HERO_LIMIT, Binnable, Campaign, Hero
from encounters.models.fight import Combatant, Encounter, Step, usual_allies
from encounters.models.links import EntryLink, PlayerLink, secret_hash

__all__ = [
    "HERO_LIMIT",
    "Binnable",
    "Campaign",
    "Combatant",
    "Encounter",
    "EntryLink",
    "Hero",
    "PlayerLink",
    "Step",
    "secret_hash",
    "usual_allies",
]
