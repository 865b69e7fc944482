"""A table to try: a campaign, four heroes and a prepared ambush, for `start --demo`."""

from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from bestiary.models import Creature
from encounters import adding, steps
from encounters.models import Campaign, Encounter, Hero, PlayerLink

HEROES = (
    # name, player, level, AC, HP, initiative, passive Perception, Stealth, Dexterity, speed
    ("Aria", "Lia", 3, 14, 24, 3, 14, 5, 16, 30),
    ("Bran", "Noé", 3, 18, 30, 1, 11, 0, 12, 30),
    ("Cleo", "Mina", 3, 12, 18, 2, 12, 2, 14, 30),
    ("Dain", "Otto", 3, 16, 27, 0, 15, -1, 10, 25),
)
FOES = (("goblin", 4), ("hobgoblin", 1))


def make_demo() -> bool:
    """Make the table once; false, and nothing done, when there is a campaign already."""
    with transaction.atomic():
        if Campaign.objects.exists():
            return False
        campaign = Campaign.objects.create(name=_("The Road to Greyford"))
        PlayerLink.objects.create(campaign=campaign)
        for name, player, level, ac, hp, initiative, passive, stealth, dexterity, speed in HEROES:
            Hero.objects.create(
                campaign=campaign,
                name=name,
                player=player,
                level=level,
                ac=ac,
                max_hp=hp,
                initiative_bonus=initiative,
                passive_perception=passive,
                stealth_bonus=stealth,
                dexterity=dexterity,
                speed=speed,
            )
        encounter = Encounter.objects.create(campaign=campaign, name=_("Ambush at the mill"))
        fighters = [adding.from_hero(hero) for hero in campaign.heroes.all()]
        for key, quantity in FOES:
            creature = Creature.objects.get(source="srd-5.1", key=key)
            fighters += [adding.from_creature(creature, campaign) for _n in range(quantity)]
        join = rules.Join(tuple(fighters))
        steps.take_step(encounter.uuid, uuid4(), "join", lambda _fight: join)
        return True
