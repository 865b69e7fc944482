"""Reading the shipped creatures into the database."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import DjangoAssertNumQueries

from bestiary.book import DATA, attribution, load_book
from bestiary.models import Book, Creature

pytestmark = pytest.mark.django_db

FILES = ("srd_5_1_creatures.json", "srd_5_2_creatures.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in FILES:
        shutil.copy(DATA / file, tmp_path)
    return tmp_path


def change(folder: Path, key: str, **facts: Any) -> None:
    path = folder / FILES[0]
    records = json.loads(path.read_bytes())
    next(record for record in records if record["key"] == key).update(facts)
    path.write_text(json.dumps(records), encoding="utf-8")


def test_every_creature_of_both_documents_is_loaded_with_both_names() -> None:
    assert load_book() == 653
    assert Creature.objects.filter(source="srd-5.1", edition="2014").count() == 322
    assert Creature.objects.filter(source="srd-5.2", edition="2024").count() == 331
    for blank in ("name", "name_fr", "search_en", "search_fr"):
        assert not Creature.objects.filter(**{blank: ""}).exists()


def test_the_goblin_has_the_numbers_of_the_document() -> None:
    load_book()
    goblin = Creature.objects.get(source="srd-5.1", key="goblin")
    assert (goblin.name, goblin.name_fr, goblin.size, goblin.type) == (
        "Goblin",
        "Gobelin",
        "small",
        "humanoid",
    )
    assert (goblin.cr, goblin.cr_value, goblin.xp) == ("1/4", 0.25, 50)
    assert (goblin.ac, goblin.hp, goblin.hit_dice, goblin.speed) == (15, 7, "2d6", 30)
    assert (goblin.dexterity, goblin.initiative, goblin.stealth) == (14, 2, 6)
    assert goblin.passive_perception == 9
    assert [attack["name_fr"] for attack in goblin.facts["attacks"]] == ["Cimeterre", "Arc court"]


def test_a_creature_unknown_to_the_french_document_bears_the_suggested_name() -> None:
    load_book()
    assert Creature.objects.get(source="srd-5.2", key="goblin-boss").name_fr == "Chef gobelin"


def test_a_creature_has_one_public_code_per_document() -> None:
    load_book()
    codes = [creature.code for creature in Creature.objects.filter(key="wolf")]
    assert sorted(codes) == ["srd-5.1/wolf", "srd-5.2/wolf"]


def test_a_second_start_asks_once_and_writes_nothing(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    load_book()
    with django_assert_num_queries(1):
        assert load_book() == 0


def test_an_update_of_the_program_changes_the_rows_in_place(folder: Path) -> None:
    load_book(folder)
    when = datetime(2030, 1, 2, tzinfo=UTC)
    Creature.objects.filter(source="srd-5.1", key="goblin").update(last_used=when)
    before = Creature.objects.get(source="srd-5.1", key="goblin")

    change(folder, "goblin", hp=8, name_fr="Gobelin vert")
    assert load_book(folder) == 653

    goblin = Creature.objects.get(pk=before.pk)
    assert (goblin.hp, goblin.name_fr, goblin.search_fr) == (8, "Gobelin vert", "\ngobelin vert")
    assert goblin.facts["hp"] == 8
    assert goblin.last_used == when
    assert Creature.objects.count() == 653
    assert load_book(folder) == 0


def test_a_creature_that_left_the_book_stays_for_the_fights_that_have_it(folder: Path) -> None:
    load_book(folder)
    path = folder / FILES[0]
    records = json.loads(path.read_bytes())
    path.write_text(json.dumps([one for one in records if one["key"] != "goblin"]))
    assert load_book(folder) == 652
    assert Creature.objects.filter(source="srd-5.1", key="goblin").exists()


def test_a_loading_that_breaks_off_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(*args: object, **kwargs: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Book.objects, "bulk_create", break_off)
    with pytest.raises(OSError, match="disk full"):
        load_book()
    assert not Creature.objects.exists()


def test_both_documents_are_credited_under_their_licence() -> None:
    lines = attribution()
    for document, line in (("5.1", lines["srd_5_1"]), ("5.2", lines["srd_5_2"])):
        assert f"System Reference Document {document}" in line
        assert "Wizards of the Coast LLC" in line
        assert "Creative Commons Attribution 4.0 International License" in line
    assert lines["changes_en"]
    assert lines["changes_fr"]


def test_the_migrations_say_all_that_the_models_say() -> None:
    call_command("makemigrations", "bestiary", check=True, dry_run=True, verbosity=0)
