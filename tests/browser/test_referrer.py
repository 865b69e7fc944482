"""What leaves a players' page on the way to another: not its address, which is the key."""

import http.server
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.factories import PlayerLinkFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Heard = list[dict[str, str]]


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, Heard]]:
    """Another server on loopback, and the headers of what it was asked."""
    heard: Heard = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<title>Elsewhere</title>")

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/", heard
    server.shutdown()
    server.server_close()
    thread.join()


# RELIABILITY L5
def test_no_other_server_and_no_other_page_hears_where_a_player_comes_from(
    browser: Browser, elsewhere: tuple[str, Heard], base_url: str
) -> None:
    address, heard = elsewhere
    link = PlayerLinkFactory.create()
    asked: Heard = []
    phone = browser.new_page(base_url=base_url, locale="en")
    phone.on("request", lambda request: asked.append(request.headers))
    phone.goto(f"/j/{link.token}")
    expect(phone.locator("#board")).to_be_visible()
    phone.get_by_role("link", name="Français").click()
    expect(phone.locator("html")).to_have_attribute("lang", "fr")
    phone.evaluate(
        """(address) => {
            const link = document.createElement("a");
            link.href = address;
            document.body.append(link);
            link.click();
        }""",
        address,
    )
    expect(phone).to_have_title("Elsewhere")
    phone.context.close()
    assert len(asked) > 5
    assert [headers for headers in asked if headers.get("referer")] == []
    assert heard
    own = {None, address}  # the other page asks for what belongs to it, too
    assert {headers.get("referer") for headers in heard} <= own
