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


def test_an_encounter_starts_with_its_heroes_in_by_1_click_and_its_players_link_takes_another(
    people: People,
) -> None:
    page = people.gm()
    page.goto(f"/c/{campaign_with_heroes().uuid}/")
    hands = Hands(page)
    hands.click("form[action$='/encounters/'] button")
    expect(page).to_have_url(GM_BOARD)
    expect(page.locator("#order .row .name")).to_have_text(["Aria", "Bran", "Cleo", "Dain"])
    assert (hands.clicks, hands.keys) == (1, "")
    hands.start_again()
    hands.click("#share summary")
    expect(page.locator("#share .qr svg")).to_be_visible()
    link = page.locator("#share .address a")
    expect(link).to_be_visible()
    expect(link).to_have_text(link.get_attribute("href") or "")
    assert (hands.clicks, hands.keys) == (1, "")


@pytest.mark.usefixtures("whole_book")
def test_6_goblins_and_4_new_heroes_take_3_clicks_and_9_keys_at_most_and_6_more_1_click_and_6_keys(
    people: People,
) -> None:
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
    hands.start_again()
    hands.click("#add-text")
    hands.type("6 gob")
    board.step(partial(hands.press, "Enter"))
    assert len(names_in_order(page)) == 16
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


def test_initiative_takes_1_click_for_all_whose_bonus_is_known_or_1_and_the_digits(
    people: People,
) -> None:
    board, hands = at(people, opened_fight())
    totals = {slot: board.page.locator(f"#total_{slot}") for slot in (ARIA, BRAN, CLEO, DAIN, OGRE)}
    board.step(partial(hands.click, "#roll-rest"))
    for total in totals.values():
        expect(total).not_to_have_value("")
    assert (hands.clicks, hands.keys) == (1, "")
    board.click("#undo button")
    expect(totals[ARIA]).to_have_value("")

    hands.start_again()
    board.step(partial(hands.click, "#roll-creatures"))
    expect(totals[ARIA]).to_be_focused()
    for digits in ("21", "17", "9"):
        hands.type(digits)
        hands.press("Enter")
    hands.type("5")
    board.step(partial(hands.press, "Enter"))
    for slot, digits in {ARIA: "21", BRAN: "17", CLEO: "9", DAIN: "5"}.items():
        expect(totals[slot]).to_have_value(digits)
    expect(totals[OGRE]).not_to_have_value("")
    assert hands.clicks == 1
    assert hands.keys == "21E17E9E5E"


def test_a_tie_is_settled_by_1_click_or_1_drag(people: People, dice: Dice) -> None:
    board, hands = at(people, opened_fight())
    can_drag(board.page)
    board.page.locator(f"#total_{BRAN}").fill("12")
    board.page.locator(f"#total_{OGRE}").fill("12")
    dice.will_fall(15, 7, 5)  # Aria, Cleo, Dain: nobody else ties
    board.click("#roll-rest")
    drag(board, OGRE, BRAN, 0.1)
    the_ogre_acts_first(board)
    assert (hands.clicks, hands.keys) == (0, "")
    for button in ("[formaction$='/roll-off/']", f"[name=first][value='{OGRE}']"):
        board.click("#undo button")
        hands.start_again()
        if "roll-off" in button:
            dice.will_fall(2, 18)  # Bran, the ogre
        board.step(partial(hands.click, f"#tie-12 button{button}"))
        the_ogre_acts_first(board)
        assert (hands.clicks, hands.keys) == (1, "")


def the_ogre_acts_first(board: GmBoard) -> None:
    expect(board.page.locator("#ties")).to_have_count(0)
    order = names_in_order(board.page)
    assert order.index("Ogre") < order.index("Bran")


def test_the_next_turn_takes_1_key_or_1_click_and_hiding_and_showing_1_key_each(
    people: People,
) -> None:
    board, hands = at(people, running_fight())
    board.step(partial(hands.press, "n"))
    board.has_turn_of("Bran")
    assert (hands.clicks, hands.keys) == (0, "n")
    hands.start_again()
    board.step(partial(hands.click, "#next button"))
    board.has_turn_of("Ogre")
    assert (hands.clicks, hands.keys) == (1, "")

    board.select(OGRE)
    hands.start_again()
    mark = board.row(OGRE).locator("[href='#i-hidden']")
    expect(mark).to_have_count(0)  # its turn has shown it
    for marks in (1, 0):
        board.step(partial(hands.press, "h"))
        expect(mark).to_have_count(marks)
    assert (hands.clicks, hands.keys) == (0, "hh")


def test_8_damage_takes_1_click_and_2_keys_or_4_keys_and_its_undo_1_key(people: People) -> None:
    board, hands = at(people, running_fight())
    hands.click(board.row(OGRE).locator(".hp"))
    board.step(partial(hands.press, "8", "Enter"))
    board.has_hp(OGRE, "51/59")
    assert (hands.clicks, hands.keys) == (1, "8E")
    for key, hit_points in {"u": "59/59", "Shift+U": "51/59"}.items():  # right after typed damage
        hands.start_again()
        board.step(partial(hands.press, key))
        board.has_hp(OGRE, hit_points)
        assert (hands.clicks, hands.keys) == (0, key[-1])

    board.select(BRAN)
    hands.start_again()
    hands.press("j")
    board.has_selected(OGRE)
    board.step(partial(hands.press, "t", "8", "Enter"))
    board.has_hp(OGRE, "43/59")
    assert (hands.clicks, hands.keys) == (0, "jt8E")


def test_damage_takes_2_keys_and_the_digits_and_1_click_for_a_group_or_5_for_five(
    people: People,
) -> None:
    board, hands = at(people, running_fight(goblin=5, ogre=1))
    ogre = OGRE + 5
    hands.click("#order [data-all]")
    board.step(partial(hands.press, "t", "5", "Enter"))
    for number in range(OGRE, ogre):
        board.has_hp(number, "2/7")
    assert (hands.clicks, hands.keys) == (1, "t5E")

    hands.start_again()
    hands.click(board.row(ARIA).locator(".name"))
    board.page.keyboard.down("Control")
    for number in (BRAN, CLEO, DAIN, ogre):
        hands.click(board.row(number).locator(".name"))
    board.page.keyboard.up("Control")
    board.step(partial(hands.press, "t", "4", "Enter"))
    board.has_hp(ogre, "55/59")
    board.has_hp(ARIA, "20/24")
    assert (hands.clicks, hands.keys) == (5, "t4E")


def test_a_condition_takes_3_taps_from_a_closed_row_and_so_does_one_for_1_minute(
    people: People,
) -> None:
    board, hands = at(people, running_fight())
    hands.click(board.row(OGRE).locator(".name"))
    hands.click("#conditions > summary")
    board.step(partial(hands.click, "#effects [name=effect][value=prone]"))
    expect(board.row(OGRE).locator(".effect")).to_have_text("prone")
    assert (hands.clicks, hands.keys) == (3, "")
    board.select(BRAN)
    hands.press("Escape")
    hands.start_again()
    hands.click(board.row(BRAN).locator(".name"))
    hands.click("#minute")
    board.step(partial(hands.click, "#effects [name=effect][value=frightened]"))
    expect(board.row(BRAN).locator(".effect")).to_have_text("frightened 10 r")
    assert (hands.clicks, hands.keys) == (3, "")


def test_22_fire_to_five_of_whom_two_made_the_save_takes_5_clicks_and_3_keys(
    people: People,
) -> None:
    board, hands = at(people, running_fight(ogre=5))
    ogres = range(OGRE, OGRE + 5)
    hands.click("#order [data-all]")
    hands.click("#amount")
    hands.type("22")
    hands.click("#blow .types label:has([value=fire])")
    for number in (OGRE, OGRE + 1):
        hands.click(f"#saved-{number}")
    board.step(partial(hands.press, "Enter"))
    for number in ogres:
        board.has_hp(number, "48/59" if number < OGRE + 2 else "37/59")
    assert (hands.clicks, hands.keys) == (5, "22E")
