"""A television from four metres: groups, AC and long names, nothing cut, nothing over another."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import rules
from bestiary.models import Creature
from encounters import adding
from encounters.models import Campaign, Encounter
from tests.browser.conftest import People
from tests.browser.tables import (
    ARIA,
    BRAN,
    TOTALS,
    campaign_with_heroes,
    player_path,
    prepared_fight,
    step,
)
from tests.sizes import cases

pytestmark = pytest.mark.browser

FIRST_FOE = 6
FEW = (("Hobgoblin", "Hobgobelin", 4), ("Orc", "Orc", 8), ("Wolf", "Loup", 5))
MANY = (
    *FEW,
    ("Skeleton", "Squelette", 4),
    ("Adult Red Dragon", "Dragon rouge adulte", 1),
    ("Hill Giant", "Géant des collines", 2),
    ("Stone Giant", "Géant des pierres", 1),
    ("Frost Giant", "Géant du givre", 1),
)
MIXED = (("Kobold", "Kobold", 8), *MANY[1:])
SHOWN: dict[str, Any] = {"hp_heroes": "exact", "monsters_hidden": False}
EVERYTHING: dict[str, Any] = {**SHOWN, "show_ac": True, "show_initiative": True}


def fight_of(campaign: Campaign, foes: tuple[tuple[str, str, int], ...]) -> Encounter:
    """Four heroes and a goblin against groups of these; some are hurt, two have conditions."""
    fight = prepared_fight(campaign, goblin=1)
    goblin = adding.from_creature(Creature.objects.get(source="srd-5.1", key="goblin"), campaign)
    joining = (
        replace(goblin, name=name, name_fr=french, creature=f"own/{name}")
        for name, french, number in foes
        for _ in range(number)
    )
    step(fight, "join", rules.Join(tuple(joining)))
    step(fight, "open-fight", rules.OpenFight())
    step(fight, "start-fight", rules.StartFight(totals=TOTALS, accept_empty=True))
    for number in (ARIA, BRAN, FIRST_FOE, FIRST_FOE + 1):
        step(fight, "damage", rules.Damage(number, 5))
    if foes is MIXED:
        for number in range(1, 8):  # one in each state
            step(fight, "damage", rules.Damage(FIRST_FOE + number, number))
            step(fight, "add-effect", rules.AddEffect(FIRST_FOE + number, rules.Effect("prone")))
    for number in (BRAN, FIRST_FOE):
        for code in ("prone", "poisoned", "restrained"):
            step(fight, "add-effect", rules.AddEffect(number, rules.Effect(code)))
    for _ in range(2):
        step(fight, "next-turn", rules.NextTurn())
    return fight


def television(people: People, campaign: Campaign, language: str) -> Page:
    page = people.stranger(viewport={"width": 1920, "height": 1080})
    page.emulate_media(reduced_motion="reduce")  # rows that glide stand over others
    page.goto(f"{player_path(campaign)}?view=tv&lang={language}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    return page


# Words that stand over others, or of which a part is not to be seen.
WRONG = """() => {
    const parts = [...document.querySelectorAll(
        ".round, .eyebrow, .now .name, .now .total, .now .ac, .now .health, .now .fx, " +
        ".slot .total, .slot .title, .slot .health, .slot .fx, .slot .ac, .divider")];
    const words = parts.filter((part) => part.checkVisibility()).map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return { text: part.textContent.trim(), part, box: range.getBoundingClientRect() };
    });
    const cut = words.filter(({ part, box }) => {
        for (let frame = part; frame; frame = frame.parentElement) {
            if (getComputedStyle(frame).overflow === "visible" && frame !== document.body) continue;
            const { left, top, right, bottom } = frame.getBoundingClientRect();
            if (box.left < left - 2 || box.right > right + 2) return true;
            if (box.top < top - 9 || box.bottom > bottom + 9) return true; // over letters
        }
        return false;
    });
    const over = words.flatMap((one, index) => words.slice(index + 1).filter((other) =>
        one.box.left < other.box.right - 2 && other.box.left < one.box.right - 2 &&
        one.box.top < other.box.bottom - 9 && other.box.top < one.box.bottom - 9
    ).map((other) => [one.text, other.text]));
    return [cut.map(({ text }) => text), over];
}"""


@pytest.mark.parametrize("shown", [SHOWN, EVERYTHING], ids=["usual", "everything"])
@pytest.mark.parametrize("foes", [FEW, MANY, MIXED], ids=["few", "many", "mixed"])
@pytest.mark.parametrize("language", cases("fr", full=["en"]))  # its words are the longer ones
def test_a_television_shows_groups_whole_and_none_over_another(
    people: People,
    language: str,
    foes: tuple[tuple[str, str, int], ...],
    shown: dict[str, Any],
) -> None:
    campaign = campaign_with_heroes(**shown)
    fight = fight_of(campaign, foes)
    page = television(people, campaign, language)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(WRONG) == [[], []]
    for _ in range(3):
        before = page.locator(".now .name").inner_text()
        step(fight, "next-turn", rules.NextTurn())
        expect(page.locator(".now .name")).not_to_have_text(before)
        assert page.evaluate(WRONG) == [[], []]


def test_the_layout_of_a_television_does_not_change_to_and_fro(people: People) -> None:
    fight = fight_of(campaign_with_heroes(**SHOWN), FEW)
    page = television(people, fight.campaign, "fr")
    layouts = []
    for _ in range(9):  # more than a round
        layouts.append(page.locator("html").get_attribute("data-dense"))
        before = page.locator(".now .name").inner_text()
        step(fight, "next-turn", rules.NextTurn())
        expect(page.locator(".now .name")).not_to_have_text(before)
    assert sum(one != other for one, other in pairwise(layouts)) <= 1


def test_whoever_waits_is_read_on_a_television_however_many_there_are(people: People) -> None:
    campaign = campaign_with_heroes(**SHOWN, group_initiative=False)
    fight = fight_of(campaign, (("Orc", "Orc", 22),))
    step(fight, "wait", rules.Wait(4))
    page = television(people, campaign, "en")
    expect(page.locator("html")).to_have_attribute("data-dense", "three")
    expect(page.locator(".waits")).to_be_visible()
    expect(page.locator(".waits")).to_have_text("Delaying: Dain")


def test_a_television_says_how_many_are_beyond_its_edge_and_who_is_out_where_there_is_room(
    people: People,
) -> None:
    campaign = campaign_with_heroes(**SHOWN, group_initiative=False)
    fight = fight_of(campaign, (("Orc", "Orc", 20),))
    step(fight, "set-out", rules.SetOut(FIRST_FOE + 3, True))
    page = television(people, campaign, "en")
    expect(page.locator(".gone")).to_be_visible()
    expect(page.locator("[data-beyond]")).to_have_count(0)
    page.set_viewport_size({"width": 640, "height": 200})
    page.evaluate("document.documentElement.style.fontSize = '16px'")
    page.set_viewport_size({"width": 640, "height": 201})
    expect(page.locator(".order")).to_have_attribute("data-beyond", re.compile(r"^\+[1-9]"))


def test_a_screen_stood_upright_has_the_order_under_whose_turn_it_is(people: People) -> None:
    campaign = campaign_with_heroes()
    fight_of(campaign, FEW)
    page = television(people, campaign, "en")
    page.set_viewport_size({"width": 390, "height": 844})
    now, order = page.locator(".now").bounding_box(), page.locator(".order").bounding_box()
    assert now
    assert order
    assert order["y"] >= now["y"] + now["height"]
    size = page.locator(".slot .title").last.evaluate(
        "(it) => parseFloat(getComputedStyle(it).fontSize)"
    )
    assert size >= 16
