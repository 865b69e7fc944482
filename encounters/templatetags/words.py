"""Words and small helpers for the templates."""

import os
import re
from collections.abc import Hashable
from functools import lru_cache
from itertools import count
from typing import Any
from uuid import uuid4

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from encounters import effect_words, labels, verdicts, words_of_health
from encounters.parts import Part, part_of
from encounters.screens.effects import Meaning, meanings
from encounters.screens.gm import LogLine
from encounters.screens.player import PlayerSlot
from encounters.screens.rows import GmRow

register = template.Library()


@register.filter
def word(code: str, kind: str) -> str:
    """The word for a code: `{{ row.side|word:"SIDES" }}`."""
    return str(_words(kind).get(code, code))


@register.simple_tag
def words(kind: str) -> list[tuple[str, labels.Text]]:
    """The codes of one kind with their words: `{% words "CONDITIONS" as conditions %}`."""
    return list(_words(kind).items())


@register.simple_tag
def meanings_of(codes: tuple[str, ...], edition: str) -> tuple[Meaning, ...]:
    """What these effects mean: `{% meanings_of board.meant board.edition as meanings %}`."""
    return meanings(codes, edition)


def _words(kind: str) -> dict[str, labels.Text]:
    homes = (effect_words, words_of_health, verdicts, labels)
    found: dict[str, labels.Text] = next(vars(home)[kind] for home in homes if kind in vars(home))
    return found


@register.filter
def elapsed(seconds: int) -> str:
    """Time in a fight: "12 s", "1 min 0 s"."""
    minutes, rest = divmod(seconds, 60)
    values = {"minutes": minutes, "seconds": rest}
    if minutes:
        return gettext("%(minutes)s min %(seconds)s s") % values
    return gettext("%(seconds)s s") % values


@register.filter
def distance(feet: float | None) -> str:
    """A distance as this language measures it: feet, or metres at 1.5 for 5 feet."""
    return "" if feet is None else labels.length(feet)


@register.filter
def typed_distance(feet: float) -> str:
    """A distance as it would be typed into a field: "30", "9", "4,5"."""
    return labels.metres(feet) if labels.reads_metres() else f"{feet:.6g}"


@register.filter
def signed(number: int | None) -> str:
    """A modifier with its sign, and a real minus: "+2", "−1"."""
    if number is None:
        return ""
    return f"+{number}" if number >= 0 else f"\N{MINUS SIGN}{-number}"


@register.filter
def grouped(number: int) -> str:
    """A whole number as it is read: "62,750", or "62 750" as French writes it; "−4"."""
    return labels.minus(number)


@register.filter
def counted(number: int, what: str) -> str:
    """ "1 round", "3 rounds"; `what` is one of the nouns below."""
    match what:
        case "round":
            text = ngettext("%(n)d round", "%(n)d rounds", number)
        case "hero":
            text = ngettext("%(n)d hero", "%(n)d heroes", number)
        case "encounter":
            text = ngettext("%(n)d encounter", "%(n)d encounters", number)
        case "due":
            text = ngettext("%(n)d due", "%(n)d due", number)
        case "watcher":
            text = ngettext("%(n)d watching", "%(n)d watching", number)
        case _:
            raise ValueError(what)
    return text % {"n": number}


@register.simple_tag(takes_context=True)
def gm_rows(context: Any) -> SafeString:
    """The rows of the GM's order, and the strip under the selected one.

    The same row is not rendered twice: most of them have not changed since the last board.
    """
    board, selected, language = context["board"], context["selected"], get_language()
    shown_already = context.get("shown_already", ())
    chosen = [int(number) for number in selected.split(",") if number]
    targets = tuple((r.number, r.name) for r in board.rows if r.number in chosen and not r.second)
    preparing = board.state == "preparing"
    parts: list[str] = []
    for row in board.rows:
        part = _gm_row(row, preparing, row.number in chosen, language)
        parts.append(part.stub if part.mark in shown_already else part.html)
        if chosen and row.number == chosen[-1] and not row.second:
            strip = "encounters/gm/_strip.html"
            shown = {"board": board.brief, "row": row, "selected": selected, "targets": targets}
            parts.append(kept(context, strip, **shown))
    return SafeString("".join(parts))


@register.simple_tag
def log_lines(lines: tuple[LogLine, ...]) -> SafeString:
    """The last steps; each is rendered once, as most of them were there before."""
    language = get_language()
    return SafeString("".join([_log_line(line.text, line.kind, language) for line in lines]))


@lru_cache(maxsize=500)
def _log_line(text: str, kind: str, _language: str | None) -> SafeString:
    context = {"text": text, "kind": kind}
    return SafeString(render_to_string("encounters/gm/_log_line.html", context).strip())


@register.simple_tag
def player_now(now: PlayerSlot, until: int) -> SafeString:
    """Whose turn it is, rendered once for each set of values that it shows."""
    return _player_now(now, until, get_language())


@lru_cache(maxsize=500)
def _player_now(now: PlayerSlot, until: int, _language: str | None) -> SafeString:
    context = {"now": now, "until": until}
    return SafeString(render_to_string("encounters/player/_now.html", context))


@register.simple_tag
def player_slots(slots: tuple[PlayerSlot, ...], first_is_next: bool) -> SafeString:
    """Places in the players' order, each rendered once for each set of values that it shows."""
    language = get_language()
    rendered = [
        _player_slot(slot, first_is_next and not n, language) for n, slot in enumerate(slots)
    ]
    return SafeString("".join(rendered))


@lru_cache(maxsize=2_000)
def _player_slot(slot: PlayerSlot, is_next: bool, language: str | None) -> SafeString:
    context = {"slot": slot, "next": is_next}
    return SafeString(render_to_string("encounters/player/_slot.html", context))


INDENTATION = re.compile(r"[ \n]+")


@lru_cache(maxsize=2_000)
def _gm_row(row: GmRow, preparing: bool, selected: bool, language: str | None) -> Part:
    context = {"row": row, "preparing": preparing, "selected": selected}
    name = "encounters/gm/_second.html" if row.second else "encounters/gm/_row.html"
    return part_of(INDENTATION.sub(" ", render_to_string(name, context)))


Pieces = tuple[Part, list[str]]
"""A fragment: text, the name of a form whose fields belong there, text, …"""
OPEN_PLACE = "<step>"  # in no name or note, where < is escaped


@register.simple_tag(takes_context=True)
def kept(context: Any, name: str, **shown: Hashable) -> SafeString:
    """A fragment that shows these values and no others, rendered once for each set of them.

    Only the hidden fields of its forms are made afresh: `step_fields` leaves their places open.
    """
    if refused := context.get("refused"):  # what was typed is shown, too, and once
        part, pieces = _in_pieces(name, {**shown, "refused": refused})
    else:
        part, pieces = _kept(name, get_language(), *shown.items())
    if part.mark in context.get("shown_already", ()):
        return SafeString(part.stub)
    ours = _ours(context) if len(pieces) > 1 else ""
    filled = pieces.copy()
    for place in range(1, len(pieces), 2):
        filled[place] = f"{ours}{_once(pieces[place])}"
    return SafeString("".join(filled))


@lru_cache(maxsize=2_000)  # a round of a hundred turns shows five hundred
def _kept(name: str, language: str | None, *shown: tuple[str, Hashable]) -> Pieces:
    return _in_pieces(name, dict(shown))


def _in_pieces(name: str, shown: dict[str, Any]) -> Pieces:
    part = part_of(render_to_string(name, {**shown, "kept": True}))
    return part, part.html.split(OPEN_PLACE)


@register.simple_tag
def key() -> str:
    """A fresh idempotency key for a form.

    A process gives out one after the other from a random one on: what the keys of a page have in
    common is compressed.
    """
    return f"{_first_part(os.getpid())}{next(_keys_given) & 0xFFFFFFFF:08x}"


_keys_given = count()


@lru_cache(maxsize=1)
def _first_part(_process: int) -> str:
    """All but the eight digits that differ."""
    return str(uuid4())[:-8]


@register.simple_tag(takes_context=True)
def step_fields(context: Any, form: str) -> SafeString:
    """The hidden fields of a step's form: what makes it ours, once, and of this version."""
    if "kept" in context:
        return SafeString(f"{OPEN_PLACE}{form}{OPEN_PLACE}")
    return SafeString(f"{_ours(context)}{_once(form)}")


def _ours(context: Any) -> str:
    return _of_every_form(str(context.get("csrf_token", "")), context["board"].version)


def _once(form: str) -> str:
    """What differs from form to form; `form` is a name that the template gives."""
    return (
        f'<input type="hidden" name="key" value="{key()}">'
        f'<input type="hidden" name="at" value="{form}">'
    )


@lru_cache(maxsize=4)
def _of_every_form(token: str, version: int) -> str:
    """Where a form needs no token its place stays: fields are told apart by their places."""
    ours = f' name="csrfmiddlewaretoken" value="{escape(token)}"' if token else ""
    return f'<input type="hidden"{ours}><input type="hidden" name="seen" value="{version}">'


@register.simple_tag(takes_context=True)
def typed(context: Any, form: str, field: str, otherwise: object = "") -> object:
    """What was typed into a refused form's field, so that nobody types it twice."""
    refused = context.get("refused")
    if refused and refused.form == form:
        return refused.values.get(field, otherwise)
    return "" if otherwise is None else otherwise


@register.simple_tag(takes_context=True)
def refusal(context: Any, form: str) -> str:
    """Why this form was refused, or nothing."""
    refused = context.get("refused")
    if not refused or refused.form != form:
        return ""
    return render_to_string("encounters/_refusal.html", {"refused": refused})
