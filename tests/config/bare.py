"""A server of ours before pages of no interest, in a process of its own, for what strangers do.

`python -m tests.config.bare SECONDS [FOLDER]` serves, prints its port, and waits at most so long
for a head; with a folder for a certificate over TLS.
"""

import sys
from pathlib import Path
from typing import Any

import django

from config import lines, serving


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer when the body has come; `/slow` waits until its asker leaves."""
    if scope["type"] != "http":
        return
    while scope["path"] == "/slow":
        if (await receive())["type"] == "http.disconnect":
            return
    while (await receive()).get("more_body"):
        pass
    headers = [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"So"})


def main() -> None:
    django.setup()
    from config.tls import MadeHere

    vars(lines).update(SLOWEST_HEAD=float(sys.argv[1]), SLOWEST_BODY=float(sys.argv[1]))
    serving.APPLICATION = "tests.config.bare:application"
    listener = serving.listen("127.0.0.1", 0)
    context = MadeHere(Path(sys.argv[2])).context if len(sys.argv) > 2 else None
    serving.serve(listener, lambda: print(listener.getsockname()[1], flush=True), context)


if __name__ == "__main__":
    main()
