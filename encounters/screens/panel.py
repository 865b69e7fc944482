"""The turn panel: those whose turn it is, what they have left, and who holds something ready."""

from dataclasses import dataclass

import rules
from bestiary.models import Creature
from encounters import labels
from encounters.labels import Name, name_of
from encounters.screens.rows import Mark, together, who


@dataclass(frozen=True, slots=True)
class Doer:
    """One of those whose turn it is, with what is left of it."""

    number: int
    name: Name
    left: rules.Means
    prone: bool
    effects: tuple[Mark, ...]

    @property
    def field(self) -> str:
        """What its form's name ends in."""
        return str(self.number)

    @property
    def percent(self) -> int:
        """Movement used, of a hundred."""
        return (
            min(100, round(100 * self.left.moved / self.left.allowed)) if self.left.allowed else 0
        )

    @property
    def over(self) -> int:
        """Feet moved beyond what it has."""
        return max(0, self.left.moved - self.left.allowed) if self.left.allowed is not None else 0


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who can act on another's turn: what is held ready, or a place that waits."""

    number: int
    name: str
    text: str
    able: bool  # has its reaction

    @property
    def field(self) -> str:
        """What its form's name ends in."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class TurnPanel:
    """Those whose turn it is, with their numbers from the book."""

    slot: int
    who: str
    side: str
    surprised: str  # those who lose this turn, "" when nobody does
    incapacitated: str
    doers: tuple[Doer, ...]
    idle: bool  # none of them can act
    all: str  # their numbers, with commas
    actions: tuple[str, ...]
    costs: tuple[str, ...]
    ac: int | None
    passive_perception: int | None
    attacks: tuple["Attack", ...]
    notes: str


@dataclass(frozen=True, slots=True)
class Attack:
    en: str
    fr: str
    to_hit: int | None
    damage: str  # "1d6+2 + 2d6"

    def __str__(self) -> str:
        return str(Name(self.en, self.fr or self.en))


def turn_panel(fight: rules.Fight) -> TurnPanel | None:
    """The panel of the current turn, or None when nobody has it."""
    members = fight.members(fight.current)
    if fight.current is None or not members:
        return None
    able = rules.standing(members)
    first = able[0]
    doers = tuple(_doer(c, fight) for c in able)
    lost = {word: _names(doers, word) for word in ("surprised", "incapacitated")}
    return TurnPanel(
        slot=fight.current,
        who=who(fight, fight.current),
        side=first.side,
        surprised=lost["surprised"],
        incapacitated=lost["incapacitated"],
        doers=doers,
        idle=all(one.left.lost_to for one in doers),
        all=",".join(str(c.number) for c in able),
        actions=rules.actions(fight.settings),
        costs=rules.COSTS,
        ac=first.ac,
        passive_perception=first.passive,
        attacks=_attacks(first.creature),
        notes=first.notes,
    )


def _doer(c: rules.Combatant, fight: rules.Fight) -> Doer:
    marks = tuple(Mark(e.code, e.level, e.text) for e in c.effects)
    return Doer(c.number, name_of(c), rules.means(c, fight), c.has("prone"), marks)


def _names(doers: tuple[Doer, ...], lost_to: str) -> str:
    return labels.in_words(str(one.name) for one in doers if one.left.lost_to == lost_to)


def held_ready(fight: rules.Fight) -> tuple[Holder, ...]:
    """Those who hold an action ready, and what."""
    return tuple(
        Holder(c.number, str(name_of(c)), effect.text, c.can_react)
        for c in fight.combatants
        for effect in c.effects
        if effect.code == "readied" and not c.passed_over
    )


def waiting(fight: rules.Fight) -> tuple[Holder, ...]:
    """The places that wait, by one of those who stand there."""
    members = fight.by_slot()
    return tuple(
        Holder(own[0].number, together(own), "", True)
        for slot in fight.slots
        for own in (members[slot.number],)
        if slot.waiting is not None and own
    )


_known_attacks: dict[str, tuple[Attack, ...]] = {}  # the book does not change while we run


def _attacks(code: str) -> tuple[Attack, ...]:
    if not code:
        return ()
    if code not in _known_attacks:
        source, _, key = code.partition("/")
        facts = Creature.objects.filter(source=source, key=key).values_list("facts", flat=True)
        found = next(iter(facts), {"attacks": ()})
        _known_attacks[code] = tuple(_attack(attack) for attack in found["attacks"])
    return _known_attacks[code]


def _attack(facts: dict[str, object]) -> Attack:
    damages = [facts["damage"], *facts["extra"]]  # type: ignore[misc]
    texts = [_damage(damage) for damage in damages if isinstance(damage, dict)]
    to_hit = facts["to_hit"]
    return Attack(
        str(facts["name_en"]),
        str(facts["name_fr"] or ""),
        to_hit if isinstance(to_hit, int) else None,
        " + ".join(texts),
    )


def _damage(damage: dict[str, object]) -> str:
    dice, bonus = damage["dice"], damage["bonus"]
    if not dice:
        return str(bonus)
    return f"{dice}{bonus:+d}".replace("-", "\N{MINUS SIGN}") if bonus else str(dice)
