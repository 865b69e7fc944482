"""What holds for every request: size, headers, and that players' pages know nobody."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from config.headers import GM_HEADERS, PLAYER_HEADERS, is_player_path
from encounters.access import read_only_database

LARGEST_BODY = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0  # bytes
Handler = Callable[[HttpRequest], HttpResponseBase]


def page_headers(get_response: Handler) -> Handler:
    """Put the security headers on every answer, errors included."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        chosen = PLAYER_HEADERS if is_player_path(request.path_info) else GM_HEADERS
        for name, value in chosen.items():
            response.headers[name] = value
        return response

    return middleware


def small_bodies(get_response: Handler) -> Handler:
    """Refuse a body over the limit by its announced length, before a byte of it is read.

    A body without a length reads as empty under WSGI, and the server holds a sender to its word.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        announced = request.META.get("CONTENT_LENGTH") or "0"
        if not announced.isdecimal() or len(announced) > 12 or int(announced) > LARGEST_BODY:
            return HttpResponse(_("That is too large."), status=413, content_type="text/plain")
        return get_response(request)

    return middleware


def player_pages(get_response: Handler) -> Handler:
    """On `/j/…`: reading only, no cookie in or out, the language from the address or the browser.

    Standing before the session, language and CSRF middleware, it leaves them nothing to act on:
    two players who ask for the same page are the same to the server, and neither can write.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not is_player_path(request.path_info):
            return get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        # LocaleMiddleware reads the choice of language from this cookie, and checks it.
        request.COOKIES = {settings.LANGUAGE_COOKIE_NAME: request.GET.get("lang", "")}
        with read_only_database():
            response = get_response(request)
        response.cookies.clear()
        response.headers["Vary"] = "Accept-Language"
        return response

    return middleware
