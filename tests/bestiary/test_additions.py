"""What a game master types into the one field that adds to a fight."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestiary.additions import Part, parse_addition
from bestiary.book import DATA


@pytest.mark.parametrize(
    "typed",
    ["6 gob", "6x gob", "6X gob", "6 x gob", "6 × gob", "6× gob", "6×gob", "6*gob", "6gob"],
)
def test_a_quantity_may_stand_in_front(typed: str) -> None:
    assert parse_addition(typed) == [Part(6, "gob")]


@pytest.mark.parametrize("typed", ["gob x6", "gob x 6", "gob X6", "gob ×6", "gob × 6", "gob×6"])
def test_a_quantity_may_stand_behind(typed: str) -> None:
    assert parse_addition(typed) == [Part(6, "gob")]


def test_a_missing_quantity_is_one_and_known_as_missing() -> None:
    ogre, wolf = parse_addition("ogre, 1 wolf")
    assert (ogre, wolf) == (Part(1, "ogre"), Part(1, "wolf"))
    assert (ogre.counted, wolf.counted) == (False, True)


def test_commas_separate_heroes_and_creatures_in_their_order() -> None:
    assert parse_addition("Aria, Bran, Cleo, Dain") == [
        Part(1, "Aria"),
        Part(1, "Bran"),
        Part(1, "Cleo"),
        Part(1, "Dain"),
    ]
    assert parse_addition("2 goblins, ogre,loup ×2") == [
        Part(2, "goblins"),
        Part(1, "ogre"),
        Part(2, "loup"),
    ]


def test_spaces_are_collapsed_and_empty_parts_dropped() -> None:
    assert parse_addition(" , 2   dire \t wolf ,, \n Lia ") == [
        Part(2, "dire wolf"),
        Part(1, "Lia"),
    ]


@pytest.mark.parametrize("typed", ["", " ", ",", "6", "-5", "1.5", "6 ×", "×6", "6, 7"])
def test_a_quantity_of_nobody_adds_nobody(typed: str) -> None:
    assert parse_addition(typed) == []


@pytest.mark.parametrize(("typed", "quantity"), [("0 gob", 0), ("200 gob", 200), ("201 gob", 201)])
def test_a_quantity_is_kept_as_typed(typed: str, quantity: int) -> None:
    assert parse_addition(typed) == [Part(quantity, "gob")]


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("6 xorn", Part(6, "xorn")),
        ("6xorn", Part(6, "xorn")),
        ("Max 6", Part(1, "Max 6")),
        ("lynx6", Part(1, "lynx6")),
    ],
)
def test_an_x_that_belongs_to_a_name_is_no_sign(typed: str, part: Part) -> None:
    assert parse_addition(typed) == [part]


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("2 Dragon rouge, adulte", [Part(2, "Dragon rouge, adulte")]),
        ("dragons noirs, jeunes x3", [Part(3, "dragons noirs, jeunes")]),
        ("dragon d’or, VENERABLE, Lia", [Part(1, "dragon d’or, VENERABLE"), Part(1, "Lia")]),
        ("Lia, Jeune", [Part(1, "Lia"), Part(1, "Jeune")]),
    ],
)
def test_a_comma_inside_a_french_name_does_not_cut_it(typed: str, parts: list[Part]) -> None:
    assert parse_addition(typed) == parts


def test_every_name_of_the_book_can_be_typed_in_full() -> None:
    for file in ("srd_5_1_creatures.json", "srd_5_2_creatures.json"):
        for record in json.loads((DATA / file).read_bytes()):
            for name in (record["name_en"], record["name_fr"] or record["name_fr_suggested"]):
                assert parse_addition(f"3 {name}, Lia") == [Part(3, name), Part(1, "Lia")]


@pytest.mark.parametrize(
    ("typed", "quantity"),
    [("9" * 5000 + " gob", 9_999_999_999), ("-5 gob", -5), ("\u22122 gob", -2), ("1.5 gob", 0)],
)
def test_a_quantity_that_nobody_can_add_is_read_as_one(typed: str, quantity: int) -> None:
    assert parse_addition(typed) == [Part(quantity, "gob")]


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("four goblins", [(4, "goblins")]),
        ("quatre gobelins", [(4, "gobelins")]),
        ("4 goblins and 2 wolves", [(4, "goblins"), (2, "wolves")]),
        ("4 gobelins et deux loups", [(4, "gobelins"), (2, "loups")]),
        ("Dain\nElia\r\nFaye", [(1, "Dain"), (1, "Elia"), (1, "Faye")]),
        ("Dain; Elia;Faye", [(1, "Dain"), (1, "Elia"), (1, "Faye")]),
        ("/6 gob", [(6, "gob")]),
        ("/ ogre", [(1, "ogre")]),
        ("Sandor", [(1, "Sandor")]),
        ("\u200b\u200d", []),
        ("\u0301", []),
    ],
)
def test_what_a_table_types_is_read_as_said(typed: str, parts: list[tuple[int, str]]) -> None:
    assert [(part.quantity, part.name) for part in parse_addition(typed)] == parts


def test_figures_behind_a_name_are_no_part_of_it() -> None:
    [baron] = parse_addition("baron noir pv 60 ca 17 init +2")
    assert (baron.name, baron.figures) == ("baron noir", {"hp": 60, "ac": 17, "initiative": 2})
    [gang] = parse_addition("3 Claw brigands HP 11 AC:12 initiative \u22121")
    assert (gang.quantity, gang.name) == (3, "Claw brigands")
    assert gang.figures == {"hp": 11, "ac": 12, "initiative": -1}


@pytest.mark.parametrize(
    "typed",
    [
        "Bandit chief AC 15 45 hp",
        "Bandit chief 15 ac 45 hp",
        "Bandit chief 45hp ac15",
        "Bandit chief, AC 15, 45 hp",
        "Bandit chief AC 15 and HP 45",
    ],
)
def test_a_figure_stands_before_or_behind_its_word(typed: str) -> None:
    [chief] = parse_addition(typed)
    assert (chief.quantity, chief.name, chief.figures) == (1, "Bandit chief", {"ac": 15, "hp": 45})


def test_a_quantity_before_figures_is_none_of_them() -> None:
    [gang] = parse_addition("gob x 6 pv 12")
    assert (gang.quantity, gang.name, gang.figures) == (6, "gob", {"hp": 12})


@given(
    st.text(max_size=500)
    | st.text("0123456789x×* ,gob", max_size=500)
    | st.text("xX 9,", min_size=400, max_size=500)
)
def test_any_text_is_read(text: str) -> None:
    for part in parse_addition(text):
        assert part.quantity >= 0
        assert part.name
        assert part.name == " ".join(part.name.split())
