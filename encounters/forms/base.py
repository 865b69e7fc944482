"""What the forms of all verbs share."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from hashlib import sha256
from typing import Any, ClassVar, cast
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

import rules
from bestiary.additions import is_visible
from encounters import steps
from encounters.labels import metres, reads_metres
from encounters.models import Encounter
from encounters.outside import Made

TYPED_MINUS = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-"})
OF_THE_PAGE = ("csrfmiddlewaretoken", "key", "seen", "selected", "at")  # not what is asked for
LARGEST, SMALLEST = 99_999, -9_999


class Whole(forms.IntegerField):
    """A whole number within the product's limits; 14.5 is refused, never cut."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput({"inputmode": "numeric", "size": 4})
        usual: dict[str, Any] = {"min_value": SMALLEST, "max_value": LARGEST, "widget": widget}
        super().__init__(**(usual | options))

    def to_python(self, value: Any) -> int | None:
        return super().to_python(str(value or "").translate(TYPED_MINUS).strip())


class Distance(Whole):
    """Feet, typed as this language measures: in metres where it is French, 1.5 for 5 feet."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**({"min_value": 0} | options))

    def prepare_value(self, value: Any) -> Any:
        return metres(value) if isinstance(value, int) and reads_metres() else value

    def to_python(self, value: Any) -> int | None:
        if not reads_metres() or value in self.empty_values:
            return super().to_python(value)
        try:
            typed = str(value).translate(TYPED_MINUS).strip().replace(",", ".")
            feet = round(Decimal(typed) * 10 / 3)
        except (ArithmeticError, ValueError):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from None
        return feet


def show_dexterity(form: forms.BaseForm, score: int | None) -> None:
    """What stands for an initiative or Stealth bonus that is left empty, in its field."""
    modifier = rules.ability_modifier(score)
    for name in ("initiative_bonus", "stealth_bonus"):
        if modifier is not None and name in form.fields:
            field = form.fields[name]
            field.widget.attrs["placeholder"] = f"{modifier:+d}".replace("-", "\N{MINUS SIGN}")
            field.help_text = _("Empty: the Dexterity modifier.")


class Words(forms.CharField):
    """What people read; of letters that nobody sees nothing is left, as of spaces."""

    def to_python(self, value: Any) -> str:
        text = str(super().to_python(value))
        return text if is_visible(text) else ""


class OneOf(forms.CharField):
    """One of these words. Choices would be copied, each with its name, for every request."""

    def __init__(self, words: Iterable[str], **options: Any) -> None:
        super().__init__(**options)
        self.words = frozenset(words)

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value and value not in self.words:
            wrong = forms.ChoiceField.default_error_messages["invalid_choice"]
            raise forms.ValidationError(wrong, code="invalid_choice", params={"value": value})


class StepForm(forms.Form):
    """A verb: `key` makes it happen once, `seen` is the version on the reader's screen."""

    verb: ClassVar[str]
    ordered: ClassVar[bool] = False  # depends on the order, so `seen` must be current

    key = forms.UUIDField()
    seen = forms.IntegerField(required=False)

    def __init__(self, data: Mapping[str, Any], encounter: Encounter) -> None:
        super().__init__(data)
        self.encounter = encounter
        self.made = Made()  # outside the fight, as its command is built

    def command(self, fight: rules.Fight) -> rules.Command:
        """What was asked for, as a command; raises `RuleError`."""
        raise AssertionError(self.verb)

    def take(self) -> steps.Taken:
        """Take the step; raises as `steps.take_step`."""
        build = self.command
        return steps.take_step(
            self.encounter.uuid,
            self.step_key,
            self.verb,
            build,
            asked=self.asked,
            seen=self.seen_version,
            made=self.made,
        )

    @property
    def step_key(self) -> UUID:
        return UUID(str(self.cleaned_data["key"]))

    @property
    def asked(self) -> str:
        """A digest of the verb and all that was sent for it, but not of the page it is from."""
        sent = sorted(
            (name, values) for name, values in self._all_sent() if name not in OF_THE_PAGE
        )
        return sha256(repr((self.verb, sent)).encode()).hexdigest()[:40]

    def _all_sent(self) -> Iterable[tuple[str, Any]]:
        data = self.data
        return data.lists() if isinstance(data, QueryDict) else data.items()

    @property
    def seen_version(self) -> int | None:
        """The version that must still be current; None when the command fits any."""
        seen = self.cleaned_data["seen"]
        return (-1 if seen is None else int(seen)) if self.is_ordered else None

    @property
    def is_ordered(self) -> bool:
        """Whether it depends on the order, or on what it replaces, as it was filled in."""
        return self.ordered

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
        return {n: _whole_number(text) for n, text in self.numbered(prefix).items()}


def _whole_number(text: str) -> int | None:
    """Raises `ValidationError`, with what was typed: many fields share one place for it."""
    try:
        return cast("int | None", Whole(required=False).clean(text))
    except forms.ValidationError as error:
        values = {"typed": text[:20], "error": error.messages[0]}
        raise forms.ValidationError(_("“%(typed)s”: %(error)s") % values) from None


class Numbers(forms.CharField):
    """Combatants' numbers with commas between them: "3", or "3,5,8"."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=1_000, **options)

    def clean(self, value: Any) -> tuple[int, ...]:
        parts = str(super().clean(value)).split(",")
        if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
            raise forms.ValidationError(_("This combatant does not exist."))
        return tuple(dict.fromkeys(int(part) for part in parts))


class TargetsForm(StepForm):
    """A verb about one combatant, or several at once in one step."""

    target = Numbers()

    @property
    def targets(self) -> tuple[int, ...]:
        found: tuple[int, ...] = self.cleaned_data["target"]
        return found

    def each(
        self, command: Callable[[int], rules.Command], some: tuple[int, ...] = ()
    ) -> rules.Command:
        """This command for every target, or for some of them, as one."""
        commands = tuple(command(number) for number in some or self.targets)
        return commands[0] if len(commands) == 1 else rules.Together(commands)

    def each_able(
        self, fight: rules.Fight, command: Callable[[int], rules.Command]
    ) -> rules.Command:
        """This command for those of several targets who can; for all when nobody can.

        Raises `RuleError("no-combatant")` when one of them has left.
        """
        for number in self.targets:
            fight.combatant(number)
        able = tuple(number for number in self.targets if _goes(command(number), fight))
        commands = tuple(command(number) for number in able or self.targets)
        return commands[0] if len(commands) == 1 else rules.Together(commands)


def _goes(command: rules.Command, fight: rules.Fight) -> bool:
    try:
        command.run(fight)
    except rules.RuleError:
        return False
    return True


class TargetForm(TargetsForm):
    """A verb about one combatant: of several, the first."""

    @property
    def one(self) -> int:
        return self.targets[0]

    def slot(self, fight: rules.Fight) -> int:
        """The place of the target in the order; raises `RuleError("no-slot")`."""
        slot = fight.combatant(self.one).slot
        if slot is None:
            raise rules.RuleError("no-slot")
        return slot
