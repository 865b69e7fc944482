"""Experience points of a fight: who was overcome, who shares, and what each one gets.

Source: SRD 5.1, "Monsters" / "Challenge": they are for defeating a monster. That the heroes share
them equally is how tables play.
"""

from collections.abc import Iterable

from rules.combatant import Combatant
from rules.fight import Fight


def overcome(fight: Fight, gone: Iterable[Combatant] = ()) -> tuple[Combatant, ...]:
    """The creatures hostile to the heroes that were killed, knocked out or left dying.

    `gone` are those who have been taken out of the fight, as they were then.
    """
    heroes = Combatant(number=0, name="", side="heroes")
    everybody = sorted((*fight.combatants, *gone), key=lambda c: c.number)
    return tuple(c for c in everybody if fight.enemies(heroes, c) and _is_overcome(c))


def _is_overcome(creature: Combatant) -> bool:
    return not creature.is_hero and (creature.defeated or creature.down or creature.stable)


def sharers(fight: Fight) -> tuple[Combatant, ...]:
    """The heroes among whom experience is shared: those who are there and not marked out."""
    return tuple(c for c in fight.combatants if c.is_hero and not (c.out or c.awaited))


def shared(points: int, heroes: int) -> tuple[int, int]:
    """How many points each hero gets, and how many are left over; all without heroes."""
    return divmod(points, heroes) if heroes else (0, points)
