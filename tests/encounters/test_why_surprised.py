"""Why somebody is surprised can be read once the fight has begun: row, panel, log, past states."""

from typing import Any

import pytest
from django.test import Client

import rules
from encounters.models import Encounter
from encounters.screens import gm_board
from tests.encounters.opening import opened, page_of
from tests.encounters.playing import fight_in, fresh, pressed, take, text_of
from tests.factories import creature, hero

pytestmark = pytest.mark.django_db

NUMBERS = "Passive Perception against Stealth: 12 < 17 (Stalker), 12 = 12 (Sneak)."
RULE = "Whoever notices none of its enemies as the fight begins is surprised."
TIE = "Equal numbers: the hider stays hidden (the book’s rule)."


def ambush(client: Client, **settings: Any) -> Encounter:
    """Aria, surprised by two who hide, has the first turn."""
    encounter = opened(hero("Aria"), creature("Stalker"), creature("Sneak"), **settings)
    pressed(client, encounter, "hide", stealth_2=17, stealth_3=12)
    slots = {slot.number: 30 - slot.number for slot in fight_in(encounter).slots}
    take(encounter, rules.StartFight(totals=slots))
    return encounter


def row(encounter: Encounter, number: int) -> Any:
    return next(r for r in gm_board(encounter, fight_in(encounter)).rows if r.number == number)


def test_the_mark_on_the_row_opens_the_numbers_the_rule_and_who_wins_ties(
    gm_client: Client,
) -> None:
    encounter = ambush(gm_client)
    assert row(encounter, 1).why_surprised == f"{NUMBERS} {RULE} {TIE}"
    page = gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    assert 'popovertarget="m-surprised" data-finer="Passive Perception' in page
    assert 'id="m-surprised"' in page


def test_the_panel_the_log_and_a_past_state_tell_the_same(gm_client: Client) -> None:
    encounter = ambush(gm_client)
    begun = fresh(encounter).version
    assert f"Why surprised {NUMBERS} {RULE} {TIE}" in page_of(gm_client, encounter)
    pressed(gm_client, encounter, "next-turn")
    assert "Why surprised" not in page_of(gm_client, encounter)
    log = text_of(gm_client.get(f"/e/{encounter.uuid}/log/"))
    assert f"Why surprised Aria {NUMBERS} {RULE} {TIE}" in log
    past = text_of(gm_client.get(f"/e/{encounter.uuid}/at/{begun}/"))
    assert f"surprised {NUMBERS} {RULE} {TIE}" in past


def test_in_2024_the_log_tells_it_though_surprise_is_over(gm_client: Client) -> None:
    encounter = ambush(gm_client, edition="2024", stealth_tie="observer")
    log = text_of(gm_client.get(f"/e/{encounter.uuid}/log/"))
    assert "12 < 17 (Stalker), 12 < 15, not hidden (Sneak)." not in log  # Sneak gives it away
    pressed(gm_client, encounter, "undo")
    pressed(gm_client, encounter, "hide", stealth_2=17, stealth_3=18)
    slots = {slot.number: 30 - slot.number for slot in fight_in(encounter).slots}
    take(encounter, rules.StartFight(totals=slots))
    assert row(encounter, 1).why_surprised == ""
    log = text_of(gm_client.get(f"/e/{encounter.uuid}/log/"))
    assert f"Stealth: 12 < 17 (Stalker), 12 < 18 (Sneak). {RULE}" in log


def test_the_strict_reading_is_named_where_it_is_in_force(gm_client: Client) -> None:
    encounter = ambush(gm_client, surprise_reading="misses_any_threat", stealth_tie="observer")
    assert row(encounter, 1).why_surprised == (
        f"{NUMBERS} Your setting: whoever misses even one enemy is surprised. "
        "Equal numbers: the observer notices the hider (your setting)."
    )


def test_one_surprised_by_hand_is_said_to_be_so(gm_client: Client) -> None:
    encounter = ambush(gm_client)
    take(encounter, rules.OverrideSurprise(2, "surprised"))
    assert row(encounter, 2).why_surprised == "Surprised by your decision."


def test_the_unconscious_are_told_apart_from_those_who_missed(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    take(encounter, rules.AddEffect(1, rules.Effect("unconscious")))
    pressed(gm_client, encounter, "hide", stealth_2=5)
    slots = {slot.number: 30 - slot.number for slot in fight_in(encounter).slots}
    take(encounter, rules.StartFight(totals=slots))
    assert row(encounter, 1).why_surprised == f"Unconscious: notices nobody. {RULE}"


def test_what_was_found_goes_with_the_beginning_and_comes_back_with_it(gm_client: Client) -> None:
    encounter = ambush(gm_client)
    found = fight_in(encounter).verdicts
    assert found["against"] == {"heroes": [2, 3]}
    pressed(gm_client, encounter, "undo")
    assert fight_in(encounter).verdicts == {}
    pressed(gm_client, encounter, "redo")
    assert fight_in(encounter).verdicts == found
