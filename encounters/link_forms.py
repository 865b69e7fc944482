"""The forms of the players' links: what each is called, and how long it lives without use."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from encounters.forms.base import Words
from encounters.models import PlayerLink


def name_of(link: PlayerLink) -> str:
    """What it is called; the first of a campaign may have been made without a name."""
    return link.name or gettext("Table")


class LinkForm(forms.ModelForm):  # type: ignore[type-arg]
    """The name and the life of a link, of a new one or of one that is there."""

    name = Words(label=_("name"), max_length=80)

    class Meta:
        model = PlayerLink
        fields = ("name", "days")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk:
            self.initial["name"] = name_of(self.instance)
        self.fields["name"].widget.attrs["autocomplete"] = "off"

    def save(self, commit: bool = True) -> Any:
        """What is written meanwhile to the other columns, of its use or its address, stays."""
        self.instance.save(update_fields=self._meta.fields if self.instance.pk else None)
        return self.instance


def forms_of(links: Iterable[PlayerLink], refused: LinkForm | None = None) -> dict[int, LinkForm]:
    """A form for each of these links, by its primary key; `refused` is one of them."""
    forms = {link.pk: LinkForm(instance=link, auto_id=f"id_link_{link.pk}_%s") for link in links}
    if refused is not None:
        refused.auto_id = f"id_link_{refused.instance.pk}_%s"
        forms[refused.instance.pk] = refused
    return forms
