"""What `start` says on the terminal: the GM's way in, the players' address and its QR code."""

import io
import sys
from dataclasses import dataclass

import segno
from django.conf import settings
from django.utils.translation import gettext as _

from config.network import lan_addresses
from encounters.access import new_entry_path
from encounters.models import PlayerLink

_WHITE_ON_BLACK, _PLAIN = "\033[97;40m", "\033[0m"


@dataclass(frozen=True, slots=True)
class Greeting:
    """The words, and the address for the GM's browser."""

    text: str
    entry_url: str


def greeting(here: str, *, port: int, lan: bool) -> Greeting:
    """Make a fresh entry link and the words around it. `here` is the server's own address."""
    entry_url = (settings.BASE_URL or here) + new_entry_path()
    lines = [
        _("Game master, your way in (it works once, for 30 minutes):"),
        f"    {entry_url}",
        "",
        *(_for_phones(port) if lan else _without_phones()),
        "",
        _("Data: %(path)s") % {"path": settings.DATA_DIR},
        _("Stop with Ctrl+C."),
    ]
    return Greeting("\n".join(lines), entry_url)


def _for_phones(port: int) -> list[str]:
    addresses = lan_addresses()
    if not addresses:
        return [_("This computer is on no network: phones cannot reach it yet.")]
    bases = [f"http://{address}:{port}/" for address in addresses]
    link = PlayerLink.objects.order_by("-campaign__used", "-pk").first()
    if link is None:
        return [
            _("On this network, phones reach it here: %(address)s") % {"address": bases[0]},
            _("A campaign’s share panel shows the players’ link and its QR code."),
        ]
    url = f"{settings.BASE_URL or bases[0].rstrip('/')}/j/{link.token}"
    return [_("Players, on this network:"), f"    {url}", "", *_qr(url), *_others(bases[1:])]


def _others(bases: list[str]) -> list[str]:
    if not bases:
        return []
    return [_("Other addresses of this computer: %(list)s") % {"list": ", ".join(bases)}]


def _without_phones() -> list[str]:
    return [_("Only this computer reaches it. For the players’ phones, start with --lan.")]


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
