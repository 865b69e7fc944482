"""Hit points as they are typed: 8, −8, +5, =12, 2d6+3, "22 fire", "10 feu + 5 perforant"."""

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

import rules
from bestiary import glossary
from bestiary.folding import unaccented
from encounters import chance
from encounters.forms.base import TYPED_MINUS, Numbers
from encounters.labels import in_words

LENGTH_LIMIT = 100  # characters
_WORD = re.compile(r"[^\W\d_]+")
_OF_DICE = re.compile(r"d|k[hl]?|adv.*|av.*|dis.*|des.*|dsv")  # "2d6kh1", "d20 adv", "d20 dsv"
_FILLERS = re.compile(r"\b(?:damage|degats?|de)\b|\bd['’](?=[^\W\d])")  # "22 dégâts de feu"
_BETWEEN = " +,&"  # parts


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed: a sign, and dice or numbers with the damage types behind them."""

    sign: str  # "-" hurts, "+" heals, "=" sets; "" as the button says
    parts: tuple[tuple[str, str], ...]  # dice or a number, and a damage type's code or ""

    @property
    def has_type(self) -> bool:
        return any(kind for _, kind in self.parts)

    def rolled(self, *, critical: bool = False) -> tuple[tuple[rules.Roll, str], ...]:
        """Each part as it fell. The dice of a critical hit are doubled. Raises as `rules.roll`."""
        return tuple(
            (rules.roll(rules.doubled(text) if critical else text, chance.die), kind)
            for text, kind in self.parts
        )


def read(text: str) -> Typed:
    """What this stands for; types by an unambiguous beginning, in either language.

    Raises `ValidationError` for a word that is no type of damage, or may be several.
    """
    folded = unaccented(text.translate(TYPED_MINUS)).strip()
    sign = folded[:1] if folded[:1] in ("-", "+", "=") else ""
    folded = _FILLERS.sub(" ", folded[len(sign) :])
    parts: list[tuple[str, str]] = []
    end = 0
    for word in _WORD.finditer(folded):
        before = folded[end : word.start()].strip(_BETWEEN)
        if _OF_DICE.fullmatch(word[0]) or not any(letter.isdigit() for letter in before):
            continue
        parts.append((before, _damage_type(word[0])))
        end = word.end()
    rest = folded[end:].strip(_BETWEEN if parts else None)
    if rest or not parts:
        parts.append((rest, ""))
    if any(before.startswith("-") for before, _kind in parts[1:]):
        raise forms.ValidationError(_("Put a + between two types of damage."))
    return Typed(sign, tuple(parts))


def _damage_type(word: str) -> str:
    names = {
        code: {unaccented(name) for name in (code, *both)}
        for code, both in glossary.words("damage_types").items()
    }
    exact = [code for code, own in names.items() if word in own]
    found = exact or [
        code for code, own in names.items() if any(name.startswith(word) for name in own)
    ]
    if not found:
        raise forms.ValidationError(_("No type of damage begins with “%(word)s”.") % {"word": word})
    if len(found) > 1:
        types = in_words(glossary.term("damage_types", code).lower() for code in found)
        values = {"word": word, "types": types}
        raise forms.ValidationError(_("“%(word)s” may be several: %(types)s.") % values)
    return found[0]


class Amount(forms.CharField):
    """Hit points as they were typed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LENGTH_LIMIT, **options)

    def clean(self, value: Any) -> Typed | None:
        text = str(super().clean(value))
        return read(text) if text else None


class DamageTypes(forms.CharField):
    """Types of damage as they are typed, "acid, fire" or "feu": their codes, with commas."""

    def clean(self, value: Any) -> str:
        words = _WORD.findall(unaccented(str(super().clean(value))))
        found = dict.fromkeys(_damage_type(word) for word in words if word not in ("or", "ou"))
        return ",".join(found)


class Marked(Numbers):
    """Those of several combatants who are marked, in fields of one name; often nobody."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.SelectMultiple)

    def clean(self, value: Any) -> tuple[int, ...]:
        text = ",".join(value) if isinstance(value, list) else str(value or "")
        return super().clean(text) if text else ()
