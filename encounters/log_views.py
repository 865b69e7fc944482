"""The GM's pages of what has been: the whole log, and the board as it stood after a step."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from encounters.access import encounter_or_404, gm_only
from encounters.chronicle import chronicle
from encounters.log import KINDS
from encounters.screens.past import Sought, by_round, past_board, whole_log

PAGE = 200  # steps
TYPES = {"txt": "text/plain", "md": "text/markdown"}
NOT_IN_NAMES = {ord(mark): "-" for mark in '/\\:*?"<>|'}  # of files, on some system


@gzip_page
@gm_only
@require_safe
def log(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Every step, newest first, or those that the form asks for."""
    encounter = encounter_or_404(uuid)
    sought = _sought(request)
    whole = whole_log(encounter, sought)
    page = Paginator(whole.lines, PAGE).get_page(request.GET.get("page"))
    context = {
        "encounter": encounter,
        "log": whole,
        "page": page,
        "rounds": by_round(page.object_list),
        "sought": sought,
        "kinds": KINDS,
    }
    return render(request, "encounters/gm/log.html", context)


@gzip_page
@gm_only
@require_safe
def log_as(request: HttpRequest, uuid: UUID, format: str) -> HttpResponse:
    """The story of the fight as a file to read, to copy or to keep."""
    encounter = encounter_or_404(uuid)
    kind = f"{TYPES[format]}; charset=utf-8"
    name = f"{encounter.name.translate(NOT_IN_NAMES)}.{format}"
    response = HttpResponse(chronicle(encounter, format), content_type=kind)
    response["Content-Disposition"] = content_disposition_header(False, name) or "inline"
    return response


@gzip_page
@gm_only
@require_safe
def past(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """The board after the step of this number, to look at."""
    encounter = encounter_or_404(uuid)
    board = past_board(encounter, number)
    if board is None:
        raise Http404
    context = {"encounter": encounter, "board": board}
    return render(request, "encounters/gm/past.html", context)


def _sought(request: HttpRequest) -> Sought:
    """What the form asks for; what it cannot mean is not asked for."""
    kind, who = request.GET.get("kind", ""), request.GET.get("who", "")
    number = int(who) if who.isascii() and who.isdigit() and len(who) < 10 else None
    text = request.GET.get("text", "")[:200]
    return Sought(kind if kind in KINDS else "", number, text)
