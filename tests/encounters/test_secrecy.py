"""Nothing of what only concerns the hidden reaches a player."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

import rules
from encounters import adding, player_views
from encounters.models import Campaign, PlayerLink
from encounters.screens import PlayerBoard
from tests.encounters.playing import fresh, redo, take, undo
from tests.encounters.watching import seen_by_players
from tests.factories import (
    CampaignFactory,
    EncounterFactory,
    PlayerLinkFactory,
    creature,
    fight_of,
    hero,
)

pytestmark = pytest.mark.django_db


@contextmanager
def unnoticed(link: PlayerLink) -> Iterator[None]:
    """What is done inside changes no byte of the players' screens, and sends them no frame."""
    before = seen_by_players(link, "en")
    yield
    assert seen_by_players(link, "en") == before


NUMBERS: dict[str, Any] = {
    "hp_heroes": "exact", "hp_foes": "exact", "show_ac": True, "show_initiative": True,
}  # fmt: skip


def ambush(**seen: Any) -> tuple[Any, PlayerLink]:
    """Aria 20, a hidden Stalker 15, Bran 10, two hidden Goblins 5; Aria has the turn.

    Not hidden, but awaited in round 40: a Wolf, and a Goblin of the hidden ones' group. `seen` is
    what the campaign lets players see, by column.
    """
    campaign = CampaignFactory.create(reveal_on_turn=False, **seen)
    link = PlayerLinkFactory.create(campaign=campaign)
    lurkers = [creature("Stalker", hidden=True), *[creature(creature="gob", hidden=True)] * 2]
    awaited = [creature("Wolf", arrives=40), creature(creature="gob", arrives=40)]
    encounter = EncounterFactory.create(
        campaign=link.campaign, fight=fight_of(hero("Aria"), hero("Bran"), *lurkers, *awaited)
    )
    take(encounter, rules.StartFight(totals={1: 20, 2: 10, 3: 15, 4: 5, 6: 3}))
    return encounter, link


HIDDEN_ONLY: dict[str, rules.Command] = {
    "its turn": rules.NextTurn(),
    "a wound": rules.Damage(3, 5),
    "its death": rules.Damage(3, 50),
    "temporary hit points": rules.GiveTemporary(3, 9),
    "its facts": rules.Edit(3, {"name": "Assassin", "notes": "poison", "label": "Aria"}),
    "one more": rules.Join((creature(hidden=True, creature="gob"),), (20,)),
    "an ogre": rules.Join((creature("Ogre", hidden=True),), (20,)),
    "one less": rules.Leave((3,)),
    "its place": rules.Reorder(3, None),
    "their places": rules.Reorder(4, 3),
    "its initiative": rules.RollInitiative(totals={3: 1}),
    "passing it over": rules.SetOut(3, True),
    "its surprise": rules.OverrideSurprise(3, "surprised"),
    "the turn given to it": rules.GiveTurn(4),
    "its reaction": rules.SetReaction(3, False),
    "a hero's notes": rules.Edit(1, {"notes": "cursed", "initiative_bonus": 9}),
    "a hero's secret condition": rules.AddEffect(1, rules.Effect("poisoned", secret=True)),
    "its concentration": rules.AddEffect(3, rules.Effect("concentration", text="Bless")),
    "what it concentrates on for another": rules.AddEffect(
        4, rules.Effect("own", text="blessed", source=3, hangs=True)
    ),
    "a hero's movement": rules.Move(1, 15),
    "a hero's action": rules.TakeAction(1, "ready", text="the bell"),
    "its condition": rules.AddEffect(3, rules.Effect("exhaustion", 2)),
    "what it holds ready": rules.TakeAction(3, "ready", text="the bell"),
    "its movement": rules.Move(3, 15),
    "what it has spent": rules.SetSpent(3, "bonus", True),
    "its waiting": rules.Wait(3),
    "its second turn": rules.GiveExtraTurn(3),
    "its rider": rules.Mount(3, 4),
    "its other side": rules.ChangeSide((3,), "third"),
    "their splitting": rules.Split((4,)),
    "their acting together": rules.Merge((3, 4, 7)),
    "a hidden lair": rules.Join((adding.lair(),)),
    "a wound of one awaited": rules.Damage(6, 2),
    "a condition of one awaited": rules.AddEffect(6, rules.Effect("prone")),
    "hiding one awaited": rules.SetHidden((6,), True),
    "a later arrival": rules.Edit(6, {"arrives": 50}),
    "another name of one awaited": rules.Edit(6, {"name": "Goblin", "label": "Aria"}),
    "no arrival": rules.Leave((6, 7)),
    "another arrival": rules.Join((creature(arrives=5), creature("Bear", arrives=6)), (20, 7)),
    "one awaited waits": rules.Wait(6),
    "one awaited in another place": rules.Reorder(6, 1),
    "who is allied": rules.Ally("foes", "third", True),
    "the rules of this fight": rules.ChangeSettings({"tie_rule": "roll_off", "edition": "2024"}),
}


BEHIND_A_WORD: dict[str, rules.Command] = {
    "temporary hit points": rules.GiveTemporary(1, 4),
    "armor class": rules.Edit(1, {"ac": 30}),
    "the maximum, and hit points with it": rules.ChangeMaximum(1, 5),
    "initiative": rules.RollInitiative(totals={1: 23}),
}


# RW-S23: while only the hidden are concerned, no byte and no frame differs
@pytest.mark.parametrize("seen", [{}, NUMBERS], ids=["words", "numbers"])
@pytest.mark.parametrize("about", HIDDEN_ONLY)
def test_players_do_not_notice_what_happens_to_the_hidden(about: str, seen: dict[str, Any]) -> None:
    encounter, link = ambush(**seen)
    before = seen_by_players(link, "en")
    assert take(encounter, HIDDEN_ONLY[about]).fight.version == 2
    assert seen_by_players(link, "en") == before
    undo(encounter)
    assert seen_by_players(link, "en") == before
    redo(encounter)
    assert seen_by_players(link, "en") == before
    assert fresh(encounter).version == 4


@pytest.mark.parametrize("about", BEHIND_A_WORD)
def test_players_notice_numbers_of_a_hero_only_where_they_see_them(about: str) -> None:
    encounter, link = ambush()
    with unnoticed(link):
        assert take(encounter, BEHIND_A_WORD[about]).fight.version == 2
    encounter, link = ambush(**NUMBERS)
    before = seen_by_players(link, "en")
    take(encounter, BEHIND_A_WORD[about])
    assert seen_by_players(link, "en")["en"] != before["en"]


def board_of(link: PlayerLink) -> PlayerBoard:
    return player_views._board(Campaign.objects.get(pk=link.campaign_id))


def fought(
    *fighters: rules.Combatant, totals: dict[int, int], **seen: Any
) -> tuple[Any, PlayerLink]:
    """A fight that has begun; `seen` is what players see of hit points, by column."""
    campaign = CampaignFactory.create(reveal_on_turn=False, **seen)
    link = PlayerLinkFactory.create(campaign=campaign)
    encounter = EncounterFactory.create(campaign=link.campaign, fight=fight_of(*fighters))
    take(encounter, rules.StartFight(totals=totals))
    return encounter, link


def test_players_see_who_arrives_with_the_first_turn_of_the_round_that_they_see() -> None:
    """Not before: an arrival without a turn tells that somebody hidden begins the round."""
    encounter, link = fought(
        creature("Stalker", hidden=True),
        hero("Aria"),
        creature(),
        creature(arrives=2),
        totals={1: 20, 2: 10, 3: 7, 4: 5},
    )
    take(encounter, rules.NextTurn())
    take(encounter, rules.NextTurn())
    with unnoticed(link):
        assert take(encounter, rules.NextTurn()).fight.round == 2
    take(encounter, rules.NextTurn())
    board = board_of(link)
    assert (board.now and board.now.title, board.round) == ("Aria", 2)
    assert [slot.title for slot in board.coming] == ["Goblin A", "Goblin B"]


def test_players_do_not_see_on_whose_turn_a_surprised_owners_lair_is_passed_over() -> None:
    encounter, link = fought(
        hero("Aria"),
        replace(adding.lair(), hidden=False, owner=3),
        creature("Stalker", hidden=True, surprise="surprised"),
        hero("Bran"),
        totals={1: 25, 3: 15, 4: 10},
    )
    with unnoticed(link):
        assert take(encounter, rules.NextTurn()).fight.current == 3
    take(encounter, rules.NextTurn())
    assert [slot.title for slot in board_of(link).later] == ["Aria", "Lair"]


def test_the_dead_are_not_told_to_wait() -> None:
    encounter, link = fought(hero("Aria"), creature(), totals={1: 20, 2: 10})
    take(encounter, rules.Damage(2, 50))
    with unnoticed(link):
        take(encounter, rules.Wait(2))


def test_a_second_turn_of_whoever_waits_is_not_announced() -> None:
    encounter, link = fought(hero("Aria"), hero("Bran"), totals={1: 20, 2: 15})
    take(encounter, rules.GiveExtraTurn(2))
    assert [slot.title for slot in board_of(link).coming] == ["Bran", "Bran"]
    take(encounter, rules.Wait(2))
    assert board_of(link).coming == ()
    assert [slot.title for slot in board_of(link).waiting] == ["Bran"]


def test_who_has_been_seen_and_is_hidden_again_leaves_no_trace_and_keeps_its_letter() -> None:
    encounter, link = fought(
        hero("Aria"), creature(), creature(), totals={1: 20, 2: 15, 3: 10}, **NUMBERS
    )
    take(encounter, rules.SetHidden((3,), True))
    assert [slot.title for slot in board_of(link).coming] == ["Goblin A"]
    with unnoticed(link):
        take(encounter, rules.Damage(3, 4))
        take(encounter, rules.Edit(3, {"ac": 18, "max_hp": 9}))
        take(encounter, rules.Reorder(3, 1))
        take(encounter, rules.RollInitiative(totals={3: 17}))
    take(encounter, rules.Join((creature(),), (1,)))
    take(encounter, rules.SetHidden((3,), False))
    titles = [slot.title for slot in board_of(link).coming]
    assert sorted(titles) == ["Goblin A", "Goblin B", "Goblin C"]
    assert titles[-1] == "Goblin C"


def test_showing_one_awaited_while_its_hidden_group_acts_is_unnoticed() -> None:
    encounter, link = ambush()
    take(encounter, rules.SetHidden((7,), True))
    take(encounter, rules.GiveTurn(4))
    with unnoticed(link):
        take(encounter, rules.SetHidden((7,), False))


def test_a_hidden_creature_that_begins_round_two_after_a_second_turn_is_unnoticed() -> None:
    encounter, link = fought(creature("Stalker", hidden=True), hero("Bran"), totals={1: 20, 2: 15})
    take(encounter, rules.GiveExtraTurn(2))
    take(encounter, rules.NextTurn())
    take(encounter, rules.NextTurn())
    with unnoticed(link):
        assert take(encounter, rules.NextTurn()).fight.round == 2


def test_when_a_hidden_creature_begins_the_fight_players_still_wait() -> None:
    link = PlayerLinkFactory.create(campaign__reveal_on_turn=False)
    prepared = fight_of(creature("Stalker", hidden=True), hero("Aria"))
    encounter = EncounterFactory.create(campaign=link.campaign, fight=prepared)
    with unnoticed(link):
        take(encounter, rules.StartFight(totals={1: 20, 2: 10}))
    take(encounter, rules.NextTurn())
    assert b"Aria" in seen_by_players(link, "en")["en"]  # type: ignore[operator]


# RW-S23: Aria stays marked on the hidden one's turn, then Bran is
def test_a_hidden_turn_keeps_the_marker_where_it_was_then_moves_on() -> None:
    encounter, link = ambush()

    def acting() -> str:
        board = board_of(link)
        return board.now.title if board.now else ""

    marked = []
    for _ in range(5):
        marked.append(acting())
        take(encounter, rules.NextTurn())
    assert marked == ["Aria", "Aria", "Bran", "Bran", "Aria"]
