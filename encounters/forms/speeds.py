"""How fast one combatant is otherwise than on foot, as fields of its page."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import rules
from encounters.forms.base import Distance
from encounters.labels import Text

LABELS: dict[str, Text] = {
    "fly": _("flying speed (ft)"),
    "swim": _("swimming speed (ft)"),
    "climb": _("climbing speed (ft)"),
    "burrow": _("burrowing speed (ft)"),
}
NAMES = {way: f"speed_{way}" for way in LABELS}
OF_WAYS = (*NAMES.values(), "hovers")


def fields() -> dict[str, forms.Field]:
    """By name; empty is a speed that it does not have."""
    found: dict[str, forms.Field] = {
        name: Distance(label=LABELS[way], required=False) for way, name in NAMES.items()
    }
    return found | {"hovers": forms.BooleanField(label=_("hovers"), required=False)}


def values(combatant: rules.Combatant) -> dict[str, Any]:
    """What stands in the fields."""
    speeds = {name: combatant.speeds.get(way) for way, name in NAMES.items()}
    return speeds | {"hovers": combatant.hovers}


def changes(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields make of it."""
    speeds = {way: data[name] for way, name in NAMES.items() if data[name] is not None}
    return {"speeds": speeds, "hovers": data["hovers"]}
