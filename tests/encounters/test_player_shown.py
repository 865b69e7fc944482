"""What players read of hit points, AC and initiative, as the campaign says; and in which views."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

import rules
from encounters import player_views
from encounters.models import Campaign, PlayerLink
from encounters.store import shown_fight
from tests.encounters.playing import fight_in, fresh, take, text_of, undo
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

SIDES = {"heroes": "Bran", "allies": "Guard", "foes": "Ogre", "third": "Wolf"}  # who is hurt there
SETTING = {"heroes": "hp_heroes", "allies": "hp_allies", "foes": "hp_foes", "third": "hp_others"}


def link_to_fight(**settings: Any) -> PlayerLink:
    """A link to a fight with somebody hurt on each side, and Aria's turn.

    Each has 22 of 30 hit points and 5 temporary ones; AC 14 and 9 on initiative.
    """
    told = {"name": "The mill"} | settings
    link = PlayerLinkFactory.create(**{f"campaign__{name}": told[name] for name in told})
    those = [
        creature(name, side=side, is_hero=side == "heroes", max_hp=30, ac=14)
        for side, name in SIDES.items()
    ]
    fight = fight_of(hero("Aria"), *those)
    encounter = EncounterFactory.create(campaign=link.campaign, fight=fight)
    take(encounter, rules.StartFight(totals={1: 20, 2: 9, 3: 9, 4: 9, 5: 9}, accept_empty=True))
    for number in range(2, 6):
        take(encounter, rules.Damage(number, 8))
        take(encounter, rules.GiveTemporary(number, 5))
    return link


def rows(client: Client, link: PlayerLink) -> dict[str, str]:
    """The marks and words of each row of the order, by its title."""
    html = client.get(f"/j/{link.token}/board?lang=en").content.decode()
    found = re.findall(r"<li class=\"slot.*?</li>", html, re.DOTALL)
    return {re.search(r'class="title">([^<]*)', row)[1]: row for row in found}  # type: ignore[index]


def words(row: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", row).split())


# Hit points, AC, initiative


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("shown", "read"), [("nothing", ""), ("word", "hurt"), ("exact", "22/30 +5")]
)
def test_players_read_of_a_sides_hit_points_what_is_chosen_for_it(
    shown: str, read: str, side: str, client: Client
) -> None:
    given = rows(client, link_to_fight(**{SETTING[side]: shown}))
    for other, name in SIDES.items():
        expected = read if other == side else "hurt"
        assert words(given[name].replace(">next<", "><")) == f"{name} {expected}".strip()
        assert given[name].count('class="health"') == (0 if expected == "" else 1)
        assert f'class="member {"" if expected == "" else "hurt"}"' in given[name]


@pytest.mark.parametrize(
    ("damage", "read"), [(0, "30/30"), (16, "14/30"), (30, "dying 0/30"), (60, "Out of the fight")]
)
def test_numbers_leave_the_word_only_where_they_do_not_say_it(
    damage: int, read: str, client: Client
) -> None:
    link = PlayerLinkFactory.create(campaign__hp_heroes="exact")
    fight = fight_of(hero("Aria"), hero("Bran", max_hp=30))
    encounter = EncounterFactory.create(campaign=link.campaign, fight=fight)
    take(encounter, rules.StartFight(totals={1: 20, 2: 9}))
    take(encounter, rules.Damage(2, damage))
    text = text_of(client.get(f"/j/{link.token}/board?lang=en"))
    assert (f"Bran {read}" in text) or (damage == 60 and f"{read}: Bran" in text)


def test_a_group_shows_its_ac_once_when_all_have_the_same(client: Client) -> None:
    link = PlayerLinkFactory.create(campaign__show_ac=True)
    goblins = [creature(creature="gob")] * 3
    encounter = EncounterFactory.create(
        campaign=link.campaign, fight=fight_of(hero("Aria", ac=16), *goblins)
    )
    take(encounter, rules.StartFight(totals={1: 20, 2: 9}))
    assert words(rows(client, link)["Goblin ×3"]).endswith("Goblin ×3 healthy AC 15")
    take(encounter, rules.Damage(2, 1))
    told = words(rows(client, link)["Goblin ×3"])
    assert told.endswith("A hurt B, C healthy AC 15")
    take(encounter, rules.Heal(2, 1))
    take(encounter, rules.Edit(3, {"ac": 13}))
    told = words(rows(client, link)["Goblin ×3"])
    assert told.endswith("A, C healthy AC 15 B healthy AC 13")


@pytest.mark.parametrize("setting", ["show_ac", "show_initiative"])
def test_ac_and_initiative_are_read_where_the_campaign_shows_them(
    setting: str, client: Client
) -> None:
    number = {"show_ac": "AC 14", "show_initiative": "9"}
    for shown in (True, False):
        link = link_to_fight(**{setting: shown})
        text = text_of(client.get(f"/j/{link.token}/board?lang=en"))
        for name, value in number.items():
            found = len(re.findall(rf"(?<![\w/]){value}(?![\w/])", text))
            assert found == (4 if shown and name == setting else 0)


# Who a player may be


def test_heroes_in_the_order_are_marked_and_nobody_else(client: Client) -> None:
    link = link_to_fight(monsters_hidden=False)
    board = client.get(f"/j/{link.token}/board?lang=en").content.decode()
    assert re.findall(r'data-hero="([^"]*)"', board) == ["Aria", "Bran"]
    [encounter] = Campaign.objects.get(pk=link.campaign_id).encounters.all()
    take(encounter, rules.SetHidden((2,), True))
    assert fight_in(fresh(encounter)).combatant(2).hidden
    board = client.get(f"/j/{link.token}/board?lang=en").content.decode()
    assert re.findall(r'data-hero="([^"]*)"', board) == ["Aria"]


# Views


def test_every_view_has_the_same_board(client: Client) -> None:
    link = link_to_fight()
    plain = client.get(f"/j/{link.token}/board?lang=en").content
    for view in ("tv", "overlay", "nothing", "tv%20overlay", ""):
        page = client.get(f"/j/{link.token}?lang=en&view={view}").content.decode()
        board = client.get(f"/j/{link.token}/board?lang=en&view={view}").content
        assert board == plain
        assert plain.decode().strip() in page
        assert ('class="tv"' in page, 'class="overlay"' in page) == (
            view == "tv",
            view == "overlay",
        )
        assert "view=" not in re.search(r'data-stream="([^"]*)"', page)[1]  # type: ignore[index]
    link.campaign.refresh_from_db()
    assert player_views.render_screen(link.campaign, "en")[1].encode() == plain


def test_the_other_language_keeps_the_view(client: Client) -> None:
    link = link_to_fight()
    for view, address in (("tv", "?lang=fr&amp;view=tv"), ("", "?lang=fr"), ("x", "?lang=fr")):
        page = client.get(f"/j/{link.token}?lang=en&view={view}").content.decode()
        assert f'<a href="{address}" lang="fr"' in page


def test_the_title_says_whose_turn_it_is_without_scripts_too(client: Client) -> None:
    link = link_to_fight(name="The mill")
    page = client.get(f"/j/{link.token}?lang=en").content.decode()
    assert "<title>Aria · The mill</title>" in page
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in page


def test_the_gms_pages_load_nothing_of_the_players(gm_client: Client) -> None:
    [encounter] = link_to_fight().campaign.encounters.all()
    for address in ("/", f"/c/{encounter.campaign.uuid}/", f"/e/{encounter.uuid}/"):
        page = gm_client.get(address).content.decode()
        loaded = re.findall(r'<(?:script|link)\b[^>]*(?:src|href)="([^"]*)"', page)
        assert len(loaded) > 1
        assert not any("player" in name for name in loaded)


# What was read while something happened


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], PlayerLink]:
    """Makes a link to a fight of which only another version has told players.

    While it is read, so many steps are taken one after the other, each of them half read.
    """

    def made(steps_meanwhile: int) -> PlayerLink:
        link, meanwhile = link_to_fight(), iter(range(steps_meanwhile))
        campaigns = Campaign.objects.filter(pk=link.campaign_id)
        campaigns.update(public_board="of another version")

        def torn(campaign: Campaign) -> rules.Fight | None:
            fight = shown_fight(campaign)
            if next(meanwhile, None) is None or fight is None or campaign.shown is None:
                return fight
            campaign.shown.version -= 1  # it was read before the step that is in the rows
            return replace(fight, seen_round=99)

        monkeypatch.setattr(player_views, "shown_fight", torn)
        return link

    return made


def test_what_another_version_has_told_is_told_anew(
    unread: Callable[[int], PlayerLink], client: Client
) -> None:
    page = client.get(f"/j/{unread(0).token}?lang=en").content.decode()
    assert "Round 1" in page
    assert "Bran" in page


def test_a_fight_that_was_read_while_a_step_took_place_is_read_again(
    unread: Callable[[int], PlayerLink], client: Client
) -> None:
    page = client.get(f"/j/{unread(2).token}?lang=en").content.decode()
    assert "Round 1" in page
    assert "Round 99" not in page


def test_a_fight_that_never_stands_still_is_not_told_by_halves(
    unread: Callable[[int], PlayerLink], client: Client
) -> None:
    page = client.get(f"/j/{unread(player_views.READINGS).token}?lang=en").content.decode()
    assert "The game master is preparing" in page
    assert "Bran" not in page


def test_that_players_wait_is_news_even_if_it_is_the_first_after_an_update() -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria")))
    take(encounter, rules.StartFight({1: 20}))
    campaigns = Campaign.objects.filter(pk=encounter.campaign_id)
    campaigns.update(public_board="")  # what an earlier version has published is not there
    before = campaigns.get().public_rev
    undo(encounter)
    assert campaigns.get().public_rev == before + 1
