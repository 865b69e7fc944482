"""What people see, and when: the project's own server, and Chromium with the GM and a player.

    python benchmarks/browser.py [--presses 60] [--visits 7]

For a fight of 12 and one of 30 combatants: from the GM's click on *Next turn* until the board has
changed on the player's page and on the GM's own, as it stands in the document and as the frame
with it is drawn. Then a first visit on slow 4G with a processor four times slower, a new profile
each time, from the address until the page is drawn and its scripts have run. It needs Chromium
and the packages for development, a machine with nothing else to do, and ends by itself.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from uuid import uuid4

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SIZES = (12, 30)  # combatants; a third are heroes, of the others each second is in a group
WARM = 10  # presses before those that count
REST = 250  # ms between two presses: rows have glided to their places by then
PATIENCE = 30_000  # ms
FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]

# Lighthouse's slow 4G, in bytes per second and ms
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1638.4 * 1024 / 8,
    "uploadThroughput": 750 * 1024 / 8,
}
SLOWER = 4  # times

# Notes the moments of clicks, of new boards and of the frames that show them, in ms since 1970.
WATCH = """(isNew) => {
    const now = (at = performance.now()) => performance.timeOrigin + at;
    window.seen = { clicked: 0, changed: 0, drawn: 0 };
    const version = () => document.getElementById("board")?.dataset.version;
    let before = version();
    document.addEventListener("click", (event) => {
        window.seen = { clicked: now(event.timeStamp), changed: 0, drawn: 0 };
    }, true);
    const look = () => {
        if (window.seen.changed || (isNew && version() === before)) return;
        before = version();
        window.seen.changed = now();
        requestAnimationFrame(() => setTimeout(() => (window.seen.drawn = now())));
    };
    const options = { childList: true, subtree: true, attributes: true };
    new MutationObserver(look).observe(document.getElementById("live"), options);
}"""
FORGET = "window.seen = { clicked: 0, changed: 0, drawn: 0 }"
READY = """() => {
    const [page] = performance.getEntriesByType("navigation");
    const [drawn] = performance.getEntriesByName("first-contentful-paint");
    return drawn ? [drawn.startTime, page.domContentLoadedEventEnd] : null;
}"""


@dataclass(frozen=True, slots=True)
class Table:
    size: int
    board: str  # path
    player: str  # path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=60)
    parser.add_argument("--visits", type=int, default=7)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="qui-vive-") as data:
        cookie, tables = _lay(data)
        with _server(data) as address, _chromium() as browser:
            print("ms, p50 / p95, from the GM's click to   in the document           drawn")
            for table in tables:
                _clicks(browser, address, cookie, table, asked.presses)
            print("ms, a first visit on slow 4G, medians    drawn  scripts run    ready")
            for table in tables:
                _visits(browser, address, None, table, asked.visits)
                _visits(browser, address, cookie, table, asked.visits)


# The table and the server


def _lay(data: str) -> tuple[dict[str, str], list[Table]]:
    """A running fight of each size over a new database; the GM's cookie, and where they are."""
    for name in [name for name in os.environ if name.startswith("QUI_VIVE_")]:
        del os.environ[name]
    os.environ.update(QUI_VIVE_DATA=data, DJANGO_SETTINGS_MODULE="config.settings")
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections
    from django.test import Client

    django.setup()
    call_command("migrate", verbosity=0)
    from encounters.access import new_entry_path

    client = Client(SERVER_NAME="127.0.0.1")
    client.post(new_entry_path())
    name = settings.SESSION_COOKIE_NAME
    tables = [_fight(size) for size in SIZES]
    connections.close_all()
    return {"name": name, "value": client.cookies[name].value}, tables


def _fight(size: int) -> Table:
    import rules
    from encounters import steps
    from encounters.models import Campaign, Encounter, PlayerLink

    campaign = Campaign.objects.create(name="The mill")
    link = PlayerLink.objects.create(campaign=campaign)
    encounter = Encounter.objects.create(campaign=campaign, name=f"{size} combatants")
    heroes = size // 3
    crowd = tuple(
        rules.Combatant(
            number=0,
            name=f"Hero {i}" if i < heroes else f"Foe {i // 3}",
            side="heroes" if i < heroes else "foes",
            is_hero=i < heroes,
            creature="" if i < heroes or i % 2 else f"book/{i // 3}",
            ac=15,
            max_hp=20,
            hp=20 - i % 20,
            initiative_bonus=2,
            passive_perception=12,
        )
        for i in range(size)
    )

    def take(verb: str, command: rules.Command) -> rules.Fight:
        return steps.take_step(encounter.uuid, uuid4(), verb, lambda _: command).fight

    take("join", rules.Join(crowd))
    fight = take("open", rules.OpenFight())
    dice = {slot: 20 - n % 20 for n, slot in enumerate(rules.unrolled(fight))}  # few ties
    take("start", rules.StartFight(dice))
    return Table(size, f"/e/{encounter.uuid}/", f"/j/{link.token}")


@contextmanager
def _server(data: str) -> Iterator[str]:
    command = [sys.executable, "manage.py", "start", "--no-browser", "--port", "8183"]
    environment = {**os.environ, "QUI_VIVE_DATA": data, "LC_ALL": "C.UTF-8"}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        entry = next(line.strip() for line in server.stdout if "/entry/" in line)
        yield entry[: entry.index("/entry/")]
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(10)


@contextmanager
def _chromium() -> Iterator[Browser]:
    from config.components import CHROMIUM

    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM.find(), args=[*FLAGS, *(["--no-sandbox"] if is_root else [])]
        )
        yield browser
        browser.close()


def _open(browser: Browser, address: str, cookie: dict[str, str] | None) -> Page:
    """A page in a new profile: the GM's laptop with the cookie, a player's phone without."""
    size = {"width": 1280, "height": 800} if cookie else {"width": 390, "height": 844}
    context = browser.new_context(base_url=address, viewport=size)
    context.set_default_timeout(PATIENCE)
    if cookie:
        context.add_cookies([{**cookie, "url": address}])
    return context.new_page()


# Clicks


def _clicks(
    browser: Browser, address: str, cookie: dict[str, str], table: Table, presses: int
) -> None:
    gm, player = _open(browser, address, cookie), _open(browser, address, None)
    gm.goto(table.board)
    player.goto(table.player)
    player.wait_for_selector("#connection[data-state=live]")
    gm.evaluate(f"({WATCH})(true)")
    player.evaluate(f"({WATCH})(false)")
    took = [_press(gm, player) for _ in range(WARM + presses)][WARM:]
    for name, own in (("the player's screen", 0), ("the GM's own board", 2)):
        changed, drawn = ([one[own + part] for one in took] for part in (0, 1))
        print(f"{table.size:>4}  {name:<33} {_spread(changed):>15} {_spread(drawn):>15}")
    gm.context.close()
    player.context.close()


def _press(gm: Page, player: Page) -> tuple[float, ...]:
    """The times in ms until the player's page has changed and is drawn, and the GM's."""
    gm.wait_for_timeout(REST)
    player.evaluate(FORGET)
    gm.click("#next button")
    seen = [_seen(page) for page in (gm, player)]
    clicked = seen[0]["clicked"]
    return tuple(one[what] - clicked for one in reversed(seen) for what in ("changed", "drawn"))


def _seen(page: Page) -> dict[str, float]:
    for _ in range(PATIENCE // 10):
        seen: dict[str, float] = page.evaluate("window.seen")
        if seen["drawn"]:
            return seen
        page.wait_for_timeout(10)
    raise SystemExit("the board does not change")


def _spread(times: list[float]) -> str:
    return f"{median(times):.1f} / {sorted(times)[int(len(times) * 0.95)]:.1f}"


# First visits


def _visits(
    browser: Browser, address: str, cookie: dict[str, str] | None, table: Table, visits: int
) -> None:
    path = table.board if cookie else table.player
    seen = [_visit(browser, address, cookie, path) for _ in range(visits + 1)][1:]
    drawn, run = (median(one[part] for one in seen) for part in (0, 1))
    ready = median(max(one) for one in seen)
    name = "GM's board" if cookie else "player's page"
    print(f"{table.size:>4}  {name:<33} {drawn:>6.0f} {run:>12.0f} {ready:>8.0f}")


def _visit(browser: Browser, address: str, cookie: dict[str, str] | None, path: str) -> list[float]:
    page = _open(browser, address, cookie)
    chromium = page.context.new_cdp_session(page)
    chromium.send("Network.enable")
    chromium.send("Network.emulateNetworkConditions", SLOW_4G)
    chromium.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(path)
    ready: list[float] | None = None
    while ready is None:
        page.wait_for_timeout(50)
        ready = page.evaluate(READY)
    page.context.close()
    return ready


if __name__ == "__main__":
    main()
