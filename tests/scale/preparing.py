"""Run as a program on an empty database: makes a table with a fight, and says where it is."""

import json
import os
from typing import TYPE_CHECKING
from uuid import uuid4

import django

if TYPE_CHECKING:
    from encounters.models import Encounter


def main() -> None:
    """Aria has the turn; the Ogre has hit points for every hit that a test can deal."""
    begin()
    import rules
    from encounters import steps
    from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

    prepared = fight_of(hero("Aria"), hero("Bran"), creature("Ogre", max_hp=99_999))
    encounter = EncounterFactory.create(fight=prepared)
    start = rules.StartFight(totals={1: 20, 2: 15, 3: 12})
    taken = steps.take_step(encounter.uuid, uuid4(), "start-fight", lambda _: start)
    links = [PlayerLinkFactory.create(campaign=encounter.campaign) for _ in range(6)]
    tell(taken.encounter, more_tokens=[link.token for link in links])


def begin() -> None:
    """A database with its tables and the book, which the models may be used on."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from django.core.management import call_command

    from bestiary.book import load_book

    call_command("migrate", verbosity=0)
    load_book()


def tell(encounter: "Encounter", **more: object) -> None:
    """Let a GM in and a player's link be, and print what a test has to know of them."""
    from django.conf import settings

    from encounters.sessions import SessionStore
    from tests.factories import PlayerLinkFactory

    session = SessionStore()
    session["gm"] = True
    session.create()
    facts = {
        "encounter": str(encounter.uuid),
        "version": encounter.version,
        "token": PlayerLinkFactory.create(campaign=encounter.campaign, days=0).token,
        "campaign": str(encounter.campaign.uuid),
        "cookies": {
            settings.SESSION_COOKIE_NAME: session.session_key,
            settings.CSRF_COOKIE_NAME: "c" * 32,
        },
    }
    print(json.dumps(facts | more))


if __name__ == "__main__":
    main()
