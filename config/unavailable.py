"""When the database cannot be asked: nothing is half done, and what was sent can be sent again.

Its servers being away, its disk being full and its being locked by others are no mistakes of
ours: they end by themselves, and the next request may already find them ended.
"""

import logging
import sqlite3

from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import Error, InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from config.giving_up import GivingUp
from config.headers import is_player_path

RETRY_AFTER = 5  # seconds
READING = ("GET", "HEAD")
# SQLSTATE, appendix A of PostgreSQL's manual
READ_ONLY, DISK_FULL = "25006", "53100"
UNREACHED = "database_unreached"  # the mark of an answer that tells of such an error

logger = logging.getLogger(__name__)


class Sessions(SessionMiddleware):
    """Sessions, and an answer where the database fails a view or the session itself."""

    giving_up = GivingUp()  # for all threads together

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = self.giving_up.begin()
        if began is None:
            return _unavailable(request, None)
        response: HttpResponse = super().__call__(request)  # type: ignore[assignment]
        self.giving_up.end(began, reached=not getattr(response, UNREACHED, False))
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """503 in place of an answer; any other mistake goes its way."""
        return _unavailable(request, error) if is_unavailable(error) else None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save the session. Where it cannot be, what was only looked at is shown all the same."""
        try:
            return super().process_response(request, response)
        except (Error, SessionInterrupted) as failed:  # the second is what Django makes of most
            error = _underlying(failed)
            if error is None or not is_unavailable(error):
                raise
            return response if request.method in READING else _unavailable(request, error)


def _underlying(error: BaseException | None) -> Error | None:
    """The database's error in whose handling this one was raised."""
    while error is not None and not isinstance(error, Error):
        error = error.__context__
    return error


def is_unavailable(error: Exception) -> bool:
    """Whether the database is at fault, and not what it was asked."""
    cause = error.__cause__
    if isinstance(error, InternalError):
        return getattr(cause, "sqlstate", None) == READ_ONLY
    if isinstance(cause, sqlite3.Error):
        # The plain SQLITE_ERROR is for what makes no sense: no such table.
        return _sqlite_code(cause) != sqlite3.SQLITE_ERROR and isinstance(error, OperationalError)
    return isinstance(error, OperationalError | InterfaceError)


def _sqlite_code(cause: sqlite3.Error) -> int:
    code: int = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF  # without what extends it


def _unavailable(request: HttpRequest, error: Exception | None) -> HttpResponse:
    """The answer; without an error it is because of one that others have seen."""
    if error:
        logger.error("The database cannot be asked: %s", error)
    reading = request.method in READING
    context = {"why": _why(error, reading=reading), "reading": reading, "fields": _sent(request)}
    fragment = request.headers.get("HX-Request") == "true"
    template = "errors/_unavailable.html" if fragment else "errors/503.html"
    response = render(request, template, context, status=503)
    setattr(response, UNREACHED, error is not None and not _has_answered(error.__cause__))
    response.headers["Retry-After"] = str(RETRY_AFTER)
    if fragment and reading:
        response.headers["HX-Reswap"] = "none"  # what was not asked for by anybody fails silently
    elif reading:
        response.headers["Refresh"] = str(RETRY_AFTER)  # a screen on a wall comes back by itself
    return response


def _has_answered(cause: BaseException | None) -> bool:
    """Whether it was the database itself that said what went wrong."""
    return isinstance(cause, sqlite3.Error) or getattr(cause, "sqlstate", None) is not None


def _why(error: Exception | None, *, reading: bool) -> str:
    cause = error.__cause__ if error else None
    full = (
        _sqlite_code(cause) == sqlite3.SQLITE_FULL
        if isinstance(cause, sqlite3.Error)
        else getattr(cause, "sqlstate", None) == DISK_FULL
    )
    if full:
        return _("Not saved: the server’s disk is full. Make room, then try again.")
    if reading:
        return _("The server cannot answer just now. This page tries again by itself.")
    return _("Not saved: the database does not answer just now. Try again in a moment.")


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """What was sent, for a form that sends it once more; its key lets it count once."""
    if request.method in READING or is_player_path(request.path_info):
        return []
    return [
        (name, value)
        for name, values in request.POST.lists()
        if name != "csrfmiddlewaretoken"
        for value in values
    ]
