"""Places are dragged by their handle, as wholes; fingers that scroll move nobody."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

import rules
from encounters.models import Encounter, Step
from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.dragging import can_drag, carry, drag, grip, lift, order
from tests.browser.intercepting import hurry, intercept, wait_until
from tests.browser.lines import BACK
from tests.browser.tables import ARIA, BRAN, CLEO, DAIN, OGRE, opened_fight, running_fight, step
from tests.sizes import cases

pytestmark = pytest.mark.browser

GOBLINS = [5, 6, 7]


@pytest.fixture
def gm(people: People) -> GmBoard:
    """A fight in its first round: Aria, Bran, the ogre, Cleo, Dain."""
    return opened(people, running_fight())


def opened(people: People, fight: Encounter, **options: Any) -> GmBoard:
    board = GmBoard(people.gm(**options))
    board.open(fight)
    can_drag(board.page)
    return board


# RW-S39: a move is one undo away
def test_a_place_stays_where_it_was_dropped_with_its_strip_until_an_undo(gm: GmBoard) -> None:
    gm.select(DAIN)
    gm.page.locator("#amount").fill("12")
    drag(gm, DAIN, BRAN)
    assert order(gm) == [ARIA, DAIN, BRAN, OGRE, CLEO]
    expect(gm.row(DAIN).locator("xpath=following-sibling::*[1]")).to_have_id("strip")
    expect(gm.page.locator("#amount")).to_have_value("12")
    gm.has_selected(DAIN)
    drag(gm, ARIA, CLEO, 0.9)
    assert order(gm) == [DAIN, BRAN, OGRE, CLEO, ARIA]
    gm.page.evaluate("document.activeElement.blur()")
    gm.press("u")
    assert order(gm) == [ARIA, DAIN, BRAN, OGRE, CLEO]


def test_a_group_moves_with_all_its_rows_and_nobody_is_dropped_into_its_middle(
    people: People,
) -> None:
    group = opened(people, running_fight(goblin=3))  # who act together at 13
    lift(group, GOBLINS[0])
    expect(group.row(GOBLINS[1])).to_be_hidden()
    carry(group, BRAN, 0.1)
    group.step(group.page.mouse.up)
    assert order(group) == [ARIA, *GOBLINS, BRAN, CLEO, DAIN]
    expect(group.row(GOBLINS[1])).to_be_visible()
    lift(group, BRAN)
    for part in (0.1, 0.5, 0.9):
        carry(group, GOBLINS[1], part)
        first = order(group).index(GOBLINS[0])
        assert order(group)[first : first + 3] == GOBLINS
    carry(group, GOBLINS[0], 0.1)
    group.step(group.page.mouse.up)
    assert order(group) == [ARIA, BRAN, *GOBLINS, CLEO, DAIN]
    drag(group, BRAN, GOBLINS[2], 0.9)
    assert order(group) == [ARIA, *GOBLINS, BRAN, CLEO, DAIN]


# RW-S39: only the handle moves a place
def test_a_row_held_elsewhere_stays_and_a_drag_back_to_the_same_place_is_no_step(
    gm: GmBoard,
) -> None:
    before = gm.version
    box = gm.row(DAIN).locator(".name").bounding_box()
    assert box
    gm.page.mouse.move(box["x"] + 5, box["y"] + 5)
    gm.page.mouse.down()
    carry(gm, BRAN, 0.5)
    assert order(gm) == [ARIA, BRAN, OGRE, CLEO, DAIN]
    gm.page.mouse.up()
    lift(gm, BRAN)
    carry(gm, OGRE, 0.9)
    assert order(gm) == [ARIA, OGRE, BRAN, CLEO, DAIN]
    carry(gm, OGRE, 0.1)
    gm.page.mouse.up()
    gm.press("n")
    assert gm.version == before + 1
    assert order(gm) == [ARIA, BRAN, OGRE, CLEO, DAIN]


def test_a_tie_is_settled_by_dragging(people: People) -> None:
    fight = opened_fight()
    step(fight, "roll-initiative", rules.RollInitiative(totals={BRAN: 12, OGRE: 12, ARIA: 20}))
    board = opened(people, fight)
    expect(board.page.locator("#tie-12")).to_be_visible()
    drag(board, OGRE, BRAN, 0.1)
    expect(board.page.locator("#ties")).to_have_count(0)
    assert order(board)[:3] == [ARIA, OGRE, BRAN]


def test_a_move_is_seen_at_once_and_survives_its_answer_and_boards_that_arrive_before(
    gm: GmBoard,
) -> None:
    moved = [ARIA, DAIN, BRAN, OGRE, CLEO]
    held: list[Route] = []
    intercept(gm.page, "**/reorder/", held.append)
    before = gm.version
    lift(gm, DAIN)
    carry(gm, BRAN, 0.5)
    step(Encounter.objects.get(), "damage", rules.Damage(OGRE, 9))
    gm.is_at(before + 1)
    gm.has_hp(OGRE, "50/59")
    assert order(gm)[:2] == [ARIA, DAIN]
    with gm.page.expect_request("**/reorder/"):
        gm.page.mouse.up()
    wait_until(gm.page, lambda: bool(held))
    assert order(gm) == moved
    gm.page.evaluate(
        """() => {
            window.orders = new Set();
            const list = document.getElementById("order");
            const rows = () => [...list.querySelectorAll(".row")].map((row) => row.id);
            const note = () => orders.add(rows().join());
            new MutationObserver(note).observe(list, { childList: true });
        }"""
    )
    gm.step(held[0].continue_)
    assert order(gm) == moved
    assert gm.page.evaluate("[...orders].length") <= 1
    assert Step.objects.filter(command="reorder").count() == 1


def test_a_move_that_does_not_count_goes_back_and_says_why_and_the_next_one_counts(
    people: People, gm: GmBoard
) -> None:
    def move(answered: Callable[[Route], Any]) -> None:
        intercept(gm.page, "**/reorder/", answered)
        lift(gm, DAIN)
        carry(gm, BRAN, 0.5)
        gm.page.mouse.up()

    def refuse(route: Route) -> None:
        data = (route.request.post_data or "").replace("before=2", "before=99")
        route.continue_(post_data=data)

    before = gm.version
    move(refuse)
    expect(gm.page.locator("#reorder .refusal")).not_to_be_empty()
    assert order(gm) == [ARIA, BRAN, OGRE, CLEO, DAIN]
    assert gm.version == before

    gm.page.unroute("**/reorder/")
    people.expected += ["net::ERR_FAILED", "Failed to fetch"]
    hurry(gm.page)
    move(lambda route: route.abort())
    expect(gm.page.locator("#unsaved")).to_contain_text("Not saved yet")
    expect(gm.page.locator("#unsaved")).to_contain_text("Try again.", timeout=BACK)
    assert order(gm) == [ARIA, BRAN, OGRE, CLEO, DAIN]

    gm.page.unroute("**/reorder/")
    held: list[Route] = []
    move(held.append)
    wait_until(gm.page, lambda: bool(held))
    step(Encounter.objects.get(), "reorder", rules.Reorder(CLEO, ARIA))  # another window's drag
    held[0].continue_()
    expect(gm.page.locator("#notice")).not_to_be_empty()
    gm.is_at(before + 1)
    assert order(gm) == [CLEO, ARIA, BRAN, OGRE, DAIN]

    gm.page.unroute("**/reorder/")
    drag(gm, DAIN, BRAN)
    assert order(gm) == [CLEO, ARIA, DAIN, BRAN, OGRE]


# RW-S39: a swipe only scrolls, on a tablet and on a phone
@pytest.mark.parametrize("size", cases((360, 780), full=[(768, 1024)]))
def test_a_finger_moves_a_place_by_its_handle_and_only_scrolls_elsewhere(
    people: People, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1] // 2}  # so that there is something to scroll
    fight = running_fight(goblin=10)
    board = opened(people, fight, viewport=viewport, has_touch=True, is_mobile=True)
    box = grip(board, BRAN).bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    board.step(lambda: swipe(board, grip(board, BRAN), box["height"] * 0.6))
    places = order(board)
    assert places[:3] == [BRAN, ARIA, GOBLINS[0]]
    assert board.page.evaluate("scrollY") == 0
    before = board.version
    swipe(board, board.row(GOBLINS[0]).locator(".name"), 120)
    assert board.page.evaluate("scrollY") > 50
    board.press("n")
    assert board.version == before + 1
    assert order(board) == places


def swipe(board: GmBoard, start: Locator, up: float) -> None:
    """Put a finger there, move it up by so many pixels, and lift it."""
    box = start.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hand = board.page.context.new_cdp_session(board.page)

    def touch(kind: str, points: list[dict[str, float]]) -> None:
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        board.page.evaluate("new Promise(requestAnimationFrame)")

    touch("touchStart", [{"x": x, "y": y}])
    for part in range(1, 16):
        touch("touchMove", [{"x": x, "y": y - up * part / 15}])
    touch("touchEnd", [])


# RW-S39: the order is changed without dragging, too
def test_without_the_library_the_order_is_changed_all_the_same(people: People) -> None:
    people.expected.append("net::ERR_FAILED")
    page = people.gm()
    page.route("**/drag.*.js", lambda route: route.abort())
    board = GmBoard(page)
    board.open(running_fight())
    with page.expect_event("requestfailed"):
        board.select(BRAN)
    board.click("#strip [name=move][value=up]")
    assert order(board) == [BRAN, ARIA, OGRE, CLEO, DAIN]


def test_a_group_is_seen_again_when_its_first_row_leaves_during_a_drag(people: People) -> None:
    fight = running_fight(goblin=4)
    gm = opened(people, fight)
    before = gm.version
    lift(gm, OGRE)  # the first goblin has its number
    expect(gm.row(7)).to_be_hidden()
    step(fight, "leave", rules.Leave((OGRE,)))
    gm.is_at(before + 1)
    gm.page.mouse.up()
    for number in (6, 7, 8):
        expect(gm.row(number)).to_be_visible()
    drag(gm, DAIN, BRAN)  # and another can be lifted
    assert order(gm)[:3] == [ARIA, DAIN, BRAN]
