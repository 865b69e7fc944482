"""The pages of a fight beside its board: the facts of one combatant, and the fight's settings.

A form of theirs that is refused comes back on its own page, with why and with all that was typed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from encounters import forms, labels
from encounters.forms import defences, speeds
from encounters.forms.base import show_dexterity
from encounters.models import Encounter
from encounters.screens.gm import alliances
from encounters.screens.panel import attacks_of
from encounters.settings_words import as_campaign, hinted, sections
from encounters.store import load_fight

FORMS_OF_EDIT_PAGE = ("edit", "set-total", "mount", "set-owner")
FORMS_OF_ATTACK_PAGE = ("attack-of",)
FORMS_OF_SETTINGS_PAGE = ("change-settings", "ally")
FORMS_BESIDE_THE_BOARD = FORMS_OF_EDIT_PAGE + FORMS_OF_ATTACK_PAGE + FORMS_OF_SETTINGS_PAGE

FACTS: tuple[tuple[labels.Text, tuple[str, ...]], ...] = (
    (_("Identity"), ("name", "hero_level", "label", "side", "in_lair")),
    (_("Hit points and defence"), ("hp", "max_hp", "temp_hp", "death_saves", "ac")),
    (_("Movement"), ("speed", *speeds.OF_WAYS)),
    (
        _("Surprise"),
        (
            "stealth_bonus",
            "stealth_roll",
            "passive_perception",
            "perception_roll",
            "cannot_be_surprised",
        ),
    ),
    (_("Initiative"), ("initiative_bonus", "initiative_roll", "dexterity", "arrives")),
    (_("Notes"), ("notes",)),
)

DEFENCES: tuple[tuple[labels.Text, tuple[str, ...]], ...] = (
    (_("Saving throws"), defences.OF_SAVES),
    (_("Damage"), defences.OF_TYPES),
    (_("Conditional defences"), ("conditional",)),
    (_("Immune to conditions"), ("immune",)),
)


@dataclass(frozen=True, slots=True)
class Refused:
    """A form that was refused: where it stands, why, and what was typed."""

    form: str
    message: str
    values: dict[str, Any]
    accept: str = ""  # the field by which it is taken all the same, "" where nothing does
    path: str = ""  # where that is sent


@dataclass(frozen=True, slots=True)
class Option:
    """One of those that a combatant may belong to, or nobody with the value ""."""

    value: str
    name: str
    chosen: bool


def again(
    request: HttpRequest, encounter: Encounter, refused: Refused, status: int
) -> HttpResponse | None:
    """The page that the refused form stands on; None when that is the board."""
    if refused.form in FORMS_OF_SETTINGS_PAGE:
        return settings_page(request, encounter, refused, status)
    number = number_in(request.POST.get("target", "")) or 0
    if refused.form in FORMS_OF_ATTACK_PAGE:
        return attack_page(request, encounter, number, refused, status)
    if refused.form in FORMS_OF_EDIT_PAGE:
        return edit_page(request, encounter, number, refused, status)
    return None


def number_in(text: str) -> int | None:
    """A combatant's number as a form or an address gives it; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def edit_page(
    request: HttpRequest,
    encounter: Encounter,
    number: int,
    refused: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """All the facts of one combatant. 404 without it."""
    fight = load_fight(encounter)
    combatant = _found(fight, number)
    context = {
        "board": encounter,  # whose version the forms are of
        "encounter": encounter,
        "combatant": combatant,
        "name": labels.name_of(combatant),
        "total": fight.slot(combatant.slot).total if combatant.slot else None,
        "riders": _riders(fight, combatant, refused),
        "owners": _owners(fight, combatant, refused),
        "refused": refused,
        **_fields(encounter, combatant, refused, status),
    }
    return render(request, "encounters/gm/edit.html", context, status=status)


def attack_page(
    request: HttpRequest,
    encounter: Encounter,
    number: int,
    refused: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """The attacks of one combatant, on its turn or another's. 404 without it."""
    fight = load_fight(encounter)
    combatant = _found(fight, number)
    context = {
        "board": encounter,  # whose version the form is of
        "encounter": encounter,
        "name": labels.name_of(combatant),
        "attacks": attacks_of(fight, combatant),
        "refused": refused,
    }
    return render(request, "encounters/gm/attack.html", context, status=status)


def _found(fight: rules.Fight, number: int) -> rules.Combatant:
    try:
        return fight.combatant(number)
    except rules.RuleError:
        raise Http404 from None


def _fields(
    encounter: Encounter, combatant: rules.Combatant, refused: Refused | None, status: int
) -> dict[str, Any]:
    """The fields of its facts and defences, and whether a refusal is told above them all."""
    form = forms.EditForm(_facts(combatant, refused, status), encounter)
    defences.offer(form, combatant)
    show_dexterity(form, combatant.dexterity)
    if combatant.is_hero:
        del form.fields["death_saves"]
    else:
        del form.fields["hero_level"]
    if not combatant.may_be_at_home:
        del form.fields["in_lair"]
    facts, defended = sections(form, FACTS), sections(form, DEFENCES)
    wrong, undefended = (
        any(field.errors for part in parts for field in part.fields) for parts in (facts, defended)
    )
    return {
        "sections": facts,
        "defences": defended,
        "defended": undefended,
        "tells": status == 409 or not (wrong or undefended),  # where no field says it
    }


def _facts(combatant: rules.Combatant, refused: Refused | None, status: int) -> dict[str, Any]:
    """What stands in the fields: the facts, or what was typed over them."""
    if refused is None or refused.form != "edit":
        return forms.facts_of(combatant) | {"name": labels.name_of(combatant).typed}
    typed = {"initial-conditional": [], "initial-immune": []} | refused.values
    if status == 409:  # what the fight itself changes is shown as it is now
        return typed | {"hp": combatant.hp, "temp_hp": combatant.temp_hp}
    return typed


def _riders(
    fight: rules.Fight, mount: rules.Combatant, refused: Refused | None
) -> tuple[Option, ...]:
    """Who may ride it: others of its side. Nobody rides a hero or a lair."""
    if mount.is_hero or mount.is_lair:
        return ()
    able = (c for c in fight.combatants if c.side == mount.side and c.number != mount.number)
    return _options(able, "mount", "rider", mount.rider, refused)


def _owners(
    fight: rules.Fight, lair: rules.Combatant, refused: Refused | None
) -> tuple[Option, ...]:
    """Whose lair it may be: any creature's, or as the rule finds it."""
    if not lair.is_lair:
        return ()
    able = (c for c in fight.combatants if not c.is_hero)
    found = fight.owner_of(replace(lair, owner=None))
    usual = gettext("the only legendary creature present")
    if found:
        values = {"who": labels.name_of(found)}
        usual = gettext("the only legendary creature present: %(who)s") % values
    first = {"": usual, "0": gettext("nobody")}
    return _options(able, "set-owner", "owner", lair.owner, refused, first)


def _options(
    able: Iterable[rules.Combatant],
    form: str,
    field: str,
    now: int | None,
    refused: Refused | None,
    first: Mapping[str, str] | None = None,
) -> tuple[Option, ...]:
    """Those who are able, behind what may be chosen instead: usually nobody."""
    chosen = "" if now is None else str(now)
    if refused and refused.form == form:
        chosen = refused.values.get(field, "")
    named = {str(c.number): str(labels.name_of(c)) for c in able if not c.is_lair}
    options = {**(first or {"": gettext("nobody")}), **named}
    return tuple(Option(value, name, value == chosen) for value, name in options.items())


def settings_page(
    request: HttpRequest,
    encounter: Encounter,
    refused: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """What this fight plays otherwise than its campaign, and which sides are allied."""
    context = {
        "board": encounter,  # whose version the forms are of
        "encounter": encounter,
        "campaign": encounter.campaign,
        "sections": sections(_settings_form(encounter, refused)),
        "alliances": alliances(load_fight(encounter)),
        "refused": refused,
    }
    return render(request, "encounters/gm/settings.html", context, status=status)


def _settings_form(encounter: Encounter, refused: Refused | None) -> forms.ChangeSettingsForm:
    values: dict[str, Any] = dict(encounter.overrides)
    if refused and refused.form == "change-settings":
        values = refused.values
    form = forms.ChangeSettingsForm(values, encounter)
    as_campaign(form, encounter.campaign)
    hinted(form)
    return form
