"""The web server: a free port, a socket, and uvicorn on it in this one process."""

import os
import socket
import ssl
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.supervisors import ChangeReload

APPLICATION = "config.asgi:application"
PORTS_TRIED = 50
# A stalled phone then holds kilobytes of the kernel's memory instead of megabytes.
_UNSENT_LIMIT = 16 * 1024  # bytes


class NoFreePort(Exception):
    """Every port tried is taken; the message is the first."""


def open_socket(host: str, port: int) -> socket.socket:
    """Bind the first free port from `port` on; raise NoFreePort when there is none near."""
    for candidate in range(port, min(port + PORTS_TRIED, 65536)):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":  # elsewhere this option would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "linux":
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_LIMIT)
        try:
            listener.bind((host, candidate))
            listener.listen(2048)
        except OSError:
            listener.close()
            continue
        return listener
    raise NoFreePort(str(port))


def server_config(**options: Any) -> uvicorn.Config:
    """How every Qui-Vive server runs, in earnest and in tests."""
    return uvicorn.Config(
        APPLICATION,
        ws="none",
        log_config=None,
        access_log=False,  # it would write the players' addresses down
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,  # open streams would otherwise keep it for ever
        **options,
    )


class _Server(uvicorn.Server):
    def __init__(self, on_started: Callable[[], None], context: ssl.SSLContext | None) -> None:
        over_tls = {"ssl_context_factory": lambda *_: context} if context else {}
        super().__init__(server_config(**over_tls))
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._on_started()


def serve(
    listener: socket.socket, on_started: Callable[[], None], context: ssl.SSLContext | None = None
) -> None:
    """Serve until a signal ends it, which is raised again; `on_started` runs in the event loop.

    With a context it is HTTPS, and what the context shows may change while it runs.
    """
    _Server(on_started, context).run(sockets=[listener])


def serve_reloading(listener: socket.socket, folders: list[Path]) -> None:
    """Serve from a child process that starts again when Python code in the folders changes."""
    config = server_config(reload=True, reload_dirs=[str(folder) for folder in folders])
    ChangeReload(config, target=uvicorn.Server(config).run, sockets=[listener]).run()
