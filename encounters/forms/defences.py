"""Defences and saving throws of one combatant, as fields of its page."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import rules
from encounters import effect_words, words_of_health
from encounters.forms.base import Whole
from encounters.labels import CONDITIONS, Text

BOTH = "both"  # resistance and vulnerability to the same type
KINDS: dict[str, tuple[str, ...]] = {
    "": (),
    **{kind: (kind,) for kind in words_of_health.DEFENCES},
    BOTH: ("resistance", "vulnerability"),
}
BONUS_LIMIT = 99
OF_TYPES = tuple(f"defence_{code}" for code in rules.DAMAGE_TYPES)
OF_SAVES = tuple(f"save_{code}" for code in rules.ABILITIES)


class Ticks(forms.Field):
    """Several of what stands on the page; what does not is passed over where it is used."""

    widget = forms.CheckboxSelectMultiple
    hidden_widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[str]:
        return list(value or ())


def fields() -> dict[str, forms.Field]:
    """By name. What depends on something can only be kept or taken away."""
    choices: list[tuple[str, Text]] = [("", "–"), *words_of_health.DEFENCES.items()]
    choices.append((BOTH, _("resistance and vulnerability")))
    found: dict[str, forms.Field] = {
        f"defence_{code}": forms.ChoiceField(label=str(word), choices=choices, required=False)
        for code, word in effect_words.DAMAGE_TYPES.items()
    }
    found["conditional"] = Ticks(label=_("conditional"), required=False)
    found["immune"] = Ticks(label=_("immune to"), required=False)
    for code, word in effect_words.ABILITIES.items():
        found[f"save_{code}"] = Whole(
            label=word, required=False, min_value=-BONUS_LIMIT, max_value=BONUS_LIMIT
        )
    return found


def offer(form: forms.Form, combatant: rules.Combatant) -> None:
    """The choices that this combatant has."""
    conditional = [(_code(d), words_of_health.defence(d)) for d in combatant.defences if d.when]
    choices: dict[str, Iterable[tuple[str, Text]]] = {
        "conditional": conditional,
        "immune": CONDITIONS.items(),
    }
    for name, offered in choices.items():
        widget: Any = form.fields[name].widget
        widget.choices = list(offered)
    if not conditional:
        del form.fields["conditional"]


def changes(was: rules.Combatant, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields say of its defences and saves."""
    of_types = (
        rules.Defence(kind, code)
        for code in rules.DAMAGE_TYPES
        for kind in KINDS[facts[f"defence_{code}"]]
    )
    kept = (d for d in was.defences if d.when and _code(d) in facts["conditional"])
    immune = (rules.Defence("immunity", code) for code in CONDITIONS if code in facts["immune"])
    bonuses = {code: facts[f"save_{code}"] for code in rules.ABILITIES}
    return {
        "defences": (*of_types, *kept, *immune),
        "saves": {code: bonus for code, bonus in bonuses.items() if bonus is not None},
    }


def values(combatant: rules.Combatant) -> dict[str, Any]:
    """What stands in the fields."""
    always: dict[str, set[str]] = {}
    for d in combatant.defences:
        if not d.when:
            always.setdefault(d.type, set()).add(d.kind)
    return {
        **{f"defence_{code}": _choice(always.get(code, set())) for code in rules.DAMAGE_TYPES},
        "conditional": [_code(d) for d in combatant.defences if d.when],
        "immune": [code for code in CONDITIONS if "immunity" in always.get(code, ())],
        **{f"save_{code}": combatant.saves.get(code) for code in rules.ABILITIES},
    }


def _choice(kinds: set[str]) -> str:
    for whole in ("absorption", "immunity"):  # it takes nothing of it
        if whole in kinds:
            return whole
    return BOTH if len(kinds) > 1 else next(iter(kinds), "")


def _code(one: rules.Defence) -> str:
    return f"{one.kind}:{one.type}:{one.when}"
