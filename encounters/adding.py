"""Whoever is about to join: what was typed, a hero of the campaign, a creature of the book."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from uuid import uuid4

from django.utils import timezone

import rules
from bestiary.folding import fold
from bestiary.models import Creature
from encounters import book_facts, chance
from encounters.heroes import facts_of
from encounters.models import HERO_LIMIT, Campaign, Encounter, Hero
from encounters.outside import Made
from encounters.typed_names import NAME_LIMIT, Reading, Table, read

OWN = "own"  # the source of the GM's own creatures
FIGURES = {
    "hp": range(1, 100_000),
    "ac": range(100_000),
    "initiative": range(-9_999, 100_000),
}  # typed behind a name


def newcomers(
    text: str,
    encounter: Encounter,
    fight: rules.Fight,
    *,
    side: str = "",
    rolled_hp: bool = False,
    picked: str = "",
    made: Made | None = None,
) -> tuple[rules.Combatant, ...]:
    """The combatants that a typed "6 gob" or "Aria, Bran" stands for, as `typed_names` reads it.

    `side` is "" for the usual one; `picked` is what was chosen from the list, which is about the
    last part. Heroes and creatures that are new are kept, and noted in `made`.

    Raises `RuleError`: "nobody-named", "quantity-out-of-range", "figure-out-of-range",
    "name-too-long", "too-many", "too-many-heroes", "already-there".
    """
    table = table_of(encounter, fight, side)
    readings = read(text, table, picked)
    _check(readings, fight)
    found: list[rules.Combatant] = []
    made = Made() if made is None else made
    for reading in readings:
        found += _of(reading, table, rolled_hp=rolled_hp, made=made)
    entering = _once(found, set(table.present))
    if not entering:
        raise rules.RuleError("already-there", who=rules.names(found))
    return entering


def table_of(encounter: Encounter, fight: rules.Fight, side: str) -> Table:
    """For whom something is typed into the add field of this fight."""
    present = frozenset(c.hero for c in fight.combatants if c.hero is not None)
    return Table(encounter.campaign, fight.settings.edition, side, present)


def _check(readings: list[Reading], fight: rules.Fight) -> None:
    parts = [reading.part for reading in readings]
    if not parts:
        raise rules.RuleError("nobody-named")
    if any(part.quantity < 1 for part in parts):
        raise rules.RuleError("quantity-out-of-range", limit=rules.COMBATANT_LIMIT)
    if not all(value in FIGURES[name] for part in parts for name, value in part.figures.items()):
        raise rules.RuleError("figure-out-of-range")
    if len(fight.combatants) + sum(part.quantity for part in parts) > rules.COMBATANT_LIMIT:
        raise rules.RuleError("too-many", limit=rules.COMBATANT_LIMIT)
    new = (one.part.name for one in readings if one.hero is None and one.creature is None)
    if any(len(name) > NAME_LIMIT for name in new):
        raise rules.RuleError("name-too-long", limit=NAME_LIMIT)


def _once(found: list[rules.Combatant], heroes: set[int]) -> tuple[rules.Combatant, ...]:
    """Those found without the heroes who are there already: nobody enters a fight twice."""
    entering: list[rules.Combatant] = []
    for one in found:
        if one.hero is None or one.hero not in heroes:
            entering.append(one)
            heroes |= {one.hero} if one.hero is not None else set()
    return tuple(entering)


def _of(
    reading: Reading, table: Table, *, rolled_hp: bool, made: Made
) -> Iterator[rules.Combatant]:
    part, side = reading.part, table.side
    if reading.hero or (reading.creature is None and reading.is_hero):
        hero = reading.hero or _new_hero(part.name, part.figures, table.campaign, made)
        yield _with_figures(from_hero(hero, side or "heroes"), part.figures)
        return
    creature = reading.creature or _own_creature(part.name, part.figures, table.campaign, made)
    Creature.objects.filter(pk=creature.pk).update(last_used=timezone.now())
    for _ in range(part.quantity):
        entering = from_creature(creature, table.campaign, side or "foes", rolled_hp=rolled_hp)
        yield _with_figures(entering, part.figures)


def _with_figures(combatant: rules.Combatant, figures: Mapping[str, int]) -> rules.Combatant:
    """Figures typed behind its name stand for those of the book."""
    hp = figures.get("hp")
    return replace(
        combatant,
        hp=combatant.hp if hp is None else hp,
        max_hp=combatant.max_hp if hp is None else hp,
        ac=figures.get("ac", combatant.ac),
        initiative_bonus=figures.get("initiative", combatant.initiative_bonus),
    )


def _new_hero(name: str, figures: Mapping[str, int], campaign: Campaign, made: Made) -> Hero:
    """A hero typed twice in one text is one hero."""
    wanted = fold(name) or name
    new = Hero.objects.filter(pk__in=made.heroes)
    known = next((hero for hero in new if (fold(hero.name) or hero.name) == wanted), None)
    if known:
        return known
    if campaign.heroes.filter(deleted=None).count() >= HERO_LIMIT:
        raise rules.RuleError("too-many-heroes", limit=HERO_LIMIT)
    hero = Hero.objects.create(
        campaign=campaign,
        name=name,
        ac=figures.get("ac"),
        max_hp=figures.get("hp"),
        initiative_bonus=figures.get("initiative"),
    )
    made.heroes.append(hero.pk)
    return hero


def _own_creature(
    name: str, figures: Mapping[str, int], campaign: Campaign, made: Made
) -> Creature:
    """A creature of the GM's own, which rolls a plain d20 until more is told."""
    folded = f"\n{fold(name) or name}"
    creature = Creature.objects.create(
        source=OWN,
        key=uuid4().hex,
        campaign=campaign.pk,
        name=name,
        name_fr=name,
        hp=figures.get("hp"),
        ac=figures.get("ac"),
        initiative=figures.get("initiative", 0),
        search_en=folded,
        search_fr=folded,
        facts={"attacks": []},
    )
    made.creatures.append(creature.pk)
    return creature


def from_hero(hero: Hero, side: str = "heroes") -> rules.Combatant:
    """A hero as it enters a fight, in sight; one who has been left at 0 hit points lies stable."""
    lies = _as_it_was_left(hero) == 0
    return rules.Combatant(
        number=0,
        side=side,
        is_hero=True,
        hero=hero.pk,
        stable=lies,
        effects=(rules.Effect("prone"),) if lies else (),
        **facts_of(hero) | {"hp": _as_it_was_left(hero)},
    )


def _as_it_was_left(hero: Hero) -> int | None:
    """The hit points of the last fight's end, if they were carried back."""
    if hero.hp is None or hero.max_hp is None:
        return hero.max_hp
    return min(hero.hp, hero.max_hp)


def lair() -> rules.Combatant:
    """A lair, out of the players' sight until it acts or the GM shows it."""
    return rules.Combatant(
        number=0, name="Lair", name_fr="Antre", side="foes", is_lair=True, hidden=True
    )


def from_creature(
    creature: Creature, campaign: Campaign, side: str = "foes", *, rolled_hp: bool = False
) -> rules.Combatant:
    """A creature as it enters a fight, with average or rolled hit points."""
    hp = creature.hp
    if rolled_hp and creature.hit_dice:
        hp = max(1, rules.roll(creature.hit_dice, chance.die).total)
    return rules.Combatant(
        number=0,
        name=creature.name,
        name_fr=creature.name_fr,
        side=side,
        creature=creature.code,
        ac=creature.ac,
        max_hp=hp,
        hp=hp,
        initiative_bonus=creature.initiative,
        dexterity=creature.dexterity,
        passive_perception=creature.passive_perception,
        stealth_bonus=creature.stealth,
        speed=creature.speed,
        speeds=book_facts.speeds(creature.facts),
        hovers=bool(creature.facts.get("hover")),
        defences=book_facts.defences(creature.facts),
        saves=book_facts.saves(creature.facts),
        effects=book_facts.effects(creature.facts),
        uses=book_facts.uses(creature.facts),
        hidden=campaign.monsters_hidden and side != "heroes",
    )
