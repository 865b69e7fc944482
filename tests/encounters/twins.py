"""Pairs of encounters that differ in everything which players must not learn.

`scene(chance)` draws what is public; `hidden_in(scene, chance)` makes up a fight that looks so
from the outside, with secrets by chance, and what else the table keeps around it.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

import rules
from bestiary import conditions
from tests.encounters.made_up import anybody, effects, hit_points, slot_by_chance
from tests.encounters.scenes import LABEL, OVER, SEEN, SIDES, Figure, Place, Scene, Turn, scene
from tests.encounters.scenes import figure as any_figure
from tests.encounters.scenes import health as any_health

FEW = 4  # slots of hidden combatants, and hidden combatants, at most
NOBODYS = 77  # a slot that is not there any more
HP_OF = {"heroes": "hp_heroes", "allies": "hp_allies", "foes": "hp_foes", "third": "hp_others"}


@dataclass(frozen=True)
class Told:
    """A fight with all its secrets, and how its campaign plays."""

    fight: rules.Fight
    campaign: dict[str, Any]  # columns
    until: bool  # whether the end of its turn is known, where there is a timer
    seed: int  # of the rows around it


@dataclass(frozen=True)
class Pair:
    """Two fights that look the same."""

    number: int  # by which it is made again
    scene: Scene
    twins: tuple[Told, Told]


@lru_cache(maxsize=50)
def pair(number: int) -> Pair:
    """The pair with this number."""
    chance = Random(number)
    public = scene(chance)
    return Pair(number, public, (hidden_in(public, chance), hidden_in(public, chance)))


def hidden_in(public: Scene, chance: Random) -> Told:
    """A fight that players would see as this scene."""
    inside = public if public.state == "running" else scene(chance)
    fight = _running(inside, chance)
    if public.state == "over":
        fight = replace(fight, state="ended")
    if public.state == "waiting":  # not begun, or nobody whom they see has acted
        state = chance.choice(["preparing", "rolling", "running"])
        seen = None if state == "running" else fight.seen_slot
        fight = replace(fight, state=state, seen_slot=seen)
    return Told(
        fight,
        _campaign(public, chance),
        until=public.state == "running" and public.now is not None,
        seed=chance.randrange(10**9),
    )


def _campaign(public: Scene, chance: Random) -> dict[str, Any]:
    """Its columns; what players are let see of a side is public while they see somebody of it."""
    exposed = [place for index, place in enumerate(public.places) if public.is_exposed(index)]
    sides = {place.side for place in exposed} if public.state == "running" else set()
    shows = ("show_ac", "show_initiative", "show_effects")
    return {
        "turn_seconds": public.seconds,
        "monsters_hidden": chance.random() < 0.5,
        "own_words": chance.choice([[], [{"text": "secret", "colour": "blue"}]]),
        **{name: getattr(public, name) if sides else chance.random() < 0.5 for name in shows},
        **{
            HP_OF[side]: public.hp[side] if side in sides else chance.choice(SEEN) for side in SIDES
        },
        **{name: chance.choice(choices) for name, choices in rules.CHOICES.items()},
    }


def _running(public: Scene, chance: Random) -> rules.Fight:
    dark = chance.randint(0, FEW)
    again = sum(turn.second for turn in public.order)
    numbers = iter(chance.sample(range(1, 60), len(public.places) + again + 2 * dark))
    homes = [next(numbers) for _ in public.places]
    now = public.order[public.now] if public.now is not None else None
    seen_round = public.round if public.round > 1 else chance.randint(0, 1)
    slots: list[rules.Slot] = []
    for turn in public.order:
        number = next(numbers) if turn.second else homes[turn.place]
        slots.append(_slot(number, public, turn, homes[turn.place], chance))
    seen = NOBODYS if public.now is None else slots[public.now].number
    members = [
        one
        for index in range(len(public.places))
        for one in _members(index, homes[index], public, chance)
    ]
    lurking = [replace(slot_by_chance(next(numbers), chance), waiting=None) for _ in range(dark)]
    if public.now is None and lurking:
        seen = chance.choice([NOBODYS, lurking[0].number])
    for slot in list(lurking):
        slots.insert(chance.randint(0, len(slots)), _waiting_by_chance(slot, chance))
        if chance.random() < 0.3:  # a second turn of those in the dark
            extra = replace(slot_by_chance(next(numbers), chance), extra_of=slot.number)
            slots.insert(chance.randint(0, len(slots)), extra)
    places = [slot.number for slot in slots if slot.extra_of is None]
    members += [_lurker(places, chance) for _ in range(chance.randint(0, FEW))]
    on = homes[now.place] if now else seen
    elsewhere = [number for number in places if number != on]
    coming = [_coming(elsewhere, public.round, chance) for _ in range(chance.choice([0, 0, 1, 2]))]
    return rules.Fight(
        combatants=_numbered([*members, *coming], public.round, chance),
        slots=tuple(slots),
        allied=chance.choice([[], [["allies", "heroes"]], [["foes", "third"]]]),
        overrides=_overrides(public, chance),
        state="running",
        round=public.round + chance.randint(0, 1),
        current=chance.choice(places) if places else None,
        last_number=chance.randrange(99),
        version=chance.randrange(99),
        turn_step=chance.randrange(99),
        seen_slot=seen,
        seen_round=seen_round,
        ordinals_given={"Goblin": chance.randrange(9)},
        letters_given={
            name: (chance.randint(2, 9) if name in public.lettered else chance.randint(0, 1))
            + sum(rules.shown_name(one) == name for one in coming)
            for name in ("Goblin", "Ogre", "Wolf", LABEL)
        },
    )


def _overrides(public: Scene, chance: Random) -> dict[str, Any]:
    """What this fight plays otherwise; its edition as players know it, where they know it."""
    exposed = [place for index, place in enumerate(public.places) if public.is_exposed(index)]
    figures = [figure for place in exposed for figure in place.figures]
    codes = {code for figure in figures for code, _, _ in figure.effects if public.show_effects}
    codes |= {"surprised" for figure in figures if figure.surprised}
    if any(map(conditions.differs, codes)):
        return {"edition": public.edition, **chance.choice([{}, {"group_initiative": False}])}
    return chance.choice([{}, {"edition": "2024"}, {"group_initiative": False}])


def _slot(number: int, public: Scene, turn: Turn, home: int, chance: Random) -> rules.Slot:
    """A slot with any dice; public are where it stands, its total where that is shown, and
    whether it has acted or waits.
    """
    place = public.places[turn.place]
    exposed = public.is_exposed(turn.place)
    lair_in_round_one = place.is_lair and public.round == 1 and public.now is not None
    if place.gone or not exposed or (lair_in_round_one and not turn.second):
        acted = chance.choice([0, 0, 0, 1, 2, 6])  # where a lair stands tells it
    elif turn.acted:
        acted = chance.randint(public.round, public.round + 2)
    else:
        acted = chance.randint(0, public.round - 1)
    slot = replace(slot_by_chance(number, chance), acted_round=acted)
    if exposed and public.show_initiative:
        slot = replace(slot, total=turn.total)
    if turn.second:
        return replace(slot, extra_of=home, waiting=None)
    return _waiting_by_chance(slot, chance) if place.gone else _waiting(slot, place, chance)


def _waiting(slot: rules.Slot, place: Place, chance: Random) -> rules.Slot:
    return replace(slot, waiting=chance.randrange(5) if place.waiting else None)


def _waiting_by_chance(slot: rules.Slot, chance: Random) -> rules.Slot:
    return replace(slot, waiting=chance.choice([None, chance.randrange(5)]))


def _members(index: int, slot: int, public: Scene, chance: Random) -> list[rules.Combatant]:
    """Those of a place who are in sight, each with secrets of its own."""
    place = public.places[index]
    if not public.is_exposed(index):
        place = _unknown(place, chance)
    elif public.hp[place.side] == "nothing":
        place = _of_any_health(place, chance)
    now = public.now is not None and public.order[public.now].place == index
    seen = public if public.is_exposed(index) else replace(scene(chance), round=public.round)
    members = [_behind(figure, place, slot, now, seen, chance) for figure in place.figures]
    if place.gone:
        return [replace(one, out=one.out or not one.defeated) for one in members]
    standing = next(number for number, one in enumerate(members) if not one.defeated)
    members[standing] = replace(members[standing], out=False)
    return members


def _unknown(place: Place, chance: Random) -> Place:
    """A place of which players know nothing but the names."""
    figures = []
    for known in place.figures:
        names = {name: getattr(known, name) for name in ("name", "name_fr", "label", "letter")}
        figures.append(replace(any_figure(chance), **names))
    side, is_lair = chance.choice(SIDES), chance.random() < 0.5
    unknown = replace(place, side=side, is_lair=is_lair, figures=tuple(figures))
    return unknown if place.gone else _with_one_standing(unknown)


def _of_any_health(place: Place, chance: Random) -> Place:
    figures = tuple(replace(f, health=any_health(f.is_hero, chance)) for f in place.figures)
    unknown = replace(place, figures=figures)
    return unknown if place.gone else _with_one_standing(unknown)


def _with_one_standing(place: Place) -> Place:
    if any(figure.health not in OVER for figure in place.figures):
        return place
    standing = replace(place.figures[0], health="hurt", hp=2, max_hp=3)
    return replace(place, figures=(standing, *place.figures[1:]))


def _behind(
    figure: Figure, place: Place, slot: int, now: bool, public: Scene, chance: Random
) -> rules.Combatant:
    known: dict[str, Any] = {"lost_turn" if now else "surprised": figure.surprised}
    if not figure.surprised:  # else a second turn of theirs would not be seen
        known |= {"surprised": False, "lost_turn": False}
    exact = public.hp[place.side] == "exact"
    known |= hit_points(figure.health, (figure.hp, figure.max_hp) if exact else None, chance)
    known |= {"temp_hp": figure.temp_hp} if exact else {}
    known |= {"ac": figure.ac} if public.show_ac else {}
    if public.show_effects:
        known["effects"] = effects(figure, chance)
    if not figure.label:
        known |= {"name": figure.name, "name_fr": figure.name_fr}
    return replace(
        anybody(chance),
        **known,
        label=figure.label,
        side=place.side,
        is_lair=place.is_lair,
        arrives=chance.randint(0, public.round),
        awaited=False,
        is_hero=figure.is_hero,
        letter=figure.letter,
        hidden=False,
        slot=slot,
    )


def _lurker(places: list[int], chance: Random) -> rules.Combatant:
    """Somebody hidden or still awaited, alone in the dark or beside those in sight."""
    name = chance.choice(["Goblin", LABEL, "Stalker"])
    slot = chance.choice(places) if places else None
    hidden, awaited = chance.choice([(True, False), (False, True), (True, True)])
    return replace(
        anybody(chance), name=name, hidden=hidden, awaited=awaited, slot=slot, is_lair=False
    )


def _coming(places: list[int], round: int, chance: Random) -> rules.Combatant:
    """Somebody who has arrived with a round of which players have seen no turn yet."""
    name = chance.choice(["Goblin", "Ogre", "Reinforcement"])
    slot = chance.choice(places) if places else None
    there: dict[str, Any] = {"hidden": False, "awaited": False, "is_lair": False, "is_hero": False,
                             "label": ""}  # fmt: skip
    arrives, letter = round + chance.randint(1, 3), chance.randint(1, 9)
    return replace(anybody(chance), **there, name=name, slot=slot, arrives=arrives, letter=letter)


def _numbered(
    members: list[rules.Combatant], round: int, chance: Random
) -> tuple[rules.Combatant, ...]:
    """In an order of entry of their own, in which only those of one slot keep theirs."""
    by_slot: dict[int | None, list[rules.Combatant]] = {}
    for one in members:
        in_sight = not one.unseen and one.arrives <= round
        by_slot.setdefault(one.slot if in_sight else None, []).append(one)
    entering = [slot for slot, own in by_slot.items() for _ in own]
    chance.shuffle(entering)
    step = chance.randint(1, 3)
    return tuple(
        replace(by_slot[slot].pop(0), number=1 + place * step)
        for place, slot in enumerate(entering)
    )
