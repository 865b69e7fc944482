"""Single keys: each does what its help says; where they are letters, test_cases_typing tells."""

from functools import partial

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.models import Encounter
from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.tables import ARIA, BRAN, CLEO, DAIN, OGRE, running_fight, step

pytestmark = pytest.mark.browser

ORDER = (ARIA, BRAN, OGRE, CLEO, DAIN)


@pytest.fixture
def gm(people: People) -> GmBoard:
    """A fight in its first round: Aria, Bran, the hidden ogre, Cleo, Dain."""
    board = GmBoard(people.gm())
    board.open(running_fight())
    board.has_turn_of("Aria")
    return board


# RW-S40: a key that is held down works once
def test_n_gives_the_turn_once_however_long_it_is_held_and_alt_n_takes_it_back(
    gm: GmBoard,
) -> None:
    before = gm.version
    gm.page.keyboard.down("n")
    gm.has_turn_of("Bran")
    for _ in range(5):
        gm.page.keyboard.down("n")  # what a key that is held down sends
    gm.page.keyboard.up("n")
    gm.press("n")
    gm.has_turn_of("Ogre")
    gm.press("Alt+n")
    gm.has_turn_of("Bran")
    assert gm.version == before + 3


def test_alt_and_a_letter_work_on_other_keyboards(gm: GmBoard) -> None:
    for _ in range(3):
        gm.press("n")
    for key, who in (("Dead", "Ogre"), ("˜", "Bran"), ("т", "Aria")):  # alt types another letter
        gm.step(partial(send, gm.page, f'key: "{key}", code: "KeyN", altKey: true'))
        gm.has_turn_of(who)
    gm.step(lambda: send(gm.page, 'key: "n", code: "KeyL"'))  # and here n has another place
    gm.step(lambda: send(gm.page, 'key: "¬", code: "KeyL", altKey: true'))
    gm.has_turn_of("Aria")


def test_j_and_k_select_the_row_below_and_above_and_with_alt_move_its_place(gm: GmBoard) -> None:
    for number in ORDER[:3]:  # the first j selects whose turn it is
        gm.page.keyboard.press("j")
        gm.has_selected(number)
        expect(gm.row(number).locator("xpath=following-sibling::*[1]")).to_have_id("strip")
    gm.page.keyboard.press("k")
    gm.has_selected(BRAN)
    gm.press("Alt+j")
    assert order(gm) == [ARIA, OGRE, BRAN, CLEO, DAIN]
    gm.press("Alt+k")
    gm.press("Alt+k")
    assert order(gm) == [BRAN, ARIA, OGRE, CLEO, DAIN]
    gm.has_selected(BRAN)
    gm.page.keyboard.press("j")
    gm.has_selected(ARIA)
    gm.page.keyboard.press("k")
    gm.page.keyboard.press("k")
    gm.has_selected(BRAN)


def order(gm: GmBoard) -> list[int]:
    rows = gm.page.locator("#order .row").all()
    return [int(row.get_attribute("data-number") or 0) for row in rows]


def test_t_takes_damage_and_l_heals_and_a_refusal_can_be_corrected_at_once(gm: GmBoard) -> None:
    gm.select(OGRE)
    for key in ("t", "8", "x", "Enter"):
        gm.page.keyboard.press(key)
    expect(gm.page.locator("#strip-refusal")).not_to_be_empty()
    expect(gm.page.locator("#amount")).to_have_value("8x")
    expect(gm.page.locator("#amount")).to_be_focused()
    gm.press("Backspace", "Enter")
    gm.has_hp(OGRE, "51/59")
    expect(gm.page.locator("#strip-refusal")).to_be_empty()
    gm.press("l", "5", "Enter")
    gm.has_hp(OGRE, "56/59")
    before = gm.version
    for key in ("t", "8", "Enter", "n"):  # without waiting for the answer
        gm.page.keyboard.press(key)
    gm.is_at(before + 2)
    gm.has_turn_of("Bran")
    gm.has_hp(OGRE, "48/59")
    expect(gm.page.locator("#amount")).to_have_value("")
    gm.has_hp(ARIA, "24/24")


def test_alt_t_gives_temporary_hit_points_once_even_when_the_board_changes_meanwhile(
    gm: GmBoard,
) -> None:
    gm.select(CLEO)
    gm.page.keyboard.press("Alt+t")
    gm.page.keyboard.press("6")
    step(Encounter.objects.get(), "next-turn", rules.NextTurn())
    gm.has_turn_of("Bran")
    gm.press("Enter")
    expect(gm.row(CLEO).locator(".temp")).to_have_text("+6")
    gm.press("t", "2", "Enter")  # and the next Enter hurts again
    expect(gm.row(CLEO).locator(".temp")).to_have_text("+4")


def test_h_shows_and_hides_again_and_r_spends_the_reaction_and_gives_it_back(gm: GmBoard) -> None:
    for number, key, mark in ((OGRE, "h", "hidden"), (BRAN, "r", "reaction")):
        gm.select(number)
        shown = gm.row(number).locator(f"[href='#i-{mark}']")
        expect(shown).to_have_count(1)
        gm.press(key)
        expect(shown).to_have_count(0)
        gm.press(key)
        expect(shown).to_have_count(1)
        gm.has_selected(number)


def test_delete_removes_the_selected_alone_and_u_and_shift_u_go_back_and_forth(
    gm: GmBoard,
) -> None:
    before = gm.version
    gm.page.keyboard.press("Delete")  # nobody is selected
    gm.press("n")
    gm.select(CLEO)
    gm.press("Delete")
    expect(gm.row(CLEO)).to_have_count(0)
    gm.page.keyboard.press("Delete")
    gm.press("u")
    expect(gm.row(CLEO)).to_have_count(1)
    assert order(gm) == list(ORDER)
    assert gm.version == before + 3
    gm.press("u")
    gm.has_turn_of("Aria")
    gm.press("Shift+U")
    gm.has_turn_of("Bran")
    gm.press("Shift+U")
    expect(gm.row(CLEO)).to_have_count(0)


def test_keys_lead_to_the_help_to_the_field_that_adds_and_to_what_is_due(gm: GmBoard) -> None:
    gm.page.keyboard.press("?")
    known = "n alt+n j k space alt+j alt+k t l alt+t g s d h r e del u shift+u / ?"
    expect(gm.page.locator("#keys")).to_be_visible()
    assert " ".join(gm.page.locator("#keys kbd").all_text_contents()) == known
    gm.page.keyboard.press("Escape")
    gm.page.keyboard.press("/")
    expect(gm.page.locator("#add-text")).to_be_focused()
    expect(gm.page.locator("#add-text")).to_have_value("")
    gm.page.keyboard.press("Escape")
    gm.page.keyboard.press("s")  # nothing is due
    encounter = Encounter.objects.get()
    before = gm.version
    step(encounter, "add-effect", rules.AddEffect(DAIN, rules.Effect("concentration")))
    step(encounter, "damage", rules.Damage(DAIN, 3))
    gm.is_at(before + 2)
    gm.page.keyboard.press("s")
    expect(gm.page.locator("#dues").get_by_role("button", name="Made")).to_be_focused()
    gm.press("Enter")
    expect(gm.page.locator("#dues .none")).to_be_visible()


def send(page: Page, event: str) -> None:
    """Press a key as other keyboards and input methods report it."""
    options = f"{{{event}, bubbles: true, cancelable: true}}"
    page.evaluate(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {options}))")
