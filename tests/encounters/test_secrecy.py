"""Nothing that the GM hides reaches a player: twins look the same, and leaks are found."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

import rules
from encounters import player_views
from encounters.models import Campaign, PlayerLink
from tests.encounters.playing import examples, fight_in, fresh, redo, rolled_back, take, undo
from tests.encounters.watching import Twins, compare, seen_by_players, twins
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:Generating overly large repr"),  # of fights, when they fail
]


@examples(200)
@given(pair=twins(), language=st.sampled_from(["en", "fr"]))
def test_two_fights_with_the_same_outside_give_players_the_same_bytes(
    pair: Twins, language: str
) -> None:
    compare(pair, language)


# What only concerns the hidden


@contextmanager
def unnoticed(link: PlayerLink) -> Iterator[None]:
    """What is done inside changes no byte of the players' screens, and sends them no frame."""
    before = seen_by_players(link, "en")
    yield
    assert seen_by_players(link, "en") == before


def ambush() -> tuple[Any, PlayerLink]:
    """Aria 20, a hidden Stalker 15, Bran 10, two hidden Goblins 5; Aria has the turn."""
    link = PlayerLinkFactory.create(campaign__reveal_on_turn=False)
    lurkers = [creature("Stalker", hidden=True), *[creature(creature="gob", hidden=True)] * 2]
    encounter = EncounterFactory.create(
        campaign=link.campaign, fight=fight_of(hero("Aria"), hero("Bran"), *lurkers)
    )
    take(encounter, rules.StartFight(totals={1: 20, 2: 10, 3: 15, 4: 5}))
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
    "a hero's hit points within one word": rules.GiveTemporary(1, 4),
    "a hero's notes": rules.Edit(1, {"notes": "cursed", "ac": 30}),
}


@pytest.mark.parametrize("about", HIDDEN_ONLY)
def test_players_do_not_notice_what_happens_to_the_hidden(about: str) -> None:
    encounter, link = ambush()
    with unnoticed(link):
        assert take(encounter, HIDDEN_ONLY[about]).fight.version == 2
    with unnoticed(link):
        undo(encounter)
    with unnoticed(link):
        redo(encounter)
    assert fresh(encounter).version == 4


def hidden_commands() -> st.SearchStrategy[Callable[[rules.Fight], rules.Command]]:
    """Any command that is about hidden combatants alone."""
    who, amount = st.integers(3, 6), st.integers(0, 9)
    return st.one_of(
        st.builds(lambda n, hp: lambda _: rules.Damage(n, hp), who, amount),
        st.builds(lambda n, hp: lambda _: rules.Heal(n, hp), who, amount),
        st.builds(lambda n, on: lambda _: rules.SetOut(n, on), who, st.booleans()),
        st.builds(lambda n, label: lambda _: rules.Edit(n, {"label": label}), who, st.just("Bran")),
        st.builds(lambda n, total: lambda _: rules.RollInitiative(totals={n: total}), who, amount),
        st.builds(lambda n, b: lambda _: rules.Reorder(n, b), who, st.integers(1, 5)),
        st.builds(lambda n: lambda _: rules.GiveTurn(n), who),
        st.just(lambda _: rules.Join((creature(hidden=True),), (1,))),
        st.just(lambda _: rules.NextTurn()),
    )


def concerns_the_hidden_alone(fight: rules.Fight, command: rules.Command) -> bool:
    if not isinstance(command, rules.NextTurn):
        return True
    coming = rules.next_slot(fight)
    return coming is not None and all(c.hidden for c in fight.members(coming))


@examples(25)
@given(done=st.lists(hidden_commands() | st.sampled_from(["undo", "redo"]), max_size=8))
def test_however_long_the_hidden_are_busy_players_notice_nothing(
    done: list[Callable[[rules.Fight], rules.Command] | str],
) -> None:
    with rolled_back():
        encounter, link = ambush()
        with unnoticed(link):
            for act in done:
                fight = fight_in(encounter)
                try:
                    if act == "redo":
                        redo(encounter)
                    elif isinstance(act, str):
                        if fresh(encounter).undo_step != 1:
                            undo(encounter)
                    elif concerns_the_hidden_alone(fight, act(fight)):
                        with transaction.atomic():
                            take(encounter, act(fight))
                except rules.RuleError:
                    continue


def test_when_a_hidden_creature_begins_the_fight_players_still_wait() -> None:
    link = PlayerLinkFactory.create(campaign__reveal_on_turn=False)
    prepared = fight_of(creature("Stalker", hidden=True), hero("Aria"))
    encounter = EncounterFactory.create(campaign=link.campaign, fight=prepared)
    with unnoticed(link):
        take(encounter, rules.StartFight(totals={1: 20, 2: 10}))
    take(encounter, rules.NextTurn())
    assert b"Aria" in seen_by_players(link, "en")["en"]  # type: ignore[operator]


def test_a_hidden_turn_keeps_the_marker_where_it_was_then_moves_on() -> None:
    encounter, link = ambush()

    def acting() -> str:
        board = player_views._board(Campaign.objects.get(pk=link.campaign_id))
        return board.now.title if board.now else ""

    marked = []
    for _ in range(5):
        marked.append(acting())
        take(encounter, rules.NextTurn())
    assert marked == ["Aria", "Aria", "Bran", "Bran", "Aria"]
