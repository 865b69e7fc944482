"""Who may act: the GM, let in by an entry link, and players, who hold a link and only look.

One GM per installation: a session that used an entry link. Over plain HTTP the GM sits at this
computer (peer and Host are both loopback, which also keeps rebound names out); over HTTPS
anywhere.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from ipaddress import ip_address
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.contrib.sessions.models import Session
from django.core.exceptions import DisallowedHost
from django.db import connection
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.request import split_domain_port
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from encounters import limiter, link_uses
from encounters.models import Campaign, Encounter, EntryLink, PlayerLink, secret_hash

ENTRY_PATH = "/entry/"  # explains how to get in
LONGEST_STAY = 90  # days from entering, however often the GM comes back

P = ParamSpec("P")


# The GM


def gm_only(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let only the GM through; others are told how to get in, fragments by leaving the page."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_trusted_channel(request):
            return _refuse(request, far_away(request))
        if not is_gm(request):
            return _refuse(request, _way_in(request))
        return view(request, *args, **kwargs)

    return guarded


def is_gm(request: HttpRequest) -> bool:
    """Whether this session used an entry link, not too long ago; a visit a day keeps it alive."""
    session = request.session
    if session.get("gm") is not True:
        return False
    today = timezone.now().date().toordinal()
    if today - session.setdefault("entered_on", today) > LONGEST_STAY:
        session.flush()
        return False
    if session.get("seen_on") != today:
        session["seen_on"] = today  # saving it renews the cookie
    return True


def is_trusted_channel(request: HttpRequest) -> bool:
    """Whether a GM may be at the other end: HTTPS, or this computer itself."""
    return request.is_secure() or (
        _is_loopback(request.META.get("REMOTE_ADDR", "")) and _is_loopback(_host(request))
    )


def is_at_this_computer(request: HttpRequest) -> bool:
    """Whether the address that was asked for is this computer's own, which no phone can open."""
    return _is_loopback(_host(request))


def far_away(request: HttpRequest) -> HttpResponse:
    """The page for a GM who comes over plain HTTP from the network; it names the right address."""
    here = address_here(request)
    return render(request, "encounters/entry/far.html", {"here": here}, status=403)


def address_here(request: HttpRequest) -> str:
    """Where the GM's pages are for whoever sits at this computer."""
    return f"http://127.0.0.1:{request.get_port()}/"


def _host(request: HttpRequest) -> str:
    try:
        return split_domain_port(request.get_host())[0].strip("[]")
    except DisallowedHost:
        return ""


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _refuse(request: HttpRequest, page: HttpResponse) -> HttpResponse:
    """Answer a fragment's request by sending the whole page to the way in, never into a row."""
    if request.headers.get("HX-Request") == "true":
        return HttpResponseClientRedirect(ENTRY_PATH)
    return page


def _way_in(request: HttpRequest) -> HttpResponse:
    if request.method in ("GET", "HEAD"):
        return HttpResponseRedirect(ENTRY_PATH)
    return render(request, "encounters/entry/explain.html", status=403)


# What an address is about


def campaign_or_404(uuid: UUID) -> Campaign:
    """The campaign of an address; Http404 without it, or of one in the bin."""
    return get_object_or_404(Campaign, uuid=uuid, deleted=None)


def encounter_or_404(uuid: UUID) -> Encounter:
    """The encounter of an address, and its campaign; Http404 when either is in the bin."""
    return get_object_or_404(Encounter.out_of_bin().select_related("campaign"), uuid=uuid)


# Entry links


def new_entry_path() -> str:
    """The path of a new entry link, which is to be shown once; old links are swept away."""
    EntryLink.objects.filter(created__lt=timezone.now() - EntryLink.LIFE).delete()
    return f"{ENTRY_PATH}{EntryLink.make()}/"


def is_open(secret: str) -> bool:
    """Whether an entry link can still be used."""
    return EntryLink.objects.filter(
        secret_hash=secret_hash(secret), used=None, created__gt=timezone.now() - EntryLink.LIFE
    ).exists()


def enter(request: HttpRequest, secret: str) -> bool:
    """Use an entry link up and make this session the GM's; false when it is used or too old."""
    if not EntryLink.consume(secret):
        return False
    request.session.flush()  # an id or a stay from before must not become the GM's
    request.session["gm"] = True
    return True


def leave(request: HttpRequest) -> None:
    """Forget the GM in this browser."""
    request.session.flush()


def other_browsers(request: HttpRequest) -> QuerySet[Session]:
    """The sessions of all browsers in which the GM is, but for this one."""
    valid = Session.objects.filter(expire_date__gt=timezone.now())
    return valid.exclude(session_key=request.session.session_key)


def leave_other_browsers(request: HttpRequest) -> None:
    """Forget the GM in all browsers but this one, and every entry link that is not used yet."""
    other_browsers(request).delete()
    EntryLink.objects.filter(used=None).delete()


# Players


def by_player_link(
    view: Callable[Concatenate[HttpRequest, PlayerLink, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Give the view the link that the address's token opens, and note that it is used.

    404 for any other, 429 for whoever has tried too many; 405 for writing.
    """

    @require_safe
    @wraps(view)
    def opened(request: HttpRequest, token: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with read_only_database():
            link = PlayerLink.of_token(token)
            if link is None:
                return _missed(request)
            link_uses.note(link.pk)
            return view(request, link, *args, **kwargs)

    return opened


def _missed(request: HttpRequest) -> HttpResponse:
    """The same for every link that opens nothing, whatever the reason."""
    if not limiter.misses.note(request.META.get("REMOTE_ADDR", "")):
        raise Http404
    return HttpResponse(
        _("Too many addresses that lead nowhere. Wait a minute, then try again."),
        status=429,
        headers={"Content-Type": "text/plain; charset=utf-8", "Retry-After": limiter.MINUTE},
    )


class WriteRefused(Exception):
    """A player's request tried to write to the database; the message is the statement."""


_READING = ("SELECT", "SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK TO SAVEPOINT")


@contextmanager
def read_only_database() -> Iterator[None]:
    """Inside, any statement but a reading one raises WriteRefused before it is sent."""

    def only_read(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        if not sql.lstrip().upper().startswith(_READING):
            raise WriteRefused(sql)
        return execute(sql, *args)

    with connection.execute_wrapper(only_read):
        yield
