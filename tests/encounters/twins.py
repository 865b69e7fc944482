"""Pairs of encounters that differ in everything which players must not learn.

`scenes()` draws what is public; `hidden_in(scene, chance)` makes up a fight that looks so from
the outside, with secrets by chance: there are too many of them to be drawn one by one.
"""

from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import rules
from bestiary import conditions
from encounters.models import Campaign, Encounter
from tests.encounters.made_up import LISTS, effects, hit_points
from tests.encounters.scenes import LABEL, Figure, Place, Scene, Turn
from tests.factories import EncounterFactory, StepFactory

FEW = 4  # slots of hidden combatants, and hidden combatants, at most
NOBODYS = 77  # a slot that is not there any more
WORDS = {
    "side": ("heroes", "allies", "foes", "third", "fourth"),
    "perception_roll": ("", "advantage", "disadvantage"),
    "stealth_roll": ("", "advantage", "disadvantage"),
    "initiative_roll": rules.INITIATIVE_ROLLS,
    "surprise": ("auto", "surprised", "not-surprised"),
    "settled": ("", "by-hand", "by-players", "by-dice", "by-rule"),
    "by": ("", "typed", "rolled", "advantage", "disadvantage", "score", "side", "mount", "lair"),
}  # of fields that hold one of a few
SIDES = WORDS["side"]


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
            "monsters_hidden": chance.random() < 0.5,
            "show_effects": scene.show_effects,
            "own_words": chance.choice([[], [{"text": "secret", "colour": "blue"}]]),
            **{name: chance.choice(choices) for name, choices in rules.CHOICES.items()},
        },
        chance.randrange(3),
    )


def _running(scene: Scene, chance: Random) -> rules.Fight:
    dark = chance.randint(0, FEW)
    again = sum(turn.second for turn in scene.order)
    numbers = iter(chance.sample(range(1, 60), len(scene.places) + again + 2 * dark))
    homes = [next(numbers) for _ in scene.places]
    now = scene.order[scene.now] if scene.now is not None else None
    seen_round = scene.round if scene.round > 1 else chance.randint(0, 1)
    slots: list[rules.Slot] = []
    for turn in scene.order:
        number = next(numbers) if turn.second else homes[turn.place]
        slots.append(_slot(number, scene, turn, homes[turn.place], chance))
    seen = NOBODYS if scene.now is None else slots[scene.now].number
    members = [
        one
        for index, place in enumerate(scene.places)
        for one in _members(place, homes[index], _is_of(now, index), scene, chance)
    ]
    lurking = [replace(_slot_by_chance(next(numbers), chance), waiting=None) for _ in range(dark)]
    if scene.now is None and lurking:
        seen = chance.choice([NOBODYS, lurking[0].number])
    for slot in list(lurking):
        slots.insert(chance.randint(0, len(slots)), _waiting_by_chance(slot, chance))
        if chance.random() < 0.3:  # a second turn of those in the dark
            extra = replace(_slot_by_chance(next(numbers), chance), extra_of=slot.number)
            slots.insert(chance.randint(0, len(slots)), extra)
    places = [slot.number for slot in slots if slot.extra_of is None]
    members += [_lurker(places, chance) for _ in range(chance.randint(0, FEW))]
    on = homes[now.place] if now else seen
    elsewhere = [number for number in places if number != on]
    coming = [_coming(elsewhere, scene.round, chance) for _ in range(chance.choice([0, 0, 1, 2]))]
    return rules.Fight(
        combatants=_numbered([*members, *coming], scene.round, chance),
        slots=tuple(slots),
        allied=chance.choice([[], [["allies", "heroes"]], [["foes", "third"]]]),
        overrides=_overrides(scene, chance),
        state="running",
        round=scene.round + chance.randint(0, 1),
        current=chance.choice(places) if places else None,
        last_number=chance.randrange(99),
        version=chance.randrange(99),
        turn_step=chance.randrange(99),
        seen_slot=seen,
        seen_round=seen_round,
        ordinals_given={"Goblin": chance.randrange(9)},
        letters_given={
            name: (chance.randint(2, 9) if name in scene.lettered else chance.randint(0, 1))
            + sum(rules.shown_name(one) == name for one in coming)
            for name in ("Goblin", "Ogre", "Wolf", LABEL)
        },
    )


def _overrides(scene: Scene, chance: Random) -> dict[str, Any]:
    """What this fight plays otherwise; its edition as players know it, where they know it."""
    figures = [figure for place in scene.places for figure in place.figures]
    codes = {code for figure in figures for code, _, _ in figure.effects if scene.show_effects}
    codes |= {"surprised" for figure in figures if figure.surprised}
    if any(map(conditions.differs, codes)):
        return {"edition": scene.edition, **chance.choice([{}, {"group_initiative": False}])}
    return chance.choice([{}, {"edition": "2024"}, {"group_initiative": False}])


def _is_of(turn: Turn | None, place: int) -> bool:
    return turn is not None and turn.place == place


def _slot(number: int, scene: Scene, turn: Turn, home: int, chance: Random) -> rules.Slot:
    """A slot with any dice; only where it stands, and whether it has acted or waits, is public."""
    place = scene.places[turn.place]
    lair_in_round_one = place.is_lair and scene.round == 1 and scene.now is not None
    if place.gone or (lair_in_round_one and not turn.second):  # where a lair stands tells it
        acted = chance.choice([0, 0, 0, 1, 2, 6])
    elif turn.acted:
        acted = chance.randint(scene.round, scene.round + 2)
    else:
        acted = chance.randint(0, scene.round - 1)
    slot = replace(_slot_by_chance(number, chance), acted_round=acted)
    if turn.second:
        return replace(slot, extra_of=home, waiting=None)
    return _waiting_by_chance(slot, chance) if place.gone else _waiting(slot, place, chance)


def _waiting(slot: rules.Slot, place: Place, chance: Random) -> rules.Slot:
    return replace(slot, waiting=chance.randrange(5) if place.waiting else None)


def _waiting_by_chance(slot: rules.Slot, chance: Random) -> rules.Slot:
    return replace(slot, waiting=chance.choice([None, chance.randrange(5)]))


def _slot_by_chance(number: int, chance: Random) -> rules.Slot:
    """A slot of whom every field is by chance, but that it is no second turn of another."""
    values = {f.name: _by_chance(f, chance) for f in fields(rules.Slot)}
    return rules.Slot(**{**values, "number": number, "extra_of": None})


def _members(
    place: Place, slot: int, now: bool, scene: Scene, chance: Random
) -> list[rules.Combatant]:
    """Those of a place who are in sight, each with secrets of its own."""
    members = [_behind(figure, place, slot, now, scene, chance) for figure in place.figures]
    if place.gone:
        return [replace(one, out=one.out or not one.defeated) for one in members]
    standing = next(index for index, one in enumerate(members) if not one.defeated)
    members[standing] = replace(members[standing], out=False)
    return members


def _behind(
    figure: Figure, place: Place, slot: int, now: bool, scene: Scene, chance: Random
) -> rules.Combatant:
    known: dict[str, Any] = {"lost_turn" if now else "surprised": figure.surprised}
    if not figure.surprised:  # else a second turn of theirs would not be seen
        known |= {"surprised": False, "lost_turn": False}
    known |= hit_points(figure, chance)
    if scene.show_effects:
        known["effects"] = effects(figure, chance)
    if not figure.label:
        known |= {"name": figure.name, "name_fr": figure.name_fr}
    return replace(
        anybody(chance),
        **known,
        label=figure.label,
        side=place.side,
        is_lair=place.is_lair,
        arrives=chance.randint(0, scene.round),
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


def anybody(chance: Random) -> rules.Combatant:
    """A combatant of whom every field is by chance."""
    return rules.Combatant(**{f.name: _by_chance(f, chance) for f in fields(rules.Combatant)})


def _by_chance(own: Any, chance: Random) -> Any:
    if own.name in WORDS:
        return chance.choice(WORDS[own.name])
    if own.type is bool:
        return chance.random() < 0.5
    if own.type is int:
        return chance.randrange(30)
    if own.type is str:
        return chance.choice(["", f"secret {chance.randrange(99)}"])
    if own.type in LISTS:
        return tuple(LISTS[own.type](chance) for _ in range(chance.randrange(3)))
    if own.name == "saves":
        return chance.choice([{}, {"con": chance.randrange(9)}])
    if own.type == tuple[int, ...]:
        return chance.choice([(), (4,), (4, 7)])
    assert own.type == int | None, "a new kind of field needs values of its own here"
    return chance.choice([None, chance.randrange(99)])


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
