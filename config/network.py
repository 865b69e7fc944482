"""The names and addresses this computer answers to, as they are now: a laptop changes networks."""

import os
import socket
import struct
import sys
import time
from collections.abc import Iterator

_FRESH = 3.0  # seconds for which a look at the network is good
_looked: float = float("-inf")  # when, on the monotonic clock
_found: tuple[str, ...] = ()

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")


def lan_addresses() -> tuple[str, ...]:
    """The computer's IPv4 addresses other than loopback, the likeliest way in first."""
    global _looked, _found
    now = time.monotonic()
    if now - _looked >= _FRESH:
        _found = tuple(dict.fromkeys((*_routed(), *_of_interfaces(), *_of_host_name())))
        _looked = now
    return _found


def host_names() -> tuple[str, ...]:
    """The computer's own name, bare and as announced on a local network."""
    name = socket.gethostname().lower()
    if not name or name == "localhost":
        return ()
    bare = name.removesuffix(".local")
    return tuple(dict.fromkeys((name, bare, f"{bare}.local")))


class AllowedHosts(list[str]):
    """Host headers accepted: loopback and what was configured; on a LAN, whatever it is called now.

    Never a wildcard: a foreign name that resolves here (DNS rebinding) is refused.
    """

    def __iter__(self) -> Iterator[str]:
        yield from super().__iter__()
        if os.environ.get("QUI_VIVE_LAN") == "1":
            yield from host_names()
            yield from lan_addresses()


def _routed() -> Iterator[str]:
    """The address that the system would send from; connecting a datagram socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1 (RFC 5737): routed by default, nobody's
        except OSError:
            return
        yield from _outward([probe.getsockname()[0]])


def _of_interfaces() -> Iterator[str]:
    """Each interface's address, where the system tells without further packages (Linux)."""
    if sys.platform != "linux":
        return
    import fcntl

    get_interface_address = 0x8915  # SIOCGIFADDR
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe, get_interface_address, request)
            except OSError:  # an interface without an IPv4 address
                continue
            yield from _outward([socket.inet_ntoa(answer[20:24])])


def _of_host_name() -> Iterator[str]:
    if sys.platform == "linux":  # its interfaces are told; a name server may be out of reach
        return
    try:
        yield from _outward(socket.gethostbyname_ex(socket.gethostname())[2])
    except OSError:
        return


def _outward(addresses: list[str]) -> Iterator[str]:
    """Leave out loopback and the unset address."""
    for address in addresses:
        if not address.startswith("127.") and address != "0.0.0.0":
            yield address
