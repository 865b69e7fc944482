"""Conditions at the table: chosen with when they end, read on the rows, and what they mean."""

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.models import Encounter
from tests.browser.acting import GmBoard, Phone
from tests.browser.conftest import People
from tests.browser.intercepting import wait_until
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    OGRE,
    player_path,
    running_fight,
    step,
)

pytestmark = pytest.mark.browser


def opened(people: People, fight: Encounter, language: str = "en") -> GmBoard:
    board = GmBoard(people.gm(language))
    board.open(fight)
    return board


def chosen(page: Page, lasts: str) -> None:
    page.locator(f"#lasts label:has([value='{lasts}'])").click()


def put(fight: Encounter, number: int, code: str) -> None:
    step(fight, "add-effect", rules.AddEffect(number, rules.Effect(code)))


# When it ends


def test_the_panel_says_in_words_how_it_will_end_for_those_who_are_selected_now(
    people: People,
) -> None:
    board = opened(people, running_fight())
    page, says = board.page, board.page.locator("#says")
    board.select(BRAN)
    page.locator("#conditions > summary").click()
    expect(says).to_have_text("Until removed")
    for lasts, text in (
        ("rounds:10", "Ends: at the start of Aria’s turn in round 11"),
        ("turn-end-own", "Ends: at the end of Bran’s next turn"),
        ("turn-start-source", "Ends: at the start of Aria’s next turn"),
    ):
        chosen(page, lasts)
        expect(says).to_have_text(text)
    page.locator("#n").fill("3")
    expect(says).to_have_text("Ends: at the start of Aria’s turn, 3 turns from now")
    page.locator("#n").fill("0")
    expect(says).to_have_text("–")
    page.locator("#n").fill("")
    page.locator("#finer > summary").click()
    page.locator("#effect-source").select_option(str(OGRE))
    page.locator("#hangs").check()
    page.locator("#save").select_option("wis")
    page.locator("#dc").fill("13")
    expect(says).to_have_text(
        "Ends: at the start of Ogre’s next turn · or with Ogre’s concentration"
        " · or with a save (WIS, DC 13)"
    )
    page.locator("#effect-source").select_option("")
    expect(says).to_contain_text("Choose the source below.")
    chosen(page, "turn-end-own")
    page.locator("#hangs").uncheck()
    page.locator("#save").select_option("")
    board.select(OGRE)
    expect(says).to_have_text("Ends: at the end of Ogre’s next turn")
    board.row(CLEO).click(position={"x": 3, "y": 3}, modifiers=["Control"])
    expect(says).to_have_text("Ends: at the end of each one’s next turn")
    board.click("#effects [name=effect][value=prone]")
    for number in (OGRE, CLEO):
        expect(board.row(number).locator(".effect")).to_have_text("prone until its turn ends")


def test_a_refusal_leaves_all_that_was_chosen_and_the_condition_it_was_for_takes_it_away(
    people: People,
) -> None:
    board = opened(people, running_fight())
    page = board.page
    board.select(OGRE)
    page.locator("#conditions > summary").click()
    chosen(page, "rounds")
    page.locator("#n").fill("0")
    page.locator("#effects [name=effect][value=prone]").click()
    refusal = page.locator("#effects-refusal")
    expect(refusal).to_have_text("A duration goes from 1 to 9999 turns or rounds.")
    expect(refusal).to_be_visible()
    expect(page.locator("#n")).to_have_value("0")
    page.locator("#n").fill("4")
    board.click("#effects [name=effect][value=prone]")
    expect(page.locator("#conditions")).to_have_js_property("open", False)
    page.locator("#conditions > summary").click()
    expect(page.locator("#says")).to_have_text("Until removed")
    board.click("#effects [name=effect][value=blinded]")
    expect(board.row(OGRE).locator(".effect")).to_have_text(["prone 4 r", "blinded"])


def test_what_is_on_the_selected_is_taken_away_by_a_tap(people: People) -> None:
    fight = running_fight()
    put(fight, OGRE, "prone")
    put(fight, BRAN, "poisoned")
    board = opened(people, fight)
    taken = board.page.locator("#effects [formaction$='/remove-effect/']:visible")
    board.select(OGRE)
    board.page.locator("#conditions > summary").click()
    expect(taken).to_have_text(["remove prone"])
    board.select(BRAN)
    expect(taken).to_have_text(["remove poisoned"])
    board.step(taken.click)
    expect(board.row(BRAN).locator(".effect")).to_have_count(0)
    expect(board.row(OGRE).locator(".effect")).to_have_count(1)


def test_own_words_alone_are_put_on_by_enter_and_are_a_tap_the_next_time(people: People) -> None:
    board = opened(people, running_fight())
    page = board.page
    board.select(OGRE)
    page.locator("#conditions > summary").click()
    page.locator("#finer > summary").click()
    page.locator("#save").select_option("wis")
    before = board.version
    for field, text in (("#dc", "12"), ("#n", "3"), ("#effects [name=each_turn]", "1d6")):
        page.locator(field).fill(text)
        page.keyboard.press("Enter")
    page.locator("#hangs").focus()
    page.keyboard.press("Enter")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#effects-refusal")).to_be_empty()
    assert board.version == before
    page.locator("#effect-colour").select_option("blue")
    page.locator("#effect-text").fill("hexed")
    board.step(lambda: page.keyboard.press("Enter"))
    expect(board.row(OGRE).locator(".effect")).to_have_count(1)
    expect(board.row(OGRE).locator(".effect.worded.blue")).to_have_text("hexed")
    board.select(BRAN)
    page.locator("#conditions > summary").click()
    board.step(page.get_by_role("button", name="hexed", exact=True).and_(
        page.locator("#effects button")
    ).click)  # fmt: skip
    expect(board.row(BRAN).locator(".effect.worded.blue")).to_have_text("hexed")


# What it means


def test_a_mark_tells_what_it_means_under_the_mouse(people: People) -> None:
    fight = running_fight()
    put(fight, OGRE, "prone")
    board = opened(people, fight, "fr")
    mark, told = board.row(OGRE).locator(".effect"), board.page.locator("#m-prone")
    expect(told).to_be_hidden()
    mark.hover()
    expect(told).to_be_visible()
    expect(told).to_contain_text("Ne peut que ramper")
    box, at = told.bounding_box(), mark.bounding_box()
    assert box
    assert at
    assert abs(box["y"] - (at["y"] + at["height"])) < 3
    board.page.locator(".brand").hover()
    expect(told).to_be_hidden()


def test_a_mark_tells_what_it_means_by_click_or_key_until_escape_while_the_board_changes(
    people: People,
) -> None:
    fight = running_fight()
    effect = rules.Effect("frightened", source=CLEO, ends="end", whose=CLEO)
    step(fight, "add-effect", rules.AddEffect(OGRE, effect))
    board = opened(people, fight)
    mark, told = board.row(OGRE).locator(".effect"), board.page.locator("#m-frightened")
    mark.click()
    board.has_selected(OGRE)
    board.page.locator(".brand").hover()
    expect(told).to_be_visible()
    expect(told).to_contain_text("from Cleo · until Cleo’s turn ends")
    board.page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    mark.focus()
    board.page.keyboard.press("Enter")
    expect(told).to_be_visible()
    put(fight, BRAN, "blinded")
    expect(board.row(BRAN).locator(".effect")).to_be_visible()
    expect(told).to_be_visible()
    step(fight, "remove-effect", rules.RemoveEffect(OGRE, "frightened"))
    expect(told).to_have_count(0)


def test_without_scripts_a_mark_tells_what_it_means_and_a_condition_is_put_on(
    people: People,
) -> None:
    fight = running_fight()
    put(fight, BRAN, "prone")
    page = people.gm(java_script_enabled=False)
    page.goto(f"/e/{fight.uuid}/?selected={OGRE}")
    page.locator(f"#c{BRAN} .effect").click()
    expect(page.locator("#m-prone")).to_be_visible()
    expect(page.locator("#m-prone")).to_contain_text("Can only crawl")
    page.keyboard.press("Escape")
    page.locator("#conditions > summary").click()
    chosen(page, "rounds:10")
    page.locator("#effects [name=effect][value=stunned]").click()
    expect(page.locator(f"#c{OGRE} .effect")).to_have_text("stunned 10 r")


# On a player's phone


def test_a_player_taps_a_condition_with_a_thumb_and_reads_what_it_means(people: People) -> None:
    fight = running_fight()
    put(fight, BRAN, "prone")
    phone = Phone(people.player("fr"), player_path(fight.campaign), "fr")
    told, mark = phone.page.locator("#m-prone"), phone.slot("Bran").locator(".fx")
    tall = "(mark) => parseFloat(getComputedStyle(mark, '::after').height)"
    # A mark has no height any more when its board has just been replaced.
    wait_until(phone.page, lambda: mark.evaluate(tall) >= 44)
    expect(told).to_be_hidden()
    phone.slot("Bran").get_by_role("button", name="à terre").tap()
    expect(told).to_contain_text("Ne peut que ramper")
    expect(told).to_be_in_viewport(ratio=1)
    put(fight, ARIA, "blinded")
    expect(phone.slot("Aria").get_by_role("button", name="aveuglé")).to_be_visible()
    expect(told).to_be_visible()
    phone.page.locator("h1").tap()
    expect(told).to_be_hidden()


def test_the_focus_stays_on_a_condition_when_a_new_board_comes(people: People) -> None:
    fight = running_fight()
    for number in (ARIA, BRAN, CLEO):
        put(fight, number, "prone")
    page = Phone(people.player(), player_path(fight.campaign), "en").page
    page.locator(".slot", has_text="Bran").get_by_role("button", name="prone").focus()
    put(fight, ARIA, "blinded")
    expect(page.get_by_role("button", name="blinded")).to_be_visible()
    expect(
        page.locator(".slot", has_text="Bran").get_by_role("button", name="prone")
    ).to_be_focused()
    step(fight, "next-turn", rules.NextTurn())
    expect(page.locator(".now .name")).to_have_text("Bran")
    expect(page.locator(".now").get_by_role("button", name="prone")).to_be_focused()
    step(fight, "remove-effect", rules.RemoveEffect(BRAN, "prone"))
    expect(page.locator(".fx", has_text="prone")).to_have_count(2)
    expect(page.locator("body")).to_be_focused()
