"""Finding a creature by what is typed, in English or French, with or without accents.

Order: the edition played, the whole name, one's own of this campaign, names that begin so, names
with a word that begins so, the creature used last, the plainest name; after all of them those that
hold the typed letters inside a word, where a letter alone is not looked for. Where nothing is
found, names that differ by one letter are.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.db.models import Q, QuerySet

from bestiary.additions import Part, parse_addition, part_of
from bestiary.folding import fold, singulars, unaccented
from bestiary.models import Creature

__all__ = ["NEAR", "Part", "best", "find", "parse_addition", "ranked"]

LONGEST = 80  # letters of a name
LEAST_NEAR = 4  # letters of a name that may be misspelt

# How well a name answers, best first.
WHOLE, BEGINS, WORD_BEGINS, INSIDE, NEAR, NOT = range(6)


class Word(NamedTuple):
    text: str
    singulars: list[str]


class Hit(NamedTuple):
    """A creature found; hits sort from best to worst."""

    unlikely: bool  # the letters stand inside a word, or nearly so
    other_edition: bool
    not_whole: bool
    origin: int  # 0 one's own of this campaign, 1 the book, 2 one's own of another campaign
    rank: int
    since_used: float  # negative seconds since the epoch, 0 when never used
    length: int
    name: str
    pk: int


def find(text: str, *, prefer: str, campaign: int | None = None, limit: int = 8) -> list[Creature]:
    """At most `limit` creatures whose name in either language holds every typed word, best first.

    A quantity in the text ("6 goblins") is passed over, a plural finds its singular. `prefer` is
    the edition of the rules, "2014" or "2024", `campaign` the one whose own come first. Any text
    is accepted.
    """
    return [found for found, _ in ranked(text, prefer=prefer, campaign=campaign, limit=limit)]


def ranked(
    text: str, *, prefer: str, campaign: int | None = None, limit: int = 8
) -> list[tuple[Creature, int]]:
    """The same, each with how well its name answers: INSIDE and NEAR are guesses."""
    hits = heapq.nsmallest(limit, _hits(text, prefer, campaign) or _near(text, prefer, campaign))
    found = Creature.objects.in_bulk([hit.pk for hit in hits])
    return [(found[hit.pk], hit.rank) for hit in hits if hit.pk in found]


def best(
    text: str, *, prefer: str, campaign: int | None = None, whole: bool = False
) -> Creature | None:
    """The creature that a typed "6 gob" adds: the first of `find` with words that begin so.

    With `whole`, only one whose whole name was typed ("ogre", "loups"), for a text among others
    without a quantity: "Lou" is then no wolf ("loup").
    """
    worst = WHOLE if whole else WORD_BEGINS
    likely = [hit for hit in _hits(text, prefer, campaign) if hit.rank <= worst]
    return Creature.objects.filter(pk=min(likely).pk).first() if likely else None


def _hits(text: str, prefer: str, campaign: int | None) -> list[Hit]:
    words = _words(text)
    if not words:
        return []
    narrowed = Creature.objects.filter(_narrowed(max(words, key=lambda word: len(word.text))))
    hits = _each(narrowed, prefer, campaign, lambda name: _rank(words, name))
    return [hit for hit in hits if hit.rank < NOT]


def _near(text: str, prefer: str, campaign: int | None) -> list[Hit]:
    typed = " ".join(word.text for word in _words(text))
    if len(typed) < LEAST_NEAR:
        return []
    everybody = Creature.objects.all()
    hits = _each(
        everybody, prefer, campaign, lambda name: NEAR if _one_letter_off(typed, name) else NOT
    )
    return [hit for hit in hits if hit.rank < NOT]


def _each(
    rows: QuerySet[Creature], prefer: str, campaign: int | None, rank_of: Callable[[str], int]
) -> Iterator[Hit]:
    columns = ("pk", "search_en", "search_fr", "edition", "campaign", "last_used")
    for pk, search_en, search_fr, edition, own, last_used in rows.filter(deleted=None).values_list(
        *columns
    ):
        names = f"{search_en}{search_fr}".split("\n")[1:]
        rank, length, name = min((rank_of(name), len(name), name) for name in names)
        used = -last_used.timestamp() if last_used else 0.0
        origin = 1 if own is None else 0 if own == campaign else 2
        rank = max(rank, INSIDE) if origin == 2 else rank  # no more than a guess elsewhere
        other = edition not in ("", prefer)
        yield Hit(rank >= INSIDE, other, rank != WHOLE, origin, rank, used, length, name, pk)


def _one_letter_off(typed: str, name: str) -> bool:
    """Whether one letter more, less, other, or two that changed places make one of the other."""
    if abs(len(typed) - len(name)) > 1 or typed == name:
        return False
    start = next(
        (i for i, (a, b) in enumerate(zip(typed, name, strict=False)) if a != b),
        min(len(typed), len(name)),
    )
    mine, its = typed[start:], name[start:]
    swapped = mine[:2] == its[1::-1] and mine[2:] == its[2:]
    return mine[1:] == its[1:] or mine[1:] == its or mine == its[1:] or swapped


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
