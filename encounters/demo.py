"""A table to try: a campaign, four heroes and a prepared ambush, for `start --demo`."""

from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

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
CAMPAIGN, AMBUSH = _("The Road to Greyford"), _("Ambush at the mill")
FOES = (("goblin", 4), ("hobgoblin", 1))


def make_demo() -> bool:
    """Make the table once; false, and nothing done, when there is a campaign already."""
    with transaction.atomic():
        if Campaign.objects.exists():
            return False
        campaign = Campaign.objects.create(name=str(CAMPAIGN))
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
        encounter = Encounter.objects.create(campaign=campaign, name=str(AMBUSH))
        fighters = [adding.from_hero(hero) for hero in campaign.heroes.all()]
        for key, quantity in FOES:
            creature = Creature.objects.get(source="srd-5.1", key=key)
            fighters += [adding.from_creature(creature, campaign) for _n in range(quantity)]
        join = rules.Join(tuple(fighters))
        steps.take_step(encounter.uuid, uuid4(), "join", lambda _fight: join)
        return True


def read_in_own_language() -> None:
    """The table's names as its reader's language has them, where nobody has given others.

    They are laid in the terminal's language: which the browser speaks is known once it is here.
    """
    for model, name in ((Campaign, CAMPAIGN), (Encounter, AMBUSH)):
        others = {_in_language(code, name) for code, _language in settings.LANGUAGES} - {str(name)}
        model._default_manager.filter(name__in=others).update(name=str(name))


def _in_language(code: str, name: object) -> str:
    with override(code):
        return str(name)
