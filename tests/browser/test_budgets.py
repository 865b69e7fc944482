"""No click and no key more than the flow at the table allows.

Clicks and keys are counted from the page that is open at that moment (`Hands` says how). The
letters of a new hero's name are not counted, since nobody can add a new hero without them; the
commas between names are.
"""

from functools import partial

import pytest
from playwright.sync_api import Page, expect

from encounters.models import Encounter
from tests.browser.acting import GM_BOARD, Dice, GmBoard, Hands
from tests.browser.conftest import People
from tests.browser.dragging import can_drag, drag
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    DAIN,
    OGRE,
    campaign_with_heroes,
    opened_fight,
    prepared_fight,
    running_fight,
)

pytestmark = pytest.mark.browser


def at(people: People, fight: Encounter) -> tuple[GmBoard, Hands]:
    board = GmBoard(people.gm())
    board.open(fight)
    return board, Hands(board.page)


def names_in_order(page: Page) -> list[str]:
    return page.locator("#order .row .name").all_inner_texts()


def test_an_encounter_starts_with_its_heroes_in_by_1_click(people: People) -> None:
    page = people.gm()
    page.goto(f"/c/{campaign_with_heroes().uuid}/")
    hands = Hands(page)
    hands.click("form[action$='/encounters/'] button")
    expect(page).to_have_url(GM_BOARD)
    expect(page.locator("#order .row .name")).to_have_text(["Aria", "Bran", "Cleo", "Dain"])
    assert (hands.clicks, hands.keys) == (1, "")


@pytest.mark.usefixtures("whole_book")
def test_6_goblins_and_4_new_heroes_take_3_clicks_and_9_keys_at_most(people: People) -> None:
    page = people.gm()
    page.goto("/")
    page.locator("form[action='/quick-fight/'] button").click()
    board, hands = GmBoard(page), Hands(page)
    board.is_ready()
    names = ["Edda", "Finn", "Gwen", "Hugo"]
    hands.click("#add-text")
    hands.type("6gob," + ",".join(names))
    board.step(partial(hands.press, "Enter"))
    goblins = [f"Goblin {number}" for number in range(1, 7)]
    assert sorted(names_in_order(page)) == sorted(names + goblins)
    assert hands.clicks <= 3
    assert len(hands.keys) - len("".join(names)) <= 9


@pytest.mark.usefixtures("whole_book")
def test_6_goblins_alone_take_1_click_and_6_keys(people: People) -> None:
    board, hands = at(people, prepared_fight())
    hands.click("#add-text")
    hands.type("6 gob")
    board.step(partial(hands.press, "Enter"))
    assert len(names_in_order(board.page)) == 11
    assert (hands.clicks, len(hands.keys)) == (1, 6)


def test_hiding_a_side_and_seeing_who_is_surprised_take_3_clicks_at_most(
    people: People, dice: Dice
) -> None:
    board, hands = at(people, prepared_fight())
    board.step(partial(hands.click, "#open button"))
    dice.will_fall(15)  # an ogre's Stealth is −1
    board.step(partial(hands.click, "#hide-foes button"))
    expect(board.page.locator(f"#watch-{BRAN} .why")).to_have_text("11 < 14")
    expect(board.page.locator(".is-surprised")).to_have_count(3)
    expect(board.page.locator(f"#watch-{DAIN}.is-surprised")).to_have_count(0)
    assert hands.clicks <= 3
    assert hands.keys == ""


def test_initiative_takes_1_click_and_the_digits(people: People) -> None:
    board, hands = at(people, opened_fight())
    hands.click(f"#total_{ARIA}")
    for total in ("21", "17", "9"):
        hands.type(total)
        hands.press("Tab")
    hands.type("5")

    board.step(partial(hands.press, "Enter"))
    for slot, total in {ARIA: "21", BRAN: "17", CLEO: "9", DAIN: "5"}.items():
        expect(board.page.locator(f"#total_{slot}")).to_have_value(total)
    expect(board.page.locator(f"#total_{OGRE}")).not_to_have_value("")
    assert hands.clicks == 1
    assert hands.keys.translate(str.maketrans("", "", "0123456789")) == "TTTE"
    assert len(hands.keys) <= 13


def test_initiative_for_all_whose_bonus_is_known_takes_1_click(people: People) -> None:
    board, hands = at(people, opened_fight())
    board.step(partial(hands.click, "#roll-rest"))
    for slot in (ARIA, BRAN, CLEO, DAIN, OGRE):
        expect(board.page.locator(f"#total_{slot}")).not_to_have_value("")
    assert (hands.clicks, hands.keys) == (1, "")


@pytest.mark.parametrize("button", ["[formaction$='/roll-off/']", f"[name=first][value='{OGRE}']"])
def test_a_tie_is_settled_by_1_click(people: People, dice: Dice, button: str) -> None:
    board, hands = at(people, opened_fight())
    board.page.locator(f"#total_{BRAN}").fill("12")
    board.page.locator(f"#total_{OGRE}").fill("12")
    board.click("#roll-rest")
    dice.will_fall(2, 18)  # Bran, the ogre
    board.step(partial(hands.click, f"#tie-12 button{button}"))
    expect(board.page.locator("#ties")).to_have_count(0)
    order = names_in_order(board.page)
    assert order.index("Ogre") < order.index("Bran")
    assert (hands.clicks, hands.keys) == (1, "")


def test_a_tie_is_settled_by_1_drag(people: People, dice: Dice) -> None:
    board, hands = at(people, opened_fight())
    can_drag(board.page)
    board.page.locator(f"#total_{BRAN}").fill("12")
    board.page.locator(f"#total_{OGRE}").fill("12")
    dice.will_fall(15, 7, 5)  # Aria, Cleo, Dain: nobody else ties
    board.click("#roll-rest")
    drag(board, OGRE, BRAN, 0.1)
    expect(board.page.locator("#ties")).to_have_count(0)
    order = names_in_order(board.page)
    assert order.index("Ogre") < order.index("Bran")
    assert (hands.clicks, hands.keys) == (0, "")


def test_the_next_turn_takes_1_key_or_1_click(people: People) -> None:
    board, hands = at(people, running_fight())
    board.step(partial(hands.press, "n"))
    board.has_turn_of("Bran")
    assert (hands.clicks, hands.keys) == (0, "n")
    hands.start_again()
    board.step(partial(hands.click, "#next button"))
    board.has_turn_of("Ogre")
    assert (hands.clicks, hands.keys) == (1, "")


def test_8_damage_takes_1_click_and_2_keys(people: People) -> None:
    board, hands = at(people, running_fight())
    hands.click(board.row(OGRE).locator(".hp"))
    board.step(partial(hands.press, "8", "Enter"))
    board.has_hp(OGRE, "51/59")
    assert (hands.clicks, hands.keys) == (1, "8E")


def test_8_damage_takes_4_keys_at_most_without_the_mouse(people: People) -> None:
    board, hands = at(people, running_fight())
    board.select(BRAN)
    hands.press("j")
    board.has_selected(OGRE)
    board.step(partial(hands.press, "t", "8", "Enter"))
    board.has_hp(OGRE, "51/59")
    assert (hands.clicks, hands.keys) == (0, "jt8E")


def test_damage_to_a_whole_group_takes_1_click_and_3_keys_and_the_digits(people: People) -> None:
    board, hands = at(people, running_fight(goblin=5))
    hands.click("#order [data-all]")
    board.step(partial(hands.press, "t", "5", "Enter"))
    for number in range(5, 10):
        board.has_hp(number, "2/7")
    assert (hands.clicks, hands.keys) == (1, "t5E")


def test_damage_to_five_takes_5_clicks_and_2_keys_and_the_digits_at_most(people: People) -> None:
    board, hands = at(people, running_fight())
    hands.click(board.row(ARIA).locator(".name"))
    board.page.keyboard.down("Control")
    for number in (BRAN, CLEO, DAIN, OGRE):
        hands.click(board.row(number).locator(".name"))
    board.page.keyboard.up("Control")
    board.step(partial(hands.press, "t", "4", "Enter"))
    board.has_hp(OGRE, "55/59")
    board.has_hp(ARIA, "20/24")
    assert (hands.clicks, hands.keys) == (5, "t4E")


@pytest.mark.parametrize("condition", ["prone", "poisoned"])
def test_a_condition_takes_3_taps(people: People, condition: str) -> None:
    board, hands = at(people, running_fight())
    hands.click(board.row(OGRE).locator(".name"))
    hands.click("#conditions > summary")
    board.step(partial(hands.click, f"#effects [name=effect][value={condition}]"))
    expect(board.row(OGRE).locator(".effect")).to_have_text(condition)
    assert (hands.clicks, hands.keys) == (3, "")


def test_a_condition_that_ends_in_1_minute_takes_3_taps_on_the_selected_row(
    people: People,
) -> None:
    board, hands = at(people, running_fight())
    board.select(OGRE)
    hands.click("#conditions > summary")
    hands.click("#lasts label:has([value='rounds:10'])")
    board.step(partial(hands.click, "#effects [name=effect][value=frightened]"))
    expect(board.row(OGRE).locator(".effect")).to_have_text("frightened 10 r")
    assert (hands.clicks, hands.keys) == (3, "")


def test_undo_takes_1_key_right_after_typed_damage_too(people: People) -> None:
    board, hands = at(people, running_fight())
    board.select(OGRE)
    board.press("t", "8", "Enter")
    board.step(partial(hands.press, "u"))
    board.has_hp(OGRE, "59/59")
    assert (hands.clicks, hands.keys) == (0, "u")
    hands.start_again()
    board.step(partial(hands.press, "Shift+U"))
    board.has_hp(OGRE, "51/59")
    assert (hands.clicks, hands.keys) == (0, "U")


def test_the_players_link_and_its_code_take_1_click(people: People) -> None:
    board, hands = at(people, running_fight())
    hands.click("#share summary")
    expect(board.page.locator("#share .qr svg")).to_be_visible()
    link = board.page.locator("#share .address a")
    expect(link).to_be_visible()
    expect(link).to_have_text(link.get_attribute("href") or "")
    assert (hands.clicks, hands.keys) == (1, "")


def test_hiding_and_showing_take_1_key_each(people: People) -> None:
    board, hands = at(people, running_fight())
    board.select(OGRE)
    mark = board.row(OGRE).locator("[href='#i-hidden']")
    board.step(partial(hands.press, "h"))
    expect(mark).to_have_count(0)
    board.step(partial(hands.press, "h"))
    expect(mark).to_have_count(1)
    assert (hands.clicks, hands.keys) == (0, "hh")
