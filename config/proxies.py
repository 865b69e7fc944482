"""Who asks, where proxies stand in front: the address that the outermost trusted one wrote down.

Each proxy appends the address it was asked from to X-Forwarded-For. Only the last entries are
therefore theirs; whatever stands before them anybody can have written.
"""

from ipaddress import ip_address
from typing import Any


def seen_through(scope: dict[str, Any], hops: int) -> dict[str, Any]:
    """The request as if the client had asked without the proxies, `hops` in number.

    It stays as it is with no proxies, and where the header holds no such address.
    """
    if not hops:
        return scope
    values = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    entries = b",".join(values).decode("latin-1").split(",")
    if len(entries) < hops:
        return scope
    try:
        client = ip_address(entries[-hops].strip())
    except ValueError:
        return scope
    return {**scope, "client": (str(client), 0)}
