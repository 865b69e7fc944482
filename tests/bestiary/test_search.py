"""Finding creatures by what is typed."""

import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from bestiary.book import load_book
from bestiary.folding import fold
from bestiary.models import Book, Creature
from bestiary.search import best, find, parse_addition
from tests.encounters.playing import examples

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("book")]


@pytest.fixture(scope="module")
def book(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The whole book, read once for all that is looked for in it."""
    with django_db_blocker.unblock():
        load_book()
    yield
    with django_db_blocker.unblock():
        Creature.objects.all().delete()
        Book.objects.all().delete()


def codes(text: str, limit: int = 8, prefer: str = "2014") -> list[str]:
    return [creature.code for creature in find(text, prefer=prefer, limit=limit)]


def first(text: str, prefer: str = "2014") -> str:
    return codes(text, 1, prefer)[0]


def best_code(text: str, prefer: str = "2014", *, whole: bool = False) -> str | None:
    creature = best(text, prefer=prefer, whole=whole)
    return creature.code if creature else None


@pytest.mark.parametrize("typed", ["goblin", "gobelin", "GOBELIN", "gob", " Göbelin "])
def test_either_language_finds_the_same_creature(typed: str) -> None:
    assert first(typed) == "srd-5.1/goblin"


@pytest.mark.parametrize(
    "typed",
    ["élémentaire de l'eau", "Elementaire de l’eau", "elementaire de l eau", "EAU elementaire"],
)
def test_accents_and_apostrophes_need_not_be_typed(typed: str) -> None:
    assert first(typed) == "srd-5.1/water-elemental"


@pytest.mark.parametrize(
    "typed",
    ["Dragon rouge, adulte", "dragon rouge adulte", "adulte rouge dragon", "adul roug drag"],
)
def test_all_words_are_looked_for_in_any_order(typed: str) -> None:
    assert codes(typed) == ["srd-5.1/adult-red-dragon", "srd-5.2/adult-red-dragon"]


def test_a_word_found_in_no_name_finds_nothing() -> None:
    assert find("dragon rouge plombier", prefer="2014") == []
    assert find("", prefer="2014") == find(" , - ", prefer="2014") == find("6", prefer="2014") == []


def test_the_letters_may_stand_inside_a_word_but_come_last() -> None:
    found = find("bold", prefer="2014", limit=50)
    assert {creature.name for creature in found} == {"Kobold", "Kobold Warrior"}
    assert "srd-5.1/kobold" in codes("bold")
    assert best("bold", prefer="2014") is None


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("6 goblins", "srd-5.1/goblin"),
        ("6 gobelins", "srd-5.1/goblin"),
        ("gobelins ×6", "srd-5.1/goblin"),
        ("loups", "srd-5.1/wolf"),
        ("wolves", "srd-5.1/wolf"),
        ("dire wolves", "srd-5.1/dire-wolf"),
        ("harpies", "srd-5.1/harpy"),
        ("mummies", "srd-5.1/mummy"),
        ("giant octopuses", "srd-5.1/giant-octopus"),
        ("chevaux de guerre", "srd-5.1/warhorse"),
        ("dragons rouges adultes", "srd-5.1/adult-red-dragon"),
        ("3 elementaires de l'eau", "srd-5.1/water-elemental"),
        ("２ goblins", "srd-5.1/goblin"),
    ],
)
def test_a_plural_finds_its_singular(typed: str, code: str) -> None:
    assert best_code(typed) == code


def test_a_plural_is_as_good_as_the_whole_name() -> None:
    for typed in ("corbeaux", "ravens", "Corbeau"):
        assert best_code(typed, whole=True) == "srd-5.1/raven"


def test_words_too_short_to_be_cut_are_no_plurals() -> None:
    assert codes("will o") == codes("wisp")
    assert find("will os", prefer="2014") == []


def test_a_letter_alone_is_looked_for_where_words_begin() -> None:
    for typed in ("g", "dragon g"):
        found = find(typed, prefer="2014", limit=1000)
        assert found
        for creature in found:
            assert " g" in f" {creature.search_en} {creature.search_fr}".replace("\n", " ")


def test_a_text_longer_than_any_name_finds_nothing() -> None:
    assert find("g" * 100_000, prefer="2014") == []


def test_the_edition_played_comes_first() -> None:
    assert first("ogre", "2014") == "srd-5.1/ogre"
    assert first("ogre", "2024") == "srd-5.2/ogre"
    assert first("orc", "2024") == "srd-5.1/orc", "only the other edition has it"


def test_a_creature_answers_to_its_former_name() -> None:
    assert first("thug", "2024") == "srd-5.2/tough"
    assert first("gobelin", "2024") == first("goblin", "2024") == "srd-5.2/goblin-warrior"


def test_names_that_begin_so_come_before_words_that_begin_so_and_these_before_insides() -> None:
    assert codes("loup", 5) == [
        "srd-5.1/wolf",
        "srd-5.1/werewolf",
        "srd-5.1/winter-wolf",
        "srd-5.1/dire-wolf",
        "srd-5.1/giant-wolf-spider",
    ]
    found = codes("ogre", limit=50)
    assert found.index("srd-5.1/ogre-zombie") < found.index("srd-5.2/ogre")
    begins = [
        " rat" in f" {fold(creature.name)} {fold(creature.name_fr)}"
        for creature in find("rat", prefer="2014", limit=50)
    ]
    assert begins == sorted(begins, reverse=True), "those with it inside a word are the last"
    assert not all(begins)


def test_the_creature_used_last_comes_first_among_equals_but_never_before_the_whole_name() -> None:
    Creature.objects.filter(key="bugbear", edition="2014").update(
        last_used=datetime(2030, 1, 2, tzinfo=UTC)
    )
    Creature.objects.filter(key="ogre-zombie", edition="2014").update(
        last_used=datetime(2030, 1, 2, tzinfo=UTC)
    )
    assert first("gob") == "srd-5.1/bugbear"
    assert first("goblin") == "srd-5.1/goblin"
    assert first("ogre") == "srd-5.1/ogre"


def test_the_later_use_comes_first() -> None:
    for day, key in enumerate(["goblin", "bugbear", "hobgoblin"], start=1):
        Creature.objects.filter(key=key, edition="2014").update(
            last_used=datetime(2030, 1, day, tzinfo=UTC)
        )
    assert codes("gob", 2) == ["srd-5.1/bugbear", "srd-5.1/goblin"]


def test_the_plainest_name_comes_first_among_equals() -> None:
    assert codes("rat", 3) == ["srd-5.1/rat", "srd-5.1/wererat", "srd-5.1/giant-rat"]


def test_no_more_are_given_than_asked_for() -> None:
    assert len(find("dragon", prefer="2014", limit=3)) == 3
    assert len(find("dragon", prefer="2014")) == 8


def test_six_gob_adds_goblins() -> None:
    assert best_code("6 gob") == best_code("gob") == "srd-5.1/goblin"
    assert best_code("6 gob", "2024") == "srd-5.2/goblin-warrior"


@pytest.mark.parametrize("edition", ["2014", "2024"])
def test_a_hero_is_not_taken_for_a_creature(edition: str) -> None:
    party = "Aria, Bran, Cleo, Dain, Lia, Leo, Ana, Eva, Max, Sam, Mara, Noé, Mia, Tom, Chloé, Théo"
    heroes = parse_addition(party)
    assert len(heroes) == 16
    assert [best(hero.name, prefer=edition) for hero in heroes] == [None] * 16


def test_without_a_quantity_a_creature_can_be_asked_for_by_its_whole_name() -> None:
    assert best_code("Lou") == "srd-5.1/wolf"
    assert best("Lou", prefer="2014", whole=True) is None
    assert best("Jack", prefer="2014", whole=True) is None
    for typed in ("loup", "Loups", "WOLF", "wolves"):
        assert best_code(typed, whole=True) == "srd-5.1/wolf"
    assert best_code("dragon rouge, adulte", whole=True) == "srd-5.1/adult-red-dragon"


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Œil d'Été", "oeil d ete"),
        ("ŒUVRE", "oeuvre"),
        ("Ægir", "aegir"),
        ("Straße", "strasse"),
        ("ﬁl", "fil"),
        ("Will-o’-Wisp", "will o wisp"),
        ("Dragon rouge,  adulte", "dragon rouge adulte"),
    ],
)
def test_ligatures_and_signs_are_folded(written: str, folded: str) -> None:
    assert fold(written) == folded


NAMES = st.sampled_from(["6 gobelins", "Élémentaire de l'eau", "Dragon rouge, adulte", "Wolves"])
TYPED = st.text(max_size=500) | st.text("aeéglnorstœ'-x×,6 ", max_size=30) | NAMES


@examples(30)
@given(TYPED)
@example("6x gobelins")
def test_case_and_accents_change_nothing_whatever_is_typed(text: str) -> None:
    found = codes(text)
    assert codes(text.upper()) == found
    assert codes(text.casefold()) == found
    assert codes(unicodedata.normalize("NFD", text)) == found
    assert codes("".join(x + "\u0301" if x.isalpha() else x for x in text)) == found
    assert best(text, prefer="2014") is None or best_code(text) == found[0]
