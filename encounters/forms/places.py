"""Groups split and merged, mounts, second turns, waiting and coming back."""

from django import forms

import rules
from encounters.forms.base import TargetForm, TargetsForm


class SplitForm(TargetsForm):
    verb, ordered = "split", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.Split(self.targets)


class MergeForm(TargetsForm):
    verb, ordered = "merge", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.Merge(self.targets)


class MountForm(TargetForm):
    verb, ordered = "mount", True

    rider = forms.IntegerField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.Mount(self.one, self.cleaned_data["rider"])


class GiveExtraTurnForm(TargetForm):
    verb, ordered = "give-extra-turn", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.GiveExtraTurn(self.one)


class WaitForm(TargetForm):
    verb, ordered = "wait", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.Wait(self.slot(fight))


class ComeBackForm(TargetForm):
    verb, ordered = "come-back", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.ComeBack(self.slot(fight))
