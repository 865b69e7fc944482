"""The end of a fight in a browser: from the board to its figures, and the log copied."""

import re
from itertools import product

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.models import Encounter, Hero
from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.intercepting import intercept
from tests.browser.tables import ARIA, BRAN, OGRE, running_fight, step
from tests.sizes import cases

pytestmark = pytest.mark.browser

CLIPBOARD = ["clipboard-read", "clipboard-write"]
NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });"
NO_COPYING = f"{NO_CLIPBOARD} Document.prototype.execCommand = () => false;"


def hard_fight() -> Encounter:
    """Blows on both sides; the ogre is dead."""
    fight = running_fight()
    step(fight, "damage", rules.Damage(OGRE, 40, by=ARIA))
    step(fight, "next-turn", rules.NextTurn())
    step(fight, "damage", rules.Damage(BRAN, 7, by=OGRE))
    step(fight, "damage", rules.Damage(OGRE, 40))
    return fight


def over() -> Encounter:
    fight = hard_fight()
    step(fight, "end-fight", rules.EndFight())
    return fight


def test_from_the_last_blow_to_the_heroes_next_fight(people: People) -> None:
    board = GmBoard(people.gm())
    board.open(hard_fight())
    board.click("#end button")
    page = board.page
    page.locator("#to-summary").click()
    expect(page).to_have_url(re.compile(r"/summary/$"))
    expect(page.locator("#experience")).to_contain_text(
        "450 XP shared among 4 heroes: 112 for each."
    )
    expect(page.locator("#dealt .bars .name")).to_have_text(["Aria", "Ogre", "Unknown"])
    bars_and_table_say_the_same(page)
    page.locator("form[action$='/carry-hit-points/'] button").click()
    expect(page.locator("#heroes [role=status]")).to_be_visible()
    assert Hero.objects.get(name="Bran").hp == 13
    page.locator("form[action$='/go-back/'] button").click()
    board.is_ready()
    expect(page.locator("#board.preparing")).to_be_visible()
    board.has_hp(OGRE, "59/59")
    board.click("#undo button")
    expect(page.locator("#to-summary")).to_be_visible()


def bars_and_table_say_the_same(page: Page) -> None:
    """A bar is as long as its amount."""
    widths = page.locator("#dealt .bar").evaluate_all(
        """bars => bars.map((bar) => {
            const [part, all] = [bar.firstElementChild, bar].map((b) => b.getBoundingClientRect());
            return Math.round((40 * part.width) / all.width);
        })"""
    )
    assert widths == [40, 7, 19]
    page.locator("#dealt summary").click()
    rows = page.locator("#dealt tbody tr").all_inner_texts()
    assert [row.split() for row in rows] == [
        ["Aria", "40", "40"], ["Ogre", "7", "7"], ["Unknown", "19", "19"],
    ]  # fmt: skip


def test_the_summary_fits_a_phone(people: People) -> None:
    page = people.gm(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    fight = hard_fight()
    step(fight, "edit", rules.Edit(OGRE, {"name": "O" * 80}))
    for _ in range(5 * 30):
        step(fight, "next-turn", rules.NextTurn())
    step(fight, "end-fight", rules.EndFight())
    page.goto(f"/e/{fight.uuid}/summary/")
    for summary in page.locator("details.numbers > summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    small = page.locator("main :is(a, button, summary):visible").evaluate_all(
        "parts => parts.map(part => part.getBoundingClientRect())"
        ".filter(box => box.height < 24 || box.width < 24).length"
    )
    assert small == 0
    read = page.locator("#dealt .columns text").evaluate_all(
        "texts => texts.map(text => text.getBoundingClientRect()).map(box => [box.left, box.right])"
    )
    assert all(0 <= left < right <= 390 for left, right in read)
    assert (
        page.locator("#dealt .columns text").first.evaluate(
            "text => parseFloat(getComputedStyle(text).fontSize)"
        )
        >= 12
    )


# The log copied


def paste(page: Page) -> str:
    """What lies in the clipboard, put into the field of another page."""
    field = page.context.new_page()
    field.goto("/")
    field.locator("#id_name").evaluate(
        "field => field.replaceWith(document.createElement('textarea'))"
    )
    field.locator("main textarea").focus()
    field.keyboard.press("ControlOrMeta+v")
    pasted = field.locator("main textarea").input_value()
    field.close()
    return pasted


WAYS = {  # to the clipboard; the other is all that is left to pages of a plain HTTP server
    "clipboard": "",
    "plain HTTP": NO_CLIPBOARD,
}


USUAL = [("clipboard", "log", "txt"), ("plain HTTP", "summary", "md")]
ALL = product(WAYS, ("log", "summary"), ("txt", "md"))


@pytest.mark.parametrize(
    ("way", "where", "ending"), cases(*USUAL, full=[case for case in ALL if case not in USUAL])
)
def test_the_log_is_copied_by_one_click(people: People, way: str, where: str, ending: str) -> None:
    fight = over()
    page = people.gm(permissions=CLIPBOARD, script=WAYS[way])
    page.goto(f"/e/{fight.uuid}/{where}/")
    page.locator(f"[data-copy$='.{ending}']").click()
    expect(page.locator("#copy [role=status]")).to_have_text("Copied.")
    written = page.context.request.get(f"/e/{fight.uuid}/log.{ending}").text()
    assert "40 damage to Ogre" in written
    assert paste(page) == written
    expect(page.locator("#copy textarea")).to_have_count(0)


def test_where_the_browser_copies_nothing_the_text_lies_selected(people: People) -> None:
    page = people.gm(script=NO_COPYING)
    page.goto(f"/e/{over().uuid}/log/")
    page.locator("[data-copy$='.txt']").click()
    expect(page.locator("#copy [role=status]")).to_contain_text("press Ctrl+C")
    field = page.locator("#copy textarea")
    expect(field).to_be_focused()
    assert field.evaluate("f => f.value.slice(f.selectionStart, f.selectionEnd) === f.value")


def test_a_server_that_does_not_answer_is_no_copy(people: People) -> None:
    page = people.gm()
    people.expected += ["net::ERR_FAILED"]
    page.goto(f"/e/{over().uuid}/log/")
    button, said = page.locator("[data-copy$='.txt']"), page.locator("#copy [role=status]")
    for refuse in (lambda route: route.fulfill(status=404), lambda route: route.abort()):
        intercept(page, "**/log.txt", refuse)
        button.click()  # which empties what was said
        expect(said).to_contain_text("Not copied")
        page.unroute("**/log.txt")
    button.click()
    expect(said).to_have_text("Copied.")


def test_without_scripts_there_are_links_and_no_dead_button(people: People) -> None:
    fight = over()
    page = people.gm(java_script_enabled=False)
    page.goto(f"/e/{fight.uuid}/log/")
    expect(page.locator("[data-copy]:visible")).to_have_count(0)
    page.locator("#copy a[href$='.txt']").click()
    expect(page.locator("body")).to_contain_text("40 damage to Ogre")
