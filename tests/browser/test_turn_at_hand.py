"""With many rows and much that is due: whose turn it is stays in sight, and what is due too."""

import pytest
from playwright.sync_api import expect

import rules
from encounters.models import Encounter
from tests.browser.acting import GmBoard, comes
from tests.browser.conftest import People
from tests.encounters.owing import go_on, put
from tests.encounters.playing import take
from tests.factories import EncounterFactory, fight_of, hero

pytestmark = pytest.mark.browser


def crowd() -> Encounter:
    """Twenty-two, one after the other; the nineteenth has the turn, and six may lose a spell."""
    party = [hero(f"Lia {number}", max_hp=30, saves={}) for number in range(1, 23)]
    encounter: Encounter = EncounterFactory.create(fight=fight_of(*party))
    take(encounter, rules.StartFight(totals={number: 30 - number for number in range(1, 23)}))
    go_on(encounter, 18)
    put(encounter, rules.Effect("concentration", text="Bless"), *range(1, 7))
    for number in range(1, 7):
        take(encounter, rules.Damage(number, 3))
    return encounter


def at_crowd(people: People, encounter: Encounter) -> GmBoard:
    board = GmBoard(people.gm())
    board.open(encounter)
    comes(board.page.locator("#connection[data-state=live]"))
    return board


def in_sight(board: GmBoard) -> bool:
    """Whether the row of the turn is."""
    seen: bool = board.page.evaluate("""() => {
        const { top, bottom } = document.querySelector(".row.acting").getBoundingClientRect();
        return top >= 0 && bottom <= document.querySelector(".bar").getBoundingClientRect().top;
    }""")
    return seen


def test_the_row_of_a_new_turn_is_brought_in_sight_but_whoever_has_scrolled_is_left_alone(
    people: People,
) -> None:
    encounter = crowd()
    board = at_crowd(people, encounter)

    def in_another_window(command: rules.Command) -> None:
        before = board.version
        take(encounter, command)
        board.is_at(before + 1)

    assert in_sight(board)
    in_another_window(rules.NextTurn())
    assert in_sight(board)
    board.page.evaluate("scrollTo(0, 0)")
    in_another_window(rules.Heal(1, 1))
    in_another_window(rules.NextTurn())
    assert not in_sight(board)
    assert board.page.evaluate("scrollY") == 0
    board.press("n")
    board.has_turn_of("Lia 22")
    assert in_sight(board)


def test_a_new_turn_opens_at_its_top_and_what_is_due_does_not_scroll_away(people: People) -> None:
    board = at_crowd(people, crowd())
    due = board.page.locator("#dues .due").first
    turn = board.page.locator("#turn")
    for part in (turn, board.page.locator("#dues")):
        part.evaluate("(part) => part.scrollTo(0, 40)")
        assert part.evaluate("(part) => part.scrollTop") > 0
    turn.evaluate("(part) => part.scrollTo(0, 9_999)")
    expect(board.page.locator("#add-use summary")).to_be_in_viewport()
    expect(board.page.locator("#dues")).to_be_in_viewport(ratio=1)
    board.press("n")
    assert turn.evaluate("(part) => part.scrollTop") == 0
    expect(due).to_be_in_viewport(ratio=1)
    board.page.keyboard.press("s")
    expect(due.get_by_role("button").first).to_be_focused()
