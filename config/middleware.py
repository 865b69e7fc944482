"""What holds for every page: its headers, and that players' pages know nobody."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

from config.headers import GM_HEADERS, PLAYER_HEADERS, is_player_path
from encounters.access import read_only_database

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
