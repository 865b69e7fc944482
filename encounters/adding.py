"""What a typed "6 gob" or "Aria, Bran" adds: creatures of the book, or heroes of the campaign."""

from collections.abc import Iterator

from django.utils import timezone

import rules
from bestiary.folding import fold
from bestiary.models import Creature
from bestiary.search import Part, best, parse_addition
from encounters import book_facts, chance
from encounters.models import Campaign, Encounter, Hero

NAME_LIMIT = 80  # characters


def newcomers(
    text: str,
    encounter: Encounter,
    fight: rules.Fight,
    *,
    side: str = "",
    rolled_hp: bool = False,
    picked: str = "",
) -> tuple[rules.Combatant, ...]:
    """The combatants that the text between commas stands for.

    A part is a quantity and a creature, or a known hero, or else a new hero whose numbers are
    unknown. `side` is "" for the usual one; `picked` is the code of a creature chosen from the
    list, which is about the last part.

    Raises `RuleError`: "nobody-named", "no-creature", "name-too-long", "too-many",
    "already-there".
    """
    parts = parse_addition(text)
    if not parts or any(part.quantity == 0 for part in parts):
        raise rules.RuleError("nobody-named")
    if len(fight.combatants) + sum(part.quantity for part in parts) > rules.COMBATANT_LIMIT:
        raise rules.RuleError("too-many", limit=rules.COMBATANT_LIMIT)
    found: list[rules.Combatant] = []
    for part in parts:
        chosen = picked if part is parts[-1] else ""
        found += _of_part(part, encounter, side, rolled_hp, chosen)
    entering = _once(found, {c.hero for c in fight.combatants if c.hero is not None})
    if not entering:
        raise rules.RuleError("already-there", who=rules.names(found))
    return entering


def _once(found: list[rules.Combatant], heroes: set[int]) -> tuple[rules.Combatant, ...]:
    """Those found without the heroes who are there already: nobody enters a fight twice."""
    entering: list[rules.Combatant] = []
    for one in found:
        if one.hero is None or one.hero not in heroes:
            entering.append(one)
            heroes |= {one.hero} if one.hero is not None else set()
    return tuple(entering)


def _of_part(
    part: Part, encounter: Encounter, side: str, rolled_hp: bool, picked: str
) -> Iterator[rules.Combatant]:
    hero = None if picked or part.counted else _known_hero(part.name, encounter.campaign)
    creature = None if hero else _creature(part, picked)
    if creature is None:
        hero = hero or _new_hero(part.name, encounter.campaign)
        yield from_hero(hero, side or "heroes")
        return
    Creature.objects.filter(pk=creature.pk).update(last_used=timezone.now())
    for _ in range(part.quantity):
        yield from_creature(creature, encounter.campaign, side or "foes", rolled_hp=rolled_hp)


def is_new_hero(part: Part, campaign: Campaign) -> bool:
    """Whether this part, typed without picking anything, makes a new hero."""
    known = part.counted or _known_hero(part.name, campaign) is not None
    return not known and len(part.name) <= NAME_LIMIT and best(part.name, whole=True) is None


def _creature(part: Part, picked: str) -> Creature | None:
    if picked:
        source, _, key = picked.partition("/")
        creature = Creature.objects.filter(source=source, key=key).first()
    else:
        creature = best(part.name, whole=not part.counted)
    if creature is None and (picked or part.counted):
        raise rules.RuleError("no-creature", name=part.name)
    return creature


def _known_hero(name: str, campaign: Campaign) -> Hero | None:
    heroes = campaign.heroes.filter(deleted=None)
    wanted = fold(name) or name
    return next((hero for hero in heroes if (fold(hero.name) or hero.name) == wanted), None)


def _new_hero(name: str, campaign: Campaign) -> Hero:
    if len(name) > NAME_LIMIT:
        raise rules.RuleError("name-too-long", limit=NAME_LIMIT)
    return Hero.objects.create(campaign=campaign, name=name)


def from_hero(hero: Hero, side: str = "heroes") -> rules.Combatant:
    """A hero as it enters a fight, in sight; one who has been left at 0 hit points lies stable."""
    lies = _as_it_was_left(hero) == 0
    return rules.Combatant(
        number=0,
        name=hero.name,
        side=side,
        is_hero=True,
        hero=hero.pk,
        ac=hero.ac,
        max_hp=hero.max_hp,
        hp=_as_it_was_left(hero),
        initiative_bonus=hero.initiative_bonus,
        dexterity=hero.dexterity,
        passive_perception=hero.passive_perception,
        stealth_bonus=hero.stealth_bonus,
        speed=hero.speed,
        stable=lies,
        effects=(rules.Effect("prone"),) if lies else (),
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
    if rolled_hp:
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
        defences=book_facts.defences(creature.facts),
        saves=book_facts.saves(creature.facts),
        uses=book_facts.uses(creature.facts),
        hidden=campaign.monsters_hidden and side != "heroes",
    )
