"""The GM looks back: through the log to an earlier state, and with one click back to it."""

import pytest
from playwright.sync_api import Page, expect

import rules
from tests.browser.acting import GmBoard, Phone
from tests.browser.barriers import has_no_barrier, overflow
from tests.browser.conftest import People
from tests.browser.tables import BRAN, OGRE, player_path, running_fight, step
from tests.sizes import FULL, cases

pytestmark = pytest.mark.browser


def is_sound(page: Page, *, scripts: bool = True) -> None:
    """Nothing has to be scrolled sideways, and every reader finds its way, on a phone, too."""
    assert overflow(page) == 0
    if scripts and FULL:
        has_no_barrier(page)


@pytest.mark.parametrize(
    ("width", "scripts"), cases((1280, True), (390, False), full=[(390, True), (1280, False)])
)
def test_from_the_board_through_the_sifted_log_to_an_earlier_state_and_back_to_it(
    people: People, width: int, scripts: bool
) -> None:
    fight = running_fight()
    phones = [Phone(people.player(), player_path(fight.campaign), "en")] if scripts else []
    step(fight, "damage", rules.Damage(OGRE, 9))  # 4
    step(fight, "next-turn", rules.NextTurn())
    step(fight, "next-turn", rules.NextTurn())  # 6, the ogre's, which players see from now on
    for phone in phones:
        phone.shows(1, "Ogre", ["Cleo", "Dain", "Aria", "Bran"])

    size = {"width": width, "height": 844}
    page = people.gm(viewport=size, java_script_enabled=scripts)
    page.goto(f"/e/{fight.uuid}/")
    if width == 390 and not scripts:
        page.locator("#turn > summary").click()  # the sheet lies over the log until it is folded
    if not page.locator("#whole-log").is_visible():
        page.locator("#log summary").click()
    page.locator("#whole-log").click()
    expect(page.locator("h1")).to_have_text("Log")
    expect(page.locator(".steps li")).to_have_count(6)
    is_sound(page, scripts=scripts)
    page.get_by_label("Kind").select_option("hit-points")
    page.get_by_label("Combatant").select_option(str(BRAN))
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".steps li")).to_have_count(0)
    page.get_by_role("link", name="Show all").click()
    expect(page.locator(".steps li")).to_have_count(6)

    page.get_by_role("link", name="9 damage to Ogre").click()
    expect(page.locator("h1")).to_have_text("9 damage to Ogre")
    expect(page.locator(".stand tr[aria-current]")).to_contain_text("Aria")
    expect(page.locator(".after")).to_contain_text("Turn: Bran")
    is_sound(page, scripts=scripts)
    page.get_by_role("link", name="Step before").click()
    expect(page.locator(".stand tr", has_text="Ogre")).to_contain_text("59/59")
    expect(page.locator(".stand tr", has_text="Ogre").locator(".now")).to_have_text("50/59")

    page.get_by_role("button", name="Go back to this step").click()
    expect(page.locator("#now")).to_have_text("Aria")
    expect(page.locator(f"#c{OGRE} .hp")).to_have_text("59/59")
    for phone in phones:
        phone.shows(1, "Aria", ["Bran", "Cleo", "Dain"])
    page.locator("#undo button").click()
    expect(page.locator("#now")).to_have_text("Ogre")
    for phone in phones:
        phone.shows(1, "Ogre", ["Cleo", "Dain", "Aria", "Bran"])


def test_redo_says_what_it_would_do_as_undo_does(people: People) -> None:
    fight = running_fight()
    page = people.gm()
    gm = GmBoard(page)
    gm.open(fight)
    step(fight, "damage", rules.Damage(OGRE, 9))
    gm.is_at(4)
    expect(page.locator("#undo .what")).to_have_text("9 damage to Ogre")
    before = page.locator("#redo button").bounding_box()
    gm.click("#undo button")
    expect(page.locator("#redo .what")).to_be_visible()
    expect(page.locator("#redo .what")).to_have_text("9 damage to Ogre")
    after = page.locator("#redo button").bounding_box()
    assert before is not None
    assert after is not None
    assert (before["x"], before["y"]) == (after["x"], after["y"])  # it stays under the finger
