"""Parts of the GM's board, which a page that shows them already is not sent again.

A template says `data-part` behind the id of an outermost element. With each request the page tells
the marks of the parts that it has; in the place of such a one it gets an empty element, and keeps
its own (`static/js/parts.js`).
"""

import re
from hashlib import blake2b
from typing import NamedTuple

from django.http import HttpRequest

HEADER = "Board-Parts"
_OPENING = re.compile(r'\s*<(\w+) id="([\w-]+)" data-part(?= |>)')


class Part(NamedTuple):
    """A fragment, and what is sent to a page that has it."""

    html: str
    mark: str  # another for any other fragment; "" for one that is always sent
    stub: str


def part_of(html: str) -> Part:
    """The fragment with its mark in it."""
    opening = _OPENING.match(html)
    if opening is None:
        return Part(html, "", "")
    tag, name = opening.groups()
    mark = blake2b(html.encode(), digest_size=4).hexdigest()
    marked = f'{opening[0]}="{mark}"{html[opening.end() :]}'
    return Part(marked, mark, f'<{tag} id="{name}" data-same="{mark}"></{tag}>')


def shown_already(request: HttpRequest) -> frozenset[str]:
    """The marks of the parts that the page has."""
    return frozenset(request.headers.get(HEADER, "").split())
