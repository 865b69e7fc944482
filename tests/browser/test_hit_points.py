"""Hit points on the board: a hit of a type on many, those who save, death saves in sight."""

from functools import partial

import pytest
from playwright.sync_api import expect

import rules
from encounters.models import Encounter
from tests.browser.acting import Dice, GmBoard, Hands
from tests.browser.conftest import People
from tests.browser.jumping import jumps
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    DAIN,
    OGRE,
    campaign_with_heroes,
    running_fight,
    step,
)
from tests.browser.test_layout import SCREENS, open_strip, opened
from tests.sizes import cases

pytestmark = pytest.mark.browser
FIRST, SECOND, THIRD, FOURTH, FIFTH = range(5, 10)  # goblins
SINGED = (rules.Defence("resistance", "fire"),)


def at(people: People, fight: Encounter) -> tuple[GmBoard, Hands]:
    board = GmBoard(people.gm())
    board.open(fight)
    return board, Hands(board.page)


def goblins() -> Encounter:
    """Five goblins of 30 hit points behind the heroes; the third resists fire."""
    fight = running_fight(goblin=5)
    for number in range(FIRST, FIFTH + 1):
        step(fight, "edit", rules.Edit(number, {"max_hp": 30, "hp": 30}))
    step(fight, "edit", rules.Edit(THIRD, {"defences": SINGED}))
    return fight


def test_22_fire_damage_to_five_of_whom_two_save_takes_5_clicks_and_3_keys(people: People) -> None:
    board, hands = at(people, goblins())
    hands.click("#order [data-all]")
    hands.press("t", "2", "2")
    hands.click("#blow .types label:has([value=fire])")
    hands.click(f"#saved-{FIRST}")
    hands.click(f"#saved-{THIRD}")
    board.step(partial(hands.click, "#strip .hurt"))
    for number, left in {FIRST: 19, SECOND: 8, THIRD: 25, FOURTH: 8, FIFTH: 8}.items():
        board.has_hp(number, f"{left}/30")
    expect(board.page.locator("#log li").first).to_contain_text("5 fire damage to Goblin 3 (of 22)")
    assert (hands.clicks, hands.keys) == (5, "t22")


def test_a_typed_type_needs_no_chip(people: People) -> None:
    board, hands = at(people, goblins())
    board.select(THIRD)
    board.step(partial(hands.press, "t", *"22fe", "Enter"))
    board.has_hp(THIRD, "19/30")
    assert (hands.clicks, hands.keys) == (0, "t22feE")


def test_after_a_chip_enter_still_sends(people: People) -> None:
    board, hands = at(people, goblins())
    board.select(THIRD)
    hands.press("t", "2", "2")
    hands.click("#blow .types label:has([value=fire])")
    expect(board.page.locator("#amount")).to_be_focused()
    board.step(partial(hands.press, "Enter"))
    board.has_hp(THIRD, "19/30")


def test_the_chips_come_with_the_field_and_go_with_it(people: People) -> None:
    board, hands = at(people, goblins())
    blow = board.page.locator("#blow")
    board.select(THIRD)
    expect(blow).to_be_hidden()
    hands.press("t")
    expect(blow).to_be_visible()
    hands.press("Tab", "Tab", "ArrowRight")
    expect(board.page.locator("#type-acid")).to_be_checked()
    expect(blow).to_be_visible()
    hands.press("Escape", "Escape")
    expect(blow).to_be_hidden()


def test_letters_are_no_keys_among_the_chips_and_are_again_after_the_hit(people: People) -> None:
    board, hands = at(people, goblins())
    board.select(THIRD)
    before = board.version
    hands.press("t", "2", "2", "Tab", "Tab", "ArrowRight", "n", "u", "h")
    board.page.wait_for_load_state("networkidle")
    assert board.version == before
    expect(board.page.locator("#type-acid")).to_be_focused()
    board.step(partial(hands.press, "Enter"))
    board.has_hp(THIRD, "8/30")
    expect(board.page.locator("#blow")).to_be_hidden()
    board.step(partial(hands.press, "n"))
    board.has_turn_of("Bran")


@pytest.mark.parametrize("number", [CLEO, FIFTH])
def test_what_belongs_to_a_hit_leaves_the_bar_free(number: int, people: People) -> None:
    board = opened(people, goblins(), "phone", language="fr")
    page = board.page
    open_strip(board, number)
    page.locator("#amount").tap()
    page.locator("#other > summary").tap()
    last = page.locator("#blow .hint")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    top, bottom = page.locator("#blow").evaluate(
        "(blow) => [blow.getBoundingClientRect().top, blow.getBoundingClientRect().bottom]"
    )
    assert bottom <= page.locator("#turn").evaluate("(turn) => turn.getBoundingClientRect().top")
    assert top >= 0


def test_what_was_chosen_was_for_that_hit_and_comes_back_when_it_is_refused(people: People) -> None:
    board, hands = at(people, goblins())
    page = board.page
    board.select(SECOND)
    hands.press("t", "2", "x")
    hands.click("#blow .types label:has([value=cold])")
    hands.click(f"#saved-{SECOND}")
    hands.press("Enter")
    expect(page.locator("#strip-refusal")).to_contain_text("No type of damage begins with “x”.")
    expect(page.locator("#type-cold")).to_be_checked()
    expect(page.locator(f"#saved-{SECOND} input")).to_be_checked()
    expect(page.locator("#amount")).to_have_value("2x")
    hands.press("Backspace", "0")
    board.step(partial(hands.press, "Enter"))
    board.has_hp(SECOND, "20/30")
    expect(page.locator("#type-none")).to_be_checked()
    expect(page.locator(f"#saved-{SECOND} input")).not_to_be_checked()


def test_another_window_changes_nothing_of_what_is_being_chosen(people: People) -> None:
    fight = goblins()
    board, hands = at(people, fight)
    hands.click("#order [data-all]")
    hands.press("t", "2", "2")
    hands.click("#blow .types label:has([value=cold])")
    hands.click(f"#saved-{FOURTH}")
    version = board.version
    step(fight, "damage", rules.Damage(ARIA, 1))
    board.is_at(version + 1)
    expect(board.page.locator("#type-cold")).to_be_checked()
    expect(board.page.locator(f"#saved-{FOURTH} input")).to_be_checked()
    expect(board.page.locator("#amount")).to_have_value("22")
    expect(board.page.locator("#blow")).to_be_visible()
    board.step(partial(hands.press, "Enter"))
    board.has_hp(FOURTH, "19/30")
    board.has_hp(FIFTH, "8/30")


def test_marks_of_saves_follow_who_is_selected(people: People) -> None:
    board, hands = at(people, goblins())
    marks = board.page.locator("#saved label")
    board.select(BRAN)
    expect(marks).to_have_text([" Bran"])
    hands.click("#order [data-all]")
    expect(marks).to_have_text([f" Goblin {n}" for n in range(1, 6)])
    board.row(SECOND).locator(".name").click(modifiers=["Control"])
    expect(marks).to_have_text([f" Goblin {n}" for n in (1, 3, 4, 5)])


def test_a_conditional_defence_is_offered_where_somebody_selected_has_one(people: People) -> None:
    fight = goblins()
    hide = (rules.Defence("immunity", "slashing", "nonmagical_not_silvered"),)
    step(fight, "edit", rules.Edit(SECOND, {"defences": hide}))
    board, hands = at(people, fight)
    offered = board.page.locator("#blow label:has([name=also]):visible")
    board.select(FIRST)
    hands.press("t", "9")
    hands.click("#other summary")
    expect(offered).to_have_count(0)
    board.page.keyboard.press("Escape")
    board.row(SECOND).locator(".name").click(modifiers=["Control"])
    board.page.locator("#amount").focus()
    expect(offered).to_have_text([" nonmagical attacks, not silvered"])
    hands.click(offered)
    hands.click("#blow .types label:has([value=slashing])")
    board.step(partial(hands.press, "Enter"))
    board.has_hp(FIRST, "21/30")
    board.has_hp(SECOND, "30/30")


# RW-S18: what is left over kills; 0 is shown, and one line says what came of it
def test_a_hero_falls_dies_and_is_revived_in_sight(people: People) -> None:
    board, hands = at(people, running_fight())
    row, log = board.row(CLEO), board.page.locator("#log li").first
    board.select(CLEO)
    board.press("t", "1", "8", "Enter")
    board.has_hp(CLEO, "0/18")
    expect(row.locator(".mark.bad")).to_have_text("dying")
    expect(row.get_by_role("img", name="Death saves: 0 made, 0 failed")).to_be_visible()
    board.press("t", "3", "Enter")
    expect(row.get_by_role("img", name="Death saves: 0 made, 1 failed")).to_be_visible()
    board.press("t", "1", "8", "Enter")
    expect(row.locator(".mark.bad")).to_have_text("dead")
    expect(row.locator(".pips")).to_have_count(0)
    expect(log).to_have_text("18 damage to Cleo · Cleo dead")

    hands.press("l", "5", "Enter")  # RW-S20: the dead are pointed to Revive
    expect(board.page.locator("#strip-refusal")).to_contain_text("Revive")
    board.page.locator("#other summary").click()
    board.step(partial(hands.click, "#revive"))
    board.has_hp(CLEO, "5/18")


def test_the_dying_are_stabilised_and_a_spared_creature_is_knocked_out(people: People) -> None:
    board, hands = at(people, running_fight(goblin=1))
    board.select(DAIN)
    board.press("t", *"27", "Enter")
    hands.press("t")
    hands.click("#other summary")
    board.step(partial(hands.click, "#stabilise"))
    expect(board.row(DAIN).locator(".mark.bad")).to_have_text("stable")
    board.select(FIRST)
    hands.press("t", "9")
    hands.click("label:has(#knock-out)")
    board.step(partial(hands.press, "Enter"))
    expect(board.row(FIRST).locator(".mark.bad")).to_have_text("knocked out")


def test_a_critical_hit_rolls_twice_the_dice(people: People, dice: Dice) -> None:
    board, hands = at(people, running_fight())
    board.select(OGRE)
    hands.press("t", *"2d6")
    hands.click("#other summary")
    hands.click("label:has(#critical)")
    dice.will_fall(6, 5, 4, 3)
    board.step(partial(hands.press, "Enter"))
    board.has_hp(OGRE, "41/59")


@pytest.mark.parametrize("size", cases("laptop", "phone", full=["tablet"]))
def test_nothing_jumps_when_a_hit_is_described(people: People, size: str) -> None:
    board = opened(people, goblins(), size)
    open_strip(board, SECOND)
    page = board.page
    page.locator("#amount").click()
    page.keyboard.type("22")
    page.locator("#blow .types label:has([value=fire])").click()
    page.locator(f"#saved-{SECOND}").click()
    assert jumps(board.page) == []
    board.step(lambda: page.keyboard.press("Enter"))
    assert jumps(board.page) == []


@pytest.mark.parametrize(
    ("size", "number"),
    cases(("laptop", 34), ("phone", ARIA), full=[("laptop", ARIA), ("phone", 34)]),
)
def test_the_chips_lie_within_the_window(people: People, size: str, number: int) -> None:
    board = opened(people, running_fight(goblin=30), size)
    board.row(number).locator(".name").click()
    board.page.locator("#amount").click()
    box = board.page.locator("#blow").bounding_box()
    bar = board.page.locator(".bar").bounding_box()
    assert box
    assert bar
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= SCREENS[size]["width"]
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= bar["y"]


def test_hits_have_types_and_saves_without_scripts(people: People) -> None:
    page = people.gm(java_script_enabled=False)
    page.goto(f"/e/{goblins().uuid}/?selected={THIRD}")
    page.locator("#amount").fill("22")
    page.locator("#blow .types label:has([value=fire])").click()
    page.locator(f"#saved-{THIRD}").click()
    with page.expect_navigation():
        page.locator("#strip .hurt").click()
    expect(page.locator(f"#c{THIRD} .hp")).to_have_text("25/30")


def test_200_can_be_marked(people: People) -> None:
    board, hands = at(people, running_fight(campaign_with_heroes(), goblin=196))
    hands.click("#order [data-all]")
    hands.press("t", "5")
    expect(board.page.locator("#saved label")).to_have_count(196)
    hands.click("#saved-200")
    board.step(partial(hands.press, "Enter"))
    board.has_hp(200, "5/7")
    board.has_hp(199, "2/7")
