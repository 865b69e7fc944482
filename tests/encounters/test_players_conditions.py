"""Conditions on the players' page: what they see of them, and for how long."""

from typing import Any

import pytest
from django.test import Client

import rules
from encounters import player_views, publishing
from encounters.models import Encounter, PlayerLink
from encounters.screens.player_effects import IN_SIGHT
from encounters.store import save_fight
from tests.encounters.playing import fight_in, fresh, redo, take, text_of, undo
from tests.encounters.test_secrecy import ambush, board_of, fought, unnoticed
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db


@pytest.fixture
def link() -> PlayerLink:
    """A link to a running fight: Aria has the turn, then two Goblins and a hidden Stalker."""
    made: PlayerLink = PlayerLinkFactory.create()
    goblins = [creature(creature="gob", name_fr="Gobelin")] * 2
    fight = fight_of(hero("Aria"), *goblins, creature("Stalker", hidden=True))
    encounter = EncounterFactory.create(campaign=made.campaign, fight=fight)
    take(encounter, rules.StartFight(totals={1: 20, 2: 12, 4: 3}))
    return made


def fight_of_link(link: PlayerLink) -> Encounter:
    found: Encounter = Encounter.objects.get(campaign=link.campaign)
    return found


def page(client: Client, link: PlayerLink, language: str = "en") -> Any:
    return client.get(f"/j/{link.token}?lang={language}")


def _codes(link: PlayerLink) -> list[str]:
    """Of the effects that players see on anybody."""
    board = board_of(link)
    slots = [*([board.now] if board.now else []), *board.coming, *board.later]
    return [effect.code for slot in slots for one in slot.members for effect in one.effects]


# What is shown


def test_players_read_conditions_and_what_they_mean_in_their_language(
    client: Client, link: PlayerLink
) -> None:
    encounter = fight_of_link(link)
    take(encounter, rules.AddEffect(2, rules.Effect("grappled", source=1)))
    for language, meaning in (("en", "Speed 0; ends if"), ("fr", "prend fin si l’empoigneur")):
        assert text_of(page(client, link, language)).count(meaning) == 1
    html = page(client, link).content.decode()
    assert html.count('popovertarget="m-grappled"') == html.count('id="m-grappled"') == 1


def test_what_a_condition_means_follows_the_edition(client: Client, link: PlayerLink) -> None:
    encounter = fight_of_link(link)
    take(encounter, rules.AddEffect(1, rules.Effect("exhaustion", 2)))
    assert "healthy exhaustion 2" in text_of(page(client, link))
    assert "Six stacking levels" in text_of(page(client, link))
    take(encounter, rules.ChangeSettings({"edition": "2024"}))
    assert "each one takes 2 off d20 rolls" in text_of(page(client, link))


def test_a_meaning_stands_there_once_however_many_have_the_condition(
    client: Client, link: PlayerLink
) -> None:
    for number in (1, 2, 3):
        take(fight_of_link(link), rules.AddEffect(number, rules.Effect("prone")))
    take(fight_of_link(link), rules.Damage(3, 2))
    html = page(client, link).content.decode()
    assert (html.count('popovertarget="m-prone"'), html.count('id="m-prone"')) == (3, 1)


SECRET: dict[str, rules.Command] = {
    "a secret condition": rules.AddEffect(1, rules.Effect("poisoned", secret=True)),
    "secret words": rules.AddEffect(1, rules.Effect("own", text="cursed", secret=True)),
    "what is held ready": rules.TakeAction(1, "ready", text="the bell"),
    "a hidden creature's condition": rules.AddEffect(4, rules.Effect("blinded")),
    "a hidden creature's concentration": rules.AddEffect(4, rules.Effect("concentration")),
}


@pytest.mark.parametrize("about", SECRET)
def test_what_is_not_for_players_changes_nothing_for_them(about: str, link: PlayerLink) -> None:
    encounter = fight_of_link(link)
    with unnoticed(link):
        take(encounter, SECRET[about])


@pytest.mark.parametrize(
    "effect",
    [
        rules.Effect("prone", source=4),
        rules.Effect("prone", source=2, save="wis", dc=13, each="3", offered=True),
        rules.Effect("prone", ends="end", turns=3, whose=4, source=3),
    ],
)
def test_players_learn_neither_the_source_nor_what_is_left(
    effect: rules.Effect, client: Client, link: PlayerLink
) -> None:
    encounter = fight_of_link(link)
    take(encounter, rules.AddEffect(1, rules.Effect("prone")))
    with unnoticed(link):
        take(encounter, rules.AddEffect(1, effect))
    with unnoticed(link):
        take(encounter, rules.RemoveEffect(1, "prone", source=effect.source))
        undo(encounter)


def test_players_see_that_one_concentrates_but_not_on_what(
    client: Client, link: PlayerLink
) -> None:
    encounter = fight_of_link(link)
    take(encounter, rules.TakeAction(1, "ready", text="hold the door", spell=True))
    assert _codes(link) == ["concentration"]
    assert "hold the door" not in page(client, link).content.decode()


def test_players_see_own_words_and_their_colour(client: Client, link: PlayerLink) -> None:
    own = rules.Effect("own", text="blessed", colour="blue")
    take(fight_of_link(link), rules.AddEffect(1, own))
    assert '<span class="fx worded blue">blessed</span>' in page(client, link).content.decode()


def test_players_see_who_is_dying_stable_or_dead_but_no_death_saves(
    client: Client, link: PlayerLink
) -> None:
    encounter = fight_of_link(link)
    take(encounter, rules.Damage(1, 25))
    assert "dying" in text_of(page(client, link))
    with unnoticed(link):
        take(encounter, rules.DeathSave(1, 5))
    take(encounter, rules.Stabilise(1))
    assert "stable" in text_of(page(client, link))
    take(encounter, rules.Damage(1, 60))
    assert "Aria dead" in text_of(page(client, link))


def test_an_update_of_ten_with_conditions_stays_small() -> None:
    link = PlayerLinkFactory.create()
    party = [hero(f"Adventurer {n}") for n in range(5)]
    foes = [creature(f"Hobgoblin captain {n}") for n in range(5)]
    encounter = EncounterFactory.create(campaign=link.campaign, fight=fight_of(*party, *foes))
    take(encounter, rules.StartFight(totals={n: 30 - n for n in range(1, 11)}))
    for number in range(1, 11):
        for code in ("prone", "poisoned"):
            take(encounter, rules.AddEffect(number, rules.Effect(code)))
    for code in ("blinded", "restrained", "concentration"):
        take(encounter, rules.AddEffect(1, rules.Effect(code)))
    for language in ("en", "fr"):
        _, html = player_views.render_screen(fresh(encounter).campaign, language)
        assert len(html.encode()) <= 6_000


# How long


@pytest.mark.parametrize(
    "effect",
    [
        rules.Effect("disengaged", ends="end"),
        rules.Effect("poisoned", ends="end"),
        rules.Effect("frightened", ends="start", whose=3, source=3),
        rules.Effect("own", text="blessed", ends="end", whose=1),
    ],
    ids=lambda effect: effect.code,
)
def test_what_ends_when_a_hidden_turn_begins_is_seen_until_the_next_turn(
    effect: rules.Effect,
) -> None:
    encounter, link = ambush()
    fight = fight_in(encounter)
    given = fight.with_combatant(1, effects=(effect,), action_spent=True)
    save_fight(fresh(encounter), fight, given)
    seen = [effect.code] if effect.code in IN_SIGHT else []
    publishing.publish_campaign(fresh(encounter).campaign)
    assert _codes(link) == seen
    with unnoticed(link):
        after = take(encounter, rules.NextTurn()).fight
    assert not after.combatant(1).effects
    with unnoticed(link):
        undo(encounter)
    with unnoticed(link):
        redo(encounter)
    with unnoticed(link):
        take(encounter, rules.Damage(3, 1))
    take(encounter, rules.NextTurn())
    assert _codes(link) == []


def test_two_hidden_turns_on_end_show_players_nothing_of_what_has_ended() -> None:
    encounter, link = fought(
        hero("Aria"), creature("Stalker", hidden=True), creature("Shade", hidden=True),
        hero("Bran"), totals={1: 20, 2: 15, 3: 10, 4: 5},
    )  # fmt: skip
    for effect in (
        rules.Effect("poisoned", ends="start", whose=2),
        rules.Effect("blinded", ends="start", whose=3),
    ):
        take(encounter, rules.AddEffect(1, effect))
    with unnoticed(link):
        take(encounter, rules.NextTurn())
        take(encounter, rules.NextTurn())
    assert not fight_in(encounter).combatant(1).effects
    take(encounter, rules.NextTurn())
    assert _codes(link) == []
