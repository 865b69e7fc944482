"""A GM's page keeps what it shows already, and is sent the rest."""

from typing import Any

import pytest
from playwright.sync_api import expect

import rules
from encounters.models import Encounter
from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.intercepting import Held
from tests.browser.tables import ARIA, BRAN, CLEO, DAIN, OGRE, opened_fight, running_fight, step

pytestmark = pytest.mark.browser

PARTS = """() => [...document.querySelectorAll("#board [data-part]")].map(
    (part) => [part.id, part.dataset.part, part.innerText])"""


@pytest.fixture
def gm(people: People) -> GmBoard:
    board = GmBoard(people.gm())
    board.open(running_fight())
    return board


def parts(board: GmBoard) -> list[list[Any]]:
    """What the page keeps: id, mark and words of each."""
    found: list[list[Any]] = board.page.evaluate(PARTS)
    return found


def test_a_turn_brings_the_rows_that_it_changes_and_leaves_the_others_alone(gm: GmBoard) -> None:
    ids = [id for id, *_ in parts(gm)]
    with gm.page.expect_response("**/next-turn/") as answer:
        gm.press("n")
    html = answer.value.text()
    changed = [f"c{ARIA}", f"c{BRAN}", f"c{OGRE}"]  # had the turn, has it, is next
    assert [id for id in ids if f'id="{id}" data-part="' in html] == changed
    assert [id for id in ids if f'id="{id}" data-same="' in html] == ids[3:]
    assert len(html) < 16_000
    expect(gm.page.locator("[data-same]")).to_have_count(0)


def test_after_many_steps_the_page_shows_what_a_fresh_one_does(people: People, gm: GmBoard) -> None:
    for keys in (["n"], ["t", "8", "Enter"], ["h"], ["n"], ["n"], ["u"], ["Alt+j"], ["n"]):
        gm.press(*keys)
    gm.page.fill("#add-text", "Falk")
    gm.click("#add button")
    gm.select(OGRE)
    gm.press("t", "3", "Enter")  # the server selects what the page does
    other = GmBoard(people.gm())
    other.page.goto(f"{gm.page.url.partition('?')[0]}?selected={OGRE}")
    other.is_ready()
    assert parts(gm) == parts(other)


def test_forms_of_a_part_that_was_kept_take_a_step_each(gm: GmBoard) -> None:
    gm.select(OGRE)
    hp = gm.page.locator(f"#c{OGRE} .hp b")
    before = int(hp.inner_text())
    gm.press("n")
    for _ in range(3):
        gm.press("h")
        gm.press("n")
        gm.press("t", "1", "Enter")
    expect(hp).to_have_text(str(before - 3))


def test_what_a_part_that_was_kept_was_refused_for_goes_with_the_next_board(gm: GmBoard) -> None:
    gm.select(CLEO)
    gm.press("n")
    gm.page.keyboard.press("t")
    gm.page.keyboard.type("many")
    gm.page.keyboard.press("Enter")
    expect(gm.page.locator("#strip-refusal")).not_to_be_empty()
    gm.page.keyboard.press("Escape")
    gm.click("#next button")
    expect(gm.page.locator("#strip-refusal")).to_be_empty()
    expect(gm.page.locator("#amount")).to_have_value("many")


def test_a_board_that_does_not_fit_what_is_shown_is_asked_for_anew(gm: GmBoard) -> None:
    before, told = gm.version, parts(gm)
    held = Held(gm.page, "**/next-turn/")
    held.catch(lambda: gm.page.keyboard.press("n"))
    gm.page.evaluate(f"document.querySelector('#c{CLEO}').dataset.part = 'another'")
    held.let_go()
    gm.is_at(before + 1)
    assert [part for part in told if part[0] == f"c{CLEO}"] == [
        part for part in parts(gm) if part[0] == f"c{CLEO}"
    ]
    with gm.page.expect_response("**/next-turn/") as answer:
        gm.press("n")
    assert 'data-same="' in answer.value.text()


def test_why_nothing_was_changed_is_read_though_the_board_that_says_it_does_not_fit(
    gm: GmBoard,
) -> None:
    held = Held(gm.page, "**/next-turn/")
    held.catch(lambda: gm.page.keyboard.press("n"))
    step(Encounter.objects.get(), "set-hidden", rules.SetHidden((ARIA,), True))
    gm.page.evaluate(f"document.querySelector('#c{CLEO}').dataset.part = 'another'")
    held.let_go()
    expect(gm.page.locator("#notice")).to_contain_text("the fight changed in the meantime")


def test_what_is_typed_stays_when_the_fight_begins_and_when_that_is_undone(people: People) -> None:
    gm = GmBoard(people.gm())
    gm.open(opened_fight())
    gm.click("#roll-rest")
    gm.page.fill("#add-text", "Fal")
    for act in ("#start button", "#undo button", "#redo button", "#next button"):
        gm.click(act)
        expect(gm.page.locator("#add-text")).to_have_value("Fal")
        expect(gm.page.locator("#adding")).to_have_count(1)
    gm.page.fill("#add-text", "Falk")
    gm.click("#add .button")
    expect(gm.page.locator("#order .row")).to_have_count(6)


def test_every_form_is_of_the_board_that_is_shown_and_its_key_is_new(people: People) -> None:
    gm = GmBoard(people.gm())
    gm.open(opened_fight())
    gm.click("#roll-rest")
    keys = set(values(gm, "key"))
    for act in ("#start button", "#next button", "#undo button", "#redo button"):
        gm.click(act)
        assert set(values(gm, "seen")) == {str(gm.version)}
        now = values(gm, "key")
        assert len(set(now)) == len(now)
        assert not keys & set(now)
        keys |= set(now)


def values(gm: GmBoard, name: str) -> list[str]:
    """Of these hidden fields, in all forms of the board."""
    fields = gm.page.locator(f"#board input[type=hidden][name={name}]")
    found: list[str] = fields.evaluate_all("(fields) => fields.map((field) => field.value)")
    return found


def test_what_is_sent_from_one_form_before_the_answer_counts_each_time(gm: GmBoard) -> None:
    before = gm.version
    held = Held(gm.page, "**/damage/")
    gm.select(OGRE)
    held.catch(lambda: press_all(gm, "t", "1", "Enter"))
    for number, amount in ((CLEO, "2"), (DAIN, "3")):
        gm.row(number).locator(".hp").click()
        press_all(gm, amount, "Enter")
        expect(gm.page.locator("#amount")).to_have_value("")
    held.let_go()
    gm.is_at(before + 3)
    gm.has_hp(OGRE, "58/59")
    gm.has_hp(CLEO, "16/18")
    gm.has_hp(DAIN, "24/27")


def press_all(gm: GmBoard, *keys: str) -> None:
    for key in keys:
        gm.page.keyboard.press(key)


def test_the_very_same_sent_twice_before_the_answer_counts_once(gm: GmBoard) -> None:
    before = gm.version
    held = Held(gm.page, "**/join/")
    gm.page.fill("#add-text", "Falk")
    held.catch(gm.page.locator("#add > .button").click)
    gm.page.locator("#add-text").press("Enter")
    held.let_go()
    gm.is_at(before + 1)
    gm.click("#next button")
    expect(gm.page.locator("#order .row")).to_have_count(6)


def test_a_reason_is_seen_until_what_it_is_about_is_typed_anew(gm: GmBoard) -> None:
    gm.select(OGRE)
    press_all(gm, "t", "x", "x", "Enter")
    reason = gm.page.locator("#strip-refusal")
    expect(reason).not_to_be_empty()
    expect(gm.page.locator("#amount")).to_be_focused()
    on_top = """(part) => {
        const { left, top, width, height } = part.getBoundingClientRect();
        return part.contains(document.elementFromPoint(left + 9, top + height / 2));
    }"""
    assert reason.evaluate(on_top)
    gm.page.locator("#amount").press("Backspace")
    expect(reason).to_be_empty()
    expect(gm.page.locator("#blow")).to_be_visible()


def test_as_the_fight_begins_the_turn_is_in_view_on_a_phone(people: People) -> None:
    gm = GmBoard(people.gm(viewport={"width": 390, "height": 700}))
    gm.open(opened_fight(goblin=9))
    gm.click("#roll-rest")
    gm.click("#start button")
    expect(gm.page.locator(".row.acting").first).to_be_in_viewport(ratio=1)


def test_another_tab_fetches_no_more_than_has_changed(people: People) -> None:
    fight = running_fight()
    gm = GmBoard(people.gm())
    gm.open(fight)
    before, address = gm.version, gm.page.url
    with gm.page.expect_response(f"{address}?selected=") as answer:
        step(fight, "damage", rules.Damage(OGRE, 5))
    html = answer.value.text()
    assert f'id="c{OGRE}" data-part="' in html
    assert f'id="c{BRAN}" data-same="' in html
    gm.is_at(before + 1)
