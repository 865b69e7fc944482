"""Damage, healing and temporary hit points as numbers or dice; reviving and the like."""

from collections.abc import Callable
from typing import ClassVar

from django import forms
from django.utils.translation import gettext as _

import rules
from bestiary import glossary
from encounters import steps
from encounters.forms.amounts import Amount, Marked, Typed
from encounters.forms.base import OneOf, TargetsForm, Whole

IF_AN_ENEMY = "acting-"  # before the number of whose turn it is, as long as nobody is chosen
ToEach = Callable[[int], rules.Command]


class AmountForm(TargetsForm):
    """Hit points as a number or dice. A sign in front says what happens: −8 hurts, +5 heals.

    But nobody is hurt by what heals. =12 sets them, so that the page they were read on must still
    hold. Dice are rolled once for all. What belongs to damage is passed over where nobody is hurt.
    """

    amount = Amount()
    type = OneOf(rules.DAMAGE_TYPES, required=False)
    saved = Marked()  # half for these
    critical = forms.BooleanField(required=False)  # typed dice are doubled
    knock_out = forms.BooleanField(required=False)
    reduction = Whole(required=False, min_value=0)
    reduction_type = OneOf(rules.DAMAGE_TYPES, required=False)
    instead = OneOf(rules.INSTEAD, required=False)
    also = forms.MultipleChoiceField(
        choices=[(code, code) for code in sorted(glossary.codes("damage_conditions"))],
        required=False,
    )
    defence = OneOf(rules.DEFENCES, required=False)

    by = forms.RegexField(f"^({IF_AN_ENEMY})?[0-9]{{1,9}}\\Z", required=False)
    # who deals it: a combatant's number, 0 nobody, empty nobody knows

    usual: ClassVar[str]  # the sign of the button

    def clean(self) -> None:
        typed = self.cleaned_data.get("amount")
        if typed and typed.sign == "-" and self.usual != "-":
            wrong = _("To heal, type the number without a minus sign; to hurt, press Damage.")
            raise forms.ValidationError({"amount": wrong})
        if typed and typed.has_type and not self._hurts(typed):
            raise forms.ValidationError({"amount": _("Only damage has a type.")})

    def _hurts(self, typed: Typed) -> bool:
        return (typed.sign or self.usual) == "-"

    @property
    def typed(self) -> Typed:
        found: Typed = self.cleaned_data["amount"]
        return found

    @property
    def is_ordered(self) -> bool:
        return self.typed.sign == "="

    def command(self, fight: rules.Fight) -> rules.Command:
        if self._hurts(self.typed):
            return self.each(self._damage(fight))
        [(roll, _)] = self.typed.rolled()
        amount, dice = max(0, roll.total), roll.dice
        if self.typed.sign == "=":
            return self.each(lambda number: rules.SetHitPoints(number, amount))
        return self.each(lambda number: rules.Heal(number, amount, dice), self._living(fight))

    def _living(self, fight: rules.Fight) -> tuple[int, ...]:
        """Those of the targets who are not dead, or all of them when nobody else is left."""
        living = tuple(n for n in self.targets if not fight.combatant(n).defeated)
        return living or self.targets

    def _damage(self, fight: rules.Fight) -> ToEach:
        facts = self.cleaned_data
        rolls = self.typed.rolled(critical=facts["critical"])
        amounts = [(max(0, roll.total), kind or facts["type"]) for roll, kind in rolls]
        dice = tuple(die for roll, _ in rolls for die in roll.dice)
        return lambda number: rules.Damage(
            number,
            amounts[0][0],
            dice,
            amounts[0][1],
            tuple(amounts[1:]),
            half=number in facts["saved"],
            reduction=facts["reduction"] or 0,
            reduction_type=facts["reduction_type"],
            instead=facts["instead"],
            critical=facts["critical"],
            knock_out=facts["knock_out"],
            also=tuple(facts["also"]),
            defence=facts["defence"] or "auto",
            by=self._dealer(fight, number),
        )

    def _dealer(self, fight: rules.Fight, target: int) -> int | None:
        """Whoever was chosen; the one whom the page has put there itself, where it is an enemy."""
        said: str = self.cleaned_data["by"]
        number = int(said.removeprefix(IF_AN_ENEMY) or 0)
        if not number:
            return None
        dealer = fight.combatant(number)
        counts = said.isdigit() or fight.enemies(dealer, fight.combatant(target))
        return number if counts else None


class DamageForm(AmountForm):
    verb, usual = "damage", "-"


class StayUpForm(TargetsForm):
    """Those whom the last step has felled have not fallen: something has come instead."""

    verb, ordered = "stay-up", True

    instead = OneOf(word for word in rules.INSTEAD if word)

    def take(self) -> steps.Taken:
        seen, word = self.seen_version or 0, self.cleaned_data["instead"]
        key = self.step_key
        return steps.stay_up(self.encounter.uuid, key, seen, self.targets, word, asked=self.asked)


class HealForm(AmountForm):
    """Of several, the dead are passed over; one alone is told to be dead."""

    verb, usual = "heal", "+"


class GiveTemporaryForm(AmountForm):
    """They do not add up, the higher stays; =10 are 10, whatever there was."""

    verb, usual = "give-temporary", "+"

    def _hurts(self, typed: Typed) -> bool:
        return False

    def command(self, fight: rules.Fight) -> rules.Command:
        [(roll, _)] = self.typed.rolled()
        amount, exactly = max(0, roll.total), self.typed.sign == "="
        return self.each(lambda n: rules.GiveTemporary(n, amount, roll.dice, exactly))


class ChangeMaximumForm(TargetsForm):
    """+5 or 5 raises the maximum, −5 lowers it, =20 sets it."""

    verb = "change-maximum"

    amount = Amount()

    def clean(self) -> None:
        if (typed := self.cleaned_data.get("amount")) and typed.has_type:
            raise forms.ValidationError({"amount": _("Only damage has a type.")})

    @property
    def is_ordered(self) -> bool:
        return bool(self.cleaned_data["amount"].sign == "=")

    def command(self, fight: rules.Fight) -> rules.Command:
        typed: Typed = self.cleaned_data["amount"]
        [(roll, _)] = typed.rolled()
        if typed.sign == "=":
            return self.each(lambda n: rules.ChangeMaximum(n, roll.total - _maximum(fight, n)))
        by = -roll.total if typed.sign == "-" else roll.total
        return self.each(lambda number: rules.ChangeMaximum(number, by))


def _maximum(fight: rules.Fight, number: int) -> int:
    return fight.combatant(number).max_hp or 0


class ReviveForm(TargetsForm):
    """Back from the dead with these hit points, or with one."""

    verb = "revive"

    amount = Amount(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        typed: Typed | None = self.cleaned_data["amount"]
        amount = max(1, typed.rolled()[0][0].total) if typed else 1
        return self.each_able(fight, lambda number: rules.Revive(number, amount))


class StabiliseForm(TargetsForm):
    verb = "stabilise"

    def command(self, fight: rules.Fight) -> rules.Command:
        return self.each_able(fight, rules.Stabilise)
