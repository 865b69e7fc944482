"""The opening and the pages of choices under the GM's hands: keys, mouse and finger, no scripts."""

import re
from functools import partial

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.models import Encounter
from tests.browser.acting import Dice, GmBoard
from tests.browser.barriers import Scheme, has_no_barrier, overflow, unfold
from tests.browser.conftest import People
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    DAIN,
    OGRE,
    campaign_with_heroes,
    opened_fight,
    running_fight,
    step,
)
from tests.sizes import cases

pytestmark = pytest.mark.browser
GOBLIN = OGRE + 1
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


def at(people: People, fight: Encounter) -> GmBoard:
    board = GmBoard(people.gm())
    board.open(fight)
    return board


# One by one


def test_stealth_and_perception_are_set_one_by_one_and_a_result_that_is_none_stays_typed(
    people: People, dice: Dice
) -> None:
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
    expect(page.locator("#hide-heroes button").first).to_have_attribute("aria-pressed", "mixed")
    expect(page.locator("#stealth")).to_have_js_property("open", True)

    page.locator(f"#stealth_{OGRE}").fill("well")
    page.keyboard.press("Enter")
    expect(page.locator("#stealth-form .refusal")).to_contain_text("well")
    expect(page.locator(f"#stealth_{OGRE}")).to_have_value("well")


def test_creatures_are_rolled_for_alone_with_the_gms_advantage_and_what_was_typed_is_kept(
    people: People, dice: Dice
) -> None:
    board = at(people, opened_fight())
    page = board.page
    page.locator("#ways summary").click()
    board.step(partial(page.locator(f"#initiative-roll-{OGRE}").select_option, "advantage"))
    expect(page.locator(f"#check-{OGRE} .way")).to_have_text("advantage (set by you)")
    dice.will_fall(3, 18)
    page.locator(f"#total_{ARIA}").fill("21")
    board.click("#initiative .rolls button >> nth=0")
    expect(page.locator(f"#total_{ARIA}")).to_have_value("21")
    expect(page.locator(f"#total_{OGRE}")).to_have_value("17")
    expect(page.locator(f"#check-{OGRE} s")).to_have_text("3")
    for slot in (BRAN, CLEO, DAIN):
        expect(page.locator(f"#total_{slot}")).to_have_value("")


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
    expect(page.locator(f"#check-{BRAN} .way")).to_contain_text("set by you")


# More in the add field


def test_a_lair_and_somebody_for_a_later_round_are_added_in_one_place_and_the_next_one_for_now(
    people: People,
) -> None:
    board = at(people, running_fight())
    page = board.page
    page.locator("#add-more summary").click()
    page.locator("#add-arrives").fill("3")
    page.locator("#add-text").fill("goblin")
    board.press("Enter")
    expect(page.locator("#add-arrives")).to_have_value("")
    page.locator("#add-text").fill("goblin")
    board.press("Enter")
    goblins = Encounter.objects.get().combatants.filter(name="Goblin").order_by("number")
    assert [goblin.arrives for goblin in goblins] == [3, 0]
    page.locator("#add-more summary").click()
    board.click("#add-lair button")
    expect(page.locator("#order .row", has_text="Lair").locator(".total")).to_have_text("20")


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


def crowded() -> Encounter:
    """Both sides hide, three sides are there, ties are open, and one plays otherwise."""
    fight = opened_fight(campaign_with_heroes(), ogre=1, goblin=2)
    for command in (
        rules.ChangeSettings({"edition": "2024", "tie_rule": "dexterity"}),
        rules.ChangeSide((OGRE,), "third"),
        rules.Hide({ARIA: 19, BRAN: 16, OGRE: 17, GOBLIN: 12}),
        rules.RollInitiative({OGRE: (9,)}, {ARIA: 15, BRAN: 15}),
    ):
        step(fight, "step", command)
    return fight


def device(people: People, *, touch: bool, language: str = "en") -> Page:
    """The GM's phone, or their laptop."""
    size = PHONE if touch else LAPTOP
    return people.gm(language, viewport=size, has_touch=touch, is_mobile=touch)


# The phone's other rules are left to the full size: there are many controls
@pytest.mark.parametrize(
    ("touch", "scheme", "colours_alone"),
    cases(
        (False, "light", False),
        (True, "dark", True),
        full=[(False, "dark", False), (True, "light", False)],
    ),
)
def test_the_opening_with_all_that_is_folded_has_no_barrier(
    people: People, touch: bool, scheme: Scheme, colours_alone: bool
) -> None:
    page = device(people, touch=touch)
    page.goto(f"/e/{crowded().uuid}/")
    unfold(page)
    has_no_barrier(page, scheme, colours_alone=colours_alone)


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
def test_the_opening_and_pages_of_choices_fit_any_screen_and_any_finger(
    people: People, language: str
) -> None:
    fight = crowded()
    for touch, widths, least in (True, (360, 768), 44), (False, (1280,), 24):
        page = device(people, touch=touch, language=language)
        for address in every_page(fight):
            page.goto(address)
            for width in widths:
                page.set_viewport_size({"width": width, "height": 800})
                unfold(page)
                assert overflow(page) == 0, (address, width)
                assert page.evaluate(CUT) == [], (address, width)
                assert page.evaluate(SMALL, least) == [], (address, width)


def test_the_opening_stays_calm_until_more_is_asked_for(people: People) -> None:
    board = at(people, opened_fight())
    page = board.page
    board.click("#hide-foes button")
    shown = page.locator(".opening :is(select, input:not([type=hidden])):visible")
    names = {str(one.get_attribute("id")) for one in shown.all()}
    known = re.compile(r"surprise-\d+|total_\d+|add-text|add-side|add-rolled")
    assert {name for name in names if not known.fullmatch(name)} == set()
