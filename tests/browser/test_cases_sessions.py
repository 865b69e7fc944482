"""A board left open while the session behind it ends, or another begins."""

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from encounters.access import new_entry_path
from tests.browser.acting import GmBoard
from tests.browser.conftest import People
from tests.browser.tables import OGRE, player_path, running_fight
from tests.encounters.playing import fight_in

pytestmark = pytest.mark.browser


# RW-S44: full-page navigation out of a board whose session is over, and back to the fight
def test_damage_after_the_session_has_ended_leaves_the_page_and_changes_nothing(
    people: People,
) -> None:
    fight = running_fight()
    gm, player = GmBoard(people.gm()), people.player()
    gm.open(fight)
    player.goto(player_path(fight.campaign))
    gm.select(OGRE)
    hit_points = fight_in(fight).combatant(OGRE).hp
    Session.objects.all().delete()
    for key in ("t", "5", "Enter"):
        gm.page.keyboard.press(key)
    expect(gm.page).to_have_url(re.compile(r"/entry/$"))
    expect(gm.page.locator("#board")).to_have_count(0)
    assert fight_in(fight).combatant(OGRE).hp == hit_points
    player.reload()
    expect(player.locator("#board")).to_contain_text("Aria")
    gm.page.goto(new_entry_path())
    gm.page.get_by_role("button").last.click()
    gm.page.locator(f'a[href="/e/{fight.uuid}/"]').first.click()
    gm.has_turn_of("Aria")


# RW-S44: what is typed before a new login in another tab is applied once after it
def test_damage_typed_before_a_new_entry_in_another_tab_is_applied_once(people: People) -> None:
    fight = running_fight()
    gm = GmBoard(people.gm())
    gm.open(fight)
    gm.select(OGRE)
    hit_points = fight_in(fight).combatant(OGRE).hp or 0
    other = gm.page.context.new_page()
    other.goto("/entry/")
    other.context.clear_cookies(name=re.compile("session"))
    other.goto(new_entry_path())
    other.get_by_role("button").last.click()
    expect(other).to_have_url(re.compile(r"/$"))
    gm.press("t", "5", "Enter")
    assert fight_in(fight).combatant(OGRE).hp == hit_points - 5
