"""Pages that are nothing but what `live.js` works on, and the server that feeds them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from config import asgi
from config.headers import GM_HEADERS
from tests.encounters.streaming import ENCOUNTER, Show, Table, serving

STATIC = Path(settings.BASE_DIR) / "static"
DOT = (
    '<p id="connection" data-live="Live" data-reconnecting="Reconnecting"'
    ' data-since="Last update {time}" data-stale="Old since {time}"'
    ' data-gone="This link is no longer good">Starting</p>'
)
PLAYER = f"""<!doctype html><html lang="en"><title>Table</title>{DOT}
<main id="live" data-stream="/j/T0KEN/live?lang=en" data-poll="/j/T0KEN/board">BOARD</main>
<script src="/js/live.js"></script><script src="/js/player_board.js"></script>"""
GM = f"""<!doctype html><html lang="en"><title>Table</title>{DOT}
<script src="/vendor/htmx.min.js"></script>
<main id="live" data-stream="/e/{ENCOUNTER}/live" data-refresh="/gm/board?view=all">BOARD</main>
<form hx-post="/gm/step" hx-target="#board" hx-swap="outerMorph"><button>Step</button></form>
<script src="/js/live.js"></script>"""


class Pages:
    """The pages and fragments of a table."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self.link_is_good = True
        self.refreshes: list[dict[str, list[str]]] = []
        self.while_posting: Callable[[], None] = lambda: None

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        path = environ["PATH_INFO"]
        status, kind = "200 OK", "text/html"
        if path == "/j/T0KEN":
            body = PLAYER.replace("BOARD", self.player_board())
        elif path == "/j/T0KEN/board":
            body = self.player_board()
            status = status if self.link_is_good else "404 Not Found"
        elif path == "/gm":
            body = GM.replace("BOARD", self.gm_board())
        elif path == "/gm/board":
            self.refreshes.append(parse_qs(environ["QUERY_STRING"]))
            body = self.gm_board()
        elif path == "/gm/step":
            self.show.step()
            self.while_posting()
            body = self.gm_board()
        elif (STATIC / path[1:]).is_file():
            body, kind = (STATIC / path[1:]).read_text(encoding="utf-8"), "text/javascript"
        else:
            body, status = "", "404 Not Found"
        headers = {**GM_HEADERS, "Content-Type": f"{kind}; charset=utf-8"}
        start_response(status, list(headers.items()))
        return [body.encode()]

    def player_board(self) -> str:
        return self.show.table.board

    def gm_board(self) -> str:
        version = self.show.table.version
        return (
            f'<div id="board" data-version="{version}" data-selected="3" data-title="GM {version}">'
            f'<p id="version">version {version}</p><input id="damage"></div>'
        )


def player_board(text: str) -> str:
    return (
        f'<div id="board" data-title="{text}: table"><p id="who">{text}</p>'
        '<details id="prone"><summary id="more">Prone</summary>Crawls</details></div>'
    )


class BareTable(Table):
    """A table whose board has nothing around it."""

    def render(self, campaign_id: int, language: str) -> tuple[int, str]:
        return self.rev, self.board


class Stage:
    """A show whose pages are served, at the same port again after a stop."""

    def __init__(self, **options: Any) -> None:
        self.show = Show(BareTable(board=player_board("Lia")), **options)
        self.pages = Pages(self.show)
        self.app = asgi.Doors(self.pages, self.show.streams)

    def change(self, text: str) -> None:
        self.show.change(player_board(text))


@contextmanager
def staged(**options: Any) -> Iterator[tuple[Stage, str]]:
    stage = Stage(**options)
    with stage.show.executor, serving(stage.app) as port:
        yield stage, f"http://127.0.0.1:{port}"
        stage.show.hub.close()
