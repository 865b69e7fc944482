"""The heroes' table saves itself, and no other button throws away what was typed."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import People
from tests.browser.tables import campaign_with_heroes

pytestmark = pytest.mark.browser


def test_cells_save_themselves_and_another_button_waits_for_them(people: People) -> None:
    campaign = campaign_with_heroes()
    gm = people.gm()
    gm.goto(f"/c/{campaign.uuid}/")
    rows = gm.locator("table.heroes tbody tr")
    first = rows.nth(0).locator("input[name=form-0-player]")
    first.fill("Lia of the mill")
    gm.get_by_label("Add heroes").fill("Elia")
    gm.get_by_role("button", name="Add", exact=True).click()
    expect(rows.last.locator(".name")).to_have_value("Elia")
    expect(first).to_have_value("Lia of the mill")
    wrong = rows.nth(0).locator("input[name=form-0-ac]")
    wrong.fill("fourteen")
    rows.last.get_by_role("button").click()
    expect(wrong.locator("xpath=following-sibling::p")).to_be_visible()
    expect(wrong).to_be_focused()
    wrong.fill("17")
    rows.last.get_by_role("button").click()
    expect(gm.locator(".thrown")).to_contain_text("Elia is in the bin")
    gm.get_by_role("button", name="Undo").click()
    expect(rows.last.locator(".name")).to_have_value("Elia")
    expect(wrong).to_have_value("17")
