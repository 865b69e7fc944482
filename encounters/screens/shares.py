"""What each of a group adds to the row of the whole."""

from dataclasses import dataclass

import rules
from encounters.effect_words import called
from encounters.labels import SURPRISE


@dataclass(frozen=True, slots=True)
class Share:
    """What one of a group adds to the row of the whole."""

    hp: int | None
    max_hp: int | None
    health: str
    reacts: bool
    states: tuple[tuple[str, str], ...]  # "surprised", and effects: the code and what it is called

    @property
    def percent(self) -> int:
        """Hit points left, of a hundred; all when nobody knows them."""
        return round(100 * (self.hp or 0) / self.max_hp) if self.max_hp else 100


def share_of(c: rules.Combatant) -> Share:
    surprised = [("surprised", str(SURPRISE["surprised"]))] if c.surprised else []
    states = dict.fromkeys([*surprised, *((e.code, called(e)) for e in c.effects)])
    return Share(c.hp, c.max_hp, c.health, c.can_react, tuple(states))
