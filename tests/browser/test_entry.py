"""Getting in, in a real browser."""

import pytest
from playwright.sync_api import Browser, Page, expect

from encounters.access import new_entry_path
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.browser


def test_the_gm_gets_in_by_a_link_and_one_button(gm_page: Page, base_url: str) -> None:
    expect(gm_page).to_have_url(f"{base_url}/")
    expect(gm_page.locator("main")).to_be_visible()


def test_a_used_entry_link_explains_how_to_get_another(phone_page: Page, gm_page: Page) -> None:
    path = new_entry_path()
    gm_page.goto(path)
    gm_page.locator("main form button[type=submit]").click()
    phone_page.goto(path)
    expect(phone_page.get_by_role("alert")).to_be_visible()
    expect(phone_page.locator("code").filter(has_text="entry_link")).to_be_visible()


def test_a_phone_opens_the_players_page_and_keeps_nothing(phone_page: Page, gm_page: Page) -> None:
    link = PlayerLinkFactory.create()
    answer = phone_page.goto(f"/j/{link.token}")
    assert answer is not None
    assert answer.status == 200
    assert phone_page.context.cookies() == []
    assert phone_page.evaluate("Object.keys(localStorage).length") == 0


@pytest.mark.django_db(transaction=True)
def test_a_script_written_into_a_page_does_not_run(browser: Browser, base_url: str) -> None:
    page = browser.new_page()
    page.goto(f"{base_url}/entry/")
    with page.expect_console_message(lambda message: "Security Policy" in message.text):
        page.evaluate(
            """() => {
                const script = document.createElement("script");
                script.textContent = "document.title = 'taken over'";
                document.body.append(script);
            }"""
        )
    expect(page).not_to_have_title("taken over")
    page.context.close()
