"""Our own 400, 403, 404 and 500: plain, in the reader's language, and telling nothing else."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from encounters.access import is_gm, is_trusted_channel


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "errors/403.html", status=403)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that did not come from a page of ours, or from one that is too old."""
    return render(request, "errors/403.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """For a GM with the way back to his pages; for all others the same bytes."""
    is_in = hasattr(request, "session") and is_trusted_channel(request) and is_gm(request)
    return render(request, "errors/404_gm.html" if is_in else "errors/404.html", status=404)


def robots(request: HttpRequest) -> HttpResponse:
    """Players' pages are for those who were given the link, not for search engines."""
    return HttpResponse("User-agent: *\nDisallow: /j/\n", content_type="text/plain")


def broken(request: HttpRequest) -> HttpResponse:
    return render(request, "errors/500.html", status=500)
