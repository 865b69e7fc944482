"""Single keys: each does what its help says, and inside a field it is a letter."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.models import Encounter, Step
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


def test_n_gives_the_turn_to_the_next_and_alt_n_takes_it_back(gm: GmBoard) -> None:
    gm.press("n")
    gm.has_turn_of("Bran")
    gm.press("Alt+n")
    gm.has_turn_of("Aria")


# RW-S40: a key that is held down works once
def test_n_held_down_advances_once(gm: GmBoard) -> None:
    gm.page.keyboard.down("n")
    gm.has_turn_of("Bran")
    for _ in range(5):
        gm.page.keyboard.down("n")  # what a key that is held down sends
    gm.page.keyboard.up("n")
    gm.press("n")
    gm.has_turn_of("Ogre")


def test_j_and_k_select_the_row_below_and_above(gm: GmBoard) -> None:
    for number in ORDER[:3]:  # the first j selects whose turn it is
        gm.page.keyboard.press("j")
        gm.has_selected(number)
        expect(gm.row(number).locator("xpath=following-sibling::*[1]")).to_have_id("strip")
    gm.page.keyboard.press("k")
    gm.has_selected(BRAN)
    gm.page.keyboard.press("k")
    gm.page.keyboard.press("k")
    gm.has_selected(ARIA)


def test_t_takes_damage_and_l_heals(gm: GmBoard) -> None:
    gm.select(OGRE)
    gm.press("t", "8", "Enter")
    gm.has_hp(OGRE, "51/59")
    gm.press("l", "5", "Enter")
    gm.has_hp(OGRE, "56/59")
    gm.has_hp(ARIA, "24/24")


def test_signs_and_dice_are_understood_where_damage_is_typed(gm: GmBoard) -> None:
    gm.select(OGRE)
    gm.press("t", *"-8", "Enter")
    gm.has_hp(OGRE, "51/59")
    gm.press("t", *"+5", "Enter")
    gm.has_hp(OGRE, "56/59")
    gm.press("t", *"0d6+6", "Enter")
    gm.has_hp(OGRE, "50/59")


def test_keys_work_at_once_after_typed_damage(gm: GmBoard) -> None:
    before = gm.version
    gm.select(OGRE)
    for key in ("t", "8", "Enter", "n"):  # without waiting for the answer
        gm.page.keyboard.press(key)
    gm.is_at(before + 2)
    gm.has_turn_of("Bran")
    gm.has_hp(OGRE, "51/59")
    expect(gm.page.locator("#amount")).to_have_value("")


def test_refused_damage_can_be_corrected_at_once(gm: GmBoard) -> None:
    gm.select(OGRE)
    for key in ("t", "8", "x", "Enter"):
        gm.page.keyboard.press(key)
    expect(gm.page.locator("#strip-refusal")).not_to_be_empty()
    expect(gm.page.locator("#amount")).to_have_value("8x")
    expect(gm.page.locator("#amount")).to_be_focused()
    gm.press("Backspace", "Enter")
    gm.has_hp(OGRE, "51/59")
    expect(gm.page.locator("#strip-refusal")).to_be_empty()


def test_h_shows_to_the_players_and_hides_again(gm: GmBoard) -> None:
    gm.select(OGRE)
    hidden = gm.row(OGRE).locator("[href='#i-hidden']")
    expect(hidden).to_have_count(1)
    gm.press("h")
    expect(hidden).to_have_count(0)
    gm.press("h")
    expect(hidden).to_have_count(1)
    gm.has_selected(OGRE)


def test_r_spends_the_reaction_and_gives_it_back(gm: GmBoard) -> None:
    gm.select(BRAN)
    ready = gm.row(BRAN).locator("[href='#i-reaction']")
    expect(ready).to_have_count(1)
    gm.press("r")
    expect(ready).to_have_count(0)
    gm.press("r")
    expect(ready).to_have_count(1)


def test_alt_t_gives_temporary_hit_points_once(gm: GmBoard) -> None:
    gm.select(CLEO)
    gm.press("Alt+t", "6", "Enter")
    expect(gm.row(CLEO).locator(".temp")).to_have_text("+6")
    gm.press("t", "2", "Enter")  # and the next Enter hurts again
    expect(gm.row(CLEO).locator(".temp")).to_have_text("+4")


def test_alt_t_still_means_temporary_after_the_board_has_changed(
    gm: GmBoard, people: People
) -> None:
    other = GmBoard(people.gm())
    other.open(Encounter.objects.get())
    gm.select(CLEO)
    gm.page.keyboard.press("Alt+t")
    gm.page.keyboard.press("6")
    other.press("n")
    gm.has_turn_of("Bran")
    gm.press("Enter")
    expect(gm.row(CLEO).locator(".temp")).to_have_text("+6")


def test_alt_j_and_alt_k_move_the_place_in_the_order(gm: GmBoard) -> None:
    gm.select(BRAN)
    gm.press("Alt+j")
    assert order(gm) == [ARIA, OGRE, BRAN, CLEO, DAIN]
    gm.press("Alt+k")
    gm.press("Alt+k")
    assert order(gm) == [BRAN, ARIA, OGRE, CLEO, DAIN]
    gm.has_selected(BRAN)


def order(gm: GmBoard) -> list[int]:
    rows = gm.page.locator("#order .row").all()
    return [int(row.get_attribute("data-number") or 0) for row in rows]


def test_e_edits_the_selected_row(gm: GmBoard) -> None:
    gm.select(CLEO)
    gm.page.keyboard.press("e")
    expect(gm.page).to_have_url(re.compile(f"/combatant/{CLEO}/$"))


def test_delete_removes_the_selected_and_never_anybody_else(gm: GmBoard) -> None:
    before = gm.version
    gm.page.keyboard.press("Delete")  # nobody is selected
    gm.select(CLEO)
    gm.press("Delete")
    expect(gm.row(CLEO)).to_have_count(0)
    gm.page.keyboard.press("Delete")
    gm.press("u")
    expect(gm.row(CLEO)).to_have_count(1)
    assert order(gm) == list(ORDER)
    assert gm.version == before + 2


def test_u_undoes_and_shift_u_does_again(gm: GmBoard) -> None:
    gm.press("n")
    gm.select(CLEO)
    gm.press("t", "4", "Enter")
    gm.press("u")
    gm.has_hp(CLEO, "18/18")
    gm.press("u")
    gm.has_turn_of("Aria")
    gm.press("Shift+U")
    gm.has_turn_of("Bran")
    gm.press("Shift+U")
    gm.has_hp(CLEO, "14/18")


def test_slash_goes_to_the_field_that_adds(gm: GmBoard) -> None:
    gm.page.keyboard.press("/")
    expect(gm.page.locator("#add-text")).to_be_focused()
    expect(gm.page.locator("#add-text")).to_have_value("")


# RW-S40: no command while a dialog is open
def test_the_question_mark_opens_the_help_and_escape_closes_it(gm: GmBoard) -> None:
    keys = gm.page.locator("#keys")
    gm.page.keyboard.press("?")
    expect(keys).to_be_visible()
    gm.page.keyboard.press("n")  # not while the help is read
    gm.page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    gm.has_turn_of("Aria")
    gm.press("n")
    gm.has_turn_of("Bran")


def test_s_goes_to_what_is_due(gm: GmBoard) -> None:
    gm.page.keyboard.press("s")  # nothing is
    encounter = Encounter.objects.get()
    before = gm.version
    step(encounter, "add-effect", rules.AddEffect(DAIN, rules.Effect("concentration")))
    step(encounter, "damage", rules.Damage(DAIN, 3))
    gm.is_at(before + 2)
    gm.page.keyboard.press("s")
    expect(gm.page.locator("#dues").get_by_role("button", name="Made")).to_be_focused()
    gm.press("Enter")
    expect(gm.page.locator("#dues .none")).to_be_visible()


def test_the_help_tells_of_every_key_tested_here_and_no_other(gm: GmBoard) -> None:
    known = "n alt+n j k space alt+j alt+k t l alt+t g s d h r e del u shift+u / ?"
    assert " ".join(gm.page.locator("#keys kbd").all_text_contents()) == known


LETTERS = "njktlgdhreuU/? "


def into_the_add_field(page: Page) -> str:
    page.keyboard.press("/")
    return "#add-text"


def into_the_damage_field(page: Page) -> str:
    page.keyboard.press("t")
    return "#amount"


# RW-S40: inside a field keys are letters
@pytest.mark.parametrize("focus", [into_the_add_field, into_the_damage_field])
def test_inside_a_field_keys_are_letters(gm: GmBoard, focus: Callable[[Page], str]) -> None:
    before = gm.version
    field = focus(gm.page)
    gm.page.keyboard.type(LETTERS)
    expect(gm.page.locator(field)).to_have_value(LETTERS)
    expect(gm.page.locator("#keys")).to_be_hidden()
    gm.page.keyboard.press("Escape")  # and leaves the field
    gm.press("n")
    gm.has_turn_of("Bran")
    assert gm.version == before + 1
    expect(gm.page.locator(field)).to_have_value(LETTERS)


# RW-S40: inside a list of choices keys choose
def test_inside_a_list_of_choices_keys_choose(gm: GmBoard) -> None:
    before = gm.version
    gm.page.locator("#add-side").focus()
    gm.page.keyboard.type("nuth")
    gm.page.keyboard.press("Escape")
    gm.page.locator("#add-rolled").focus()
    gm.press("n")  # nothing is typed into a box to tick
    assert gm.version == before + 1


# RW-S40: no command while a letter is composed
def test_keys_that_compose_a_letter_do_nothing(gm: GmBoard) -> None:
    gm.select(OGRE)
    for typed in ('isComposing: true, key: "n"', 'keyCode: 229, key: "Process"', 'key: "Dead"'):
        before = gm.version
        send(gm.page, f'{typed}, code: "KeyN"')
        gm.press("h")  # a step behind which no other can be on its way
        assert gm.version == before + 1, typed
        gm.has_turn_of("Aria")


def test_alt_and_a_letter_work_where_alt_types_another(gm: GmBoard) -> None:
    for key in ("Dead", "˜", "т"):
        gm.press("n")
        gm.step(partial(send, gm.page, f'key: "{key}", code: "KeyN", altKey: true'))
        gm.has_turn_of("Aria")


def test_alt_and_a_letter_follow_the_letters_of_another_keyboard(gm: GmBoard) -> None:
    gm.step(lambda: send(gm.page, 'key: "n", code: "KeyL"'))
    gm.step(lambda: send(gm.page, 'key: "¬", code: "KeyL", altKey: true'))
    gm.has_turn_of("Aria")


def send(page: Page, event: str) -> None:
    """Press a key as other keyboards and input methods report it."""
    options = f"{{{event}, bubbles: true, cancelable: true}}"
    page.evaluate(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {options}))")


# RW-S40: no command with control or command held
def test_keys_of_the_browser_are_left_to_the_browser(gm: GmBoard) -> None:
    before = gm.version
    for chord in ("Control+h", "Control+u", "Meta+n", "Control+j"):
        gm.page.keyboard.press(chord)
    gm.press("n")
    assert gm.version == before + 1
    assert list(Step.objects.order_by("version").values_list("command", flat=True))[-1] == (
        "next-turn"
    )
    assert Encounter.objects.get().version == before + 1
