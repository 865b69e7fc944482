"""The forms of campaigns, heroes and encounters: plain rows, nothing of a fight."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

import rules
from bestiary.additions import is_visible
from encounters.forms.base import Distance, Whole, Words, show_dexterity
from encounters.models import HERO_LIMIT, Campaign, Encounter, Hero
from encounters.refusals import REFUSALS
from encounters.settings_words import hinted

SEPARATORS = re.compile(r"[,;\n\r]")  # of names typed in one go
SEEN = (
    *(f"hp_{side}" for side in ("heroes", "allies", "foes", "others")),
    *("show_ac", "show_initiative", "show_effects"),
)  # what players see of those who are not hidden


class CampaignForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Campaign
        fields = ("name",)
        field_classes: ClassVar = {"name": Words}


class RowForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form of a row that is there; what a step writes to its other columns meanwhile stays."""

    def save(self, commit: bool = True) -> Any:
        self.instance.save(update_fields=self._meta.fields)
        return self.instance


class SettingsForm(RowForm):
    """The campaign's name, how its fights are played, and what players see of them."""

    class Meta:
        model = Campaign
        fields = ("name", *rules.CHOICES, "turn_seconds", *SEEN, "monsters_hidden")
        field_classes: ClassVar = {"name": Words}

    turn_seconds = Whole(
        label=_("seconds for a turn"), required=False, min_value=0, max_value=3_600
    )

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        hinted(self)

    def clean_turn_seconds(self) -> int:
        return self.cleaned_data["turn_seconds"] or 0


class PlayersSeeForm(RowForm):
    """The same choices of what players see, changed during a fight.

    Only what differs from the page as it was rendered is saved: another window, or the settings'
    page, may have changed the rest meanwhile.
    """

    class Meta:
        model = Campaign
        fields = (*SEEN, "reveal_on_turn", "monsters_hidden")

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        for field in self.fields.values():
            field.show_hidden_initial = True

    def save(self, commit: bool = True) -> Any:
        self.instance.save(update_fields=self.changed_data)
        return self.instance


class EncounterForm(RowForm):
    class Meta:
        model = Encounter
        fields = ("name",)
        field_classes: ClassVar = {"name": Words}


class HeroForm(RowForm):
    """One row of the heroes' table."""

    class Meta:
        model = Hero
        fields = (
            "name",
            "player",
            "level",
            "ac",
            "hp",
            "max_hp",
            "initiative_bonus",
            "passive_perception",
            "stealth_bonus",
            "dexterity",
            "speed",
        )
        field_classes: ClassVar = {"name": Words}

    speed = Distance(label=_("speed (ft)"), required=False, initial=30)

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        for name, field in self.fields.items():
            if isinstance(field, forms.IntegerField):
                field.widget = forms.TextInput(attrs={"inputmode": "numeric", "size": 4})
            field.widget.attrs["aria-label"] = str(field.label)
            if name == "name":
                field.widget.attrs["class"] = "name"
        show_dexterity(self, self.instance.dexterity)
        if self.instance.max_hp is not None:  # what an unhurt hero has
            self.fields["hp"].widget.attrs["placeholder"] = str(self.instance.max_hp)

    def clean(self) -> dict[str, Any]:
        """Hit points up to the maximum; at the maximum, and when empty, the hero is unhurt."""
        cleaned: dict[str, Any] = super().clean() or {}
        hp, max_hp = cleaned.get("hp"), cleaned.get("max_hp")
        if hp is not None and hp > (max_hp or 0) and "max_hp" in cleaned:
            self.add_error("hp", str(REFUSALS["hp-above-maximum"]))
        return cleaned | {"hp": None if hp == max_hp else hp}


class HeroTable(forms.BaseModelFormSet):  # type: ignore[type-arg]
    """The heroes' table: it makes no hero, and passes over rows of those who have left it."""

    @cached_property
    def forms(self) -> list[Any]:
        return [form for form in super().forms if form.instance.pk]


HeroFormSet = forms.modelformset_factory(
    Hero, form=HeroForm, formset=HeroTable, extra=0, absolute_max=1_000
)


class HeroesForm(forms.Form):
    """Names with commas, semicolons or line breaks between them: a new hero for each."""

    names = forms.CharField(label=_("Heroes’ names"), max_length=20_000)

    def __init__(self, data: Mapping[str, Any] | None, campaign: Campaign) -> None:
        super().__init__(data)
        self.campaign = campaign

    def clean_names(self) -> list[str]:
        names = [" ".join(name.split()) for name in SEPARATORS.split(self.cleaned_data["names"])]
        names = [name for name in names if is_visible(name)]
        if not names:
            raise forms.ValidationError(_("Type at least one name."))
        if any(len(name) > 80 for name in names):
            raise forms.ValidationError(_("A name has at most 80 characters."))
        if self.campaign.heroes.filter(deleted=None).count() + len(names) > HERO_LIMIT:
            raise forms.ValidationError(REFUSALS["too-many-heroes"] % {"limit": HERO_LIMIT})
        return names
