"""What this fight plays otherwise than its campaign."""

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rules
from encounters.forms.base import StepForm
from encounters.models import Campaign

AS_CAMPAIGN: tuple[str, str | Promise] = ("", _("as in the campaign"))
YES_NO: list[tuple[str, str | Promise]] = [("True", _("yes")), ("False", _("no"))]


def _choice(name: str) -> forms.TypedChoiceField:
    """The campaign's own choices for this setting, and the campaign's word."""
    field: Any = Campaign._meta.get_field(name)
    switch = not field.choices
    choices = [AS_CAMPAIGN, *(YES_NO if switch else field.choices)]
    return forms.TypedChoiceField(
        label=field.verbose_name,
        choices=choices,
        required=False,
        coerce=(lambda text: text == "True") if switch else str,
        empty_value=None,
    )


class ChangeSettingsForm(StepForm):
    """Settings for this fight alone: from the next roll on."""

    verb, ordered = "change-settings", True

    def __init__(self, data: Any, encounter: Any) -> None:
        super().__init__(data, encounter)
        self.fields |= {name: _choice(name) for name in rules.CHOICES}

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.ChangeSettings({name: self.cleaned_data[name] for name in rules.CHOICES})
