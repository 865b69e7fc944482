"""The board keeps its shape: nothing jumps, all fits, menus open inside the screen."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import rules
from encounters.models import Encounter
from tests.browser.acting import GmBoard, comes
from tests.browser.conftest import People
from tests.browser.jumping import WATCH_JUMPS, jumps
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    DAIN,
    OGRE,
    TOTALS,
    opened_fight,
    running_fight,
    step,
)
from tests.sizes import cases

pytestmark = pytest.mark.browser

SCREENS = {  # pixels
    "laptop": {"width": 1280, "height": 768},
    "tablet": {"width": 768, "height": 1024},
    "phone": {"width": 360, "height": 780},
}


SIZES = pytest.mark.parametrize("size", cases("laptop", "phone", full=["tablet"]))


def opened(people: People, fight: Encounter, size: str, **options: Any) -> GmBoard:
    touch = size != "laptop"
    options |= {"has_touch": touch, "is_mobile": touch, "script": WATCH_JUMPS}
    page = people.gm(viewport=SCREENS[size], **options)
    board = GmBoard(page)
    board.open(fight)
    comes(page.locator("#connection[data-state=live]"))
    page.evaluate("document.fonts.ready")
    jumps(page)
    return board


def open_strip(board: GmBoard, number: int) -> None:
    """Select a row, and let what its strip pushes away come to rest."""
    board.row(number).locator(".name").click()
    board.has_selected(number)
    expect(board.row(number).locator("xpath=following-sibling::*[1]")).to_have_id("strip")
    for _ in range(30):  # frames: the browser tells of it some later, if it is in sight at all
        board.page.evaluate("new Promise(requestAnimationFrame)")
        if jumps(board.page):
            break
    jumps(board.page)


def has_not_jumped(board: GmBoard) -> None:
    assert jumps(board.page) == []


@SIZES
def test_nothing_jumps_while_a_fight_is_played(people: People, size: str) -> None:
    fight = opened_fight(goblin=2, ogre=1)
    step(fight, "hide", rules.Hide({5: 18, 6: 18, 7: 18}))
    step(fight, "start-fight", rules.StartFight(totals={**TOTALS, 7: 4}, accept_empty=True))
    board = opened(people, fight, size)
    turns_pass(board)
    open_strip(board, BRAN)
    marks_come_and_go(board, fight)
    open_strip(board, 7)
    hit_points_change(board)
    if size == "laptop":
        pushed_parts_are_seen(board)


def turns_pass(board: GmBoard) -> None:
    for _ in range(7):  # a round with surprise, and the beginning of the next
        board.press("n")
        has_not_jumped(board)
    board.press("Alt+n")
    board.press("u")
    has_not_jumped(board)


def hit_points_change(board: GmBoard) -> None:
    for keys in ("t32", "l+3", "t40", "u"):
        board.press(*keys, *(["Enter"] if keys != "u" else []))
        has_not_jumped(board)
    board.press("Alt+t", "7", "Enter")
    has_not_jumped(board)


def marks_come_and_go(board: GmBoard, fight: Encounter) -> None:
    marks: list[tuple[str, rules.Command]] = [
        ("damage", rules.Damage(BRAN, 12)),
        ("set-hidden", rules.SetHidden((7,), True)),
        ("set-hidden", rules.SetHidden((7,), False)),
        ("set-out", rules.SetOut(CLEO, True)),
        ("set-out", rules.SetOut(CLEO, False)),
        ("set-reaction", rules.SetReaction(BRAN, False)),
        ("set-reaction", rules.SetReaction(BRAN, True)),
        ("damage", rules.Damage(DAIN, 40)),
        ("heal", rules.Heal(DAIN, 1)),
    ]
    for name, command in marks:
        before = board.version
        step(fight, name, command)
        board.is_at(before + 1)
        has_not_jumped(board)


def pushed_parts_are_seen(board: GmBoard) -> None:
    """The measure is one: it tells of each of these."""
    for part in (".row", ".row .name", "#add", ".turn"):
        board.page.locator(part).first.evaluate("(part) => part.before('a line that pushes')")
        assert jumps(board.page) != [], part


@pytest.mark.parametrize("size", cases("phone", full=["laptop", "tablet"]))
def test_a_board_scrolled_down_stays_there(people: People, size: str) -> None:
    board = opened(people, running_fight(goblin=30), size)
    board.row(30).locator(".name").click()
    place = edges(board.row(30))["top"]

    def it_is_still_there() -> None:
        assert board.page.evaluate("scrollY") > 200
        assert edges(board.row(30))["top"] == pytest.approx(place, abs=1)

    for key in ("t", "x", "Enter"):
        board.page.keyboard.press(key)
    expect(board.page.locator("#strip-refusal")).not_to_be_empty()
    it_is_still_there()
    board.press("Backspace", "3", "Enter")
    board.has_hp(30, "4/7")
    board.press("h")
    it_is_still_there()


def edges(part: Locator) -> dict[str, float]:
    found: dict[str, float] = part.evaluate("(part) => part.getBoundingClientRect().toJSON()")
    return found


# Menus and targets


# RW-S39: every menu opens inside the screen
@SIZES
def test_twelve_rows_fit_on_a_laptop_and_menus_on_every_screen(people: People, size: str) -> None:
    board = opened(people, running_fight(goblin=6, ogre=2), size)
    page = board.page
    if size == "laptop":
        board.select(BRAN)
        has_twelve_rows_in_view(board)
    page.locator("#share summary").click()
    is_inside(page, page.locator("#share .share-panel"))
    page.locator("#share summary").click()
    page.locator("#add-text").scroll_into_view_if_needed()
    page.locator("#add-text").fill("gob")
    expect(page.locator("#suggestions button").first).to_be_visible()
    is_inside(page, page.locator("#suggestions"))
    page.locator("#add-text").fill("")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    is_inside(page, page.locator("#keys"))
    page.keyboard.press("Escape")


def has_twelve_rows_in_view(board: GmBoard) -> None:
    rows = board.page.locator("#order .row")
    expect(rows).to_have_count(12)
    bar = edges(board.page.locator(".bar"))
    for row in rows.all():
        assert edges(row)["bottom"] <= bar["top"]
    assert board.page.evaluate("scrollY") == 0


def is_inside(page: Page, part: Locator) -> None:
    expect(part).to_be_visible()
    found = edges(part)
    assert page.viewport_size
    assert found["left"] >= 0
    assert found["top"] >= 0
    assert found["right"] <= page.viewport_size["width"]
    assert found["bottom"] <= page.viewport_size["height"]


REACHED = """(mark) => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    const row = mark.closest(".row").getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const run = (dx, dy) => {
        let far = 0;
        while (document.elementFromPoint(x + dx * (far + 1), y + dy * (far + 1)) === mark) far++;
        return far;
    };
    return [run(1, 0) + run(-1, 0) + 1, run(0, 1) + run(0, -1) + 1, row.height];
}"""


# RW-S39: touch targets are 44 pixels at least
@pytest.mark.parametrize("size", cases("phone", full=["tablet"]))
def test_fingers_find_44_pixels_and_a_thumb_as_many_of_a_mark(people: People, size: str) -> None:
    fight = running_fight(goblin=3)
    for effect in ("blinded", "prone"):
        step(fight, "add-effect", rules.AddEffect(ARIA, rules.Effect(effect)))
    board = opened(people, fight, size)
    first, last = board.row(ARIA).locator(".effect").all()
    width, height, row = last.evaluate(REACHED)
    assert (width >= 44, height >= 44, row) == (True, True, 48)
    assert first.evaluate(REACHED)[0] >= 44
    board.row(ARIA).locator(".name").tap()
    board.has_selected(ARIA)
    expect(board.page.locator("[popover]:popover-open")).to_have_count(0)
    for _ in ("prone", "blinded"):
        board.press("u")
    board.row(OGRE).locator(".name").click()
    board.page.locator("#several").click()
    small = []
    parts = (
        "button:not(.hush), summary, .hp, .grip, .row, input:not([type=hidden], [type=checkbox])"
    )
    for part in board.page.locator(f"main :is({parts}):visible").all():
        box = edges(part)
        if min(box["width"], box["height"]) < 44:
            small.append((part.evaluate("(part) => part.outerHTML.slice(0, 80)"), box))
    assert small == []


def test_what_there_is_no_room_for_ends_in_dots(people: People) -> None:
    fight = running_fight()
    step(fight, "damage", rules.Damage(OGRE, 99))
    board = opened(people, fight, "laptop", language="fr")
    mark = board.row(OGRE).locator(".mark.bad")
    mark.evaluate("(mark) => { mark.closest('.who').style.width = '15rem'; }")
    states = board.row(OGRE).locator(".states")
    assert edges(mark)["right"] <= edges(states)["right"]
    expect(mark).to_have_css("text-overflow", "ellipsis")
    assert mark.evaluate("(mark) => mark.scrollWidth > mark.clientWidth")


def test_the_name_at_the_head_of_a_group_is_whole_beside_what_selects_all(people: People) -> None:
    board = opened(people, opened_fight(goblin=4), "laptop", language="fr")
    expect(board.row(5).locator(".all")).to_be_visible()
    assert board.row(5).locator(".name").evaluate("(name) => name.scrollWidth <= name.clientWidth")
