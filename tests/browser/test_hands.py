"""What lies open is closed as people expect, and what was pressed is done with."""

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import expect

import rules
from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.tables import BRAN, CLEO, OGRE, running_fight, step

pytestmark = pytest.mark.browser


def test_escape_a_second_press_or_one_where_nothing_is_closes_the_strip(people: People) -> None:
    board = GmBoard(people.gm())
    board.open(running_fight())
    page, strip = board.page, board.page.locator("#strip")
    closing: tuple[Callable[[], None], ...] = (
        partial(page.keyboard.press, "Escape"),
        partial(board.row(OGRE).locator(".who").click, position={"x": 150, "y": 10}),
        partial(page.mouse.click, 300, 690),
    )
    for close in closing:
        board.select(OGRE)
        expect(strip).to_be_visible()
        close()
        expect(strip).to_be_hidden()
        expect(page.locator("#selected")).to_have_value("")
    board.press("j", "h")  # keys go on from there
    expect(strip).to_be_visible()

    blow = board.page.locator("#blow")
    hp = board.row(BRAN).locator(".hp")
    hp.click()
    expect(blow).to_be_visible()
    hp.click()
    expect(blow).to_be_hidden()
    expect(strip).to_be_visible()


@pytest.mark.parametrize("menu", ["#share", "#add-more"])
def test_escape_or_a_press_elsewhere_closes_what_lies_over_the_board(
    menu: str, people: People
) -> None:
    board = GmBoard(people.gm())
    board.open(running_fight())
    details = board.page.locator(menu)
    closing: tuple[Callable[[], None], ...] = (
        partial(board.page.keyboard.press, "Escape"),
        board.page.locator("#now").click,
        details.locator("summary").first.click,
    )
    for close in closing:
        details.locator("summary").first.click()
        expect(details).to_have_attribute("open", "")
        close()
        expect(details).not_to_have_attribute("open", "")


def test_what_was_refused_stays_told_when_another_window_changes_the_fight(people: People) -> None:
    fight = running_fight()
    board = GmBoard(people.gm())
    board.open(fight)
    board.select(OGRE)
    board.page.locator("#amount").fill("lots")
    board.page.keyboard.press("Enter")
    refusal = board.page.locator("#strip-refusal")
    expect(refusal).not_to_be_empty()
    before = board.version
    step(fight, "add-effect", rules.AddEffect(OGRE, rules.Effect("prone")))
    board.is_at(before + 1)
    expect(board.row(OGRE).locator(".effect")).to_have_text("prone")
    expect(refusal).not_to_be_empty()


def test_a_refused_die_leaves_no_result_of_others_beside_it(people: People) -> None:
    board = GmBoard(people.gm())
    board.open(running_fight())
    board.press("d", *"1d4", "Enter")
    expect(board.page.locator("#fallen")).not_to_be_empty()
    board.page.locator("#dice-text").fill("4x")
    board.page.keyboard.press("Enter")
    expect(board.page.locator("#dice-refusal")).not_to_be_empty()
    expect(board.page.locator("#fallen")).to_be_empty()


def test_a_verb_that_was_pressed_by_mouse_is_not_pressed_again_by_space(people: People) -> None:
    board = GmBoard(people.gm())
    board.open(running_fight())
    board.click("#turn-more button")
    expect(board.page.locator("body")).to_be_focused()


def test_a_group_is_split_or_merged_only_where_the_rules_allow_it(people: People) -> None:
    board = GmBoard(people.gm())
    board.open(running_fight(goblin=3, ogre=1))
    page = board.page
    split = page.locator("#place [formaction$='/split/']")
    merge = page.locator("#place [formaction$='/merge/']")

    def offers(which: str) -> None:
        expect(split).to_have_js_property("hidden", which != "split")
        expect(merge).to_have_js_property("hidden", which != "merge")

    page.locator("#order [data-all]").click()
    offers("")
    board.select(OGRE)
    offers("split")
    board.row(OGRE + 3).click(modifiers=["Control"], position={"x": 3, "y": 3})
    offers("merge")
    board.row(CLEO).click(modifiers=["Control"], position={"x": 3, "y": 3})
    offers("")


def test_the_first_stop_of_the_tabulator_leads_to_the_next_turn(people: People) -> None:
    board = GmBoard(people.gm())
    board.open(running_fight())
    board.page.keyboard.press("Tab")
    board.page.keyboard.press("Enter")
    board.press("Enter")
    board.has_turn_of("Bran")


def test_the_live_region_tells_the_last_step_and_not_turns_alone(people: People) -> None:
    board = GmBoard(people.gm())
    board.open(running_fight())
    board.select(OGRE)
    board.press("t", "8", "Enter")
    expect(board.page.locator("#said")).to_contain_text("8 damage to Ogre")
    board.press("u")
    expect(board.page.locator("#said")).to_contain_text("Undone")
