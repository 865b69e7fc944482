"""Tables that many tests sit down at."""

import pytest

import rules
from encounters.models import Encounter
from tests.encounters.playing import take
from tests.factories import EncounterFactory, creature, fight_of, hero


@pytest.fixture
def running(db: None) -> Encounter:
    """Aria 20 has the turn, Bran 15, an Ogre at 12; one version old."""
    prepared = fight_of(hero("Aria"), hero("Bran"), creature("Ogre", max_hp=59))
    encounter: Encounter = EncounterFactory.create(fight=prepared)
    take(encounter, rules.StartFight(totals={1: 20, 2: 15, 3: 12}))
    return encounter
