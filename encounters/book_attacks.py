"""The attacks that the book gives a creature, as the board shows and rolls them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext

from bestiary import glossary
from bestiary.models import Creature
from encounters.labels import Name


@dataclass(frozen=True, slots=True)
class Part:
    """Damage of one type, as dice or a number."""

    expression: str  # "2d6+3"
    type: str
    ability: str = ""  # of the save that it takes
    dc: int = 0
    half: bool = False  # what a made save leaves
    when: str = ""  # only then, by a code of the glossary

    def __str__(self) -> str:
        """ "2d6+3 slashing", and what decides on it."""
        dice = self.expression.replace("-", "\N{MINUS SIGN}")
        said = f"{dice} {glossary.term('damage_types', self.type).lower()}"
        if self.ability:
            save = glossary.term("abilities", self.ability)
            text = gettext("%(damage)s, %(ability)s %(dc)s for half")
            text = text if self.half else gettext("%(damage)s, %(ability)s %(dc)s for none")
            said = text % {"damage": said, "ability": save, "dc": self.dc}
        return f"{said} ({glossary.term('when', self.when)})" if self.when else said

    @property
    def sure(self) -> bool:
        """A hit deals it, without a save or a condition."""
        return not (self.ability or self.when)


@dataclass(frozen=True, slots=True)
class Strike:
    """One attack: to hit, and the damage of a hit."""

    name: Name
    to_hit: int
    melee: bool
    parts: tuple[Part, ...]
    code: str  # its creature's, and its place among that one's attacks: "srd-5.1/goblin:0"
    when: str = ""  # only in this form, or this way: "two_hands", by a code of the glossary

    def __str__(self) -> str:
        section = "forms" if self.when in glossary.codes("forms") else "when"
        return f"{self.name} ({glossary.term(section, self.when)})" if self.when else str(self.name)

    @property
    def sure(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.sure)

    @property
    def damage(self) -> str:
        return " + ".join(map(str, self.sure))

    @property
    def further(self) -> tuple[Part, ...]:
        """Damage that a save or a condition decides on."""
        return tuple(part for part in self.parts if not part.sure)


@lru_cache(maxsize=1_000)  # the book does not change while we run
def strikes(code: str) -> tuple[Strike, ...]:
    """The attacks of a creature, by its code; none without one. One query for each creature."""
    source, _, key = code.partition("/")
    found = Creature.objects.filter(source=source, key=key).values_list("facts", flat=True)
    facts = next(iter(found), None) if code else None
    attacks = facts["attacks"] if facts else []
    return tuple(replace(strike, code=f"{code}:{i}") for i, strike in enumerate(_strikes(attacks)))


def strike_of(code: str) -> tuple[str, Strike] | None:
    """Whose attack a strike's code is, and the attack; None when there is none."""
    creature, _, index = code.rpartition(":")
    known = strikes(creature)
    if not (index.isascii() and index.isdigit() and len(index) < 4 and int(index) < len(known)):
        return None
    return creature, known[int(index)]


def _strikes(attacks: list[dict[str, Any]]) -> Iterator[Strike]:
    for facts in attacks:
        if facts["to_hit"] is None:
            continue
        name = Name(facts["name_en"], facts["name_fr"] or facts["name_en"])
        melee = facts["kind"] != "ranged"
        extra = tuple(map(_part, facts["extra"]))
        usual = (_part(facts["damage"]), *extra) if facts["damage"] else extra
        yield Strike(name, facts["to_hit"], melee, usual, "", facts.get("form") or "")
        if other := facts.get("alternative"):
            yield Strike(
                name, facts["to_hit"], melee, (_part(other, sure=True), *extra), "", other["when"]
            )


def _part(facts: Mapping[str, Any], *, sure: bool = False) -> Part:
    dice, bonus = facts["dice"], facts["bonus"]
    sign = f"{bonus:+d}" if bonus else ""
    return Part(
        f"{dice}{sign}" if dice else str(bonus),
        facts["type"],
        facts.get("save") or "",
        facts.get("dc") or 0,
        bool(facts.get("half_on_save")),
        "" if sure else facts.get("when") or "",
    )
