"""What typed names stand for: creatures, heroes of the campaign, or somebody new.

`read` is what adding does, `choices` what the list under the field offers: its first line is the
same. Nothing typed for another side than the heroes', or with a quantity, ever becomes a hero.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bestiary.folding import fold
from bestiary.models import Creature
from bestiary.search import INSIDE, Part, best, parse_addition, ranked
from encounters.models import Campaign, Hero
from rules import COMBATANT_LIMIT, RuleError

NAME_LIMIT = 80  # characters
HEROES_SIDES = ("", "heroes")  # "" is the usual side of whoever enters
HEROES_OFFERED = 5
NEW_HERO, NEW_CREATURE = "new/hero", "new/creature"


@dataclass(frozen=True)
class Table:
    """For whom something is typed."""

    campaign: Campaign
    edition: str  # of the rules that the fight plays
    side: str = ""  # "" for the usual one
    present: frozenset[int] = frozenset()  # heroes who are in the fight already

    def best(self, name: str, *, whole: bool) -> Creature | None:
        return best(name, prefer=self.edition, campaign=self.campaign.pk, whole=whole)

    @cached_property
    def heroes(self) -> tuple[Hero, ...]:
        return tuple(self.campaign.heroes.filter(deleted=None))

    def hero(self, name: str) -> Hero | None:
        """The hero of this whole name."""
        wanted = fold(name) or name
        return next((one for one in self.heroes if (fold(one.name) or one.name) == wanted), None)

    def heroes_named(self, typed: str) -> list[Hero]:
        """Those whose names have words that begin so, and who are not in the fight yet."""
        letters = fold(typed)
        return [
            one
            for one in self.heroes
            if letters and one.pk not in self.present and f" {letters}" in f" {fold(one.name)}"
        ]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one part stands for: a hero, a creature, or else somebody new."""

    part: Part
    hero: Hero | None = None
    creature: Creature | None = None
    is_hero: bool = False  # somebody new is one

    @property
    def code(self) -> str:
        """What a press on it sends."""
        if self.hero:
            return f"hero/{self.hero.pk}"
        if self.creature:
            return self.creature.code
        return NEW_HERO if self.is_hero else NEW_CREATURE


def read(text: str, table: Table, picked: str = "") -> list[Reading]:
    """What the text stands for; `picked` is what was chosen from the list for its last part.

    Among several parts without a quantity, a creature is meant by its whole name alone.
    """
    parts = _parts(text, table)
    readings = [_read(part, table, alone=len(parts) == 1) for part in parts]
    if picked and parts:
        readings[-1] = _picked(picked, parts[-1], table)
    return readings


def choices(text: str, table: Table) -> list[Reading]:
    """What the last part may mean; of a text of one part, the first is what Enter takes."""
    parts = _parts(text, table)
    if not parts:
        return []
    part = parts[-1]
    if len(part.name) > NAME_LIMIT or not 1 <= part.quantity <= COMBATANT_LIMIT:
        return []
    first = _read(part, table, alone=len(parts) == 1)
    offered = {one.code: one for one in (first, *_offered(part, table))}
    return list(offered.values())


def _offered(part: Part, table: Table) -> Iterator[Reading]:
    among_heroes = table.side in HEROES_SIDES and not part.counted
    if among_heroes:
        begun = table.heroes_named(part.name)
        yield from (Reading(part, hero=hero) for hero in begun[:HEROES_OFFERED])
    found = ranked(part.name, prefer=table.edition, campaign=table.campaign.pk)
    yield from (Reading(part, creature=creature) for creature, rank in found if rank < INSIDE)
    if among_heroes:
        yield Reading(part, is_hero=True)
    yield Reading(part)
    yield from (Reading(part, creature=creature) for creature, rank in found if rank >= INSIDE)


def _parts(text: str, table: Table) -> list[Part]:
    """The parts of the text; "One Eye" is a quantity and a name where creatures are called so.

    Raises `RuleError("too-many")`, before they are looked for.
    """
    parts = parse_addition(text)
    if len(parts) > COMBATANT_LIMIT:
        raise RuleError("too-many", limit=COMBATANT_LIMIT)
    return [
        Part(1, part.typed, figures=part.figures, typed=part.typed)
        if part.counted and _is_a_name(part, table)
        else part
        for part in parts
    ]


def _is_a_name(part: Part, table: Table) -> bool:
    if table.hero(part.typed):
        return True
    return part.article and table.best(part.name, whole=False) is None


def _read(part: Part, table: Table, *, alone: bool) -> Reading:
    among_heroes = table.side in HEROES_SIDES and not part.counted
    if not part.counted and (known := table.hero(part.name)):
        return Reading(part, hero=known)
    if among_heroes and alone and (begun := table.heroes_named(part.name)):
        return Reading(part, hero=begun[0])
    creature = table.best(part.name, whole=not (part.counted or alone))
    return Reading(part, creature=creature, is_hero=among_heroes and creature is None)


def _picked(code: str, part: Part, table: Table) -> Reading:
    """What was chosen; nobody's code is read as the part itself would be."""
    source, _, key = code.partition("/")
    if code in (NEW_HERO, NEW_CREATURE):
        among_heroes = table.side in HEROES_SIDES and not part.counted
        return Reading(part, is_hero=code == NEW_HERO and among_heroes)
    if source == "hero":
        hero = next((hero for hero in table.heroes if str(hero.pk) == key), None)
        return Reading(part, hero=hero) if hero else _read(part, table, alone=True)
    creature = Creature.objects.filter(source=source, key=key, deleted=None).first()
    return Reading(part, creature=creature) if creature else _read(part, table, alone=True)
