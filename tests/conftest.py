"""What every test may ask for: clients by who they are, a real server, and browsers that look."""

import gc
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.conf import settings
from django.test import Client
from django.utils import translation
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import Browser, BrowserType, expect, sync_playwright
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from config.components import HEADLESS_CHROMIUM, Component
from config.serving import server_config
from config.static_files import gather_static_files
from encounters import book_attacks, limiter
from encounters.sessions import SessionStore
from tests.processes import HANG, need

# Playwright's sync interface runs an event loop in the thread that also asks the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# The same examples each time: a red test stays red until it is mended.
hypothesis_settings.register_profile(
    "usual", derandomize=True, deadline=None, database=None, max_examples=100
)
hypothesis_settings.register_profile(
    "full", hypothesis_settings.get_profile("usual"), max_examples=5_000
)
hypothesis_settings.load_profile(os.environ.get("QUI_VIVE_TEST_SIZE", "usual"))

# A profile of its own for each person is a window of its own to Chromium, and behind a window it
# would keep suggestions for an address bar, and a process ready for the next site: together they
# take longer than the page. Chromium obeys one list, the last: Playwright's has to be said again.
NOT_IN_TESTS = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "SpareRendererForSitePerProcess",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
CHROMIUM_FLAGS = [
    f"--disable-features={','.join(NOT_IN_TESTS)}",
    "--disable-gpu",
    "--js-flags=--single-threaded",  # two cores are busy as it is: helpers come too late
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LONG = ("test_walk", "test_whole_evening", "test_without_scripts", "test_cases_tabs")  # seconds
PATIENCE = 30_000.0  # milliseconds for what takes a fraction of a second on an idle machine
LAN_ADDRESS, NEIGHBOUR = "192.168.1.5", "192.168.1.20"


def pytest_configure(config: pytest.Config) -> None:
    """Gather style sheets and scripts once, before the workers start."""
    if not hasattr(config, "workerinput"):
        gather_static_files()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browsers come last: from then on Playwright keeps an event loop in the main thread.

    Among them the long ones come first, so that no worker is busy with one when all is done.
    """
    items.sort(key=_turn)


def pytest_collection_finish() -> None:
    """What is there by now stays: to look for garbage in it again and again would take long."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _turn(item: pytest.Item) -> tuple[bool, bool]:
    needs_browser = item.get_closest_marker("browser") is not None
    return needs_browser, item.path.stem not in LONG


@pytest.fixture(autouse=True)
def readers_of_their_own() -> Iterator[None]:
    """A page answered in French leaves its thread in French: not for the next test."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def nobody_has_tried_wrong_links() -> None:
    """All tests ask from one address: what one tries in vain must not stop the next."""
    limiter.misses._of.clear()


@pytest.fixture(autouse=True)
def books_of_their_own() -> None:
    """A goblin without attacks in one test is not the goblin of the next."""
    book_attacks.strikes.cache_clear()


# Clients


@pytest.fixture
def client() -> Client:
    """Somebody at the computer that runs Qui-Vive, not let in."""
    return Client(SERVER_NAME="127.0.0.1")


@pytest.fixture
def gm_client(db: None) -> Client:
    """The GM, let in; how an entry link does it, the tests of access tell."""
    client, session = Client(SERVER_NAME="127.0.0.1"), SessionStore()
    session["gm"] = True
    session.create()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    return client


@pytest.fixture
def far_client(settings: Settings) -> Client:
    """Somebody on the same Wi-Fi, over plain HTTP."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, LAN_ADDRESS]
    return Client(SERVER_NAME=LAN_ADDRESS, REMOTE_ADDR=NEIGHBOUR)


# The real server and browsers


@pytest.fixture(scope="session")
def base_url(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The whole server on a loopback port, in a thread of this process, for the session."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config())
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    # Its threads also ask the database between two tests, when watchers leave.
    with django_db_blocker.unblock():
        thread.start()
        _wait_until_started(server, thread)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = server.force_exit = True
        thread.join(HANG)
    listener.close()


def _wait_until_started(server: uvicorn.Server, thread: threading.Thread) -> None:
    until = time.monotonic() + HANG
    while not server.started:
        assert thread.is_alive(), "the server ended while it was starting"
        assert time.monotonic() < until, "the server does not start"
        time.sleep(0.01)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's own Chromium, without a window."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, launched(playwright.chromium) as browser:
        yield browser


@contextmanager
def launched(
    chromium: BrowserType, program: Component = HEADLESS_CHROMIUM, **options: Any
) -> Iterator[Browser]:
    """A Chromium of the tests' own, which Playwright launches with these options besides."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    browser = chromium.launch(
        executable_path=Path(need(program)),
        headless=True,
        args=[*CHROMIUM_FLAGS, *(["--no-sandbox"] if is_root else [])],
        **options,
    )
    yield browser
    browser.close()
