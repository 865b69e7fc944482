"""Players' links and what players see, by the GM's clicks and on the players' phones."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.acting import GmBoard, Hands, comes
from tests.browser.conftest import People
from tests.browser.tables import OGRE, campaign_with_heroes, player_path, running_fight

pytestmark = pytest.mark.browser


def path_of(link: Locator) -> str:
    """The address of a link, without the server."""
    return re.sub(r"^https?://[^/]+", "", link.locator(".address").inner_text())


def is_closed(phone: Page) -> None:
    expect(phone.locator("#connection")).to_have_attribute("data-state", "gone")
    expect(phone.locator("#board")).to_have_count(0)


def looks(phone: Page, path: str) -> None:
    phone.goto(path)
    comes(phone.locator("#connection[data-state=live]"))


def test_a_link_is_made_given_a_new_address_and_revoked_and_open_pages_close(
    people: People,
) -> None:
    fight = running_fight()
    gm, phone, other = people.gm(), people.player(), people.player()
    looks(other, player_path(fight.campaign))
    gm.goto(f"/c/{fight.campaign.uuid}/")
    gm.locator(".naming.new input[name=name]").fill("Mina, far away")
    gm.get_by_role("button", name="Make the link").click()
    link = gm.locator("#links .link").nth(1)
    expect(link.locator("h3")).to_have_text("Mina, far away")
    first = path_of(link)
    looks(phone, first)
    link.locator("summary").click()
    link.get_by_role("button", name="Change the address").click()
    is_closed(phone)
    second = path_of(link)
    assert second != first
    looks(phone, second)
    link.locator("summary").click()
    link.get_by_role("button", name="Revoke").click()
    expect(gm.locator("#links .link")).to_have_count(1)
    is_closed(phone)
    answer = phone.goto(second)
    assert answer is not None
    assert answer.status == 404
    comes(other.locator("#connection[data-state=live]"))


def test_a_card_prints_with_nothing_on_it_but_the_way_in(people: People) -> None:
    campaign = campaign_with_heroes()
    page = people.gm()
    page.goto(f"/c/{campaign.uuid}/")
    page.locator("#links").get_by_role("button", name="Copy").click()
    expect(page.locator("#links .copied")).to_have_text("Copied.")
    address = page.locator("#links .address").inner_text()
    page.locator("#links").get_by_role("link", name="Print a card").click()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.emulate_media(media="print")
    card = page.locator("article")
    for part in (card.get_by_role("heading"), card.locator("svg"), card.get_by_text(address)):
        expect(part).to_be_visible()
    assert page.locator("body").inner_text().strip() == card.inner_text().strip()
    size = card.locator("svg").bounding_box()
    assert size is not None
    assert size["width"] == size["height"] > 350  # 10 cm of 96 to 2.54 cm


def test_what_is_decided_beside_the_board_is_on_the_phones_at_once(people: People) -> None:
    fight = running_fight(goblin=3)
    phone = people.player()
    looks(phone, player_path(fight.campaign))
    board = GmBoard(people.gm())
    board.open(fight)
    hands = Hands(board.page)
    board.step(lambda: hands.click("#sight-foes button >> text=Show all foes"))
    expect(phone.locator("#board")).to_contain_text("Goblin ×3")
    assert hands.clicks == 1
    hands.start_again()
    hands.click(board.row(OGRE).locator(".called .name"))
    hands.click("#naming summary")
    hands.type("Hooded figure")
    board.step(lambda: hands.press("Enter"))
    assert hands.clicks == 2
    expect(phone.locator("#board")).to_contain_text("Hooded figure")
    expect(board.page.locator("#naming")).not_to_have_attribute("open", "")
    hands.press("j")
    board.page.locator("#naming summary").click()
    expect(board.page.locator("#label-text")).to_have_value("")
    hands.press("Escape")
    board.row(OGRE).click(position={"x": 3, "y": 3})
    expect(board.page.locator("#label-text")).to_have_value("Hooded figure")
    hands.click("#share summary")
    expect(phone.locator("#board")).not_to_contain_text("24")
    board.page.locator("#id_hp_heroes").select_option("exact")
    expect(phone.locator("#board")).to_contain_text("24")
    expect(board.page.locator("#players-see .said")).to_have_text(
        "Saved. Players see the change now."
    )
    expect(phone.locator("#board")).not_to_contain_text("21")
    hands.click("#id_show_initiative")
    expect(phone.locator("#board")).to_contain_text("21")
    expect(board.page.locator("#id_show_initiative")).to_be_focused()
    board.page.locator("#share summary").focus()
    board.press("n")
    expect(board.page.locator("#players-see")).to_be_visible()  # it stays open
