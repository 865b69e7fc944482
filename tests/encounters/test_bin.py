"""The bin: what was thrown away is out of sight, and comes back for thirty days."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

import rules
from encounters.bin_views import empty_old_bin
from encounters.models import Campaign, Encounter, Hero
from tests.encounters.addresses import addresses
from tests.encounters.playing import fight_in, fresh, page_of, take, text_of
from tests.factories import EncounterFactory, HeroFactory, PlayerLinkFactory, fight_of, hero

pytestmark = pytest.mark.django_db

OTHERS = {"token": "X", "kind": "hero", "pk": 1, "secret": "X"}  # in addresses of no fight


def thrown(gm_client: Client, kind: str, row: Campaign | Encounter | Hero) -> None:
    assert gm_client.post(f"/bin/{kind}/{row.pk}/throw-away/").status_code == 302


def test_what_is_thrown_away_is_out_of_sight_and_comes_back_as_it_was(
    gm_client: Client, campaign: Campaign
) -> None:
    aria = campaign.heroes.first()
    assert aria
    encounter = EncounterFactory.create(campaign=campaign, fight=fight_of(hero("Aria")))
    for kind, row, address in (
        ("hero", aria, page_of(campaign)),
        ("encounter", encounter, f"/e/{encounter.uuid}/"),
        ("campaign", campaign, page_of(campaign)),
    ):
        before = type(row).objects.filter(pk=row.pk).values().get()
        thrown(gm_client, kind, row)
        gone = gm_client.get(address)
        assert gone.status_code == (200 if kind == "hero" else 404)
        if kind == "hero":
            assert 'value="Aria"' not in gone.content.decode()
        assert str(row) in text_of(gm_client.get("/"))
        assert gm_client.post(f"/bin/{kind}/{row.pk}/restore/")["Location"] == "/"
        assert type(row).objects.filter(pk=row.pk).values().get() == before
        assert gm_client.get(address).status_code == 200


def test_a_hero_in_the_bin_is_in_no_new_fight(gm_client: Client, campaign: Campaign) -> None:
    thrown(gm_client, "hero", campaign.heroes.get(name="Aria"))
    gm_client.post(f"{page_of(campaign)}encounters/")
    assert [c.name for c in fight_in(Encounter.objects.get()).combatants] == ["Bran"]


def test_players_wait_while_their_fight_is_in_the_bin(
    gm_client: Client, running: Encounter, client: Client
) -> None:
    link = PlayerLinkFactory.create(campaign=running.campaign)
    rev = fresh(running).campaign.public_rev
    thrown(gm_client, "encounter", running)
    assert b"Aria" not in client.get(f"/j/{link.token}").content
    assert fresh(running).campaign.public_rev == rev + 1
    gm_client.post(f"/bin/encounter/{running.pk}/restore/")
    assert b"Aria" in client.get(f"/j/{link.token}").content
    assert fresh(running).campaign.public_rev == rev + 2


def test_a_fight_of_a_campaign_in_the_bin_is_nowhere(gm_client: Client, running: Encounter) -> None:
    """Its own bin is not asked about: no address of it answers, and nothing is done."""
    thrown(gm_client, "campaign", running.campaign)
    version = fresh(running).version
    values = {"uuid": running.uuid, "number": 1}
    own = {name: path for name, path in addresses(values | OTHERS).items() if "/e/" in path}
    for name, path in own.items():
        assert gm_client.get(path).status_code in (404, 405), name
        posted = {"key": str(uuid4()), "seen": version, "target": "1", "name": "Gone"}
        assert gm_client.post(path, posted).status_code in (404, 405), name
    assert len(own) > 60
    assert fresh(running).version == version


def test_the_bin_is_emptied_after_thirty_days(gm_client: Client, campaign: Campaign) -> None:
    heroes = list(campaign.heroes.all())
    for days, one in zip((29, 31), heroes, strict=True):
        one.deleted = timezone.now() - timedelta(days=days)
        one.save()
    encounter = EncounterFactory.create(campaign=campaign)
    take(encounter, rules.Join((hero(),)))
    Encounter.objects.filter(pk=encounter.pk).update(deleted=timezone.now() - timedelta(31))
    empty_old_bin()
    assert list(campaign.heroes.all()) == heroes[:1]
    assert not Encounter.objects.filter(pk=encounter.pk).exists()
    assert Campaign.objects.filter(pk=campaign.pk).exists()


@pytest.mark.parametrize("path", ["cat/1", "hero/999", "step/1", f"hero/{10**30}", "hero/0"])
def test_the_bin_takes_only_what_is_there(path: str, gm_client: Client) -> None:
    for verb in ("throw-away", "restore"):
        assert gm_client.post(f"/bin/{path}/{verb}/").status_code == 404


def test_after_throwing_away_the_page_is_one_of_ours(gm_client: Client, campaign: Campaign) -> None:
    for wanted, found in (
        (page_of(campaign), page_of(campaign)),
        ("https://evil.example/", "/"),
        ("//evil.example", "/"),
        ("javascript:alert(1)", "/"),
    ):
        one = HeroFactory.create(campaign=campaign)
        answer = gm_client.post(f"/bin/hero/{one.pk}/throw-away/", {"next": wanted})
        assert answer["Location"] == f"{found}?thrown=hero.{one.pk}"


def test_what_is_thrown_away_is_told_and_comes_back_in_place(
    gm_client: Client, campaign: Campaign
) -> None:
    aria = campaign.heroes.get(name="Aria")
    address = page_of(campaign)
    answer = gm_client.post(f"/bin/hero/{aria.pk}/throw-away/", {"next": address})
    told = gm_client.get(answer["Location"])
    assert "Aria is in the bin, for 30 days. Undo" in text_of(told)
    back = gm_client.post(f"/bin/hero/{aria.pk}/restore/", {"next": address})
    assert back["Location"] == address
    assert campaign.heroes.get(name="Aria").deleted is None
    for stale in (answer["Location"], f"{address}?thrown=hero.x", f"{address}?thrown=cat.1"):
        assert "in the bin" not in text_of(gm_client.get(stale))
