"""A whole evening: an ambush prepared, fought and won, with a phone that watches every step."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.acting import GM_BOARD, Dice, GmBoard, Phone, said
from tests.browser.conftest import People
from tests.sizes import cases

pytestmark = pytest.mark.browser

GOBLIN = {"en": "Goblin", "fr": "Gobelin"}
NOBODY_KNOWS = ("goblin", "gobelin")
HEROES = {  # name: maximum HP, passive Perception, initiative bonus; "" where nobody knows
    "Aria": ("24", "17", ""),
    "Bran": ("20", "11", ""),
    "Cleo": ("18", "12", ""),
    "Dain": ("27", "", "1"),
}
ARIA, BRAN, CLEO, DAIN, GOBLIN_1, GOBLIN_2, GOBLIN_3, GOBLIN_4, OGRE = range(1, 10)


class Evening:
    def __init__(self, people: People, dice: Dice, gm: str, phone: str) -> None:
        self.people = people
        self.dice = dice
        self.language = gm
        self.page: Page = people.gm(gm)
        self.gm = GmBoard(self.page)
        self.phone_language = phone
        self.goblins = f"{GOBLIN[phone]} ×4"
        self.phone: Phone

    # Each chapter leaves the table where the next one takes it up.

    def name_a_campaign_and_its_heroes(self) -> None:
        page = self.page
        page.goto("/")
        expect(page.locator("html")).to_have_attribute("lang", self.language)
        page.locator("#id_name").fill("The Road to Greyford")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text("The Road to Greyford")
        page.locator("#id_names").fill(", ".join(HEROES))
        page.keyboard.press("Enter")
        expect(page.locator("table.heroes tbody tr")).to_have_count(4)
        for index, (name, numbers) in enumerate(HEROES.items()):
            expect(page.locator(f"#id_form-{index}-name")).to_have_value(name)
            for field, number in zip(
                ("max_hp", "passive_perception", "initiative_bonus"), numbers, strict=True
            ):
                page.locator(f"#id_form-{index}-{field}").fill(number)
        page.keyboard.press("Enter")
        page.wait_for_load_state()
        expect(page.locator("#id_form-0-max_hp")).to_have_value("24")

    def open_the_phone(self) -> None:
        path = self.page.locator("a[href*='/j/']").first.get_attribute("href") or ""
        player = self.people.player(self.phone_language)
        self.phone = Phone(player, "/j/" + path.split("/j/")[1], self.phone_language)
        self.phone.waits()

    def prepare(self) -> None:
        gm, page = self.gm, self.page
        page.locator("form[action$='/encounters/'] button").click()
        expect(page).to_have_url(GM_BOARD)
        expect(page.locator("#order .row .name")).to_have_text(list(HEROES))
        gm.is_ready()
        page.keyboard.press("/")
        page.keyboard.type("4 gob")
        gm.press("Enter")
        mine = GOBLIN[self.language]
        goblins = [f"{mine} {n}" for n in range(1, 5)]
        expect(page.locator("#order .row .name")).to_have_text([*HEROES, *goblins])
        gm.has_hp(GOBLIN_1, "7/7")
        self.nobody_suspects_anything()

    def find_who_is_surprised(self) -> None:
        gm, page = self.gm, self.page
        gm.click("#open button")
        self.nobody_suspects_anything()
        self.dice.will_fall(10, 12, 8, 14)  # with +6 of a goblin: 16, 18, 14, 20
        gm.click("#hide-foes button")
        expect(page.locator(".stealth-result")).to_have_text(["16", "18", "14", "20"])
        self.watches(ARIA, surprised=False, why=["17 > 16", "17 < 18", "17 > 14", "17 < 20"])
        self.watches(BRAN, surprised=True, why=["11 < 16", "11 < 18", "11 < 14", "11 < 20"])
        self.watches(CLEO, surprised=True, why=["12 < 16", "12 < 18", "12 < 14", "12 < 20"])
        page.locator(f"#passive-{DAIN}").fill("10")
        gm.press("Enter")
        self.watches(DAIN, surprised=True, why=["10 < 16", "10 < 18", "10 < 14", "10 < 20"])
        # A result called out instead of rolled; on equal numbers the hider stays hidden.
        page.locator("#stealth summary").click()
        page.locator(f"#stealth_{GOBLIN_4}").fill("11")
        gm.press("Enter")
        self.watches(BRAN, surprised=True, why=["11 < 16", "11 < 18", "11 < 14", "11 = 11"])
        self.watches(CLEO, surprised=False, why=["12 < 16", "12 < 18", "12 < 14", "12 > 11"])
        expect(page.locator(".is-surprised")).to_have_count(2)
        self.nobody_suspects_anything()

    def watches(self, number: int, *, surprised: bool, why: list[str]) -> None:
        row = self.page.locator(f"#watch-{number}")
        expect(row.locator(".why")).to_have_text(why)
        verdict = said(self.language, "surprised" if surprised else "not surprised")
        expect(row.locator(".verdict")).to_contain_text(re.compile(f"^\\s*{verdict}\\b"))
        expect(row.locator("strong")).to_have_count(1 if surprised else 0)

    def roll_initiative(self) -> None:
        gm, page = self.gm, self.page
        page.locator(f"#total_{ARIA}").click()
        page.keyboard.type("21")
        page.keyboard.press("Tab")
        page.keyboard.type("12")
        page.keyboard.press("Tab")
        page.keyboard.type("9")
        self.dice.will_fall(4, 10)  # Dain +1, the goblins +2
        gm.click("#roll-rest")
        for slot, total in {ARIA: 21, BRAN: 12, CLEO: 9, DAIN: 5, GOBLIN_1: 12}.items():
            expect(page.locator(f"#total_{slot}")).to_have_value(str(total))
        expect(page.locator("#tie-12")).to_be_visible()
        self.dice.will_fall(3, 17)  # Bran, the goblins
        gm.click("#tie-12 button[formaction$='/roll-off/']")
        expect(page.locator("#ties")).to_have_count(0)
        self.order_is(ARIA, GOBLIN_1, GOBLIN_2, GOBLIN_3, GOBLIN_4, BRAN, CLEO, DAIN)
        self.nobody_suspects_anything()

    def begin(self) -> None:
        self.gm.click("#start button")
        self.gm.has_turn_of("Aria")
        self.phone.shows(1, "Aria", ["Bran", "Cleo", "Dain"])
        self.phone.knows_nothing_of(*NOBODY_KNOWS)
        for name, surprised in {"Aria": 0, "Bran": 1, "Cleo": 0, "Dain": 1}.items():
            expect(self.phone.slot(name).locator(".surprised")).to_have_count(surprised)

    def show_one_goblin_and_hide_it_again(self) -> None:
        gm, phone = self.gm, self.phone
        gm.select(GOBLIN_3)
        gm.press("h")
        one = GOBLIN[self.phone_language]
        phone.shows(1, "Aria", [one, "Bran", "Cleo", "Dain"])
        gm.press("h")
        phone.shows(1, "Aria", ["Bran", "Cleo", "Dain"])
        phone.forget_what_was_pushed()
        phone.knows_nothing_of(*NOBODY_KNOWS)

    def play_the_first_round(self) -> None:
        gm, phone, goblins = self.gm, self.phone, self.goblins
        gm.press("n")  # the goblins come out, the third was seen first
        phone.shows(1, goblins, ["Bran", "Cleo", "Dain", "Aria"])
        expect(phone.slot(goblins).locator(".member")).to_have_count(1)  # all in one state
        gm.select(BRAN)
        gm.press("t", "1", "2", "Enter")
        gm.has_hp(BRAN, "8/20")
        self.is_seen("Bran", "bloodied")
        gm.press("l", "5", "Enter")
        gm.has_hp(BRAN, "13/20")
        self.is_seen("Bran", "hurt")
        gm.press("n")
        phone.shows(1, "Bran", ["Cleo", "Dain", "Aria", goblins])
        expect(phone.slot("Bran").locator(".surprised")).to_be_visible()
        gm.press("n")
        phone.shows(1, "Cleo", ["Dain", "Aria", goblins, "Bran"])
        expect(phone.slot("Bran").locator(".surprised")).to_have_count(0)

    def defeat_a_goblin_undo_and_redo(self) -> None:
        gm, phone, goblins = self.gm, self.phone, self.goblins
        third = phone.slot(goblins).locator(".member", has_text=re.compile(r"^\s*A\b"))
        gm.select(GOBLIN_3)
        gm.press("t", "5", "Enter")
        self.is_seen_as(third, "bloodied")
        gm.press("t", "5", "Enter")
        gm.has_hp(GOBLIN_3, "0/7")
        expect(gm.row(GOBLIN_3)).to_contain_text(said(self.language, "defeated"))
        self.is_seen_as(third, "down")
        gm.press("u")
        gm.has_hp(GOBLIN_3, "2/7")
        self.is_seen_as(third, "bloodied")
        gm.press("Shift+U")
        gm.has_hp(GOBLIN_3, "0/7")
        self.is_seen_as(third, "down")
        phone.shows(1, "Cleo", ["Dain", "Aria", goblins, "Bran"])
        gm.press("n")
        phone.shows(1, "Dain", ["Aria", goblins, "Bran", "Cleo"])

    def play_the_second_round_and_end(self) -> None:
        gm, phone, goblins = self.gm, self.phone, self.goblins
        gm.press("n")
        phone.shows(2, "Aria", [goblins, "Bran", "Cleo", "Dain"])
        gm.press("u")
        phone.shows(1, "Dain", ["Aria", goblins, "Bran", "Cleo"])
        gm.press("Shift+U")
        phone.shows(2, "Aria", [goblins, "Bran", "Cleo", "Dain"])
        self.page.keyboard.press("/")
        self.page.keyboard.type("ogre")
        self.dice.will_fall(14)  # and −1
        gm.press("Enter")
        self.page.keyboard.press("Escape")
        expect(gm.row(OGRE).locator(".total")).to_have_text("13")
        phone.shows(2, "Aria", [goblins, "Bran", "Cleo", "Dain"])
        phone.knows_nothing_of("ogre")
        gm.press("n")
        phone.shows(2, "Ogre", [goblins, "Bran", "Cleo", "Dain", "Aria"])
        gm.press("n")
        phone.shows(2, goblins, ["Bran", "Cleo", "Dain", "Aria", "Ogre"])
        gm.click("#end button")
        expect(self.page.locator("#reopen")).to_be_visible()
        phone.is_over()

    def nobody_suspects_anything(self) -> None:
        self.phone.waits()
        self.phone.knows_nothing_of(*NOBODY_KNOWS)

    def order_is(self, *numbers: int) -> None:
        rows = self.page.locator("#order .row")
        expect(rows).to_have_count(len(numbers))
        for index, number in enumerate(numbers):
            expect(rows.nth(index)).to_have_id(f"c{number}")

    def is_seen(self, title: str, health: str) -> None:
        self.is_seen_as(self.phone.slot(title), health)

    def is_seen_as(self, who: Locator, health: str) -> None:
        word = said(self.phone_language, health)
        expect(who.locator(".health")).to_have_text(word)


@pytest.mark.parametrize(
    ("gm", "phone"), cases(("fr", "en"), full=[("en", "fr"), ("en", "en"), ("fr", "fr")])
)
def test_an_ambush_from_the_first_name_to_the_last_blow(
    people: People, dice: Dice, gm: str, phone: str
) -> None:
    evening = Evening(people, dice, gm, phone)
    evening.name_a_campaign_and_its_heroes()
    evening.open_the_phone()
    evening.prepare()
    evening.find_who_is_surprised()
    evening.roll_initiative()
    evening.begin()
    evening.show_one_goblin_and_hide_it_again()
    evening.play_the_first_round()
    evening.defeat_a_goblin_undo_and_redo()
    evening.play_the_second_round_and_end()
