"""Turns, reactions, the end of a fight, and going back."""

from collections.abc import Callable
from typing import ClassVar
from uuid import UUID

from django import forms

import rules
from encounters import steps
from encounters.forms.base import StepForm, TargetForm


class GiveTurnForm(TargetForm):
    verb, ordered = "give-turn", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.GiveTurn(self.slot(fight))


class PlainForm(StepForm):
    """A verb that takes no input of its own."""

    ordered = True
    plain: ClassVar[type[rules.Command]]

    def command(self, fight: rules.Fight) -> rules.Command:
        return self.plain()


class OpenFightForm(PlainForm):
    verb, plain = "open-fight", rules.OpenFight


class EndFightForm(PlainForm):
    verb, plain = "end-fight", rules.EndFight


class ReopenFightForm(PlainForm):
    verb, plain = "reopen-fight", rules.ReopenFight


class HistoryForm(StepForm):
    """A verb that goes through the stored steps."""

    ordered = True
    change: ClassVar[Callable[[UUID, UUID, int, str], steps.Taken]]

    def take(self) -> steps.Taken:
        seen = self.seen_version or 0
        return type(self).change(self.encounter.uuid, self.step_key, seen, self.asked)


class PreviousTurnForm(HistoryForm):
    verb, change = "previous-turn", steps.previous_turn


class UndoForm(HistoryForm):
    verb, change = "undo", steps.undo_step


class RedoForm(HistoryForm):
    verb, change = "redo", steps.redo_step


class GoBackForm(HistoryForm):
    verb = "go-back"

    version = forms.IntegerField(required=False)

    def take(self) -> steps.Taken:
        seen, version = self.seen_version or 0, self.cleaned_data["version"] or 0
        return steps.go_back(self.encounter.uuid, self.step_key, seen, version, self.asked)
