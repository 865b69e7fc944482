"""With scripts switched off: forms and links do everything."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import rules
from tests.browser.acting import GM_BOARD, Dice
from tests.browser.conftest import People
from tests.browser.tables import (
    ARIA,
    BRAN,
    CLEO,
    OGRE,
    campaign_with_heroes,
    opened_fight,
    player_path,
    running_fight,
    step,
)
from tests.sizes import cases

pytestmark = pytest.mark.browser
OFF: dict[str, Any] = {"java_script_enabled": False}


def press(page: Page, button: str) -> None:
    """Send the form of this button, and wait for the page that answers."""
    with page.expect_navigation():
        page.locator(button).click()


def hastened(route: Route) -> None:
    """The page, but that it looks again after a second instead of ten."""
    page = route.fetch()
    after, one = 'http-equiv="refresh" content="10"', 'http-equiv="refresh" content="1"'
    assert after in page.text()
    route.fulfill(response=page, body=page.text().replace(after, one))


def test_an_ambush_runs_and_the_phone_follows_by_itself(people: People, dice: Dice) -> None:
    campaign = campaign_with_heroes()
    page = people.gm(**OFF)
    page.goto(f"/c/{campaign.uuid}/")

    press(page, "form[action$='/encounters/'] button")
    expect(page).to_have_url(GM_BOARD)
    page.locator("#add-text").fill("ogre")
    press(page, "#add > button, #add .button")
    expect(page.locator(f"#c{OGRE} .hp")).to_have_text("59/59")
    press(page, "#open button")
    dice.will_fall(15)
    press(page, "#hide-foes button")
    expect(page.locator(".is-surprised")).to_have_count(3)
    page.locator(f"#surprise-{CLEO}").select_option("not-surprised")
    press(page, f"#override-{CLEO} button")
    expect(page.locator(".is-surprised")).to_have_count(2)
    for slot, total in {ARIA: "21", BRAN: "12", CLEO: "9"}.items():
        page.locator(f"#total_{slot}").fill(total)
    dice.will_fall(5, 13)  # Dain +0, the ogre −1
    press(page, "#roll-rest")
    press(page, f"#tie-12 button[name=first][value='{OGRE}']")
    phone = people.player(**OFF)
    phone.route(f"**{player_path(campaign)}", hastened)
    phone.goto(player_path(campaign))
    expect(phone.locator("#board .waiting")).to_be_visible()
    page.locator(f"#total_{CLEO}").fill("8")  # and begin without applying it first
    press(page, "#start button")
    expect(page.locator("#now")).to_have_text("Aria")
    expect(page.locator(f"#c{CLEO} .total")).to_have_text("8")
    expect(phone.locator(".now .title")).to_have_text("Aria", timeout=20_000)
    expect(phone.locator(".order .title")).to_have_text(["Bran", "Cleo", "Dain"])
    assert "Ogre" not in phone.content()
    phone.goto("/healthz")  # it looks no more

    press(page, "#next button")
    expect(page.locator("#now")).to_have_text("Ogre")
    press(page, f"#c{BRAN} .name")
    expect(page.locator("#selected")).to_have_value(str(BRAN))
    page.locator("#amount").fill("2d6+20")
    dice.will_fall(1, 1)
    press(page, "#strip button.hurt")
    expect(page.locator(f"#c{BRAN} .hp")).to_have_text("0/20")
    expect(page.locator("#selected")).to_have_value(str(BRAN))
    page.locator("#amount").fill("5")
    press(page, "#heal")
    expect(page.locator(f"#c{BRAN} .hp")).to_have_text("5/20")
    press(page, "#undo button")
    expect(page.locator(f"#c{BRAN} .hp")).to_have_text("0/20")
    press(page, "#redo button")
    expect(page.locator(f"#c{BRAN} .hp")).to_have_text("5/20")
    press(page, "#previous button")
    expect(page.locator("#now")).to_have_text("Aria")
    press(page, "#end button")
    press(page, "#reopen button")
    expect(page.locator("#next")).to_be_visible()


@pytest.mark.parametrize("language", cases("fr", full=["en"]))
def test_a_refusal_keeps_what_was_typed_and_stands_beside_it(people: People, language: str) -> None:
    fight = running_fight()
    page = people.gm(language, **OFF)
    page.goto(f"/e/{fight.uuid}/?selected={OGRE}")
    page.locator("#amount").fill("lots")
    press(page, "#strip button.hurt")
    expect(page.locator("#strip-refusal")).not_to_be_empty()
    expect(page.locator("#amount")).to_have_value("lots")
    expect(page.locator(f"#c{OGRE} .hp")).to_have_text("59/59")
    expect(page.locator("#add-refusal")).to_be_empty()

    page.locator("#add-text").fill("0 zzyzx")
    press(page, "#add > button, #add .button")
    expect(page.locator("#add-refusal")).to_contain_text("1")
    expect(page.locator("#add-text")).to_have_value("0 zzyzx")
    expect(page.locator("#order .row")).to_have_count(5)

    page.locator("#add-use > summary").click()
    page.locator("#add-use [name=name]").fill("Rage")
    page.locator("#add-use [name=max]").fill("many")
    page.locator("#use-kind").select_option("rest")
    press(page, "#add-use-form .button")
    expect(page.locator("#add-use .refusal")).to_be_visible()
    expect(page.locator("#add-use [name=name]")).to_have_value("Rage")
    expect(page.locator("#use-kind")).to_have_value("rest")

    page.locator("#actions > summary").click()
    page.locator("#act-cost").select_option("bonus")
    page.locator("#act-text").fill("until the door opens")
    page.locator("#act-spell").check()
    step(fight, "add-effect", rules.AddEffect(ARIA, rules.Effect("stunned")))
    press(page, "#act [name=action][value=ready]")
    expect(page.locator("#act .refusal")).not_to_be_empty()
    expect(page.locator("#act-cost")).to_have_value("bonus")
    expect(page.locator("#act-text")).to_have_value("until the door opens")
    expect(page.locator("#act-spell")).to_be_checked()
    expect(page.locator("#act [name=action][value=ready]")).to_be_visible()


def test_a_refused_total_leaves_all_the_others_typed(people: People) -> None:
    page = people.gm(**OFF)
    page.goto(f"/e/{opened_fight().uuid}/")
    for slot, total in {ARIA: "21", BRAN: "many", CLEO: "9"}.items():
        page.locator(f"#total_{slot}").fill(total)
    press(page, "#roll-rest")
    expect(page.locator("#initiative .refusal")).not_to_be_empty()
    for slot, total in {ARIA: "21", BRAN: "many", CLEO: "9"}.items():
        expect(page.locator(f"#total_{slot}")).to_have_value(total)


def test_a_page_that_is_too_old_is_told_and_changes_nothing(people: People) -> None:
    fight = running_fight()
    page = people.gm(**OFF)
    page.goto(f"/e/{fight.uuid}/")
    step(fight, "next-turn", rules.NextTurn())  # in another window
    press(page, "#next button")
    expect(page.locator("#notice")).to_contain_text("Bran")
    expect(page.locator("#now")).to_have_text("Bran")
