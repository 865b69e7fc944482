"""Typed text into commands: one form for each verb of a fight.

A verb's form gives its URL, its step's name and whether it depends on the order; dice are rolled
here, when the fight is known.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

import rules
from encounters import adding, chance
from encounters.labels import SIDES, SURPRISE
from encounters.models import Encounter

TYPED_MINUS = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-"})
LARGEST, SMALLEST = 99_999, -9_999


class Whole(forms.IntegerField):
    """A whole number within the product's limits; 14.5 is refused, never cut."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": SMALLEST, "max_value": LARGEST, **options})

    def to_python(self, value: Any) -> int | None:
        return super().to_python(str(value or "").translate(TYPED_MINUS).strip())


class StepForm(forms.Form):
    """A verb: `key` makes it happen once, `seen` is the version on the reader's screen."""

    verb: ClassVar[str]
    ordered: ClassVar[bool] = False  # depends on the order, so `seen` must be current

    key = forms.UUIDField()
    seen = forms.IntegerField(required=False)

    def __init__(self, data: Mapping[str, Any], encounter: Encounter) -> None:
        super().__init__(data)
        self.encounter = encounter

    def command(self, fight: rules.Fight) -> rules.Command:
        raise NotImplementedError

    def numbered(self, prefix: str) -> dict[int, str]:
        """What was typed into fields such as `total_3`: {3: text}."""
        found: dict[int, str] = {}
        for name in self.data:
            head, _, number = name.rpartition("_")
            if head == prefix and number.isascii() and number.isdigit() and len(number) < 10:
                found[int(number)] = str(self.data[name]).translate(TYPED_MINUS).strip()
        return found

    def whole_numbers(self, prefix: str) -> dict[int, int | None]:
        """The same as numbers, None where nothing was typed; the form's error otherwise."""
        field = Whole(required=False)
        return {number: field.clean(text) for number, text in self.numbered(prefix).items()}


def plain_verb(
    name: str, make: Callable[[], rules.Command], *, ordered: bool = True
) -> type[StepForm]:
    """A verb that takes no input of its own."""

    class PlainForm(StepForm):
        def command(self, fight: rules.Fight) -> rules.Command:
            return make()

    PlainForm.verb, PlainForm.ordered = name, ordered
    return PlainForm


class TargetForm(StepForm):
    target = forms.IntegerField()


# Who takes part


class JoinForm(StepForm):
    verb = "join"

    text = forms.CharField(max_length=2_000)
    side = forms.ChoiceField(choices=[("", ""), *SIDES.items()], required=False)
    rolled_hp = forms.BooleanField(required=False)
    picked = forms.CharField(max_length=120, required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        entering = adding.newcomers(
            self.cleaned_data["text"],
            self.encounter,
            fight,
            side=self.cleaned_data["side"],
            rolled_hp=self.cleaned_data["rolled_hp"],
            picked=self.cleaned_data["picked"],
        )
        return rules.Join(entering, tuple(chance.d20() for _ in entering))


class LeaveForm(TargetForm):
    verb, ordered = "leave", True

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.Leave((self.cleaned_data["target"],))


class EditForm(TargetForm):
    """The facts of one combatant; an empty number is unknown."""

    verb, ordered = "edit", True

    name = forms.CharField(label=_("name"), max_length=80)
    side = forms.ChoiceField(label=_("side"), choices=list(SIDES.items()))
    label = forms.CharField(label=_("name shown to players"), max_length=80, required=False)
    hp = Whole(label=_("HP"), required=False, min_value=0)
    max_hp = Whole(label=_("maximum HP"), required=False, min_value=1)
    temp_hp = Whole(label=_("temporary HP"), required=False, min_value=0)
    ac = Whole(label=_("AC"), required=False, min_value=0)
    initiative_bonus = Whole(label=_("initiative bonus"), required=False)
    passive_perception = Whole(label=_("passive Perception"), required=False)
    stealth_bonus = Whole(label=_("Stealth bonus"), required=False)
    dexterity = Whole(label=_("Dexterity score"), required=False, min_value=0)
    speed = Whole(label=_("speed, in feet"), required=False, min_value=0)
    cannot_be_surprised = forms.BooleanField(label=_("cannot be surprised"), required=False)
    notes = forms.CharField(
        label=_("notes"), max_length=10_000, required=False, widget=forms.Textarea
    )

    def command(self, fight: rules.Fight) -> rules.Command:
        was = fight.combatant(self.cleaned_data["target"])
        changes = {name: self.cleaned_data[name] for name in rules.EDITABLE}
        changes["temp_hp"] = changes["temp_hp"] or 0
        if changes["name"] in (was.name, was.name_fr):  # the page shows either
            changes["name"] = was.name
        if changes["hp"] is None and was.hp is None:
            changes["hp"] = changes["max_hp"]
        return rules.Edit(was.number, changes)


class SetHiddenForm(TargetForm):
    verb = "set-hidden"

    hidden = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.SetHidden((self.cleaned_data["target"],), self.cleaned_data["hidden"])


class SetOutForm(TargetForm):
    verb = "set-out"

    out = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.SetOut(self.cleaned_data["target"], self.cleaned_data["out"])


# Surprise


class HideForm(StepForm):
    """Stealth results as typed: whoever has one hides, whoever has none does not."""

    verb, ordered = "hide", True

    def clean(self) -> None:
        self.stealth = self.whole_numbers("stealth")

    def command(self, fight: rules.Fight) -> rules.Command:
        hiding = {number: result for number, result in self.stealth.items() if result is not None}
        stop = tuple(n for n, result in self.stealth.items() if result is None)
        return rules.Hide(hiding, stop=stop)


class HideSideForm(StepForm):
    """Everybody of one side hides; each rolls its own Stealth."""

    verb, ordered = "hide-side", True

    side = forms.ChoiceField(choices=list(SIDES.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        side = [c for c in fight.combatants if c.side == self.cleaned_data["side"]]
        hiders = [c for c in side if not c.passed_over]
        unknown = [c for c in hiders if c.stealth_bonus is None]
        if unknown:
            raise rules.RuleError("stealth-bonus-unknown", who=rules.names(unknown))
        dice = {c.number: chance.d20() for c in hiders}
        return rules.Hide({c.number: dice[c.number] + (c.stealth_bonus or 0) for c in hiders}, dice)


class StopHidingForm(StepForm):
    verb, ordered = "stop-hiding", True

    side = forms.ChoiceField(choices=list(SIDES.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        side = self.cleaned_data["side"]
        return rules.StopHiding(tuple(c.number for c in fight.combatants if c.side == side))


class OverrideSurpriseForm(TargetForm):
    verb, ordered = "override-surprise", True

    surprise = forms.ChoiceField(choices=list(SURPRISE.items()))

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.OverrideSurprise(self.cleaned_data["target"], self.cleaned_data["surprise"])


class SetPassiveForm(TargetForm):
    """A passive Perception that surprise has asked for."""

    verb, ordered = "set-passive", True

    passive_perception = Whole()

    def command(self, fight: rules.Fight) -> rules.Command:
        changes = {"passive_perception": self.cleaned_data["passive_perception"]}
        return rules.Edit(self.cleaned_data["target"], changes)


# Initiative


class RollInitiativeForm(StepForm):
    """Keep the totals that were typed, and roll what is blank."""

    verb, ordered = "roll-initiative", True

    def clean(self) -> None:
        self.totals = self.whole_numbers("total")

    def command(self, fight: rules.Fight) -> rules.Command:
        typed = self.typed(fight)
        blank = [s.number for s in fight.slots if typed.get(s.number, s.total) is None]
        dice = {n: chance.d20() for n in blank if rules.initiative_bonus(fight, n) is not None}
        return rules.RollInitiative(dice, {n: t for n, t in typed.items() if n not in dice})

    def typed(self, fight: rules.Fight) -> dict[int, int | None]:
        """The totals on the page of those who are still in the order."""
        present = {slot.number for slot in fight.slots}
        return {number: total for number, total in self.totals.items() if number in present}


class TypeInitiativeForm(RollInitiativeForm):
    """The same without rolling."""

    verb = "type-initiative"

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.RollInitiative({}, self.typed(fight))


class StartFightForm(RollInitiativeForm):
    """Begin with the totals typed. Straight from the preparation, roll all that can be rolled.

    Where a hero's total must be asked for, that opens the fight instead.
    """

    verb = "start-fight"

    accept_empty = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        if fight.state == "preparing":
            opened = rules.OpenFight().run(fight).fight
            dice = {number: chance.d20() for number in rules.unrolled(opened)}
            if len(dice) < len(opened.slots):
                return rules.OpenFight(dice)
            return rules.StartFight(dice)
        return rules.StartFight(
            totals=self.typed(fight), accept_empty=self.cleaned_data["accept_empty"]
        )


class BreakTieForm(StepForm):
    """Somebody acts first among equals."""

    verb, ordered = "break-tie", True

    first = forms.IntegerField()

    def command(self, fight: rules.Fight) -> rules.Command:
        first = self.cleaned_data["first"]
        for tie in rules.ties(fight):
            if first in tie.slots:
                others = tuple(slot for slot in tie.slots if slot != first)
                return rules.BreakTie((first, *others))
        raise rules.RuleError("not-a-tie")


class RollOffForm(StepForm):
    verb, ordered = "roll-off", True

    total = forms.IntegerField()

    def command(self, fight: rules.Fight) -> rules.Command:
        total = self.cleaned_data["total"]
        return rules.RollOff(total, rules.roll_off(rules.contenders(fight, total), chance.d20))


class ReorderForm(StepForm):
    """Move a combatant's place one up or one down, or before another."""

    verb, ordered = "reorder", True

    target = forms.IntegerField()
    move = forms.ChoiceField(choices=[("up", "up"), ("down", "down")])

    def command(self, fight: rules.Fight) -> rules.Command:
        slot = fight.combatant(self.cleaned_data["target"]).slot
        order = [s.number for s in fight.slots]
        if slot is None or slot not in order:
            raise rules.RuleError("no-slot")
        index = order.index(slot)
        if self.cleaned_data["move"] == "up":
            return rules.Reorder(slot, order[max(0, index - 1)])
        after = order[index + 2 : index + 3]
        return rules.Reorder(slot, after[0] if after else None)


# Turns


class GiveTurnForm(TargetForm):
    verb, ordered = "give-turn", True

    def command(self, fight: rules.Fight) -> rules.Command:
        slot = fight.combatant(self.cleaned_data["target"]).slot
        if slot is None:
            raise rules.RuleError("no-slot")
        return rules.GiveTurn(slot)


class SetReactionForm(TargetForm):
    verb = "set-reaction"

    available = forms.BooleanField(required=False)

    def command(self, fight: rules.Fight) -> rules.Command:
        return rules.SetReaction(self.cleaned_data["target"], self.cleaned_data["available"])


# Hit points


class AmountForm(TargetForm):
    """Hit points as a number or dice. A sign in front says what happens: −8 hurts, +5 heals."""

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
        return kind(self.cleaned_data["target"], max(0, rolled.total), rolled.dice)


class DamageForm(AmountForm):
    verb, usual = "damage", rules.Damage


class HealForm(AmountForm):
    verb, usual = "heal", rules.Heal


class GiveTemporaryForm(AmountForm):
    verb, usual = "give-temporary", rules.GiveTemporary


VERBS: tuple[type[StepForm], ...] = (
    JoinForm,
    LeaveForm,
    EditForm,
    SetHiddenForm,
    SetOutForm,
    plain_verb("open-fight", rules.OpenFight),
    HideForm,
    HideSideForm,
    StopHidingForm,
    OverrideSurpriseForm,
    SetPassiveForm,
    RollInitiativeForm,
    TypeInitiativeForm,
    StartFightForm,
    BreakTieForm,
    RollOffForm,
    ReorderForm,
    plain_verb("next-turn", rules.NextTurn),
    GiveTurnForm,
    SetReactionForm,
    DamageForm,
    HealForm,
    GiveTemporaryForm,
    plain_verb("end-fight", rules.EndFight),
    plain_verb("reopen-fight", rules.ReopenFight),
)
