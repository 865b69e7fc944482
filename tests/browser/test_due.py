"""What is due is settled by one tap, under thumb, key and mouse alike; a turn's time runs down."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

import rules
from encounters.models import Encounter, PlayerLink
from tests.browser.acting import Dice, GmBoard, Hands, comes
from tests.browser.barriers import has_no_barrier
from tests.browser.conftest import People
from tests.browser.jumping import WATCH_JUMPS, jumps
from tests.encounters.owing import (
    BRAN,
    BURNING,
    DRAGON,
    FRIGHTENED,
    LIA,
    MENDING,
    go_on,
    lair_fight,
    put,
)
from tests.encounters.playing import fight_in, take

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
}  # fmt: skip


def at(people: People, encounter: Encounter, **options: Any) -> tuple[GmBoard, Hands]:
    page = people.gm(script=WATCH_JUMPS, **options)
    board = GmBoard(page)
    board.open(encounter)
    return board, Hands(page)


def tap(board: GmBoard, hands: Hands, what: str, answer: str) -> None:
    """One click on an answer to what is due."""
    row = board.page.locator(".due", has_text=what).first
    board.step(lambda: hands.click(row.get_by_role("button", name=answer, exact=True)))


def much_due() -> Encounter:
    """Lia dies on her turn; Bran keeps Bless, burns and mends; the dragon may breathe again."""
    encounter = lair_fight()
    take(encounter, rules.Damage(LIA, 16))
    put(encounter, rules.Effect("concentration", text="Bless"), BRAN)
    put(encounter, BURNING, BRAN)
    put(encounter, MENDING, BRAN)
    put(encounter, FRIGHTENED, 3, 4, 5)
    take(encounter, rules.Damage(BRAN, 12))
    go_on(encounter, 3)
    return encounter


def test_everything_due_takes_one_tap(people: People, dice: Dice) -> None:
    encounter = much_due()
    board, hands = at(people, encounter)
    expect(board.page.locator(".due-count")).to_have_text("6 due")
    tap(board, hands, "Death save", "9 or less: a failure")
    assert fight_in(encounter).combatant(LIA).death_failures == 1
    tap(board, hands, "Concentration on Bless", "Failed")
    dice.will_fall(1, 2)
    tap(board, hands, "fire damage", "Roll 2d4")
    board.has_hp(BRAN, "15/30")
    tap(board, hands, "hit points regained", "Apply")
    board.has_hp(BRAN, "20/30")
    dice.will_fall(5)
    tap(board, hands, "Fire Breath", "Roll d6")
    dice.will_fall(20, 3, 16)
    tap(board, hands, "Goblin ×3", "Roll d20−1")
    expect(board.page.locator("#fallen b")).to_have_text("2/3")
    expect(board.page.locator("#dues .none")).to_be_visible()
    assert (hands.clicks, hands.keys) == (6, "")


def test_what_is_due_is_reached_and_settled_by_keys_and_then_they_go_on_with_the_turn(
    people: People,
) -> None:
    encounter = lair_fight()
    put(encounter, rules.Effect("concentration", text="Bless"), BRAN)
    for _ in range(2):
        take(encounter, rules.Damage(BRAN, 3))
    board, hands = at(people, encounter)
    hands.press("s")
    for due in ("1 due", None):
        board.step(lambda: hands.press("Enter"))
        if due:
            expect(board.page.locator(".due-count")).to_have_text(due)
            expect(board.page.locator(".due .button").first).to_be_focused()
    expect(board.page.locator("#next button")).to_be_focused()
    board.step(lambda: hands.press("Enter"))
    board.has_turn_of("Dragon")
    hands.press("s")
    expect(board.page.get_by_role("button", name="Roll d6")).to_be_focused()
    hands.press("Tab")
    board.step(lambda: hands.press("Enter"))
    assert fight_in(encounter).combatant(DRAGON).uses[2].left == 1
    board.press("n")


def test_a_typed_number_stands_in_place_of_the_dice_and_what_is_settled_stays_settled(
    people: People,
) -> None:
    encounter = lair_fight()
    put(encounter, BURNING, BRAN)
    put(encounter, FRIGHTENED, 3, 4, 5)
    go_on(encounter, 3)

    def goblins_owe() -> int:
        goblins = [c for c in fight_in(encounter).combatants if c.name == "Goblin"]
        return sum(bool(goblin.dues) for goblin in goblins)

    board, _hands = at(people, encounter)
    board.page.locator(".due .points").fill("4")
    board.press("Enter")
    board.has_hp(BRAN, "26/30")
    first = board.page.locator(".due.each").first
    before = board.version
    first.get_by_role("button", name="Failed").dblclick()  # which does not settle the next
    board.is_at(before + 1)
    board.page.wait_for_load_state("networkidle")
    assert goblins_owe() == 2
    first.locator("[name=due]").evaluate("(field) => { field.value += 'x'; }")
    first.get_by_role("button", name="Made").click()  # as if another window had settled it
    expect(first.locator(".refusal")).to_have_text("This is no longer due.")
    assert goblins_owe() == 2


def test_nothing_jumps_while_things_fall_due_and_are_settled_and_space_selects_as_ever(
    people: People,
) -> None:
    encounter = lair_fight()
    put(encounter, rules.Effect("concentration", text="Bless"), BRAN)
    board, hands = at(people, encounter)
    nothing_jumps(board, encounter, BRAN, lambda: tap(board, hands, "on Bless", "Made"))
    hands.press(" ")
    board.has_selected(BRAN)
    legend = board.page.locator(f"#legend-{DRAGON}")
    expect(legend).to_contain_text("3 of 3 legendary actions")


def test_a_legendary_action_takes_one_tap_and_counts_down(people: People) -> None:
    encounter = lair_fight()
    board, hands = at(people, encounter)
    legend = board.page.locator(f"#legend-{DRAGON}")
    board.step(lambda: hands.click(legend.get_by_role("button", name="Take one that costs 2")))
    expect(legend).to_contain_text("1 of 3 legendary actions")
    expect(legend.get_by_role("button").first).to_be_disabled()
    board.press("n")
    line = board.page.locator("#counted .count-of", has_text="Fire Breath")
    board.step(lambda: hands.click(line.get_by_role("button", name="Fire Breath: one more")))
    expect(line).to_contain_text("ready")
    expect(board.page.locator("#dues .none")).to_be_visible()
    assert hands.clicks == 2


def nothing_jumps(
    board: GmBoard, encounter: Encounter, number: int, settle: Callable[[], None]
) -> None:
    """Not when a concentration falls due by a hit, nor when that is settled."""
    comes(board.page.locator("#connection[data-state=live]"))
    board.page.evaluate("document.fonts.ready")
    jumps(board.page)
    before = board.version
    take(encounter, rules.Damage(number, 3))
    board.is_at(before + 1)
    assert jumps(board.page) == []
    settle()
    assert jumps(board.page) == []


def test_a_thumb_finds_every_answer_and_nothing_jumps_under_it(people: People) -> None:
    encounter = much_due()
    board, hands = at(people, encounter, **PHONE)
    expect(board.page.locator(".due-count")).to_be_visible()
    board.page.locator("#turn > summary").tap()
    parts = "#dues .answers :is(button:not([tabindex]), input), #add-use summary"
    for part in board.page.locator(parts).all():
        width, height = part.evaluate("(part) => [part.offsetWidth, part.offsetHeight]")
        assert height >= 44, part.evaluate("(part) => part.outerHTML")
        assert width >= 44, part.evaluate("(part) => part.outerHTML")
    tap(board, hands, "Death save", "9 or less: a failure")
    nothing_jumps(board, encounter, BRAN, lambda: tap(board, hands, "on Bless", "Made"))
    board.press("n")
    assert jumps(board.page) == []


def test_nothing_bars_the_way_to_what_is_due(people: People) -> None:
    encounter = much_due()
    take(encounter, rules.AddUse(LIA, "Rage", 3))  # it is her turn: hers are on the board
    board, _hands = at(people, encounter)
    board.page.locator("#add-use summary").click()
    for part in ("#dues .due", "#counted .count-of", f"#legend-{DRAGON}"):
        expect(board.page.locator(part).first).to_be_visible()
    has_no_barrier(board.page)


def test_a_turns_time_runs_down_and_is_over_without_alarm(people: People) -> None:
    encounter = lair_fight(turn_seconds=3)
    link = PlayerLink.objects.create(campaign=encounter.campaign)
    gm, player = people.gm(), people.player()
    gm.clock.install()
    for page, address in ((gm, f"/e/{encounter.uuid}/"), (player, f"/j/{link.token}?lang=en")):
        page.goto(address)
        timer = page.locator(".timer")
        expect(timer).to_have_text(re.compile(r"0:0[0-3]|time is up"))
        if page is gm:
            page.clock.fast_forward(4_000)
        expect(timer).to_have_text("time is up")
