"""Bad input: the reason stands beside the form, what was typed stays, and nothing changes."""

from collections.abc import Callable
from itertools import cycle
from typing import NamedTuple

import pytest
from django.utils import translation
from playwright.sync_api import Locator, expect

import rules
from encounters import labels
from encounters.models import Campaign, Encounter, Hero, Step
from tests.browser.acting import GmBoard, Phone, said
from tests.browser.conftest import People
from tests.browser.tables import (
    ARIA,
    OGRE,
    campaign_with_heroes,
    opened_fight,
    player_path,
    prepared_fight,
    running_fight,
    step,
)
from tests.sizes import cases

pytestmark = pytest.mark.browser
translated = pytest.mark.parametrize("language", cases("fr", full=["en"]))


class Bad(NamedTuple):
    what: str
    text: str
    error: rules.RuleError | None  # None: the text is Django's own


class Field(NamedTuple):
    begin: Callable[[], Encounter]
    field: str
    refusal: str  # where it is said
    bad: tuple[Bad, ...]


FIELDS = {
    "damage": Field(running_fight, "#amount", "#strip-refusal", (
        Bad("letters", "eight", rules.RuleError("not-dice")),
        Bad("beyond all limits", "99999999", rules.RuleError("amount-out-of-range", limit=99_999)),
        Bad("too many dice", "9999d6", rules.RuleError("too-many-dice", limit=1_000)),
    )),
    "initiative": Field(opened_fight, f"#total_{ARIA}", "#initiative .refusal", (
        Bad("letters", "first", None),
        Bad("what no die gives", "5000", rules.RuleError("initiative-out-of-range")),
    )),
    "combatants": Field(prepared_fight, "#add-text", "#add-refusal", (
        Bad("a name of 500 characters", "x" * 500, rules.RuleError("name-too-long", limit=80)),
        Bad("205 combatants", "200 ogres", rules.RuleError("too-many", limit=200)),
    )),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "language"),
    cases(*zip(FIELDS, cycle(["en", "fr"])), full=zip(FIELDS, cycle(["fr", "en"]))),
)
def test_bad_input_on_the_board_is_refused_beside_its_field(
    people: People, name: str, language: str
) -> None:
    begin, field, where, all_bad = FIELDS[name]
    fight = begin()
    page = people.gm(language)
    page.goto(f"/e/{fight.uuid}/?selected={OGRE}")
    board = GmBoard(page)
    before, rows = board.version, page.locator("#order .row").all_inner_texts()
    for bad in all_bad:
        page.locator(field).fill(bad.text)
        with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            if name == "initiative":  # where Enter leads to the next total
                page.locator("#initiative .rolls button").first.click()
            else:
                page.keyboard.press("Enter")
        assert answered.value.status == 422, bad.what
        refusal = page.locator(where)
        if bad.error:
            expect(refusal).to_have_text(refused(language, bad.error))
        else:
            expect(refusal).not_to_be_empty()
        expect(refusal).to_be_visible()
        assert is_near(refusal, page.locator(field)), bad.what
        expect(page.locator(field)).to_have_value(bad.text)
    assert page.locator("#order .row").all_inner_texts() == rows
    assert Encounter.objects.get(pk=fight.pk).version == board.version == before


def refused(language: str, error: rules.RuleError) -> str:
    with translation.override(language):
        return labels.refusal(error)


def is_near(one: Locator, other: Locator) -> bool:
    """Whether both stand in one form."""
    form = other.locator("xpath=ancestor::form")
    return form.get_attribute("id") == one.locator("xpath=ancestor::form").get_attribute("id")


@translated
def test_an_empty_fight_does_not_begin(people: People, language: str) -> None:
    campaign = Campaign.objects.create(name="Nobody")
    encounter = Encounter.objects.create(campaign=campaign, name="Nothing")
    page = people.gm(language)
    page.goto(f"/e/{encounter.uuid}/")
    for form in "#open", "#start":
        expect(page.locator(f"{form} .refusal")).to_be_empty()
        page.locator(f"{form} button").click()
        refusal = page.locator(f"{form} .refusal")
        expect(refusal).to_have_text(refused(language, rules.RuleError("nobody-fights")))
    assert not Step.objects.exists()


@translated
def test_a_fight_with_an_empty_total_asks_before_it_begins(people: People, language: str) -> None:
    campaign = campaign_with_heroes()
    campaign.heroes.filter(name="Dain").update(initiative_bonus=None)
    page = people.gm(language)
    page.goto(f"/e/{opened_fight(campaign).uuid}/")
    board = GmBoard(page)
    board.click("#roll-rest")
    page.locator("#start .primary").click()
    expect(page.locator("#initiative .refusal")).to_contain_text("Dain")
    board.click("#initiative .refusal button")  # they act last
    expect(page.locator("#order .row .name").last).to_have_text("Dain")
    expect(page.locator("#next")).to_be_visible()


@translated
def test_a_wrong_link_is_explained_in_the_readers_language(people: People, language: str) -> None:
    campaign = campaign_with_heroes()
    phone = people.player(language)
    good = player_path(campaign)
    for wrong in (good[:-1] + ("0" if good[-1] != "0" else "1"), "/nowhere"):
        answer = phone.goto(wrong)
        assert answer is not None
        assert answer.status == 404
        expect(phone.locator("html")).to_have_attribute("lang", language)
        expect(phone.locator("h1")).to_have_text(said(language, "Nothing here"))
        assert campaign.name not in phone.content()


@translated
def test_bad_numbers_of_a_hero_are_refused_in_the_table(people: People, language: str) -> None:
    campaign = campaign_with_heroes()
    page = people.gm(language)
    page.goto(f"/c/{campaign.uuid}/")
    page.locator("#id_form-1-ac").fill("plate")
    page.locator("#id_form-1-ac").press("Enter")
    cell = page.locator("td", has=page.locator("#id_form-1-ac"))
    expect(cell.locator(".refusal")).to_be_visible()
    expect(page.locator("#id_form-1-ac")).to_have_value("plate")
    assert Hero.objects.get(name="Bran").ac == 15


@translated
def test_bad_facts_of_a_combatant_are_refused_on_their_page(people: People, language: str) -> None:
    fight = prepared_fight()
    page = people.gm(language)
    page.goto(f"/e/{fight.uuid}/combatant/{OGRE}/")
    page.locator("#id_hp").fill("100")  # of 59
    page.locator("#id_label").fill("Hooded figure")
    with page.expect_navigation():
        page.locator("#id_hp").press("Enter")
    expect(page.locator(".refusal:visible")).to_have_count(1)
    expect(page.locator(".refusal:visible")).not_to_be_empty()
    expect(page.locator("#id_hp")).to_have_value("100")
    expect(page.locator("#id_label")).to_have_value("Hooded figure")
    assert Encounter.objects.get().version == 1


SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(2)>"
TEMPLATE = "{{ 7|add:7 }}\"'>"


def test_markup_in_names_is_text_everywhere(people: People) -> None:
    """`people` fails the test on any dialog, script error or complaint about the CSP."""
    campaign = Campaign.objects.create(name=f"Campaign {IMAGE}")
    for name in (f"Hero {SCRIPT}", f"Hero {IMAGE}", f"Hero {TEMPLATE}"):
        Hero.objects.create(campaign=campaign, name=name, initiative_bonus=1, max_hp=9)
    phone = Phone(people.player(), player_path(campaign), "en")
    page = people.gm()
    page.goto(f"/c/{campaign.uuid}/")
    page.locator("form[action$='/encounters/'] button").click()
    board = GmBoard(page)
    page.locator("#add-text").fill("ogre")
    board.click("#add > button, #add .button")
    board.select(4)
    page.locator("#edit").click()
    page.locator("#id_label").fill(IMAGE)
    page.locator("#id_notes").fill(SCRIPT)
    page.locator("#id_label").press("Enter")
    expect(board.row(4)).to_contain_text(IMAGE)
    page.locator("header a[href$='/rename/']").click()
    page.locator("#id_name").fill(f"Encounter {SCRIPT}")
    page.locator("#id_name").press("Enter")
    expect(page.locator("header")).to_contain_text(f"Encounter {SCRIPT}")

    encounter = Encounter.objects.get()
    step(encounter, "open-fight", rules.OpenFight())
    step(encounter, "start-fight", rules.StartFight(totals={1: 4, 2: 3, 3: 2, 4: 1}))
    expect(page.locator("#now")).to_have_text(f"Hero {SCRIPT}")
    phone.shows(1, f"Hero {SCRIPT}", [f"Hero {IMAGE}", f"Hero {TEMPLATE}"])
    expect(phone.page.locator("h1")).to_have_text(f"Campaign {IMAGE}")
    for _ in range(3):
        step(encounter, "next-turn", rules.NextTurn())
    expect(page.locator("#now")).to_have_text("Ogre")
    expect(page.locator("#panel")).to_contain_text(SCRIPT)
    phone.shows(1, IMAGE, [f"Hero {SCRIPT}", f"Hero {IMAGE}", f"Hero {TEMPLATE}"])
    phone.page.reload()
    phone.shows(1, IMAGE, [f"Hero {SCRIPT}", f"Hero {IMAGE}", f"Hero {TEMPLATE}"])
    page.goto("/")
    expect(page.locator("main").get_by_text(f"Encounter {SCRIPT}")).to_be_visible()
    for window in (page, phone.page):
        expect(window.locator("img, main script")).to_have_count(0)
