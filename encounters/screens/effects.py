"""What is on each combatant, in marks; and what the GM can put on it or take from it."""

import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, gettext

import rules
from encounters.effect_words import called, finer, lasts, left, meaning, observed, origin
from encounters.labels import EFFECTS, SURPRISE, Name, name_of
from encounters.models import Campaign


@dataclass(frozen=True, slots=True)
class Mark:
    """An effect on a row: of the same one from several sources the one that lasts longest."""

    code: str
    name: str  # in the reader's language, as are the next two
    left: str  # "7 r", "until Bran’s turn ends"
    finer: str  # all else that is known of it
    colour: str
    secret: bool


@dataclass(frozen=True, slots=True)
class Removable:
    """An effect that can be taken away: from all of the selected who have it.

    How long it lasts is left out: it differs from row to row, and from round to round.
    """

    token: str  # which rows have it
    value: str  # what the form sends
    name: str
    finer: str  # whose doing it is, or that all are meant


def marks(bearer: rules.Combatant, fight: rules.Fight) -> tuple[Mark, ...]:
    """What its row shows of its effects."""
    longest: dict[tuple[str, str], rules.Effect] = {}
    for effect in bearer.effects:
        what = effect.code, effect.text if effect.code == "own" else ""
        best = longest.get(what)
        if best is None or lasts(effect, bearer, fight) > lasts(best, bearer, fight):
            longest[what] = effect
    return tuple(_mark(effect, bearer, fight) for effect in longest.values())


def _mark(effect: rules.Effect, bearer: rules.Combatant, fight: rules.Fight) -> Mark:
    return Mark(
        effect.code,
        called(effect),
        left(effect, bearer, fight),
        " · ".join(finer(effect, bearer, fight)),
        effect.colour,
        effect.secret,
    )


def removable(bearer: rules.Combatant, fight: rules.Fight) -> tuple[Removable, ...]:
    """Each of its effects, and all of one kind where several have put it on."""
    each = [_removable(_value(e), called(e), origin(e, bearer, fight)) for e in bearer.effects]
    each += [
        _removable(
            f"{e.code}:{c.number}",
            called(e),
            observed(str(name_of(c))),
        )
        for e in bearer.effects
        if len(e.observers) > 1
        for c in fight.combatants
        if c.number in e.observers
    ]
    kinds = Counter(effect.code for effect in bearer.effects if effect.code != "own")
    alike = [
        _removable(code, str(EFFECTS[code]), gettext("all")) for code, n in kinds.items() if n > 1
    ]
    return (*each, *alike)


def _value(effect: rules.Effect) -> str:
    source = "" if effect.source is None else str(effect.source)
    if effect.code == "own":
        return f"own:{source}:{effect.text}"
    alone = effect.code in ("exhaustion", "concentration", "readied") or not source
    return effect.code if alone else f"{effect.code}:{source}"


def _removable(value: str, name: str, finer: str) -> Removable:
    token = zlib.crc32(f"{value}\n{name}\n{finer}".encode())
    return Removable(f"e{token:x}", value, name, finer)


@dataclass(frozen=True, slots=True)
class Meaning:
    code: str
    name: str
    text: str


def meanings(codes: Iterable[str], edition: str) -> tuple[Meaning, ...]:
    """What these mean, each of them once, in the order of the book."""
    return _meanings(frozenset(codes), edition, get_language())


@lru_cache(maxsize=500)
def _meanings(there: frozenset[str], edition: str, _language: str | None) -> tuple[Meaning, ...]:
    named = {**EFFECTS, "surprised": SURPRISE["surprised"]}
    return tuple(
        Meaning(code, str(name), meaning(code, edition))
        for code, name in named.items()
        if code in there
    )


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whose doing an effect may be."""

    number: int
    name: Name


@dataclass(frozen=True, slots=True)
class Words:
    """The GM's own, as they were used before."""

    text: str
    colour: str


@dataclass(frozen=True, slots=True)
class EffectsPanel:
    """What the panel of conditions offers."""

    edition: str
    people: tuple[Person, ...]
    removable: tuple[Removable, ...]  # all that anybody has
    own_words: tuple[Words, ...]
    conditions: tuple[Meaning, ...]


def effects_panel(
    fight: rules.Fight, on_rows: Iterable[Removable], campaign: Campaign
) -> EffectsPanel:
    people = tuple(_person(c) for c in fight.combatants if not c.is_lair)
    edition = fight.settings.edition
    return EffectsPanel(
        edition,
        people,
        tuple({one.token: one for one in on_rows}.values()),
        tuple(Words(one["text"], one["colour"]) for one in campaign.own_words),
        meanings((*rules.CONDITIONS, "turned"), edition),
    )


@lru_cache(maxsize=4_000)
def _person(combatant: rules.Combatant) -> Person:
    return Person(combatant.number, name_of(combatant))
