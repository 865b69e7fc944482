"""Uvicorn's own way to speak HTTP, where answers that never end may write to their line."""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

LINE = "quivive.line"


class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """It tells an application of the transport: what thousands get alike, each a finished chunk,
    then needs no second look at each of them. Where httptools is missing it does not.
    """

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {LINE: self.transport}


def line_of(scope: dict[str, Any]) -> asyncio.Transport | None:
    """Where the request came from, if the server tells."""
    line: asyncio.Transport | None = scope.get("extensions", {}).get(LINE)
    return line
