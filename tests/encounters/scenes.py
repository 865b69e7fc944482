"""All that players may know of a fight, drawn by chance."""

from dataclasses import dataclass, replace

from hypothesis import strategies as st

HEALTH = ("", "down", "dying", "stable", "dead", "bloodied", "hurt", "healthy")
OVER = ("down", "dead")  # out of the fight
NAMES = (("Goblin", "Gobelin"), ("Ogre", ""), ("Wolf", "Loup"))
LABEL = "Hooded figure"


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


@dataclass(frozen=True)
class Scene:
    """All that is public of a fight."""

    state: str  # running | waiting | over
    round: int
    places: tuple[Place, ...]
    order: tuple[Turn, ...]
    now: int | None  # index of the turn that was seen last; None: it is out of sight
    lettered: frozenset[str]  # names that several creatures have borne in sight
    show_effects: bool
    edition: str  # which is public where it tells what an effect means


@st.composite
def figures(draw: st.DrawFn) -> Figure:
    is_hero = draw(st.booleans())
    name, name_fr = ("Bran", "") if is_hero else draw(st.sampled_from(NAMES))
    label = draw(st.sampled_from(["", "", LABEL]))
    letter = 0 if is_hero else draw(st.integers(1, 3))
    health = draw(st.sampled_from([word for word in HEALTH if not (is_hero and word == "down")]))
    effects = draw(st.frozensets(st.sampled_from(EFFECTS), max_size=2))
    return Figure(name, name_fr, label, is_hero, health, letter, draw(st.booleans()), effects)


@st.composite
def places(draw: st.DrawFn) -> Place:
    members = draw(st.lists(figures(), min_size=1, max_size=3))
    gone = all(one.health in OVER for one in members)
    return Place(
        draw(st.sampled_from(["heroes", "foes", "third"])),
        tuple(members),
        gone or draw(st.sampled_from([False, False, True])),
        draw(st.booleans()),
        draw(st.sampled_from([False, False, True])),
        draw(st.booleans()),
    )


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    drawn = draw(st.lists(places(), max_size=4))
    turns = [Turn(index, False, place.acted) for index, place in enumerate(drawn)]
    again = draw(st.sets(st.sampled_from(turns), max_size=2)) if turns else set()
    order = [*turns, *(replace(turn, second=True, acted=draw(st.booleans())) for turn in again)]
    return Scene(
        draw(st.sampled_from(["running"] * 6 + ["waiting", "over"])),
        draw(st.sampled_from([1, 1, 2, 3, 4])),
        tuple(drawn),
        tuple(draw(st.permutations(order))),
        draw(st.integers(-2, len(order) - 1).map(lambda n: None if n < 0 else n)),
        draw(st.frozensets(st.sampled_from(["Goblin", "Ogre", "Wolf", LABEL]))),
        draw(st.sampled_from([True, True, True, False])),
        draw(st.sampled_from(["2014", "2024"])),
    )
