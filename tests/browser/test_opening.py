"""The opening and the pages of choices under the GM's hands: keys, mouse and finger, no scripts."""

import re
from functools import partial

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.models import Encounter
from tests.browser.acting import Dice, GmBoard
from tests.browser.barriers import has_no_barrier, overflow
from tests.browser.conftest import People
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    DAIN,
    OGRE,
    campaign_with_heroes,
    opened_fight,
    prepared_fight,
    running_fight,
    step,
)
from tests.sizes import cases

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}


def at(people: People, fight: Encounter) -> GmBoard:
    board = GmBoard(people.gm())
    board.open(fight)
    return board


# One by one


def test_stealth_and_perception_are_set_one_by_one(people: People, dice: Dice) -> None:
    board = at(people, opened_fight())
    page = board.page
    page.locator("#stealth summary").click()
    page.locator(f"#stealth_{BRAN}").fill("13")  # half-typed, and stays
    choose = page.locator(f"#stealth-roll-{OGRE}").select_option
    board.step(partial(choose, "advantage"))
    dice.will_fall(4, 16)  # an ogre's Stealth is −1
    board.click(f"#form-stealth-roll-{OGRE} button[name=only]")
    expect(page.locator(f"#stealth_{OGRE}")).to_have_value("15")
    expect(page.locator(f"#stealth_{BRAN}")).to_have_value("13")
    expect(page.locator(f"#watch-{DAIN} .why").last).to_have_text("15 = 15")

    board.step(partial(page.locator(f"#perception-roll-{DAIN}").select_option, "advantage"))
    expect(page.locator(f"#watch-{DAIN} .cell .why").first).to_have_text("20 > 15")
    expect(page.locator(f"#form-perception-roll-{DAIN} b")).to_have_text("20")
    page.locator(f"#stealth_{BRAN}").focus()
    board.press("Enter")
    expect(page.locator("#hide-heroes button")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#stealth")).to_have_js_property("open", True)


def test_a_result_that_is_none_is_refused_below_it_and_stays_typed(people: People) -> None:
    board = at(people, opened_fight())
    board.page.locator("#stealth summary").click()
    board.page.locator(f"#stealth_{OGRE}").fill("well")
    board.page.keyboard.press("Enter")
    expect(board.page.locator("#stealth-form .refusal")).to_contain_text("well")
    expect(board.page.locator(f"#stealth_{OGRE}")).to_have_value("well")


def test_a_check_rolls_with_the_advantage_that_the_gm_gives(people: People, dice: Dice) -> None:
    board = at(people, opened_fight())
    page = board.page
    page.locator("#ways summary").click()
    board.step(partial(page.locator(f"#initiative-roll-{OGRE}").select_option, "advantage"))
    expect(page.locator(f"#check-{OGRE} .way")).to_have_text("advantage (your decision)")
    dice.will_fall(3, 18)
    board.click("#roll-creatures")
    expect(page.locator(f"#total_{OGRE}")).to_have_value("17")
    expect(page.locator(f"#check-{OGRE} s")).to_have_text("3")
    expect(page.locator(f"#total_{ARIA}")).to_have_value("")


def test_enter_beside_the_heroes_totals_rolls_for_creatures_alone(people: People) -> None:
    board = at(people, opened_fight())
    board.page.locator(f"#total_{ARIA}").fill("21")
    board.press("Enter")
    expect(board.page.locator(f"#total_{ARIA}")).to_have_value("21")
    expect(board.page.locator(f"#total_{OGRE}")).not_to_have_value("")
    for slot in (BRAN, CLEO, DAIN):
        expect(board.page.locator(f"#total_{slot}")).to_have_value("")


def test_without_scripts_each_of_them_has_a_button(people: People, dice: Dice) -> None:
    page = people.gm(java_script_enabled=False)
    page.goto(f"/e/{opened_fight().uuid}/")

    def press(button: str) -> None:
        with page.expect_navigation():
            page.locator(button).click()

    page.locator("#stealth summary").click()
    page.locator(f"#stealth-roll-{OGRE}").select_option("disadvantage")
    press(f"#form-stealth-roll-{OGRE} noscript button")
    page.locator("#stealth summary").click()
    expect(page.locator(f"#stealth-roll-{OGRE}")).to_have_value("disadvantage")
    dice.will_fall(20, 16)
    press(f"#form-stealth-roll-{OGRE} button[name=only]")
    expect(page.locator(".stealth-result")).to_have_text(["15"])
    page.locator("#ways summary").click()
    page.locator(f"#initiative-roll-{BRAN}").select_option("plain")
    press(f"#form-initiative-roll-{BRAN} noscript button")
    expect(page.locator(f"#check-{BRAN} .way")).to_contain_text("your decision")


# More in the add field


def test_somebody_is_added_for_a_later_round_and_the_next_one_is_not(people: People) -> None:
    board = at(people, prepared_fight())
    page = board.page
    page.locator("#add-more summary").click()
    page.locator("#add-arrives").fill("3")
    page.locator("#add-text").fill("goblin")
    board.press("Enter")
    expect(page.locator("#add-arrives")).to_have_value("")
    page.locator("#add-text").fill("goblin")
    board.press("Enter")
    rounds = Encounter.objects.get().combatants.filter(name="Goblin").order_by("number")
    assert [goblin.arrives for goblin in rounds] == [3, 0]


def test_a_lair_is_added_from_the_same_place(people: People) -> None:
    board = at(people, running_fight())
    board.page.locator("#add-more summary").click()
    board.click("#add-lair button")
    expect(board.page.locator("#order .row", has_text="Lair").locator(".total")).to_have_text("20")


# Pages of choices


def test_a_fight_plays_otherwise_from_its_own_page(people: People) -> None:
    board = at(people, running_fight())
    page = board.page
    page.locator("header a[href$='/settings/']").click()
    page.locator("#id_tie_rule").select_option("roll_off")
    page.locator("#fight-settings .primary").click()
    expect(page.locator("#undo .what")).to_contain_text("from the next roll on")
    page.goto(f"/c/{Encounter.objects.get().campaign.uuid}/")
    page.locator("main a[href$='/settings/']").click()
    expect(page.locator(".otherwise")).to_contain_text("Ambush at the mill ties: heroes against")
    page.locator("#id_edition").select_option("2024")
    page.locator(".choices .primary").click()
    expect(page.locator(".told")).to_contain_text("from the next roll on")
    expect(page.locator("#id_edition")).to_have_value("2024")


def every_page(fight: Encounter) -> list[str]:
    own = f"/e/{fight.uuid}/"
    campaign = f"/c/{fight.campaign.uuid}/"
    return [
        f"{campaign}settings/?saved=1", campaign, f"{own}settings/", f"{own}combatant/{OGRE}/", own
    ]  # fmt: skip


def unfolded(page: Page, address: str) -> None:
    """The page with all that is folded on it open, but for the players' link."""
    page.goto(address)
    unfold(page)


def unfold(page: Page) -> None:
    for summary in page.locator("main details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()


def crowded() -> Encounter:
    """Both sides hide, three sides are there, ties are open, and one plays otherwise."""
    fight = opened_fight(campaign_with_heroes(), ogre=2, goblin=3)
    for command in (
        rules.ChangeSettings({"edition": "2024", "tie_rule": "dexterity"}),
        rules.ChangeSide((OGRE,), "third"),
        rules.Hide({ARIA: 19, BRAN: 16, OGRE: 17, 7: 12}),
        rules.RollInitiative({OGRE: (9,)}, {ARIA: 15, BRAN: 15}),
    ):
        step(fight, "step", command)
    return fight


def test_these_pages_have_no_barrier(people: People) -> None:
    page = people.gm()
    for address in every_page(crowded()):
        unfolded(page, address)
        has_no_barrier(page)


CUT = """() => [...document.querySelectorAll("main :is(.button, label, summary)")]
  .filter((one) => one.checkVisibility() && !one.closest(".hush, noscript"))
  .filter((one) => getComputedStyle(one).display !== "inline" && one.clientWidth > 1)
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.trim())"""

SMALL = """(least) => {
  const places = ".opening, .adding, .choices, .apart, .alliances";
  return [...document.querySelectorAll(`main :is(${places}) :is(button, select, summary)`)]
    .filter((one) => one.checkVisibility() && !one.closest(".row, .strip, .hush, noscript"))
    .filter((one) => one.getBoundingClientRect().height < least)
    .map((one) => `${one.id || one.textContent.trim()}: ${one.clientHeight}`);
}"""


@pytest.mark.parametrize("language", cases("fr", full=["en"]))  # its words are the longer ones
def test_these_pages_fit_any_screen(people: People, language: str) -> None:
    page = people.gm(language)
    for address in every_page(crowded()):
        page.goto(address)
        for width in 360, 768, 1280:
            page.set_viewport_size({"width": width, "height": 800})
            unfold(page)
            assert overflow(page) == 0, (address, width)
            assert page.evaluate(CUT) == [], (address, width)


@pytest.mark.parametrize(("touch", "least"), [(True, 44), (False, 24)])
def test_every_control_is_large_enough_to_hit(people: People, touch: bool, least: int) -> None:
    size = PHONE if touch else {"width": 1280, "height": 800}
    page = people.gm(viewport=size, has_touch=touch, is_mobile=touch)
    for address in every_page(crowded())[2:]:
        unfolded(page, address)
        small = page.evaluate(SMALL, least)
        assert small == [], address


def test_the_opening_stays_calm_until_more_is_asked_for(people: People) -> None:
    board = at(people, opened_fight())
    page = board.page
    board.click("#hide-foes button")
    shown = page.locator(".opening :is(select, input:not([type=hidden])):visible")
    names = {str(one.get_attribute("id")) for one in shown.all()}
    known = re.compile(r"surprise-\d+|total_\d+|add-text|add-side|add-rolled")
    assert {name for name in names if not known.fullmatch(name)} == set()
