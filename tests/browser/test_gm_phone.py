"""The GM's board on a phone: everything within the screen, and within reach of a thumb."""

import pytest
from playwright.sync_api import expect

import rules
from tests.browser.acting import GmBoard, comes
from tests.browser.conftest import People
from tests.browser.tables import BRAN, OGRE, running_fight, step

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 640}
CUT = """(parts) => parts.filter((part) => part.checkVisibility()).filter((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const { left, right } = (part.matches(".pips") ? part : range).getBoundingClientRect();
    for (let frame = part; frame; frame = frame.parentElement) {
        const box = frame.getBoundingClientRect();
        const clips = getComputedStyle(frame).overflowX !== "visible" || frame === document.body;
        if (clips && (left < box.left - 1 || right > box.right + 1)) return true;
    }
    return false;
}).map((part) => part.className + ": " + part.textContent.trim())"""


def phone(people: People) -> GmBoard:
    """A fight in which somebody is surprised, and somebody is dying."""
    fight = running_fight(goblin=3, ogre=1)
    step(fight, "override-surprise", rules.OverrideSurprise(OGRE + 1, "surprised"))
    step(fight, "damage", rules.Damage(BRAN, 20))
    board = GmBoard(people.gm("fr", viewport=SMALL, is_mobile=True, has_touch=True))
    board.page.goto(f"/e/{fight.uuid}/")
    comes(board.page.locator("#connection[data-state=live]"))
    return board


def test_on_320_pixels_neither_names_nor_marks_nor_pips_nor_verbs_are_cut(people: People) -> None:
    board = phone(people)
    row = board.row(OGRE + 1)
    expect(row.locator(".surprised")).to_be_visible()
    for link in board.page.locator(".crumb").all():
        expect(link).to_be_in_viewport()
    row.tap(position={"x": 3, "y": 3})
    expect(board.page.locator("#strip")).to_be_visible()
    parts = "#order :is(.name, .surprised, .bad, .pips), #strip :is(button, summary, a.button)"
    assert board.page.locator(parts).evaluate_all(CUT) == []


def test_letters_in_fields_are_16_pixels_or_more_on_a_phone(people: People) -> None:
    board = phone(people)
    sizes = board.page.locator(
        "input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea"
    ).evaluate_all(
        "(fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize))"
    )
    assert min(sizes) >= 16


def test_a_tap_on_the_first_row_of_a_group_selects_it_and_does_not_fold_it(people: People) -> None:
    board = phone(people)
    row = board.row(OGRE)
    for share in (0.35, 0.5):
        board.page.keyboard.press("Escape")
        width = row.evaluate("(row) => row.clientWidth")
        row.tap(position={"x": width * share, "y": 14})
        board.has_selected(OGRE)
        expect(board.row(OGRE + 1)).to_be_visible()


def test_what_lies_over_the_next_turn_has_a_button_that_closes_it(people: People) -> None:
    board = phone(people)
    board.page.locator("#share summary").first.tap()
    board.page.locator("#share [data-close]").tap()
    expect(board.page.locator("#share")).not_to_have_attribute("open", "")
    board.click("#next button")
