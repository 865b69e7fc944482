"""The database fails while the GM plays: the page says so, and what was typed can be sent again."""

from typing import Any

import pytest
from django.db import OperationalError
from playwright.sync_api import expect

from encounters import steps
from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.intercepting import hurry
from tests.browser.tables import OGRE, running_fight

pytestmark = pytest.mark.browser


def away(*_: object) -> Any:
    raise OperationalError("the server closed the connection")


def test_the_page_says_what_was_not_saved_and_why_and_sends_it_again(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    people.expected += ["status of 503", "net::ERR_FAILED", "Failed to fetch"]
    gm = GmBoard(people.gm())
    gm.open(running_fight())
    hurry(gm.page)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(steps, "_locked", away)
        gm.page.locator("#next button").click()
        expect(gm.page.get_by_text("Not saved: the database does not answer")).to_be_visible()
        expect(gm.page.get_by_text("the server did not answer")).to_be_hidden()
        gm.has_turn_of("Aria")
    gm.page.route("**/next-turn/", lambda route: route.abort())
    gm.select(OGRE)
    gm.page.locator("#next button").click()
    expect(gm.page.get_by_text("the server did not answer")).to_be_visible()
    expect(gm.page.get_by_text("the database does not answer")).to_be_hidden()
    gm.page.unroute("**/next-turn/")
    gm.click("#next button")
    expect(gm.page.locator("#unsaved")).to_be_hidden()
    gm.has_turn_of("Bran")


def test_without_scripts_the_page_that_says_so_sends_it_again(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    people.expected.append("status of 503")
    page = people.gm(java_script_enabled=False)
    page.goto(f"/e/{running_fight().uuid}/")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(steps, "_locked", away)
        page.locator("#next button").click()
        expect(page.get_by_role("alert")).to_contain_text("Not saved: the database")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#next")).to_contain_text("Next: Ogre")
