"""The root of the network's address: a door to the players' page, opened by the table's code.

For a television, and for whoever cannot take a picture of the QR code. A plain form that asks by
GET, and writes nothing.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from encounters import campaign_views, limiter
from encounters.access import (
    address_here,
    is_at_this_computer,
    is_gm,
    is_trusted_channel,
    read_only_database,
)
from encounters.models import PlayerLink


def root(request: HttpRequest) -> HttpResponse:
    """The GM's home, and the door for everybody else who comes from the network."""
    looks = request.method in ("GET", "HEAD")
    is_at_home = is_trusted_channel(request) and (is_gm(request) or is_at_this_computer(request))
    return door(request) if looks and not is_at_home else campaign_views.home(request)


@require_safe
def door(request: HttpRequest, view: str = "") -> HttpResponse:
    """Asks for the code; with the right one it leads to the players' page."""
    typed = request.GET.get("code", "")[:40]
    if not typed.strip():
        return _asking(request, view)
    if limiter.too_many_codes(request.META.get("REMOTE_ADDR", "")):
        return _asking(request, view, _("Too many codes. Wait a minute, then try again."), 429)
    with read_only_database():
        link = PlayerLink.of_code(typed)
    if link is None:
        why = _("No table shows this code now. Ask your game master for the code on the screen.")
        return _asking(request, view, why, 404)
    return redirect(reverse("player", args=[link.token]) + (f"?view={view}" if view else ""))


def _asking(request: HttpRequest, view: str, refusal: str = "", status: int = 200) -> HttpResponse:
    typed = request.GET.get("code", "")[:40]
    here = "" if is_trusted_channel(request) else address_here(request)
    context = {"refusal": refusal, "typed": typed, "view": view, "here": here}
    return render(request, "encounters/entry/door.html", context, status=status)
