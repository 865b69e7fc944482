"""A second turn's place over HTTP: moved and taken away like any other, and who sees it."""

import pytest
from django.test import Client

import rules
from encounters import log
from encounters.models import Encounter, PlayerLink
from encounters.screens.rows import rows
from tests.encounters.playing import fight_in, press, press_plainly, pressed, take, text_of
from tests.encounters.test_secrecy import board_of
from tests.encounters.uses import ARIA, BRAN, CLEO, GOBLIN, OGRE, WOLF, table
from tests.encounters.watching import seen_by_players
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db


def order(encounter: Encounter) -> list[int]:
    """Who acts in each place; a second turn as the number of its creature, negative."""
    fight = fight_in(encounter)
    first = {slot.number: fight.members(slot.number)[0].number for slot in fight.slots}
    return [first[s.number] * (-1 if s.extra_of is not None else 1) for s in fight.slots]


def second(encounter: Encounter) -> int:
    return rules.second_place(fight_in(encounter), CLEO)


def test_the_place_of_a_second_turn_moves_by_buttons_and_its_first_place_stays(
    gm_client: Client,
) -> None:
    encounter = table("begun")
    before = order(encounter)
    where, home = before.index(-CLEO), before.index(CLEO)
    pressed(gm_client, encounter, "reorder", target=CLEO, second="1", move="up")
    after = order(encounter)
    assert (after.index(-CLEO), after.index(CLEO)) == (where - 1, home)
    pressed(gm_client, encounter, "reorder", target=CLEO, second="1", move="down")
    assert order(encounter) == before


def test_without_the_word_for_it_the_first_place_moves(gm_client: Client) -> None:
    encounter = table("begun")
    pressed(gm_client, encounter, "reorder", target=CLEO, second="", before=str(ARIA))
    assert order(encounter)[:2] == [CLEO, ARIA]
    assert order(encounter)[-1] == -CLEO


def test_the_place_of_a_second_turn_is_put_before_another_and_others_before_it(
    gm_client: Client,
) -> None:
    encounter = table("begun")
    pressed(gm_client, encounter, "reorder", target=CLEO, second="1", before=str(BRAN))
    assert order(encounter)[:3] == [ARIA, -CLEO, BRAN]
    pressed(gm_client, encounter, "reorder", target=WOLF, before=str(second(encounter)))
    assert order(encounter)[:4] == [ARIA, WOLF, -CLEO, BRAN]
    pressed(gm_client, encounter, "reorder", target=CLEO, second="1", before="")
    assert order(encounter)[-1] == -CLEO


def test_whoever_has_no_second_turn_has_no_place_to_move_or_to_take_away(
    gm_client: Client,
) -> None:
    encounter = table("begun")
    before = order(encounter)
    for fields in ({"move": "up"}, {"before": str(ARIA)}):
        answer = press(gm_client, encounter, "reorder", target=OGRE, second="1", **fields)
        assert (answer.status_code, "is gone" in text_of(answer)) == (422, True)
    answer = press(gm_client, encounter, "remove-extra-turn", target=GOBLIN)
    assert (answer.status_code, "is gone" in text_of(answer)) == (422, True)
    assert order(encounter) == before


def test_a_second_turn_is_taken_away_alone_and_the_log_says_so(gm_client: Client) -> None:
    encounter = table("begun")
    before = order(encounter)
    answer = press(gm_client, encounter, "remove-extra-turn", target=CLEO)
    assert "Cleo’s second turn is taken away" in text_of(answer)
    assert order(encounter) == [number for number in before if number != -CLEO]
    step = encounter.steps.last()
    assert step
    assert log.kinds(step.command, step.events) == {"order"}


def test_the_rows_say_who_acts_twice_and_which_is_the_second() -> None:
    shown = rows(fight_in(table("begun")), None, ())
    fields = [(row.number, row.fields.split()) for row in shown]
    (twice,) = [number for number, words in fields if "twice" in words]
    (again,) = [number for number, words in fields if "second" in words]
    assert twice == again == CLEO
    assert all(("whole" in words) != ("second" in words) for _, words in fields)
    assert all("once" not in words for number, words in fields if number == CLEO)


def test_without_scripts_both_places_are_moved_from_the_creatures_own_strip(
    gm_client: Client,
) -> None:
    encounter = table("begun")
    page = gm_client.get(f"/e/{encounter.uuid}/?selected={CLEO}").content.decode()
    assert '<noscript><label class="tick"><input type="checkbox" name="second" value="1">' in page
    other = gm_client.get(f"/e/{encounter.uuid}/?selected={BRAN}").content.decode()
    assert 'type="checkbox" name="second"' not in other
    press_plainly(gm_client, encounter, "reorder", target=CLEO, second=["", "1"], move="up")
    assert order(encounter)[-1] != -CLEO


# Players


def ambush() -> tuple[Encounter, PlayerLink]:
    """Aria 20, Bran 15, a hidden Stalker 12 with a second turn at 2."""
    link = PlayerLinkFactory.create(campaign__reveal_on_turn=False)
    people = fight_of(hero("Aria"), hero("Bran"), creature("Stalker", hidden=True))
    encounter = EncounterFactory.create(campaign=link.campaign, fight=people)
    take(encounter, rules.StartFight(totals={1: 20, 2: 15, 3: 12}))
    take(encounter, rules.GiveExtraTurn(3))
    return encounter, link


def test_players_do_not_notice_a_hidden_ones_second_turn_moved_or_taken_away() -> None:
    encounter, link = ambush()
    before = seen_by_players(link, "en")
    take(encounter, rules.Reorder(rules.second_place(fight_in(encounter), 3), 1))
    assert seen_by_players(link, "en") == before
    take(encounter, rules.RemoveExtraTurn(3))
    assert seen_by_players(link, "en") == before


def test_players_see_that_a_heros_second_turn_is_gone() -> None:
    encounter, link = ambush()
    take(encounter, rules.GiveExtraTurn(2))

    assert [slot.title for slot in board_of(link).coming] == ["Bran", "Bran"]
    take(encounter, rules.RemoveExtraTurn(2))
    assert [slot.title for slot in board_of(link).coming] == ["Bran"]
