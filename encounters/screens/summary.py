"""What the GM sees of a fight that is over: time, experience, damage, and heroes' hit points."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext

import rules
from bestiary.models import Creature
from encounters import history, labels, log, summary
from encounters.models import Encounter
from encounters.screens.charts import Chart, Dose, Who, chart
from rules import experience

SECONDS = 6  # in a round


@dataclass(frozen=True, slots=True)
class Foes:
    """Like creatures that were overcome."""

    name: str
    count: int
    points: int  # of one


@dataclass(frozen=True, slots=True)
class Experience:
    points: int  # experience points in all
    each: int  # of one hero
    left_over: int
    heroes: tuple[str, ...]  # who share
    out: tuple[str, ...]  # heroes who are marked out, and do not
    foes: tuple[Foes, ...]
    without: tuple[str, ...]  # those overcome who are from no book

    @property
    def sharers(self) -> str:
        return labels.in_words(self.heroes)

    @property
    def left_out(self) -> str:
        return labels.in_words(self.out)

    @property
    def not_counted(self) -> str:
        return labels.in_words(self.without)


@dataclass(frozen=True, slots=True)
class HeroRow:
    """A hero's hit points as the fight has left them, and as the campaign has them."""

    name: str
    fought: int | None
    kept: int | None  # in the campaign; the maximum when unhurt
    max_hp: int | None
    is_known: bool
    differs: bool


@dataclass(frozen=True, slots=True)
class Summary:
    rounds: int
    seconds: int
    experience: Experience
    dealt: Chart
    taken: Chart
    heroes: tuple[HeroRow, ...]
    start: int | None  # the version to go back to for the fight before it was opened

    @property
    def can_carry(self) -> bool:
        return any(hero.differs for hero in self.heroes)

    @property
    def knows_hit_points(self) -> bool:
        return any(hero.max_hp is not None for hero in self.heroes)


def summary_of(encounter: Encounter, fight: rules.Fight) -> Summary:
    """Everything that the page shows; five queries, and one more when somebody was removed."""
    records = history.records(encounter)
    stands = history.standing(records, encounter.undo_step)
    gone = summary.gone(encounter, records, stands)
    blows = summary.blows(records, stands)
    people = _people(records, (*gone, *fight.combatants))
    opened = summary.opening(records, stands)
    return Summary(
        rounds=fight.round,
        seconds=fight.round * SECONDS,
        experience=_experience(fight, gone),
        dealt=chart((Dose(b.by, b.round, b.amount) for b in blows), people, fight.round),
        taken=chart((Dose(b.target, b.round, b.amount) for b in blows), people, fight.round),
        heroes=_heroes(encounter, fight),
        start=opened - 1 if opened and opened > 1 else None,
    )


def _people(
    records: Sequence[history.Record], known: Iterable[rules.Combatant]
) -> dict[int | None, Who]:
    """Everybody whom a step names, by the latest name, and the one whom nobody knows."""
    found: dict[int | None, Who] = {None: Who(gettext("Unknown"), "")}
    for step in reversed(records):
        for one in log.people(step.events):
            found[one["number"]] = Who(str(labels.named(one)), "")
    return found | {c.number: Who(str(labels.name_of(c)), c.side) for c in known}


def _experience(fight: rules.Fight, gone: Iterable[rules.Combatant]) -> Experience:
    overcome = experience.overcome(fight, gone)
    worth = _points({c.creature for c in overcome if c.creature})
    counted = [(c, worth[c.creature][c.at_home]) for c in overcome if c.creature in worth]
    points = sum(xp for _, xp in counted)
    sharers = experience.sharers(fight)
    each, left_over = experience.shared(points, len(sharers))
    return Experience(
        points=points,
        each=each,
        left_over=left_over,
        heroes=_names(sharers),
        out=_names(c for c in fight.combatants if c.is_hero and c.out),
        foes=_alike(counted),
        without=_names(c for c in overcome if c.creature not in worth),
    )


def _points(codes: set[str]) -> dict[str, tuple[int, int]]:
    """What each of these creatures is worth elsewhere and in its lair, as far as it is known."""
    wanted = Q()
    for code in codes:
        source, _, key = code.partition("/")
        wanted |= Q(source=source, key=key)
    found = Creature.objects.filter(wanted) if codes else Creature.objects.none()
    rows = found.values_list("source", "key", "xp", "facts__xp_in_lair")
    return {f"{s}/{key}": (xp, in_lair or xp) for s, key, xp, in_lair in rows if xp is not None}


def _alike(counted: Sequence[tuple[rules.Combatant, int]]) -> tuple[Foes, ...]:
    """Creatures of one name and one worth together."""
    kinds = Counter((labels.name_of(c).alone, xp) for c, xp in counted)
    return tuple(Foes(name, count, points) for (name, points), count in kinds.items())


def _names(combatants: Iterable[rules.Combatant]) -> tuple[str, ...]:
    return tuple(str(labels.name_of(c)) for c in combatants)


def _heroes(encounter: Encounter, fight: rules.Fight) -> tuple[HeroRow, ...]:
    return tuple(
        HeroRow(
            name=one.hero.name,
            fought=one.fought,
            kept=one.hero.max_hp if one.hero.hp is None else one.hero.hp,
            max_hp=one.hero.max_hp,
            is_known=one.is_known,
            differs=one.differs,
        )
        for one in summary.carried(encounter, fight)
    )
