"""Who hides, and the word of the GM on surprise."""

from django import forms

import rules
from encounters import chance
from encounters.forms.base import StepForm, TargetForm, Whole
from encounters.labels import SIDES, SURPRISE


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
    """Everybody of one side hides; each rolls its own Stealth."""

    verb, ordered = "hide-side", True

    side = forms.ChoiceField(choices=list(SIDES.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        side = [c for c in fight.combatants if c.side == self.cleaned_data["side"]]
        hiders = [c for c in side if not c.passed_over]
        unknown = [c for c in hiders if c.stealth_bonus is None]
        if unknown:
            raise rules.RuleError("stealth-bonus-unknown", who=rules.names(unknown))
        dice = {c.number: chance.d20() for c in hiders}
        return rules.Hide({c.number: dice[c.number] + (c.stealth_bonus or 0) for c in hiders}, dice)


class StopHidingForm(StepForm):
    verb, ordered = "stop-hiding", True

    side = forms.ChoiceField(choices=list(SIDES.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        side = self.cleaned_data["side"]
        return rules.StopHiding(tuple(c.number for c in fight.combatants if c.side == side))


class OverrideSurpriseForm(TargetForm):
    verb, ordered = "override-surprise", True

    surprise = forms.ChoiceField(choices=list(SURPRISE.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.OverrideSurprise(self.cleaned_data["target"], self.cleaned_data["surprise"])


class SetPassiveForm(TargetForm):
    """A passive Perception that surprise has asked for."""

    verb, ordered = "set-passive", True

    passive_perception = Whole()

    def command(self, fight: rules.Fight) -> rules.Command:
        changes = {"passive_perception": self.cleaned_data["passive_perception"]}
        return rules.Edit(self.cleaned_data["target"], changes)
