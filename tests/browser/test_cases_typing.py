"""What the GM types survives every refresh, and typed text gives no command."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

import rules
from encounters.models import Encounter, Step
from tests.browser.acting import GmBoard, comes
from tests.browser.conftest import People
from tests.browser.intercepting import has_answer, intercept, note_answers, wait_until
from tests.browser.tables import ARIA, BRAN, CLEO, OGRE, running_fight, step
from tests.browser.test_keys import send

pytestmark = pytest.mark.browser


@pytest.fixture
def gm(people: People) -> GmBoard:
    """A fight in its first round: Aria, Bran, the ogre, Cleo, Dain."""
    board = GmBoard(people.gm())
    board.open(running_fight())
    comes(board.page.locator("#connection[data-state=live]"))
    return board


def twelve_is_typed_for_the_ogre(gm: GmBoard) -> None:
    gm.select(OGRE)
    gm.page.locator("#amount").focus()
    gm.page.keyboard.type("12")
    gm.page.keyboard.press("ArrowLeft")  # the caret stands between 1 and 2


def others(gm: GmBoard, name: str, command: rules.Command) -> None:
    """What the second GM does, once this window shows it."""
    before = gm.version
    step(Encounter.objects.get(), name, command)
    gm.is_at(before + 1)


def caret(page: Page) -> list[object]:
    """The field with the focus, its text, and where its caret stands."""
    found: list[object] = page.evaluate(
        """() => {
            const { id, value, selectionStart, selectionEnd } = document.activeElement;
            return [id, value, selectionStart, selectionEnd];
        }"""
    )
    return found


# RW-S41: a change of another row, and the Ogre's own move up, leave text, caret and focus
def test_text_caret_and_focus_stay_in_the_damage_box(gm: GmBoard) -> None:
    changes: dict[str, rules.Command] = {
        "another row": rules.Damage(CLEO, 5),
        "its own": rules.Damage(OGRE, 5),
        "it moves up": rules.Reorder(OGRE, ARIA),
        "the turn": rules.NextTurn(),
    }
    twelve_is_typed_for_the_ogre(gm)
    for change, command in changes.items():
        others(gm, "change", command)
        assert caret(gm.page) == ["amount", "12", 1, 1], change
        gm.has_selected(OGRE)
        expect(gm.row(OGRE).locator("xpath=following-sibling::*[1]"), change).to_have_id("strip")
    gm.press("Enter")
    gm.has_hp(OGRE, "42/59")


# RW-S41: what was typed for one who is removed hurts nobody, and a notice says why
# RW-S41: the focus is never thrown to the top of the page
def test_what_was_typed_for_the_removed_ogre_is_dropped_and_the_focus_is_not_thrown_away(
    gm: GmBoard,
) -> None:
    twelve_is_typed_for_the_ogre(gm)
    others(gm, "leave", rules.Leave((OGRE,)))
    expect(gm.page.locator("#notice")).to_contain_text("Ogre")
    gm.page.keyboard.press("Enter")  # pressed too late to be stopped
    gm.page.keyboard.press("Tab")
    top = gm.page.evaluate("!document.activeElement.closest('main')")
    assert not top
    gm.page.keyboard.press("Escape")
    gm.press("n")
    assert list(Step.objects.order_by("-version").values_list("command", flat=True)[:2]) == [
        "next-turn",
        "leave",
    ]
    for number, hp in ((ARIA, "24/24"), (BRAN, "20/20"), (CLEO, "18/18")):
        gm.has_hp(number, hp)


# RW-S41: of two answers in the wrong order the older one does not overwrite the newer
def test_an_older_answer_does_not_overwrite_a_newer_one(gm: GmBoard) -> None:
    late: list[tuple[Route, str]] = []
    intercept(gm.page, "**/damage/", lambda route: late.append((route, route.fetch().text())))
    before = gm.version
    gm.select(OGRE)
    for key in ("t", "5", "Enter"):
        gm.page.keyboard.press(key)
    wait_until(gm.page, lambda: bool(late))  # the server has taken it
    gm.page.locator("#add-text").fill("Grak")
    gm.page.keyboard.press("Enter")
    gm.is_at(before + 2)
    gm.page.locator("#add-text").fill("Thok")
    [(route, older)] = late
    assert f'data-version="{before + 1}"' in older
    note_answers(gm.page)
    route.fulfill(body=older, content_type="text/html")
    has_answer(gm.page, "/damage/")
    assert gm.version == before + 2
    gm.has_hp(OGRE, "54/59")
    expect(gm.page.locator("#order .name").get_by_text("Grak")).to_be_visible()
    assert caret(gm.page)[:2] == ["add-text", "Thok"]


# Shortcuts keep quiet


def nothing_was_taken(gm: GmBoard, before: int) -> None:
    """No step was taken; the next one is the first since then."""
    gm.page.locator("body").press("Escape")
    gm.page.evaluate("document.activeElement.blur()")
    gm.press("n")
    assert gm.version == before + 1
    gm.has_turn_of("Bran")
    assert Step.objects.filter(command="next-turn").count() == 1


LETTERS = "njktlgdhreuU/? "  # which are commands elsewhere


# RW-S40: a name, a note with a bracket and a capital, and a search text are typed, not obeyed
def test_typed_text_gives_no_command_and_escape_leaves_it_typed(gm: GmBoard) -> None:
    before = gm.version
    gm.select(OGRE)
    texts = {"#add-text": ("Nunu", "6 gob, ?uU ", LETTERS), "#amount": ("flees ( A bell", LETTERS)}
    for field, text in [(field, text) for field, typed in texts.items() for text in typed]:
        gm.page.locator(field).fill("")
        gm.page.locator(field).click()
        gm.page.keyboard.type(text)
        expect(gm.page.locator(field)).to_have_value(text)
        expect(gm.page.locator("#keys")).to_be_hidden()
    gm.page.keyboard.press("Escape")
    gm.press("n")  # no field has it any more
    gm.has_turn_of("Bran")
    assert gm.version == before + 1
    for field in texts:
        expect(gm.page.locator(field)).to_have_value(LETTERS)


# RW-S40: where notes are typed no key is a command either
def test_e_edits_the_selected_and_a_note_with_a_bracket_is_kept_as_typed(gm: GmBoard) -> None:
    before = gm.version
    gm.select(OGRE)
    gm.page.keyboard.press("e")
    expect(gm.page).to_have_url(re.compile(f"/combatant/{OGRE}/$"))
    notes = gm.page.locator("textarea[name=notes]")
    notes.click()
    gm.page.keyboard.type("Nunu ( A, n u Delete")
    expect(notes).to_have_value("Nunu ( A, n u Delete")
    gm.page.locator("main form.facts button.primary").click()
    gm.is_ready()
    assert Encounter.objects.get().combatants.get(number=OGRE).notes == "Nunu ( A, n u Delete"
    assert gm.version == before + 1


# RW-S40: letters that an input method composes are no commands, in a field or out of it
def test_an_accent_that_is_composed_gives_no_command(gm: GmBoard) -> None:
    before = gm.version
    gm.select(OGRE)
    hand = gm.page.context.new_cdp_session(gm.page)
    for field in ("", "#add-text"):
        if field:
            gm.page.locator(field).focus()
        for letters in ("n", "nu", "nü"):
            hand.send("Input.dispatchKeyEvent", {"type": "rawKeyDown",
                      "windowsVirtualKeyCode": 229, "key": "Process", "code": "KeyN"})  # fmt: skip
            caret_at = {"selectionStart": len(letters), "selectionEnd": len(letters)}
            hand.send("Input.imeSetComposition", {"text": letters, **caret_at})
        hand.send("Input.insertText", {"text": "nü"})
        if field:
            expect(gm.page.locator(field)).to_have_value("nü")
    for typed in ('isComposing: true, key: "n"', 'keyCode: 229, key: "Process"', 'key: "Dead"'):
        send(gm.page, f'{typed}, code: "KeyN"')
    nothing_was_taken(gm, before)


# RW-S40: with a list of choices or a dialog open, and with control or command held, keys rest
def test_keys_rest_in_lists_and_dialogs_and_with_the_browsers_modifiers(gm: GmBoard) -> None:
    before = gm.version
    gm.select(OGRE)
    for chord in ("Control+u", "Control+h", "Control+r", "Control+j"):  # with n it opens a window
        gm.page.keyboard.press(chord)
    for letter in "uhrn":
        gm.page.keyboard.press(f"Meta+{letter}")
    gm.page.keyboard.press("?")
    expect(gm.page.locator("#keys")).to_be_visible()
    gm.page.keyboard.type("nuhr")
    gm.page.keyboard.press("Escape")
    expect(gm.page.locator("#keys")).to_be_hidden()
    gm.page.keyboard.press("g")
    for choices in ("#effect-colour", "#add-side"):
        gm.page.locator(choices).focus()
        gm.page.keyboard.type("nuhrt")
    gm.has_selected(OGRE)
    gm.page.keyboard.press("Escape")
    assert gm.version == before
    gm.page.locator("#add-rolled").focus()
    gm.press("n")  # nothing is typed into a box to tick
    gm.has_turn_of("Bran")
    assert Step.objects.get(version=before + 1).command == "next-turn"
    assert Encounter.objects.get().version == gm.version == before + 1
