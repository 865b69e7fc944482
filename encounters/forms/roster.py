"""Joining, leaving, and the facts of a combatant."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import rules
from encounters import adding, chance
from encounters.forms import defences, speeds
from encounters.forms.base import Distance, StepForm, TargetForm, TargetsForm, Whole, Words
from encounters.forms.initiative import with_roll_offs
from encounters.labels import INITIATIVE_ROLLS, ROLLS, SIDES
from encounters.models import Encounter
from encounters.sides import APART, sight_of


class JoinForm(StepForm):
    verb = "join"

    text = forms.CharField(max_length=2_000)
    side = forms.ChoiceField(choices=[("", ""), *SIDES.items()], required=False)
    rolled_hp = forms.BooleanField(required=False)
    picked = forms.CharField(max_length=120, required=False)
    arrives = Whole(required=False, min_value=0, max_value=999)

    def command(self, fight: rules.Fight) -> rules.Command:
        entering = adding.newcomers(
            self.cleaned_data["text"],
            self.encounter,
            fight,
            side=self.cleaned_data["side"],
            rolled_hp=self.cleaned_data["rolled_hp"],
            picked=self.cleaned_data["picked"],
            made=self.made,
        )
        arrives = self.cleaned_data["arrives"] or 0
        entering = tuple(replace(one, arrives=arrives) for one in entering)
        joining = rules.Join(entering, tuple(chance.d20() for _ in entering))
        return with_roll_offs(fight, joining)


class AddLairForm(StepForm):
    """A lair, which acts on count 20 after all others; whose it is, is asked on its page."""

    verb = "add-lair"

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.Join((adding.lair(),))


class LeaveForm(TargetsForm):
    verb, ordered = "leave", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.Leave(self.targets)


class EditForm(TargetForm):
    """The facts of one combatant; an empty number is unknown."""

    verb, ordered = "edit", True

    name = Words(label=_("name"), max_length=80)
    side = forms.ChoiceField(label=_("side"), choices=list(SIDES.items()))
    label = Words(label=_("name shown to players"), max_length=80, required=False)
    hero_level = Whole(label=_("level"), required=False, min_value=1, max_value=20)
    hp = Whole(label=_("HP"), required=False, min_value=0)
    max_hp = Whole(label=_("maximum HP"), required=False, min_value=1)
    temp_hp = Whole(label=_("temporary HP"), required=False, min_value=0)
    death_saves = forms.BooleanField(label=_("rolls death saves like a hero"), required=False)
    ac = Whole(label=_("AC"), required=False, min_value=0)
    initiative_bonus = Whole(label=_("initiative bonus"), required=False)
    passive_perception = Whole(label=_("passive Perception"), required=False)
    perception_roll = forms.ChoiceField(
        label=_("passive Perception: advantage or disadvantage"),
        choices=list(ROLLS.items()),
        required=False,
    )
    stealth_bonus = Whole(label=_("Stealth bonus"), required=False)
    stealth_roll = forms.ChoiceField(
        label=_("Stealth: advantage or disadvantage"), choices=list(ROLLS.items()), required=False
    )
    initiative_roll = forms.ChoiceField(
        label=_("initiative: advantage or disadvantage"), choices=list(INITIATIVE_ROLLS.items())
    )
    dexterity = Whole(label=_("Dexterity score"), required=False, min_value=0)
    speed = Distance(label=_("speed (ft)"), required=False)
    cannot_be_surprised = forms.BooleanField(label=_("cannot be surprised"), required=False)
    arrives = Whole(label=_("arrives in round"), required=False, min_value=0, max_value=999)
    in_lair = forms.BooleanField(
        label=_("in its lair"),
        required=False,
        help_text=_("More legendary actions and resistances, and more XP."),
    )
    notes = forms.CharField(
        label=_("notes"), max_length=10_000, required=False, widget=forms.Textarea
    )

    def __init__(self, data: Mapping[str, Any], encounter: Encounter) -> None:
        super().__init__(data, encounter)
        self.fields.update(defences.fields() | speeds.fields())
        for name in self.fields.keys() - TargetForm.base_fields.keys():
            self.fields[name].show_hidden_initial = True

    def command(self, fight: rules.Fight) -> rules.Command:
        was = fight.combatant(self.one)
        facts = self.cleaned_data | self._untouched(was)
        changes = {name: facts[name] for name in FACTS}
        changes["temp_hp"] = changes["temp_hp"] or 0
        changes["arrives"] = changes["arrives"] or 0
        changes["in_lair"] = changes["in_lair"] if was.may_be_at_home else was.in_lair
        if changes["name"] in (was.name, was.name_fr):  # the page shows either
            changes["name"] = was.name
        if changes["hp"] is None and was.hp is None:
            changes["hp"] = changes["max_hp"]
        if changes["max_hp"] is None:
            changes["max_hp"] = changes["hp"]
        if all(name in self.data for name in defences.OF_TYPES):  # else they were not asked
            changes |= defences.changes(was, facts)
        if all(name in self.data for name in speeds.NAMES.values()):
            changes |= speeds.changes(facts)
        return rules.Edit(was.number, changes)

    def _untouched(self, was: rules.Combatant) -> dict[str, Any]:
        """What stands as it was when the page was made, as it is by now: others may change it."""
        if self["name"].html_initial_name not in self.data:
            return {}  # what the page was made with is not told
        return {n: value for n, value in facts_of(was).items() if n not in self.changed_data}


def facts_of(combatant: rules.Combatant) -> dict[str, Any]:
    """What stands in the fields of its page."""
    facts = {name: getattr(combatant, name) for name in FACTS}
    return facts | defences.values(combatant) | speeds.values(combatant)


FACTS = tuple(name for name in rules.EDITABLE if name in EditForm.base_fields)


class SetHiddenForm(TargetsForm):
    verb = "set-hidden"

    hidden = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.SetHidden(self.targets, self.cleaned_data["hidden"])


class SetSideHiddenForm(StepForm):
    """A whole side is shown to the players or hidden from them, as it is when the step is taken.

    Whoever is still to come is not shown by it, nor is a lair: each is a surprise of its own.
    """

    verb = "set-side-hidden"

    side = forms.ChoiceField(
        choices=[(side, name) for side, name in SIDES.items() if side in APART]
    )
    hidden = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        hidden = self.cleaned_data["hidden"]
        own = sight_of(fight, self.cleaned_data["side"])
        targets = own.shown if hidden else own.hidden
        if not targets:
            raise rules.RuleError("nobody-to-hide" if hidden else "nobody-to-show")
        return rules.SetHidden(targets, hidden)


class SetLabelForm(TargetsForm):
    """What players call them from now on; nothing for their own names."""

    verb = "set-label"

    label = Words(max_length=80, required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.SetLabel(self.targets, self.cleaned_data["label"])


class SetOutForm(TargetsForm):
    verb = "set-out"

    out = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        return self.each(lambda number: rules.SetOut(number, self.cleaned_data["out"]))


class ChangeSideForm(TargetsForm):
    verb, ordered = "change-side", True

    side = forms.ChoiceField(choices=list(SIDES.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.ChangeSide(self.targets, self.cleaned_data["side"])


class AllyForm(StepForm):
    """Two sides fight together from now on, or no longer."""

    verb, ordered = "ally", True

    one = forms.ChoiceField(choices=list(SIDES.items()))
    other = forms.ChoiceField(choices=list(SIDES.items()))
    allied = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        facts = self.cleaned_data
        return rules.Ally(facts["one"], facts["other"], facts["allied"])


class SetOwnerForm(TargetForm):
    """Whose lair it is: it does not act while its owner is surprised. 0 is nobody's.

    Empty leaves it to the rule, which takes the one legendary creature.
    """

    verb, ordered = "set-owner", True

    owner = forms.IntegerField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        owner = self.cleaned_data["owner"]
        if owner:
            fight.combatant(owner)
        return rules.Edit(self.one, {"owner": owner})
