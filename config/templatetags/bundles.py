"""Links to the bundles of `config.bundles`: one each, or their sources for developers."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.bundles import addresses

register = template.Library()


@register.simple_tag
def styles(name: str, later: bool = False, paper: bool = False) -> SafeString:
    """The style sheets of a kind of page, or of a part that a script calls for later by its name.

    As in `{% styles "board" %}`. Browsers fetch nothing of a disabled sheet, and one for paper
    after all else.
    """
    kind = format_html(' data-part-of="{}" disabled', name) if later else ""
    kind = SafeString(' media="print"') if paper else kind
    found = ((address, kind) for address in addresses(f"{name}.css"))
    return format_html_join("\n", '<link rel="stylesheet" href="{}"{}>', found)


@register.simple_tag
def scripts(name: str, early: bool = False) -> SafeString:
    """The scripts of a kind of page: in order, once the page has been read, or early, at once."""
    found = ((address, "" if early else " defer") for address in addresses(f"{name}.js"))
    return format_html_join("\n", '<script src="{}"{}></script>', found)


@register.simple_tag
def script_addresses(name: str) -> str:
    """Where scripts that a page fetches later are, in order, with spaces between."""
    return " ".join(addresses(f"{name}.js"))
