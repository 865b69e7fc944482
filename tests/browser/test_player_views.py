"""The players' page as each likes it, on a television, over a stream, and without scripts."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.models import Campaign, Encounter
from tests.browser.barriers import has_no_barrier, overflow
from tests.browser.conftest import People
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    campaign_with_heroes,
    campaign_with_long_names,
    player_path,
    running_fight,
    step,
)
from tests.sizes import FULL, cases

pytestmark = pytest.mark.browser

EVERYTHING: dict[str, Any] = {
    "hp_heroes": "exact",
    "hp_foes": "exact",
    "show_ac": True,
    "show_initiative": True,
    "monsters_hidden": False,
}
SIZES = ("small", "", "large", "huge")


def many(campaign: Campaign, goblins: int) -> Encounter:
    """A fight of four heroes and so many goblins, each in a place of its own, some of them hurt."""
    fight = running_fight(campaign, goblin=goblins)
    for number in (ARIA, BRAN, CLEO, 5, 6):
        step(fight, "damage", rules.Damage(number, 5))
        for code in ("prone", "poisoned", "restrained"):
            step(fight, "add-effect", rules.AddEffect(number, rules.Effect(code)))
    return fight


def live(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    return page


# As each player likes it

FIRST = """
    new MutationObserver(() => {
        const { theme, size } = document.documentElement.dataset;
        if (document.body && !window.first) window.first = [theme, size];
    }).observe(document, { childList: true, subtree: true });
"""


def test_what_a_player_chooses_is_kept_and_in_force_before_anything_is_seen(
    people: People,
) -> None:
    campaign = campaign_with_heroes()
    running_fight(campaign)
    page = people.player(script=FIRST)
    live(page, player_path(campaign))
    font = "getComputedStyle(document.getElementById('board')).fontSize"
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    before = page.evaluate(font), page.evaluate(ground)
    assert page.evaluate("first") == [None, None]
    page.locator("#settings").click()
    page.get_by_role("radio", name="very large").check()
    page.get_by_role("radio", name="dark").check()
    has_no_barrier(page)
    assert page.locator("#choices :is(button, label)").evaluate_all(TOO_SMALL) == []
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#choices")).to_be_hidden()
    page.get_by_role("link", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    live(page, player_path(campaign))
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert page.evaluate("first") == ["dark", "huge"]
    after = page.evaluate(font), page.evaluate(ground)
    assert float(after[0][:-2]) > 1.3 * float(before[0][:-2])
    assert after[1] != before[1]
    page.emulate_media(color_scheme="light")
    page.locator("#settings").click()
    page.locator("#choices [name=theme]").first.check()
    page.reload()
    assert page.evaluate(ground) == before[1]


TOO_SMALL = """(parts) => parts
    .filter((part) => part.checkVisibility())
    .filter((part) => part.offsetWidth < 44 || part.offsetHeight < 44)
    .map((part) => part.outerHTML)"""


@pytest.mark.parametrize("language", cases("fr", full=["en"]))  # its words are the longer ones
def test_nothing_is_wider_than_a_phone_of_320_in_any_view_or_size_of_text(
    people: People, language: str
) -> None:
    campaign = campaign_with_long_names()
    Campaign.objects.update(**EVERYTHING)
    page = people.player(language, width=320)
    live(page, player_path(campaign))
    assert overflow(page) == 0  # where all wait
    fight = many(campaign, 3)
    step(fight, "damage", rules.Damage(6, 7))
    step(fight, "give-temporary", rules.GiveTemporary(ARIA, 100))
    for view in ("", "tv", "overlay"):
        live(page, f"{player_path(campaign)}?lang={language}&view={view}")
        for size in reversed(SIZES) if view == "" else ("",):
            page.evaluate("(size) => { document.documentElement.dataset.size = size; }", size)
            for _turn in range(3 if size == "huge" or (FULL and view == "") else 1):
                assert overflow(page) == 0, (view, size)
                step(fight, "next-turn", rules.NextTurn())
            page.evaluate("document.getElementById('choices').showPopover()")
            assert overflow(page) == 0, (view, size)
            page.keyboard.press("Escape")
    step(fight, "end-fight", rules.EndFight())
    live(page, f"{player_path(campaign)}?lang={language}&view=")
    expect(page.locator("#board.over")).to_be_visible()
    assert overflow(page) == 0


# A television and a stream


def test_a_television_fills_its_screen_with_nobody_few_or_twenty_places(people: People) -> None:
    campaign = campaign_with_heroes(group_initiative=False, **EVERYTHING)
    page = people.stranger(viewport={"width": 1280, "height": 720})
    live(page, f"{player_path(campaign)}?view=tv")
    assert page.evaluate(SCROLLS) == []
    few = running_fight(campaign)
    expect(page.locator(".now .name")).to_have_text("Aria")
    assert page.evaluate(SCROLLS) == []
    now, following = (page.locator(part).bounding_box() for part in (".now", ".order"))
    assert now
    assert following
    assert now["x"] + now["width"] <= following["x"]  # side by side
    step(few, "end-fight", rules.EndFight())
    fight = many(campaign, 16)
    expect(page.locator(".slot")).to_have_count(19)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SCROLLS) == []
        first, *then = page.evaluate(PLACES)
        assert len(then) == 19
        assert all(place["within"] for place in (first, *then))
        assert first["letters"] >= 0.08 * height
        assert min(place["letters"] for place in then) >= 0.048 * height
    has_no_barrier(page)
    for _ in range(7):  # part of them in the next round
        step(fight, "next-turn", rules.NextTurn())
    expect(page.locator(".now .name")).to_have_text("Goblin D")
    assert page.evaluate(SCROLLS) == []
    assert [place["within"] for place in page.evaluate(PLACES)] == [True] * 20


# Of each place, whether all of it is on the screen, and how large the letters of its name are.
PLACES = """() => [...document.querySelectorAll(".now, .slot")].map((place) => {
    const { left, top, right, bottom } = place.getBoundingClientRect();
    const title = place.querySelector(".title");
    return {
        within: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
        letters: parseFloat(getComputedStyle(title).fontSize),
    };
})"""


SCROLLS = """[...document.querySelectorAll("html, body, main, #board")]
    .map((part) => ({
        part: part.id || part.tagName,
        wider: part.scrollWidth - part.clientWidth,
        higher: part.scrollHeight - part.clientHeight,
    }))
    .filter(({ wider, higher }) => wider > 1 || higher > 1)"""


def test_an_overlay_lets_the_picture_through_and_names_six(people: People) -> None:
    campaign = campaign_with_heroes(group_initiative=False, monsters_hidden=False)
    fight = many(campaign, 6)
    page = people.stranger(viewport={"width": 800, "height": 600}, color_scheme="dark")
    live(page, f"{player_path(campaign)}?view=overlay")
    for part in ("html", "body", "main", "#board", ".now", ".order", ".slot"):
        ground = "(part) => getComputedStyle(part).backgroundColor"
        assert page.locator(part).first.evaluate(ground) == "rgba(0, 0, 0, 0)"
    shown = [title.inner_text() for title in page.locator(".title:visible").all()]
    assert shown == ["Aria", "Bran", "Goblin A", "Cleo", "Dain", "Goblin B"]
    assert "rgb(0, 0, 0)" in page.locator(".slot .title").first.evaluate(
        "(title) => getComputedStyle(title).textShadow"
    )
    for hidden in ("header a", "#settings", "#you", "#connection"):
        expect(page.locator(hidden)).to_be_hidden()
    step(fight, "next-turn", rules.NextTurn())
    expect(page.locator(".title:visible")).to_have_count(6)
    # Over a dark scene its colours are told apart; over a bright one they have their outlines.
    page.evaluate("document.documentElement.style.background = '#222'")
    has_no_barrier(page)


# Without scripts


def test_without_scripts_the_page_says_everything_and_asks_again_by_itself(people: People) -> None:
    campaign = campaign_with_heroes(**EVERYTHING)
    fight = running_fight(campaign)
    step(fight, "damage", rules.Damage(BRAN, 8))
    step(fight, "add-effect", rules.AddEffect(BRAN, rules.Effect("prone")))
    page = people.player(java_script_enabled=False)
    page.goto(player_path(campaign))
    expect(page).to_have_title("Aria · The Road to Greyford")
    expect(page.locator(".now .name")).to_have_text("Aria")
    expect(page.locator(".slot.next")).to_have_text(
        re.compile(r"next\s*17\s*Bran\s*12/20\s*prone\s*AC 15")
    )
    page.get_by_role("button", name="prone").click()
    expect(page.locator("#m-prone")).to_be_visible()
    for idle in ("#settings", "#you"):
        expect(page.locator(idle)).to_be_hidden()
    refresh = page.locator("meta[http-equiv=refresh]")
    expect(refresh).to_have_attribute("content", "10")
    page.get_by_role("link", name="Français").click()
    expect(page.locator(".slot.next .when")).to_have_text("ensuite")
