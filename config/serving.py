"""The web server: a socket, and uvicorn on it, in this process or in several."""

import gc
import logging
import os
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import ChangeReload, Multiprocess

from config import metrics
from config.lines import MOST_HEAD, Protocol

logger = logging.getLogger(__name__)

APPLICATION = "config.asgi:application"
PORTS_TRIED = 50
MOST_FILES = 65_536
# A stalled phone then holds kilobytes of the kernel's memory instead of megabytes.
_UNSENT_LIMIT = 16 * 1024  # bytes
# The kernel would else try for a quarter of an hour to reach a phone that has left the network.
_UNHEARD_LIMIT = 60_000  # milliseconds


class NoFreePort(Exception):
    """Every port tried is taken; the message is the first."""


def open_socket(host: str, port: int) -> socket.socket:
    """Bind the first free port from `port` on; raise NoFreePort when there is none near."""
    for candidate in range(port, min(port + PORTS_TRIED, 65536)):
        with suppress(OSError):
            return _bound(socket.AF_INET, (host, candidate))
    raise NoFreePort(str(port))


def listen(host: str, port: int) -> socket.socket:
    """Bind this very address, of either version of IP; raise OSError when that is not possible."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    return _bound(family, address)


def url_of(listener: socket.socket) -> str:
    """Where it is reached on this computer."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _bound(family: int, address: Any) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere this option would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "linux":
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_LIMIT)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNHEARD_LIMIT)
    try:
        listener.bind(address)
        listener.listen(2048)
    except OSError:
        listener.close()
        raise
    return listener


def server_config(context: ssl.SSLContext | None = None, **options: Any) -> uvicorn.Config:
    """How every Qui-Vive server runs, in earnest and in tests; with a context over TLS."""
    return uvicorn.Config(
        APPLICATION,
        http=partial(Protocol, context=context),  # type: ignore[arg-type]
        ws="none",
        log_config=None,
        access_log=False,  # it would write the players' addresses down
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=MOST_HEAD,  # where httptools is missing
        timeout_graceful_shutdown=2,  # open streams would otherwise keep it for ever
        **options,
    )


class _Server(uvicorn.Server):
    def __init__(self, on_started: Callable[[], None], context: ssl.SSLContext | None) -> None:
        super().__init__(server_config(context))
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
    _allow_many_streams()
    _Server(on_started, context).run(sockets=[listener])


class _Processes(Multiprocess):
    """Says when one has died, and takes its figures away at once."""

    def keep_subprocess_alive(self) -> None:
        before = list(self.processes)
        super().keep_subprocess_alive()
        for old, new in zip(before, self.processes, strict=True):
            if old is not new:
                sentence = "Process %s ended (exit code %s); process %s takes its place"
                logger.warning(sentence, old.pid, old.exitcode, new.pid)
                metrics.forget(settings.DATA_DIR / "figures", old.pid or 0)


def serve_several(listener: socket.socket, processes: int) -> bool:
    """Serve from several child processes until a signal ends them; a child that dies is replaced.

    Returns whether they could start.
    """
    _allow_many_streams()
    supervisor = _Processes(server_config(workers=processes), sockets=[listener])
    supervisor.run()
    return all(process.exitcode != STARTUP_FAILURE for process in supervisor.processes)


def settle() -> None:
    """Let the garbage collector pass over what is loaded by now: it stays until the server ends,
    and to look at it again and again takes a twentieth of each answer's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def _allow_many_streams() -> None:
    """Each open page is an open file; many systems give a program few unless it asks for more."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(MOST_FILES, most)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def serve_reloading(listener: socket.socket, folders: list[Path]) -> None:
    """Serve from a child process that starts again when Python code in the folders changes."""
    config = server_config(reload=True, reload_dirs=[str(folder) for folder in folders])
    ChangeReload(config, target=uvicorn.Server(config).run, sockets=[listener]).run()
