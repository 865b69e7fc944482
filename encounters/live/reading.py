"""What the streams read of the database: in one thread of their own, which cannot write."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from importlib import import_module
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import close_old_connections, connection, connections
from django.http import HttpRequest
from django.utils import translation

from encounters.access import is_gm, is_trusted_channel
from encounters.models import Encounter, PlayerLink

P = ParamSpec("P")
T = TypeVar("T")

executor = ThreadPoolExecutor(1, thread_name_prefix="live")


class Refused(Exception):
    """A stream is not opened; `status` is that of the HTTP answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def reading(function: Callable[P, T]) -> Callable[P, T]:
    """Run the function with a sound connection on which the database refuses to write."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        close_old_connections()
        if connection.connection is None:
            _connect()
        return function(*args, **kwargs)

    return run


def _connect() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA query_only = ON")
        else:
            cursor.execute("SET default_transaction_read_only = on")


def disconnect() -> None:
    """Close the thread's connection; it opens another when there is more to read."""
    executor.submit(connections.close_all).result()


@reading
def player_seat(request: HttpRequest, token: str) -> tuple[int, str]:
    """The campaign that a player's link opens, and the language of the page.

    Refused with 400 for a foreign Host, 403 without the HTTPS that is asked for, 404 for a link
    that is not, or no longer, there.
    """
    _check_address(request)
    link = PlayerLink.of_token(token)
    if link is None:
        raise Refused(404)
    # The page's own choice: its address comes first, then the browser.
    request.COOKIES = {settings.LANGUAGE_COOKIE_NAME: request.GET.get("lang", "")}
    return link.campaign_id, translation.get_language_from_request(request)


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
    encounters = Encounter.objects.filter(uuid=encounter_uuid, deleted=None)
    for version in encounters.values_list("version", flat=True):
        return version
    raise Refused(404)


@reading
def player_board(campaign_id: int, language: str) -> tuple[int, str]:
    """A campaign's `public_rev` and the fragment that players see, in that language."""
    from encounters.player_views import render_screen  # which announces, through what it imports

    return render_screen(campaign_id, language)


def _check_address(request: HttpRequest) -> None:
    """What Django's own middleware checks of a page: its Host, and that it came over HTTPS."""
    try:
        request.get_host()
    except DisallowedHost as error:
        raise Refused(400) from error
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        raise Refused(403)
