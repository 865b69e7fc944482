"""Tables where a test begins, made by the commands that the pages would send."""

from uuid import uuid4

import rules
from bestiary.models import Creature
from encounters import adding, steps
from encounters.models import Campaign, Encounter, Hero, PlayerLink

ARIA, BRAN, CLEO, DAIN, OGRE = range(1, 6)
HEROES = (  # name, maximum HP, passive Perception, initiative bonus, Stealth bonus
    ("Aria", 24, 14, 3, 5),
    ("Bran", 20, 11, 1, 0),
    ("Cleo", 18, 12, 2, 2),
    ("Dain", 27, 15, 0, -1),
)
TOTALS = {ARIA: 21, BRAN: 17, OGRE: 13, CLEO: 9, DAIN: 5}


def campaign_with_heroes(**settings: object) -> Campaign:
    campaign = Campaign.objects.create(name="The Road to Greyford", **settings)
    for name, max_hp, passive, initiative, stealth in HEROES:
        Hero.objects.create(
            campaign=campaign,
            name=name,
            max_hp=max_hp,
            passive_perception=passive,
            initiative_bonus=initiative,
            stealth_bonus=stealth,
            ac=15,
        )
    return campaign


LONG = "Bartholomew-Maximilian of the Seven Interminable Names and Quite Some Titles More"


def campaign_with_long_names() -> Campaign:
    campaign = campaign_with_heroes()
    campaign.name = LONG[:80]
    campaign.save()
    Hero.objects.filter(name="Bran").update(name=LONG[:80])
    Hero.objects.filter(name="Cleo").update(name="Llanfair" * 10)
    return campaign


def prepared_fight(campaign: Campaign | None = None, **creatures: int) -> Encounter:
    """Four heroes, 1 to 4, and an ogre, 5, or the creatures named with their quantity."""
    campaign = campaign or campaign_with_heroes()
    encounter = Encounter.objects.create(campaign=campaign, name="Ambush at the mill")
    fighters = [adding.from_hero(hero) for hero in campaign.heroes.all()]
    for key, quantity in (creatures or {"ogre": 1}).items():
        creature = Creature.objects.get(source="srd-5.1", key=key)
        fighters += [adding.from_creature(creature, campaign) for _ in range(quantity)]
    step(encounter, "join", rules.Join(tuple(fighters)))
    return encounter


def opened_fight(campaign: Campaign | None = None, **creatures: int) -> Encounter:
    """The same at the question of who hides."""
    encounter = prepared_fight(campaign, **creatures)
    step(encounter, "open-fight", rules.OpenFight())
    return encounter


def running_fight(campaign: Campaign | None = None, **creatures: int) -> Encounter:
    """The same in its first round, in the order of TOTALS, others last; it is Aria's turn."""
    encounter = opened_fight(campaign, **creatures)
    step(encounter, "start-fight", rules.StartFight(totals=TOTALS, accept_empty=True))
    return encounter


def ended_fight(campaign: Campaign | None = None) -> Encounter:
    encounter = running_fight(campaign)
    step(encounter, "end-fight", rules.EndFight())
    return encounter


def step(encounter: Encounter, name: str, command: rules.Command) -> None:
    """Change the fight as if another of the GM's windows had done it."""
    steps.take_step(encounter.uuid, uuid4(), name, lambda _fight: command)


def player_path(campaign: Campaign) -> str:
    """The address of the campaign's player page."""
    link, _ = PlayerLink.objects.get_or_create(campaign=campaign)
    return f"/j/{link.token}"
