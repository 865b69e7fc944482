"""The settings in words: under which heading each choice stands, and what it means in play.

Source: RULES of the table; `rules.Settings` holds the choices themselves.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.forms import BaseForm, BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from encounters.labels import Text, choice_in_words
from encounters.models import Campaign

HEADINGS: tuple[tuple[Text, tuple[str, ...]], ...] = (
    (_("Rules"), ("edition",)),
    (_("Surprise and Stealth"), ("surprise_reading", "stealth_tie", "group_stealth")),
    (_("Initiative"), ("hero_rolls", "monster_initiative", "group_initiative", "tie_rule")),
    (_("Variants"), ("side_initiative", "reroll_each_round")),
    (_("Turns"), ("turn_seconds",)),
    (
        _("Players"),
        (
            *("monsters_hidden", "reveal_on_turn"),
            *("hp_heroes", "hp_allies", "hp_foes", "hp_others"),
            *("show_ac", "show_initiative", "show_effects"),
        ),
    ),
)

HINTS: dict[str, Text] = {
    "edition": _(
        "2014: surprised creatures lose their first turn. 2024: they roll initiative with "
        "disadvantage, and nothing more."
    ),
    "surprise_reading": _("Usually, noticing a single foe is enough not to be surprised."),
    "stealth_tie": _("The editions differ: in 2014 it stays hidden, in 2024 it is noticed."),
    "group_stealth": _("One roll for the group: an observer notices all of them or none."),
    "hero_rolls": _(
        "Either way, a total that you type stays, and whoever has none can be rolled for."
    ),
    "monster_initiative": _(
        "The score is 10 + modifier, 5 more with advantage, 5 less with disadvantage. "
        "In the 2014 rules this changes nothing: they are rolled."
    ),
    "group_initiative": _(
        "Identical creatures have one place in the order and act together; "
        "the board can split them."
    ),
    "tie_rule": _(
        "Ask: you order tied creatures, players order tied heroes; hero vs creature: you "
        "decide or roll off."
    ),
    "side_initiative": _("A plain d20 without modifiers; equal dice are rolled again."),
    "reroll_each_round": _(
        "Creatures roll again when a round begins; so do heroes whose totals are rolled here."
    ),
    "turn_seconds": _(
        "The time counts down beside the round, here and for the players; 0 for no timer."
    ),
    "monsters_hidden": _(
        "Whatever you add from now on leaves no trace on the players’ page until it is shown."
    ),
    "reveal_on_turn": _("Otherwise a hidden creature stays hidden until you show it."),
    "hp_heroes": _(
        "A word: healthy, hurt, bloodied (at half or below), down, dying, stable or dead. "
        "The numbers: hit points, their maximum and temporary ones."
    ),
    "hp_allies": _("Creatures that fight beside the heroes."),
    "hp_foes": _("Whatever you choose, players learn nothing about hidden creatures."),
    "hp_others": _("Creatures of the third and the fourth side."),
    "show_ac": _("For everybody whom players see."),
    "show_initiative": _("Players see the total beside each place; otherwise only the order."),
    "show_effects": _(
        "Players see each condition and what it means, never its source or how long it "
        "lasts. A condition that you hide is never shown."
    ),
}


@dataclass(frozen=True, slots=True)
class Section:
    """Fields under one heading."""

    title: Text
    fields: tuple[BoundField, ...]


def hinted(form: BaseForm) -> None:
    """Say beside each of the form's settings what it means."""
    for name, field in form.fields.items():
        field.help_text = str(HINTS.get(name, ""))


def as_campaign(form: BaseForm, campaign: Campaign) -> None:
    """Say in the form of one fight what its campaign plays: the first option of each choice."""
    for name in rules.CHOICES:
        field: Any = form.fields[name]
        values = {"choice": choice_in_words(name, getattr(campaign, name))}
        first = ("", gettext("as in the campaign: %(choice)s") % values)
        field.choices = [first, *list(field.choices)[1:]]


def sections(
    form: BaseForm, headings: Iterable[tuple[Text, tuple[str, ...]]] = HEADINGS
) -> tuple[Section, ...]:
    """The form's fields under these headings, those that it has."""
    found = ((title, [name for name in names if name in form.fields]) for title, names in headings)
    return tuple(
        Section(title, tuple(form[name] for name in names)) for title, names in found if names
    )
