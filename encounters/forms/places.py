"""Groups split and merged, mounts, second turns, waiting and coming back."""

from collections.abc import Iterable

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


class RemoveExtraTurnForm(TargetForm):
    verb, ordered = "remove-extra-turn", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.RemoveExtraTurn(self.one)


class WaitForm(TargetsForm):
    """The places of all targets wait, those that do not yet."""

    verb, ordered = "wait", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.Together(tuple(map(rules.Wait, _places(fight, self.targets, waiting=False))))


class ComeBackForm(TargetsForm):
    """The places of all targets that wait come back, in their order."""

    verb, ordered = "come-back", True

    def command(self, fight: rules.Fight) -> rules.Command:
        places = _places(fight, self.targets, waiting=True)
        return rules.Together(tuple(map(rules.ComeBack, reversed(places))))


def _places(fight: rules.Fight, targets: Iterable[int], *, waiting: bool) -> list[int]:
    """The targets' places in order; those alone that wait, or do not, if there are any."""
    homes = {fight.combatant(number).slot for number in targets}
    own = [slot for slot in fight.slots if slot.number in homes]
    fitting = [slot.number for slot in own if (slot.waiting is not None) == waiting]
    if not own:
        raise rules.RuleError("no-slot")
    return fitting or [slot.number for slot in own]
