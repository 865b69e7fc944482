"""What `start` says on the terminal: the GM's way in, the players' address and its QR code."""

import io
import sys
from dataclasses import dataclass

import segno
from django.conf import settings
from django.utils.translation import gettext as _

from config.network import lan_addresses
from config.terminal import command
from encounters.access import new_entry_path
from encounters.models import PlayerLink

_WHITE_ON_BLACK, _PLAIN = "\033[97;40m", "\033[0m"


@dataclass(frozen=True, slots=True)
class Greeting:
    """The words, and the address for the GM's browser."""

    text: str
    entry_url: str


def dead_links() -> str:
    """What to do where the key has changed under the players' links; "" where it has not."""
    if not PlayerLink.of_another_key():
        return ""
    return _(
        "The secret key has changed: the players’ links that are shown open nothing, and those"
        " given out before still do. `%(command)s` gives all of them new addresses."
    ) % {"command": command("new_links")}


def greeting(port: int, *, lan: bool, certificate: tuple[str, ...] = ()) -> Greeting:
    """Make a fresh entry link and the words around it; `certificate` are lines about that."""
    path = new_entry_path()
    entry_url = (settings.BASE_URL or here(port)) + path
    lines = [
        _("The game master’s entry link (it works once, for 30 minutes):"),
        f"    {entry_url}",
        *(_from_elsewhere(port, path) if lan else []),
        "",
        *(for_phones(port) if lan else _without_phones()),
        "",
        *([*certificate, ""] if certificate else []),
        _("Data: %(path)s") % {"path": settings.DATA_DIR},
        _("Stop with Ctrl+C."),
    ]
    return Greeting("\n".join(lines), entry_url)


def here(port: int) -> str:
    """The server's address on this computer itself."""
    return _base("127.0.0.1", port)


def for_phones(port: int) -> list[str]:
    """How players reach it on the network as it is now, with a QR code once there is a link."""
    bases = [_base(address, port) for address in lan_addresses()]
    if not bases:
        return [_("This computer is on no network: phones cannot open Qui-Vive yet.")]
    base = settings.BASE_URL or bases[0]
    link = first_link()
    if link is None:
        return [
            _("The players’ page comes with your first campaign: its QR code will appear here."),
            _("On this network, phones will open the players’ page at: %(address)s")
            % {"address": f"{base}/"},
        ]
    url = f"{base}/j/{link.token}"
    return [
        _("Players, on this network:"),
        f"    {url}",
        "",
        *_qr(url),
        _("Or with the table code, shown under “Players’ page”, at: %(address)s")
        % {"address": f"{base}/"},
        *_others(bases[1:]),
    ]


def first_link() -> PlayerLink | None:
    """The open link of the campaign played last."""
    links = PlayerLink.objects.filter(campaign__deleted=None).order_by("-campaign__used", "pk")
    return next((link for link in links if link.is_open), None)


def _base(host: str, port: int) -> str:
    return f"{'https' if settings.TLS else 'http'}://{host}:{port}"


def _from_elsewhere(port: int, path: str) -> list[str]:
    """Over HTTPS the GM may also sit at another device."""
    addresses = lan_addresses()
    if not settings.TLS or settings.BASE_URL or not addresses:
        return []
    return [
        _("The same entry link, for another device on this network:"),
        f"    {_base(addresses[0], port)}{path}",
    ]


def _others(bases: list[str]) -> list[str]:
    if not bases:
        return []
    addresses = ", ".join(f"{base}/" for base in bases)
    return [_("Other addresses of this computer: %(list)s") % {"list": addresses}]


def _without_phones() -> list[str]:
    return [_("Only this computer can open Qui-Vive. For the players’ phones, start with --lan.")]


def _qr(url: str) -> list[str]:
    """The QR code in half blocks, light on dark even where the terminal is light."""
    if "utf" not in (sys.stdout.encoding or "").lower():
        return []
    drawn = io.StringIO()
    segno.make_qr(url, error="l").terminal(out=drawn, border=2, compact=True)
    rows = drawn.getvalue().rstrip("\n").split("\n")
    if not sys.stdout.isatty():
        return rows
    return [f"{_WHITE_ON_BLACK}{row}{_PLAIN}" for row in rows]
