"""The players' link as the GM hands it out: its address and its QR code."""

from dataclasses import dataclass

import segno
from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from config.network import lan_addresses
from encounters.models import Campaign, PlayerLink


@dataclass(frozen=True, slots=True)
class Share:
    url: str
    qr: SafeString  # SVG
    reachable: bool  # from other devices; not when only this computer is served


def share(campaign: Campaign, request: HttpRequest) -> Share:
    """The campaign's player page as an address for phones."""
    link, _ = PlayerLink.objects.get_or_create(campaign=campaign)
    base, reachable = _base(request)
    url = f"{base}/j/{link.token}"
    qr = segno.make(url, error="m", micro=False)
    svg = qr.svg_inline(scale=4, border=2, dark="#000", light="#fff", omitsize=True)
    return Share(url, mark_safe(svg), reachable)  # of our own making


def _base(request: HttpRequest) -> tuple[str, bool]:
    if settings.BASE_URL:
        return settings.BASE_URL, True
    addresses = lan_addresses() if settings.LAN else ()
    if addresses:
        return f"http://{addresses[0]}:{request.get_port()}", True
    return f"http://{request.get_host()}", False
