"""Getting in, in a real browser."""

import pytest
from playwright.sync_api import expect

from encounters.access import new_entry_path
from tests.browser.conftest import People
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.browser


def test_the_gm_gets_in_by_a_link_and_one_button_and_another_is_told_how_to_get_a_link(
    people: People, base_url: str
) -> None:
    path = new_entry_path()
    gm = people.stranger()
    gm.goto(path)
    gm.locator("main form button[type=submit]").click()
    expect(gm).to_have_url(f"{base_url}/")
    expect(gm.locator("main")).to_be_visible()
    people.expected.append("410 (Gone)")
    phone = people.player()
    phone.goto(path)
    expect(phone.get_by_role("alert")).to_be_visible()
    expect(phone.locator("code").filter(has_text="entry_link")).to_be_visible()


def test_a_phone_opens_the_players_page_keeps_nothing_and_runs_no_script_written_into_it(
    people: People,
) -> None:
    phone = people.player()
    answer = phone.goto(f"/j/{PlayerLinkFactory.create().token}")
    assert answer is not None
    assert answer.status == 200
    assert phone.context.cookies() == []
    assert phone.evaluate("Object.keys(localStorage).length") == 0
    people.expected.append("Security Policy")
    with phone.expect_console_message(lambda message: "Security Policy" in message.text):
        phone.evaluate(
            """() => {
                const script = document.createElement("script");
                script.textContent = "document.title = 'taken over'";
                document.body.append(script);
            }"""
        )
    expect(phone).not_to_have_title("taken over")
