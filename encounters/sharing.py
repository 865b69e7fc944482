"""The players' links of a campaign as the GM hands them out: address, QR code, and who uses it."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import segno
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext as _

from config.network import lan_addresses
from encounters import live
from encounters.models import Campaign, PlayerLink

A_MINUTE = 60  # seconds: what is no longer ago than that is "just now"


@dataclass(frozen=True, slots=True)
class Share:
    """One link. Moments are told in words, by how long ago or ahead they are."""

    pk: int
    name: str
    url: str  # for phones
    path: str  # on whatever address this page was asked from
    qr: SafeString  # SVG
    is_open: bool
    watching: int  # pages open on it now
    used: str  # when last; "" never
    closes: str  # unless it is used before, or when it closed; "" never


@dataclass(frozen=True, slots=True)
class Shares:
    """All links of a campaign, in the order in which they were made."""

    links: tuple[Share, ...]
    reachable: bool  # from other devices; not when only this computer is served

    @property
    def open(self) -> tuple[Share, ...]:
        return tuple(link for link in self.links if link.is_open)


def shares(campaign: Campaign, request: HttpRequest) -> Shares:
    """The campaign's links. One is always open, so that the page is a single click away."""
    links = list(campaign.links.order_by("pk"))
    if not any(link.is_open for link in links):
        links.append(PlayerLink.objects.create(campaign=campaign, name=_("Table")))
    base, reachable = _base(request)
    return Shares(tuple(_share(link, base) for link in links), reachable)


def share(link: PlayerLink, request: HttpRequest) -> Share:
    """One of the campaign's links."""
    return _share(link, _base(request)[0])


def _share(link: PlayerLink, base: str) -> Share:
    path = reverse("player", args=[link.token])
    return Share(
        pk=link.pk,
        name=link.name or _("Table"),
        url=base + path,
        path=path,
        qr=_qr(base + path),
        is_open=link.is_open,
        watching=live.watchers_of_link(link.pk),
        used=_ago(link.last_used),
        closes=_closes(link),
    )


@lru_cache(maxsize=200)
def _qr(url: str) -> SafeString:
    """Kept, since making it takes longer than all else on a page."""
    svg = segno.make(url, error="m", micro=False).svg_inline(
        scale=4, border=2, dark="#000", light="#fff", omitsize=True
    )
    return mark_safe(svg)  # of our own making


def _ago(moment: datetime | None) -> str:
    if moment is None:
        return ""
    if (timezone.now() - moment).total_seconds() < A_MINUTE:
        return _("just now")
    return _("%(time)s ago") % {"time": timesince(moment, depth=1)}


def _closes(link: PlayerLink) -> str:
    if link.expires is None:
        return ""
    if not link.is_open:
        return _ago(link.expires)
    return _("in %(time)s") % {"time": timeuntil(link.expires, depth=1)}


def _base(request: HttpRequest) -> tuple[str, bool]:
    if settings.BASE_URL:
        return settings.BASE_URL, True
    addresses = lan_addresses() if settings.LAN else ()
    if addresses:
        return f"{request.scheme}://{addresses[0]}:{request.get_port()}", True
    return f"{request.scheme}://{request.get_host()}", False
