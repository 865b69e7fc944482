"""How a fight is opened, begun, ended and reopened.

Source: DRS, chapter "Combattre" / "Ordre de jeu", "Déroulement d'un combat".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.initiative import RollInitiative, seated
from rules.order import placed
from rules.surprise import find_surprised, judged
from rules.turns import Dice, Sides, arrived, turn_passed_on
from rules.unnoticed import hidden_at_first
from rules.verdicts import verdicts


@dataclass(frozen=True, slots=True)
class OpenFight:
    """Gather the slots, so that surprise and initiative can be found.

    Raises `RuleError("nobody-fights")` without combatants.
    """

    dice: Dice = field(default_factory=dict)
    sides: Sides = field(default_factory=dict)

    def run(self, fight: Fight) -> Outcome:
        fight.require("preparing")
        if all(c.is_lair for c in fight.combatants):
            raise RuleError("nobody-fights")
        opened = replace(seated(fight, fight.combatants), state="rolling")
        opened = placed(opened, opened.lairs)
        rolled = RollInitiative(self.dice, sides=self.sides).run(find_surprised(opened))
        return Outcome(rolled.fight, (Event("opened"), *rolled.events))


@dataclass(frozen=True, slots=True)
class StartFight:
    """Begin the first round; straight from the preparation it opens the fight first.

    Raises `RuleError`: "nobody-fights", "passive-perception-unknown" when surprise cannot be
    found, "totals-empty" unless those slots may act last, "nobody-can-act".
    """

    dice: Dice = field(default_factory=dict)  # for those still empty
    totals: Mapping[int, int | None] = field(default_factory=dict)  # slot -> total called out
    accept_empty: bool = False
    sides: Sides = field(default_factory=dict)

    def run(self, fight: Fight) -> Outcome:
        if fight.state == "preparing":
            fight = OpenFight().run(fight).fight
        fight.require("rolling")
        rolled = RollInitiative(self.dice, self.totals, self.sides).run(fight)
        fight = find_surprised(rolled.fight)
        self._check(fight)
        surprised = [c for c in fight.combatants if c.surprised]
        fresh: dict[str, object] = {"reaction": True}
        if fight.settings.edition == "2024":  # its surprise was for the initiative alone
            fresh["surprised"] = False
        found = verdicts(fight)
        fight = replace(fight, state="running", round=1, verdicts=found)
        fight = fight.with_each({c.number: fresh for c in fight.combatants})
        came = arrived(hidden_at_first(fight))
        begun = turn_passed_on(came.fight)
        why = {"verdicts": found} if found else {}
        event = Event("fight-began", {"surprised": names(surprised), **why})
        return Outcome(begun.fight, (*rolled.events, event, *came.events, *begun.events))

    def _check(self, fight: Fight) -> None:
        unknown = {number for number, (_, reason) in judged(fight).items() if reason == "unknown"}
        if unknown:
            who = names(c for c in fight.combatants if c.number in unknown)
            raise RuleError("passive-perception-unknown", who=who)
        empty = {slot.number for slot in fight.slots if slot.total is None}
        if empty and not self.accept_empty:
            who = names(c for c in fight.combatants if c.slot in empty)
            raise RuleError("totals-empty", who=who)


def nobody_left(fight: Fight) -> bool:
    """Whether whoever still stands, or is to come, has no enemy left who does."""
    there = [c for c in fight.combatants if not c.is_lair]
    sides = {c.side: c for c in there}.values()
    up = {c.side: c for c in there if not (c.defeated or c.down or c.out)}.values()
    fought = any(fight.enemies(one, other) for one in up for other in sides)
    return fought and not any(fight.enemies(one, other) for one in up for other in up)


@dataclass(frozen=True, slots=True)
class EndFight:
    """The fight is over; it can be reopened where it was."""

    def run(self, fight: Fight) -> Outcome:
        fight.require("running")
        return told(replace(fight, state="ended"), "fight-ended", rounds=fight.round)


@dataclass(frozen=True, slots=True)
class ReopenFight:
    """Go on where the fight was ended."""

    def run(self, fight: Fight) -> Outcome:
        fight.require("ended")
        return told(replace(fight, state="running"), "fight-reopened")
