"""Requests and answers that a test keeps back, loses or counts."""

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.processes import HANG

ASKED = "/answered-by-the-test"


def intercept(page: Page, address: str, handler: Callable[[Route], Any]) -> None:
    """Hand these requests of an open page to the test, from now on without exception.

    Chromium says yes before the page's own process has heard of it: a request that is made in
    between goes to the server as ever, and nothing is told of it.
    """
    page.route(address, lambda route: handler(route))  # which may be a built-in, too
    page.route(f"**{ASKED}", lambda route: route.fulfill(status=204))
    asking = f"fetch('{ASKED}').then((answer) => answer.status)"
    wait_until(page, lambda: page.evaluate(asking) == 204)
    page.unroute(f"**{ASKED}")


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    """Let the page go on until this is so."""
    until = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < until, "what is waited for does not come"
        page.title()  # the browser tells of what has happened before it answers


class Held:
    """Requests that are kept from the server until they are let go."""

    def __init__(self, page: Page, address: str) -> None:
        self._routes: list[Route] = []
        self._page = page
        self._address = address
        intercept(page, address, self._routes.append)

    def catch(self, act: Callable[[], object]) -> None:
        """Do something that sends one."""
        with self._page.expect_request(lambda request: request.method == "POST"):
            act()
        wait_until(self._page, lambda: bool(self._routes))
        assert len(self._routes) == 1

    def let_go(self) -> None:
        for route in self._routes:
            route.continue_()
        self._page.unroute(self._address)


def note_answers(page: Page) -> None:
    """From now on the body lists the requests that the page has finished with, in order."""
    page.evaluate(
        """document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
            const { dataset } = document.body;
            dataset.answered = `${dataset.answered ?? ""} ${ctx.request.action}`;
        })"""
    )


def has_answer(page: Page, address: str) -> None:
    """Wait until the page has finished with a request to an address with this part."""
    expect(page.locator("body")).to_have_attribute("data-answered", re.compile(re.escape(address)))


def hurry(page: Page) -> None:
    """From now on what the page waits for seconds takes a tenth of them."""
    page.evaluate(
        """() => {
          const after = (window.unhurried ??= setTimeout);
          window.setTimeout = (act, ms = 0) => after(act, ms < 300 ? ms : ms / 10);
        }"""
    )
