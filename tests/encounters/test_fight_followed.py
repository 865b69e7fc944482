"""Which of a campaign's fights its players follow."""

import pytest
from django.test import Client
from django.utils import timezone

import rules
from tests.encounters.playing import fresh, take
from tests.factories import EncounterFactory, fight_of, hero, running

pytestmark = pytest.mark.django_db


def test_the_fight_that_is_begun_is_the_one_that_players_follow() -> None:
    first = EncounterFactory.create(fight=fight_of(hero("Aria")))
    second = EncounterFactory.create(fight=fight_of(hero("Bran")), campaign=first.campaign)
    start = rules.StartFight(totals={1: 12})
    for encounter in (first, second):
        take(encounter, start)
        assert fresh(encounter).campaign.shown == encounter
    take(first, rules.Damage(1, 5))
    assert fresh(first).campaign.shown == second


def test_players_follow_the_fight_that_is_played_on_once_the_other_is_over() -> None:
    first = EncounterFactory.create(fight=running(hero("Aria"), hero("Cleo")))
    second = EncounterFactory.create(fight=fight_of(hero("Bran")), campaign=first.campaign)
    take(second, rules.StartFight(totals={1: 12}))
    take(second, rules.EndFight())
    assert fresh(first).campaign.shown == second  # they read that it is over
    take(first, rules.NextTurn())
    assert fresh(first).campaign.shown == first


def test_players_do_not_read_a_fight_that_is_played_beside_theirs() -> None:
    beside = EncounterFactory.create(fight=fight_of(hero("Aria")))
    shown = EncounterFactory.create(fight=fight_of(hero("Bran")), campaign=beside.campaign)
    for encounter in (beside, shown):
        take(encounter, rules.StartFight(totals={1: 12}))
    before = fresh(shown).campaign
    take(beside, rules.Damage(1, 5))
    now = fresh(shown).campaign
    assert (now.public_rev, now.public_board) == (before.public_rev, before.public_board)
    assert "Bran" in now.public_board


def test_players_follow_the_fight_that_is_played_on_when_theirs_lies_in_the_bin() -> None:
    first = EncounterFactory.create(fight=running(hero("Aria"), hero("Cleo")))
    second = EncounterFactory.create(
        fight=running(hero("Bran")), campaign=first.campaign, deleted=timezone.now()
    )
    first.campaign.shown = second
    first.campaign.save()
    take(first, rules.NextTurn())
    assert fresh(first).campaign.shown == first


def test_the_board_of_a_fight_beside_says_which_one_players_follow(gm_client: Client) -> None:
    first = EncounterFactory.create(fight=fight_of(hero("Aria")), name="The mill")
    second = EncounterFactory.create(
        fight=fight_of(hero("Bran")), campaign=first.campaign, name="The ford"
    )
    for encounter in (first, second):
        take(encounter, rules.StartFight(totals={1: 12}))
    for encounter, told in ((first, True), (second, False)):
        page = gm_client.get(f"/e/{encounter.uuid}/").content.decode()
        assert ("Players follow another fight: The ford" in page) == told
