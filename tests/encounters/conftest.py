"""Tables that many tests sit down at."""

from collections.abc import Iterator
from random import Random

import pytest

import rules
from encounters import chance
from encounters.models import Campaign, Encounter
from tests.encounters.opening import Told
from tests.encounters.playing import take
from tests.factories import (
    CampaignFactory,
    EncounterFactory,
    HeroFactory,
    creature,
    fight_of,
    hero,
)


@pytest.fixture
def running(db: None) -> Encounter:
    """Aria 20 has the turn, Bran 15, an Ogre at 12; one version old."""
    prepared = fight_of(hero("Aria"), hero("Bran"), creature("Ogre", max_hp=59))
    encounter: Encounter = EncounterFactory.create(fight=prepared)
    take(encounter, rules.StartFight(totals={1: 20, 2: 15, 3: 12}))
    return encounter


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Aria and Bran, and another table's hero."""
    made: Campaign = CampaignFactory.create(name="The mill")
    for name in ("Aria", "Bran"):
        HeroFactory.create(campaign=made, name=name)
    HeroFactory.create(name="Cleo")
    return made


@pytest.fixture(autouse=True)
def _the_same_dice() -> Iterator[None]:
    """What is drawn falls the same each time, and so a red test stays red."""
    before = chance.use(Random(4))
    yield
    chance.use(before)


@pytest.fixture
def dice() -> Iterator[Told]:
    told = Told()
    before = chance.use(told)
    yield told
    chance.use(before)
