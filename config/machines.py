"""What machines ask: whether the process lives, whether it can serve, and its figures."""

import asyncio
import hmac

from config.bridge import Scope
from config.headers import GM_HEADERS, transport_security
from config.health import Readiness
from config.metrics import CONTENT_TYPE, Metrics
from encounters.live.reading import Refused
from encounters.live.rooms import Receive, Send

PATHS = ("/healthz", "/readyz", "/metrics")


class Machines:
    """Answers `/healthz` and `/readyz` to anybody, and `/metrics` to who has the token.

    Whatever host they name: a proxy asks each process by an address of its own, and "ok" tells
    nobody anything.

    Without a token, or with a wrong one, there are no figures: as if the address did not exist.
    """

    def __init__(self, metrics: Metrics, token: str) -> None:
        self._metrics = metrics
        self._token = token
        self._readiness = Readiness()

    @staticmethod
    def takes(path: str) -> bool:
        """Whether the path is one of these."""
        return path in PATHS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/metrics" and not self._is_let_in(scope):
            raise Refused(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise Refused(405)
        status, text = await self._answer(scope["path"])
        kind = CONTENT_TYPE if scope["path"] == "/metrics" else "text/plain; charset=utf-8"
        body = text.encode()
        about = {"Content-Type": kind, "Content-Length": str(len(body))}
        headers = GM_HEADERS | transport_security() | about
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": encoded})
        sent = b"" if scope["method"] == "HEAD" else body
        await send({"type": "http.response.body", "body": sent})

    async def _answer(self, path: str) -> tuple[int, str]:
        if path == "/metrics":
            return 200, await asyncio.to_thread(self._metrics.text)
        if path == "/healthz" or await self._readiness.is_ready():
            return 200, "ok\n"
        return 503, "not ready\n"

    def _is_let_in(self, scope: Scope) -> bool:
        said = dict(scope["headers"]).get(b"authorization", b"")
        wanted = f"Bearer {self._token}".encode()
        return bool(self._token) and hmac.compare_digest(said, wanted)
