"""The addresses that the project answers."""

import re
from collections.abc import Iterator, Mapping

from django.urls import URLPattern, URLResolver, get_resolver


def addresses(values: Mapping[str, object]) -> dict[str, str]:
    """Every one by its name, or by how it is written; these values are in it."""
    return {
        pattern.name or route: "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda m: str(values[m[1]]), route)
        for route, pattern in _routes(get_resolver())
    }


def _routes(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for one in resolver.url_patterns:
        route = f"{before}{one.pattern}"
        if isinstance(one, URLResolver):
            yield from _routes(one, route)
        else:
            yield route, one
