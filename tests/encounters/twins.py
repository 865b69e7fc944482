"""Pairs of encounters that differ in everything which players must not learn.

`scenes()` draws what is public; `hidden_in(scene, chance)` makes up a fight that looks so from
the outside, with secrets by chance: there are too many of them to be drawn one by one.
"""

from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from hypothesis import strategies as st

import rules
from encounters.models import Campaign, Encounter
from tests.factories import EncounterFactory, StepFactory

HEALTH = ("", "down", "bloodied", "hurt", "healthy")
NAMES = (("Goblin", "Gobelin"), ("Ogre", ""), ("Wolf", "Loup"))
LABEL = "Hooded figure"
FEW = 4  # slots of hidden combatants, and hidden combatants, at most
NOBODYS = 77  # a slot that is not there any more


@dataclass(frozen=True)
class Figure:
    """A creature as players know it."""

    name: str
    name_fr: str
    label: str  # "" when they know its name
    is_hero: bool
    health: str
    letter: int
    surprised: bool


@dataclass(frozen=True)
class Place:
    """A slot as players know it."""

    side: str
    figures: tuple[Figure, ...]
    gone: bool
    acted: bool


@dataclass(frozen=True)
class Scene:
    """All that is public of a fight."""

    state: str  # running | waiting | over
    round: int
    places: tuple[Place, ...]
    now: int | None  # index of the place whose turn was seen last; None: it is out of sight
    lettered: frozenset[str]  # names that several creatures have borne in sight


@st.composite
def figures(draw: st.DrawFn) -> Figure:
    is_hero = draw(st.booleans())
    name, name_fr = ("Bran", "") if is_hero else draw(st.sampled_from(NAMES))
    label = draw(st.sampled_from(["", "", LABEL]))
    letter = 0 if is_hero else draw(st.integers(1, 3))
    health, surprised = draw(st.sampled_from(HEALTH)), draw(st.booleans())
    return Figure(name, name_fr, label, is_hero, health, letter, surprised)


@st.composite
def places(draw: st.DrawFn) -> Place:
    members = draw(st.lists(figures(), min_size=1, max_size=3))
    gone = all(one.health == "down" and not one.is_hero for one in members)
    return Place(
        draw(st.sampled_from(["heroes", "foes", "third"])),
        tuple(members),
        gone or draw(st.booleans()),
        draw(st.booleans()),
    )


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    drawn = draw(st.lists(places(), max_size=4))
    return Scene(
        draw(st.sampled_from(["running"] * 6 + ["waiting", "over"])),
        draw(st.integers(1, 4)),
        tuple(drawn),
        draw(st.none() | st.integers(0, len(drawn) - 1)) if drawn else None,
        draw(st.frozensets(st.sampled_from(["Goblin", "Ogre", "Wolf", LABEL]))),
    )


@dataclass(frozen=True)
class Told:
    """A fight with all its secrets, and what else the rows around it hold."""

    fight: rules.Fight
    encounter: dict[str, Any]
    campaign: dict[str, Any]
    steps: int


def hidden_in(scene: Scene, chance: Random) -> Told:
    """A fight that players would see as this scene."""
    fight = _running(scene, chance)
    if scene.state == "over":
        fight = replace(fight, state="ended")
    if scene.state == "waiting":  # not begun, or nobody whom they see has acted
        state = chance.choice(["preparing", "rolling", "running"])
        seen = None if state == "running" else fight.seen_slot
        fight = replace(fight, state=state, seen_slot=seen)
    return Told(
        fight,
        {
            "name": chance.choice(["Ambush", "The lich returns"]),
            "used": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=chance.randrange(999)),
        },
        {
            "stealth_tie": chance.choice(Campaign.StealthTie.values),
            "surprise_reading": chance.choice(Campaign.SurpriseReading.values),
            "group_initiative": chance.random() < 0.5,
            "monsters_hidden": chance.random() < 0.5,
            "reveal_on_turn": chance.random() < 0.5,
        },
        chance.randrange(3),
    )


def _running(scene: Scene, chance: Random) -> rules.Fight:
    dark = chance.randint(0, FEW)
    numbers = iter(chance.sample(range(1, 60), len(scene.places) + dark))
    slots = [_slot(next(numbers), scene, place, chance) for place in scene.places]
    members = [
        one
        for index, place in enumerate(scene.places)
        for one in _members(place, slots[index].number, index == scene.now, chance)
    ]
    seen = NOBODYS if scene.now is None else slots[scene.now].number
    lurking = [_slot(next(numbers), scene, None, chance) for _ in range(dark)]
    if scene.now is None and lurking:
        seen = chance.choice([NOBODYS, lurking[0].number])
    for slot in lurking:
        slots.insert(chance.randint(0, len(slots)), slot)
    places = [slot.number for slot in slots]
    members += [_lurker(places, chance) for _ in range(chance.randint(0, FEW))]
    return rules.Fight(
        combatants=_numbered(members, chance),
        slots=tuple(slots),
        state="running",
        round=scene.round + chance.randint(0, 1),
        current=chance.choice(places) if places else None,
        last_number=chance.randrange(99),
        version=chance.randrange(99),
        turn_step=chance.randrange(99),
        seen_slot=seen,
        seen_round=scene.round if scene.round > 1 else chance.randint(0, 1),
        ordinals_given={"Goblin": chance.randrange(9)},
        letters_given={
            name: chance.randint(2, 9) if name in scene.lettered else chance.randint(0, 1)
            for name in ("Goblin", "Ogre", "Wolf", LABEL)
        },
    )


def _slot(number: int, scene: Scene, place: Place | None, chance: Random) -> rules.Slot:
    """A slot with any dice; only whether it acted in the round that players see is public."""
    if place is None or place.gone:
        acted = chance.randint(0, 6)
    elif place.acted:
        acted = chance.randint(scene.round, scene.round + 2)
    else:
        acted = chance.randint(0, scene.round - 1)
    return rules.Slot(
        number=number,
        total=chance.choice([None, 8, 9, 10, 11]),
        die=chance.choice([None, 1, 20]),
        tie_dice=chance.choice([(), (4,), (4, 7)]),
        settled=chance.choice(["", "by-hand", "by-dice"]),
        acted_round=acted,
    )


def _members(place: Place, slot: int, now: bool, chance: Random) -> list[rules.Combatant]:
    """Those of a place who are in sight, each with secrets of its own."""
    members = [_behind(figure, place.side, slot, now, chance) for figure in place.figures]
    if place.gone:
        return [replace(one, out=one.out or not one.defeated) for one in members]
    standing = next(index for index, one in enumerate(members) if not one.defeated)
    members[standing] = replace(members[standing], out=False)
    return members


def _behind(figure: Figure, side: str, slot: int, now: bool, chance: Random) -> rules.Combatant:
    hp, max_hp = _hit_points(figure.health, chance)
    known: dict[str, Any] = {"lost_turn" if now else "surprised": figure.surprised}
    if not figure.label:
        known |= {"name": figure.name, "name_fr": figure.name_fr}
    return replace(
        anybody(chance),
        **known,
        label=figure.label,
        side=side,
        is_hero=figure.is_hero,
        letter=figure.letter,
        hp=hp,
        max_hp=max_hp,
        hidden=False,
        slot=slot,
    )


def _hit_points(health: str, chance: Random) -> tuple[int | None, int | None]:
    maximum = chance.randint(3, 400)
    match health:
        case "":
            return chance.choice([(None, None), (None, maximum), (maximum, None)])
        case "down":
            return 0, maximum
        case "bloodied":
            return chance.randint(1, maximum // 2), maximum
        case "hurt":
            return chance.randint(maximum // 2 + 1, maximum - 1), maximum
        case _:
            return maximum, maximum


def _lurker(places: list[int], chance: Random) -> rules.Combatant:
    """Somebody hidden, alone in the dark or beside those in sight."""
    name = chance.choice(["Goblin", LABEL, "Stalker"])
    slot = chance.choice(places) if places else None
    return replace(anybody(chance), name=name, hidden=True, slot=slot)


def anybody(chance: Random) -> rules.Combatant:
    """A combatant of whom every field is by chance."""
    return rules.Combatant(**{f.name: _by_chance(f, chance) for f in fields(rules.Combatant)})


def _by_chance(field: Any, chance: Random) -> Any:
    if field.type is bool:
        return chance.random() < 0.5
    if field.type is int:
        return chance.randrange(30)
    if field.type is str:
        return chance.choice(["", f"secret {chance.randrange(99)}"])
    assert field.type == int | None, "a new kind of field needs values of its own here"
    return chance.choice([None, chance.randrange(99)])


def _numbered(members: list[rules.Combatant], chance: Random) -> tuple[rules.Combatant, ...]:
    """In an order of entry of their own, in which only those of one slot keep theirs."""
    by_slot: dict[int | None, list[rules.Combatant]] = {}
    for one in members:
        by_slot.setdefault(None if one.hidden else one.slot, []).append(one)
    entering = [slot for slot, own in by_slot.items() for _ in own]
    chance.shuffle(entering)
    step = chance.randint(1, 3)
    return tuple(
        replace(by_slot[slot].pop(0), number=1 + place * step)
        for place, slot in enumerate(entering)
    )


def stored(told: Told, campaign: Campaign) -> Encounter:
    """The encounter in rows, as the one that the players of this campaign follow."""
    encounter: Encounter = EncounterFactory.create(
        campaign=campaign, fight=told.fight, **told.encounter
    )
    StepFactory.create_batch(told.steps, encounter=encounter)
    for name, value in {**told.campaign, "shown": encounter}.items():
        setattr(campaign, name, value)
    campaign.save()
    return encounter
