"""How players read a group: its members by the state that they are in."""

from dataclasses import replace

import pytest

from encounters.labels import Name
from encounters.screens.player import PlayerCreature, PlayerSlot
from encounters.screens.together import in_runs


def goblins(**health: str) -> PlayerSlot:
    """A group, its letters with the health of each."""
    members = (
        PlayerCreature(Name("Goblin", "Gobelin", mark), is_, False) for mark, is_ in health.items()
    )
    return PlayerSlot("foes", tuple(members), gone=False)


def told(slot: PlayerSlot) -> list[tuple[str, str]]:
    return [(called, one.health) for called, one in slot.alike]


def test_a_group_of_one_mind_is_told_of_once() -> None:
    assert told(goblins(A="healthy", B="healthy", C="healthy")) == [("", "healthy")]


def test_members_are_told_of_by_the_state_they_are_in() -> None:
    group = goblins(B="healthy", C="hurt", A="healthy", D="down", E="hurt")
    assert told(group) == [("A, B", "healthy"), ("C, E", "hurt"), ("D", "down")]


def test_whoever_is_alone_needs_no_letter() -> None:
    assert told(goblins(C="hurt")) == [("", "hurt")]


def test_conditions_hit_points_and_ac_tell_members_apart() -> None:
    slot = goblins(A="healthy", B="healthy")
    one, other = slot.members
    for differs in ({"surprised": True}, {"hp": 3}, {"temp_hp": 2}, {"ac": 15}):
        apart = replace(slot, members=(one, replace(other, **differs)))
        assert [called for called, _ in apart.alike] == ["A", "B"]


def test_heroes_who_act_together_are_told_of_each_alone() -> None:
    heroes = tuple(
        PlayerCreature(Name(n, n), "healthy", False, is_hero=True) for n in ("Lia", "Bran")
    )
    slot = PlayerSlot("heroes", heroes, gone=False)
    assert [(called, one.name.en) for called, one in slot.alike] == [
        ("Lia", "Lia"),
        ("Bran", "Bran"),
    ]


def test_those_who_are_not_alike_are_called_by_all_their_names() -> None:
    heroes = [PlayerCreature(Name(name, name), "healthy", False) for name in ("Cleo", "Dain")]
    assert PlayerSlot("heroes", tuple(heroes), gone=False).title == "Cleo + Dain"
    ogre = PlayerCreature(Name("Ogre", "Ogre"), "hurt", False)
    group = goblins(A="healthy", B="hurt", C="healthy")
    mixed = replace(group, members=(*group.members, ogre))
    assert mixed.title == "Goblin ×3 + Ogre"
    assert told(mixed) == [("Goblin A, Goblin C", "healthy"), ("Goblin B, Ogre", "hurt")]


@pytest.mark.parametrize(
    ("marks", "read"),
    [
        ("A", "A"),
        ("AB", "A, B"),
        ("BCA", "A–C"),
        ("ABCDFGI", "A–D, F, G, I"),
        (["Z", "AB", "AA", "Y", "X"], "X–Z, AA, AB"),
        (["Lia", "Bran"], "Lia, Bran"),
    ],
)
def test_letters_in_a_row_are_read_from_the_first_to_the_last(marks: list[str], read: str) -> None:
    assert in_runs(marks) == read


@pytest.mark.parametrize(("letters", "long"), [(20, False), (21, True)])
def test_a_name_of_more_than_twenty_letters_is_long(letters: int, long: bool) -> None:
    name = "Ogre of the mill pond over the hill"[:letters]
    one = PlayerCreature(Name(name, name), "healthy", False)
    assert PlayerSlot("foes", (one,), gone=False).long == long
