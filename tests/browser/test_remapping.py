"""The dialog of keys: another key for an action, the usual ones again, and single keys off."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from encounters.models import Encounter
from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.tables import OGRE, running_fight
from tests.sizes import cases

pytestmark = pytest.mark.browser


@pytest.fixture
def gm(people: People) -> GmBoard:
    return opened(people)


def opened(people: People, language: str = "en", script: str = "", **options: Any) -> GmBoard:
    board = GmBoard(people.gm(language, script=script, **options))
    board.open(running_fight())
    board.has_turn_of("Aria")
    return board


def key_of(page: Page, action: str) -> Locator:
    return page.locator(f"#key-{action}")


def change(board: GmBoard, action: str, key: str) -> None:
    """Open the dialog, choose an action, press a key for it, and close the dialog."""
    board.page.locator("#keys-button").click()
    key_of(board.page, action).click()
    expect(key_of(board.page, action)).to_have_attribute("aria-pressed", "true")
    board.page.keyboard.press(key)
    expect(key_of(board.page, action)).to_have_attribute("aria-pressed", "false")
    close(board.page)


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def does_nothing(board: GmBoard, *keys: str) -> None:
    before = board.version
    for key in keys:
        board.page.keyboard.press(key)
    board.select(OGRE)
    board.click("#strip button[formaction$='/set-hidden/']:visible")
    assert board.version == before + 1  # a step behind which no other can be on its way


def test_a_new_key_works_at_once_in_all_windows_and_is_kept_in_this_browser(gm: GmBoard) -> None:
    other = GmBoard(gm.page.context.new_page())
    other.open(Encounter.objects.get())
    change(gm, "next", "F2")
    expect(other.page.locator("#next kbd")).to_have_text("f2")
    other.page.close()
    does_nothing(gm, "n")
    expect(gm.page.locator("#next kbd")).to_have_text("f2")
    gm.page.reload()
    gm.is_ready()
    expect(gm.page.locator("#next kbd")).to_have_text("f2")
    gm.press("F2")
    gm.has_turn_of("Bran")
    expect(gm.page.locator("#next kbd")).to_have_text("f2")  # on the board of the answer, too


def test_the_dialog_names_each_key_and_refuses_what_can_be_none(gm: GmBoard) -> None:
    gm.page.locator("#keys-button").click()
    for key in ("Control+x", "Shift", "Escape"):
        key_of(gm.page, "next").click()
        gm.page.keyboard.press(key)
        expect(gm.page.locator("#keys"), key).to_be_visible()
        expect(key_of(gm.page, "next"), key).to_have_text("n")
    key_of(gm.page, "next").click()
    gm.page.keyboard.press("u")
    expect(gm.page.locator("#keys-said")).to_contain_text("undo")  # it has that key
    expect(key_of(gm.page, "next")).to_have_text("n")
    close(gm.page)
    gm.press("n")
    gm.press("u")
    gm.has_turn_of("Aria")
    gm.page.locator("#keys-button").click()
    button = gm.page.get_by_role("button", name="next turn n", exact=True)
    expect(button).to_be_visible()
    button.focus()
    gm.page.keyboard.press("Enter")
    gm.page.keyboard.press("x")
    expect(gm.page.get_by_role("button", name="next turn x", exact=True)).to_be_focused()


def test_keys_are_swapped_by_way_of_one_with_alt_or_shift_until_the_usual_come_back(
    gm: GmBoard,
) -> None:
    change(gm, "next", "Alt+x")
    change(gm, "undo", "n")
    gm.press("Alt+x")
    gm.has_turn_of("Bran")
    expect(gm.page.locator("#next kbd")).to_have_text("alt+x")
    change(gm, "next", "u")
    gm.press("n")
    gm.has_turn_of("Aria")
    gm.press("u")
    gm.has_turn_of("Bran")
    change(gm, "undo", "Shift+X")
    gm.press("Shift+X")
    gm.has_turn_of("Aria")
    gm.page.locator("#keys-button").click()
    gm.page.locator("#usual-keys").click()
    close(gm.page)
    expect(gm.page.locator("#next kbd")).to_have_text("n")
    gm.press("n")
    gm.has_turn_of("Bran")


# RW-S40: single keys can be switched off
def test_with_single_keys_off_only_those_with_alt_work(gm: GmBoard) -> None:
    gm.press("n")
    gm.page.locator("#keys-button").click()
    gm.page.locator("#single-keys").uncheck()
    close(gm.page)
    expect(gm.page.locator("#next kbd")).to_be_hidden()
    does_nothing(gm, "n", "u", "j", "Delete", "?")
    expect(gm.page.locator("#keys")).to_be_hidden()
    gm.press("Alt+n")
    gm.has_turn_of("Aria")
    gm.page.reload()
    gm.is_ready()
    expect(gm.page.locator("#next kbd")).to_be_hidden()
    does_nothing(gm, "n")
    gm.page.locator("#keys-button").click()
    gm.page.locator("#single-keys").check()
    close(gm.page)
    gm.press("n")
    gm.has_turn_of("Bran")


NOT_OURS = cases(
    "null", '{"keys": {"next": 5, "nothing": "n"}}', full=["no JSON", "[]", '{"keys": 3}']
)


def test_what_is_not_ours_in_the_storage_is_passed_over(gm: GmBoard) -> None:
    for kept in NOT_OURS:
        gm.page.evaluate("(kept) => localStorage.setItem('qui-vive-keys', kept)", kept)
        gm.page.reload()
        gm.is_ready()
        with gm.page.expect_request("**/next-turn/"):
            gm.press("n")
        assert gm.page.evaluate("localStorage.getItem('qui-vive-keys')") == kept


def test_without_storage_a_new_key_holds_until_the_page_is_left(people: People) -> None:
    forbid = """
        Object.defineProperty(window, "localStorage", {
            get() { throw new DOMException("", "SecurityError"); },
        });
    """
    gm = opened(people, script=forbid)
    change(gm, "next", "x")
    gm.press("x")
    gm.has_turn_of("Bran")
