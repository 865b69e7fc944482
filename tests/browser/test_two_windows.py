"""The GM in two windows, and in a hurry: nothing half-typed is lost, nothing happens twice."""

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Route, expect

from encounters.models import Encounter, Step
from tests.browser.acting import GmBoard, comes
from tests.browser.conftest import People
from tests.browser.intercepting import Held, has_answer, hurry, intercept, note_answers
from tests.browser.lines import BACK
from tests.browser.tables import CLEO, OGRE, running_fight

pytestmark = pytest.mark.browser


def opened(people: People, fight: Encounter) -> GmBoard:
    board = GmBoard(people.gm())
    board.open(fight)
    board.has_turn_of("Aria")
    comes(board.page.locator("#connection[data-state=live]"))
    return board


@pytest.fixture
def windows(people: People) -> tuple[GmBoard, GmBoard]:
    """Two windows with the same fight, at Aria's turn."""
    fight = running_fight()
    return opened(people, fight), opened(people, fight)


@pytest.fixture
def gm(people: People) -> GmBoard:
    """One of them."""
    return opened(people, running_fight())


@pytest.fixture
def broken_line(people: People) -> None:
    """The console may say that the network fails."""
    people.expected += ["net::ERR_FAILED", "Failed to fetch"]


def taken(command: str) -> int:
    return Step.objects.filter(command=command).count()


# RW-S41: text, caret and focus survive the other GM's steps
def test_half_typed_fields_survive_what_either_window_does(
    windows: tuple[GmBoard, GmBoard],
) -> None:
    mine, other = windows
    mine.select(OGRE)
    # in this order: what belongs to a hit may lie over the field that adds
    typed = {"#add-text": "6 go", "#amount": "2d"}
    for field, text in typed.items():
        mine.page.locator(field).click()
        mine.page.keyboard.type(text)
    for focused, who in {"#add-text": "Bran", "#amount": "Ogre"}.items():
        mine.page.locator(focused).focus()
        other.press("n")
        mine.has_turn_of(who)
        mine.is_at(other.version)
        for field, text in typed.items():
            expect(mine.page.locator(field)).to_have_value(text)
        expect(mine.page.locator(focused)).to_be_focused()
        mine.has_selected(OGRE)
        mine.page.keyboard.type("4")  # the caret is where it was
        typed[focused] += "4"
        expect(mine.page.locator(focused)).to_have_value(typed[focused])
    mine.click("#next button")
    expect(mine.page.locator("#amount")).to_have_value("2d4")


# RW-S28: two GMs press at once, and the late one is told what happened
def test_two_windows_that_go_on_at_the_same_time_go_on_once(
    windows: tuple[GmBoard, GmBoard],
) -> None:
    before = windows[0].version
    held = [Held(board.page, "**/next-turn/") for board in windows]
    for board, requests in zip(windows, held, strict=True):
        requests.catch(partial(board.page.keyboard.press, "n"))
    for requests in held:
        requests.let_go()
    for board in windows:
        board.is_at(before + 1)
        board.has_turn_of("Bran")
    assert taken("next-turn") == 1
    told = [board.page.locator("#notice").inner_text() for board in windows]
    late = next(index for index, text in enumerate(told) if text)
    assert "Bran" in told[late]  # what has happened meanwhile
    assert told[1 - late] == ""
    windows[late].press("n")  # and the fresh board is good to go on with
    for board in windows:
        board.has_turn_of("Ogre")


# RW-S41: typed text is for the creature it was typed for
def test_damage_goes_to_the_row_selected_while_an_answer_was_awaited(gm: GmBoard) -> None:
    gm.select(OGRE)
    held = Held(gm.page, "**/next-turn/")
    held.catch(lambda: gm.page.keyboard.press("n"))
    gm.row(CLEO).locator(".hp").click()
    gm.page.keyboard.type("4")
    gm.step(held.let_go)
    gm.has_turn_of("Bran")
    gm.has_selected(CLEO)
    expect(gm.page.locator("#amount")).to_be_focused()
    expect(gm.page.locator("#amount")).to_have_value("4")
    gm.press("Enter")
    gm.has_hp(CLEO, "14/18")
    gm.has_hp(OGRE, "59/59")


# RW-S28: a double click advances one turn
def test_a_double_click_is_one_wish_and_two_clicks_are_two(gm: GmBoard) -> None:
    before = gm.version
    gm.page.locator("#next button").dblclick()
    gm.has_turn_of("Bran")
    gm.select(OGRE)
    gm.press("h")  # a step behind which no second click can still be on its way
    gm.has_turn_of("Bran")
    assert gm.version == before + 2
    assert taken("next-turn") == 1
    gm.page.locator("#amount").fill("8")
    gm.page.locator("#strip button.hurt").dblclick()
    gm.has_hp(OGRE, "51/59")
    gm.press("h")
    gm.has_hp(OGRE, "51/59")
    assert taken("damage") == 1
    gm.click("#next button")
    gm.click("#next button")
    gm.has_turn_of("Cleo")


def test_turns_typed_faster_than_the_server_answers_are_all_taken(gm: GmBoard) -> None:
    before = gm.version
    for _ in range(3):
        gm.page.keyboard.press("n")
    gm.is_at(before + 3)
    gm.has_turn_of("Cleo")
    expect(gm.page.locator("#notice")).to_be_empty()
    for key in ("n", "Shift+U", "n"):  # there is nothing to do again: no later step does it
        gm.page.keyboard.press(key)
    gm.is_at(before + 5)
    gm.press("u")
    gm.has_turn_of("Dain")
    gm.press("u")
    gm.has_turn_of("Cleo")


@pytest.mark.usefixtures("broken_line")
def test_what_the_server_did_not_take_is_said_until_it_is_sent_again(gm: GmBoard) -> None:
    before = gm.version
    intercept(gm.page, "**/damage/", lambda route: route.abort())
    hurry(gm.page)
    gm.select(OGRE)
    for key in ("t", "8", "Enter"):
        gm.page.keyboard.press(key)
    expect(gm.page.locator("#unsaved")).to_be_visible()
    gm.page.locator("#add-text").press_sequentially("gob")
    expect(gm.page.locator("#suggestions button").first).to_be_visible()
    expect(gm.page.locator("#unsaved")).to_be_visible()  # only suggestions were answered
    expect(gm.page.locator("#amount")).to_have_value("8")
    gm.page.unroute("**/damage/")
    gm.page.locator("#amount").focus()
    gm.press("Enter")
    gm.has_hp(OGRE, "51/59")
    expect(gm.page.locator("#unsaved")).to_be_hidden()
    assert gm.version == before + 1


# RW-S28: a request that is tried again is not taken twice
@pytest.mark.usefixtures("broken_line")
def test_a_step_whose_answer_was_lost_is_not_taken_twice(people: People) -> None:
    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    fight = running_fight()
    gm = GmBoard(people.gm())
    gm.page.route("**/live", lambda route: route.abort())
    gm.page.route("**/damage/", lose_the_answer, times=1)
    gm.open(fight)
    gm.select(OGRE)
    for key in ("t", "8", "Enter"):
        gm.page.keyboard.press(key)
    expect(gm.page.locator("#unsaved")).to_be_visible()
    assert taken("damage") == 1
    gm.has_hp(OGRE, "59/59")  # as far as this page knows
    gm.press("Enter")
    gm.has_hp(OGRE, "51/59")
    expect(gm.page.locator("#unsaved")).to_be_hidden()
    assert taken("damage") == 1


def lost_in_vain(gm: GmBoard, address: str, press: Callable[[], None]) -> None:
    """What is pressed arrives, but no answer comes, however often the page sends it again."""

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    gm.page.route(address, lose_the_answer)
    hurry(gm.page)
    press()
    expect(gm.page.locator("#unsaved")).to_contain_text("Not saved yet")
    expect(gm.page.locator("#unsaved")).to_contain_text("Try again.", timeout=BACK)
    gm.page.unroute(address)


def hit_in_vain(gm: GmBoard, digit: str) -> None:
    def press() -> None:
        for key in ("t", digit, "Enter"):
            gm.page.keyboard.press(key)

    gm.select(OGRE)
    lost_in_vain(gm, "**/damage/", press)


@pytest.mark.usefixtures("broken_line")
def test_of_two_numbers_typed_over_a_lost_answer_the_first_counts_and_it_says_so(
    people: People,
) -> None:
    gm = GmBoard(people.gm())
    gm.page.route("**/live", lambda route: route.abort())
    gm.open(running_fight())
    hit_in_vain(gm, "4")
    gm.page.locator("#amount").fill("6")
    gm.press("Enter")
    expect(gm.page.locator("#notice")).to_contain_text("arrived after all: 4 damage")
    gm.has_hp(OGRE, "55/59")
    expect(gm.page.locator("#amount")).to_have_value("6")
    assert taken("damage") == 1


@pytest.mark.usefixtures("broken_line")
def test_a_page_finds_that_a_lost_press_had_arrived_and_empties_its_field(people: People) -> None:
    gm = GmBoard(people.gm())
    gm.open(running_fight())
    hit_in_vain(gm, "8")
    expect(gm.page.locator("#notice")).to_contain_text("It had arrived: 8 damage", timeout=BACK)
    gm.has_hp(OGRE, "51/59")
    expect(gm.page.locator("#amount")).to_have_value("")
    expect(gm.page.locator("#unsaved")).to_be_hidden()
    assert taken("damage") == 1


@pytest.mark.usefixtures("broken_line")
def test_whom_a_lost_press_has_added_is_not_added_again(people: People) -> None:
    gm = GmBoard(people.gm())
    gm.open(running_fight())
    field = gm.page.locator("#add-text")
    field.fill("2 goblin")
    lost_in_vain(gm, "**/join/", lambda: field.press("Enter"))
    expect(gm.page.locator("#notice")).to_contain_text("It had arrived", timeout=BACK)
    expect(field).to_have_value("")
    assert taken("join") == 2  # with that which has made the fight


@pytest.mark.usefixtures("broken_line")
def test_what_was_typed_over_a_lost_press_stays_where_nobody_knows_which_has_arrived(
    people: People,
) -> None:
    gm = GmBoard(people.gm())
    gm.page.route("**/live", lambda route: route.abort())
    gm.open(running_fight())
    hit_in_vain(gm, "4")
    gm.page.locator("#amount").fill("6")
    lost_in_vain(gm, "**/damage/", lambda: gm.page.keyboard.press("Enter"))
    gm.page.unroute("**/live")
    expect(gm.page.locator("#notice")).to_contain_text("It had arrived: 4 damage", timeout=BACK)
    expect(gm.page.locator("#amount")).to_have_value("6")
    assert taken("damage") == 1


# RW-S41: a late answer is not shown
def test_suggestions_go_away_and_leave_what_was_typed_and_late_ones_do_not_come(
    gm: GmBoard,
) -> None:
    field, suggestions = gm.page.locator("#add-text"), gm.page.locator("#suggestions button")
    field.fill("go")
    expect(suggestions.first).to_be_visible()
    gm.page.keyboard.press("Escape")
    expect(suggestions).to_have_count(0)
    field.fill("gob")
    expect(suggestions.first).to_be_visible()
    gm.page.locator("#now").click()
    expect(suggestions).to_have_count(0)
    expect(field).to_have_value("gob")
    questions: list[Route] = []
    intercept(gm.page, "**/creatures/**", questions.append)
    held = Held(gm.page, "**/join/")
    with gm.page.expect_request("**/creatures/**"):
        field.fill("ogre")
        held.catch(lambda: gm.page.keyboard.press("Enter"))
    gm.step(held.let_go)
    note_answers(gm.page)
    questions[0].continue_()
    has_answer(gm.page, "/creatures/")
    expect(suggestions).to_have_count(0)
