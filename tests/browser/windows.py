"""Windows of the browser that are used again, tidied up, by one test after the other.

A new one costs as much as a board that is loaded into it.
"""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, ViewportSize

MOST = 8  # kept while nobody uses them
LASTING = {  # what no tidying takes back
    "page": ("add_init_script", "expose_function", "expose_binding"),
    "context": ("add_init_script", "expose_function", "grant_permissions", "set_offline"),
}
FORGET = """() => {
    try {
        localStorage.clear();
        sessionStorage.clear();
        return !("__pwClock" in window); // a time of its own
    } catch {
        return false; // a script forbids it
    }
}"""
PLAIN = {"color_scheme": "null", "media": "null", "reduced_motion": "null"}


class Window:
    """A browser profile with a page, and what is to be undone in them."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page = page
        self.kind = kind
        self._lasts = False  # something has been done that no tidying takes back
        self._sessions: list[CDPSession] = []
        for part, names in (page, LASTING["page"]), (page.context, LASTING["context"]):
            for name in names:
                setattr(part, name, self._noting(getattr(part, name)))
        self._make_session = page.context.new_cdp_session
        vars(page.context)["new_cdp_session"] = self._new_session

    def _noting(self, act: Callable[..., None]) -> Callable[..., None]:
        def noted(*values: Any, **options: Any) -> None:
            self._lasts = True
            act(*values, **options)

        return noted

    def _new_session(self, page: Page) -> CDPSession:
        self._sessions.append(self._make_session(page))
        return self._sessions[-1]

    def is_tidy(self) -> bool:
        """Whether it is again as it was when it was new."""
        if self._lasts or self.page.is_closed():
            return False
        for other in self.page.context.pages:
            if other is not self.page:
                other.close()
        while self._sessions:
            self._sessions.pop().detach()
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.goto("/healthz")  # the lightest address there is
        if not self.page.evaluate(FORGET):
            return False
        self.page.context.clear_cookies()
        self.page.emulate_media(**PLAIN)  # type: ignore[arg-type]
        self.page.mouse.move(0, 0)
        return True


class Windows:
    """The windows of a worker; each is lent to one person at a time."""

    def __init__(self, browser: Browser, base_url: str) -> None:
        self._browser = browser
        self._base_url = base_url
        self._free: list[Window] = []  # the one that was used last comes last

    def lend(self, viewport: ViewportSize, script: str = "", **options: Any) -> Window:
        """A window of this size without cookies, storage or routes of anybody's.

        Its pages run `script` before their own.
        """
        kind = json.dumps([script, options], sort_keys=True)
        for window in reversed(self._free):
            if window.kind == kind:
                self._free.remove(window)
                if window.page.viewport_size != viewport:
                    window.page.set_viewport_size(viewport)
                return window
        context = self._browser.new_context(base_url=self._base_url, viewport=viewport, **options)
        if script:
            context.add_init_script(script)
        return Window(context.new_page(), kind)

    def take_back(self, window: Window, *, spoilt: bool) -> None:
        """Tidy it up, or away with it where something may be left."""
        if not spoilt and window.is_tidy():
            self._free.append(window)
        else:
            window.page.context.close()
        for old in self._free[:-MOST]:
            self._free.remove(old)
            old.page.context.close()
