"""What is counted: spent, set by hand, added and taken away."""

from django import forms

import rules
from encounters.forms.base import TargetForm, TargetsForm, Whole, Words
from encounters.labels import USE_KINDS


class UseForm(TargetForm):
    """About what is counted of one combatant, by its name."""

    use = forms.CharField(max_length=rules.USE_NAME_LIMIT, strip=False)


class SpendUseForm(UseForm):
    """One of it, or of legendary actions as many as this one costs."""

    verb = "spend-use"

    cost = Whole(required=False, min_value=1, max_value=3)

    def command(self, fight: rules.Fight) -> rules.Command:
        cost = self.cleaned_data["cost"] or 1
        return rules.SpendUse(self.one, self.cleaned_data["use"], cost)


class SetUseForm(UseForm):
    verb, ordered = "set-use", True

    left = Whole(min_value=0)

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.SetUse(self.one, self.cleaned_data["use"], self.cleaned_data["left"])


class AddUseForm(TargetsForm):
    """Something more that is counted, of one combatant or of each of several."""

    verb = "add-use"

    name = Words(max_length=rules.USE_NAME_LIMIT, required=False)
    max = Whole(required=False, min_value=1)
    kind = forms.ChoiceField(choices=list(USE_KINDS.items()), required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        facts = self.cleaned_data
        kind, _, lowest = (facts["kind"] or "day").partition(":")
        lowest, most = int(lowest or 0), facts["max"] or 1
        return self.each(lambda n: rules.AddUse(n, facts["name"], most, kind, lowest))


class RemoveUseForm(UseForm):
    verb = "remove-use"

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.RemoveUse(self.one, self.cleaned_data["use"])
