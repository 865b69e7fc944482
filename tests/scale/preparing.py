"""Run as a program on an empty database: makes a table with a fight, and says where it is."""

import json
import os
from uuid import uuid4

import django


def main() -> None:
    """Aria has the turn; the Ogre has hit points for every hit that a test can deal."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    import rules
    from bestiary.book import load_book
    from encounters import steps
    from encounters.sessions import SessionStore
    from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

    call_command("migrate", verbosity=0)
    load_book()
    prepared = fight_of(hero("Aria"), hero("Bran"), creature("Ogre", max_hp=99_999))
    encounter = EncounterFactory.create(fight=prepared)
    begin = rules.StartFight(totals={1: 20, 2: 15, 3: 12})
    steps.take_step(encounter.uuid, uuid4(), "start-fight", lambda _: begin)
    session = SessionStore()
    session["gm"] = True
    session.create()
    facts = {
        "encounter": str(encounter.uuid),
        "token": PlayerLinkFactory.create(campaign=encounter.campaign, days=0).token,
        "campaign": str(encounter.campaign.uuid),
        "cookies": {
            settings.SESSION_COOKIE_NAME: session.session_key,
            settings.CSRF_COOKIE_NAME: "c" * 32,
        },
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
