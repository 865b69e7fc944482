"""Joining, leaving, and the facts of a combatant."""

from django import forms
from django.utils.translation import gettext_lazy as _

import rules
from encounters import adding, chance
from encounters.forms.base import Distance, StepForm, TargetForm, Whole
from encounters.labels import SIDES


class JoinForm(StepForm):
    verb = "join"

    text = forms.CharField(max_length=2_000)
    side = forms.ChoiceField(choices=[("", ""), *SIDES.items()], required=False)
    rolled_hp = forms.BooleanField(required=False)
    picked = forms.CharField(max_length=120, required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        entering = adding.newcomers(
            self.cleaned_data["text"],
            self.encounter,
            fight,
            side=self.cleaned_data["side"],
            rolled_hp=self.cleaned_data["rolled_hp"],
            picked=self.cleaned_data["picked"],
        )
        return rules.Join(entering, tuple(chance.d20() for _ in entering))


class LeaveForm(TargetForm):
    verb, ordered = "leave", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.Leave((self.cleaned_data["target"],))


class EditForm(TargetForm):
    """The facts of one combatant; an empty number is unknown."""

    verb, ordered = "edit", True

    name = forms.CharField(label=_("name"), max_length=80)
    side = forms.ChoiceField(label=_("side"), choices=list(SIDES.items()))
    label = forms.CharField(label=_("name shown to players"), max_length=80, required=False)
    hp = Whole(label=_("HP"), required=False, min_value=0)
    max_hp = Whole(label=_("maximum HP"), required=False, min_value=1)
    temp_hp = Whole(label=_("temporary HP"), required=False, min_value=0)
    ac = Whole(label=_("AC"), required=False, min_value=0)
    initiative_bonus = Whole(label=_("initiative bonus"), required=False)
    passive_perception = Whole(label=_("passive Perception"), required=False)
    stealth_bonus = Whole(label=_("Stealth bonus"), required=False)
    dexterity = Whole(label=_("Dexterity score"), required=False, min_value=0)
    speed = Distance(label=_("speed (ft)"), required=False)
    cannot_be_surprised = forms.BooleanField(label=_("cannot be surprised"), required=False)
    notes = forms.CharField(
        label=_("notes"), max_length=10_000, required=False, widget=forms.Textarea
    )

    def command(self, fight: rules.Fight) -> rules.Command:
        was = fight.combatant(self.cleaned_data["target"])
        changes = {name: self.cleaned_data[name] for name in rules.EDITABLE}
        changes["temp_hp"] = changes["temp_hp"] or 0
        if changes["name"] in (was.name, was.name_fr):  # the page shows either
            changes["name"] = was.name
        if changes["hp"] is None and was.hp is None:
            changes["hp"] = changes["max_hp"]
        if changes["max_hp"] is None:
            changes["max_hp"] = changes["hp"]
        return rules.Edit(was.number, changes)


class SetHiddenForm(TargetForm):
    verb = "set-hidden"

    hidden = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.SetHidden((self.cleaned_data["target"],), self.cleaned_data["hidden"])


class SetOutForm(TargetForm):
    verb = "set-out"

    out = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.SetOut(self.cleaned_data["target"], self.cleaned_data["out"])
