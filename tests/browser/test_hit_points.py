"""Hit points on the board: a hit of a type on many, those who save, death saves in sight."""

from functools import partial

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.models import Encounter, Step
from tests.browser.acting import Dice, GmBoard, Hands
from tests.browser.conftest import People
from tests.browser.jumping import jumps
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    OGRE,
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


def test_the_selected_are_marked_who_save_and_22_fire_damage_takes_5_clicks_and_3_keys(
    people: People,
) -> None:
    board, hands = at(people, goblins())
    marks = board.page.locator("#saved label")
    dealer = board.page.locator("#dealt-by option:checked")
    board.select(BRAN)
    expect(marks).to_have_text([" Bran"])
    expect(dealer).to_have_text("–")  # Aria has not hit her friend
    hands.click("#order [data-all]")
    expect(marks).to_have_text([f" Goblin {n}" for n in range(1, 6)])
    hands.press("t", "2", "2")
    hands.click("#blow .types label:has([value=fire])")
    hands.click(f"#saved-{FIRST}")
    hands.click(f"#saved-{THIRD}")
    expect(dealer).to_have_text("Aria")
    expect(board.page.locator("#dealt-by")).to_be_visible()
    board.step(partial(hands.click, "#strip .hurt"))
    for number, left in {FIRST: 19, SECOND: 8, THIRD: 25, FOURTH: 8, FIFTH: 8}.items():
        board.has_hp(number, f"{left}/30")
    expect(board.page.locator("#log li").first).to_contain_text("5 fire damage to Goblin 3 (of 22)")
    assert (hands.clicks, hands.keys) == (5, "t22")
    told = [event for event in Step.objects.latest("version").events if event["code"] == "damaged"]
    assert {one["name"] for event in told for one in event["by"]} == {"Aria"}
    board.row(SECOND).locator(".name").click(modifiers=["Control"])
    expect(marks).to_have_text([f" Goblin {n}" for n in (1, 3, 4, 5)])


def test_a_type_is_chosen_by_arrows_or_typed_and_letters_are_keys_again_after_the_hit(
    people: People,
) -> None:
    board, hands = at(people, goblins())
    blow = board.page.locator("#blow")
    board.select(THIRD)
    before = board.version
    expect(blow).to_be_hidden()
    hands.press("t", "6")
    expect(blow).to_be_visible()
    hands.press("Tab", "Tab", "ArrowRight", "n", "u", "h")  # among the chips they are no keys
    board.page.wait_for_load_state("networkidle")
    assert board.version == before
    expect(blow).to_be_visible()
    expect(board.page.locator("#type-acid")).to_be_checked()
    expect(board.page.locator("#type-acid")).to_be_focused()
    board.step(partial(hands.press, "Enter"))
    board.has_hp(THIRD, "24/30")
    expect(blow).to_be_hidden()
    board.step(partial(hands.press, "n"))
    board.has_turn_of("Bran")

    hands.start_again()
    board.step(partial(hands.press, "t", *"22fe", "Enter"))
    board.has_hp(THIRD, "13/30")
    assert (hands.clicks, hands.keys) == (0, "t22feE")
    hands.press("t")
    expect(blow).to_be_visible()
    hands.press("Escape", "Escape")
    expect(blow).to_be_hidden()


def test_what_was_chosen_for_a_hit_survives_a_refusal_and_another_window_and_no_more(
    people: People,
) -> None:
    fight = goblins()
    board, hands = at(people, fight)
    page = board.page

    def is_chosen(amount: str) -> None:
        expect(page.locator("#type-cold")).to_be_checked()
        expect(page.locator(f"#saved-{SECOND} input")).to_be_checked()
        expect(page.locator("#amount")).to_have_value(amount)
        expect(page.locator("#blow")).to_be_visible()

    board.select(SECOND)
    hands.press("t", "2", "x")
    hands.click("#blow .types label:has([value=cold])")
    expect(page.locator("#amount")).to_be_focused()  # where Enter still sends
    hands.click(f"#saved-{SECOND}")
    hands.press("Enter")
    expect(page.locator("#strip-refusal")).to_contain_text("No type of damage begins with “x”.")
    is_chosen("2x")
    hands.press("Backspace", "0")
    version = board.version
    step(fight, "damage", rules.Damage(ARIA, 1))
    board.is_at(version + 1)
    is_chosen("20")
    board.step(partial(hands.press, "Enter"))
    board.has_hp(SECOND, "20/30")
    expect(page.locator("#type-none")).to_be_checked()
    expect(page.locator(f"#saved-{SECOND} input")).not_to_be_checked()


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
def test_a_hero_falls_is_stabilised_dies_and_is_revived_in_sight(people: People) -> None:
    board, hands = at(people, running_fight())
    row, log = board.row(CLEO), board.page.locator("#log li").first
    board.select(CLEO)
    board.press("t", "1", "8", "Enter")
    board.has_hp(CLEO, "0/18")
    expect(row.locator(".mark.bad")).to_have_text("dying")
    expect(row.get_by_role("img", name="Death saves: 0 made, 0 failed")).to_be_visible()
    board.press("t", "3", "Enter")
    expect(row.get_by_role("img", name="Death saves: 0 made, 1 failed")).to_be_visible()
    hands.press("t")
    hands.click("#other summary")
    board.step(partial(hands.click, "#stabilise"))
    expect(row.locator(".mark.bad")).to_have_text("stable")
    board.press("t", "1", "8", "Enter")
    expect(row.locator(".mark.bad")).to_have_text("dead")
    expect(row.locator(".pips")).to_have_count(0)
    expect(log).to_have_text("18 damage to Cleo · Cleo dead")

    hands.press("l", "5", "Enter")  # RW-S20: the dead are pointed to Revive
    expect(board.page.locator("#strip-refusal")).to_contain_text("Revive")
    board.step(partial(hands.click, "#revive"))
    board.has_hp(CLEO, "5/18")


def test_a_critical_hit_rolls_twice_the_dice_and_who_is_spared_is_knocked_out(
    people: People, dice: Dice
) -> None:
    board, hands = at(people, running_fight())
    board.select(OGRE)
    hands.press("t", *"2d6")
    hands.click("#other summary")
    hands.click("label:has(#critical)")
    dice.will_fall(6, 5, 4, 3)
    board.step(partial(hands.press, "Enter"))
    board.has_hp(OGRE, "41/59")
    hands.press("t", "4", "1")
    hands.click("label:has(#knock-out)")
    board.step(partial(hands.press, "Enter"))
    expect(board.row(OGRE).locator(".mark.bad")).to_have_text("knocked out")


@pytest.mark.parametrize(
    ("size", "number"),
    cases(("laptop", SECOND), ("phone", FIFTH), full=[("tablet", SECOND), ("phone", CLEO)]),
)
def test_nothing_jumps_when_a_hit_is_described_and_on_a_phone_the_bar_stays_free(
    people: People, size: str, number: int
) -> None:
    board = opened(people, goblins(), size, language="fr" if size == "phone" else "en")
    open_strip(board, number)
    page = board.page
    page.locator("#amount").click()
    page.keyboard.type("22")
    page.locator("#blow .types label:has([value=fire])").click()
    page.locator(f"#saved-{number}").click()
    assert jumps(board.page) == []
    board.step(lambda: page.keyboard.press("Enter"))
    assert jumps(board.page) == []
    if size == "phone":
        what_belongs_to_a_hit_leaves_the_bar_free(page)


def what_belongs_to_a_hit_leaves_the_bar_free(page: Page) -> None:
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


@pytest.mark.parametrize(
    ("size", "number", "goblins"),
    cases(
        ("laptop", 34, 30),
        full=[("laptop", 200, 196), ("laptop", ARIA, 30), ("phone", ARIA, 30), ("phone", 34, 30)],
    ),
)
def test_among_a_great_many_the_chips_lie_within_the_window_and_all_can_be_marked(
    people: People, size: str, number: int, goblins: int
) -> None:
    board = opened(people, running_fight(goblin=goblins), size)
    page, last = board.page, goblins + 4
    board.row(number).locator(".name").click()
    page.locator("#amount").click()
    box = page.locator("#blow").bounding_box()
    bar = page.locator(".bar").bounding_box()
    assert box
    assert bar
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= SCREENS[size]["width"]
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= bar["y"]

    page.keyboard.press("Escape")  # the chips of the first lie over what selects the group
    page.locator("#order [data-all]").click()
    page.locator("#amount").fill("5")
    expect(page.locator("#saved label")).to_have_count(goblins)
    page.locator(f"#saved-{last}").click()
    board.step(lambda: page.keyboard.press("Enter"))
    board.has_hp(last, "5/7")
    board.has_hp(last - 1, "2/7")


def test_hits_have_types_and_saves_without_scripts(people: People) -> None:
    page = people.gm(java_script_enabled=False)
    page.goto(f"/e/{goblins().uuid}/?selected={THIRD}")
    page.locator("#amount").fill("22")
    page.locator("#blow .types label:has([value=fire])").click()
    page.locator(f"#saved-{THIRD}").click()
    with page.expect_navigation():
        page.locator("#strip .hurt").click()
    expect(page.locator(f"#c{THIRD} .hp")).to_have_text("25/30")
