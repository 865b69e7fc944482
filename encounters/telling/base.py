"""What the sentences of all chapters share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import ngettext

from encounters.labels import Text, listed, minus

Told = Mapping[str, Any]  # an event, as a step holds it
Sentence = Callable[[Told], str]


def about(text: Text) -> Sentence:
    """A sentence about those whom the event names."""

    def say(event: Told) -> str:
        values = {k: _read(v) for k, v in event.items() if isinstance(v, int | str)}
        return str(text) % {**values, "who": listed(event.get("who", ()))}

    return say


def _read(value: int | str) -> str:
    return value if isinstance(value, str) else minus(value)


def with_dice(said: str, dice: Sequence[int]) -> str:
    """A sentence, and in brackets the dice behind it, if there are any."""
    return f"{said} ({thrown(dice)})" if dice else said


def thrown(dice: Sequence[int]) -> str:
    """ "dice 4, 2"."""
    text = ngettext("die %(dice)s", "dice %(dice)s", len(dice))
    return text % {"dice": ", ".join(map(str, dice))}
