"""Totals typed or rolled, the beginning of a fight, ties, and the order by hand."""

from django import forms

import rules
from encounters import chance
from encounters.forms.base import OneOf, StepForm, TargetForm, Whole

HIGHEST_USUAL = 40  # a total; more is asked about, since digits run together easily
ACCEPTED_BY = {"totals-empty": "accept_empty", "total-is-high": "accept_high"}
"""The fields by which something refused is taken all the same, by the code of the refusal."""


class TotalsForm(StepForm):
    """Takes totals; one that is above all usual ones is asked about first."""

    accept_high = forms.BooleanField(required=False)

    def usual(self, fight: rules.Fight, totals: dict[int, int | None]) -> dict[int, int | None]:
        """The totals, by their slots; raises `RuleError("total-is-high")` for a new high one."""
        for slot, total in totals.items():
            high = total is not None and HIGHEST_USUAL < total < rules.TOTAL_RANGE.stop
            if high and total != fight.slot(slot).total and not self.cleaned_data["accept_high"]:
                who = rules.names(fight.by_slot()[slot])
                raise rules.RuleError("total-is-high", who=who, total=total)
        return totals


class RollInitiativeForm(TotalsForm):
    """Keep the totals that were typed, and roll what is blank: for all, or for creatures alone."""

    verb, ordered = "roll-initiative", True

    who = OneOf(("creatures", "all"), required=False)

    def clean(self) -> None:
        self.totals = self.whole_numbers("total")

    def command(self, fight: rules.Fight) -> rules.Command:
        typed = self.typed(fight)
        if fight.settings.side_initiative and not any(t is not None for t in typed.values()):
            return rules.RollInitiative(sides=_side_dice(fight))
        blank = [n for n in self._rolled(fight) if typed.get(n, fight.slot(n).total) is None]
        dice = rules.initiative_dice(fight, blank, chance.d20)
        totals = {n: total for n, total in typed.items() if n not in dice}
        return with_roll_offs(fight, rules.RollInitiative(dice, totals))

    def _rolled(self, fight: rules.Fight) -> list[int]:
        """The slots that this button rolls for."""
        members = fight.by_slot()
        rollable = [s.number for s in fight.slots if s.by not in rules.GIVEN]
        rollable = [n for n in rollable if rules.initiative_bonus(fight, n) is not None]
        if self.cleaned_data["who"] != "creatures":
            return rollable
        return [n for n in rollable if not any(c.is_hero for c in members[n])]

    def typed(self, fight: rules.Fight) -> dict[int, int | None]:
        """The totals on the page of those who are still in the order."""
        present = {slot.number for slot in fight.slots}
        found = {number: total for number, total in self.totals.items() if number in present}
        return self.usual(fight, found)


def _side_dice(fight: rules.Fight) -> dict[str, tuple[int, ...]]:
    sides = dict.fromkeys(c.side for c in fight.combatants if not c.is_lair)
    return rules.roll_sides(sides, chance.d20)


def with_roll_offs(fight: rules.Fight, command: rules.Command) -> rules.Command:
    """The command, and a roll-off for each mixed tie that it opens, where the table plays so."""
    if fight.settings.tie_rule != "roll_off":
        return command
    dice = _roll_offs(command.run(fight).fight, fight)
    roll_offs = (rules.RollOff(total, d20s) for total, d20s in dice.items())
    return rules.Together((command, *roll_offs)) if dice else command


def _roll_offs(after: rules.Fight, before: rules.Fight) -> dict[int, dict[int, tuple[int, ...]]]:
    """The dice of a roll-off for each open mixed tie that was not there before, by its total."""
    known = {(tie.total, tie.slots) for tie in rules.ties(before)}
    return {
        tie.total: rules.roll_off(rules.contenders(after, tie.total), chance.d20)
        for tie in rules.ties(after)
        if tie.open and tie.kind == "mixed" and (tie.total, tie.slots) not in known
    }


class SetTotalForm(TargetForm, TotalsForm):
    """Another total for a combatant's place, which moves to where it belongs."""

    verb, ordered = "set-total", True

    total = Whole()

    def command(self, fight: rules.Fight) -> rules.Command:
        totals = self.usual(fight, {self.slot(fight): self.cleaned_data["total"]})
        return with_roll_offs(fight, rules.RollInitiative(totals=totals))


class StartFightForm(RollInitiativeForm):
    """Begin with the totals typed. Straight from the preparation, roll all that can be rolled.

    Where a hero's total must be asked for, that opens the fight instead.
    """

    verb = "start-fight"

    accept_empty = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        accept_empty = self.cleaned_data["accept_empty"]
        if fight.state == "preparing":
            opening = _opening(fight)
            opened = opening.run(fight).fight
            if any(slot.total is None for slot in opened.slots):
                return opening
            return rules.Together((opening, rules.StartFight()))
        rolling = rules.RollInitiative(totals=self.typed(fight))
        settled = with_roll_offs(fight, rolling)
        return rules.Together((settled, rules.StartFight(accept_empty=accept_empty)))


def _opening(fight: rules.Fight) -> rules.Command:
    """The opening with every die that can be rolled."""
    opened = rules.OpenFight().run(fight).fight
    if fight.settings.side_initiative:
        return rules.OpenFight(sides=_side_dice(opened))
    dice = rules.initiative_dice(opened, rules.unrolled(opened), chance.d20)
    return with_roll_offs(fight, rules.OpenFight(dice))


class NextTurnForm(StepForm):
    """The next turn; where every round is rolled anew, with its dice."""

    verb, ordered = "next-turn", True

    def command(self, fight: rules.Fight) -> rules.Command:
        anew = rules.rolls_anew(fight)
        if not anew:
            return rules.NextTurn()
        begun = rules.until_the_dice(fight)
        if fight.settings.side_initiative:
            return rules.NextTurn(sides=_side_dice(begun))
        dice = rules.initiative_dice(begun, anew, chance.d20)
        if fight.settings.tie_rule != "roll_off":
            return rules.NextTurn(dice)
        rolled = rules.RollInitiative(dice).run(begun).fight
        return rules.NextTurn(dice, roll_offs=_roll_offs(rolled, rules.Fight()))


class BreakTieForm(StepForm):
    """Somebody acts first among equals."""

    verb, ordered = "break-tie", True

    first = forms.IntegerField()

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.ActFirst(self.cleaned_data["first"])


class RollOffForm(StepForm):
    verb, ordered = "roll-off", True

    total = forms.IntegerField()

    def command(self, fight: rules.Fight) -> rules.Command:
        total = self.cleaned_data["total"]
        return rules.RollOff(total, rules.roll_off(rules.contenders(fight, total), chance.d20))


class ReorderForm(TargetForm):
    """Move a combatant's place one up or one down, or before another; "" is the end.

    With `second` it is the place of its second turn that moves.
    """

    verb, ordered = "reorder", True

    move = OneOf(("up", "down"), required=False)
    before = forms.IntegerField(required=False)
    second = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        second, move = self.cleaned_data["second"], self.cleaned_data["move"]
        slot = rules.second_place(fight, self.one) if second else self.slot(fight)
        if move == "up":
            return rules.one_up(fight, slot)
        if move == "down":
            return rules.one_down(fight, slot)
        return rules.Reorder(slot, self.cleaned_data["before"])
