"""A player says who they are, and their phone tells them when their turn comes."""

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

import rules
from encounters import live
from encounters.models import Encounter, PlayerLink
from tests.browser.barriers import has_no_barrier
from tests.browser.conftest import People
from tests.browser.jumping import WATCH_JUMPS, jumps
from tests.browser.tables import (
    BRAN,
    CLEO,
    DAIN,
    OGRE,
    campaign_with_heroes,
    player_path,
    running_fight,
    step,
)

pytestmark = pytest.mark.browser

# What the phone does besides showing: it notes what it would have felt, heard and moved.
SENSES = """
    window.felt = [];
    window.heard = 0;
    window.moved = [];
    window.awake = 0;
    Navigator.prototype.vibrate = (pattern) => felt.push([].concat(pattern).length);
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { heard += 1; start.apply(this, when); };
    Element.prototype.animate = function (frames) {
        const way = frames[0].transform ? "glides" : "appears";
        const title = this.querySelector(".name") ?? this.querySelector(".title");
        moved.push([title.firstChild.data, way]);
    };
    navigator.wakeLock.request = async () => {
        awake += 1;
        return { release: async () => { awake -= 1; } };
    };
"""


def opened(people: People, fight: Encounter, motion: Literal["reduce"] | None = None) -> Page:
    """A phone with the players' page of the fight, listening to what it is sent."""
    page = people.player(script=SENSES + WATCH_JUMPS)
    page.emulate_media(reduced_motion=motion)
    page.goto(player_path(fight.campaign))
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    return page


def next_turn(fight: Encounter) -> None:
    step(fight, "next-turn", rules.NextTurn())


def says(page: Page, who: str, when: str, aloud: str) -> None:
    """What the foot of the page says, and what is read out of it."""
    expect(page.locator("#you")).to_have_text(f"{who} {when}")
    expect(page.locator("#called")).to_have_text(aloud)


def choose(page: Page, hero: str) -> None:
    page.locator("#you").click()
    page.get_by_role("radio", name=hero, exact=True).check()
    page.keyboard.press("Escape")


def test_a_player_is_told_two_turns_before_one_before_and_when_it_comes(people: People) -> None:
    fight = running_fight(campaign_with_heroes())
    page = opened(people, fight)
    expect(page.locator("#you")).to_have_text("Which hero is yours?")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    choose(page, "Dain")
    says(page, "Dain", "In 3 turns", "")
    jumps(page)
    expect(page).to_have_title("Aria · The Road to Greyford")
    next_turn(fight)
    says(page, "Dain", "In 2 turns", "In 2 turns")
    expect(page.locator(".mine .title")).to_have_text("Dain you, in 2 turns")
    expect(page).to_have_title("In 2 turns · Bran · The Road to Greyford")
    assert page.evaluate("felt") == []
    next_turn(fight)  # the ogre's, who hid
    next_turn(fight)
    says(page, "Dain", "You are next", "You are next")
    expect(page.locator(".slot.next.mine .mark")).to_have_text("You are next")
    expect(page.locator(".slot.next .when")).to_be_hidden()
    expect(page).to_have_title("You are next · Cleo · The Road to Greyford")
    assert page.evaluate("felt") == [1]
    amber = page.locator("#you").evaluate("(bar) => getComputedStyle(bar).backgroundColor")
    next_turn(fight)
    says(page, "Dain", "Your turn", "Your turn")
    expect(page.locator(".now.mine .mark")).to_have_text("Your turn")
    expect(page.locator(".now.mine .when")).to_be_hidden()
    expect(page).to_have_title("Your turn · Dain · The Road to Greyford")
    assert page.evaluate("felt") == [1, 3]
    full = page.locator("#you").evaluate("(bar) => getComputedStyle(bar).backgroundColor")
    assert len({amber, full}) == 2
    assert jumps(page) == []
    has_no_barrier(page)
    step(fight, "damage", rules.Damage(DAIN, 1))  # nothing to tell again
    expect(page.locator(".now .health")).to_have_text("hurt")
    assert page.evaluate("felt") == [1, 3]
    step(fight, "override-surprise", rules.OverrideSurprise(DAIN, "surprised"))
    says(page, "Dain", "Surprised: you lose this turn", "Surprised: you lose this turn")
    next_turn(fight)
    says(page, "Dain", "In 4 turns", "")  # the ogre has shown itself
    step(fight, "merge", rules.Merge((BRAN, DAIN)))  # who act together are called together
    says(page, "Dain", "You are next", "You are next")
    assert page.evaluate("heard") == 0  # nobody wanted it
    assert asked == []
    assert page.context.cookies() == []


def test_who_a_player_is_stays_on_that_phone(people: People) -> None:
    fight = running_fight(campaign_with_heroes())
    page, another = opened(people, fight), opened(people, fight)
    choose(page, "Bran")
    says(page, "Bran", "You are next", "You are next")
    page.reload()
    says(page, "Bran", "You are next", "You are next")
    expect(another.locator("#you")).to_have_text("Which hero is yours?")
    kept = page.evaluate("JSON.stringify(localStorage)")
    assert "qv-hero" in kept
    assert player_path(fight.campaign)[3:] not in kept
    step(fight, "edit", rules.Edit(BRAN, {"name": "Brun"}))  # no longer found, and nothing breaks
    says(page, "Bran", "not in this fight", "")
    choose(page, "just watching")
    expect(page.locator("#you")).to_be_hidden()
    choose(another, "Brun")
    says(another, "Brun", "You are next", "You are next")
    link = PlayerLink.objects.get().pk
    PlayerLink.objects.all().delete()
    live.close_link(link)
    expect(another.locator("#connection")).to_contain_text("This link has been closed.")
    expect(another.locator("#spoken")).to_be_empty()
    expect(another.locator("#you")).to_be_hidden()
    expect(another).to_have_title("Qui-Vive")
    assert "Brun" not in another.locator("body").inner_text()


def test_what_moves_in_the_order_glides_unless_the_player_wants_stillness(people: People) -> None:
    fight = running_fight(campaign_with_heroes())
    phone, calm = opened(people, fight), opened(people, fight, "reduce")
    assert phone.evaluate("moved") == []
    jumps(phone)
    next_turn(fight)
    for page in phone, calm:
        expect(page.locator(".now .name")).to_have_text("Bran")
    moves = [["Bran", "glides"], ["Cleo", "glides"], ["Dain", "glides"], ["Aria", "appears"]]
    assert phone.evaluate("moved.splice(0)") == moves
    assert jumps(phone) == []
    phone.locator("#settings").click()
    phone.get_by_label("Animation").uncheck()
    step(fight, "give-turn", rules.GiveTurn(CLEO))
    for page in phone, calm:
        expect(page.locator(".now .name")).to_have_text("Cleo")
        assert page.evaluate("moved") == []


def test_a_phone_sounds_and_stays_awake_as_its_player_wants(people: People) -> None:
    fight = running_fight(campaign_with_heroes())
    page = opened(people, fight)
    choose(page, "Bran")
    assert page.evaluate("awake") == 1
    page.locator("#settings").click()
    page.get_by_label("Sound").check()
    assert page.evaluate("heard") == 1  # a taste of it
    page.get_by_label("Vibration").uncheck()
    next_turn(fight)
    says(page, "Bran", "Your turn", "Your turn")
    assert page.evaluate("[heard, felt]") == [3, []]
    page.get_by_label("Stays on during a fight").uncheck()
    assert page.evaluate("awake") == 0
    page.reload()
    page.locator("#settings").click()
    for name, on in {"Sound": True, "Vibration": False, "Stays on during a fight": False}.items():
        expect(page.get_by_label(name)).to_be_checked(checked=on)
    assert page.evaluate("awake") == 0
    page.get_by_label("Stays on during a fight").check()
    assert page.evaluate("awake") == 1
    step(fight, "set-hidden", rules.SetHidden((OGRE,), False))
    step(fight, "end-fight", rules.EndFight())
    expect(page.locator("#board.over")).to_be_visible()
    assert page.evaluate("awake") == 0


def test_a_hero_who_waits_or_is_out_of_the_fight_is_told_so(people: People) -> None:
    fight = running_fight(campaign_with_heroes())
    page = opened(people, fight)
    choose(page, "Bran")
    says(page, "Bran", "You are next", "You are next")
    step(fight, "set-out", rules.SetOut(BRAN, True))
    says(page, "Bran", "out of the fight", "")
    step(fight, "set-out", rules.SetOut(BRAN, False))
    step(fight, "wait", rules.Wait(BRAN))
    says(page, "Bran", "delaying", "")
    step(fight, "leave", rules.Leave((BRAN,)))
    says(page, "Bran", "not in this fight", "")
