"""A page as people with other eyes and other devices find it, in light and in dark."""

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

# What axe has found to be good is many times as long, and stays in the page.
VIOLATIONS = "async (options) => (await axe.run(options)).violations"
COLOURS = ("color-contrast", "link-in-text-block")  # axe's rules which the scheme has a part in


def has_no_barrier(page: Page) -> None:
    """axe finds nothing: not in light, not in dark."""
    expect(page.locator("main")).to_be_visible()
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    told = [f"{page.url} in light: {fault}" for fault in _faults(page)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    told += [f"{page.url} in dark: {fault}" for fault in _faults(page, COLOURS)]
    assert told == [], "\n".join(told)


def _faults(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """What axe finds by these of its rules, or by all."""
    if not page.evaluate("!!window.axe"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    violations = page.evaluate(VIOLATIONS, {**options, "resultTypes": ["violations"]})
    return [
        f"{violation['id']}: {node['html'][:120]} {node['failureSummary']}"
        for violation in violations
        for node in violation["nodes"]
    ]


def overflow(page: Page) -> int:
    """How many pixels the page is wider than its window; 0 when nothing scrolls sideways."""
    assert page.viewport_size
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return max(0, width - page.viewport_size["width"])
