"""On paper stands the fight and nothing that would be pressed there."""

import pytest
from playwright.sync_api import Page, expect

import rules
from tests.browser.conftest import People
from tests.browser.tables import ARIA, OGRE, player_path, running_fight, step

pytestmark = pytest.mark.browser

PRESSED = "a[href], button, input, select, textarea, summary, #connection, kbd, .timer"
PART_OF_THE_SHEET = ".crumb.here, .row a, .mark, .fx, details.turn > summary"  # read as text


def pressed_on(page: Page) -> list[str]:
    """What is in sight and would be pressed, or says how the page itself fares."""
    found = page.locator(PRESSED).locator("visible=true")
    script = "(all, sheet) => all.filter((one) => !one.matches(sheet)).map((one) => one.outerHTML)"
    shown: list[str] = found.evaluate_all(script, PART_OF_THE_SHEET)
    return shown


def test_the_gms_sheet_is_the_order_and_the_notes_of_everybody(people: People) -> None:
    fight = running_fight()
    step(fight, "edit", rules.Edit(ARIA, {"notes": "Keeps the map."}))
    step(fight, "edit", rules.Edit(OGRE, {"notes": "Flees at half.\nFears fire."}))
    gm = people.gm()
    gm.goto(f"/e/{fight.uuid}/?selected={OGRE}")
    expect(gm.locator("#notes")).to_be_hidden()
    gm.emulate_media(media="print")
    assert pressed_on(gm) == []
    notes = gm.locator("#notes div").all_inner_texts()
    assert [note.split() for note in notes] == [
        ["Aria", "Keeps", "the", "map."],
        ["Ogre", "Flees", "at", "half.", "Fears", "fire."],
    ]
    expect(gm.locator("#order .row:visible")).to_have_count(5)
    last, first = gm.locator("#order .row").last.bounding_box(), gm.locator("#now").bounding_box()
    assert last is not None
    assert first is not None
    assert first["y"] < last["y"] < 700  # one sheet, without a gap for what is left out


def test_a_sheet_as_wide_as_a4_has_no_gap_and_says_its_marks_in_full(people: People) -> None:
    fight = running_fight()
    step(fight, "damage", rules.Damage(OGRE, 99))
    gm = people.gm(language="fr")
    gm.goto(f"/e/{fight.uuid}/")
    gm.emulate_media(media="print")
    gm.set_viewport_size({"width": 680, "height": 960})
    head, order = gm.locator("#now").bounding_box(), gm.locator("#order").bounding_box()
    assert head
    assert order
    assert order["y"] < head["y"] + 120
    cut = "(mark) => mark.scrollWidth > mark.clientWidth + 1 || mark.scrollHeight > 40"
    assert not gm.locator("#order .mark.bad").evaluate(cut)


def test_the_players_sheet_is_the_order_without_the_notes(people: People) -> None:
    fight = running_fight()
    step(fight, "edit", rules.Edit(ARIA, {"notes": "Keeps the map."}))
    phone = people.player()
    phone.goto(player_path(fight.campaign))
    expect(phone.locator("#connection")).to_have_attribute("data-state", "live")
    phone.emulate_media(media="print")
    assert pressed_on(phone) == []
    expect(phone.locator(".now .name")).to_have_text("Aria")
    assert "map" not in phone.content()
