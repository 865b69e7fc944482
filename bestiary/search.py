"""Finding a creature by what is typed, in English or French, with or without accents.

Order: the edition played, names that begin so, names with a word that begins so, the creature used
last, the plainest name; after all of them those that hold the typed letters inside a word, where
a letter alone is not looked for.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Q

from bestiary.additions import Part, parse_addition, part_of
from bestiary.folding import fold, singulars, unaccented
from bestiary.models import Creature

__all__ = ["Part", "best", "find", "parse_addition"]

LONGEST = 80  # letters of a name

# How well a name answers, best first.
WHOLE, BEGINS, WORD_BEGINS, INSIDE, NOT = range(5)


class Word(NamedTuple):
    text: str
    singulars: list[str]


class Hit(NamedTuple):
    """A creature found; hits sort from best to worst."""

    inside: bool
    other_edition: bool
    rank: int
    since_used: float  # negative seconds since the epoch, 0 when never used
    length: int
    name: str
    pk: int


def find(text: str, limit: int = 8, prefer: str = "2014") -> list[Creature]:
    """At most `limit` creatures whose name in either language holds every typed word, best first.

    A quantity in the text ("6 goblins") is passed over, a plural finds its singular. `prefer` is
    the edition of the rules, "2014" or "2024". Any text is accepted.
    """
    hits = heapq.nsmallest(limit, _hits(text, prefer))
    found = Creature.objects.in_bulk([hit.pk for hit in hits])
    return [found[hit.pk] for hit in hits if hit.pk in found]


def best(text: str, prefer: str = "2014", *, whole: bool = False) -> Creature | None:
    """The creature that a typed "6 gob" adds: the first of `find` with words that begin so.

    With `whole`, only one whose whole name was typed ("ogre", "loups"), for texts without a
    quantity: "Lou" is then a hero and no wolf ("loup").
    """
    worst = WHOLE if whole else WORD_BEGINS
    hit = min((hit for hit in _hits(text, prefer) if hit.rank <= worst), default=None)
    return Creature.objects.filter(pk=hit.pk).first() if hit else None


def _hits(text: str, prefer: str) -> Iterator[Hit]:
    words = _words(text)
    if not words:
        return
    narrowed = _narrowed(max(words, key=lambda word: len(word.text)))
    rows = Creature.objects.filter(narrowed).values_list(
        "pk", "search_en", "search_fr", "edition", "last_used"
    )
    for pk, search_en, search_fr, edition, last_used in rows:
        names = f"{search_en}{search_fr}".split("\n")[1:]
        rank, length, name = min((_rank(words, name), len(name), name) for name in names)
        if rank < NOT:
            used = -last_used.timestamp() if last_used else 0.0
            yield Hit(rank == INSIDE, edition != prefer, rank, used, length, name, pk)


def _narrowed(longest: Word) -> Q:
    """What the database can tell by the longest typed word, the most telling one."""
    parts = [longest.text, *longest.singulars]
    if len(longest.text) == 1:
        parts = [f" {longest.text}", f"\n{longest.text}"]
    narrowed = Q()
    for part in parts:
        narrowed |= Q(search_en__contains=part) | Q(search_fr__contains=part)
    return narrowed


def _words(text: str) -> list[Word]:
    typed = fold(part_of(unaccented(text)).name)
    if len(typed) > LONGEST:
        return []
    return [Word(word, singulars(word)) for word in typed.split()]


def _rank(words: list[Word], name: str) -> int:
    padded = f" {name} "
    inside = False
    for word in words:
        if f" {word.text}" in padded or any(f" {one} " in padded for one in word.singulars):
            continue
        if len(word.text) == 1 or word.text not in name:
            return NOT
        inside = True
    if inside:
        return INSIDE
    if _is_whole(words, name):
        return WHOLE
    first = words[0]
    begins = name.startswith(first.text) or any(
        padded.startswith(f" {one} ") for one in first.singulars
    )
    return BEGINS if begins else WORD_BEGINS


def _is_whole(words: list[Word], name: str) -> bool:
    own = name.split()
    return len(own) == len(words) and all(
        mine == word.text or mine in word.singulars for mine, word in zip(own, words, strict=True)
    )
