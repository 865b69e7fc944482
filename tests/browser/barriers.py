"""A page as people with other eyes and other devices find it, in light and in dark."""

from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

Scheme = Literal["light", "dark"]

# What axe has found to be good is many times as long, and stays in the page.
VIOLATIONS = "async ([part, options]) => (await axe.run(part ?? document, options)).violations"
# nor is it asked where things are: their text tells
IN_SHORT = {"resultTypes": ["violations"], "selectors": False, "iframes": False, "preload": False}
# axe's rules which the scheme has a part in
ONLY_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def has_no_barrier(
    page: Page, *schemes: Scheme, within: str | None = None, colours_alone: bool = False
) -> None:
    """axe finds nothing in these schemes, or in light and in dark.

    It looks at the page, or at the parts of it that have these selectors: by all of its rules in
    the first scheme, and by those of colours in the other, or in both.
    """
    for part in (within or "main").split(", "):
        expect(page.locator(part)).to_be_visible()
    told: list[str] = []
    rules: dict[str, Any] = ONLY_COLOURS if colours_alone else {}
    for scheme in schemes or ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        told += [f"{page.url} in {scheme}: {fault}" for fault in _faults(page, within, rules)]
        rules = ONLY_COLOURS
    assert told == [], "\n".join(told)


def _faults(page: Page, part: str | None, rules: dict[str, Any]) -> list[str]:
    """What axe finds in this part of the page, or in all of it."""
    if not page.evaluate("!!window.axe"):
        page.evaluate(AXE_SCRIPT)
    violations = page.evaluate(VIOLATIONS, [part, {**rules, **IN_SHORT}])
    return [
        f"{violation['id']}: {node['html'][:120]} {node['failureSummary']}"
        for violation in violations
        for node in violation["nodes"]
    ]


def unfold(page: Page) -> None:
    """Open all that is folded on the page and can be seen, as by clicks."""
    page.evaluate(
        """() => {
            for (const part of document.querySelectorAll("main details:not([open])"))
                if (part.checkVisibility()) part.open = true;
        }"""
    )


def overflow(page: Page) -> int:
    """How many pixels the page is wider than its window; 0 when nothing scrolls sideways."""
    assert page.viewport_size
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return max(0, width - page.viewport_size["width"])
