"""Totals typed or rolled, the beginning of a fight, ties, and the order by hand."""

from django import forms

import rules
from encounters import chance
from encounters.forms.base import StepForm, TargetForm, Whole


class RollInitiativeForm(StepForm):
    """Keep the totals that were typed, and roll what is blank."""

    verb, ordered = "roll-initiative", True

    def clean(self) -> None:
        self.totals = self.whole_numbers("total")

    def command(self, fight: rules.Fight) -> rules.Command:
        typed = self.typed(fight)
        blank = [s.number for s in fight.slots if typed.get(s.number, s.total) is None]
        dice = {n: chance.d20() for n in blank if rules.initiative_bonus(fight, n) is not None}
        return rules.RollInitiative(dice, {n: t for n, t in typed.items() if n not in dice})

    def typed(self, fight: rules.Fight) -> dict[int, int | None]:
        """The totals on the page of those who are still in the order."""
        present = {slot.number for slot in fight.slots}
        return {number: total for number, total in self.totals.items() if number in present}


class SetTotalForm(TargetForm):
    """Another total for a combatant's place, which moves to where it belongs."""

    verb, ordered = "set-total", True

    total = Whole()

    def command(self, fight: rules.Fight) -> rules.Command:
        slot = fight.combatant(self.cleaned_data["target"]).slot
        if slot is None:
            raise rules.RuleError("no-slot")
        return rules.RollInitiative(totals={slot: self.cleaned_data["total"]})


class StartFightForm(RollInitiativeForm):
    """Begin with the totals typed. Straight from the preparation, roll all that can be rolled.

    Where a hero's total must be asked for, that opens the fight instead.
    """

    verb = "start-fight"

    accept_empty = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        if fight.state == "preparing":
            opened = rules.OpenFight().run(fight).fight
            dice = {number: chance.d20() for number in rules.unrolled(opened)}
            if len(dice) < len(opened.slots):
                return rules.OpenFight(dice)
            return rules.StartFight(dice)
        return rules.StartFight(
            totals=self.typed(fight), accept_empty=self.cleaned_data["accept_empty"]
        )


class BreakTieForm(StepForm):
    """Somebody acts first among equals."""

    verb, ordered = "break-tie", True

    first = forms.IntegerField()

    def command(self, fight: rules.Fight) -> rules.Command:
        first = self.cleaned_data["first"]
        for tie in rules.ties(fight):
            asked = rules.asked(fight, tie)
            if first in asked:
                if len(asked) > 2:  # the others have yet to be asked about
                    return rules.Reorder(first, next(slot for slot in asked if slot != first))
                order = [slot for slot in tie.slots if slot != first]
                order.insert(min(map(tie.slots.index, asked)), first)
                return rules.BreakTie(tuple(order))
        raise rules.RuleError("not-a-tie")


class RollOffForm(StepForm):
    verb, ordered = "roll-off", True

    total = forms.IntegerField()

    def command(self, fight: rules.Fight) -> rules.Command:
        total = self.cleaned_data["total"]
        return rules.RollOff(total, rules.roll_off(rules.contenders(fight, total), chance.d20))


class ReorderForm(StepForm):
    """Move a combatant's place one up or one down, or before another."""

    verb, ordered = "reorder", True

    target = forms.IntegerField()
    move = forms.ChoiceField(choices=[("up", "up"), ("down", "down")])

    def command(self, fight: rules.Fight) -> rules.Command:
        slot = fight.combatant(self.cleaned_data["target"]).slot
        order = [s.number for s in fight.slots]
        if slot is None or slot not in order:
            raise rules.RuleError("no-slot")
        index = order.index(slot)
        if self.cleaned_data["move"] == "up":
            return rules.Reorder(slot, order[max(0, index - 1)])
        after = order[index + 2 : index + 3]
        return rules.Reorder(slot, after[0] if after else None)
