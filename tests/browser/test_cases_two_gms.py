"""Next pressed by every hand at once, and one Ogre in two browsers."""

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters.models import Encounter, Step
from tests.browser.acting import GmBoard, comes
from tests.browser.conftest import People
from tests.browser.tables import OGRE, running_fight, step

pytestmark = pytest.mark.browser


def opened(people: People, fight: Encounter) -> GmBoard:
    board = GmBoard(people.gm())
    board.open(fight)
    comes(board.page.locator("#connection[data-state=live]"))
    return board


def turns_taken() -> int:
    return Step.objects.filter(command="next-turn").count()


# RW-S28
def test_each_press_on_purpose_advances_one_turn_and_nothing_sent_twice_does(
    people: People,
) -> None:
    gm = opened(people, running_fight())
    before = gm.version
    # Enter and a click in the same moment advance one turn, by one step
    gm.page.locator("#next button").evaluate(
        """(button) => {
            button.focus();
            button.form.requestSubmit(button);
            const click = { bubbles: true, cancelable: true, detail: 1 };
            button.dispatchEvent(new MouseEvent("click", click));
        }"""
    )
    gm.has_turn_of("Bran")
    gm.select(OGRE)
    gm.press("h")  # a step behind which no second press can still be on its way
    gm.has_turn_of("Bran")
    assert gm.version == before + 2
    assert turns_taken() == 1
    # two presses on purpose, the second after seeing the new turn, advance two
    gm.click("#next button")
    gm.has_turn_of("Ogre")
    with gm.page.expect_request("**/next-turn/") as sent:
        gm.click("#next button")
    gm.has_turn_of("Cleo")
    # the request sent again by the browser or a proxy has no second effect, and is answered
    again = gm.page.request.post(
        sent.value.url, data=sent.value.post_data_buffer, headers=sent.value.all_headers()
    )
    assert again.status == 200
    assert '<h2 id="now">Cleo</h2>' in again.text()
    assert turns_taken() == 3


def edit_page(people: People, fight: Encounter) -> Page:
    """All the Ogre's facts, as they are now."""
    page = people.gm()
    page.goto(f"/e/{fight.uuid}/combatant/{OGRE}/")
    expect(page.locator("#id_hp")).to_have_value("30")
    return page


def save(page: Page) -> None:
    page.locator("main form.facts button.primary").click()
    page.wait_for_load_state()


def ogre() -> tuple[str, int | None]:
    row = Encounter.objects.get().combatants.get(number=OGRE)
    return row.name, row.hp


# RW-S29: 30 - 5 - 7 = 18 is what a late name and a late set to 29 leave
def test_two_gms_hurt_rename_and_correct_one_ogre(people: People) -> None:
    fight = running_fight()
    step(fight, "damage", rules.Damage(OGRE, 29))
    renaming, correcting = edit_page(people, fight), edit_page(people, fight)
    second = GmBoard(people.gm())
    second.page.route("**/live", lambda route: route.abort())  # it goes on showing 30
    people.expected.append("net::ERR_FAILED")
    second.open(fight)
    step(fight, "damage", rules.Damage(OGRE, 5))  # in the first one's window
    second.select(OGRE)
    second.has_hp(OGRE, "30/59")
    for key in ("t", "7", "Enter"):
        second.page.keyboard.press(key)
    second.has_hp(OGRE, "18/59")
    amounts = [
        event["amount"] for one in Step.objects.all() for event in one.events if "amount" in event
    ]
    assert amounts[-2:] == [5, 7]

    renaming.locator("#id_name").fill("Grak")
    save(renaming)  # stopped, and shown what has happened since
    assert ogre() == ("Ogre", 18)
    expect(renaming.locator("#id_name")).to_have_value("Grak")
    save(renaming)
    assert ogre() == ("Grak", 18)

    correcting.locator("#id_hp").fill("29")
    save(correcting)
    expect(correcting.locator("#id_hp")).to_have_value("18")
    expect(correcting.locator("main [role=alert]").first).to_contain_text("Not applied")
    assert ogre() == ("Grak", 18)
