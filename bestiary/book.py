"""Reading the shipped book into the database: once, and again when an update changes it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from django.db import transaction

from bestiary.folding import fold
from bestiary.models import Book, Creature

DATA = Path(__file__).resolve().parent / "data"
SOURCES = {  # source: file, edition of the rules
    "srd-5.1": ("srd_5_1_creatures.json", "2014"),
    "srd-5.2": ("srd_5_2_creatures.json", "2024"),
}
# Raise it when the same files give other columns, so that installed books are read again.
COLUMNS_VERSION = 1
OWN_COLUMNS = {
    "id",
    "source",
    "key",
    "last_used",
    "campaign",
    "deleted",
}  # never overwritten by a newer book

Record = dict[str, Any]


def load_book(folder: Path = DATA) -> int:
    """Bring the creatures of the book up to date, and return how many rows were written.

    0, after one query, when the files are those that were read last. Otherwise all in one
    transaction: rows are found again by source and key and keep their id and `last_used`; a
    creature that left the book stays, since a fight may refer to it.

    Raises OSError or ValueError when a data file is missing or is not JSON.
    """
    contents = {source: (folder / file).read_bytes() for source, (file, _) in SOURCES.items()}
    digests = {source: _digest(content) for source, content in contents.items()}
    known = dict(Book.objects.values_list("source", "digest"))
    if digests.items() <= known.items():
        return 0
    creatures = _creatures({source: json.loads(content) for source, content in contents.items()})
    with transaction.atomic():
        _write(creatures, digests)
    return len(creatures)


@cache
def attribution() -> dict[str, str]:
    """The lines that every copy must show: "srd_5_1", "srd_5_2", "changes_en", "changes_fr".

    The first two are the documents' own wording, in English whatever the language of the page.
    """
    lines: dict[str, str] = json.loads((DATA / "attribution.json").read_bytes())
    return lines


def _digest(content: bytes) -> str:
    return hashlib.sha256(b"%d\n%b" % (COLUMNS_VERSION, content)).hexdigest()


def _write(creatures: list[Creature], digests: dict[str, str]) -> None:
    columns = [field.name for field in Creature._meta.concrete_fields]
    Creature.objects.bulk_create(
        creatures,
        batch_size=1_000,  # PostgreSQL takes 65,535 values in a statement
        update_conflicts=True,
        unique_fields=["source", "key"],
        update_fields=[column for column in columns if column not in OWN_COLUMNS],
    )
    Book.objects.bulk_create(
        [Book(source=source, digest=digest) for source, digest in digests.items()],
        update_conflicts=True,
        unique_fields=["source"],
        update_fields=["digest"],
    )


def _creatures(records: dict[str, list[Record]]) -> list[Creature]:
    earlier = {record["key"]: record for record in records["srd-5.1"]}
    return [
        _creature(source, record, earlier.get(record.get("key_5_1")))
        for source in SOURCES
        for record in records[source]
    ]


def _creature(source: str, record: Record, earlier: Record | None) -> Creature:
    namesakes = [record] if earlier is None else [record, earlier]
    return Creature(
        source=source,
        key=record["key"],
        name=record["name_en"],
        name_fr=_french(record),
        edition=SOURCES[source][1],
        size=record["size"],
        type=record["type"],
        cr=record["cr"],
        cr_value=record["cr_value"],
        xp=record["xp"],
        ac=record["ac"],
        hp=record["hp"],
        hit_dice=record["hit_dice"],
        speed=record["speed"].get("walk", 0),
        dexterity=record["abilities"]["dex"],
        initiative=record["initiative"],
        stealth=record["stealth"],
        passive_perception=record["passive_perception"],
        facts=record,
        search_en=_folded(one["name_en"] for one in namesakes),
        search_fr=_folded(_french(one) for one in namesakes),
    )


def _french(record: Record) -> str:
    name: str = record["name_fr"] or record["name_fr_suggested"]
    return name


def _folded(names: Iterable[str]) -> str:
    return "".join(f"\n{name}" for name in dict.fromkeys(fold(name) for name in names))
