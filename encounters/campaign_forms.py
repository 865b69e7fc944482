"""The forms of campaigns, heroes and encounters: plain rows, nothing of a fight."""

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from encounters.forms.base import Distance
from encounters.models import Campaign, Encounter, Hero


class CampaignForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Campaign
        fields = ("name",)


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Campaign
        fields = (
            "name",
            "surprise_reading",
            "stealth_tie",
            "group_initiative",
            "monsters_hidden",
            "reveal_on_turn",
        )


class EncounterForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Encounter
        fields = ("name",)


class HeroForm(forms.ModelForm):  # type: ignore[type-arg]
    """One row of the heroes' table."""

    class Meta:
        model = Hero
        fields = (
            "name",
            "player",
            "level",
            "ac",
            "max_hp",
            "initiative_bonus",
            "passive_perception",
            "stealth_bonus",
            "dexterity",
            "speed",
        )
        labels: ClassVar = {"speed": _("speed, in feet")}

    speed = Distance(label=_("speed (ft)"), required=False, initial=30)

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        for name, field in self.fields.items():
            if isinstance(field, forms.IntegerField):
                field.widget = forms.TextInput(attrs={"inputmode": "numeric", "size": 4})
            field.widget.attrs["aria-label"] = str(field.label)
            if name == "name":
                field.widget.attrs["class"] = "name"


HeroFormSet = forms.modelformset_factory(Hero, form=HeroForm, extra=0)


class HeroesForm(forms.Form):
    """Names with commas between them: a new hero for each."""

    names = forms.CharField(label=_("Heroes’ names"), max_length=2_000)

    def clean_names(self) -> list[str]:
        names = [" ".join(name.split()) for name in self.cleaned_data["names"].split(",")]
        names = [name for name in names if name]
        if not names:
            raise forms.ValidationError(_("Type at least one name."))
        if any(len(name) > 80 for name in names):
            raise forms.ValidationError(_("A name has at most 80 characters."))
        return names
