"""Who hides, and the word of the GM on surprise."""

from django import forms

import rules
from encounters import chance
from encounters.forms.base import OneOf, StepForm, TargetForm, TargetsForm, Whole
from encounters.labels import SIDES, SURPRISE

ROLLS = ("perception_roll", "stealth_roll", "initiative_roll")


class HideForm(StepForm):
    """Stealth results as typed: whoever has one hides, whoever has none does not."""

    verb, ordered = "hide", True

    def clean(self) -> None:
        self.stealth = self.whole_numbers("stealth")

    def command(self, fight: rules.Fight) -> rules.Command:
        hiding = {number: result for number, result in self.stealth.items() if result is not None}
        stop = tuple(n for n, result in self.stealth.items() if result is None)
        return rules.Hide(hiding, stop=stop)


class HideSideForm(StepForm):
    """Those of one side who do not hide yet roll their Stealth; or one of it, again if need be."""

    verb, ordered = "hide-side", True

    side = forms.ChoiceField(choices=list(SIDES.items()))
    only = forms.IntegerField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        if (only := self.cleaned_data["only"]) is not None:
            hiders = [fight.combatant(only).number]
        else:
            hiders = self._rest(fight)
        results, dice = rules.roll_stealth(fight, hiders, chance.d20)
        return rules.Hide(results, dice, unknown=tuple(n for n in hiders if n not in results))

    def _rest(self, fight: rules.Fight) -> list[int]:
        """Those of the side who do not hide yet; raises `RuleError` when all do."""
        side = self.cleaned_data["side"]
        there = [c for c in fight.combatants if not (c.passed_over or c.is_lair)]
        rest = [c.number for c in there if c.side == side and not c.hides]
        if not rest:
            raise rules.RuleError("all-hide-already")
        return rest


class StopHidingForm(StepForm):
    verb, ordered = "stop-hiding", True

    side = forms.ChoiceField(choices=list(SIDES.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        side = self.cleaned_data["side"]
        return rules.StopHiding(tuple(c.number for c in fight.combatants if c.side == side))


class OverrideSurpriseForm(TargetsForm):
    verb, ordered = "override-surprise", True

    surprise = forms.ChoiceField(choices=list(SURPRISE.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        word = self.cleaned_data["surprise"]
        return self.each(lambda number: rules.OverrideSurprise(number, word))


class SetPassiveForm(TargetForm):
    """A passive Perception that surprise has asked for."""

    verb, ordered = "set-passive", True

    passive_perception = Whole()

    def command(self, fight: rules.Fight) -> rules.Command:
        changes = {"passive_perception": self.cleaned_data["passive_perception"]}
        return rules.Edit(self.one, changes)


class SetRollForm(TargetsForm):
    """Advantage or disadvantage on a check of the opening, as the GM ticks it."""

    verb, ordered = "set-roll", True

    what = OneOf(ROLLS)
    roll = forms.CharField(max_length=15, required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        changes = {self.cleaned_data["what"]: self.cleaned_data["roll"]}
        return self.each(lambda number: rules.Edit(number, changes))
