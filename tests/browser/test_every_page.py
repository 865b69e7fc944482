"""Every page, light and dark: no fault in the console, nothing from elsewhere."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from encounters.access import new_entry_path
from encounters.models import Campaign, Encounter, PlayerLink
from tests.browser.conftest import People
from tests.browser.tables import (
    OGRE,
    campaign_with_heroes,
    ended_fight,
    opened_fight,
    player_path,
    prepared_fight,
    running_fight,
)
from tests.sizes import cases

pytestmark = pytest.mark.browser

SCHEMES = ("light", "dark")
Begin = Callable[[Campaign], Encounter]
FIGHTS: dict[str, Begin] = {
    "preparing": prepared_fight,
    "rolling": opened_fight,
    "running": running_fight,
    "ended": ended_fight,
}


def in_both_schemes(page: Page, address: str, status: int = 200) -> None:
    """Look at a page in light and dark; what goes wrong, `people` tell at the end."""
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == status
    expect(page.locator("main")).to_be_visible()
    inks = set()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        inks.add(ink(page))
    assert len(inks) == 2


@pytest.mark.parametrize("language", cases("en", full=["fr"]))
def test_the_gms_pages_in_both_schemes(people: People, language: str) -> None:
    page = people.gm(language)
    in_both_schemes(page, "/")  # before there is anything
    campaign = campaign_with_heroes()
    fights = {state: begin(campaign) for state, begin in FIGHTS.items()}
    addresses = ["/", "/about/", f"/c/{campaign.uuid}/"]
    for fight in fights.values():
        addresses += [f"/e/{fight.uuid}/", f"/e/{fight.uuid}/?selected={OGRE}"]
    addresses += [f"/e/{fights['running'].uuid}/{rest}" for rest in ("rename/", "combatant/1/")]
    addresses += [f"/e/{fights['ended'].uuid}/{rest}" for rest in ("summary/", "log/")]
    link = PlayerLink.objects.create(campaign=campaign, name="Mina")
    addresses += [f"/c/{campaign.uuid}/settings/", f"/c/{campaign.uuid}/links/{link.pk}/card/"]
    for address in addresses:
        in_both_schemes(page, address)


@pytest.mark.parametrize("language", cases("fr", full=["en"]))
def test_strangers_pages_in_both_schemes(people: People, language: str) -> None:
    page = people.stranger(language)
    in_both_schemes(page, "/entry/")
    in_both_schemes(page, new_entry_path())
    in_both_schemes(page, "/nowhere/", 404)
    in_both_schemes(page, "/j/nothing", 404)


@pytest.mark.parametrize("begin", [None, running_fight, ended_fight])
def test_the_players_page_in_both_schemes(people: People, begin: Begin | None) -> None:
    campaign = campaign_with_heroes()
    if begin:
        begin(campaign)
    in_both_schemes(people.player(), player_path(campaign))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_scheme_chosen_by_hand_beats_the_systems(people: People, scheme: str) -> None:
    other = "dark" if scheme == "light" else "light"
    page = people.gm(color_scheme=other)
    page.goto("/")
    before = ink(page)
    while page.locator(f"button[name=theme][value={scheme}]").count() == 0:
        page.locator("button[name=theme]").click()
    page.locator(f"button[name=theme][value={scheme}]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)
    assert ink(page) != before
    page.goto("/about/")
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)


def ink(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.body).color")
    return colour


def test_the_gms_language_is_changed_by_one_click_and_kept(people: People) -> None:
    page = people.gm("en")
    page.goto(f"/e/{running_fight().uuid}/")
    page.locator("button[name=language][value=fr]").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("#now")).to_be_visible()  # still on the board
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.locator("button[name=language][value=en]").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
