"""Damage, healing and temporary hit points, as numbers or dice."""

from typing import ClassVar

from django import forms

import rules
from encounters import chance
from encounters.forms.base import TYPED_MINUS, TargetsForm


class AmountForm(TargetsForm):
    """Hit points as a number or dice. A sign in front says what happens: −8 hurts, +5 heals.

    Dice are rolled once for all.
    """

    amount = forms.CharField(max_length=100)

    usual: ClassVar[type[rules.Damage | rules.Heal | rules.GiveTemporary]]

    def command(self, fight: rules.Fight) -> rules.Command:
        text = self.cleaned_data["amount"].translate(TYPED_MINUS).strip()
        kind: type[rules.Damage | rules.Heal | rules.GiveTemporary] = self.usual
        if text.startswith(("-", "+")):
            signed = rules.Damage if text[0] == "-" else rules.Heal
            kind = signed if kind is not rules.GiveTemporary else kind
            text = text[1:]
        rolled = rules.roll(text, chance.die)
        return self.each(lambda number: kind(number, max(0, rolled.total), rolled.dice))


class DamageForm(AmountForm):
    verb, usual = "damage", rules.Damage


class HealForm(AmountForm):
    verb, usual = "heal", rules.Heal


class GiveTemporaryForm(AmountForm):
    verb, usual = "give-temporary", rules.GiveTemporary
