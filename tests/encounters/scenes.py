"""All that players may know of a fight, drawn by chance."""

from dataclasses import dataclass, replace
from random import Random

HEALTH = ("", "down", "dying", "stable", "dead", "bloodied", "hurt", "healthy")
OVER = ("down", "dead")  # out of the fight
NAMES = (("Goblin", "Gobelin"), ("Ogre", ""), ("Wolf", "Loup"))
LABEL = "Hooded figure"
SIDES = ("heroes", "allies", "foes", "third")
SEEN = ("nothing", "word", "exact")  # of the hit points of a side


EFFECTS = (
    ("blinded", 0, ""), ("prone", 0, ""), ("exhaustion", 2, ""), ("grappled", 0, ""),
    ("concentration", 0, ""), ("dodging", 0, ""), ("own", 0, "blessed"), ("own", 0, "marked"),
)  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """A creature as players know it."""

    name: str
    name_fr: str
    label: str  # "" when they know its name
    is_hero: bool
    health: str
    hp: int | None  # what it has, where they are told
    max_hp: int | None
    temp_hp: int
    ac: int | None
    letter: int
    surprised: bool
    effects: frozenset[tuple[str, int, str]]  # code, level and own words


@dataclass(frozen=True)
class Place:
    """A slot as players know it."""

    side: str
    figures: tuple[Figure, ...]
    gone: bool
    acted: bool
    waiting: bool
    is_lair: bool


@dataclass(frozen=True)
class Turn:
    """A place of the order: that of a slot, or of the second turn that a slot has in round 1."""

    place: int  # index
    second: bool
    acted: bool
    total: int | None


@dataclass(frozen=True)
class Scene:
    """All that is public of a fight."""

    state: str  # running | waiting | over
    round: int
    places: tuple[Place, ...]
    order: tuple[Turn, ...]
    now: int | None  # index of the turn that was seen last; None: it is out of sight
    lettered: frozenset[str]  # names that several creatures have borne in sight
    hp: dict[str, str]  # by side, what players see of its hit points
    show_ac: bool
    show_initiative: bool
    show_effects: bool
    edition: str  # which is public where it tells what an effect means
    seconds: int  # for a turn, where there is a timer

    def is_exposed(self, index: int) -> bool:
        """Whether players see more of this place than its name."""
        on = self.now is not None and self.order[self.now].place == index
        return on or not (self.places[index].gone or self.places[index].waiting)


def numbers(health: str, chance: Random) -> tuple[int | None, int | None]:
    """Hit points, and their maximum, for a word; of the dead, whatever they had."""
    most = chance.randint(3, 400)
    match health:
        case "":
            return chance.choice([(None, None), (None, most), (most, None)])
        case "dead":
            return chance.choice([None, 0, 1]), most
        case "down" | "dying" | "stable":
            return 0, most
        case "bloodied":
            return chance.randint(1, most // 2), most
        case "hurt":
            return chance.randint(most // 2 + 1, most - 1), most
        case _:
            return most, most


def health(is_hero: bool, chance: Random) -> str:
    """A word that may be said of it: heroes do not lie there as creatures do."""
    return chance.choice([word for word in HEALTH if not (is_hero and word == "down")])


def figure(chance: Random) -> Figure:
    """A creature as players would know it."""
    is_hero = chance.random() < 0.5
    name, name_fr = ("Bran", "") if is_hero else chance.choice(NAMES)
    word = health(is_hero, chance)
    hp, most = numbers(word, chance)
    return Figure(
        name,
        name_fr,
        label=chance.choice(["", "", LABEL]),
        is_hero=is_hero,
        health=word,
        hp=hp,
        max_hp=most,
        temp_hp=chance.choice([0, 0, chance.randint(1, 30)]),
        ac=chance.choice([None, chance.randint(5, 25)]),
        letter=0 if is_hero else chance.randint(1, 3),
        surprised=chance.random() < 0.3,
        effects=frozenset(chance.sample(EFFECTS, chance.choice([0, 0, 1, 2]))),
    )


def _place(chance: Random) -> Place:
    members = tuple(figure(chance) for _ in range(chance.choice([1, 1, 2, 3])))
    gone = all(one.health in OVER for one in members) or chance.random() < 0.2
    return Place(
        chance.choice(SIDES),
        members,
        gone,
        acted=chance.random() < 0.5,
        waiting=chance.random() < 0.2,
        is_lair=chance.random() < 0.3,
    )


def scene(chance: Random) -> Scene:
    """A fight as players see it."""
    places = tuple(_place(chance) for _ in range(chance.choice([0, 1, 1, 2, 2, 3, 3, 4])))
    first = [
        Turn(index, False, place.acted, chance.choice([None, chance.randint(-5, 30)]))
        for index, place in enumerate(places)
    ]
    again = chance.sample(first, min(len(first), chance.choice([0, 0, 1, 2])))
    order = [*first, *(_second(turn, chance) for turn in again)]
    chance.shuffle(order)
    names = [name for name, _ in NAMES] + [LABEL]
    return Scene(
        state=chance.choice(["running"] * 8 + ["waiting", "over"]),
        round=chance.choice([1, 1, 2, 3, 4]),
        places=places,
        order=tuple(order),
        now=chance.choice([None, *range(len(order)), *range(len(order))]),
        lettered=frozenset(name for name in names if chance.random() < 0.5),
        hp={side: chance.choice(SEEN) for side in SIDES},
        show_ac=chance.random() < 0.4,
        show_initiative=chance.random() < 0.4,
        show_effects=chance.random() < 0.7,
        edition=chance.choice(["2014", "2024"]),
        seconds=chance.choice([0, 60]),
    )


def _second(turn: Turn, chance: Random) -> Turn:
    total = chance.choice([None, chance.randint(-15, 20)])
    return replace(turn, second=True, acted=chance.random() < 0.5, total=total)
