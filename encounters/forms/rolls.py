"""Dice rolled for anything, by whoever asks the GM."""

from django import forms

import rules
from encounters import chance
from encounters.forms.base import StepForm


class RollDiceForm(StepForm):
    verb = "roll-dice"

    dice = forms.CharField(max_length=100)
    who = forms.IntegerField(required=False)  # the combatant that rolls

    def command(self, fight: rules.Fight) -> rules.Command:
        rolled = rules.roll(self.cleaned_data["dice"], chance.die)
        who = self.cleaned_data["who"]
        return rules.RollDice(rolled.expression, rolled.dice, rolled.total, who, rolled.dropped)
