"""The log of a fight from its beginning, as text or as Markdown, to be copied elsewhere.

Only the steps that stand are told. Undoing, and going back with what it went back over, are left
out: what is left is the story.
"""

import re

from django.utils.translation import gettext as _

from encounters.models import Encounter
from encounters.screens.past import Round, Sought, by_round, whole_log

FORMATS = ("txt", "md")


def chronicle(encounter: Encounter, format: str) -> str:
    """The whole log in one of the `FORMATS`, in the reader's language."""
    lines = whole_log(encounter, Sought()).lines
    standing = [line for line in reversed(lines) if not (line.undone or line.is_back)]
    rounds = by_round(line for line in standing if line.text)
    names = (_one_line(encounter.name), _one_line(encounter.campaign.name))
    return (_markdown if format == "md" else _text)(*names, rounds)


def _text(name: str, campaign: str, rounds: list[Round]) -> str:
    parts = [f"{name}\n{campaign}"]
    for round in rounds:
        steps = "\n".join(f"- {_one_line(line.text)}" for line in round.lines)
        parts.append(f"{_heading(round.number)}\n{steps}")
    return "\n\n".join(parts) + "\n"


def _markdown(name: str, campaign: str, rounds: list[Round]) -> str:
    parts = [f"# {escaped(name)}", escaped(campaign)]
    for round in rounds:
        parts.append(f"## {_heading(round.number)}")
        parts.append("\n".join(f"- {escaped(_one_line(line.text))}" for line in round.lines))
    return "\n\n".join(parts) + "\n"


def _heading(number: int) -> str:
    return _("Round %(round)s") % {"round": number} if number else _("Before the first round")


def _one_line(text: str) -> str:
    return _GAPS.sub(" ", text).strip()


_GAPS = re.compile(r"[^\S\u00a0\u202f]+")  # the spaces within which no line breaks stay


# What has a meaning anywhere in a line, in CommonMark or where it is spoken with more words:
# emphasis, code, links, HTML, entities, tables, formulas, mentions.
_ANYWHERE = re.compile(r"[\\`*_~\[\]<>&|$@#^{}]")
_AT_THE_START = re.compile(r"^([-+=:]|\d+(?=[.)]))")
_ADDRESS = re.compile(r"(?<=\w)(:(?=//)|(?<=www)\.)", re.IGNORECASE)


def escaped(text: str) -> str:
    """A line that Markdown shows as it is, whatever somebody's name is made of."""
    text = _ANYWHERE.sub(r"\\\g<0>", text)
    text = _ADDRESS.sub(r"\\\g<0>", text)
    return _AT_THE_START.sub(lambda m: _escaped_start(m[0]), text)


def _escaped_start(start: str) -> str:
    """A mark gets a backslash before it; a number, behind: "1\\." is no list."""
    return f"{start}\\" if start[-1].isdigit() else f"\\{start}"
