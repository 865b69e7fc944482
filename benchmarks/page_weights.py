"""What a first visit costs over the wire: each page with all it loads, in bytes and requests.

    python benchmarks/page_weights.py

Starts the project's own server on loopback with a fresh table of twelve combatants, begins the
fight, and fetches as a browser would, compressed where the server offers it. It ends by itself.
"""

import http.cookiejar
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener

ROOT = Path(__file__).resolve().parent.parent
PORT = "8471"
ASSET = re.compile(r'<(?:link|script)[^>]*?(?:href|src)="([^"]+\.(?:css|js|svg))"')


class Browser:
    """Enough of one: cookies, forms and the bytes of what a page names."""

    def __init__(self) -> None:
        self.opener = build_opener(HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def text(self, url: str, **form: str) -> tuple[str, str]:
        """The final address and the text; a form is posted with the page's own fields."""
        data = urlencode(form).encode() if form else None
        with self.opener.open(Request(url, data)) as answer:
            return answer.url, answer.read().decode()

    def bytes_of(self, url: str) -> int:
        """The body as it goes over the wire."""
        with self.opener.open(Request(url, headers={"Accept-Encoding": "gzip"})) as answer:
            return len(answer.read())

    def press(self, url: str, action: str) -> str:
        """Submit the form with this action on the page; the address it leads to."""
        page_url, page = self.text(url)
        start = page.index(f'action="{action}"') if action else page.index('<form method="post">')
        form = page[start : page.index("</form>", start)]
        hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
        return self.text(urljoin(page_url, action), **dict(hidden))[0]


def weigh(browser: Browser, name: str, url: str) -> None:
    page = browser.bytes_of(url)
    _, text = browser.text(url)
    assets = {urljoin(url, found) for found in ASSET.findall(text)}
    total = page + sum(browser.bytes_of(asset) for asset in assets)
    print(f"{name:12} page {page:6}  everything {total:6} bytes  {1 + len(assets)} requests")


def run(browser: Browser, entry: str) -> None:
    home = browser.press(entry, "")
    campaign = urljoin(home, re.search(r'href="(/c/[^"]+)"', browser.text(home)[1])[1])
    board = urljoin(home, re.search(r'href="(/e/[^"]+)"', browser.text(campaign)[1])[1])
    path = board[board.index("/e/") :]
    add = browser.text(board)[1]
    start = add.index(f'action="{path}join/"')
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', add[start:]))
    browser.text(f"{board}join/", **(hidden | {"text": "3 wolves"}))
    browser.press(board, f"{path}start-fight/")
    player = re.search(r'href="([^"]+/j/[^"]+)"', browser.text(f"{board}players/")[1])[1]
    weigh(browser, "GM board", board)
    weigh(browser, "player page", player)


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "QUI_VIVE_DATA": data, "LC_ALL": "C.UTF-8"}
        command = [sys.executable, "manage.py", "start", "--demo", "--no-browser", "--port", PORT]
        server = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            entry = next(line.strip() for line in server.stdout if "/entry/" in line)
            run(Browser(), entry)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(10)


if __name__ == "__main__":
    main()
