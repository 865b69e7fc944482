"""A second turn's row under the GM's hands: selected, dragged, moved by keys, taken away alone."""

import pytest
from playwright.sync_api import Locator, expect

import rules
from encounters.models import Encounter, Step
from tests.browser.acting import GmBoard, Phone
from tests.browser.conftest import People
from tests.browser.dragging import can_drag, carry, rows_are_at_rest
from tests.browser.tables import ARIA, BRAN, CLEO, DAIN, OGRE, player_path, running_fight, step

pytestmark = pytest.mark.browser

SECOND = "s6"  # Bran's second turn, at 7: behind Cleo at 9
ORDER = [f"c{ARIA}", f"c{BRAN}", f"c{OGRE}", f"c{CLEO}", SECOND, f"c{DAIN}"]


@pytest.fixture
def gm(people: People) -> GmBoard:
    """A fight in its first round: Aria, Bran, the ogre, Cleo, Bran again, Dain."""
    board = GmBoard(people.gm())
    board.open(fight_with_second_turn())
    assert order(board) == ORDER
    return board


def fight_with_second_turn() -> Encounter:
    fight = running_fight()
    step(fight, "give-extra-turn", rules.GiveExtraTurn(BRAN))
    return fight


def order(board: GmBoard) -> list[str]:
    rows = board.page.locator("#order .row").all()
    return [row.get_attribute("id") or "" for row in rows]


def second(board: GmBoard) -> Locator:
    return board.page.locator(f"#{SECOND}")


def select_second(board: GmBoard) -> None:
    second(board).click(position={"x": 300, "y": 3})
    is_selected(board)


def is_selected(board: GmBoard) -> None:
    """The second turn's row is, alone, and the strip lies under it."""
    expect(second(board).locator("xpath=following-sibling::*[1]")).to_have_id("strip")
    chosen = board.page.locator("#order .row.selected").all()
    assert [row.get_attribute("id") for row in chosen] == [SECOND]
    board.has_selected(BRAN)


def with_second_at(place: int) -> list[str]:
    others = [row for row in ORDER if row != SECOND]
    return [*others[:place], SECOND, *others[place:]]


# Moved


def test_a_second_turn_is_dragged_by_its_handle_and_others_right_before_it(gm: GmBoard) -> None:
    can_drag(gm.page)
    box = gm.row(DAIN).locator(".grip").bounding_box()
    over = second(gm).bounding_box()
    assert box
    assert over
    gm.page.mouse.move(box["x"] + 20, box["y"] + 20)
    gm.page.mouse.down()
    gm.page.mouse.move(box["x"] + 20, box["y"] + 14, steps=3)
    gm.page.mouse.move(over["x"] + 30, over["y"] + 2, steps=6)
    gm.step(gm.page.mouse.up)
    assert order(gm) == with_second_at(5)
    lift_second(gm)
    carry(gm, OGRE, 0.1)
    gm.step(gm.page.mouse.up)
    assert order(gm) == with_second_at(2)
    gm.page.reload()
    assert order(gm) == with_second_at(2)


def lift_second(board: GmBoard) -> None:
    rows_are_at_rest(board)
    box = second(board).locator(".grip").bounding_box()
    assert box
    board.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    board.page.mouse.down()
    board.page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2 + 6, steps=3)
    expect(board.page.locator(".afloat")).to_be_visible()


def test_keys_and_buttons_move_a_second_turn_and_its_first_one_apart(gm: GmBoard) -> None:
    gm.select(CLEO)
    gm.page.keyboard.press("j")
    is_selected(gm)
    expect(gm.page.locator("#picked")).to_have_text("Bran, second turn")
    gm.press("Alt+k")
    assert order(gm) == with_second_at(3)
    is_selected(gm)
    gm.press("Alt+j")
    gm.press("Alt+j")
    assert order(gm) == with_second_at(5)
    is_selected(gm)
    gm.page.keyboard.press("k")
    gm.has_selected(DAIN)
    select_second(gm)
    gm.click("#strip-form [name=move][value=up]")
    assert order(gm) == ORDER
    is_selected(gm)
    gm.select(BRAN)
    gm.click("#strip-form [name=move][value=down]")
    assert order(gm) == [f"c{ARIA}", f"c{OGRE}", f"c{BRAN}", f"c{CLEO}", SECOND, f"c{DAIN}"]
    gm.has_selected(BRAN)
    expect(second(gm)).not_to_contain_class("selected")


# Taken away


def test_delete_a_button_or_the_verb_that_gave_it_takes_the_second_turn_away_alone(
    gm: GmBoard,
) -> None:
    before = gm.version
    select_second(gm)
    gm.press("Delete")
    gm.page.keyboard.press("Delete")  # once more, by a finger that slipped
    expect(second(gm)).to_have_count(0)
    expect(gm.page.locator("#selected")).to_have_value("")
    expect(gm.page.locator("#log li").first).to_have_text("Bran’s second turn is taken away")
    gm.press("u")
    assert order(gm) == ORDER
    assert gm.version == before + 2
    gm.select(BRAN)
    expect(gm.page.locator("#remove-second")).to_be_hidden()
    select_second(gm)
    expect(gm.page.locator("#remove")).to_be_hidden()
    gm.click("#remove-second")
    assert order(gm) == [row for row in ORDER if row != SECOND]
    gm.select(BRAN)
    gm.page.locator("#place > summary").click()
    give = gm.page.locator("#place [formaction$='/give-extra-turn/']")
    remove = gm.page.locator("#place [formaction$='/remove-extra-turn/']")
    expect(remove).to_be_hidden()
    gm.step(give.click)
    expect(gm.page.locator("#order .second")).to_have_count(1)
    expect(give).to_be_hidden()
    gm.step(remove.click)
    expect(gm.page.locator("#order .second")).to_have_count(0)
    gm.has_selected(BRAN)
    assert not Step.objects.filter(command="leave").exists()


# Its creature


def test_on_a_second_turns_row_its_creature_is_hurt_and_edited_but_the_turn_taken_away(
    gm: GmBoard,
) -> None:
    second(gm).click(position={"x": 300, "y": 3})
    gm.row(DAIN).click(position={"x": 3, "y": 3}, modifiers=["Control"])
    expect(gm.page.locator("#selected")).to_have_value(f"{BRAN},{DAIN}")
    expect(second(gm)).not_to_contain_class("selected")
    gm.row(OGRE).click(position={"x": 3, "y": 3})
    gm.row(DAIN).click(position={"x": 3, "y": 3}, modifiers=["Shift"])  # over the second turn
    expect(gm.page.locator("#selected")).to_have_value(f"{OGRE},{CLEO},{DAIN}")
    select_second(gm)
    gm.press("t", "5", "Enter")
    gm.has_hp(BRAN, "15/20")
    is_selected(gm)
    gm.press("r")
    expect(gm.row(BRAN).locator("[href='#i-reaction']")).to_have_count(0)
    is_selected(gm)
    for _ in ("Bran", "Ogre", "Cleo", "Bran again"):
        gm.press("n")
    expect(second(gm)).to_have_attribute("aria-current", "true")
    gm.press("Delete")  # the turn that is on: the next begins
    gm.has_turn_of("Dain")
    gm.press("Alt+n")
    gm.has_turn_of("Bran")
    assert order(gm) == ORDER
    select_second(gm)
    gm.page.keyboard.press("e")
    expect(gm.page.locator("h1")).to_contain_text("Bran")


# Other windows and players


def test_phones_follow_a_second_turn_and_what_was_typed_under_it_stays_for_its_creature(
    people: People, gm: GmBoard
) -> None:
    fight = Encounter.objects.get()
    phone = Phone(people.player(), player_path(fight.campaign), "en")
    phone.shows(1, "Aria", ["Bran", "Cleo", "Bran", "Dain"])
    expect(phone.page.locator("#board button, form")).to_have_count(0)
    select_second(gm)
    gm.press("Alt+k")
    phone.shows(1, "Aria", ["Bran", "Bran", "Cleo", "Dain"])
    gm.page.locator("#amount").fill("7")
    before = gm.version
    step(fight, "remove-extra-turn", rules.RemoveExtraTurn(BRAN))
    gm.is_at(before + 1)
    gm.has_selected(BRAN)
    expect(gm.row(BRAN).locator("xpath=following-sibling::*[1]")).to_have_id("strip")
    expect(gm.page.locator("#amount")).to_have_value("7")
    expect(gm.page.locator("#notice")).to_be_empty()
    phone.shows(1, "Aria", ["Bran", "Cleo", "Dain"])
