"""The time for a turn: the GM's counts the turn that is on, the players' the one that they see."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from unittest import mock

import pytest
from django.test import Client
from django.utils import timezone

import rules
from encounters import player_views, publishing
from encounters.models import Campaign, Encounter, PlayerLink
from tests.encounters.owing import board_of
from tests.encounters.playing import back, fresh, page_of, redo, take, undo
from tests.encounters.test_secrecy import unnoticed
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def goes_on(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture(autouse=True)
def clock() -> Iterator[Clock]:
    told = Clock()
    with mock.patch.object(timezone, "now", told):
        yield told


@pytest.fixture
def link() -> PlayerLink:
    made: PlayerLink = PlayerLinkFactory.create(
        campaign__turn_seconds=60, campaign__reveal_on_turn=False
    )
    return made


@pytest.fixture
def fight(link: PlayerLink) -> Encounter:
    """Aria 20, a hidden Stalker 15, Bran 10, with a minute for a turn; it is noon, Aria's turn."""
    party = [hero("Aria"), creature("Stalker", hidden=True), hero("Bran")]
    made: Encounter = EncounterFactory.create(campaign=link.campaign, fight=fight_of(*party))
    take(made, rules.StartFight(totals={1: 20, 2: 15, 3: 10}))
    return made


def ms(seconds: int) -> int:
    """So many seconds after noon, as the pages say it."""
    return int(NOON.timestamp() + seconds) * 1_000


def gms(fight: Encounter) -> int:
    return board_of(fight).until


def players(fight: Encounter) -> int:
    return player_views._board(Campaign.objects.get(pk=fight.campaign_id)).until


def test_a_turn_has_its_seconds_from_its_beginning(fight: Encounter, clock: Clock) -> None:
    assert gms(fight) == players(fight) == ms(60)
    clock.goes_on(10)
    take(fight, rules.Damage(1, 3))
    assert gms(fight) == players(fight) == ms(60)


def test_a_hidden_turn_begins_for_the_gm_alone(
    fight: Encounter, link: PlayerLink, clock: Clock
) -> None:
    clock.goes_on(40)
    with unnoticed(link):
        take(fight, rules.NextTurn())
    assert (gms(fight), players(fight)) == (ms(100), ms(60))
    clock.goes_on(10)
    take(fight, rules.NextTurn())
    assert gms(fight) == players(fight) == ms(110)


def test_undo_redo_and_the_turn_before_begin_it_anew(fight: Encounter, clock: Clock) -> None:
    take(fight, rules.NextTurn())
    take(fight, rules.NextTurn())
    for seconds, step in enumerate((undo, redo, back), 1):
        clock.goes_on(5)
        step(fight)
        assert gms(fight) == ms(60 + 5 * seconds)


def test_going_back_from_a_hidden_turn_is_no_news(
    fight: Encounter, link: PlayerLink, clock: Clock
) -> None:
    take(fight, rules.NextTurn())
    clock.goes_on(7)
    for step in (undo, redo, back):
        with unnoticed(link):
            step(fight)
    assert players(fight) == ms(60)


def test_another_number_of_the_place_is_no_new_turn(link: PlayerLink, clock: Clock) -> None:
    party = [creature("Stalker", hidden=True), creature("Ogre"), hero("Bran")]
    fight = EncounterFactory.create(campaign=link.campaign, fight=fight_of(*party))
    seen = take(fight, rules.StartFight(totals={1: 9, 2: 20, 3: 5})).fight.seen_slot
    clock.goes_on(7)
    take(fight, rules.NextTurn())
    assert take(fight, rules.Merge((1, 2))).fight.seen_slot != seen
    assert players(fight) == ms(60)
    clock.goes_on(7)
    with unnoticed(link):
        take(fight, rules.Split((1,)))


def test_a_hidden_turn_after_a_second_one_is_no_news(link: PlayerLink, clock: Clock) -> None:
    """The second turn's place goes with round 1: for players that turn is still on."""
    party = [creature("Stalker", hidden=True), hero("Bran")]
    fight = EncounterFactory.create(campaign=link.campaign, fight=fight_of(*party))
    take(fight, rules.StartFight(totals={1: 20, 2: 15}))
    take(fight, rules.GiveExtraTurn(2))
    take(fight, rules.NextTurn())
    clock.goes_on(5)
    take(fight, rules.NextTurn())
    assert players(fight) == ms(65)
    clock.goes_on(5)
    with unnoticed(link):
        assert take(fight, rules.NextTurn()).fight.round == 2
    assert (gms(fight), players(fight)) == (ms(70), ms(65))


def test_without_a_timer_no_page_has_one(
    fight: Encounter, link: PlayerLink, gm_client: Client
) -> None:
    Campaign.objects.update(turn_seconds=0)
    publishing.publish_campaign(Campaign.objects.get())
    for address in (f"/e/{fight.uuid}/", f"/j/{link.token}"):
        page = gm_client.get(address).content.decode()
        assert "data-until" not in page
        assert "data-now" not in page


def test_the_pages_say_when_the_time_is_over_and_what_time_it_is(
    fight: Encounter, link: PlayerLink, gm_client: Client, clock: Clock
) -> None:
    clock.goes_on(15)
    for address in (f"/e/{fight.uuid}/", f"/j/{link.token}"):
        page = gm_client.get(address).content.decode()
        assert re.findall(r'data-until="(\d+)"', page) == [str(ms(60))]
        assert re.findall(r'data-now="(\d+)"', page) == [str(ms(15))]


def test_players_who_wait_or_whose_fight_is_over_have_no_timer(
    fight: Encounter, link: PlayerLink
) -> None:
    take(fight, rules.EndFight())
    assert players(fight) == gms(fight) == 0


@pytest.mark.parametrize(("typed", "kept"), [("90", 90), ("", 0), ("0", 0), ("3600", 3600)])
def test_the_campaign_says_how_long_a_turn_is(
    typed: str, kept: int, fight: Encounter, gm_client: Client
) -> None:
    assert choose(gm_client, fight, typed) == 302
    campaign = fresh(fight).campaign
    assert campaign.turn_seconds == kept
    assert players(fight) == (ms(kept) if kept else 0)


@pytest.mark.parametrize("typed", ["-1", "3601", "soon", "1.5"])
def test_a_time_that_is_none_is_refused(typed: str, fight: Encounter, gm_client: Client) -> None:
    assert choose(gm_client, fight, typed) == 422
    assert fresh(fight).campaign.turn_seconds == 60


def choose(client: Client, fight: Encounter, seconds: str) -> int:
    campaign = fresh(fight).campaign
    seen = ("hp_heroes", "hp_allies", "hp_foes", "hp_others")
    sent = {name: getattr(campaign, name) for name in ("name", *rules.CHOICES, *seen)}
    sent = {name: value for name, value in sent.items() if value is not False}
    address = f"{page_of(campaign)}settings/"
    return client.post(address, {**sent, "turn_seconds": seconds}).status_code
