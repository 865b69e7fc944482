"""The players' links of a campaign as the GM hands them out: address, QR code, and who uses it."""

import math
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

import segno
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.network import lan_addresses
from encounters import live
from encounters.campaign_forms import PlayersSeeForm
from encounters.link_forms import name_of
from encounters.models import Campaign, Encounter, PlayerLink


@dataclass(frozen=True, slots=True)
class Share:
    """One link. Moments are told as so long ago or ahead, which is the same in every time zone."""

    pk: int
    name: str
    url: str  # for phones
    path: str  # on whatever address this page was asked from
    qr: SafeString  # SVG
    is_open: bool
    watching: int  # pages open on it now
    used: str  # when last, as a sentence
    closes: str  # when, unless it is used before; or when it closed; "" never


@dataclass(frozen=True, slots=True)
class Shares:
    """All links of a campaign, in the order in which they were made."""

    links: tuple[Share, ...]
    reachable: bool  # from other devices; not when only this computer is served
    door: str  # the address that asks for the code
    code: str  # of the first open link, for the next ten minutes

    @property
    def open(self) -> tuple[Share, ...]:
        return tuple(link for link in self.links if link.is_open)

    @property
    def several(self) -> bool:
        """Whether there is something to choose."""
        return len(self.open) > 1


def shares(campaign: Campaign, request: HttpRequest) -> Shares:
    """The campaign's links. One is always open, so that the page is a single click away."""
    links = list(campaign.links.order_by("pk"))
    if not any(link.is_open for link in links):
        links.append(open_link(campaign))
    base, reachable = _base(request)
    code = next(link for link in links if link.is_open).show_code() if reachable else ""
    return Shares(tuple(_share(link, base) for link in links), reachable, f"{base}/", code)


def open_link(campaign: Campaign) -> PlayerLink:
    """A first link, which a new campaign has at once: the terminal shows its QR code."""
    return PlayerLink.objects.create(campaign=campaign, name=_("Table"))


def players_panel(encounter: Encounter, request: HttpRequest) -> dict[str, object]:
    """What the panel beside an encounter's board shows: the links, and what players see."""
    board = reverse("board", args=[encounter.uuid])
    return {
        "encounter": encounter,
        "campaign": encounter.campaign,
        "shares": shares(encounter.campaign, request),
        "players_see": PlayersSeeForm(instance=encounter.campaign),
        "next": f"{board}?players#share",  # without scripts, the page with the panel open
    }


def share(link: PlayerLink, request: HttpRequest) -> Share:
    """One of the campaign's links."""
    return _share(link, _base(request)[0])


def _share(link: PlayerLink, base: str) -> Share:
    path = reverse("player", args=[link.token])
    return Share(
        pk=link.pk,
        name=name_of(link),
        url=base + path,
        path=path,
        qr=_qr(base + path),
        is_open=link.is_open,
        watching=(watching := live.watchers_of_link(link.pk)),
        used=_("In use now.") if watching else _used(link),
        closes=_closes(link),
    )


@lru_cache(maxsize=200)
def _qr(url: str) -> SafeString:
    """Kept, since making it takes longer than all else on a page."""
    svg = segno.make(url, error="m", micro=False).svg_inline(
        scale=4, border=2, dark="#000", light="#fff", omitsize=True
    )
    return mark_safe(svg)  # of our own making


def _used(link: PlayerLink) -> str:
    if link.last_used is None:
        return _("Not used yet.")
    if timezone.now() - link.last_used < timedelta(minutes=1):
        return _("Last used just now.")
    return _("Last used %(time)s ago.") % {"time": timesince(link.last_used, depth=1)}


def _closes(link: PlayerLink) -> str:
    if link.expires is None:
        return ""
    if not link.is_open:
        return _("Closed %(time)s ago.") % {"time": timesince(link.expires, depth=1)}
    days = math.ceil((link.expires - timezone.now()) / timedelta(days=1))
    if days == 1:
        return _("Closes within a day unless it is used.")
    text = ngettext(
        "Closes in %(n)d day unless it is used.", "Closes in %(n)d days unless it is used.", days
    )
    return text % {"n": days}


def _base(request: HttpRequest) -> tuple[str, bool]:
    if settings.BASE_URL:
        return settings.BASE_URL, True
    addresses = lan_addresses() if settings.LAN else ()
    if addresses:
        return f"{request.scheme}://{addresses[0]}:{request.get_port()}", True
    return f"{request.scheme}://{request.get_host()}", False
