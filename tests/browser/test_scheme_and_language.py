"""The scheme and the language that a reader chooses by hand."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import People
from tests.browser.tables import running_fight

pytestmark = pytest.mark.browser


def test_the_systems_scheme_is_followed_unless_another_is_chosen_by_hand(people: People) -> None:
    page = people.gm()
    page.goto("/")
    light, dark = inks(page)  # the system asks for dark from now on
    assert light != dark
    page.locator("button[name=theme][value=light]:visible").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert inks(page) == [light, light]
    page.emulate_media(color_scheme="light")
    page.locator("button[name=theme][value=dark]:visible").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert inks(page) == [dark, dark]
    page.emulate_media(color_scheme="light")
    page.locator("button[name=theme][value=system]:visible").click()
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
    assert inks(page) == [light, dark]


def inks(page: Page) -> list[str]:
    """The colour of text where the system asks for light, and where it asks for dark."""
    seen = []
    for scheme in "light", "dark":
        page.emulate_media(color_scheme=scheme)
        seen.append(page.evaluate("getComputedStyle(document.body).color"))
    return seen


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
