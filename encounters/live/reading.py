"""What the streams read of the database: in one thread of their own, which cannot write."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import wraps
from importlib import import_module
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import OperationalError, close_old_connections, connection, connections
from django.http import HttpRequest
from django.utils import timezone, translation

from encounters import limiter, link_uses, statements
from encounters.access import is_gm, is_trusted_channel
from encounters.models import Campaign, Encounter, PlayerLink

from .looking import Found, Watched
from .rooms import Seat

P = ParamSpec("P")
T = TypeVar("T")

PAUSE = 1.0  # seconds for which a database that could not be reached is not asked again
# A page that is open has used its link just now, but that is written down a minute later.
NOT_WRITTEN_YET = timedelta(minutes=3)

CAMPAIGN = statements.Query(lambda: Campaign.objects.filter(pk=0))

executor = ThreadPoolExecutor(1, thread_name_prefix="live")
_unreached_until = 0.0  # by the monotonic clock


class Refused(Exception):
    """A stream is not opened; `status` is that of the HTTP answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Away(Refused):
    """The database cannot be read just now."""

    def __init__(self) -> None:
        super().__init__(503)


def reading(function: Callable[P, T]) -> Callable[P, T]:
    """Run the function with a sound connection on which the database refuses to write.

    Raises OperationalError at once when the database could not be reached just now: those who
    wait in line would else wait in vain one after the other.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        close_old_connections()
        connection.close_if_health_check_failed()
        if connection.connection is None:
            _connect()
        return function(*args, **kwargs)

    return run


def _connect() -> None:
    global _unreached_until
    if time.monotonic() < _unreached_until:
        raise OperationalError("The database could not be reached just now.")
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA query_only = ON")
            else:
                cursor.execute("SET default_transaction_read_only = on")
    except OperationalError:
        _unreached_until = time.monotonic() + PAUSE
        connection.close()
        raise


def disconnect() -> None:
    """Close the thread's connection; it opens another when there is more to read."""
    executor.submit(connections.close_all).result()


@reading
def player_seat(request: HttpRequest, token: str) -> Seat:
    """What a player's link opens, in the language of the page; the link is in use from now on.

    Refused with 400 for a foreign Host, 403 without the HTTPS that is asked for, 404 for a link
    that is not, or no longer, there, and 429 for whoever has tried too many of those.
    """
    _check_address(request)
    link = PlayerLink.of_token(token)
    if link is None:
        too_many = limiter.misses.note(request.META.get("REMOTE_ADDR", ""))
        raise Refused(429 if too_many else 404)
    link_uses.note(link.pk)
    # The page's own choice: its address comes first, then the browser.
    request.COOKIES = {settings.LANGUAGE_COOKIE_NAME: request.GET.get("lang", "")}
    language = translation.get_language_from_request(request)
    return Seat(link.pk, link.generation, link.campaign_id, language)


@reading
def gm_version(request: HttpRequest, encounter_uuid: str) -> int:
    """The version of an encounter, for its GM.

    Refused with 400 for a foreign Host, 403 for anybody else, 404 without such an encounter.
    """
    _check_address(request)
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    # Looking must not end a session that is over: that is for the GM's next page to do.
    request.session.flush = request.session.clear  # type: ignore[method-assign]
    if not (is_trusted_channel(request) and is_gm(request)):
        raise Refused(403)
    encounters = Encounter.out_of_bin().filter(uuid=encounter_uuid)
    for version in encounters.values_list("version", flat=True):
        return version
    raise Refused(404)


@reading
def player_board(campaign_id: int, language: str) -> tuple[int, str]:
    """A campaign's `public_rev` and the fragment that players see, in that language."""
    from encounters import player_views  # whose pages announce, through what they import

    campaign = CAMPAIGN.first(campaign_id)
    if campaign is None:
        raise Campaign.DoesNotExist
    return player_views.render_screen(campaign, language)


@reading
def look(watched: Watched) -> Found:
    """How things stand with what is watched, by a query for each kind of it."""
    revs = Campaign.objects.filter(pk__in=watched.campaigns).values_list("pk", "public_rev")
    versions = Encounter.objects.filter(uuid__in=watched.encounters).values_list("uuid", "version")
    return Found(
        dict(revs) if watched.campaigns else {},
        {str(uuid): version for uuid, version in versions} if watched.encounters else {},
        _generations(watched.links),
    )


def _generations(pks: tuple[int, ...]) -> dict[int, int]:
    """The generation of each of these links that is open."""
    if not pks:
        return {}
    links = PlayerLink.objects.filter(pk__in=pks, campaign__deleted=None)
    now = timezone.now() - NOT_WRITTEN_YET
    return {link.pk: link.generation for link in links if not link.expires or now < link.expires}


def _check_address(request: HttpRequest) -> None:
    """What Django's own middleware checks of a page: its Host, and that it came over HTTPS."""
    try:
        request.get_host()
    except DisallowedHost as error:
        raise Refused(400) from error
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        raise Refused(403)
