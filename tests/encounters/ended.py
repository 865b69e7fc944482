"""A fight that is over, with blows in two rounds, one of them by nobody knows whom."""

from typing import Any

import rules
from encounters.models import Campaign, Encounter
from encounters.screens.charts import Chart
from tests.encounters.playing import take
from tests.factories import CreatureFactory, EncounterFactory, HeroFactory, creature, hero

ARIA, BRAN, GOBLIN_1, GOBLIN_2, DOG = range(1, 6)
GOBLIN = creature(name_fr="Gobelin", creature="srd-5.1/goblin")


def fought(campaign: Campaign | None = None, **aria: Any) -> Encounter:
    """Aria and Bran at 20 of 20 against two goblins and a dog of no book, in its first turn."""
    CreatureFactory.create(xp=50)
    encounter: Encounter = EncounterFactory.create(
        **({"campaign": campaign} if campaign else {}), name="At the ford"
    )
    heroes = HeroFactory.create(campaign=encounter.campaign, name="Aria", **aria)
    other = HeroFactory.create(campaign=encounter.campaign, name="Bran")
    party = (hero("Aria", hero=heroes.pk), hero("Bran", hero=other.pk))
    take(encounter, rules.Join((*party, GOBLIN, GOBLIN, creature("Dog"))))
    take(encounter, rules.StartFight(dice={GOBLIN_1: 9, DOG: 1}, totals={ARIA: 20, BRAN: 15}))
    return encounter


def ended(campaign: Campaign | None = None) -> Encounter:
    """The same after Aria has hit Goblin 1 for 4 and for 9, and Goblin 2 her for 6 in round 2."""
    encounter = fought(campaign)
    take(encounter, rules.Damage(GOBLIN_1, 4, by=ARIA))
    for _ in range(4):
        take(encounter, rules.NextTurn())
    take(encounter, rules.Damage(GOBLIN_1, 9, by=ARIA))
    take(encounter, rules.Damage(ARIA, 6, by=GOBLIN_2))
    take(encounter, rules.Damage(BRAN, 1))
    take(encounter, rules.EndFight())
    return encounter


def amounts(chart: Chart) -> dict[str, list[int]]:
    """Of each one in the table, what stands in its row."""
    return {line.who.name: list(line.amounts) for line in chart.lines}
