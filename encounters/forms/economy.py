"""What a creature does on its turn: movement, actions, reactions."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

import rules
from encounters import chance
from encounters.forms.base import Distance, OneOf, TargetsForm, Whole
from encounters.labels import ACTIONS, COSTS, SPENT
from encounters.labels import WAYS as WAYS_OF_MOVING
from encounters.models import Encounter

WAYS = ("spent", "back")


class TakeActionForm(TargetsForm):
    verb = "take-action"

    def __init__(self, data: Mapping[str, Any], encounter: Encounter) -> None:
        super().__init__(data, encounter)
        self.rolled: dict[int, tuple[int | None, tuple[int, ...]]] = {}  # each once

    action = forms.ChoiceField(choices=list(ACTIONS.items()))
    cost = forms.ChoiceField(choices=list(COSTS.items()), required=False)
    text = forms.CharField(max_length=200, required=False)
    spell = forms.BooleanField(required=False)
    check = Whole(required=False)  # of Stealth or Perception; rolled where none was typed

    def command(self, fight: rules.Fight) -> rules.Command:
        facts = self.cleaned_data
        action, cost = facts["action"], facts["cost"] or "action"
        ready = action == "ready"
        held, spell = facts["text"] if ready else "", ready and facts["spell"]
        return self.each_able(
            fight,
            lambda n: rules.TakeAction(n, action, cost, held, spell, *self._check(fight, n)),
        )

    def _check(self, fight: rules.Fight, number: int) -> tuple[int | None, tuple[int, ...]]:
        """The check that *Hide* takes, and *Search* where somebody is hidden from this one."""
        action, typed = self.cleaned_data["action"], self.cleaned_data["check"]
        who = fight.combatant(number)
        if action == "search" and not rules.unnoticed_enemies(fight, number):
            return None, ()
        if action not in ("hide", "search") or typed is not None:
            return typed, ()
        if number not in self.rolled:
            roll = rules.stealth_check if action == "hide" else rules.perception_check
            self.rolled[number] = roll(who, fight, chance.d20) or (None, ())
        return self.rolled[number]


class SetSpentForm(TargetsForm):
    """A tick of this turn: what was spent is back, or the other way round."""

    verb = "set-spent"

    tick = OneOf(f"{what}-{way}" for what in SPENT for way in WAYS)

    def command(self, fight: rules.Fight) -> rules.Command:
        what, _, way = self.cleaned_data["tick"].partition("-")
        return self.each_able(fight, lambda n: rules.SetSpent(n, what, way == "spent"))


class MoveForm(TargetsForm):
    """Feet or metres of this turn's movement, typed or by a button; below 0 given back."""

    verb = "move"

    distance = Distance(min_value=-9_999, required=False)
    by = Distance(min_value=-9_999, required=False)
    crawling = forms.BooleanField(required=False)
    difficult = forms.BooleanField(required=False)

    def clean(self) -> None:
        facts = self.cleaned_data
        found = facts.get("by") if facts.get("by") is not None else facts.get("distance")
        if found is None and not self.errors:
            raise forms.ValidationError(_("Type a distance."))
        self.feet = found or 0

    def command(self, fight: rules.Fight) -> rules.Command:
        crawling, difficult = self.cleaned_data["crawling"], self.cleaned_data["difficult"]
        return self.each_able(fight, lambda n: rules.Move(n, self.feet, crawling, difficult))


class ChooseSpeedForm(TargetsForm):
    """Another way of moving; of several, for those who have it."""

    verb = "choose-speed"

    way = forms.ChoiceField(choices=list(WAYS_OF_MOVING.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        return self.each_able(fight, lambda n: rules.ChooseSpeed(n, self.cleaned_data["way"]))


class StandUpForm(TargetsForm):
    verb = "stand-up"

    anyway = forms.BooleanField(required=False)  # with less movement left than it takes

    def command(self, fight: rules.Fight) -> rules.Command:
        anyway = self.cleaned_data["anyway"]
        return self.each_able(fight, lambda number: rules.StandUp(number, anyway))


class SetReactionForm(TargetsForm):
    verb = "set-reaction"

    available = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        available = self.cleaned_data["available"]
        return self.each_able(fight, lambda n: rules.SetReaction(n, available))


class ReleaseReadiedForm(TargetsForm):
    verb = "release-readied"

    def command(self, fight: rules.Fight) -> rules.Command:
        return self.each_able(fight, rules.ReleaseReadied)
