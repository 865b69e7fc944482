"""Every page as axe sees it, light and dark; and what a screen reader is told."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.access import new_entry_path
from encounters.models import Campaign, Encounter, PlayerLink
from tests.browser.acting import GmBoard, comes
from tests.browser.barriers import Scheme, has_no_barrier, unfold
from tests.browser.conftest import People
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    DAIN,
    OGRE,
    campaign_with_heroes,
    ended_fight,
    opened_fight,
    player_path,
    prepared_fight,
    running_fight,
    step,
)
from tests.sizes import cases

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}
LIGHT_INK = "rgb(236, 234, 228)"  # of the dark scheme


# The GM's pages


def busy_fight(campaign: Campaign) -> Encounter:
    """A running fight in which every mark is seen: hurt, down, tied, surprised, hidden, out."""
    fight = opened_fight(campaign, goblin=3, ogre=1)
    ogre = OGRE + 3
    step(fight, "hide", rules.Hide({OGRE: 14, ogre: 18}))
    totals = {ARIA: 21, BRAN: 13, OGRE: 13, CLEO: 9, DAIN: 5, ogre: 4}
    step(fight, "start-fight", rules.StartFight(totals=totals, accept_empty=True))
    for number, amount in {ARIA: 3, BRAN: 12, CLEO: 18, OGRE: 7}.items():
        step(fight, "damage", rules.Damage(number, amount))
    step(fight, "give-temporary", rules.GiveTemporary(DAIN, 5))
    step(fight, "set-out", rules.SetOut(DAIN, True))
    step(fight, "next-turn", rules.NextTurn())
    step(fight, "next-turn", rules.NextTurn())
    step(fight, "set-reaction", rules.SetReaction(BRAN, False))
    return fight


BOARDS: dict[str, Callable[[Campaign], Encounter]] = dict(
    cases(
        ("busy", busy_fight),
        ("ended", ended_fight),
        ("preparing", prepared_fight),
        full=[("rolling", opened_fight), ("running", running_fight)],
    )
)
LIGHT: Scheme = "light"
DARK: Scheme = "dark"


# RW-S42: contrast is sufficient in light and dark
@pytest.mark.parametrize("selected", cases(f"?selected={CLEO}", full=[""]))
def test_no_state_of_the_board_has_a_barrier(people: People, selected: str) -> None:
    laptop, phone = GmBoard(people.gm()), GmBoard(people.gm(**PHONE))
    for begin in BOARDS.values():
        fight = begin(campaign_with_heroes())
        usual, other = [(laptop, LIGHT), (phone, DARK)], [(laptop, DARK), (phone, LIGHT)]
        for board, scheme in cases(*usual, full=other):
            board.page.goto(f"/e/{fight.uuid}/{selected}")
            board.is_ready()
            has_no_barrier(board.page, scheme)


def test_what_opens_on_the_board_and_a_refusal_have_no_barrier(people: People) -> None:
    board = GmBoard(people.gm())
    board.open(busy_fight(campaign_with_heroes()))
    board.page.locator("#order [data-all]").first.click()
    board.page.locator("#order [data-fold-group]").click()
    for key in ("t", "x", "Enter"):
        board.page.keyboard.press(key)
    expect(board.page.locator("#strip-refusal")).not_to_be_empty()
    board.page.keyboard.press("Escape")  # away from the field, and what lies under it is free
    for part in ("conditions", "place", "naming", "actions", "add-more", "share"):
        board.page.locator(f"#{part} summary").first.click()
    expect(board.page.locator("#strip-refusal")).to_be_visible()
    expect(board.page.locator("#share .links")).to_be_visible()  # which come when it opens
    has_no_barrier(board.page, within="#strip, #add, #add-more, #actions, #share, #order .folded")
    board.page.locator("#share summary").click()
    board.page.locator("#add-text").fill("gob")
    expect(board.page.locator("#suggestions button").first).to_be_visible()
    has_no_barrier(board.page, within="#add")
    board.page.locator("#keys-button").click()
    has_no_barrier(board.page, within="#keys")


GM_PAGES = cases(
    "/",
    "/about/",
    "/c/{campaign}/",
    "/c/{campaign}/settings/?saved=1",
    "/c/{campaign}/links/{link}/card/",
    "/e/{fight}/rename/",
    "/e/{fight}/settings/",
    "/e/{fight}/combatant/5/",
    "/e/{fight}/log/",
    "/e/{fight}/at/3/",
    "/e/{over}/summary/",
    full=["/e/{fight}/combatant/2/"],
)


@pytest.mark.parametrize("language", cases("en", full=["fr"]))
def test_the_gms_other_pages_have_no_barrier(people: People, language: str) -> None:
    page = people.gm(language)
    has_none_in_either_scheme(page, "/")  # before there is anything
    campaign = campaign_with_heroes()
    fight, over = busy_fight(campaign), busy_fight(campaign)
    otherwise = {"edition": "2024", "tie_rule": "dexterity"}
    step(fight, "change-settings", rules.ChangeSettings(otherwise))
    step(over, "end-fight", rules.EndFight())
    [link, _] = [PlayerLink.objects.create(campaign=campaign, name=n) for n in ("Table", "Mina")]
    of = {"campaign": campaign.uuid, "link": link.pk, "fight": fight.uuid, "over": over.uuid}
    for address in GM_PAGES:
        has_none_in_either_scheme(page, address.format(**of))


def has_none_in_either_scheme(page: Page, address: str, status: int = 200) -> None:
    """The page, with all that is folded in it open; and it is dark where darkness is asked for."""
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == status, address
    unfold(page)
    has_no_barrier(page, LIGHT, DARK)
    assert page.evaluate("getComputedStyle(document.body).color") == LIGHT_INK, address


# Players and strangers


# RW-S42: the same for the players' page
def test_the_players_page_has_no_barrier(people: People) -> None:
    page = people.player()
    for state in cases("", "busy", "ended", full=["preparing", "rolling", "running"]):
        campaign = campaign_with_heroes(monsters_hidden=False)
        if state:
            BOARDS[state](campaign)
        has_none_in_either_scheme(page, f"{player_path(campaign)}?{state}")


@pytest.mark.parametrize("language", cases("fr", full=["en"]))
def test_the_ways_in_have_no_barrier(people: People, language: str) -> None:
    page = people.stranger(language)
    for address, status in ("/entry/", 200), (new_entry_path(), 200), ("/j/nothing", 404):
        has_none_in_either_scheme(page, address, status)


def test_the_measure_of_barriers_sees_one_and_one_that_is_there_in_the_dark_alone(
    people: People,
) -> None:
    page = people.gm()
    page.goto("/about/")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    page.locator("main p").first.evaluate(
        """(part) => {
            part.style.background = "light-dark(white, black)";
            part.style.color = "#333";
        }"""
    )
    with pytest.raises(AssertionError) as told:
        has_no_barrier(page)
    faults = re.findall(r"(?m)^http\S+ in (\w+: [a-z-]+)", str(told.value))
    assert faults == ["light: button-name", "dark: color-contrast"]


# What is told


TOLD = """
    window.told = [];
    document.addEventListener("DOMContentLoaded", () => {
        const note = (changes) => {
            for (const { target } of changes) {
                const part = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
                const region = part?.closest("[aria-live], [role=status], [role=alert]");
                if (region?.textContent.trim()) told.push(region.textContent.trim());
            }
        };
        const all = { subtree: true, childList: true, characterData: true };
        new MutationObserver(note).observe(document.body, all);
    });
"""


@pytest.fixture
def gm(people: People) -> GmBoard:
    board = GmBoard(people.gm(script=TOLD))
    board.open(running_fight())
    comes(board.page.locator("#connection[data-state=live]"))
    board.page.evaluate("told.splice(0)")
    return board


# RW-S42: the turn is told once, with round and name
def test_the_turn_is_told_once_and_a_round_as_it_begins(gm: GmBoard) -> None:
    gm.press("n")
    assert gm.page.evaluate("told.splice(0)") == ["Turn: Bran"]
    for _ in range(3):
        step(Encounter.objects.get(), "next-turn", rules.NextTurn())
    gm.has_turn_of("Dain")
    gm.press("n")
    assert gm.page.evaluate("told.splice(0)")[-1] == "Round 2 · Turn: Aria"


def test_a_selected_row_is_told_by_name(gm: GmBoard) -> None:
    gm.page.keyboard.press("j")
    gm.page.keyboard.press("j")
    expect(gm.page.locator("#picked")).to_have_text("Bran")
    assert gm.page.evaluate("told.splice(0)") == ["Aria", "Bran"]
    gm.row(CLEO).click(modifiers=["Control"], position={"x": 80, "y": 4})
    assert gm.page.evaluate("told.splice(0)") == ["2 selected"]


def test_the_focus_stays_on_next_and_goes_to_the_verb_that_takes_the_place_of_the_one_pressed(
    gm: GmBoard,
) -> None:
    # RW-S42: after Next the focus is still on Next
    button = gm.page.locator("#next button")
    button.focus()
    for who in ("Bran", "Ogre"):
        gm.press("Enter")
        gm.has_turn_of(who)
        expect(button).to_be_focused()
    gm.select(OGRE)
    gm.page.locator("#hide").focus()
    gm.press("Enter")
    expect(gm.page.locator("#show")).to_be_focused()
    gm.press("Enter")
    expect(gm.page.locator("#hide")).to_be_focused()


def test_everything_can_be_done_without_a_mouse(gm: GmBoard) -> None:
    """Whatever can be pressed on the board can be reached by Tab, and shows that it is.

    What belongs to a hit comes into sight with the field of hit points, and is not counted.
    """
    gm.select(OGRE)
    gm.page.locator("body").press("Escape")
    wanted = gm.page.locator("main :is(a, button, input, select, summary):visible").count()
    gm.page.evaluate("document.activeElement.blur()")
    seen = set()
    for _ in range(wanted + 30):
        gm.page.keyboard.press("Tab")
        place = gm.page.evaluate(
            """() => {
                const part = document.activeElement;
                const style = getComputedStyle(part);
                const parts = "main :is(a, button, input, select, summary):not(#blow *)";
                const all = document.querySelectorAll(parts);
                return [[...all].indexOf(part), style.outlineStyle !== "none"];
            }"""
        )
        if place[0] in seen:
            break  # once round
        if place[0] >= 0:
            assert place[1], "the focus is not seen"
            seen.add(place[0])
    reachable = gm.page.locator(
        "main :is(a, button:not(:disabled, [tabindex='-1']), input:not([type=hidden]), select,"
        " summary):visible"
    ).count()
    assert len(seen) == reachable
