"""Who hides, and the word of the GM on surprise."""

from django import forms

import rules
from encounters import chance
from encounters.forms.base import StepForm, TargetForm, TargetsForm, Whole
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
    """Everybody of one side hides, or one of it alone; each rolls its own Stealth."""

    verb, ordered = "hide-side", True

    side = forms.ChoiceField(choices=list(SIDES.items()))
    only = forms.IntegerField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        side = [c for c in fight.combatants if c.side == self.cleaned_data["side"]]
        if (only := self.cleaned_data["only"]) is not None:
            side = [fight.combatant(only)]
        hiders = [c.number for c in side if not (c.passed_over or c.is_lair)]
        return rules.Hide(*rules.roll_stealth(fight, hiders, chance.d20))


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

    what = forms.ChoiceField(choices=[(name, name) for name in ROLLS])
    roll = forms.CharField(max_length=15, required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        changes = {self.cleaned_data["what"]: self.cleaned_data["roll"]}
        return self.each(lambda number: rules.Edit(number, changes))
