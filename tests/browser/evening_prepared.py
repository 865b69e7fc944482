"""Run as a program on an empty database: four heroes, two goblins and an ogre about to fight."""

from tests.scale.preparing import begin, tell


def main() -> None:
    begin()
    from encounters.models import PlayerLink
    from tests.browser.tables import campaign_with_heroes, prepared_fight

    campaign = campaign_with_heroes()
    far = PlayerLink.objects.create(campaign=campaign, name="Cleo, far away")
    tell(prepared_fight(campaign, goblin=2, ogre=1), far=far.token)


if __name__ == "__main__":
    main()
