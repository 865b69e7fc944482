"""The add field under the hands: where the focus is, what Enter takes, what a paste brings."""

from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.tables import campaign_with_heroes

pytestmark = pytest.mark.browser

PASTE = """text => {
  const clipboard = new DataTransfer();
  clipboard.setData("text/plain", text);
  document.activeElement.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }));
}"""


def test_a_new_encounter_is_filled_from_the_keyboard_and_enter_takes_the_marked_line(
    people: People,
) -> None:
    page = people.gm()
    page.goto(f"/c/{campaign_with_heroes().uuid}/")
    page.locator("form[action$='/encounters/'] button").click()
    board, field = GmBoard(page), page.locator("#add-text")
    board.is_ready()
    expect(field).to_be_focused()
    marked, lines = page.locator("#suggestions .enter"), page.locator("#suggestions button")
    page.keyboard.type("2 gob")
    expect(marked).to_contain_text("2 × Goblin")
    board.press("Enter")
    expect(page.locator("#order .row .name", has_text="Goblin")).to_have_count(2)
    page.keyboard.type("Zora")
    expect(marked).to_contain_text("New hero “Zora”")
    page.keyboard.press("ArrowDown")
    expect(lines.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(lines.nth(1)).to_be_focused()
    expect(lines.nth(1)).to_contain_text("New creature “Zora”")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    board.press("Enter")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    page.locator("#add-side").select_option("foes")
    field.focus()
    page.evaluate(PASTE, "Baron Noir pv 60\r\n\r\nElia\n")
    expect(field).to_have_value("Baron Noir pv 60, Elia")
    expect(marked).to_contain_text("2 new creatures")
    board.step(partial(page.keyboard.press, "Enter"))
    names = page.locator("#order .row .name").all_inner_texts()
    heroes = ["Aria", "Bran", "Cleo", "Dain"]
    assert names == [*heroes, "Goblin 1", "Goblin 2", "Zora", "Baron Noir", "Elia"]
