"""The GM's way in and out. Opening an entry link changes nothing; its button does."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from encounters import access, demo


@require_safe
def explain(request: HttpRequest) -> HttpResponse:
    """Say how to get in (again); the only page of the GM's side that anybody may see."""
    return render(request, "encounters/entry/explain.html")


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, secret: str) -> HttpResponse:
    """Show an entry link's button; on its press, let this browser in, once."""
    if not access.is_trusted_channel(request):
        return access.far_away(request)
    if request.method == "POST" and access.enter(request, secret):
        demo.read_in_own_language()
        return redirect("/")
    if not access.is_open(secret):
        if access.is_gm(request):  # the link has let this browser in
            return redirect("/")
        sentence = _("This entry link has been used already, or it is older than 30 minutes.")
        return render(request, "encounters/entry/explain.html", {"why": sentence}, status=410)
    return render(request, "encounters/entry/enter.html")


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest) -> HttpResponse:
    """Sign this browser out, once that is confirmed: it needs a new entry link from now on."""
    if request.method != "POST":
        return render(request, "encounters/entry/leave.html")
    access.leave(request)
    return redirect(access.ENTRY_PATH)


@access.gm_only
@require_POST
def leave_others(request: HttpRequest) -> HttpResponse:
    """Sign the GM out of all browsers but this one."""
    access.leave_other_browsers(request)
    return redirect("home")
